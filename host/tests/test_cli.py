"""The command line: what each command prints, and how it ends (0 done, 1 failed or broken, 2 wrong usage)."""

import asyncio
import io
import json
import os
import shlex
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from vouched import cli
from vouched.host import Host
from vouched.testing.emulator import Emulator, start
from vouched.testing.exchange import canned


class Ended(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Ended]
Install = Callable[..., None]

LIB = """
from vouched.api import Context, Image, InvalidArgument, Answer, Source, Struct, hookimpl, tool
import msgspec
class Found(Struct):
    total: int
    names: list[str]
@tool(aliases=("find",))
async def search(ctx: Context, query: str = "all", limit: int = 5) -> Answer[Found]:
    \"\"\"Find things by name. For tests; there is no sibling. Returns names.\"\"\"
    found = await ctx.http("lib").get("search/{}", query, params={"limit": limit}, read=msgspec.json.decode)
    ctx.note("query", query)
    ctx.note("total", found["total"])
    ctx.note("ids", ["pmid:99900001"])
    if query == "keep":
        await ctx.keep("names of all.txt", "one\\ntwo\\x1b[31m", "text/plain")
        await ctx.keep("names.bin", b"\\xff\\x00", "application/octet-stream")
    picture = [Image(b"PNG")] if query == "picture" else []
    return Answer(Found(found["total"], found["names"][:limit]), attachments=picture)
@hookimpl
def sources():
    return [Source("lib", "https://lib.example.org/", rate=1000, key_env="LIB_KEY", key_param="key")]
@hookimpl
def tools():
    return [search]
"""
CHECKED = """
from vouched.api import Check, CheckLine, RateLimited, hookimpl
async def fine(ctx):
    return [CheckLine(True, "the service answers")]
async def broken(ctx):
    return [CheckLine(False, "the service says nonsense")]
async def limited(ctx):
    raise RateLimited("Too many.")
async def raising(ctx):
    raise ValueError("at https://x.example/y?key=SECRET123")
async def nothing(ctx):
    return None
async def words(ctx):
    return "fine"
async def wordlist(ctx):
    return ["fine"]
async def numbered(ctx):
    return [CheckLine(True, 5)]
async def interrupting(ctx):
    raise KeyboardInterrupt
async def closing(ctx):
    raise GeneratorExit
@hookimpl
def checks():
    return [Check("a", KIND)]
"""
ASKING = """
from vouched.api import Check, CheckLine
async def ask(ctx):
    await ctx.http("lib").get("search/x")
    return [CheckLine(True, "it answers")]
@hookimpl
def checks():
    return [Check("service", ask)]
"""
PROVIDER = """
from vouched.api import hookimpl
from vouched.testing.memory_store import MemoryStore
@hookimpl
def provide_session(settings):
    return MemoryStore()
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts a plugin beside the installed ones, as pip does: a module and its entry point on the path."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    made: list[str] = []

    def put(name: str, source: str) -> None:
        module = f"vouched_cli_{name}"
        made.append(module)
        (site / f"{module}.py").write_text(textwrap.dedent(source), "utf-8")
        info = site / f"vouched_{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: vouched-{name}\nVersion: 1.0\n", "utf-8")
        (info / "entry_points.txt").write_text(f"[vouched]\n{name} = {module}\n", "utf-8")
        monkeypatch.setenv("VOUCHED_PLUGINS", ",".join(name.removeprefix("vouched_cli_") for name in made))

    yield put
    for module in made:
        sys.modules.pop(module, None)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """`run("call", "TOOL", "{…}", VOUCHED_TEXT="json")`: exit code, stdout and stderr of a command in this process."""
    for name in list(os.environ):
        if name.startswith(("VOUCHED_", "NCBI_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("VOUCHED_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "200")

    def command(*argv: str, stdin: str = "", **env: str) -> Ended:
        with monkeypatch.context() as changed:
            for name, value in env.items():
                changed.setenv(name, value)
            changed.setattr(sys, "stdin", io.StringIO(stdin))
            try:
                code = cli.main(argv)
            except SystemExit as left:
                code = int(left.code or 0)
        return Ended(code, *capsys.readouterr())

    return command


@pytest.fixture
def lib(run: Run, install: Install, monkeypatch: pytest.MonkeyPatch) -> Iterator[Emulator]:
    """The plugin `lib` is installed, and its service runs."""
    install("lib", LIB)
    bodies = {f"search/{query}": {"total": 2, "names": ["one", "two"]} for query in ("all", "x", "picture", "keep")}
    with start([canned("lib", bodies)]) as server:
        monkeypatch.setenv("VOUCHED_LIB_URL", server.url("lib"))
        yield server


def test_without_a_command_the_help_is_shown(run: Run) -> None:
    ended = run()
    assert ended.code == 2
    assert "COMMAND" in ended.out
    for command in ("serve", "call", "tools", "plugins", "doctor", "demo", "config", "record", "session", "verify"):
        assert f"\n    {command}" in ended.out


def test_versions_of_host_and_plugins(run: Run) -> None:
    ended = run("--version")
    assert ended.code == 0
    assert ended.out.startswith("vouched 0.")
    assert "vouched-pubmed 0." in ended.out


@pytest.mark.parametrize(
    "argv", [["bogus"], ["call"], ["serve", "--bogus"], ["session"], ["config", "emacs"], ["verify"]]
)
def test_wrong_usage_ends_with_2(argv: list[str], run: Run) -> None:
    ended = run(*argv)
    assert (ended.code, ended.out) == (2, "")
    assert "usage:" in ended.err


@pytest.mark.parametrize(
    "options", [["--port", "0"], ["--host", "0.0.0.0"], ["--tokens-file", "tokens"], ["--host", "::1", "--port", "1"]]
)
def test_options_of_http_are_not_ignored_on_stdio(options: list[str], run: Run) -> None:
    ended = run("serve", *options)
    assert (ended.code, ended.out) == (2, "")
    assert "together with --http" in ended.err
    assert all(option in ended.err for option in options[::2])


# call


def test_a_call_prints_the_answer(run: Run, lib: Emulator) -> None:
    ended = run("call", "lib_search", '{"query": "x", "limit": 1}')
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("**ok**")
    assert "**names:** one" in ended.out
    assert "http://127.0.0.1" in ended.out


@pytest.mark.parametrize(
    "argv",
    [
        ["call", "find", '{"limit": 1}', "--json"],
        ["call", "find", "--json", '{"limit": 1}'],
        ["call", "--json", "find", '{"limit": 1}'],
    ],
)
def test_options_stand_before_and_behind_the_arguments(argv: list[str], run: Run, lib: Emulator) -> None:
    ended = run(*argv)
    assert json.loads(ended.out)["data"] == {"total": 2, "names": ["one"]}


def test_arguments_come_from_standard_input_or_are_none(run: Run, lib: Emulator) -> None:
    assert json.loads(run("call", "find", "-", "--json", stdin='{"limit": 1}').out)["data"]["names"] == ["one"]
    assert json.loads(run("call", "find", "--json").out)["data"]["names"] == ["one", "two"]


def test_an_error_of_the_tool_ends_with_1(run: Run, lib: Emulator) -> None:
    ended = run("call", "find", '{"nope": 1}')
    assert ended.code == 1
    assert "Accepted: query, limit" in ended.out
    lib.misbehave("lib", "status", status=404)
    assert run("call", "find", "--json").code == 1


def test_what_cannot_be_called_is_said_on_stderr(run: Run, lib: Emulator) -> None:
    assert run("call", "find", "not json") == (
        2, "", "vouched: The arguments are not JSON: JSON is malformed: invalid character (byte 4). "
        """As in vouched call TOOL '{"query": "sepsis"}'.\n""",
    )  # fmt: skip
    ended = run("call", "nothing")
    assert (ended.code, ended.out) == (1, "")
    assert "lib_search" in ended.err


@pytest.mark.parametrize("name", ["lib_serach", "search", "serch", "lib-search", "LIB_SEARCH", "fnid"])
def test_a_mistyped_tool_is_answered_with_the_closest_first(name: str, run: Run, lib: Emulator) -> None:
    ended = run("call", name)
    assert ended.code == 1
    assert ended.err.endswith("Did you mean lib_search? Other tools: vouched_read_session.\n")


def test_attachments_are_named(run: Run, lib: Emulator) -> None:
    assert "Attached: image/png" in run("call", "find", '{"query": "picture"}').out


def test_calls_of_the_command_line_share_a_session(run: Run, lib: Emulator) -> None:
    run("call", "find")
    told = json.loads(run("call", "read_session", '{"action": "search_runs"}', "--json").out)
    assert told["data"]["returned"] == 1
    listed = run("session", "list")
    assert listed.code == 0
    assert "command-line" in listed.out


# tools, plugins


def test_tools_name_each_tool_with_its_first_sentence_and_aliases(run: Run, lib: Emulator) -> None:
    ended = run("tools")
    assert ended.code == 0
    assert ended.out.splitlines()[:2] == [
        "lib_search            Find things by name.",
        "                      also called find",
    ]
    listed = json.loads(run("tools", "--json").out)
    assert [tool["name"] for tool in listed] == ["lib_search", "vouched_read_session"]
    assert listed[0]["input_schema"]["properties"]["limit"] == {"type": "integer", "default": 5}


def test_no_tool_at_all_is_said(run: Run, lib: Emulator) -> None:
    assert "matches none" in run("tools", VOUCHED_TOOLS="nothing_*").out


def test_plugins_show_status_hooks_and_reason(run: Run, install: Install) -> None:
    install("lib", LIB)
    install("broken", "import nothing_of_that_name")
    ended = run("plugins")
    assert ended.code == 0
    assert "lib         loaded    vouched-lib 1.0\n            hooks: sources, tools" in ended.out
    assert "broken      failed    vouched-broken 1.0" in ended.out
    assert "nothing_of_that_name" in ended.out
    assert "pubmed      disabled" in ended.out
    # Said once, not a second time by the log.
    assert ended.err == ""
    reports = {report["name"]: report for report in json.loads(run("plugins", "--json").out)}
    assert reports["broken"]["status"] == "failed"


def test_a_plugin_that_is_left_out_is_said_by_every_other_command(run: Run, install: Install) -> None:
    install("broken", "import nothing_of_that_name")
    ended = run("tools")
    assert ended.code == 0
    assert "plugin broken is left out" in ended.err
    assert run("tools", VOUCHED_STRICT="1").code == 1


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({"VOUCHED_OFFLINE": "maybe"}, "VOUCHED_OFFLINE is neither true nor false. Expected: one of 1, true"),
        ({"VOUCHED_CONFIG": "/nowhere/x.toml"}, "VOUCHED_CONFIG names a file that cannot be read"),
        ({"VOUCHED_TEXT": "html"}, "Expected: markdown, json or toon"),
    ],
)
def test_settings_that_are_wrong_are_refused_by_name(env: dict[str, str], said: str, run: Run) -> None:
    for command in (["tools"], ["serve"], ["call", "x"]):
        ended = run(*command, **env)
        assert (ended.code, ended.out) == (2, "")
        assert said in ended.err


# doctor


def doctor(run: Run, install: Install, kind: str, **env: str) -> Ended:
    install("checked", CHECKED.replace("KIND", kind))
    return run("doctor", **env)


def test_a_sound_installation_ends_with_0(run: Run, install: Install, tmp_path: Path) -> None:
    ended = doctor(run, install, "fine")
    assert ended.code == 0
    for line in (
        "ok    plugin checked is loaded",
        "ok    transport is provided by vouched",
        "ok    session is provided by vouched",
        "ok    licence is provided by vouched",
        "ok    the service answers",
        "note  plugin pubmed is disabled: VOUCHED_PLUGINS does not name it",
    ):
        assert line in ended.out.splitlines()
    assert f"ok data folder {tmp_path / 'data'} can be written" in " ".join(ended.out.split())
    assert " 0 broken" in ended.out.splitlines()[-1]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("broken", "FAIL  the service says nonsense"),
        ("limited", "FAIL  checked, a: Too many."),
        ("raising", "FAIL  checked, a: ValueError: at https://x.example/y"),
        ("nothing", "FAIL  checked, a: gave NoneType, not a list of CheckLine"),
        ("words", "FAIL  checked, a: gave str, not a list of CheckLine"),
        ("wordlist", "FAIL  checked, a: gave str in its list of CheckLine"),
        ("numbered", "FAIL  checked, a: gave int in its list of CheckLine"),
        ("interrupting", "FAIL  checked, a: KeyboardInterrupt: no message (site/vouched_cli_checked.py:20)"),
        ("closing", "FAIL  checked, a: GeneratorExit: no message"),
    ],
)
def test_a_check_that_finds_something_ends_with_1(kind: str, said: str, run: Run, install: Install) -> None:
    ended = doctor(run, install, kind, NCBI_API_KEY="SECRET123")
    assert ended.code == 1
    assert any(line.startswith(said) for line in ended.out.splitlines())
    assert "SECRET123" not in ended.out + ended.err


def test_a_plugin_that_fails_is_broken_even_under_strict(run: Run, install: Install) -> None:
    install("broken", "import nothing_of_that_name")
    for env in ({}, {"VOUCHED_STRICT": "1"}):
        ended = run("doctor", **env)
        assert ended.code == 1
        assert "FAIL  plugin broken failed: ModuleNotFoundError" in ended.out


def test_two_rivals_for_a_service_need_a_setting_that_names_one(run: Run, install: Install, tmp_path: Path) -> None:
    install("first", PROVIDER)
    install("second", PROVIDER)
    ended = run("doctor")
    assert ended.code == 1
    assert "FAIL  first and second both offer provide_session; set providers.session to one of them" in ended.out
    file = tmp_path / "vouched.toml"
    file.write_text('[providers]\nsession = "second"\n', "utf-8")
    ended = run("doctor", VOUCHED_CONFIG=str(file))
    assert ended.code == 0
    assert "ok    session is provided by second" in ended.out


@pytest.mark.parametrize("service", ["session", "licence", "transport"])
def test_a_setting_that_names_a_provider_that_is_not_there_is_broken(
    service: str, run: Run, install: Install, tmp_path: Path
) -> None:
    install("lib", LIB)
    file = tmp_path / "vouched.toml"
    file.write_text(f'[providers]\n{service} = "elsewhere"\n', "utf-8")
    ended = run("doctor", VOUCHED_CONFIG=str(file))
    assert ended.code == 1
    assert f"FAIL  {service}: The settings name elsewhere for provide_{service}" in ended.out
    file.write_text(f'[providers]\n{service} = "vouched"\n', "utf-8")
    assert run("doctor", VOUCHED_CONFIG=str(file)).code == 0


def test_a_provider_that_raises_is_broken(run: Run, install: Install) -> None:
    install("first", PROVIDER.replace("return MemoryStore()", "raise OSError('no database')"))
    ended = run("doctor")
    assert ended.code == 1
    assert "FAIL  session: Plugin first failed in provide_session: OSError." in ended.out


def test_names_that_are_not_installed_and_an_empty_selection_are_broken(run: Run) -> None:
    ended = run("doctor", VOUCHED_PLUGINS="nowhere", VOUCHED_TOOLS="nothing_*")
    assert ended.code == 1
    assert "FAIL  the settings name a plugin nowhere, which is not installed" in ended.out
    assert "FAIL  no tool is served: VOUCHED_TOOLS matches none" in ended.out


def test_a_data_folder_that_cannot_be_written_is_broken(run: Run, install: Install, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    ended = doctor(run, install, "fine", VOUCHED_DATA=str(tmp_path / "file"))
    assert ended.code == 1
    assert f"data folder {tmp_path / 'file'} cannot be written" in " ".join(ended.out.split())


def test_doctor_offline_asks_no_service(run: Run, install: Install) -> None:
    install("asking", LIB + ASKING)
    ended = run("doctor", "--offline")
    assert ended.code == 1
    assert "FAIL  asking, service: " in ended.out
    assert "not recorded" in ended.out or "offline" in ended.out.lower()


def test_names_that_fit_nothing_are_said_at_start_and_broken_for_doctor(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "vouched.toml"
    file.write_text("[sources.nowhere]\nrate = 1\n[plugin.nobody]\nx = 1\n", "utf-8")
    env = {"VOUCHED_CONFIG": str(file), "VOUCHED_OFLINE": "1", "VOUCHED_ELSEWHERE_URL": "http://127.0.0.1:1/"}
    said = (
        "VOUCHED_OFLINE, which is no setting",
        "a source nowhere ([sources.nowhere] or VOUCHED_NOWHERE_URL), which no plugin declares (declared: annotations,",
        "a source elsewhere",
        "[plugin.nobody], but no such plugin is installed",
    )
    listed, checked = run("tools", **env), run("doctor", "--offline", **env)
    assert (listed.code, checked.code) == (0, 1)
    for text in said:
        assert text in listed.err
        assert text in " ".join(checked.out.split())
    unplugged = run("tools", VOUCHED_WITHOUT="nothing")
    assert "the settings name a plugin nothing, which is not installed (installed: citeformat, " in unplugged.err


def test_a_source_of_a_plugin_that_is_left_out_fits(run: Run) -> None:
    assert run("tools", VOUCHED_PLUGINS="pubmed", VOUCHED_ICITE_URL="http://127.0.0.1:1/").err == ""


def test_two_claimants_of_a_name_are_broken(run: Run, install: Install) -> None:
    styled = """
    from vouched.api import Style, hookimpl
    @hookimpl
    def styles():
        return [Style("apa", "text/plain", ".txt", lambda article, markup: "x")]
    """
    install("first", styled)
    install("second", styled)
    ended = run("doctor")
    assert ended.code == 1
    assert "FAIL  plugin first: style 'apa' is claimed by first" in ended.out
    assert "FAIL  plugin second: style 'apa'" in ended.out
    assert "is claimed by" in run("plugins").out


# demo


@pytest.mark.smoke
def test_the_demo_answers_every_call_offline(run: Run) -> None:
    ended = run("demo")
    assert ended.code == 0, ended.out
    assert "restricted" in ended.out
    assert "sha256" in ended.out
    assert ended.out.rstrip().endswith("from the plugins' own recordings of invented records.")


def test_without_plugins_there_is_no_demo(run: Run) -> None:
    ended = run("demo", VOUCHED_PLUGINS="nothing")
    assert ended.code == 1
    assert "No installed plugin ships a demo." in ended.out


# config


@pytest.mark.parametrize("client", ["claude-desktop", "claude-code", "cursor", "vscode"])
def test_a_snippet_has_absolute_paths_and_no_keys(
    client: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    env = {
        "NCBI_API_KEY": "SECRET123", "VOUCHED_LIB_KEY": "SECRET123", "NCBI_EMAIL": "reader@example.org",
        "VOUCHED_DATA": "relative data", "VOUCHED_TEXT": "json", "VOUCHED_RECORDINGS": os.pathsep.join(["a", "b"]),
    }  # fmt: skip
    ended = run("config", client, **env)
    assert ended.code == 0
    assert "SECRET123" not in ended.out + ended.err
    assert "NCBI_API_KEY is set here, but keys are not printed" in ended.err
    if client == "claude-code":
        assert ended.out.startswith("claude mcp add vouched -e NCBI_EMAIL=reader@example.org")
        assert f"'VOUCHED_DATA={tmp_path / 'relative data'}'" in ended.out
        assert " -- /" in ended.out
        return
    assert "Put this into" in ended.err
    snippet = json.loads(ended.out)
    entry = snippet["servers" if client == "vscode" else "mcpServers"]["vouched"]
    assert Path(entry["command"]).is_absolute()
    assert Path(entry["command"]).exists()
    assert entry["args"][-1] == "serve"
    assert entry["env"] == {
        "NCBI_EMAIL": "reader@example.org",
        "VOUCHED_DATA": str(tmp_path / "relative data"),
        "VOUCHED_RECORDINGS": os.pathsep.join([str(tmp_path / "a"), str(tmp_path / "b")]),
        "VOUCHED_TEXT": "json",
    }


# new


def imported(path: Path) -> ModuleType:
    import importlib.util

    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def test_a_new_plugin_works(run: Run, tmp_path: Path, vouched_host: Callable[..., Host]) -> None:
    ended = run("new", "mine", "--into", str(tmp_path))
    assert ended.code == 0
    folder = tmp_path / "vouched-mine"
    assert f"pip install -e {folder}" in ended.out
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["entry-points"]["vouched"] == {"mine": "vouched_mine"}

    async def search(url: str) -> dict[str, Any]:
        module = imported(folder / "vouched_mine.py")
        async with vouched_host({"mine": module}, urls={"doaj": url}) as host:
            return (await host.call("mine_journals", {"query": "biology"})).structured

    found = {"total": 1, "results": [{"bibjson": {"title": "Journal of Invented Results"}}]}
    with start([canned("doaj", {"search/journals/biology": found})]) as server:
        told = asyncio.run(search(server.url("doaj")))
    sys.modules.pop("vouched_mine")
    assert told["data"] == {"total": 1, "titles": ["Journal of Invented Results"]}


def test_the_test_of_a_new_plugin_passes(run: Run, tmp_path: Path) -> None:
    run("new", "mine", "--into", str(tmp_path))
    folder = tmp_path / "vouched-mine"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py"],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(folder)}, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip
    assert "1 passed" in done.stdout, done.stdout


def test_a_new_plugin_of_an_installed_name_is_warned_of(run: Run, tmp_path: Path) -> None:
    ended = run("new", "pubmed", "--into", str(tmp_path))
    assert ended.code == 0
    assert "vouched-pubmed has a plugin pubmed already" in ended.err


def test_the_hosts_own_name_is_refused_as_such(run: Run, tmp_path: Path) -> None:
    assert "vouched is the name of the host's own plugin" in run("new", "vouched", "--into", str(tmp_path)).err


@pytest.mark.parametrize("name", ["Bad", "with-dash", "1st", "vouched", "", "a b"])
def test_a_bad_name_is_refused_and_nothing_written(name: str, run: Run, tmp_path: Path) -> None:
    ended = run("new", name, "--into", str(tmp_path / "made"))
    assert ended.code == 2
    assert "For example: doaj" in ended.err
    assert not (tmp_path / "made").exists()


def test_a_folder_that_is_there_is_left_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "vouched-mine").mkdir()
    assert run("new", "mine", "--into", str(tmp_path)).code == 2
    assert list((tmp_path / "vouched-mine").iterdir()) == []


# record, offline, verify, export, session


def test_what_was_recorded_answers_offline(run: Run, lib: Emulator, tmp_path: Path) -> None:
    into = tmp_path / "recordings"
    ended = run("record", "lib_search", '{"query": "x"}', "--into", str(into), LIB_KEY="SECRET123")
    assert ended.code == 0
    assert f"1 exchange kept in {into}" in ended.out
    assert "SECRET123" not in "".join(path.read_text("utf-8") for path in into.iterdir())
    lib.clear()
    ended = run("call", "lib_search", '{"query": "x"}', "--offline", "--json", VOUCHED_RECORDINGS=str(into))
    assert json.loads(ended.out)["data"]["names"] == ["one", "two"]
    ended = run("call", "lib_search", '{"query": "all"}', "--json", VOUCHED_RECORDINGS=str(into), VOUCHED_OFFLINE="1")
    error = json.loads(ended.out)["error"]
    assert (ended.code, error["code"], error["source"]) == (1, "offline", "lib")
    assert lib.log() == []


def test_recording_needs_services(run: Run, lib: Emulator, tmp_path: Path) -> None:
    ended = run("record", "lib_search", "--into", str(tmp_path / "r"), VOUCHED_OFFLINE="1")
    assert ended.code == 2
    assert "VOUCHED_OFFLINE is set" in ended.err


def test_a_folder_that_cannot_be_recorded_to_is_refused_before_the_call(
    run: Run, lib: Emulator, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    for into in (tmp_path / "file", tmp_path / "file" / "below"):
        ended = run("record", "lib_search", "--into", str(into))
        assert (ended.code, ended.out) == (2, "")
        assert f"--into: {into} cannot be written" in ended.err
    assert lib.log() == []


def test_an_exchange_that_could_not_be_kept_fails_the_recording(
    run: Run, lib: Emulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    ended = run("record", "lib_search", "--into", str(tmp_path / "r"))
    assert ended.code == 1
    assert "An exchange could not be recorded (No space left on device)" in ended.out
    assert "0 exchanges kept" in ended.out
    assert ended.err == f"vouched: Not every exchange could be kept in {tmp_path / 'r'}.\n"


def run_id(ended: Ended) -> str:
    return str(json.loads(ended.out)["provenance"]["run_id"])


def test_an_archived_run_is_verified_and_exported(run: Run, lib: Emulator) -> None:
    made = run_id(run("call", "lib_search", '{"query": "x"}', "--json", VOUCHED_ARCHIVE="1"))
    lib.clear()
    ended = run("verify", made)
    assert (ended.code, ended.out) == (0, "identical: 1 bodies match their hashes; the answer is the same.\n")
    assert lib.log() == []
    kept = json.loads(run("export", made).out)
    assert (kept["run_id"], kept["tool"], kept["query"]) == (made, "lib_search", "x")
    prisma = run("export", made, "--prisma")
    assert prisma.code == 0
    assert "PRISMA-S" in prisma.out
    assert made in prisma.out


def test_what_was_not_archived_cannot_be_verified(run: Run, lib: Emulator) -> None:
    made = run_id(run("call", "lib_search", "--json"))
    ended = run("verify", made)
    assert ended.code == 2
    assert ended.out.startswith("cannot verify")


def test_an_answer_that_is_another_one_now_ends_with_1(run: Run, lib: Emulator) -> None:
    made = run_id(run("call", "lib_search", '{"query": "x", "limit": 2}', "--json", VOUCHED_ARCHIVE="1"))
    module = sys.modules["vouched_cli_lib"]
    found = module.Found
    module.Found = lambda total, names: found(total, [name.upper() for name in names])  # type: ignore[attr-defined]
    ended = run("verify", made)
    assert ended.code == 1
    assert ended.out.startswith("differs: data.names[0] was ")


@pytest.mark.parametrize("command", ["verify", "export"])
def test_a_run_that_is_not_there_is_said(command: str, run: Run) -> None:
    ended = run(command, "nothing")
    assert (ended.code, ended.out) == (1, "")
    assert "no such run" in ended.err
    assert "vouched call vouched_read_session" in ended.err


def test_a_kept_file_is_named_with_the_command_that_writes_it(
    run: Run, lib: Emulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    called = run("call", "find", '{"query": "keep"}').out
    commands = [line.partition(": ")[2] for line in called.splitlines() if line.startswith("To get the file: ")]
    for command, name, content in zip(
        commands, ("names of all.txt", "names.bin"), (b"one\ntwo\x1b[31m", b"\xff\x00"), strict=True
    ):
        program, *argv = shlex.split(command)
        assert (program, argv[2:]) == ("vouched", ["--out", name])
        ended = run(*argv)
        assert (ended.code, ended.out, ended.err) == (0, "", f"Wrote {len(content)} bytes to {name}\n")
        assert (tmp_path / name).read_bytes() == content
        again = run(*argv)
        assert (again.code, again.err) == (
            2, f"vouched: {name} is there already. Name another file with --out.\n"
        )  # fmt: skip
    (tmp_path / "folder").mkdir()
    artifact = shlex.split(commands[0])[2].rpartition("/")[2]
    for spelled in (artifact, f"artifact:{artifact}"):
        assert run("export", spelled).out == "one\ntwo\x1b[31m"
    assert run("export", artifact, "--out", "folder").code == 0
    assert (tmp_path / "folder" / "names of all.txt").exists()
    assert run("export", artifact, "--prisma").code == 2


def test_a_terminal_is_shown_no_file_that_would_act_on_it(
    run: Run, lib: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = json.loads(run("call", "find", '{"query": "keep"}', "--json").out)
    told = json.loads(run("call", "read_session", '{"action": "list_artifacts"}', "--json").out)["data"]["artifacts"]
    assert called["status"] == "ok"
    ids = {row["name"]: row["artifact_id"] for row in told}
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    assert run("export", ids["names of all.txt"]).out == "one\ntwo[31m"
    ended = run("export", ids["names.bin"])
    assert (ended.code, ended.out) == (2, "")
    assert "--out names.bin" in ended.err


def test_runs_are_exported_by_any_of_their_names(run: Run, lib: Emulator, tmp_path: Path) -> None:
    made = run_id(run("call", "lib_search", "--json"))
    whole = run("export", made).out
    for spelled in (f"run:{made}", "last", f"vouched://run/{made}"):
        assert run("export", spelled).out == whole
    file = tmp_path / "run.json"
    assert run("export", "last", "--out", str(file)).code == 0
    assert file.read_text("utf-8") == whole


@pytest.mark.parametrize(
    "name", ["zzz", "run:zzz", "vouched://artifact/command-line/zzz", "artifact:zzz", "../x", "last"]
)
def test_what_cannot_be_exported_is_said_with_the_command_that_lists_what_can(name: str, run: Run) -> None:
    ended = run("export", name)
    assert (ended.code, ended.out) == (1, "")
    assert "vouched call vouched_read_session" in ended.err


def test_last_without_a_run_that_found_something_is_said_so(run: Run) -> None:
    assert "No run of the command line found something yet." in run("export", "last").err


def test_a_key_or_an_address_that_no_service_takes_is_broken(run: Run, install: Install) -> None:
    install("lib", LIB)
    env = {"LIB_KEY": "SECRET\n123", "NCBI_EMAIL": "not an email"}
    listed, checked = run("tools", **env), run("doctor", "--offline", **env)
    assert (listed.code, checked.code) == (0, 1)
    for text in ("LIB_KEY holds a space, a line break", "NCBI_EMAIL (or `email` in the settings) is no e-mail address"):
        assert text in listed.err
        assert f"FAIL  {text}" in checked.out
    for said in (listed.err, checked.out):
        assert "SECRET" not in said
        assert "not an email" not in said
    fine = {"LIB_KEY": "SECRET123 ", "NCBI_EMAIL": "a.reader+x@mail.example.org"}
    assert run("tools", **fine).err == ""


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no file system that takes no files")
def test_a_folder_that_only_seems_to_take_files_is_said_to_keep_nothing(run: Run) -> None:
    ended = run("session", "list", VOUCHED_DATA="/proc/nothing-here")
    assert ended.code == 0
    assert ended.out.startswith("Notice: Nothing is kept")


def test_sessions_are_listed_pruned_and_notices_acknowledged(run: Run, lib: Emulator) -> None:
    assert run("session", "list") == (0, "No sessions yet.\n", "")
    run("call", "find")
    assert "command-line" in run("session", "list", "--limit", "1").out
    assert run("session", "prune", "--days", "-1").code == 2
    assert run("session", "prune", "--days", "0").out.startswith("2 runs, events")
    assert run("session", "acknowledge", "nothing").code == 1
    assert run("session", "prune", "--days", "soon").code == 2


# serve


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--http", "--port", "99999"], 2, "from 0 to 65,535"),
        (["--http", "--port", "x"], 2, "must be a whole number"),
        (["--http", "--host", "0.0.0.0"], 2, "authentication"),
        (["--http", "--tokens-file", "nowhere"], 2, "tokens file"),
        (
            ["--http", "--host", "nowhere.invalid", "--tokens-file", "TOKENS"],
            1,
            "Nothing can listen at nowhere.invalid",
        ),
    ],
)
def test_serve_refuses_what_it_cannot_serve(options: list[str], code: int, said: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "tokens").write_text("alice:a-token-of-some-length\n", "utf-8")
    ended = run("serve", *[str(tmp_path / "tokens") if option == "TOKENS" else option for option in options])
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err
    assert "Traceback" not in ended.err


def test_a_port_in_use_is_said_in_one_line(run: Run) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = run("serve", "--http", "--port", str(port))
    assert ended.code == 1
    assert f"Nothing can listen at 127.0.0.1 port {port}: Address already in use." in ended.err
    assert len(ended.err.splitlines()) == 1


# As a process


def process(*argv: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    env = {key: value for key, value in os.environ.items() if not key.startswith(("VOUCHED_", "NCBI_"))}
    command = [sys.executable, "-m", "vouched", *argv]
    env |= options.pop("env", {})
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=30, check=False, **options)


@pytest.mark.parametrize("argv", [["plugins", "--json"], ["tools", "--json"]])
def test_what_a_plugin_writes_to_the_descriptor_while_it_loads_stays_out_of_json(
    argv: list[str], install: Install, tmp_path: Path
) -> None:
    install("noisy", "import os\nos.write(1, b'noise')\nprint('more')\n" + LIB)
    done = process(*argv, env={"PYTHONPATH": str(tmp_path / "site"), "VOUCHED_PLUGINS": "noisy"})
    assert any(row["name"].startswith("noisy") for row in json.loads(done.stdout))
    assert "noise" in done.stderr


@pytest.mark.smoke
def test_utf8_goes_out_whatever_the_locale() -> None:
    done = process("config", "vscode", env={"PYTHONIOENCODING": "cp1252", "VOUCHED_TEXT": "markdown"}, encoding="utf-8")
    assert (done.returncode, json.loads(done.stdout)["servers"]["vouched"]["args"][-1]) == (0, "serve")
    done = process("demo", env={"PYTHONIOENCODING": "ascii"}, encoding="utf-8")
    assert (done.returncode, "É" in done.stdout) == (0, True)


def test_a_reader_that_leaves_is_no_error() -> None:
    done = subprocess.run(
        f"{sys.executable} -m vouched demo | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["session", "list", "--limit", "-1"], "--limit: must be a whole number from 1 to 1,000,000"),
        (["session", "list", "--limit", "0"], "--limit: must be a whole number from 1 to 1,000,000"),
        (["session", "list", "--limit", "9" * 30], "--limit: must be a whole number from 1 to 1,000,000"),
        (["session", "list", "--limit", "few"], "--limit: must be a whole number from 1 to 1,000,000"),
        (["session", "prune", "--days", "-1"], "--days: must be a number from 0 to 1,000,000"),
        (["session", "prune", "--days", "nan"], "--days: must be a number from 0 to 1,000,000"),
        (["session", "prune", "--days", "inf"], "--days: must be a number from 0 to 1,000,000"),
        (["serve", "--http", "--port", "-1"], "--port: must be a whole number from 0 to 65,535"),
        (["serve", "--http", "--port", "70000"], "--port: must be a whole number from 0 to 65,535"),
    ],
)
def test_a_number_out_of_bounds_is_refused_with_its_bounds(argv: list[str], said: str, run: Run) -> None:
    ended = run(*argv)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.rstrip().endswith(f"argument {said}")
