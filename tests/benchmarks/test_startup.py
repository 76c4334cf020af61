"""How long it takes to begin, beside a bare server of the SDK with one tool; processes in turn, medians compared."""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.benchmark
ROUNDS = 9
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}},
}
BARE = """
import os
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
import asyncio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def list_tools(ctx, params):
    return types.ListToolsResult(tools=[types.Tool(name="t", description="T.", input_schema={"type": "object"})])

async def call_tool(ctx, params):
    return types.CallToolResult(content=[types.TextContent(type="text", text="x")])

async def main():
    server = Server("bare", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())

asyncio.run(main())
"""


def until_initialized(command: list[str], environment: dict[str, str]) -> float:
    """Seconds from start to the answer to `initialize`."""
    began = time.perf_counter()
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        process.stdin.flush()
        assert b'"result"' in process.stdout.readline()
        taken = time.perf_counter() - began
        process.stdin.close()
    return taken


def until_done(command: list[str], environment: dict[str, str]) -> float:
    """Seconds of a whole command."""
    began = time.perf_counter()
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return time.perf_counter() - began


def test_starting_costs_little_beside_the_sdk_itself(tmp_path: Path) -> None:
    """`vouched serve` at most 1.25 of a bare low-level server; `vouched tools` under a third of `vouched serve`."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("VOUCHED_")}
    environment["VOUCHED_DATA"] = str(tmp_path)
    # An installed copy has bytecode, as the SDK beside it does; the first round writes ours.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    bare = tmp_path / "bare.py"
    bare.write_text(BARE, "utf-8")
    python = sys.executable
    measured: dict[str, Callable[[], float]] = {
        "bare": lambda: until_initialized([python, str(bare)], environment),
        "serve": lambda: until_initialized([python, "-m", "vouched", "serve"], environment),
        "tools": lambda: until_done([python, "-m", "vouched", "tools"], environment),
    }
    times: dict[str, list[float]] = {name: [] for name in measured}
    for number in range(ROUNDS + 1):
        for name, measure in measured.items():
            taken = measure()
            if number:  # the first round warms the page cache
                times[name].append(taken)
    median = {name: statistics.median(values) for name, values in times.items()}
    serve = statistics.median(s / b for s, b in zip(times["serve"], times["bare"], strict=True))
    tools = statistics.median(t / s for t, s in zip(times["tools"], times["serve"], strict=True))
    print(
        f"\nbare server {median['bare']:.2f} s, vouched serve {median['serve']:.2f} s ({serve:.2f} of it), "
        f"vouched tools {median['tools']:.2f} s ({tools:.2f} of serve)"
    )
    assert serve <= 1.25
    assert tools < 1 / 3
