"""One tool call: whatever the tool does, the caller gets an answer by the published schema, and the journal a run."""

import asyncio
import signal
import time
from collections.abc import Callable
from typing import Annotated, Any, Literal

import jsonschema
import msgspec
import pytest
from vouched import calls, contained, logbook
from vouched.api import (
    Answer,
    Context,
    Cursor,
    Image,
    InvalidArgument,
    Link,
    Meta,
    OutlineEntry,
    ProviderFailed,
    RateLimited,
    Restriction,
    Struct,
    tool,
)
from vouched.host import Host
from vouched.journal import Owner, Run
from vouched.settings import Limits, Secrets

from host.tests.made import Said, failing_store, plugin

pytestmark = pytest.mark.anyio
MakeHost = Callable[..., Host]
ME = Owner(client="test", session_id="mine")


class Row(Struct):
    name: str
    score: float | None = None


class Whim(BaseException):
    """Neither an error nor an exit."""


class Rows(Struct):
    rows: list[Row]


@tool
async def echo(
    ctx: Context,
    text: Annotated[str, Meta(min_length=1)],
    output_format: Literal["markdown", "json", "toon"] | None = None,
) -> Said:
    """Say it again."""
    ctx.warn("One thing.")
    ctx.warn("One thing.")
    ctx.note("query", text)
    ctx.note("ids", ["pmid:99900001"])
    ctx.note("total", 7)
    ctx.note("own", {"fact": 1})
    return Said(text)


@tool
async def behave(ctx: Context, kind: str) -> Answer[Rows]:
    """End in one of many ways."""
    if kind in ERRORS:
        raise ERRORS[kind]
    if kind == "cancels its task":
        task = asyncio.current_task()
        assert task
        task.cancel()
        await asyncio.sleep(0)
    if kind == "warns of nothing":
        ctx.warn(None)  # type: ignore[arg-type]
    answers: dict[str, Any] = {
        "partial": Answer(Rows([Row("a")]), "partial"),
        "restricted": Answer(None, "restricted", restriction=Restriction("NONE", "none", "closed", [], Row("r\u202e"))),
        "outline": Answer(None, "outline", outline=[OutlineEntry("Methods", 5)]),
        "picture": Answer(Rows([]), attachments=[Image(b"\x89PNG")]),
        "wrong": Answer(Rows([Row(None)])),  # type: ignore[arg-type]
        "not a number": Answer(Rows([Row("a", float("nan"))])),
        "controls": Answer(Rows([Row("a\x1b[31m\u202eb\x00")])),
        "unpublishable": Answer(object()),
        "none": None,
        "no data": Answer(None),
        "partial without data": Answer(None, "partial"),
        "unknown status": Answer(Rows([]), "done"),  # type: ignore[arg-type]
        "restricted without reason": Answer(None, "restricted"),
        "restricted in words": Answer(None, "restricted", restriction="closed"),  # type: ignore[arg-type]
        "outline without parts": Answer(None, "outline"),
        "outline of words": Answer(None, "outline", outline=["Methods"]),  # type: ignore[list-item]
        "cursor of numbers": Answer(Rows([]), next_cursor=5),  # type: ignore[arg-type]
        "attached words": Answer(Rows([]), attachments=["file.png"]),  # type: ignore[list-item]
        "attached nothing": Answer(Rows([]), attachments=5),  # type: ignore[arg-type]
        "picture of words": Answer(Rows([]), attachments=[Image("png")]),  # type: ignore[arg-type]
        "link to nothing": Answer(Rows([]), attachments=[Link(None, "x")]),  # type: ignore[arg-type]
    }
    return answers[kind]  # type: ignore[no-any-return]


ERRORS: dict[str, BaseException] = {
    "fault": RateLimited("Wait.", retry_after=7.0, source="lib", hint="Later."),
    "defect": ZeroDivisionError("secret internals"),
    "exit": SystemExit(3),
    "timeout of its own": TimeoutError("a socket"),
    "cancelled inside": asyncio.CancelledError(),
    "generator closed": GeneratorExit(),
    "of its own kind": Whim(),
}


@tool(deadline=0.2)
async def hang(ctx: Context) -> Said:
    """Never come back."""
    await asyncio.sleep(3600)
    return Said("never")


@tool(deadline=0.2)
async def stubborn(ctx: Context) -> Said:
    """Turn its cancellation into something else."""
    try:
        await asyncio.sleep(3600)
    except asyncio.CancelledError:
        raise ValueError("cleaning up failed") from None
    return Said("never")


@tool
async def slow(ctx: Context, seconds: float = 0.2) -> Said:
    """Take a while, and say how far it is."""
    await ctx.progress(1, 2, "half")
    await asyncio.sleep(seconds)
    return Said("done")


@tool
async def pages(ctx: Context, size: int = 2, cursor: Cursor = None) -> Rows:
    """Page through five rows."""
    start = ctx.state(int) or 0
    end = min(5, start + size)
    return Answer(  # type: ignore[return-value]
        Rows([Row(str(number)) for number in range(start, end)]), next_cursor=ctx.cursor(end) if end < 5 else None
    )


@tool(deadline=0.2)
async def deaf(ctx: Context, kind: str = "answer") -> Said:
    """Go on whatever it is told."""
    while True:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            if kind == "answer":
                return Said("late")


@tool
async def block(ctx: Context, seconds: float) -> Said:
    """Sleep as nobody should."""
    await asyncio.sleep(0)
    time.sleep(seconds)
    return Said("done")


@tool
async def interrupt(ctx: Context) -> Said:
    """End the process, if it could."""
    await asyncio.sleep(0)
    raise KeyboardInterrupt


@tool
async def warn(ctx: Context, count: int) -> Said | None:
    """Warn again and again."""
    for number in range(count):
        ctx.warn(f"Warning {number}.")
    ctx.warn("x" * 10_000)
    return None


@tool
async def collect(ctx: Context, word: str, words: list[str] = []) -> Said:  # noqa: B006
    """Add to what it was given."""
    words.append(word)
    return Said(" ".join(words))


@tool(journal="none")
async def quiet(ctx: Context) -> Said:
    """Leave no trace."""
    return Said(ctx.run_id or "no run")


@pytest.fixture
def host(vouched_host: MakeHost) -> Host:
    return vouched_host(
        {
            "made": plugin(
                tools=[echo, behave, hang, stubborn, slow, pages, quiet, deaf, block, interrupt, warn, collect]
            )
        }
    )


def checked(host: Host, name: str, structured: dict[str, Any]) -> dict[str, Any]:
    """The answer, which fits the schema that is published for its tool."""
    bound = host.registry.tool(name)
    assert bound
    jsonschema.Draft202012Validator(bound.output_schema).validate(structured)
    return structured


async def run_of(host: Host, structured: dict[str, Any]) -> Run:
    return await host.store.run(ME, structured["provenance"]["run_id"])


@pytest.mark.parametrize(
    ("kind", "status", "code"),
    [
        ("partial", "partial", None),
        ("restricted", "restricted", None),
        ("outline", "outline", None),
        ("picture", "ok", None),
        ("not a number", "ok", None),
        ("fault", "error", "rate_limited"),
        ("defect", "error", "internal"),
        ("exit", "error", "internal"),
        ("timeout of its own", "error", "internal"),
        ("cancelled inside", "error", "internal"),
        ("wrong", "error", "internal"),
        ("unpublishable", "error", "internal"),
        ("none", "error", "internal"),
        ("no data", "error", "internal"),
        ("partial without data", "error", "internal"),
        ("unknown status", "error", "internal"),
        ("restricted without reason", "error", "internal"),
        ("restricted in words", "error", "internal"),
        ("outline without parts", "error", "internal"),
        ("outline of words", "error", "internal"),
        ("cursor of numbers", "error", "internal"),
        ("attached words", "error", "internal"),
        ("attached nothing", "error", "internal"),
        ("picture of words", "error", "internal"),
        ("link to nothing", "error", "internal"),
        ("generator closed", "error", "internal"),
        ("of its own kind", "error", "internal"),
        ("cancels its task", "error", "internal"),
        ("warns of nothing", "error", "internal"),
    ],
)
async def test_every_end_of_a_tool_is_an_answer_by_the_schema(
    kind: str, status: str, code: str | None, host: Host
) -> None:
    async with host:
        result = await host.call("made_behave", {"kind": kind}, owner=ME)
        told = checked(host, "made_behave", result.structured)
        assert (told["status"], told.get("error", {}).get("code")) == (status, code)
        assert f"**{status}**" in result.text
        run = await run_of(host, told)
    assert run.status == {"error": "failed", "partial": "partial"}.get(status, "completed")


async def test_a_defect_shows_its_kind_and_the_log_the_rest(host: Host, caplog: pytest.LogCaptureFixture) -> None:
    async with host:
        result = await host.call("made_behave", {"kind": "defect"})
    assert "ZeroDivisionError" in result.text
    assert "secret internals" not in str(result)
    assert "secret internals" in caplog.text
    assert "Traceback" in caplog.text


async def test_an_answer_that_breaks_its_own_schema_says_where(host: Host) -> None:
    async with host:
        error = (await host.call("made_behave", {"kind": "wrong"})).structured["error"]
    assert "`str`, got `null`" in error["message"]
    assert "$.rows[0].name" in error["message"]


async def test_a_fault_keeps_everything_that_helps(host: Host) -> None:
    async with host:
        error = (await host.call("made_behave", {"kind": "fault"})).structured["error"]
    assert error == {
        "code": "rate_limited", "message": "Wait.", "retryable": True,
        "hint": "Later.", "retry_after": 7.0, "source": "lib",
    }  # fmt: skip


async def test_control_and_hidden_characters_reach_nobody(host: Host) -> None:
    async with host:
        result = await host.call("made_behave", {"kind": "controls"})
        restricted = await host.call("made_behave", {"kind": "restricted"})
    assert result.structured["data"]["rows"][0]["name"] == "a[31mb"
    assert "\x1b" not in result.text
    assert restricted.structured["restriction"]["record"]["name"] == "r"


async def test_attachments_come_with_the_answer(host: Host) -> None:
    async with host:
        result = await host.call("made_behave", {"kind": "picture"})
    assert result.attachments == [Image(b"\x89PNG")]


async def test_a_warning_is_said_once_in_both_faces(host: Host) -> None:
    async with host:
        result = await host.call("made_echo", {"text": "x"})
    assert result.structured["warnings"] == ["One thing."]
    assert result.text.count("One thing.") == 1


@pytest.mark.parametrize("form", ["json", "toon", "markdown"])
async def test_the_text_takes_the_form_that_an_argument_or_a_setting_names(form: str, vouched_host: MakeHost) -> None:
    async with vouched_host({"made": plugin(tools=[echo])}, text=form) as host:
        set_so = await host.call("made_echo", {"text": "x"})
    async with vouched_host({"made": plugin(tools=[echo])}) as host:
        asked_so = await host.call("made_echo", {"text": "x", "output_format": form})
    assert set_so.text[:2] == asked_so.text[:2] == {"json": "{\n", "toon": "st", "markdown": "**"}[form]


async def test_wrong_arguments_execute_nothing_and_leave_no_run(host: Host) -> None:
    async with host:
        for raw in ({}, {"text": ""}, {"text": "x", "other": 1}, "no object", [1]):
            told = checked(host, "made_echo", (await host.call("made_echo", raw, owner=ME)).structured)
            assert told["error"]["code"] == "invalid_argument"
            assert "provenance" not in told
        assert (await host.store.info(ME)).runs == 0


# Time


async def test_a_tool_that_hangs_is_stopped_after_its_deadline(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "GRACE_SECONDS", 0.1)
    async with host:
        for name in ("made_hang", "made_stubborn"):
            async with asyncio.timeout(10):
                told = checked(host, name, (await host.call(name, owner=ME)).structured)
            assert told["error"]["code"] == "deadline_exceeded"
            assert told["error"]["retryable"]
            assert (await run_of(host, told)).status == "failed"


@pytest.mark.parametrize("kind", ["answer", "go on"])
async def test_a_tool_that_swallows_its_cancellation_is_late_all_the_same(
    kind: str, host: Host, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(calls, "GRACE_SECONDS", 0.1)
    monkeypatch.setattr(contained, "STOP_SECONDS", 0.1)
    async with host:
        async with asyncio.timeout(5):
            told = checked(host, "made_deaf", (await host.call("made_deaf", {"kind": kind})).structured)
        assert told["error"]["code"] == "deadline_exceeded"
        assert ("the tool made_deaf goes on though it was cancelled" in caplog.text) is (kind != "answer")
        assert [task for task in asyncio.all_tasks() if "_Kept" in repr(task)] == []


async def test_a_tool_that_blocks_the_loop_is_named_in_the_log(host: Host, caplog: pytest.LogCaptureFixture) -> None:
    async with host:
        await host.call("made_block", {"seconds": 0.1})
        assert caplog.text == ""
        assert (await host.call("made_block", {"seconds": 1.1})).structured["status"] == "ok"
    assert "the tool made_block held the event loop for 1.1 s" in caplog.text
    assert "asyncio.to_thread" in caplog.text


async def test_progress_reaches_who_asked_for_it(host: Host) -> None:
    seen: list[tuple[float, float | None, str]] = []

    async def report(done: float, total: float | None, text: str) -> None:
        seen.append((done, total, text))

    async with host:
        await host.call("made_slow", {"seconds": 0}, report=report)
        await host.call("made_slow", {"seconds": 0})
    assert seen == [(1, 2, "half")]


async def test_a_cancelled_call_is_cancelled_in_the_journal(host: Host) -> None:
    async with host:
        task = asyncio.create_task(host.call("made_slow", {"seconds": 30}, owner=ME))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        (run,) = (await host.store.runs(ME)).items
    assert run.status == "cancelled"


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_that_a_tool_raises_is_its_defect_and_a_real_one_ends_the_process(vouched_host: MakeHost) -> None:
    made = {"made": plugin(tools=[interrupt, slow])}

    async def raised() -> str:
        async with vouched_host(made) as host:
            return str((await host.call("made_interrupt")).structured["error"]["message"])

    async def pressed() -> None:
        async with vouched_host(made) as host:
            asyncio.get_running_loop().call_later(0.2, signal.raise_signal, signal.SIGINT)
            await host.call("made_slow", {"seconds": 30})

    assert asyncio.run(raised()) == "made_interrupt failed: KeyboardInterrupt."
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(pressed())


async def test_of_very_many_warnings_the_first_and_the_last_are_said(host: Host) -> None:
    async with host:
        warnings = (await host.call("made_warn", {"count": 10_000})).structured["warnings"]
    assert len(warnings) == calls.MOST_WARNINGS + 1
    assert (warnings[0], warnings[40]) == ("Warning 0.", "… and 9,951 more warnings")
    assert len(warnings[-1]) == calls.WARNING_CHARS


async def test_a_tool_may_answer_nothing_where_it_says_so(host: Host) -> None:
    async with host:
        told = checked(host, "made_warn", (await host.call("made_warn", {"count": 0})).structured)
    assert (told["status"], "data" in told) == ("ok", False)


async def test_a_default_is_each_calls_own(host: Host) -> None:
    async with host:
        for word in ("one", "two"):
            assert (await host.call("made_collect", {"word": word})).structured["data"] == {"said": word}


# Cursors


async def test_a_cursor_brings_the_tool_back_to_where_it_was(host: Host) -> None:
    names, arguments = [], {"size": 2}
    async with host:
        while True:
            told = (await host.call("made_pages", arguments)).structured
            names += [row["name"] for row in told["data"]["rows"]]
            if "next_cursor" not in told:
                break
            arguments = {"size": 2, "cursor": told["next_cursor"]}
    assert names == ["0", "1", "2", "3", "4"]


async def test_a_cursor_is_refused_elsewhere(host: Host) -> None:
    async with host:
        cursor = (await host.call("made_pages", {"size": 2})).structured["next_cursor"]
        for wrong in ({"size": 3, "cursor": cursor}, {"size": 2, "cursor": cursor[:-2]}, {"size": 2, "cursor": "none"}):
            error = (await host.call("made_pages", wrong)).structured["error"]
            assert (error["code"], error["path"]) == ("invalid_argument", "cursor")


# The journal


async def test_a_run_keeps_arguments_facts_and_notes(host: Host) -> None:
    async with host:
        run = await run_of(host, (await host.call("made_echo", {"text": " x "}, owner=ME)).structured)
    assert (run.tool, run.status, run.arguments["text"]) == ("made_echo", "completed", " x ")
    assert (run.query, run.ids, run.total, run.returned) == (" x ", ["pmid:99900001"], 7, 1)
    assert run.notes == {"own": {"fact": 1}}
    assert run.warnings == ["One thing."]
    assert run.answer is None


async def test_an_archived_run_keeps_its_answer(vouched_host: MakeHost) -> None:
    async with vouched_host({"made": plugin(tools=[echo, behave])}, archive=True) as host:
        run = await run_of(host, (await host.call("made_echo", {"text": "x"}, owner=ME)).structured)
        failed = await run_of(host, (await host.call("made_behave", {"kind": "fault"}, owner=ME)).structured)
    assert run.answer == {"status": "ok", "data": {"said": "x"}, "warnings": ["One thing."]}
    assert failed.answer
    assert failed.answer["error"]["code"] == "rate_limited"
    assert failed.error == failed.answer["error"]


async def test_a_call_that_is_not_journalled_leaves_nothing(host: Host) -> None:
    async with host:
        told = (await host.call("made_quiet", owner=ME)).structured
        assert told["data"] == {"said": "no run"}
        assert "run_id" not in told["provenance"]
        info = await host.store.info(ME)
    assert (info.runs, info.events) == (0, 0)


@pytest.mark.parametrize("error", [OSError("disk"), ProviderFailed("The disk is full."), None])
@pytest.mark.parametrize("step", ["start_run", "change_run", "add_event"])
async def test_a_journal_that_cannot_be_written_does_not_cost_the_answer(
    step: str, error: BaseException | None, vouched_host: MakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logbook, "PATIENCE_SECONDS", 0.1)
    store = plugin(provide_session=lambda settings: failing_store(**{step: error}))
    async with vouched_host({"made": plugin(tools=[echo]), "store": store}) as host:
        result = await host.call("made_echo", {"text": "x"}, owner=ME)
    told = checked(host, "made_echo", result.structured)
    assert told["data"] == {"said": "x"}
    said = [warning for warning in told["warnings"] if "could not be written to the journal" in warning]
    assert said
    assert all(warning in result.text for warning in said)


async def test_a_run_id_that_is_taken_leaves_the_other_run_alone(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.token_hex", lambda size: "5a" * size)
    first = (await host.call("made_echo", {"text": "first"}, owner=ME)).structured
    before = await host.store.run(ME, first["provenance"]["run_id"])
    second = (await host.call("made_echo", {"text": "second"}, owner=ME)).structured
    assert second["data"] == {"said": "second"}
    assert len([warning for warning in second["warnings"] if "could not be written" in warning]) == 1
    assert await host.store.run(ME, before.run_id) == before
    assert (await host.store.info(ME)).events == 1


async def test_a_store_that_cannot_be_opened_does_not_cost_the_answer_either(
    vouched_host: MakeHost, tmp_path: Any
) -> None:
    """The host's own store on a folder that is a file."""
    (tmp_path / "file").write_text("in the way", "utf-8")
    async with vouched_host({"made": plugin(tools=[echo])}, data=tmp_path / "file") as host:
        told = (await host.call("made_echo", {"text": "x"}, owner=ME)).structured
    assert told["data"] == {"said": "x"}
    assert any("journal" in warning for warning in told["warnings"])


# Secrets


async def test_p52_a_key_that_is_echoed_is_struck_from_all_that_leaves(
    vouched_host: MakeHost, caplog: pytest.LogCaptureFixture
) -> None:
    key, mail = "SECRET123", "someone@example.org"

    @tool
    async def leak(ctx: Context, how: str) -> Said:
        """Say what should not be said."""
        ctx.warn(f"warned of {key} and {mail}")
        ctx.note("query", f"noted {key}")
        if how == "fault":
            raise InvalidArgument(f"at https://x.example/y?api_key={key}&a=b of {mail}", hint=f"not {key}")
        if how == "defect":
            raise RuntimeError(f"GET https://x.example/y?api_key={key}&email={mail}")
        return Said(f"the service says {key}")

    settings = {"secrets": Secrets({"NCBI_API_KEY": key, "NCBI_EMAIL": mail}), "email": mail, "archive": True}
    async with vouched_host({"made": plugin(tools=[leak])}, **settings) as host:
        for how in ("data", "fault", "defect"):
            result = await host.call("made_leak", {"how": how}, owner=ME)
            whole = msgspec.json.encode(result.structured).decode() + result.text
            run = msgspec.json.encode(await run_of(host, result.structured)).decode()
            for secret in (key, mail, "api_key="):
                assert secret not in whole
                assert secret not in run
                assert secret not in caplog.text
    assert "the service says REDACTED" not in caplog.text
    assert "RuntimeError: GET https://x.example/y" in caplog.text


async def test_p52_a_secret_that_is_asked_for_is_kept_nowhere(vouched_host: MakeHost) -> None:
    """A search for one's own address: the answer repeats it, provenance and journal do not."""
    key, mail = "SECRET123", "someone@example.org"
    settings = {"secrets": Secrets({"NCBI_API_KEY": key}), "email": mail}

    @tool
    async def echo_noted(ctx: Context, text: str) -> Said:
        """Say it again."""
        ctx.note("query", text)
        return Said(text)

    async with vouched_host({"made": plugin(tools=[echo_noted])}, **settings) as host:
        told = (await host.call("made_echo_noted", {"text": f"{mail}[ad] {key}"}, owner=ME)).structured
        run = await run_of(host, told)
    assert told["data"] == {"said": f"{mail}[ad] REDACTED"}
    assert told["provenance"]["query_params"] == {"text": "REDACTED[ad] REDACTED"}
    assert (run.arguments, run.query) == ({"text": "REDACTED[ad] REDACTED"}, "REDACTED[ad] REDACTED")


async def test_ordinary_words_under_a_secret_name_are_not_torn_out_of_data(vouched_host: MakeHost) -> None:
    """MY_KEY=immunity is no key by its looks; NCBI_EMAIL may rightly stand in an affiliation."""
    settings = {"secrets": Secrets({"MY_KEY": "immunity", "NCBI_EMAIL": "a1b2c3@example.org"}), "limits": Limits()}
    async with vouched_host({"made": plugin(tools=[echo])}, **settings) as host:
        told = (await host.call("made_echo", {"text": "immunity of a1b2c3@example.org"})).structured
    assert told["data"] == {"said": "immunity of a1b2c3@example.org"}
