"""Rates and time: one budget for all who talk to a host, waits are counted, and what arrived is not thrown away."""

import asyncio
import itertools
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from vouched.api import Context, Source, Struct, hookimpl, tool
from vouched.host import Host
from vouched.settings import SourceSettings

from tests import emulator
from tests.emulator import Emulator
from tests.faults.conftest import QUICK

pytestmark = pytest.mark.anyio
MakeHost = Callable[..., Host]
JOINED = [str(99_900_000 + number) for number in range(1, 21)]


class Hits(Struct):
    count: str


class Clinvar:
    """Another plugin that spends the budget of the same host."""

    def __init__(self, base_url: str) -> None:
        @tool
        async def search(ctx: Context, query: str) -> Hits:
            """Count records. For tests. Returns a number."""
            found = await ctx.http("clinvar").get(
                "esearch.fcgi", params={"db": "pubmed", "term": query, "retmode": "json"}, read=msgspec.json.decode
            )
            return Hits(found["esearchresult"]["count"])

        self._hooks = ([Source("clinvar", base_url, rate=3)], [search])

    @hookimpl
    def sources(self) -> Any:
        return self._hooks[0]

    @hookimpl
    def tools(self) -> Any:
        return self._hooks[1]


async def test_p47_a_dozen_calls_at_once_share_one_budget_with_another_plugin(
    server: Emulator, host_over: MakeHost
) -> None:
    """12 searches and 2 calls of a second plugin against a limit: all succeed, none meets a 429, starts are spaced."""
    rate = 20
    server.settle("eutils", limit=rate)
    clinvar = Clinvar("https://eutils.ncbi.nlm.nih.gov/entrez/eutils/")
    url = SourceSettings(url=server.url("eutils"), rate=float(rate))
    async with host_over(rate=float(rate), plugins={"clinvar": clinvar}, sources={"clinvar": url}) as host:
        calls = [host.call("pubmed_search_articles", {"query": f"glimmer {word}"}) for word in "abcdefghijkl"]
        calls += [host.call("clinvar_search", {"query": query}) for query in ("glimmer", "fictol")]
        results = await asyncio.gather(*calls)
    assert [result.text for result in results if result.is_error] == []
    starts = sorted(entry.started for entry in server.log("eutils"))
    assert len(starts) >= 14
    assert server.peak("eutils") <= rate
    # A busy machine may push two starts together, and never all of them.
    assert starts[-1] - starts[0] > 0.9 * (len(starts) - 1) / rate
    assert {entry.status for entry in server.log("eutils")} == {200}


async def test_p49_two_refusals_then_an_answer_with_growing_waits(server: Emulator, host_over: MakeHost) -> None:
    server.misbehave("esearch.fcgi", "rate_limited", retry_after=None, times=2)
    async with host_over(limits={"retry_wait": 0.1, "retry_wait_max": 1.0}) as host:
        result = await host.call("pubmed_search_articles", {"query": "glimmer"})
    assert not result.is_error, result.text
    assert result.structured["provenance"]["sources"][0]["attempts"] == 3
    starts = [entry.started for entry in server.log("eutils") if entry.path.endswith("esearch.fcgi")]
    first, second = (later - earlier for earlier, later in itertools.pairwise(starts[:3]))
    assert second > first >= 0.1


async def test_p49_a_wait_that_does_not_fit_is_a_typed_error(server: Emulator, host_over: MakeHost) -> None:
    server.misbehave("esearch.fcgi", "rate_limited", retry_after=120, times=None)
    async with host_over() as host:
        result = await host.call("pubmed_search_articles", {"query": "glimmer"})
    error = result.structured["error"]
    assert (error["code"], error["retryable"], error["source"]) == ("rate_limited", True, "eutils")
    assert error["retry_after"] == 120
    assert len(server.log("eutils")) == 1


async def test_p53_the_deadline_counts_the_wait_in_the_queue(server: Emulator, host_over: MakeHost) -> None:
    """Calls that wait longer than they may end in time, and what they would have asked is never sent."""
    server.settle("eutils", latency=0.3)
    async with host_over(rate=5.0, limits={"deadline": 1.0}) as host:
        began = asyncio.get_running_loop().time()
        calls = [host.call("pubmed_search_articles", {"query": f"glimmer {number}"}) for number in range(20)]
        results = await asyncio.gather(*calls)
        assert asyncio.get_running_loop().time() - began < 6
        sent = len(server.log("eutils"))
        await asyncio.sleep(0.5)
    late = [result.structured["error"] for result in results if result.is_error]
    assert late
    assert {error["code"] for error in late} <= {"deadline_exceeded", "queue_full"}
    assert any(not result.is_error for result in results)
    assert len(server.log("eutils")) == sent < 20


async def test_p54_one_item_that_never_answers_does_not_cost_the_others(server: Emulator, host_over: MakeHost) -> None:
    open_ones = ["PMC99900001", "PMC99900008", "PMC99900016"]
    server.misbehave("PMC99900008/fullTextXML", "stall", seconds=20, times=None)
    limits = {"request_timeout": 0.3, "attempts": 1, "deadline": 5.0}
    async with host_over(limits=limits) as host:
        result = await host.call("europepmc_fetch_article", {"ids": open_ones, "include_full_text": True})
    told = result.structured
    assert told["status"] == "partial", result.text
    rows = {row["input"]: row for row in told["data"]["rows"]}
    assert list(rows) == open_ones
    assert "text" in rows["PMC99900001"]
    assert "text" not in rows["PMC99900008"]
    assert "in time" in str(rows["PMC99900008"])
    faults = [source.get("fault") for source in told["provenance"]["sources"]]
    assert faults.count("upstream_timeout") == 1


async def test_p98_a_long_call_ends_by_its_deadline_with_what_it_has(server: Emulator, host_over: MakeHost) -> None:
    """A client that sends no progress token stops waiting at 30 or 60 seconds: the call is done well before."""
    server.misbehave("PMC99900008/fullTextXML", "stall", seconds=20, times=None)
    ids = ["PMC99900001", "PMC99900008", "PMC99900016"]
    seen: list[float] = []

    async def report(done: float, total: float | None, text: str) -> None:
        seen.append(done)

    async with host_over(ttl=0, limits={"deadline": 1.0}) as host:
        for reporting in (None, report):
            began = asyncio.get_running_loop().time()
            arguments = {"ids": ids, "include_full_text": True}
            result = await host.call("europepmc_fetch_article", arguments, report=reporting)
            assert asyncio.get_running_loop().time() - began < 6
            assert result.structured["status"] == "partial", result.text
            assert "text" in result.structured["data"]["rows"][0]
    assert seen == sorted(set(seen))


@pytest.mark.parametrize("tool", ["pubmed_fetch_articles", "icite_get_citation_metrics", "citeformat_format_citations"])
async def test_p98_a_call_that_has_nothing_by_its_deadline_is_a_typed_error(
    tool: str, server: Emulator, host_over: MakeHost
) -> None:
    server.misbehave("*", "stall", seconds=20, times=None)
    async with host_over(limits={"deadline": 0.5}) as host:
        began = asyncio.get_running_loop().time()
        error = (await host.call(tool, {"ids": JOINED})).structured["error"]
        assert asyncio.get_running_loop().time() - began < 6
    assert (error["code"], error["retryable"]) == ("deadline_exceeded", True)


def test_the_limits_of_these_tests_keep_the_proportions_of_the_defaults() -> None:
    defaults = type(QUICK)()
    assert QUICK.retry_wait < QUICK.retry_wait_max < QUICK.request_timeout < QUICK.deadline
    assert defaults.retry_wait < defaults.retry_wait_max < defaults.request_timeout < defaults.deadline
    assert emulator.JOINED.is_dir()
