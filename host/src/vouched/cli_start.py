"""`vouched config` and `vouched new`: how to begin."""

import argparse
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import msgspec

from vouched.faults import InvalidArgument
from vouched.plugins import find
from vouched.terminal import say

__all__ = ["config", "new"]

PLACES = {
    "claude-desktop": "claude_desktop_config.json (Settings, Developer, Edit Config)",
    "cursor": "~/.cursor/mcp.json, or .cursor/mcp.json of a project",
    "vscode": ".vscode/mcp.json",
}
# Of the caller's environment the snippet takes our own settings and the contact address, never a key.
PATHS = ("VOUCHED_DATA", "VOUCHED_CONFIG", "VOUCHED_RECORDINGS")
PRIVATE = ("_KEY", "_TOKEN", "_SECRET")


def config(options: argparse.Namespace) -> int:
    """The snippet for one client, with absolute paths. Keys are never printed: the client's own setting names them."""
    command, env = [*_executable(), "serve"], _environment()
    if options.client == "claude-code":
        flags = [part for name, value in env.items() for part in ("-e", f"{name}={value}")]
        say(f"claude mcp add vouched {' '.join(shlex.quote(part) for part in [*flags, '--', *command])}\n")
    else:
        entry: dict[str, Any] = {"command": command[0], "args": command[1:], **({"env": env} if env else {})}
        if options.client == "vscode":
            snippet = {"servers": {"vouched": {"type": "stdio", **entry}}}
        else:
            snippet = {"mcpServers": {"vouched": entry}}
        sys.stderr.write(f"Put this into {PLACES[options.client]}:\n")
        say(msgspec.json.format(msgspec.json.encode(snippet), indent=2).decode() + "\n")
    for name in sorted(name for name in os.environ if name.startswith("NCBI_") and name.endswith(PRIVATE)):
        sys.stderr.write(
            f"{name} is set here, but keys are not printed: add it to the client's environment yourself.\n"
        )
    return 0


def _environment() -> dict[str, str]:
    """Settings to pass on. The client starts the server in a folder of its own, so paths are made absolute."""
    env: dict[str, str] = {}
    for name in sorted(os.environ):
        value = os.environ[name].strip()
        ours = name.startswith("VOUCHED_") and not name.endswith(PRIVATE) and name != "VOUCHED_SHARED"
        if value and (ours or name == "NCBI_EMAIL"):
            parts = value.split(os.pathsep) if name in PATHS else []
            env[name] = os.pathsep.join(str(Path(p).expanduser().absolute()) for p in parts) or value
    return env


def _executable() -> list[str]:
    """The command of this very installation: clients start servers without the shell's PATH."""
    beside = Path(sys.executable).with_name("vouched.exe" if os.name == "nt" else "vouched")
    return [str(beside.absolute())] if beside.is_file() else [str(Path(sys.executable).absolute()), "-m", "vouched"]


PROJECT = """[build-system]
requires = ["flit_core>=3.11,<5"]
build-backend = "flit_core.buildapi"

[project]
name = "vouched-{name}"
version = "0.1.0"
description = "A Vouched plugin."
requires-python = ">=3.11"
dependencies = ["vouched>=0.1,<0.2"]

[project.entry-points.vouched]
{name} = "vouched_{name}"
"""

MODULE = '''"""Open-access journals from DOAJ."""

from typing import Annotated

import msgspec
from vouched.api import Context, Meta, Source, Struct, hookimpl, tool


class Journals(Struct):
    total: int
    titles: list[str]


@tool
async def journals(ctx: Context, query: Annotated[str, Meta(min_length=2)]) -> Journals:
    """Find open-access journals by title or ISSN."""
    found = await ctx.http("doaj").get("search/journals/{}", query, read=msgspec.json.decode)
    if not found["total"]:
        ctx.warn(f"No journal matches {query!r}; try fewer words.")
    return Journals(found["total"], [r["bibjson"]["title"] for r in found["results"]])


@hookimpl
def sources():
    return [Source("doaj", "https://doaj.org/api/", rate=2, terms="https://doaj.org/terms/")]


@hookimpl
def tools():
    return [journals]
'''


TEST = '''"""The plugin against a local service that answers from here."""

import pytest
import vouched_{name}
from vouched.testing.emulator import start
from vouched.testing.exchange import canned

FOUND = {{"total": 1, "results": [{{"bibjson": {{"title": "Journal of Invented Results"}}}}]}}


@pytest.mark.anyio
async def test_journals_are_found(vouched_host):
    with start([canned("doaj", {{"search/journals/biology": FOUND}})]) as server:
        async with vouched_host({{"{name}": vouched_{name}}}, urls={{"doaj": server.url("doaj")}}) as host:
            result = await host.call("{name}_journals", {{"query": "biology"}})
    assert result.structured["data"] == {{"total": 1, "titles": ["Journal of Invented Results"]}}
'''


def new(options: argparse.Namespace) -> int:
    """Write `vouched-NAME/` with a project file, a module and its test; an existing folder is left alone."""
    name = options.name
    if name == "vouched":
        raise InvalidArgument(
            "vouched is the name of the host's own plugin.", path="name", example="doaj", hint="Choose another name."
        )
    if not re.fullmatch(r"[a-z][a-z0-9]*", name):
        raise InvalidArgument(
            "A plugin's name is a small letter followed by small letters and digits.", path="name", example="doaj"
        )
    folder = Path(options.into).expanduser().absolute() / f"vouched-{name}"
    if folder.exists():
        raise InvalidArgument(f"{folder} is there already.", path="into", hint="Choose another name or folder.")
    for entry in find():
        if entry.name == name:
            owner = entry.dist.name if entry.dist else "a distribution"
            sys.stderr.write(f"{owner} has a plugin {name} already; with both installed neither is loaded.\n")
    folder.mkdir(parents=True)
    (folder / "pyproject.toml").write_text(PROJECT.format(name=name), "utf-8")
    (folder / f"vouched_{name}.py").write_text(MODULE, "utf-8")
    (folder / f"test_{name}.py").write_text(TEST.format(name=name), "utf-8")
    quoted = shlex.quote(str(folder))
    say(f"Wrote {folder}\nInstall it:  pip install -e {quoted}\nThen:        vouched tools\n")
    say(f"Test it:     pytest {quoted}\n")
    return 0
