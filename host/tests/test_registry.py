"""What plugins contribute is checked at load: what would break calls later leaves its plugin out."""

import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from vouched.api import (
    Check,
    Content,
    Context,
    Cursor,
    Meta,
    Prompt,
    Resource,
    Scheme,
    Source,
    Struct,
    Style,
    Tool,
    tool,
)
from vouched.host import Host
from vouched.settings import Settings

from host.tests.made import Records, Said, plugin

MakeHost = Callable[..., Host]


@tool(aliases=("speak", "good_say"))
async def say(ctx: Context) -> Said:
    """Say it."""
    return Said("x")


class Tree(Struct):
    inside: "list[Tree]"


@tool
async def recursive(ctx: Context) -> Tree:
    """Answer a tree."""
    return Tree([])


@tool
async def united(ctx: Context, value: int | str) -> Said:
    """Take a union."""
    return Said("x")


@tool
async def undocumented(ctx: Context) -> Said:
    return Said("x")


async def read(ctx: Context, **_: str) -> Content:
    return Content("x")


def source(**changes: Any) -> Source:
    return Source(**{"name": "lib", "base_url": "https://lib.example.org/", "rate": 1.0, **changes})


async def asynchronous() -> list[Any]:
    return []


def made(**options: Any) -> Callable[[Any], Any]:
    """A tool of a function; the decorator's own refusals aside."""

    def make(function: Any) -> Any:
        function.__doc__ = "Say it."
        return tool(name="made", **options)(function)

    return make


# Types that have no plain schema, and declarations that would fail only when called.
async def bounded(ctx: Context, n: Annotated[int, Meta(min_length=3)]) -> Said: ...
async def anything(ctx: Context, n: object) -> Said: ...
async def called_back(ctx: Context, n: Callable[[], int]) -> Said: ...
async def path_given(ctx: Context) -> Path: ...
async def path_inside(ctx: Context) -> dict[str, list[Path]]: ...
async def combined(ctx: Context, n: Annotated[int, Meta(extra_json_schema={"oneOf": []})]) -> Said: ...
async def unknown_name(ctx: Context, n: "Nowhere") -> Said: ...  # type: ignore[name-defined]  # noqa: F821
async def no_context() -> Said: ...
async def other_context(query: str, n: int) -> Said: ...
async def method(self, ctx: Context) -> Said: ...  # type: ignore[no-untyped-def]
async def positional(ctx: Context, n: int, /) -> Said: ...
async def starred(ctx: Context, *n: int) -> Said: ...
async def keywords(ctx: Context, **n: int) -> Said: ...
async def untyped(ctx: Context, n=1) -> Said: ...  # type: ignore[no-untyped-def]
async def no_answer(ctx: Context): ...  # type: ignore[no-untyped-def]
async def bad_default(ctx: Context, n: int = "x") -> Said: ...  # type: ignore[assignment]
async def none_default(ctx: Context, n: int = None) -> Said: ...  # type: ignore[assignment]  # noqa: RUF013
async def out_of_bounds(ctx: Context, n: Annotated[int, Meta(ge=1)] = 0) -> Said: ...
async def own_cursor(ctx: Context, cursor: str = "") -> Said: ...
async def misnamed_cursor(ctx: Context, page: Cursor = None) -> Said: ...
async def own_format(ctx: Context, output_format: str = "x") -> Said: ...
async def other_formats(ctx: Context, output_format: Literal["csv"] = "csv") -> Said: ...
async def one(ctx: Context, n: int = 1) -> Said: ...


UNPUBLISHABLE: dict[str, tuple[Any, str]] = {
    "bound of another type": (made()(bounded), "parameter 'n' of tool 'made' cannot be published"),
    "any object": (made()(anything), "parameter 'n' of tool 'made' cannot be published"),
    "function": (made()(called_back), "parameter 'n' of tool 'made' cannot be published"),
    "path": (made()(path_given), "the answer of tool 'made' cannot be published"),
    "path inside": (made()(path_inside), "the answer of tool 'made' cannot be published"),
    "combinators of one's own": (made()(combined), "oneOf"),
    "unknown annotation": (made()(unknown_name), "annotations of tool 'made' cannot be read: NameError"),
    "no context": (made()(no_context), "the first parameter of tool 'made' must be its context"),
    "first parameter is no context": (made()(other_context), "is 'query', which must be its Context"),
    "method": (made()(method), "'made' is a method"),
    "positional-only": (made()(positional), "'n' of tool 'made' is positional-only"),
    "*args": (made()(starred), "tool 'made' takes *n"),
    "**kwargs": (made()(keywords), "tool 'made' takes **n"),
    "no annotation": (made()(untyped), "'n' of tool 'made' has no annotation"),
    "no answer": (made()(no_answer), "'made' says not what it returns"),
    "default of another type": (made()(bad_default), "parameter 'n' of tool 'made' has the default 'x'"),
    "default None": (made()(none_default), "has the default None"),
    "default out of bounds": (made()(out_of_bounds), "has the default 0"),
    "cursor that is none": (made()(own_cursor), "parameter 'cursor' of tool 'made'"),
    "cursor by another name": (made()(misnamed_cursor), "parameter 'page' of tool 'made'"),
    "output_format of any text": (made()(own_format), "Literal['markdown', 'json', 'toon']"),
    "output_format of other words": (made()(other_formats), "Literal['markdown', 'json', 'toon']"),
    "title": (made(title=5)(one), "title of tool 'made' is int"),
    "serves": (made(serves=None)(one), "serves of tool 'made' is NoneType"),
    "deadline 0": (made(deadline=0)(one), "deadline of tool 'made' is 0"),
    "deadline in words": (made(deadline="10")(one), "deadline of tool 'made' is str"),
    "deadline nan": (made(deadline=float("nan"))(one), "deadline of tool 'made' is nan"),
    "journal": (made(journal="never")(one), "journal of tool 'made' is 'never'"),
    "alias": (made(aliases=(5,))(one), "aliases of tool 'made'"),
    "synonym of nothing": (made(synonyms={"k": "nothing"})(one), "synonyms for nothing"),
    "no coroutine": (Tool("made", "Say it.", lambda ctx: None), "function of tool 'made' is not async"),  # type: ignore[arg-type,return-value]
}
PLAN = ("plan", "Plan.")
STYLE: dict[str, Any] = {
    "name": "apa",
    "media_type": "text/plain",
    "suffix": ".txt",
    "render": lambda article, markup: "",
}
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "recursive answer": ({"tools": [recursive]}, "recursive"),
    "union argument": ({"tools": [united]}, "union"),
    "no description": ({"tools": [undocumented]}, "docstring"),
    "a tool twice": ({"tools": [say, say]}, "twice"),
    "not a tool": ({"tools": [len]}, "hook tools gives builtin_function_or_method where Tool is wanted"),
    "not a list": ({"tools": lambda: 7}, "int"),
    "async hook": ({"tools": asynchronous}, "hook tools is async"),
    "source name": ({"sources": [source(name="a-b")]}, "a-b"),
    "base url without slash": ({"sources": [source(base_url="https://lib.example.org")]}, "slash"),
    "base url of another kind": ({"sources": [source(base_url="ftp://lib.example.org/")]}, "http"),
    "no rate": ({"sources": [source(rate=0)]}, "rate above 0"),
    "nothing in flight": ({"sources": [source(in_flight=0)]}, "in_flight"),
    "rank is no number": ({"resolvers": [Records({}, rank="first")]}, "rank"),  # type: ignore[arg-type]
    "pattern": ({"resolvers": [Records({}, schemes=[Scheme("x", "(", str)])]}, "unterminated"),
    "pattern without group": ({"resolvers": [Records({}, schemes=[Scheme("x", "x", str)])]}, "no group"),
    "built-in scheme": ({"resolvers": [Records({}, schemes=[Scheme("pmid", "(x)", str)])]}, "the host has it"),
    "template": ({"resources": [Resource("no address", "x", read)]}, "no template"),
    "open brace": ({"resources": [Resource("vouched://x/{a", "x", read)]}, "no template"),
    "rate in words": ({"sources": [source(rate="3")]}, "rate of source 'lib': Expected `float`, got `str`"),
    "rate without end": ({"sources": [source(rate=float("inf"))]}, "rate of source 'lib'"),
    "no keyed rate": ({"sources": [source(keyed_rate=0)]}, "keyed_rate of source 'lib'"),
    "contact": ({"sources": [source(contact={"mail": "me"})]}, "contact of source 'lib'"),
    "a source twice": ({"sources": [source(), source()]}, "twice"),
    "schemes in one text": ({"resolvers": [Records({}, schemes="pmid")]}, "schemes of Records are 'pmid'"),
    "style without render": ({"styles": [Style(**{**STYLE, "render": None})]}, "render of style 'apa' is NoneType"),
    "render of one argument": ({"styles": [Style(**{**STYLE, "render": str.lower})]}, "render of style 'apa'"),
    "style name": ({"styles": [Style(**{**STYLE, "name": 5})]}, "name of style 5"),
    "a style twice": ({"styles": [Style(**STYLE), Style(**STYLE)]}, "style 'apa' is contributed twice"),
    "prompt without render": ({"prompts": [Prompt(*PLAN, "x")]}, "render of prompt 'plan' is str"),  # type: ignore[arg-type]
    "prompt's description": ({"prompts": [Prompt("plan", None, list)]}, "description of prompt 'plan'"),  # type: ignore[arg-type]
    "prompt's arguments": ({"prompts": [Prompt(*PLAN, list, ["goal"])]}, "str among its arguments"),  # type: ignore[arg-type,list-item]
    "a prompt twice": ({"prompts": [Prompt(*PLAN, list), Prompt(*PLAN, list)]}, "prompt 'plan' is contributed twice"),  # type: ignore[arg-type]
    "resource without read": ({"resources": [Resource("vouched://x/{a}", "x", "y")]}, "read of resource"),  # type: ignore[arg-type]
    "read of other variables": (
        {"resources": [Resource("vouched://x/{a}", "x", asynchronous)]},
        "does not take (ctx, a)",
    ),
    "resource's name": ({"resources": [Resource("vouched://x/{a}", 5, read)]}, "name of resource"),  # type: ignore[arg-type]
    "the host's status": ({"resources": [Resource("vouched://status", "x", read)]}, "an address of the host"),
    "an address of the host": ({"resources": [Resource("vouched://run/{id}", "x", read)]}, "an address of the host"),
    "addresses of the host": ({"resources": [Resource("vouched://{kind}/{id}", "x", read)]}, "an address of the host"),
    "check without run": ({"checks": [Check("a", None)]}, "run of check 'a' is NoneType"),  # type: ignore[arg-type]
    "check of other arguments": ({"checks": [Check("a", asynchronous)]}, "run of check 'a' does not take (ctx)"),  # type: ignore[arg-type]
    **{name: ({"tools": [bad]}, said) for name, (bad, said) in UNPUBLISHABLE.items()},
    "variable twice": ({"resources": [Resource("vouched://x/{a}/{a}", "x", read)]}, "twice"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_contribution_leaves_its_plugin_out_and_says_why(name: str, vouched_host: MakeHost) -> None:
    hooks, said = BAD[name]
    host = vouched_host({"bad": plugin(**hooks), "good": plugin(tools=[say])})
    reports = {report.name: report for report in host.reports}
    assert reports["bad"].status == "failed"
    assert said in reports["bad"].reason
    assert {bound.name for bound in host.registry.listed(host.settings) if bound.input_schema and bound.output_schema}
    assert set(host.registry.tools) == {"good_say", "vouched_read_session"}
    assert host.registry.sources == {}


def test_ranked_contributions_are_sorted_whoever_brings_them(vouched_host: MakeHost) -> None:
    late, early = Records({}, rank=50), Records({}, rank=10)
    host = vouched_host({"a": plugin(resolvers=[late]), "b": plugin(resolvers=[early])})
    assert host.registry.resolvers == [early, late]


def test_a_real_name_beats_an_alias(vouched_host: MakeHost) -> None:
    host = vouched_host({"good": plugin(tools=[say]), "other": plugin(tools=[say])})
    bound = host.registry.tool("good_say")
    assert bound
    assert bound.plugin.name == "good"


def named(text: str) -> dict[str, Any]:
    return {
        "styles": [Style("apa", "text/plain", ".txt", lambda article, markup: text)],
        "prompts": [Prompt("plan", "Plan.", lambda values: [])],
        "resources": [Resource("vouched://x/{a}", "x", read, text)],
    }


def test_a_name_that_two_plugins_claim_differently_belongs_to_neither(vouched_host: MakeHost) -> None:
    """No plugin stands in for another without a word, whatever their order."""
    host = vouched_host({"a": plugin(**named("one")), "b": plugin(**named("two")), "c": plugin(tools=[say])})
    assert (host.styles, host.registry.prompts) == ({}, {})
    assert [r.uri_template for _, r in host.registry.resources if "vouched://x" in r.uri_template] == []
    for report in host.reports[:2]:
        assert report.status == "loaded"
        assert [clash.split(": dropped")[0] for clash in sorted(report.clashes)] == [
            "prompt 'plan' is claimed by a (of vouched) and b (of vouched)",
            "resource 'vouched://x/{a}' is claimed by a (of vouched) and b (of vouched)",
            "style 'apa' is claimed by a (of vouched) and b (of vouched)",
        ]


def test_what_two_plugins_declare_equally_is_there_once(vouched_host: MakeHost) -> None:
    hooks = named("one")
    host = vouched_host({"a": plugin(**hooks), "b": plugin(**hooks)})
    assert set(host.styles) == {"apa"}
    assert len([r for _, r in host.registry.resources if r is hooks["resources"][0]]) == 1
    assert [report.clashes for report in host.reports] == [[], [], []]


def test_a_plugin_without_hooks_is_told_so(vouched_host: MakeHost) -> None:
    host = vouched_host({"empty": plugin(), "good": plugin(tools=[say])})
    assert "has no hooks" in host.reports[0].warnings[0]
    assert host.reports[1].warnings == []


# A submodule named like a hook


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., EntryPoint]]:
    """Makes a package on disk and its entry point."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)

    def make(**files: str) -> EntryPoint:
        folder = tmp_path / "thirdparty_hidden"
        for name, content in files.items():
            path = folder / f"{name.replace('__slash__', '/')}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, "utf-8")
        return EntryPoint("hidden", "thirdparty_hidden", "vouched")

    yield make
    for name in set(sys.modules) - before:
        if name.startswith("thirdparty_hidden"):
            del sys.modules[name]


TOOL = """
from vouched.api import Context, Struct, tool
class Out(Struct):
    said: str
@tool
async def say(ctx: Context) -> Out:
    "Say it."
    return Out("x")
ALL = [say]
"""
LAZY = """
from vouched.api import hookimpl
@hookimpl
def tools():
    from thirdparty_hidden.tools import ALL
    return ALL
"""
EAGER = """
from vouched.api import hookimpl
from thirdparty_hidden.tools import ALL
@hookimpl
def tools():
    return ALL
"""


@pytest.mark.parametrize("place", ["tools", "tools__slash____init__", "provide_session"])
def test_a_submodule_that_would_hide_a_hook_is_refused_by_its_file(
    place: str, package: Callable[..., EntryPoint], vouched_settings: Callable[..., Settings]
) -> None:
    """In the second host of a process the hook would be gone without a word."""
    entry = package(__init__=LAZY.replace("hidden.tools", "hidden.kept"), kept=TOOL, **{place: TOOL})
    for _ in range(2):
        host = Host(vouched_settings(), entries=[entry])
        report = host.reports[0]
        assert report.status == "failed"
        assert f"thirdparty_hidden/{place.replace('__slash__', '/')}.py hides the hook" in report.reason
        assert "rename" in report.reason


def test_a_submodule_imported_before_the_hook_got_its_name_does_no_harm(
    package: Callable[..., EntryPoint], vouched_settings: Callable[..., Settings]
) -> None:
    entry = package(__init__=EAGER, tools=TOOL)
    for _ in range(2):
        host = Host(vouched_settings(), entries=[entry])
        assert "hidden_say" in host.registry.tools


def test_the_plugins_that_ship_keep_their_hooks_in_every_host_of_a_process(vouched_host: MakeHost) -> None:
    first, second = vouched_host(installed=True), vouched_host(installed=True)
    assert {report.name: report.hooks for report in first.reports} == {
        report.name: report.hooks for report in second.reports
    }
    assert all(report.status == "loaded" for report in second.reports)


# The second line of defence


def test_a_tool_whose_schema_cannot_be_made_after_all_is_left_out_of_the_list(
    vouched_host: MakeHost, caplog: pytest.LogCaptureFixture
) -> None:
    @tool
    async def late(ctx: Context, n: int = 1) -> Said:
        """Change its mind."""
        return Said("x")

    host = vouched_host({"bad": plugin(tools=[late]), "good": plugin(tools=[say])})
    late.function.__annotations__["n"] = object
    for _ in range(2):
        assert [b.name for b in host.registry.published(host.settings)] == ["good_say", "vouched_read_session"]
    assert len(host.reports[0].clashes) == 1
    assert "bad_late" in host.reports[0].clashes[0]
    assert "bad_late" in caplog.text


def test_texts_of_plugins_carry_no_characters_that_act_or_hide(vouched_host: MakeHost) -> None:
    @tool(title="A\x1b[31m title")
    async def coloured(ctx: Context, n: Annotated[int, Meta(description="red\x1b[31m \u202e")] = 1) -> Said:
        """Say \x1b[31mit\u202e."""
        return Said("x")

    host = vouched_host({"bad": plugin(tools=[coloured])})
    bound = host.registry.tools["bad_coloured"]
    assert (bound.title, bound.description) == ("A[31m title", "Say [31mit.")
    assert bound.input_schema["properties"]["n"]["description"] == "red[31m "
