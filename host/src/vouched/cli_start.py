"""`vouched config` and `vouched new`: how to begin."""

import argparse
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import msgspec

from vouched.faults import InvalidArgument

__all__ = ["config", "new"]

say = sys.stdout.write
PASSED_ON = ("VOUCHED_DATA", "VOUCHED_CONFIG", "VOUCHED_PLUGINS", "VOUCHED_WITHOUT", "NCBI_EMAIL")


def config(options: argparse.Namespace) -> int:
    """The snippet for one client, with absolute paths. Keys are never printed: the client's own setting names them."""
    command = _executable()
    entry: dict[str, Any] = {"command": command[0], "args": [*command[1:], "serve"]}
    env = {name: os.environ[name] for name in PASSED_ON if os.environ.get(name, "").strip()}
    if env:
        entry["env"] = env
    if options.client == "claude-code":
        flags = " ".join(f"-e {name}={_shell(value)}" for name, value in env.items())
        say(
            f"claude mcp add vouched {flags}{' ' if flags else ''}-- {' '.join(_shell(part) for part in [*command, 'serve'])}\n"
        )
        return 0
    if options.client == "vscode":
        snippet = {"servers": {"vouched": {"type": "stdio", **entry}}}
    else:
        snippet = {"mcpServers": {"vouched": entry}}
    places = {
        "claude-desktop": "claude_desktop_config.json (Settings, Developer, Edit Config)",
        "cursor": "~/.cursor/mcp.json, or .cursor/mcp.json of a project",
        "vscode": ".vscode/mcp.json",
    }
    sys.stderr.write(f"Put this into {places[options.client]}:\n")
    say(msgspec.json.format(msgspec.json.encode(snippet), indent=2).decode() + "\n")
    return 0


def _executable() -> list[str]:
    """The command of this very installation: clients start servers without the shell's PATH."""
    beside = Path(sys.executable).with_name("vouched.exe" if os.name == "nt" else "vouched")
    found = str(beside) if beside.is_file() else shutil.which("vouched")
    return [str(Path(found).absolute())] if found else [sys.executable, "-m", "vouched"]


def _shell(text: str) -> str:
    import shlex

    return shlex.quote(text)


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


def new(options: argparse.Namespace) -> int:
    """Write `vouched-NAME/` with a project file and a module; an existing folder is left alone."""
    name = options.name
    if not re.fullmatch(r"[a-z][a-z0-9]*", name) or name == "vouched":
        raise InvalidArgument(
            "A plugin's name is a small letter followed by small letters and digits.", path="name", example="doaj"
        )
    folder = Path(options.into).expanduser() / f"vouched-{name}"
    if folder.exists():
        raise InvalidArgument(f"{folder} is there already.", path="into", hint="Choose another name or folder.")
    folder.mkdir(parents=True)
    (folder / "pyproject.toml").write_text(PROJECT.format(name=name), "utf-8")
    (folder / f"vouched_{name}.py").write_text(MODULE, "utf-8")
    say(f"Wrote {folder}. Install it with: pip install -e {folder}\nThen: vouched tools\n")
    return 0
