"""What plugins contribute is checked at load: what would break calls later leaves its plugin out."""

import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from vouched.api import Content, Context, Prompt, Resource, Scheme, Source, Struct, Style, tool
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
    "variable twice": ({"resources": [Resource("vouched://x/{a}/{a}", "x", read)]}, "twice"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_contribution_leaves_its_plugin_out_and_says_why(name: str, vouched_host: MakeHost) -> None:
    hooks, said = BAD[name]
    host = vouched_host({"bad": plugin(**hooks), "good": plugin(tools=[say])})
    reports = {report.name: report for report in host.reports}
    assert reports["bad"].status == "failed"
    assert said in reports["bad"].reason
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


def test_the_second_of_one_name_is_left_out_and_said(vouched_host: MakeHost) -> None:
    style = Style("apa", "text/plain", ".txt", lambda article, markup: "x")
    prompt = Prompt("plan", "Plan.", lambda values: [])
    resource = Resource("vouched://x/{a}", "x", read)
    hooks: dict[str, Any] = {"styles": [style], "prompts": [prompt], "resources": [resource]}
    host = vouched_host({"a": plugin(**hooks), "b": plugin(**hooks)})
    reports = {report.name: report for report in host.reports}
    assert reports["a"].warnings == []
    assert [warning.split(" is there already")[0] for warning in sorted(reports["b"].warnings)] == [
        "prompt 'plan'", "resource 'vouched://x/{a}'", "style 'apa'",
    ]  # fmt: skip
    assert len([r for _, r in host.registry.resources if r is resource]) == 1


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
