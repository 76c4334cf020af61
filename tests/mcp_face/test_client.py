"""The SDK's own client, in memory, over stdio and over HTTP, in both eras."""

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from vouched.host import Host

from tests.mcp_face.conftest import HttpServer

pytestmark = pytest.mark.anyio
# "auto" asks `server/discover` and speaks 2026-07-28; "legacy" does the handshake.
ERAS = ["legacy", "auto"]
Connect = Callable[[str], Any]


@pytest.fixture(params=["memory", "stdio", "http"])
def connect(
    request: pytest.FixtureRequest,
    environment: dict[str, str],
    vouched_host: Callable[..., Host],
    shared_server: HttpServer,
) -> Connect:
    """Makes a client of the wanted era over the wanted transport."""

    @asynccontextmanager
    async def memory(era: str) -> AsyncIterator[Client]:
        from vouched.server import build

        from tests.mcp_face import probe

        async with vouched_host({"probe": probe}) as host, Client(build(host, session_id="s"), mode=era) as client:
            yield client

    @asynccontextmanager
    async def stdio(era: str) -> AsyncIterator[Client]:
        server = StdioServerParameters(command=sys.executable, args=["-m", "vouched", "serve"], env=environment)
        async with Client(server, mode=era) as client:
            yield client

    @asynccontextmanager
    async def http(era: str) -> AsyncIterator[Client]:
        async with Client(shared_server.url, mode=era) as client:
            yield client

    return {"memory": memory, "stdio": stdio, "http": http}[request.param]


@pytest.mark.smoke
@pytest.mark.parametrize("era", ERAS)
async def test_every_status_validates_against_the_published_schema(connect: Connect, era: str) -> None:
    async with connect(era) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert "vouched_read_session" in listed
        schema = listed["probe_statuses"].output_schema
        for status in ("ok", "partial", "restricted", "outline", "error", "defect"):
            result = await client.call_tool("probe_statuses", {"status": status})
            jsonschema.validate(result.structured_content, schema)
            assert result.structured_content["status"] == {"defect": "error"}.get(status, status)
            assert result.is_error == (status in ("error", "defect"))
            assert "secret internals" not in str(result)


@pytest.mark.parametrize("era", ERAS)
async def test_hints_attachments_and_text_reach_the_client(connect: Connect, era: str) -> None:
    async with connect(era) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        hints = listed["probe_statuses"].annotations
        assert (hints.read_only_hint, hints.destructive_hint, hints.open_world_hint) == (True, False, True)
        result = await client.call_tool("probe_statuses", {})
        assert [content.type for content in result.content] == ["text", "image"]
        assert "β-catenin ≥ Đ ✓" in result.content[0].text
        assert "One thing to know." in result.content[0].text
        assert result.structured_content["warnings"] == ["One thing to know."]


@pytest.mark.parametrize("era", ERAS)
async def test_p96_wrong_arguments_are_errors_a_model_can_repair_from(connect: Connect, era: str) -> None:
    async with connect(era) as client:
        result = await client.call_tool("probe_statuses", {"status": "great"})
        error = result.structured_content["error"]
        assert result.is_error
        assert (error["code"], error["path"]) == ("invalid_argument", "status")
        assert "restricted" in error["expected"]
        with pytest.raises(MCPError, match="no tool"):
            await client.call_tool("probe_nothing", {})


@pytest.mark.parametrize("era", ERAS)
async def test_resources_prompts_and_completion(connect: Connect, era: str) -> None:
    async with connect(era) as client:
        assert "vouched://status" in [str(r.uri) for r in (await client.list_resources()).resources]
        status = (await client.read_resource("vouched://status")).contents[0]
        assert "probe" in status.text
        assert (await client.read_resource("vouched://probe/x")).contents[0].text == "thing x"
        with pytest.raises(MCPError) as caught:
            await client.read_resource("vouched://nothing/x")
        assert (caught.value.error.code, caught.value.error.data) == (-32602, {"uri": "vouched://nothing/x"})
        prompt = await client.get_prompt("plan", {"goal": "a review"})
        assert prompt.messages[0].content.text == "Plan a review"
        with pytest.raises(MCPError, match="goal"):
            await client.get_prompt("plan", {})
        assert "probe_" in client.instructions
        assert len(client.instructions.encode()) < 1000


@pytest.mark.parametrize("era", ERAS)
async def test_p98_progress_only_when_asked_and_strictly_growing(connect: Connect, era: str) -> None:
    seen: list[float] = []

    async def report(done: float, total: float | None, message: str | None) -> None:
        seen.append(done)

    async with connect(era) as client:
        await client.call_tool("probe_wait", {"seconds": 0.1}, progress_callback=report)
        assert seen[0] == 0
        assert seen == sorted(set(seen))
        await client.call_tool("probe_wait", {"seconds": 0.05})


@pytest.mark.parametrize("era", ERAS)
async def test_a_cancelled_call_stops_its_work(connect: Connect, era: str, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    async with connect(era) as client:
        with anyio.move_on_after(0.5):
            await client.call_tool("probe_wait", {"seconds": 30, "marker": str(marker)})
        with anyio.fail_after(5):
            while not marker.exists():
                await anyio.sleep(0.02)
        assert marker.read_text("utf-8") == "cancelled"
        # The connection is still good.
        assert not (await client.call_tool("probe_echo", {"text": "still here"})).is_error


@pytest.mark.filterwarnings("ignore:ping is removed")
async def test_p97_slow_work_stops_neither_pings_nor_other_calls(connect: Connect) -> None:
    async with connect("legacy") as client, anyio.create_task_group() as tasks:
        tasks.start_soon(client.call_tool, "probe_blocked", {"seconds": 2.0})
        await anyio.sleep(0.1)
        with anyio.fail_after(1.0):
            await client.send_ping()
            await client.call_tool("probe_echo", {"text": "x"})


@pytest.mark.parametrize("era", ERAS)
async def test_p94_an_answer_beyond_the_budget_becomes_an_artifact_with_a_link(connect: Connect, era: str) -> None:
    async with connect(era) as client:
        result = await client.call_tool("probe_big", {})
        assert len(result.content[0].text) < 40_000
        shown = result.structured_content["data"]["rows"]
        assert 0 < len(shown) < 2000
        link = next(content for content in result.content if content.type == "resource_link")
        whole = (await client.read_resource(str(link.uri))).contents[0]
        assert "row 1999 " in whole.text
