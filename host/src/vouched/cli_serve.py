"""`vouched serve`."""

import argparse
import asyncio
import logging
import os
import sys

import msgspec

from vouched.settings import Settings, load

__all__ = ["serve"]


def serve(options: argparse.Namespace) -> int:
    """Run the MCP server until its client goes (stdio) or it is stopped (HTTP)."""
    # pydantic scans all distributions for plugins of its own at import; it has none to find here.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    settings = load()
    if options.offline:
        settings = msgspec.structs.replace(settings, offline=True)
    return _http(options, settings) if options.http else _stdio(settings)


def _stdio(settings: Settings) -> int:
    from vouched.stdio import StdoutGuard

    guard = StdoutGuard()
    from vouched.host import Host
    from vouched.server import serve_stdio

    asyncio.run(serve_stdio(Host(settings), guard))
    return 0


def _http(options: argparse.Namespace, settings: Settings) -> int:
    import uvicorn

    from vouched.auth import application
    from vouched.host import Host

    given = {"host": options.host, "port": options.port, "tokens_file": options.tokens_file}
    face = msgspec.structs.replace(settings.http, **{key: value for key, value in given.items() if value is not None})
    host = Host(settings)
    app = application(host, face)
    config = uvicorn.Config(app, host=face.host, port=face.port, log_level="warning", access_log=False)
    asyncio.run(_run(uvicorn.Server(config), host))
    return 0


async def _run(server: "uvicorn.Server", host: "Host") -> None:  # type: ignore[name-defined]  # noqa: F821
    try:
        serving = asyncio.create_task(server.serve())
        while not server.started and not serving.done():  # noqa: ASYNC110 (uvicorn gives no event for it)
            await asyncio.sleep(0.02)
        for listening in server.servers if server.started else ():
            for socket in listening.sockets:
                address, port = socket.getsockname()[:2]
                name = f"[{address}]" if ":" in address else address
                sys.stderr.write(f"Vouched serves MCP at http://{name}:{port}/mcp\n")
                sys.stderr.flush()
        await serving
    finally:
        await host.aclose()
