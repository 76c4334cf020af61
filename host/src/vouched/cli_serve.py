"""`vouched serve`."""

import argparse
import asyncio
import contextlib
import os
import signal
import socket
import sys
from typing import TYPE_CHECKING

import msgspec

from vouched.configuration import load
from vouched.faults import InvalidArgument, ProviderFailed
from vouched.settings import HttpFace, Settings

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette

    from vouched.host import Host

__all__ = ["serve"]

CLOSE_SECONDS = 2


def serve(options: argparse.Namespace) -> int:
    """Run the MCP server until its client goes (stdio) or it is stopped (HTTP)."""
    # pydantic scans all distributions for plugins of its own at import; it has none to find here.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    settings = load()
    if options.offline:
        settings = msgspec.structs.replace(settings, offline=True)
    return _http(options, settings) if options.http else _stdio(settings)


def _stdio(settings: Settings) -> int:
    from vouched.stdio import StdoutGuard

    guard = StdoutGuard()
    from vouched.host import Host
    from vouched.server import serve_stdio

    if sys.stdin.isatty() and sys.stderr.isatty():
        # Clients start servers with pipes: here is a person, to whom silence would look like a fault.
        sys.stderr.write(
            "Vouched waits for an MCP client on standard input (Ctrl-C ends it); `vouched config CLIENT` prints the "
            "entry with which a client starts it by itself.\n"
        )
    asyncio.run(serve_stdio(Host(settings), guard))
    return 0


def _http(options: argparse.Namespace, settings: Settings) -> int:
    from vouched.auth import application
    from vouched.host import Host

    given = {"host": options.host, "port": options.port, "tokens_file": options.tokens_file}
    face = msgspec.structs.replace(settings.http, **{key: value for key, value in given.items() if value is not None})
    host = Host(settings)
    app = application(host, face)
    with _listening(face) as listener:
        asyncio.run(_run(app, host, listener))
    return 0


def _listening(face: HttpFace) -> socket.socket:
    """A socket at the address of the HTTP face, which is checked before anything is served."""
    if not 0 <= face.port <= 65_535:
        raise InvalidArgument("This is no port.", path="http.port", expected="0 to 65535")
    try:
        family = socket.getaddrinfo(face.host, face.port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((face.host, face.port), family=family, backlog=128)
    except OSError as error:
        # A name that does not resolve has a negative number of its own.
        number = error.errno or 0
        reason = os.strerror(number) if number > 0 else error.strerror or type(error).__name__
        raise ProviderFailed(
            f"Nothing can listen at {face.host} port {face.port}: {reason}.", hint="Choose another --host or --port."
        ) from None


async def _run(app: "Starlette", host: "Host", listener: socket.socket) -> None:
    import uvicorn

    address, port = listener.getsockname()[:2]
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        # An open event stream never ends by itself.
        timeout_graceful_shutdown=CLOSE_SECONDS,
    )
    server = uvicorn.Server(config)
    try:
        serving = asyncio.create_task(_until_stopped(server, listener))
        while not server.started and not serving.done():  # noqa: ASYNC110 (uvicorn gives no event for it)
            await asyncio.sleep(0.02)
        if server.started:
            name = f"[{address}]" if ":" in address else address
            sys.stderr.write(f"Vouched serves MCP at http://{name}:{port}/mcp\n")
            sys.stderr.flush()
        await serving
    finally:
        await host.aclose()


async def _until_stopped(server: "uvicorn.Server", listener: socket.socket) -> None:
    """Serve until a signal. uvicorn would raise the signal again afterwards, which ends the process before the host has
    closed its stores."""
    loop, signals = asyncio.get_running_loop(), (signal.SIGINT, signal.SIGTERM)
    try:
        for number in signals:
            loop.add_signal_handler(number, server.handle_exit, number, None)
    except NotImplementedError:
        # Windows: there uvicorn's own way is the only one.
        await server.serve([listener])
        return
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign,assignment]
    await server.serve([listener])
