"""Resources, prompts, completion and instructions: found by address, in time, their defects told and logged."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from vouched import faces
from vouched.api import (
    Argument,
    Content,
    Context,
    DeadlineExceeded,
    InternalFault,
    InvalidArgument,
    Message,
    NotFound,
    Prompt,
    Resource,
    tool,
)
from vouched.host import Host
from vouched.journal import Owner
from vouched.settings import Limits, Secrets

from host.tests.made import Said, plugin

pytestmark = pytest.mark.anyio
MakeHost = Callable[..., Host]
ME = Owner(client="test", session_id="mine")


WRONG: dict[str, Any] = {
    "none": None, "words": "words", "number": Content(5), "type": Content("x", None), "data": Content(data="x"),
}  # fmt: skip


async def read(ctx: Context, name: str) -> Content:
    if name == "hang":
        await asyncio.sleep(3600)
    if name == "defect":
        raise ZeroDivisionError("secret internals")
    if name == "gone":
        raise NotFound("There is none.")
    if name in WRONG:
        return WRONG[name]  # type: ignore[no-any-return]
    if name == "interrupt":
        raise KeyboardInterrupt
    if name == "closed":
        raise GeneratorExit
    if name == "controls":
        return Content("a\x1b[31mb\u202e")
    return Content(f"{ctx.plugin}: {name} SECRET123", "text/plain")


async def complete(ctx: Context, variable: str, prefix: str) -> Sequence[str]:
    if prefix == "defect":
        raise ZeroDivisionError
    if prefix == "none":
        return None  # type: ignore[return-value]
    if prefix == "numbers":
        return [1, 2]  # type: ignore[list-item]
    return [word for word in ("alpha", "beta") if word.startswith(prefix)]


MESSAGES: dict[str, Any] = {
    "none": None, "words": "words", "list of words": ["words"], "number": [Message("user", 5)],  # type: ignore[arg-type]
    "role": [Message("system", "x")],  # type: ignore[arg-type]
}  # fmt: skip


def render(values: Mapping[str, str]) -> Sequence[Message]:
    if values["goal"] in MESSAGES:
        return MESSAGES[values["goal"]]  # type: ignore[no-any-return]
    if values["goal"] == "exit":
        raise SystemExit
    if values["goal"] == "closed":
        raise GeneratorExit
    return [Message("user", f"Plan {values['goal']} by {1 / int(values.get('days', '1'))}")]


PLAN = Prompt(
    "plan", "Plan something.", render, [Argument("goal", "what for", True), Argument("days")], complete=complete
)
THING = Resource("vouched://made/{name}", "Thing", read, complete=complete)


@pytest.fixture
def host(vouched_host: MakeHost) -> Host:
    made = plugin(resources=[THING], prompts=[PLAN])
    return vouched_host({"made": made}, limits=Limits(deadline=0.2), secrets=Secrets({"NCBI_API_KEY": "SECRET123"}))


async def test_a_resource_is_read_by_its_template_without_secrets(host: Host) -> None:
    content = await faces.read_resource(host, "vouched://made/thing", ME)
    assert (content.text, content.media_type) == ("made: thing REDACTED", "text/plain")


@pytest.mark.parametrize("uri", ["vouched://made/", "vouched://made/a/b", "vouched://made/a?b", "other://made/a", ""])
async def test_an_address_that_no_template_matches_names_those_there_are(host: Host, uri: str) -> None:
    with pytest.raises(NotFound) as caught:
        await faces.read_resource(host, uri, ME)
    assert "vouched://made/{name}" in caught.value.hint


async def test_what_goes_wrong_in_a_resource_is_told_by_its_kind(host: Host, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(NotFound, match="none"):
        await faces.read_resource(host, "vouched://made/gone", ME)
    with pytest.raises(DeadlineExceeded):
        await faces.read_resource(host, "vouched://made/hang", ME)
    with pytest.raises(InternalFault, match="ZeroDivisionError") as caught:
        await faces.read_resource(host, "vouched://made/defect", ME)
    assert "secret internals" not in caught.value.message
    assert "secret internals" in caplog.text


@pytest.mark.parametrize("name", [*WRONG, "closed"])
async def test_what_a_resource_must_not_give_is_its_defect(name: str, host: Host) -> None:
    with pytest.raises(InternalFault, match="vouched://made"):
        await faces.read_resource(host, f"vouched://made/{name}", ME)


def test_an_interrupt_that_a_resource_raises_is_its_defect(host: Host) -> None:
    with pytest.raises(InternalFault, match="KeyboardInterrupt"):
        asyncio.run(faces.read_resource(host, "vouched://made/interrupt", ME))


async def test_texts_of_resources_carry_no_characters_that_act(host: Host) -> None:
    assert (await faces.read_resource(host, "vouched://made/controls", ME)).text == "a[31mb"


async def test_the_status_names_plugins_sources_and_what_failed(host: Host, vouched_host: MakeHost) -> None:
    async with vouched_host({"broken": plugin(tools=["a string"])}) as broken:
        status: dict[str, Any] = json.loads((await faces.read_resource(broken, "vouched://status", ME)).text)
    (report, own) = status["plugins"]
    assert (report["name"], report["status"], own["name"]) == ("broken", "failed", "vouched")
    assert "hook tools" in report["reason"]
    assert {"sources", "offline", "pace", "cache"} <= set(status["http"])


def test_a_prompt_takes_its_arguments(host: Host) -> None:
    assert faces.prompt(host, "plan", {"goal": "a review", "days": " "}) == [Message("user", "Plan a review by 1.0")]


@pytest.mark.parametrize(
    ("name", "values", "error", "said"),
    [
        ("nothing", {}, NotFound, "plan"),
        ("plan", {}, InvalidArgument, "goal"),
        ("plan", {"goal": " "}, InvalidArgument, "goal"),
        ("plan", {"goal": "x", "other": "y"}, InvalidArgument, "other"),
        ("plan", {"goal": "x", "days": "0"}, InternalFault, "ZeroDivisionError"),
        ("plan", {"goal": "exit"}, InternalFault, "SystemExit"),
        ("plan", {"goal": "closed"}, InternalFault, "GeneratorExit"),
        *(("plan", {"goal": goal}, InternalFault, "The prompt plan") for goal in MESSAGES),
    ],
)
def test_a_prompt_that_cannot_be_made_says_why(
    host: Host, name: str, values: dict[str, str], error: type[Exception], said: str
) -> None:
    with pytest.raises(error) as caught:
        faces.prompt(host, name, values)
    assert said in f"{caught.value} {getattr(caught.value, 'hint', '')}"


async def test_completion_asks_the_template_or_the_prompt(host: Host) -> None:
    for kind, name in (("resource", "vouched://made/{name}"), ("prompt", "plan")):
        assert await faces.complete(host, kind, name, "name", "a", ME) == ["alpha"]
        assert await faces.complete(host, kind, "nothing", "name", "a", ME) == []
    with pytest.raises(InternalFault):
        await faces.complete(host, "prompt", "plan", "goal", "defect", ME)
    for prefix in ("none", "numbers"):
        with pytest.raises(InternalFault, match="The completion of goal"):
            await faces.complete(host, "prompt", "plan", "goal", prefix, ME)


def test_instructions_stay_small_however_many_tools_there_are(vouched_host: MakeHost) -> None:
    def make(number: int) -> Any:
        @tool(name=f"tool_{number}", serves="a need in three words")
        async def made(ctx: Context) -> Said:
            """Say it."""
            return Said("x")

        return made

    plugins = {f"plugin{letter}": plugin(tools=[make(n) for n in range(20)]) for letter in "abcdefgh"}
    plugins["small"] = plugin(tools=[make(1)])
    few = faces.instructions(vouched_host({"one": plugin(tools=[make(1)])}))
    many = faces.instructions(vouched_host(plugins))
    crowd = faces.instructions(vouched_host({f"p{n}x": plugin(tools=[make(1)]) for n in range(100)}))
    assert "one_ tool_1: a need in three words." in few
    # Every plugin is named, and the short lines keep their words longest.
    assert all(f"{name}_ " in many for name in plugins)
    assert "small_ tool_1: a need in three words." in many
    assert "plugina_ 20 tools." in many
    for text in (few, many, crowd):
        assert faces.RULES in text
        assert len(text.encode()) < faces.INSTRUCTIONS_BYTES
