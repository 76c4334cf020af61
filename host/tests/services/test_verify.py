"""The archive, and runs that are replayed from it."""

import gzip
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from vouched.api import Context, Fault, Struct, hookimpl, tool
from vouched.host import Host
from vouched.journal import Owner, Run
from vouched.remote import Exchange
from vouched.services.archive import Archive
from vouched.services.provenance import digest
from vouched.services.verify import Verdict, differences, verify
from vouched.settings import Secrets, Settings, SourceSettings
from vouched.testing.emulator import Emulator

from host.tests.services.support import EMAIL, KEY, LIB, QUICK, context_for, serving, settings_for

pytestmark = pytest.mark.anyio
OWNER = Owner(client="test", session_id="s")


async def test_bodies_are_kept_once_and_checked(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "archive")
    body = b"words " * 10_000
    await archive.keep(digest(body), body)
    await archive.keep(digest(body), body)
    [path] = [path for path in (tmp_path / "archive").rglob("*") if path.is_file()]
    assert path.stat().st_size < len(body) / 10
    assert await archive.body(digest(body)) == body
    assert await archive.body(digest(b"other")) is None
    assert await archive.body("../../etc/passwd") is None
    path.write_bytes(path.read_bytes()[:-9])
    assert await archive.body(digest(body)) is None
    # A whole file, of something else.
    path.write_bytes(gzip.compress(b"other words"))
    assert await archive.body(digest(body)) is None
    await archive.keep(digest(body), body)
    assert await archive.body(digest(body)) == body
    await archive.close()


async def test_the_archive_keeps_every_last_body_and_in_none_a_key(tmp_path: Path, emulator: Emulator) -> None:
    env = {"LIB_KEY": KEY, "NCBI_EMAIL": EMAIL}
    quiet = msgspec.structs.replace(LIB, key_param=None, key_header="x-key", contact={})
    async with serving(settings_for(tmp_path, emulator, env=env, archive=True), quiet) as service:
        context = context_for(service)
        await context.http("lib").get("x")
        with pytest.raises(Fault):
            await context.http("lib").get("missing")
        emulator.misbehave("lib", "body", body={"echo": KEY})
        echoed = await context.http("lib").get("y")
        kept = [await service.archive.body(exchange.content_sha256) for exchange in context.exchanges]
    assert None not in kept
    assert kept[2] == echoed.body
    assert KEY.encode() in echoed.body
    for path in (tmp_path / "archive").rglob("*.gz"):
        assert KEY.encode() not in gzip.decompress(path.read_bytes())


async def test_an_archive_that_cannot_be_written_costs_no_answer(tmp_path: Path, emulator: Emulator) -> None:
    (tmp_path / "archive").write_text("a file in the way")
    async with serving(settings_for(tmp_path, emulator, archive=True)) as service:
        context = context_for(service)
        assert (await context.http("lib").get("x", read=msgspec.json.decode))["path"] == "x"
    [warning] = context.warnings
    assert "cannot be verified" in warning
    assert str(tmp_path) not in warning


class Titles(Struct):
    """What the test's tool answers."""

    titles: list[str]
    checked_at: str = ""
    failed: list[str] = []


VERSION = {"suffix": ""}


@tool
async def titles(ctx: Context, query: str, pages: int = 2) -> Titles:
    """Titles that a library has."""
    found, failed = [], []
    for page in range(pages):
        try:
            value = await ctx.http("lib").get(
                "search", params={"q": query + "x" * 1000 * page, "page": page}, read=msgspec.json.decode
            )
            found.append(f"{value['method']} {value['path']}{VERSION['suffix']}")
        except Fault as fault:
            failed.append(fault.message)
    if not found:
        raise failing(failed)
    ctx.warn(f"{len(found)} pages were read at {ctx.exchanges[-1].retrieved_at}.")
    return Titles(found, ctx.exchanges[-1].retrieved_at, failed)


def failing(failed: list[str]) -> Fault:
    from vouched.api import UpstreamUnreachable

    return UpstreamUnreachable(failed[0])


@tool
async def count(ctx: Context) -> Titles:
    """One request."""
    await ctx.http("lib").get("missing", answers={404: None})
    return Titles([])


@tool
async def echo(ctx: Context) -> Titles:
    """One request, whose answer repeats it."""
    got = await ctx.http("lib").get("x", params={"q": "who"})
    return Titles([str(len(got.body))])


@tool
async def keep(ctx: Context, notice: str = "", asks: bool = True) -> Titles:
    """Keeps a file."""
    if asks:
        await ctx.http("lib").get("x")
    await ctx.keep("a.txt", "one", "text/plain", source_notice=notice, retrieved_at="2026-01-02" if notice else "")
    return Titles([])


class Plugin:
    """A plugin as an object."""

    @hookimpl
    def sources(self) -> list[Any]:
        return [LIB]

    @hookimpl
    def tools(self) -> list[Any]:
        return [titles, count, echo, keep]


def host(settings: Settings) -> Host:
    return Host(settings, entries=[], plugins={"books": Plugin()})


Make = Callable[..., Any]


@pytest.fixture
def archived(tmp_path: Path, emulator: Emulator) -> Make:
    @asynccontextmanager
    async def make(
        name: str = "books_titles", archive: bool = True, env: Mapping[str, str] | None = None, **arguments: Any
    ) -> AsyncIterator[tuple[Run, Settings]]:
        VERSION["suffix"] = ""
        limits = msgspec.structs.replace(QUICK, attempts=2)
        settings = settings_for(tmp_path / "data", emulator, limits=limits, archive=archive, env=env)
        async with host(settings) as live:
            result = await live.call(name, arguments, owner=OWNER)
            run = await live.store.run(OWNER, result.structured["provenance"]["run_id"])
        yield run, settings

    return make


async def check(run: Run, settings: Settings) -> Verdict:
    return await verify(run, settings, host)


async def test_an_archived_run_is_identical_and_nobody_is_asked(archived: Make, emulator: Emulator) -> None:
    async with archived(query="cells & more", pages=3) as (run, settings):
        assert len(run.sources) == 3
        # The last page was posted: its fields stand beside the URL.
        assert run.sources[2].form
        before = sorted(path.name for path in settings.data.rglob("*"))
        emulator.clear()
        verdict = await check(run, settings)
        assert (verdict.verdict, verdict.exit_code) == ("identical", 0), verdict.detail
        assert "3 bodies" in verdict.detail
        assert emulator.log() == []
        # Nothing was written into the user's data.
        assert sorted(path.name for path in settings.data.rglob("*")) == before


@pytest.mark.parametrize(
    ("arguments", "notice"),
    [({}, "From lib"), ({"notice": "The library of X"}, "The library of X"), ({"asks": False}, "")],
)
async def test_what_is_kept_says_where_it_comes_from_and_of_when_it_is(
    settings: Settings, arguments: dict[str, Any], notice: str
) -> None:
    async with host(settings) as live:
        result = await live.call("books_keep", arguments, owner=OWNER)
        [artifact] = (await live.store.artifacts(OWNER)).items
    at = [exchange["retrieved_at"] for exchange in result.structured["provenance"].get("sources", [])]
    assert artifact.source_notice == notice
    assert artifact.retrieved_at == ("2026-01-02" if "notice" in arguments else "".join(at))


async def test_a_run_that_the_cache_answered_is_identical_too(tmp_path: Path, emulator: Emulator) -> None:
    """Its bodies were kept when the run was made, wherever they came from."""
    ttl = {"lib": SourceSettings(url=emulator.url("lib"), ttl=60.0)}
    settings = settings_for(tmp_path / "data", emulator, sources=ttl)
    async with host(settings) as before:
        await before.call("books_titles", {"query": "q"}, owner=OWNER)
    emulator.clear()
    settings = msgspec.structs.replace(settings, archive=True)
    async with host(settings) as live:
        result = await live.call("books_titles", {"query": "q"}, owner=OWNER)
        run = await live.store.run(OWNER, result.structured["provenance"]["run_id"])
    assert [(exchange.from_cache, exchange.attempts) for exchange in run.sources] == [(True, 0)] * 2
    verdict = await check(run, settings)
    assert (verdict.verdict, emulator.log()) == ("identical", []), verdict.detail


async def test_failed_exchanges_are_replayed_as_what_they_were(archived: Make, emulator: Emulator) -> None:
    emulator.misbehave("lib", "reset", times=2, match={"page": "0"})
    emulator.misbehave("lib", "html", times=2, match={"page": "1"})
    async with archived(query="q", pages=3) as (run, settings):
        assert [exchange.fault for exchange in run.sources] == ["upstream_unreachable", "upstream_invalid", ""]
        assert (await check(run, settings)).verdict == "identical"


async def test_an_error_is_compared_too(archived: Make, emulator: Emulator) -> None:
    emulator.misbehave("lib", "status", status=503, times=None)
    async with archived(query="q") as (run, settings):
        assert run.status == "failed"
        assert (await check(run, settings)).verdict == "identical"


async def test_an_answer_that_is_nothing_is_replayed(archived: Make) -> None:
    async with archived("books_count") as (run, settings):
        assert (await check(run, settings)).verdict == "identical"


async def test_another_version_of_the_plugin_differs(archived: Make) -> None:
    async with archived(query="q") as (run, settings):
        VERSION["suffix"] = "!"
        verdict = await check(run, settings)
    assert (verdict.verdict, verdict.exit_code) == ("differs", 1)
    assert verdict.detail == 'data.titles[0] was "GET search", now "GET search!"'


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"status": "partial"}, 'status was "partial", now "ok"'),
        ({"data": {"titles": ["GET search"]}}, "data.titles had 1 elements, now 2"),
        ({"warnings": ["Another."]}, 'warnings[0] was "Another."'),
        ({"warnings": []}, "warnings had 0 elements, now 1"),
        ({"error": {"code": "internal", "message": "x", "retryable": False}}, "error was"),
        ({"restriction": {"reason": "closed"}}, "restriction was"),
        ({"outline": [{"path": "1", "chars": 5}]}, "outline was ["),
    ],
)
async def test_each_part_of_the_answer_is_compared(archived: Make, change: dict[str, Any], detail: str) -> None:
    """What is kept of the answer was altered, or the plugin says it another way now."""
    async with archived(query="q") as (run, settings):
        verdict = await check(msgspec.structs.replace(run, answer={**run.answer, **change}), settings)
    assert verdict.verdict == "differs"
    assert detail in verdict.detail


async def test_an_error_of_another_code_differs(archived: Make, emulator: Emulator) -> None:
    emulator.misbehave("lib", "status", status=503, times=None)
    async with archived(query="q") as (run, settings):
        error = {**run.answer["error"], "code": "not_found"}
        verdict = await check(msgspec.structs.replace(run, answer={**run.answer, "error": error}), settings)
    assert (verdict.verdict, verdict.detail) == (
        "differs",
        'error.code was "not_found", now "upstream_unreachable"',
    )


async def test_the_same_answer_from_fewer_exchanges_differs(archived: Make) -> None:
    """A record of exchanges that the answer does not need is not the record of this answer."""
    async with archived(query="q") as (run, settings):
        verdict = await check(msgspec.structs.replace(run, sources=[*run.sources, run.sources[0]]), settings)
    assert verdict == Verdict("differs", "The run had 3 exchanges, the replay used 2 of them.")


async def test_a_missing_or_damaged_body_cannot_be_verified(archived: Make) -> None:
    async with archived(query="q") as (run, settings):
        damaged = settings.data / "archive" / run.sources[1].content_sha256[:2]
        next(damaged.glob(run.sources[1].content_sha256 + ".gz")).write_bytes(b"damaged")
        verdict = await check(run, settings)
        assert (verdict.verdict, verdict.exit_code) == ("cannot verify", 2)
        assert "exchange 2 (lib) in the archive is damaged" in verdict.detail
        for path in damaged.iterdir():
            path.unlink()
        assert (await check(run, settings)).detail == "The body of exchange 2 (lib) is not in the archive."


def files(folder: Path) -> bytes:
    """All that stands in the files of a folder, unpacked where they are packed."""
    contents = [(path, path.read_bytes()) for path in folder.rglob("*") if path.is_file()]
    return b"\n".join(gzip.decompress(content) if path.suffix == ".gz" else content for path, content in contents)


async def test_p52_a_body_with_the_users_own_address_and_key_is_verified_and_stands_in_no_file(archived: Make) -> None:
    """The emulated service repeats what it was asked, as some real ones do; a user's own papers name the address."""
    env = {"LIB_KEY": KEY, "NCBI_EMAIL": EMAIL}
    async with archived("books_echo", env=env) as (run, settings):
        assert (await check(run, settings)).verdict == "identical"
        # An own folder of the same name, so that the store's own files are counted too.
        kept = files(settings.data)
        for secret in (KEY, EMAIL, "reader%40example.org"):
            assert secret.encode() not in kept
        elsewhere = msgspec.structs.replace(settings, email="other@example.org")
        verdict = await check(run, elsewhere)
        assert (verdict.verdict, verdict.exit_code) == ("cannot verify", 2)
        assert "The body of exchange 1 (lib) holds LIB_KEY and your e-mail address" in verdict.detail
        assert "damaged" not in verdict.detail
        assert EMAIL not in verdict.detail
        without = msgspec.structs.replace(settings, secrets=Secrets({}), email=EMAIL)
        assert "LIB_KEY" in (await check(run, without)).detail


async def test_what_cannot_be_verified_says_why(archived: Make, tmp_path: Path, emulator: Emulator) -> None:
    async with archived(query="q", archive=False) as (run, settings):
        assert "VOUCHED_ARCHIVE" in (await check(run, settings)).detail
    async with archived(query="q") as (run, settings):
        asked_more = msgspec.structs.replace(run, arguments={"query": "q", "pages": 3})
        verdict = await check(asked_more, settings)
        assert "asks for something that the run did not ask for" in verdict.detail
        assert "lib search (page, q)" in verdict.detail
        elsewhere = msgspec.structs.replace(settings, sources={})
        assert "VOUCHED_LIB_URL" in (await check(run, elsewhere)).detail
        gone = msgspec.structs.replace(run, tool="books_gone")
        assert "books_gone" in (await check(gone, settings)).detail
        for fault in ("deadline_exceeded", "upstream_invalid"):
            broken = Exchange("lib", emulator.url("lib") + "search", fault=fault)
            verdict = await check(msgspec.structs.replace(run, sources=[*run.sources, broken]), settings)
            assert verdict.verdict == "cannot verify"
            assert "exchange 3 (lib)" in verdict.detail
        foreign = Exchange("elsewhere", "https://x.example/y", content_sha256="0" * 64)
        assert "source" in (await check(msgspec.structs.replace(run, sources=[foreign]), settings)).detail


async def test_a_replay_that_uses_less_differs(archived: Make) -> None:
    async with archived(query="q") as (run, settings):
        fewer = msgspec.structs.replace(run, arguments={"query": "q", "pages": 1})
        verdict = await check(fewer, settings)
    assert verdict.verdict == "differs"


@pytest.mark.parametrize(
    ("kept", "now", "found"),
    [
        ({"a": 1, "b": [1, 2]}, {"b": [1, 2], "a": 1}, []),
        ({"a": None, "b": []}, {}, []),
        ({"a": 1}, {"a": 2}, ["a was 1, now 2"]),
        ({"a": 1}, {"a": True}, ["a was 1, now true"]),
        ({"a": [{"b": "x"}]}, {"a": [{"b": "y"}]}, ['a[0].b was "x", now "y"']),
        ({"a": [1]}, {"a": [1, 2]}, ["a had 1 elements, now 2"]),
        ({"retrieved_at": "x", "run_id": "a", "attempts": 1}, {"retrieved_at": "y", "run_id": "b", "attempts": 2}, []),
        ("at 2026-01-02T03:04:05.678Z, run:0123456789abcdef", "at 2027-02-03T04:05:06Z, run:fedcba9876543210", []),
        ("see vouched://artifact/s/a1 now", "see vouched://artifact/verify/b2 now", []),
        ("of 2026-01-02", "of 2026-01-03", [' was "of 2026-01-02", now "of 2026-01-03"']),
        ("", None, [' was "", now null']),
    ],
)
def test_differences(kept: Any, now: Any, found: list[str]) -> None:
    assert differences(kept, now) == found
