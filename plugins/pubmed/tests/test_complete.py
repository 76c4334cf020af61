"""Complete walks: past the 9,999 records of one search, added up, resumable."""

import datetime
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched.api import Owner
from vouched.testing.emulator import Emulator
from vouched.testing.exchange import Asked, Reply
from vouched_pubmed.complete import split_days

from tests import emulator

Hosts = Callable[..., Any]
TOOL = "pubmed_search_articles"
CROWDED = "2020-02-10"
EVERYTHING = {"query": "sliceable", "complete": True, "limit": 3}


@pytest.fixture(scope="module")
def crowded() -> Iterator[Emulator]:
    """25,000 records, 10,500 of them made on one day."""
    extra = emulator.synthetic("sliceable", 25_000, per_day=200, crowded={CROWDED: 10_500})
    with emulator.start(corpus=False, extra=[extra]) as server:
        yield server


@given(st.integers(1, 300_000), st.integers(0, 80_000), st.integers(1, 40))
def test_slices_of_days_cover_the_range_once(first: int, length: int, parts: int) -> None:
    ranges = split_days(first, first + length, parts)
    assert ranges[0][0] == first
    assert ranges[-1][1] == first + length
    assert all(start <= end for start, end in ranges)
    assert all(after[0] == before[1] + 1 for before, after in pairwise(ranges))
    assert len(ranges) == min(parts, length + 1)


def test_a_cut_in_two_lies_late_because_pubmed_grows() -> None:
    first, last = datetime.date(1945, 1, 1).toordinal(), datetime.date(2025, 1, 1).toordinal()
    (_, cut), _ = split_days(first, last, 2)
    assert 2000 < datetime.date.fromordinal(cut).year < 2015


@pytest.mark.anyio
async def test_p12_a_complete_walk_gives_every_pmid_once_and_adds_up(crowded: Emulator, host: Hosts) -> None:
    reports: list[tuple[float, float | None, str]] = []

    async def report(done: float, total: float | None, text: str) -> None:
        reports.append((done, total, text))

    async with host(crowded) as asked:
        result = await asked.call(TOOL, EVERYTHING, report=report)
        data = result.structured["data"]
        store = asked.store
        owner = Owner(client="python")
        artifact_id = data["reconciled"]["artifact_id"]
        kept = await store.read_artifact(owner, artifact_id)
        chosen = await asked.call("pubmed_fetch_articles", {"ids": f"artifact:{artifact_id}[0:2]", "view": "brief"})
        run = await store.last(owner)
    assert result.structured["status"] == "ok"
    assert data["reconciled"] == {
        "total_before": 25_000,
        "total_after": 25_000,
        "sum_of_slices": 25_000,
        "unique_pmids": 25_000,
        "consistent": True,
        "artifact_id": artifact_id,
    }
    assert data["pmids"] == ["80025000", "80024999", "80024998"]
    assert data["truncated"] is True
    assert kept.count(b'"80000001"') == 1
    assert any("uid_from" in part for part in data["slices"]), "the crowded day is split by PMID"
    assert sum(part["count"] for part in data["slices"]) == 25_000
    assert reports
    assert not chosen.is_error
    assert run is not None


@pytest.mark.anyio
async def test_a_result_within_the_window_needs_no_slices(invented: Emulator, host: Hosts) -> None:
    invented.clear()
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": "fictol[tiab]", "complete": True})
    data = result.structured["data"]
    assert [entry.path.rpartition("/")[2] for entry in invented.log("eutils")].count("esearch.fcgi") == 2
    assert (data["total"], data["returned"], data["reconciled"]["consistent"]) == (12, 12, True)


@pytest.mark.anyio
async def test_the_summaries_of_the_first_hits_come_with_a_complete_walk(invented: Emulator, host: Hosts) -> None:
    arguments = {"query": "fictol[tiab]", "complete": True, "summaries": True}
    async with host(invented) as asked:
        result = await asked.call(TOOL, arguments | {"limit": 3})
        invented.misbehave("esummary.fcgi", "status", times=None, status=503)
        without = await asked.call(TOOL, arguments | {"limit": 4})
    data = result.structured["data"]
    assert [row["pmid"] for row in data["summaries"]] == data["pmids"]
    assert (data["returned"], data["total"]) == (3, 12)
    assert all(row["status"] for row in data["summaries"])
    assert without.structured["status"] == "partial"
    assert without.structured["data"]["returned"] == 4
    invented.reset()


@pytest.mark.anyio
async def test_nothing_found_is_a_complete_result_without_a_file(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": "qwertyuiop", "complete": True})
    data = result.structured["data"]
    assert result.structured["status"] == "ok"
    assert (data["total"], data["reconciled"]["consistent"]) == (0, True)
    assert not data["reconciled"]["artifact_id"]
    assert not any("artifact" in warning for warning in result.structured["warnings"])


@pytest.mark.anyio
async def test_a_walk_asks_again_what_stands_in_the_cache(crowded: Emulator, host: Hosts) -> None:
    """Its total is of now, so its slices must be."""
    async with host(crowded) as asked:
        crowded.clear()
        await asked.call(TOOL, EVERYTHING)
        first = len(crowded.log("eutils"))
        crowded.clear()
        await asked.call(TOOL, EVERYTHING)
        again = len(crowded.log("eutils"))
    # All but what PubMed says of its own build.
    assert again == first - 1


@pytest.mark.anyio
async def test_the_search_record_of_a_walk_names_the_build_of_pubmed(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        await asked.call(TOOL, {"query": "fictol[tiab]", "complete": True})
        walked = await asked.store.last(Owner(client="python"))
        await asked.call(TOOL, {"query": "fictol[tiab]"})
        plain = await asked.store.last(Owner(client="python"))
        invented.misbehave("einfo.fcgi", "status", times=None, status=503)
    assert walked.source_versions == {"eutils": "PubMed Build-2026.09.18.09.05, last update 2026/09/18 09:05"}
    assert plain.source_versions == {"eutils": "ESearch 0.3"}


@pytest.mark.anyio
async def test_a_walk_does_without_the_build_of_pubmed(invented: Emulator, host: Hosts) -> None:
    invented.misbehave("einfo.fcgi", "status", times=None, status=503)
    async with host(invented, attempts=1) as asked:
        result = await asked.call(TOOL, {"query": "fictol[tiab]", "complete": True})
        run = await asked.store.last(Owner(client="python"))
    invented.reset()
    assert result.structured["status"] == "ok"
    assert any("build could not be asked" in warning for warning in result.structured["warnings"])
    assert run.source_versions == {"eutils": "ESearch 0.3"}


@pytest.mark.anyio
async def test_a_walk_that_is_broken_off_goes_on_with_its_cursor(crowded: Emulator, host: Hosts) -> None:
    async with host(crowded, attempts=1) as asked:
        # A whole walk of these takes 31 searches.
        crowded.misbehave("esearch.fcgi", "status", times=None, skip=27, status=503)
        first = await asked.call(TOOL, EVERYTHING)
        crowded.reset()
        part = first.structured["data"]["reconciled"]
        second = await asked.call(TOOL, EVERYTHING | {"cursor": first.structured["next_cursor"]})
    assert first.structured["status"] == "partial"
    assert 0 < part["unique_pmids"] < 25_000
    assert any("are left" in warning for warning in first.structured["warnings"])
    assert second.structured["status"] == "ok"
    assert second.structured["data"]["reconciled"]["unique_pmids"] == 25_000
    assert "next_cursor" not in second.structured


@pytest.mark.anyio
async def test_a_cursor_whose_walk_is_not_kept_says_to_begin_again(crowded: Emulator, host: Hosts) -> None:
    crowded.misbehave("esearch.fcgi", "status", times=None, skip=27, status=503)
    async with host(crowded, attempts=1) as asked:
        first = await asked.call(TOOL, EVERYTHING)
        stranger = Owner(principal="somebody else")
        second = await asked.call(TOOL, EVERYTHING | {"cursor": first.structured["next_cursor"]}, owner=stranger)
    crowded.reset()
    assert (second.structured["error"]["code"], second.structured["error"]["path"]) == ("invalid_argument", "cursor")
    assert "begin again" in second.structured["error"]["hint"]


@pytest.mark.anyio
async def test_a_walk_that_fails_at_once_is_an_error(invented: Emulator, host: Hosts) -> None:
    invented.misbehave("esearch.fcgi", "status", times=None, status=503)
    async with host(invented, attempts=1) as asked:
        result = await asked.call(TOOL, {"query": "fictol", "complete": True})
    invented.reset()
    assert result.structured["error"]["code"] == "upstream_unreachable"


def _counted(count: int, ids: list[str]) -> Reply:
    return Reply.json({"esearchresult": {"count": str(count), "idlist": ids, "querytranslation": "x"}})


@pytest.mark.anyio
async def test_beyond_the_ceiling_a_walk_is_refused_with_the_way_out(host: Hosts, scripted: Any) -> None:
    with scripted(lambda asked: _counted(319_477, ["1"])) as server:
        async with host(server) as asked:
            result = await asked.call(TOOL, {"query": "cholesterol", "complete": True})
    assert result.structured["error"]["code"] == "invalid_argument"
    assert "100,000" in result.structured["error"]["message"]
    assert "date_from" in result.structured["error"]["hint"]


@pytest.mark.anyio
async def test_a_day_that_cannot_be_split_is_named_incomplete(host: Hosts, scripted: Any) -> None:
    """A service that ignores ranges of PMIDs answers the same ids again: that is seen, and said."""
    many = [str(number) for number in range(1, 10_000)]
    day = datetime.date(2021, 3, 5).toordinal()

    def answer(asked: Asked) -> Reply:
        size = int(asked.get("retmax"))
        found = re.search(r'"(\d+)/(\d+)/(\d+)"\[crdt\] : "(\d+)/(\d+)/(\d+)"', asked.get("term"))
        if found:
            numbers = [int(part) for part in found.groups()]
            first, last = datetime.date(*numbers[:3]).toordinal(), datetime.date(*numbers[3:]).toordinal()
            if not first <= day <= last:
                return _counted(0, [])
        return _counted(12_000, many[:size])

    with scripted(answer) as server:
        async with host(server) as asked:
            result = await asked.call(TOOL, {"query": "x", "complete": True})
    data = result.structured["data"]
    assert result.structured["status"] == "partial"
    assert data["reconciled"]["consistent"] is False
    broken = [part for part in data["slices"] if part.get("problem")]
    assert broken
    assert {part["date_from"] for part in broken} == {"2021/03/05"}
    assert any("2021/03/05" in warning and "incomplete" in warning for warning in result.structured["warnings"])


@pytest.mark.anyio
async def test_records_without_a_create_date_are_missed_and_said(host: Hosts, scripted: Any) -> None:
    def answer(asked: Asked) -> Reply:
        if "[crdt]" not in asked.get("term"):
            return _counted(10_100, [str(number) for number in range(1, 1 + min(9_999, int(asked.get("retmax"))))])
        last = "2026/" in asked.get("term") or "2027/" in asked.get("term")
        return _counted(5, ["1", "2", "3", "4", "5"]) if last else _counted(0, [])

    with scripted(answer) as server:
        async with host(server) as asked:
            result = await asked.call(TOOL, {"query": "x", "complete": True})
    assert result.structured["status"] == "partial"
    assert any("sums do not agree" in warning for warning in result.structured["warnings"])
