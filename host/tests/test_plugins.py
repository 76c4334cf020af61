"""Plugins are isolated: whatever one does wrong, the others work and the report says what it was."""

import importlib.metadata
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from vouched.faults import ProviderFailed
from vouched.host import Host
from vouched.settings import Settings

GOOD = """
    from vouched.api import Context, Struct, hookimpl, tool
    class Out(Struct):
        said: str
    @tool(aliases=("speak",))
    async def say(ctx: Context, text: str) -> Out:
        "Say it."
        return Out(text)
    @hookimpl
    def tools():
        return [say]
"""
BAD = {
    "broken": "import a_module_that_is_not_there",
    "misspelt": "from vouched.api import hookimpl\n@hookimpl\ndef toolz():\n    return []",
    "wrongargument": "from vouched.api import hookimpl\n@hookimpl\ndef tools(everything):\n    return []",
    "raising": "from vouched.api import hookimpl\n@hookimpl\ndef tools():\n    raise RuntimeError('no tools today')",
    "exiting": "raise SystemExit('leaving')",
    "wrapper": "from vouched.api import hookimpl\n@hookimpl(wrapper=True)\ndef tools():\n    return (yield)",
    "wrongkind": "from vouched.api import hookimpl\n@hookimpl\ndef tools():\n    return ['a string']",
    "slow": "import time\ntime.sleep(0.25)" + textwrap.dedent(GOOD),
    "printing": "print('ready')" + textwrap.dedent(GOOD),
}


class Distribution(importlib.metadata.Distribution):
    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    @property
    def version(self) -> str:
        return "1.0"

    def read_text(self, filename: str) -> str | None:
        return None

    def locate_file(self, path: Any) -> Any:
        return Path(str(path))


Entries = Callable[..., list[importlib.metadata.EntryPoint]]


@pytest.fixture
def entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Entries]:
    """Makes entry points of real modules on disk, imported as an installed plugin is."""
    monkeypatch.syspath_prepend(str(tmp_path))
    made: list[str] = []

    def make(*plugins: tuple[str, str] | tuple[str, str, str]) -> list[importlib.metadata.EntryPoint]:
        found = []
        for name, source, *dist in plugins:
            module = f"thirdparty_{name}_{len(made)}"
            (tmp_path / f"{module}.py").write_text(textwrap.dedent(source), "utf-8")
            made.append(module)
            entry = importlib.metadata.EntryPoint(name, module, "vouched")
            vars(entry)["dist"] = Distribution(dist[0] if dist else f"dist-{name}")
            found.append(entry)
        return found

    yield make
    for module in made:
        sys.modules.pop(module, None)


def test_six_bad_plugins_and_more_leave_the_good_one_working(
    entries: Entries, vouched_settings: Callable[..., Settings], capsys: pytest.CaptureFixture[str]
) -> None:
    found = entries(("good", GOOD), *BAD.items(), ("twice", GOOD, "dist-a"), ("twice", GOOD, "dist-b"))
    host = Host(vouched_settings(), entries=found)
    reports = {report.name: report for report in host.reports}
    assert "a_module_that_is_not_there" in reports["broken"].reason
    assert "toolz" in reports["misspelt"].reason
    assert "everything" in reports["wrongargument"].reason
    assert "no tools today" in reports["raising"].reason
    assert "leaving" in reports["exiting"].reason
    assert "wrapper" in reports["wrapper"].reason
    assert "hook tools gives str" in reports["wrongkind"].reason
    assert "dist-a and dist-b" in reports["twice"].reason
    assert "uninstall all but one" in reports["twice"].reason
    assert reports["slow"].warnings[0].startswith("slow import")
    assert reports["printing"].warnings[0] == "prints to stdout while it is imported"
    assert [name for name, report in reports.items() if report.status == "loaded"] == [
        "good",
        "slow",
        "printing",
        "vouched",
    ]
    assert {"good_say", "slow_say", "printing_say"} <= set(host.registry.tools)
    assert capsys.readouterr().out == ""


PLACED = {
    "nameless": ("from vouched.api import hookimpl\nx = nowhere", "NameError: name 'nowhere' is not defined", 2),
    "garbled": ("x = = 1", "SyntaxError", 1),
    "deep": ("import re\n\nre.compile('(')", "error: missing )", 3),
    "interrupting": ("\nraise KeyboardInterrupt", "KeyboardInterrupt", 2),
    "closing": ("\nraise GeneratorExit", "GeneratorExit", 2),
    "hooked": ("from vouched.api import hookimpl\n@hookimpl\ndef tools():\n    return ['x']", "tools gives str", 2),
    "hookraising": ("from vouched.api import hookimpl\n@hookimpl\ndef tools():\n    return 1 / 0", "ZeroDivision", 4),
    "hookinterrupting": (
        "from vouched.api import hookimpl\n@hookimpl\ndef tools():\n    raise KeyboardInterrupt", "KeyboardInterrupt", 4
    ),
    "aliased": (
        "from vouched.api import *\n\n@tool(aliases='speak')\nasync def say(ctx) -> str: 'Say.'", "write ('speak',)", 3
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PLACED)
def test_a_report_says_the_line_of_the_plugins_own_code(
    name: str, entries: Entries, vouched_settings: Callable[..., Settings]
) -> None:
    source, said, line = PLACED[name]
    (entry, good) = entries((name, source), ("good", GOOD))
    host = Host(vouched_settings(), entries=[entry, good])
    assert said in host.reports[0].reason
    assert f"{entry.module}.py:{line})" in host.reports[0].reason
    assert "good_say" in host.registry.tools


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_while_plugins_load_ends_the_process(
    entries: Entries, vouched_settings: Callable[..., Settings]
) -> None:
    pressed = "import signal\nsignal.raise_signal(signal.SIGINT)\nfor _ in range(9): pass"
    with pytest.raises(KeyboardInterrupt):
        Host(vouched_settings(), entries=entries(("pressed", pressed)))


def test_what_a_plugin_says_of_its_end_carries_no_characters_that_act(
    entries: Entries, vouched_settings: Callable[..., Settings]
) -> None:
    host = Host(vouched_settings(), entries=entries(("red", "raise ValueError('\\x1b[31mred\\u202e\\n\\nlines')")))
    assert host.reports[0].reason.startswith("ValueError: [31mred lines (")


def test_a_switched_off_plugin_is_never_imported(entries: Entries, vouched_settings: Callable[..., Settings]) -> None:
    found = entries(("good", GOOD), ("other", GOOD))
    host = Host(vouched_settings(without=("other",)), entries=found)
    assert found[1].module not in sys.modules
    assert {report.name: report.status for report in host.reports}["other"] == "disabled"
    host = Host(vouched_settings(plugins=("other",)), entries=found)
    assert "good_say" not in host.registry.tools


def test_strict_stops_the_start_and_names_the_plugin(
    entries: Entries, vouched_settings: Callable[..., Settings]
) -> None:
    with pytest.raises(ProviderFailed, match="broken"):
        Host(vouched_settings(strict=True), entries=entries(("broken", BAD["broken"])))


SOURCE = """
    from vouched.api import Source, hookimpl
    @hookimpl
    def sources():
        return [Source("doaj", "https://doaj.org/api/", rate={rate})]
"""


def test_one_source_declared_differently_refuses_both(
    entries: Entries, vouched_settings: Callable[..., Settings]
) -> None:
    host = Host(
        vouched_settings(), entries=entries(("a", SOURCE.format(rate=1)), ("b", SOURCE.format(rate=2)), ("c", GOOD))
    )
    assert {r.name: r.status for r in host.reports} == {
        "a": "failed",
        "b": "failed",
        "c": "loaded",
        "vouched": "loaded",
    }
    for report in host.reports[:2]:
        # Who it is, and both ways out.
        for said in (
            "a (of dist-a) and b (of dist-b)",
            "'doaj'",
            "VOUCHED_WITHOUT=a",
            "VOUCHED_WITHOUT=b",
            "uninstall",
        ):
            assert said in report.reason
    assert host.registry.sources == {}


def test_one_source_declared_equally_is_shared(entries: Entries, vouched_settings: Callable[..., Settings]) -> None:
    host = Host(vouched_settings(), entries=entries(("a", SOURCE.format(rate=1)), ("b", SOURCE.format(rate=1))))
    assert set(host.registry.sources) == {"doaj"}
    assert host.registry.askers["doaj"] == {"a", "b"}


def test_an_alias_claimed_twice_is_dropped_and_reported(
    entries: Entries, vouched_settings: Callable[..., Settings]
) -> None:
    host = Host(vouched_settings(), entries=entries(("a", GOOD), ("b", GOOD)))
    assert host.registry.tool("speak") is None
    assert any("claimed by a_say, b_say" in warning for report in host.reports for warning in report.warnings)


@pytest.mark.parametrize("name", ["Upper", "with_underscore", "1st", "vouched"])
def test_p92_names_that_break_clients_are_refused_at_load(
    name: str, entries: Entries, vouched_settings: Callable[..., Settings]
) -> None:
    host = Host(vouched_settings(), entries=[*entries(("x", GOOD))])
    entry = entries(("y", GOOD))[0]
    renamed = importlib.metadata.EntryPoint(name, entry.value, "vouched")
    vars(renamed)["dist"] = Distribution("d")
    host = Host(vouched_settings(), entries=[renamed])
    assert next(report for report in host.reports if report.distribution == "d").status == "refused"


def test_p92_a_tool_name_beyond_40_characters_is_refused_at_load(
    entries: Entries, vouched_settings: Callable[..., Settings]
) -> None:
    host = Host(
        vouched_settings(),
        entries=entries(("good", GOOD.replace("def say", "def " + "s" * 40).replace("[say]", "[" + "s" * 40 + "]"))),
    )
    assert host.reports[0].status == "failed"
    assert "40" in host.reports[0].reason


@pytest.mark.anyio
async def test_tools_of_a_third_party_plugin_answer(
    entries: Entries, vouched_settings: Callable[..., Settings]
) -> None:
    async with Host(vouched_settings(), entries=entries(("good", GOOD))) as host:
        for name in ("good_say", "speak"):
            result = await host.call(name, {"text": "hello"})
            assert result.structured["data"] == {"said": "hello"}
            assert "hello" in result.text
            assert result.structured["provenance"]["versions"]["dist-good"] == "1.0"


PROVIDER = """
    from vouched.api import hookimpl
    @hookimpl
    def provide_session(settings):
        raise RuntimeError("no database")
"""


@pytest.mark.anyio
async def test_a_provider_that_raises_fails_the_calls_that_need_it_by_name(
    entries: Entries, vouched_settings: Callable[..., Settings]
) -> None:
    async with Host(vouched_settings(), entries=entries(("good", GOOD), ("store", PROVIDER))) as host:
        result = await host.call("good_say", {"text": "hello"})
    assert result.structured["error"]["code"] == "provider_failed"
    assert "store" in result.structured["error"]["message"]
