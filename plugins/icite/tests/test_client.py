"""Answers of iCite's API, and many PMIDs in several requests."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched.api import Fault, UpstreamInvalid, UpstreamRejected
from vouched.testing.exchange import Asked, Reply
from vouched_icite.client import collect, read_pubs

ICITE = Path(os.environ.get("VOUCHED_SHARED") or Path(__file__).resolve().parents[4] / "shared") / "upstream" / "icite"
needs_corpus = pytest.mark.skipif(not ICITE.is_dir(), reason="the corpus is missing (VOUCHED_SHARED)")
FILES = sorted(ICITE.glob("*")) if ICITE.is_dir() else []


@needs_corpus
@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".json"], ids=lambda path: path.name)
def test_every_recorded_answer_is_read(path: Path) -> None:
    value = json.loads(path.read_bytes())
    if "data" not in value and "pmid" not in value:
        # A paper without its PMID, from a page of help.
        with pytest.raises(UpstreamInvalid):
            read_pubs(path.read_bytes())
        return
    page = read_pubs(path.read_bytes())
    assert list(page.papers) == [str(row["pmid"]) for row in value["data"]]
    assert page.unreadable == 0


@needs_corpus
@pytest.mark.parametrize("path", [path for path in FILES if path.suffix != ".json"], ids=lambda path: path.name)
def test_tables_and_pages_of_help_are_no_answer(path: Path) -> None:
    with pytest.raises(UpstreamInvalid):
        read_pubs(path.read_bytes())


def test_one_bare_paper_is_an_answer_of_one() -> None:
    assert list(read_pubs(b'{"pmid": 1, "title": "x"}').papers) == ["1"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>down</html>",
        b'{"data": "soon"}',
        b"[]",
        b'{"meta": {}}',
        b'{"data": [{"pmid": 1}',
        b"null",
        b"\xff\xfe",
    ],
)
def test_what_is_no_answer_is_a_retryable_fault(body: bytes) -> None:
    with pytest.raises(UpstreamInvalid) as raised:
        read_pubs(body)
    assert raised.value.retryable


@pytest.mark.parametrize("body", [b'{"data": [{"pmid": null}]}', b'[{"x": 1}]', b'{"data": [[], 5]}'])
def test_an_answer_of_which_no_row_can_be_read_is_a_fault(body: bytes) -> None:
    with pytest.raises(UpstreamInvalid) as raised:
        read_pubs(body)
    assert raised.value.retryable


def test_an_answer_without_rows_is_an_answer() -> None:
    assert read_pubs(b'{"data": []}').papers == {}


def test_a_refusal_keeps_icites_words() -> None:
    with pytest.raises(UpstreamRejected, match="Bad Request"):
        read_pubs(b'{"error": "Bad Request"}')


@given(st.binary(max_size=300))
def test_any_bytes_give_an_answer_or_a_typed_error(body: bytes) -> None:
    try:
        page = read_pubs(body)
    except Fault as fault:
        assert fault.code.startswith("upstream")  # noqa: PT017
    else:
        assert isinstance(page.papers, dict)


def row(pmid: str) -> dict[str, Any]:
    return {"pmid": int(pmid), "title": f"Paper {pmid}", "citation_count": 1}


def answers(asked: Asked) -> Reply:
    return Reply.json({"data": [row(pmid) for pmid in reversed(asked.get("pmids").split(","))]})


@pytest.mark.anyio
async def test_p69_a_thousand_pmids_are_five_requests_of_200(host: Callable[..., Any], scripted: Any) -> None:
    pmids = [str(number) for number in range(1, 1001)]
    with scripted(answers) as server:
        async with host(server) as asked:
            found = await collect(asked.context(), pmids)
        sizes = [len(entry.params["pmids"].split(",")) for entry in server.log()]
    assert sizes == [200] * 5
    assert list(found.papers) == pmids
    assert (found.not_indexed, found.failed) == ([], [])


@pytest.mark.anyio
async def test_201_pmids_are_two_requests_that_run_together(host: Callable[..., Any], scripted: Any) -> None:
    with scripted(answers) as server:
        server.misbehave("icite", "slow", times=None, seconds=0.3, pieces=2)
        async with host(server) as asked:
            await collect(asked.context(), [str(number) for number in range(1, 202)])
        first, second = server.log()
    assert second.started < first.started + 0.25


@pytest.mark.anyio
async def test_p68_absent_failed_and_indexed_are_three_things(host: Callable[..., Any], scripted: Any) -> None:
    def answer(asked: Asked) -> Reply:
        pmids = asked.get("pmids").split(",")
        if "300" in pmids:
            return Reply.text("<html>down</html>", 503)
        return Reply.json({"data": [row(pmid) for pmid in pmids if pmid != "7"]})

    with scripted(answer) as server:
        async with host(server, attempts=1) as asked:
            found = await collect(asked.context(), [str(number) for number in range(1, 301)])
    assert found.not_indexed == ["7"]
    assert found.failed == [str(number) for number in range(201, 301)]
    assert len(found.papers) == 199
    assert found.reasons


@pytest.mark.anyio
async def test_a_row_that_cannot_be_read_makes_absent_papers_failed_and_not_unindexed(
    host: Callable[..., Any], scripted: Any
) -> None:
    with scripted(lambda asked: Reply.json({"data": [row("1"), {"pmid": None, "title": "?"}]})) as server:
        async with host(server) as asked:
            found = await collect(asked.context(), ["1", "2"])
    assert list(found.papers) == ["1"]
    assert (found.not_indexed, found.failed) == ([], ["2"])


@pytest.mark.anyio
async def test_p55_papers_behind_an_unreadable_row_are_asked_again_and_never_out_of_the_cache(
    host: Callable[..., Any], scripted: Any
) -> None:
    broken = [True]

    def answer(asked: Asked) -> Reply:
        pmids = asked.get("pmids").split(",")
        return Reply.json({"data": [{"title": "?"} if broken[0] and pmid == "2" else row(pmid) for pmid in pmids]})

    with scripted(answer) as server:
        async with host(server) as asked:
            first = await collect(asked.context(), ["1", "2"])
            broken[0] = False
            second = await collect(asked.context(), ["1", "2"])
        sent = [entry.params["pmids"] for entry in server.log()]
    assert first.failed == ["2"]
    assert (list(second.papers), second.failed) == (["1", "2"], [])
    assert sent[0] == "1,2"
    assert set(sent[1:]) == {"2"}


@pytest.mark.anyio
async def test_rows_nobody_asked_for_are_left_out(host: Callable[..., Any], scripted: Any) -> None:
    with scripted(lambda asked: Reply.json({"data": [row("1"), row("99")]})) as server:
        async with host(server) as asked:
            found = await collect(asked.context(), ["1"])
    assert list(found.papers) == ["1"]


@pytest.mark.anyio
async def test_a_failure_of_everything_is_a_fault(host: Callable[..., Any], scripted: Any) -> None:
    with scripted(lambda asked: Reply.text("<html>down</html>", 503)) as server:
        async with host(server, attempts=1) as asked:
            with pytest.raises(Fault) as raised:
                await collect(asked.context(), ["1"])
    assert raised.value.retryable
