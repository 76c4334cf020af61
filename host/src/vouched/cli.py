"""The command `vouched`: parsing only; each command's work stands in a module of its own."""

import argparse
import math
import os
import sys
from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

from vouched.faults import Fault, InvalidArgument

__all__ = ["main", "parser"]

Command = Callable[[argparse.Namespace], int]
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    top = argparse.ArgumentParser(
        prog="vouched",
        description="Biomedical literature tools whose answers say where they come from.",
    )
    top.add_argument("--version", action="store_true", help="show the versions of host and plugins")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    _asking(commands)
    _showing(commands)
    _keeping(commands)
    return top


def _asking(commands: Commands) -> None:
    serve = commands.add_parser("serve", help="run the MCP server: on stdio, or with --http")
    serve.add_argument("--http", action="store_true", help="Streamable HTTP instead of stdio")
    serve.add_argument("--host", help="address to bind to (127.0.0.1)")
    serve.add_argument("--port", type=_whole(0, 65_535), help="port (8750; 0 for any)")
    serve.add_argument("--tokens-file", help="file of principal:token lines; needed beyond loopback")
    call = commands.add_parser("call", help="call one tool and print its answer")
    call.add_argument("--json", action="store_true", help="print the structured answer")
    for command in (serve, call):
        command.add_argument("--offline", action="store_true", help="answer from recordings only")
    record = commands.add_parser("record", help="call a tool and keep its exchanges as recordings")
    record.add_argument("--into", required=True, help="folder for the recordings")
    for command in (call, record):
        command.add_argument("tool")
        command.add_argument("arguments", nargs="?", help="JSON object; - reads it from standard input")


def _showing(commands: Commands) -> None:
    tools = commands.add_parser("tools", help="list the tools of all installed plugins")
    tools.add_argument("--json", action="store_true", help="with their input schemas")
    plugins = commands.add_parser("plugins", help="show every plugin with its status")
    plugins.add_argument("--json", action="store_true")
    doctor = commands.add_parser("doctor", help="check the installation; exit 1 when anything is broken")
    doctor.add_argument("--offline", action="store_true", help="ask recordings only, no service")
    commands.add_parser("demo", help="show the main job, offline")
    config = commands.add_parser("config", help="print the snippet for an MCP client")
    config.add_argument("client", choices=("claude-desktop", "claude-code", "cursor", "vscode"))
    new = commands.add_parser("new", help="write a small plugin to begin with")
    new.add_argument("name")
    new.add_argument("--into", default=".", help="folder to write it to")


def _keeping(commands: Commands) -> None:
    session = commands.add_parser("session", help="list or prune what is kept")
    kinds = session.add_subparsers(dest="action", required=True)
    listing = kinds.add_parser("list", help="sessions, newest first")
    listing.add_argument("--limit", type=_whole(1, 1_000_000), default=10)
    prune = kinds.add_parser("prune", help="drop what is older than some days")
    prune.add_argument("--days", type=_days, required=True)
    acknowledge = kinds.add_parser("acknowledge", help="put away a notice about a damaged store")
    acknowledge.add_argument("notice")
    verify = commands.add_parser("verify", help="replay a run of VOUCHED_ARCHIVE=1 and compare")
    verify.add_argument("run_id")
    export = commands.add_parser("export", help="write the record of a run, or a kept file")
    export.add_argument("id", metavar="ID", help="of a run or a kept file, or its vouched:// address; last")
    export.add_argument("--prisma", action="store_true", help="a run as a PRISMA-S search record (Markdown)")
    export.add_argument("--out", metavar="FILE", help="file or folder to write to, instead of standard output")


def _whole(least: int, most: int) -> Callable[[str], int]:
    """A reader of whole numbers within bounds."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"must be a whole number from {least:,} to {most:,}")
        return number

    return read


def _days(text: str) -> float:
    try:
        days = float(text)
    except ValueError:
        days = math.nan
    if not 0 <= days < 1e6:
        raise argparse.ArgumentTypeError("must be a number from 0 to 1,000,000")
    return days


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code: 0 done, 1 it failed or found something broken, 2 wrong usage."""
    from vouched.cli_log import logging_to_stderr
    from vouched.terminal import stand_in

    missing = stand_in()
    options = _options(argv)
    _utf8()
    try:
        _need(options, missing)
        # These two show themselves what is wrong with plugins.
        with logging_to_stderr(without="vouched.plugins" if options.command in ("plugins", "doctor") else ""):
            code = _command(options)(options)
            sys.stdout.flush()
            return code
    except Fault as fault:
        sys.stderr.write(f"vouched: {_said(fault)}\n")
        return 2 if fault.code == "invalid_argument" else 1
    except BrokenPipeError:
        # The reader of our output went away (`vouched tools | head`): nothing is wrong here.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except OSError as error:
        sys.stderr.write(f"vouched: {error}\n")
        # What could not be written is still held, and would fail once more at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except KeyboardInterrupt:
        return 130


def _need(options: argparse.Namespace, missing: Collection[str]) -> None:
    """Refuse to begin without the standard streams that a command reads and writes."""
    over_http = options.command == "serve" and options.http
    if "stdout" in missing and not over_http:
        raise OSError("Standard output is closed.")
    if "stdin" in missing and ((options.command == "serve" and not over_http) or _reads(options)):
        raise InvalidArgument("Standard input is closed, so nothing can be read from it.", path="stdin")


def _reads(options: argparse.Namespace) -> bool:
    return getattr(options, "arguments", None) == "-"


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    """The parsed command line; `vouched call TOOL --json '{…}'` has its arguments behind an option, too."""
    top = parser()
    options, rest = top.parse_known_args(argv)
    if len(rest) == 1 and not rest[0].startswith("--") and getattr(options, "arguments", "") is None:
        options.arguments = rest.pop()
    if rest:
        top.error(f"unrecognized arguments: {' '.join(rest)}")
    if options.command == "serve" and not options.http and (unheard := _only_over_http(options)):
        top.error(f"{', '.join(unheard)}: only together with --http; without it the server speaks on stdio")
    return options


def _only_over_http(options: argparse.Namespace) -> list[str]:
    given = {"--host": options.host, "--port": options.port, "--tokens-file": options.tokens_file}
    return [option for option, value in given.items() if value is not None]


def _said(fault: Fault) -> str:
    """A fault in one line: what happened, what was expected, what to do."""
    parts = [fault.message]
    parts += [f"Expected: {fault.expected}."] * bool(fault.expected)
    parts += [f"For example: {fault.example}"] * bool(fault.example)
    return " ".join([*parts, *([fault.hint] if fault.hint else [])])


def _utf8() -> None:
    """Text in UTF-8 both ways, whatever the locale: titles hold more than any code page."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _command(options: argparse.Namespace) -> Command:
    if options.command == "serve":
        from vouched.cli_serve import serve

        return serve
    if options.command == "export":
        from vouched.cli_export import export

        return export
    if options.command in ("call", "record", "verify", "session"):
        from vouched import cli_runs

        return getattr(cli_runs, options.command)  # type: ignore[no-any-return]
    if options.command in ("config", "new"):
        from vouched import cli_start

        return getattr(cli_start, options.command)  # type: ignore[no-any-return]
    if options.command == "doctor":
        from vouched.cli_doctor import doctor

        return doctor
    from vouched import cli_show

    if options.version:
        return cli_show.version
    if options.command is None:
        parser().print_help()
        return lambda _: 2
    return getattr(cli_show, options.command)  # type: ignore[no-any-return]
