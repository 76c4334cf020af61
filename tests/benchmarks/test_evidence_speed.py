"""What evidence costs: a table over 20 full texts beside reading them, annotations of 80 papers beside four calls."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import vouched_europepmc
from vouched.api import Access
from vouched.host import Host
from vouched.settings import Settings, SourceSettings
from vouched_europepmc.jats import read_jats

from tests import emulator
from tests.evals.invented import record, search_answer
from tests.evals.paragraphs import OPEN

pytestmark = pytest.mark.benchmark
ROUNDS = 5
TIMES_READING = 3.0
TIMES_ONE_CALL = 4.0
LATENCY = 0.25
PAPERS = 80
FIRST = 99_920_001
ABSTRACT = "They were given fictol daily."
TERMS = {
    "subject": ["patients", "cells", "plants", "participants", "samples"],
    "object": ["increased", "higher", "reduced", "lower", "treatment", "expression", "analysis"],
}


def settings(data: Path, urls: dict[str, str]) -> Settings:
    """No pace, nothing cached from a round before."""
    return Settings(data, sources={name: SourceSettings(url=url, rate=1_000_000.0) for name, url in urls.items()})


@pytest.fixture(scope="module")
def corpus() -> Path:
    folder = emulator.corpus_folder()
    if folder is None:
        pytest.skip("the corpus of real answers (VOUCHED_SHARED) is not here")
    return folder


@pytest.fixture(scope="module")
def elsewhere(corpus: Path) -> Iterator[dict[str, str]]:
    """The services in a process of their own, so that their time is not ours."""
    command = [sys.executable, "-m", "tests.emulator", str(emulator.JOINED), str(corpus)]
    with subprocess.Popen(command, text=True, stdout=subprocess.PIPE, cwd=emulator.ROOT) as process:
        assert process.stdout is not None
        urls: dict[str, str] = {}
        while len(urls) < 5:
            name, _, url = process.stdout.readline().strip().partition("=")
            urls[name.removeprefix("VOUCHED_").removesuffix("_URL").lower()] = url
        yield {name: urls[name] for name in ("europepmc", "annotations")}
        process.terminate()


async def _table(data: Path, urls: dict[str, str]) -> tuple[float, dict[str, Any]]:
    async with Host(settings(data, urls), entries=[], plugins={"europepmc": vouched_europepmc}) as host:
        # What is made once a process (imports, connections, the session's file) is made before.
        await host.call("europepmc_fetch_article", {"ids": ["99900001"], "include_full_text": True})
        began = time.process_time()
        result = await host.call(
            "europepmc_build_evidence_table", {"claim": "speed", "ids": list(OPEN), "terms": TERMS, "limit": 500}
        )
        return time.process_time() - began, result.structured


def _reading(bodies: list[bytes]) -> float:
    began = time.process_time()
    for body in bodies:
        read_jats(body, source="europepmc", url="", retrieved_at="", flags=Access(open=True))
    return time.process_time() - began


def test_a_table_costs_at_most_three_times_reading(corpus: Path, elsewhere: dict[str, str], tmp_path: Path) -> None:
    """CPU of the whole call (20 texts fetched, read, gated, searched, judged) beside `read_jats` on the same bytes."""
    texts = emulator.load((corpus,)).fulltexts
    bodies = [texts[pmcid] for pmcid in OPEN]
    _reading(bodies)
    # Rounds in turn, the best of each: what else the machine does hits both sides alike.
    rounds = [(_reading(bodies), *asyncio.run(_table(tmp_path / str(n), elsewhere))) for n in range(ROUNDS)]
    reading, table = min(one for one, _, _ in rounds), min(one for _, one, _ in rounds)
    papers = rounds[0][2]["data"]["papers"]
    rows = sum(paper["candidates"] for paper in papers)
    size = sum(map(len, bodies)) / len(bodies)
    print(
        f"\n{len(bodies)} texts of {size / 1e3:.0f} kB: reading {reading * 1e3:.0f} ms, table {table * 1e3:.0f} ms "
        f"({table / reading:.2f} times), {rows} candidates"
    )
    assert len(papers) == len(OPEN)
    assert all("full_text" in paper["searched"] for paper in papers)
    assert rows > 50
    assert table <= TIMES_READING * reading


@pytest.fixture(scope="module")
def annotated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """80 invented papers with four annotations each, in the services' formats."""
    folder = tmp_path_factory.mktemp("annotated")
    row = {"prefix": "given", "exact": "fictol", "postfix": "daily.", "tags": [], "provider": "Europe PMC"}
    row |= {"type": "Chemicals", "section": "Abstract (http://purl.org/dc/terms/abstract)"}
    pmids = range(FIRST, FIRST + PAPERS)
    made = {
        "epmc-search/made.json": search_answer([record(pmid, abstractText=ABSTRACT) for pmid in pmids]),
        "epmc-annotations/made.json": [
            {"source": "MED", "extId": str(pmid), "annotations": [row] * 4} for pmid in pmids
        ],
    }  # fmt: skip
    for name, value in made.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(value), "utf-8")
    return folder


async def _timed(work: Callable[[], Awaitable[Any]]) -> float:
    began = time.perf_counter()
    await work()
    return time.perf_counter() - began


async def _annotations(data: Path, urls: dict[str, str]) -> tuple[float, float, int]:
    """(one upstream call, all 80, annotations found), in seconds."""
    ids = [str(FIRST + number) for number in range(PAPERS)]
    async with Host(settings(data, urls), entries=[], plugins={"europepmc": vouched_europepmc}) as host:
        await host.call("europepmc_search_literature", {"query": "warm"})
        one = await _timed(lambda: host.call("europepmc_search_literature", {"query": "cold"}))
        found: list[dict[str, Any]] = []

        async def every() -> None:
            found.append((await host.call("europepmc_get_annotations", {"ids": ids})).structured)

        return one, await _timed(every), found[0]["data"]["total"]


def test_annotations_of_80_papers_take_the_time_of_four_calls(annotated: Path, tmp_path: Path) -> None:
    """Wall clock with a latency of 250 ms for each answer: ten batches and four look-ups, some at a time."""
    with emulator.start(annotated, latency={"europepmc": LATENCY, "annotations": LATENCY}) as server:
        urls = {name: server.url(name) for name in ("europepmc", "annotations")}
        rounds = [asyncio.run(_annotations(tmp_path / str(number), urls)) for number in range(ROUNDS)]
        one, every, total = min(rounds, key=lambda found: found[1] / found[0])
    print(
        f"\none call {one * 1e3:.0f} ms, 80 papers {every * 1e3:.0f} ms ({every / one:.2f} calls), {total} annotations"
    )
    assert total == 4 * PAPERS
    assert every <= TIMES_ONE_CALL * one
