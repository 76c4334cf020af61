"""`vouched call`, `record`, `session`, `verify`: calls and what is kept of them."""

import argparse
import asyncio
import shlex
import sys
from pathlib import Path

import msgspec

from vouched.answer import Result
from vouched.configuration import load
from vouched.faults import InvalidArgument, ProviderFailed
from vouched.host import Host
from vouched.journal import Owner
from vouched.terminal import only_stderr, say, shown
from vouched.tooling import Image, Link

__all__ = ["OWNER", "call", "record", "session", "verify"]

# The command line has a session of its own, so that `last` works from one command to the next.
OWNER = Owner(client="vouched", session_id="command-line")


def call(options: argparse.Namespace) -> int:
    """Print the answer; 0, or 1 for an error."""
    settings = load()
    if options.offline:
        settings = msgspec.structs.replace(settings, offline=True)
    with only_stderr():
        host = Host(settings)
    result = asyncio.run(_call(host, options.tool, _arguments(options.arguments)))
    if options.json:
        say(msgspec.json.format(msgspec.json.encode(result.structured), indent=2).decode() + "\n")
    else:
        say(shown(result.text))
        for attached in result.attachments:
            say(f"Attached: {_attached(attached)}\n")
    return 1 if result.is_error else 0


def _attached(attached: Image | Link) -> str:
    """What goes with an answer; where it is a kept file, with the command that writes it."""
    if isinstance(attached, Image):
        return attached.media_type
    if not attached.uri.startswith("vouched://artifact/"):
        return attached.uri
    return f"{attached.uri}\nTo get the file: vouched export {attached.uri} --out {shlex.quote(attached.name)}"


async def _call(host: Host, tool: str, arguments: object) -> Result:
    async with host:
        return await host.call(tool, arguments, owner=OWNER)


def _arguments(text: str | None) -> object:
    raw = sys.stdin.read() if text == "-" else text or "{}"
    try:
        return msgspec.json.decode(raw)
    except msgspec.DecodeError as error:
        raise InvalidArgument(
            f"The arguments are not JSON: {error}.",
            path="arguments",
            hint="""As in vouched call TOOL '{"query": "sepsis"}'.""",
        ) from None


def record(options: argparse.Namespace) -> int:
    """Call a tool against the live services and keep its exchanges, secrets struck."""
    from vouched.services.replay import Recorder

    folder = Path(options.into).expanduser()
    recorder = Recorder(folder)
    settings = load()
    if settings.offline:
        raise InvalidArgument("VOUCHED_OFFLINE is set, so no service can be asked.", path="VOUCHED_OFFLINE")
    arguments = _arguments(options.arguments)
    _writable(folder)
    host = Host(settings)
    host.http_service.record(recorder)
    result = asyncio.run(_call(host, options.tool, arguments))
    say(shown(result.text))
    say(f"{recorder.written} exchange{'' if recorder.written == 1 else 's'} kept in {folder}\n")
    if recorder.failed:
        raise ProviderFailed(f"Not every exchange could be kept in {folder}.")
    return 1 if result.is_error else 0


def _writable(folder: Path) -> None:
    """Make the folder, and see that a file can be made there: services are not asked in vain."""
    import tempfile

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return
    except OSError as error:
        raise InvalidArgument(
            f"The folder of --into: {folder} cannot be written: {error.strerror}.",
            path="into",
            hint="Name another folder.",
        ) from None


def session(options: argparse.Namespace) -> int:
    """List sessions, prune, acknowledge a notice."""
    from vouched.cli_session import acknowledge, list_sessions, prune

    async def run() -> tuple[str, int]:
        async with Host(load()) as host:
            if options.action == "list":
                return await list_sessions(host.store, OWNER, limit=options.limit)
            if options.action == "prune":
                return await prune(host.store, OWNER, days=options.days)
            return await acknowledge(host.store, OWNER, notice_id=options.notice)

    text, code = asyncio.run(run())
    say(text)
    return code


def verify(options: argparse.Namespace) -> int:
    """identical (0), differs (1) or cannot verify (2)."""
    from vouched.cli_export import find_run
    from vouched.services.verify import verify as compare

    async def run() -> tuple[str, int]:
        settings = load()
        async with Host(settings) as host:
            kept = await find_run(host.store, OWNER, options.run_id)
            verdict = await compare(kept, settings, Host)
            return (
                f"{verdict.verdict}: {verdict.detail}\n" if verdict.detail else f"{verdict.verdict}\n",
                verdict.exit_code,
            )

    text, code = asyncio.run(run())
    say(text)
    return code
