"""The whole host against services that are slow, strict or away: budget, deadline, record, replay, verify."""

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from vouched.api import Context, Source, Struct, hookimpl, tool
from vouched.cli import main
from vouched.host import Host
from vouched.settings import Limits, Settings, SourceSettings
from vouched.testing.emulator import Emulator, start
from vouched.testing.exchange import Asked, Reply, Service

from tests import emulator as services

BASE = "https://shared.example.org/"


class Echo(Struct):
    """What the test's tools answer."""

    path: str


class Pair:
    """Two plugins, each with one tool that asks twice, on one service."""

    def __init__(self, source: str) -> None:
        @tool
        async def look(ctx: Context, query: str) -> Echo:
            """Two requests, as a search and its summaries are."""
            for step in ("search", "fetch"):
                await ctx.http(source).get(f"{step}/{{}}", query, read=msgspec.json.decode)
            return Echo(query)

        self._source, self._tool = source, look

    @hookimpl
    def sources(self) -> list[Source]:
        return [Source(self._source, f"{BASE}{self._source}/", rate=10)]

    @hookimpl
    def tools(self) -> list[Any]:
        return [self._tool]


@pytest.fixture(scope="module")
def running() -> Iterator[Emulator]:
    def answer(asked: Asked) -> Reply:
        return Reply.json({"path": asked.path})

    with start([Service("one", "/one/", answer), Service("two", "/two/", answer)]) as emulator:
        yield emulator


@pytest.fixture
def emulator(running: Emulator) -> Emulator:
    running.reset()
    return running


def host(tmp_path: Path, emulator: Emulator, **limits: Any) -> Host:
    settings = Settings(
        tmp_path,
        sources={name: SourceSettings(url=emulator.url(name)) for name in ("one", "two")},
        limits=Limits(retry_wait=0.01, retry_wait_max=0.1, **limits),
    )
    return Host(settings, entries=[], plugins={"first": Pair("one"), "second": Pair("two")})


@pytest.mark.anyio
async def test_p47_twelve_tool_calls_of_two_plugins_keep_one_limit(tmp_path: Path, emulator: Emulator) -> None:
    emulator.misbehave("one", "status", status=503, times=2)
    emulator.misbehave("two", "rate_limited", retry_after=None, times=1)
    async with host(tmp_path, emulator) as both:
        calls = [both.call(f"{('first', 'second')[n % 2]}_look", {"query": f"q{n}"}) for n in range(12)]
        results = await asyncio.gather(*calls)
    assert [result.structured["status"] for result in results] == ["ok"] * 12
    assert len(emulator.log("one", "two")) == 24 + 3
    assert emulator.peak("one", "two") <= 10


@pytest.mark.anyio
async def test_p53_thirty_tool_calls_end_by_their_deadline(tmp_path: Path, emulator: Emulator) -> None:
    emulator.settle("one", latency=20)
    async with host(tmp_path, emulator, deadline=1.0) as slow:
        began = time.monotonic()
        results = await asyncio.gather(*(slow.call("first_look", {"query": f"q{n}"}) for n in range(30)))
        taken = time.monotonic() - began
    codes = [result.structured["error"]["code"] for result in results]
    assert set(codes) == {"queue_full", "deadline_exceeded"}
    assert taken < 2.0
    assert len(emulator.log("one")) == 4
    assert all(result.structured["error"]["retryable"] for result in results)


@pytest.fixture
def literature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Emulator]:
    with services.start(corpus=False) as emulator:
        for name, value in {
            **emulator.environment(),
            "VOUCHED_DATA": str(tmp_path / "data"),
            "VOUCHED_ARCHIVE": "1",
            "NCBI_API_KEY": "SECRET123",
            "NCBI_EMAIL": "reader@example.org",
        }.items():
            monkeypatch.setenv(name, value)
        yield emulator


Say = Callable[..., tuple[int, str]]


@pytest.fixture
def vouched(capsys: pytest.CaptureFixture[str]) -> Say:
    """`vouched(…)` as on the command line: exit code and output."""

    def run(*arguments: str) -> tuple[int, str]:
        code = main(list(arguments))
        return code, capsys.readouterr().out

    return run


def test_record_then_replay_offline_then_verify(
    tmp_path: Path, literature: Emulator, vouched: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded, question = tmp_path / "recorded", '{"query": "invented", "limit": 5}'
    code, said = vouched("record", "pubmed_search_articles", question, "--into", str(recorded))
    assert code == 0, said
    content = "".join(path.read_text("utf-8") for path in recorded.iterdir())
    assert "esearch.fcgi" in content
    assert not any(secret in content for secret in ("SECRET123", "reader@example.org", "reader%40"))
    code, said = vouched("call", "--json", "pubmed_search_articles", question)
    online = msgspec.json.decode(said)
    # The run is verified from the archive, and nobody is asked.
    literature.clear()
    code, said = vouched("verify", online["provenance"]["run_id"])
    assert (code, said.partition(":")[0]) == (0, "identical")
    monkeypatch.setenv("VOUCHED_RECORDINGS", str(recorded))
    code, said = vouched("call", "--offline", "--json", "pubmed_search_articles", question)
    offline = msgspec.json.decode(said)
    assert offline["data"]["pmids"] == online["data"]["pmids"]
    hashes = [[s["content_sha256"] for s in answer["provenance"]["sources"]] for answer in (online, offline)]
    assert hashes[0] == hashes[1]
    code, said = vouched("call", "--offline", "--json", "pubmed_search_articles", '{"query": "confidential words"}')
    error = msgspec.json.decode(said)["error"]
    assert (code, error["code"], error["source"]) == (1, "offline", "eutils")
    assert "esearch.fcgi" in error["message"]
    assert "confidential" not in error["message"]
    assert literature.log() == []
