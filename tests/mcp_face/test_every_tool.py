"""The SDK's own client lists and calls every tool that ships: in memory, over stdio and over HTTP, in both eras."""

import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from vouched.host import Host

from tests import emulator
from tests.emulator import Emulator
from tests.every_tool import CALLS
from tests.mcp_face.conftest import started, stopped, wait_until

pytestmark = pytest.mark.anyio
ERAS = ["legacy", "auto"]
NOT_ASKING: dict[str, dict[str, Any]] = {
    "citeformat_parse_bibliography": {"text": "TY  - JOUR\nTI  - Invented\nER  - \n"},
    "vouched_read_session": {"action": "summary"},
}


@pytest.fixture(scope="module")
def services() -> Iterator[Emulator]:
    with emulator.start(corpus=False) as server:
        yield server


@pytest.fixture
def over(services: Emulator, tmp_path: Path) -> dict[str, str]:
    """Environment of a server over the emulator, with every installed plugin."""
    services.reset()
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("VOUCHED_", "NCBI_"))}
    file = tmp_path / "vouched.toml"
    rates = "".join(f"[sources.{name}]\nrate = 1000.0\n" for name in services.services)
    file.write_text(rates, "utf-8")
    return {**kept, **services.environment(), "VOUCHED_DATA": str(tmp_path / "data"), "VOUCHED_CONFIG": str(file)}


@pytest.fixture(params=["memory", "stdio", "http"])
def connect(
    request: pytest.FixtureRequest, services: Emulator, over: dict[str, str], vouched_host: Callable[..., Host]
) -> Callable[[str], Any]:
    """Makes a client of the wanted era over the wanted transport."""

    @asynccontextmanager
    async def memory(era: str) -> AsyncIterator[Client]:
        from vouched.server import build

        urls = {name: services.url(name) for name in services.services}
        async with vouched_host(installed=True, urls=urls) as host, Client(build(host), mode=era) as client:
            yield client

    @asynccontextmanager
    async def stdio(era: str) -> AsyncIterator[Client]:
        server = StdioServerParameters(command=sys.executable, args=["-m", "vouched", "serve"], env=over)
        async with Client(server, mode=era) as client:
            yield client

    @asynccontextmanager
    async def http(era: str) -> AsyncIterator[Client]:
        server = started(over)
        try:
            async with Client(server.url, mode=era) as client:
                yield client
        finally:
            stopped(server)

    return {"memory": memory, "stdio": stdio, "http": http}[request.param]


@pytest.mark.parametrize("era", ERAS)
async def test_every_tool_is_listed_and_answers_by_its_schema(connect: Callable[[str], Any], era: str) -> None:
    async with connect(era) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(listed) == {*CALLS, *NOT_ASKING}
        for name, arguments in {**CALLS, **NOT_ASKING}.items():
            result = await client.call_tool(name, arguments)
            jsonschema.Draft202012Validator(listed[name].output_schema).validate(result.structured_content)
            assert not result.is_error, result.content[0].text
            assert result.content[0].text.startswith(f"**{result.structured_content['status']}**")


@pytest.mark.parametrize("era", ERAS)
async def test_a_cancelled_call_stops_its_upstream_request(
    connect: Callable[[str], Any], era: str, services: Emulator
) -> None:
    def outcome(wanted: str) -> Callable[[], bool]:
        return lambda: [entry.outcome for entry in services.log("eutils")] == [wanted]

    services.misbehave("esearch.fcgi", "stall", seconds=60, times=None)
    async with connect(era) as client:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call_tool, "pubmed_search_articles", {"query": "glimmer"})
            assert await anyio.to_thread.run_sync(wait_until, outcome("running"), 20)
            tasks.cancel_scope.cancel()
        assert await anyio.to_thread.run_sync(wait_until, outcome("gone"), 10)
        services.reset()
        again = await client.call_tool("pubmed_search_articles", {"query": "glimmer"})
        assert not again.is_error
