"""The session store costs the same on the last day as on the first."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from vouched.article import Article
from vouched.article_parts import AbstractPart, Author
from vouched.journal import Event, Owner, Run, RunChange, SessionStore
from vouched.remote import Exchange
from vouched.services.session import open_store
from vouched.settings import Settings

pytestmark = pytest.mark.benchmark
ME = Owner(client="benchmark")
RUNS, ARTICLES, EDGE = 5_000, 50, 100
MOST = 2.0


def articles(run: int) -> list[Article]:
    """Fifty that no other run has: the store grows, is full after a thousand runs, and then drops as many as come."""
    return [
        Article(
            ids={"pmid": str(number), "doi": f"10.99999/{number}"},
            title=f"Invented result {number}",
            authors=[Author(family="Inventor", given="Ida", initials="I") for _ in range(5)],
            abstract=[AbstractPart("It was invented. " * 60)],
            abstract_state="present",
            source="made",
        )
        for number in range(99_900_001 + run * ARTICLES, 99_900_001 + (run + 1) * ARTICLES)
    ]


async def journal(store: SessionStore, run: int, found: list[Article]) -> None:
    """What one call writes."""
    run_id = f"run-{run}"
    await store.start_run(
        ME, Run(run_id=run_id, session_id="default", tool="made_search", arguments={"query": "q"}, status="running")
    )
    await store.keep_articles(ME, found)
    change = RunChange(
        status="completed",
        query=f"invented AND {run}",
        total=12_345,
        ids=[f"pmid:{article.ids['pmid']}" for article in found],
        sources=[Exchange("made", f"https://made.example/search?page={n}", "ab" * 32) for n in range(2)],
    )
    await store.change_run(ME, run_id, change)
    await store.add_event(ME, Event(kind="made_search", message="completed", run_id=run_id))


async def summary(store: SessionStore) -> None:
    """What the action of that name reads."""
    await store.info(ME)
    await store.last(ME)
    await store.count_found(ME)
    await store.sessions(ME, limit=10)
    await store.runs(ME, limit=10)
    await store.notices(ME)


async def timed(step: Callable[[], Awaitable[None]]) -> float:
    started = time.perf_counter()
    await step()
    return time.perf_counter() - started


async def measure(data: Path) -> tuple[list[float], list[float]]:
    store = open_store(Settings(data=data))
    await store.add_event(ME, Event(kind="start"))
    journaled, read = [], []
    for run in range(RUNS):
        found = articles(run)
        journaled.append(await timed(lambda run=run, found=found: journal(store, run, found)))  # type: ignore[misc]
        if run < EDGE or run >= RUNS - EDGE:
            read.append(await timed(lambda: summary(store)))
    assert (await store.info(ME)).articles == 50_000
    await store.aclose()
    return journaled, read


def test_journaling_and_summary_cost_no_more_after_five_thousand_runs(tmp_path: Path) -> None:
    """Medians of the first and the last hundred, side by side in one run."""
    journaled, read = asyncio.run(measure(tmp_path / "data"))
    for name, times in (("journaling a run of 50 articles", journaled), ("summary", read)):
        first, last = statistics.median(times[:EDGE]), statistics.median(times[-EDGE:])
        print(f"{name}: {first * 1e3:.2f} ms at first, {last * 1e3:.2f} ms after {RUNS}, ratio {last / first:.2f}")
        assert last <= MOST * first, name
