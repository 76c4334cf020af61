"""The standing of real records is the same in search rows, records, matched citations and metrics."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import vouched_icite
import vouched_pubmed
from vouched.api import Id, Owner
from vouched.testing import emulator as engine
from vouched.testing.emulator import Emulator
from vouched.testing.exchange import Asked, Reply, Service

from tests import emulator

pytestmark = pytest.mark.anyio

# PMID -> (status, is a notice, kinds of signal that must be there).
STANDING = {
    # Its title says Retracted, and it is the notice.
    "34097317": ("none_found", True, {"retraction_notice"}),
    # Article and notice carry one title.
    "27602157": ("retracted", False, {"retracted"}),
    "34093767": ("none_found", True, {"retraction_notice"}),
    # Erratum, concern and retraction at once.
    "9500320": ("retracted", False, {"retracted", "concern", "corrected"}),
}


def _matched(asked: Asked) -> Reply:
    """ECitMatch that finds the PMID given as the volume."""
    rows = asked.get("bdata").split("\r")
    return Reply.text("".join(f"{row}{row.split('|')[2]}\n" for row in rows))


def _metrics(asked: Asked) -> Reply:
    return Reply.json({"data": [{"pmid": int(pmid), "citation_count": 1} for pmid in asked.get("pmids").split(",")]})


@pytest.fixture(scope="module")
def services() -> Iterator[Emulator]:
    """E-utilities over the corpus, with a matcher and an iCite that know every PMID."""
    if emulator.corpus_folder() is None:
        pytest.skip("the corpus of upstream responses (VOUCHED_SHARED) is missing")
    whole = {service.name: service for service in emulator.services(emulator.load(emulator.folders()))}
    eutils = whole["eutils"]

    def answer(asked: Asked) -> Reply:
        return _matched(asked) if asked.path == "ecitmatch.cgi" else eutils.answer(asked)

    made = [Service("eutils", eutils.prefix, answer), Service("icite", "/icite/api/", _metrics)]
    with engine.start(made) as server:
        yield server


@pytest.fixture
def host(services: Emulator, vouched_host: Callable[..., Any]) -> Any:
    urls = {name: services.url(name) for name in ("eutils", "icite")}
    return vouched_host({"pubmed": vouched_pubmed, "icite": vouched_icite}, urls=urls)


async def test_search_rows(host: Any) -> None:
    query = " OR ".join(f"{pmid}[uid]" for pmid in STANDING)
    async with host as asked:
        result = await asked.call("pubmed_search_articles", {"query": query, "summaries": True})
    rows = {row["pmid"]: row for row in result.structured["data"]["summaries"]}
    for pmid, (status, is_notice, signals) in STANDING.items():
        assert (rows[pmid]["status"], rows[pmid].get("is_notice", False)) == (status, is_notice), pmid
        assert signals <= set(rows[pmid]["signals"]), pmid


async def test_records(host: Any) -> None:
    async with host as asked:
        result = await asked.call("pubmed_fetch_articles", {"ids": list(STANDING), "view": "full"})
        session = asked.context(Owner(client="python")).session
        kept = {pmid: await session.article(Id("pmid", pmid)) for pmid in STANDING}
    assert not result.is_error
    for pmid, (status, is_notice, signals) in STANDING.items():
        article = kept[pmid]
        assert article is not None, pmid
        assert (article.status.status, article.status.is_notice) == (status, is_notice), pmid
        assert signals <= {signal.kind for signal in article.status.signals}, pmid


async def test_matched_citations(host: Any) -> None:
    citations = [{"journal": "x", "year": "2020", "volume": pmid} for pmid in STANDING]
    async with host as asked:
        result = await asked.call("pubmed_lookup_citation", {"citations": citations})
    for row, (pmid, (status, is_notice, _)) in zip(result.structured["data"]["results"], STANDING.items(), strict=True):
        assert row["pmid"] == pmid
        assert (row["record"]["status"], row["record"].get("is_notice", False)) == (status, is_notice), pmid


async def test_metrics(host: Any) -> None:
    async with host as asked:
        result = await asked.call("icite_get_citation_metrics", {"ids": list(STANDING)})
    rows = {row["pmid"]: (row["status"], row["is_notice"]) for row in result.structured["data"]["results"]}
    assert rows == {pmid: (status, is_notice) for pmid, (status, is_notice, _) in STANDING.items()}
