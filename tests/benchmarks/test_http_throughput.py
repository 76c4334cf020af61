"""What the polite client costs: 200 requests at once, beside a bare httpx loop against the same server."""

import asyncio
import contextlib
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, cast

import httpx
import msgspec
import pytest
from vouched.api import Context, Meta, Owner, Source, Struct, hookimpl, tool
from vouched.context import Deadline
from vouched.host import Host
from vouched.services.http import HttpService
from vouched.settings import Limits, Settings, SourceSettings

pytestmark = [pytest.mark.benchmark, pytest.mark.anyio]
REQUESTS = 200
IN_FLIGHT = 16
ROUNDS = 7
LEAST_RATIO = 0.6
LIB = Source("lib", "https://lib.example.org/api/", rate=5)
SERVER = """
import sys, time
from vouched.testing.emulator import start
from vouched.testing.exchange import canned
with start([canned("lib", {"search": {"total": 1, "titles": ["x" * 50] * 20}})]) as emulator:
    print(emulator.url("lib"), flush=True)
    sys.stdin.readline()
"""


class Answer(Struct):
    """The test tool's answer."""

    total: int


@tool
async def search(ctx: Context, page: Annotated[int, Meta(ge=0)]) -> Answer:
    """One request."""
    value = await ctx.http("lib").get("search", params={"page": page}, read=msgspec.json.decode)
    return Answer(value["total"])


class Plugin:
    """The test plugin."""

    @hookimpl
    def sources(self) -> list[Source]:
        return [LIB]

    @hookimpl
    def tools(self) -> list[Any]:
        return [search]


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    """A server in a process of its own, so that it takes no time from either side."""
    with subprocess.Popen(
        [sys.executable, "-c", SERVER], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()


def unhindered(tmp_path: Path, base: str, **fields: Any) -> Settings:
    """Pace, requests in flight and queue raised, cache off."""
    own = SourceSettings(url=base, rate=1_000_000.0, in_flight=IN_FLIGHT, ttl=0.0)
    return Settings(tmp_path, sources={"lib": own}, limits=Limits(queue_depth=10 * REQUESTS), **fields)


class Nothing:
    """What a context needs of a host that only asks."""

    styles: dict[str, Any] = {}
    sources: dict[str, Any] = {}
    licence = None
    store = None

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def articles(self, context: Context) -> None:
        return None


async def polite(service: HttpService) -> float:
    async def ask(number: int) -> None:
        context = Context(cast("Any", Nothing(service.settings)), Owner(), deadline=Deadline(60))
        value = await service.client("lib", context).get("search", params={"page": number}, read=msgspec.json.decode)
        assert value["total"] == 1

    began = time.perf_counter()
    await asyncio.gather(*(ask(number) for number in range(REQUESTS)))
    return time.perf_counter() - began


async def bare(client: httpx.AsyncClient, base: str) -> float:
    gate = asyncio.Semaphore(IN_FLIGHT)

    async def ask(number: int) -> None:
        async with gate:
            response = await client.get(base + "search", params={"page": number})
        response.raise_for_status()
        assert msgspec.json.decode(response.content)["total"] == 1

    began = time.perf_counter()
    await asyncio.gather(*(ask(number) for number in range(REQUESTS)))
    return time.perf_counter() - began


async def tools(host: Host) -> float:
    began = time.perf_counter()
    results = await asyncio.gather(*(host.call("lib_search", {"page": number}) for number in range(REQUESTS)))
    taken = time.perf_counter() - began
    assert all(result.structured["data"]["total"] == 1 for result in results)
    return taken


async def test_throughput_beside_a_bare_loop(tmp_path: Path, base: str, record_property: Any) -> None:
    settings = unhindered(tmp_path, base)
    service = HttpService(settings, {"lib": LIB}, provide_transport=lambda source, settings: None)
    async with httpx.AsyncClient() as client, Host(settings, entries=[], plugins={"lib": Plugin()}) as host:
        async with contextlib.AsyncExitStack() as stack:
            stack.push_async_callback(service.aclose)
            for warm in (polite(service), bare(client, base), tools(host)):
                await warm
            # One after the other, so that a slow moment of the machine meets both.
            times = [(await polite(service), await bare(client, base)) for _ in range(ROUNDS)]
        called = await tools(host)
    ratio = statistics.median(theirs / ours for ours, theirs in times)
    ours, theirs = (statistics.median(column) for column in zip(*times, strict=True))
    text = (
        f"{REQUESTS} requests: ctx.http {REQUESTS / ours:.0f}/s, bare httpx {REQUESTS / theirs:.0f}/s, "
        f"ratio {ratio:.2f}; Host.call {REQUESTS / called:.0f}/s"
    )
    print(text)
    record_property("throughput", text)
    assert ratio >= LEAST_RATIO, text


async def test_at_default_settings_every_call_ends(tmp_path: Path, base: str) -> None:
    """200 calls at the default pace and depth: answers and shed calls add up, and nobody waits past the deadline."""
    settings = Settings(tmp_path, sources={"lib": SourceSettings(url=base)})
    async with Host(settings, entries=[], plugins={"lib": Plugin()}) as host:
        began = time.perf_counter()
        results = await asyncio.gather(*(host.call("lib_search", {"page": n}) for n in range(REQUESTS)))
        taken = time.perf_counter() - began
    codes = Counter(result.structured.get("error", {}).get("code", "ok") for result in results)
    text = f"{dict(codes)} in {taken:.1f} s"
    print(text)
    assert set(codes) <= {"ok", "queue_full"}, text
    assert codes.total() == REQUESTS
    assert codes["ok"] >= settings.limits.queue_depth, text
    assert taken < settings.limits.deadline + 2, text
