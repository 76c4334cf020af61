"""`ctx.articles` through PubMed: which requests it takes, what it accepts as the record asked for, how it fails."""

import json
from typing import Any

import pubmed_xml as made
import pytest
from vouched.api import Article, Id, Missing, Ref
from vouched.testing.emulator import Emulator
from vouched_pubmed.lookup import carries
from vouched_pubmed.resolver import PubmedResolver

pytestmark = pytest.mark.anyio


async def get(call: Any, *ids: Id | Ref) -> list[Article | Missing]:
    found: list[Article | Missing] = await call.host.context().articles.get(ids)
    return found


def state(record: Article | Missing) -> str:
    return record.state if isinstance(record, Missing) else "found"


def paths(server: Emulator) -> list[str]:
    return [entry.path.rpartition("/")[2] for entry in server.log()]


async def test_pmids_take_one_request(call: Any, ncbi: Emulator) -> None:
    ids = [Id("pmid", str(99900001 + n)) for n in range(20)]
    assert [state(record) for record in await get(call, *ids, *ids)] == ["found"] * 40
    assert paths(ncbi) == ["efetch.fcgi"]


async def test_a_doi_in_pmc_takes_the_converter_and_one_fetch(call: Any, ncbi: Emulator) -> None:
    (record,) = await get(call, Id("doi", "10.99999/jir.2023.0001"))
    assert isinstance(record, Article)
    assert paths(ncbi) == ["", "efetch.fcgi"]


async def test_dois_outside_pmc_share_one_search(real_call: Any, real_ncbi: Emulator) -> None:
    dois = ["10.1016/s0140-6736(97)11096-0", "10.1111/jopr.13357", "10.99999/nowhere"]
    records = await get(real_call, *(Id("doi", doi) for doi in dois))
    assert [state(record) for record in records] == ["found", "found", "not_found"]
    assert paths(real_ncbi) == ["", "esearch.fcgi", "efetch.fcgi"]


async def test_a_search_hit_that_does_not_carry_the_id_is_not_it(call: Any, ncbi: Emulator) -> None:
    hit = {"esearchresult": {"count": "1", "idlist": ["99900001"], "querytranslation": ""}}
    ncbi.misbehave("esearch.fcgi", "body", body=json.dumps(hit), media="application/json")
    (record,) = await get(call, Id("doi", "10.99999/somebody.else"))
    assert state(record) == "not_found"


async def test_one_id_that_matches_everything_does_not_crowd_the_others_out(
    real_call: Any, real_ncbi: Emulator
) -> None:
    """More hits than asked for: the list of ids is halved, and the others are still found."""
    many = {"esearchresult": {"count": "5000", "idlist": [str(n) for n in range(1, 9)], "querytranslation": ""}}
    real_ncbi.misbehave("esearch.fcgi", "body", body=json.dumps(many), media="application/json")
    records = await get(real_call, Id("doi", "10.1111/jopr.13357"), Id("nbk", "NBK1403"))
    assert [state(record) for record in records] == ["found", "found"]
    assert paths(real_ncbi).count("esearch.fcgi") == 3


async def test_p01_the_converters_pmid_must_not_contradict_the_record(call: Any, ncbi: Emulator) -> None:
    said = {"status": "ok", "records": [{"pmid": 81, "pmcid": "PMC25977344", "requested-id": "PMC25977344"}]}
    ncbi.misbehave("idconv", "body", body=json.dumps(said), media="application/json")
    other = made.article(pmid="81", ids='<ArticleId IdType="pmc">PMC1</ArticleId>')
    ncbi.misbehave("efetch.fcgi", "body", body=made.whole(other), media="text/xml")
    (record,) = await get(call, Id("pmcid", "PMC25977344"))
    assert state(record) == "identity_mismatch"


async def test_a_bare_number_never_goes_to_pmc(call: Any, ncbi: Emulator) -> None:
    """P01: the same digits are another article's PMC id."""
    await get(call, Id("pmid", "25977344"))
    assert all("pmc" not in str(entry.params.get("db", "")) for entry in ncbi.log())


async def test_in_pmc_but_not_in_pubmed(call: Any, ncbi: Emulator) -> None:
    said = {"status": "ok", "records": [{"pmcid": "PMC9999", "requested-id": "PMC9999"}]}
    ncbi.misbehave("idconv", "body", body=json.dumps(said), media="application/json")
    (record,) = await get(call, Id("pmcid", "PMC9999"))
    assert isinstance(record, Missing)
    assert (record.state, record.reason) == ("not_found", "It is in PMC but not in PubMed.")


async def test_failures_are_named_with_their_source(call: Any, ncbi: Emulator) -> None:
    ncbi.misbehave("efetch.fcgi", "status", times=None, status=503)
    first, second = await get(call, Id("pmid", "1"), Ref("nonsense", None, "It is nothing."))
    assert isinstance(first, Missing)
    assert isinstance(second, Missing)
    assert (first.state, first.source, first.retryable) == ("failed", "eutils", True)
    assert (second.state, second.reason) == ("invalid", "It is nothing.")


async def test_what_is_found_is_kept_in_the_session(call: Any) -> None:
    context = call.host.context()
    await context.articles.get([Id("pmid", "99900001")])
    kept = await context.session.article(Id("doi", "10.99999/jir.2023.0001"))
    assert kept is not None
    assert kept.ids["pmid"] == "99900001"


async def test_a_record_that_cannot_be_read_is_failed_and_the_others_come(call: Any, ncbi: Emulator) -> None:
    deep = made.article(title="<i>" * 210 + "x" + "</i>" * 210, pmid="91")
    ncbi.misbehave("efetch.fcgi", "body", body=made.whole(deep, made.article(pmid="92")), media="text/xml")
    broken, whole = await get(call, Id("pmid", "91"), Id("pmid", "92"))
    assert (state(broken), state(whole)) == ("failed", "found")


def test_rank_and_schemes() -> None:
    resolver = PubmedResolver()
    assert (resolver.rank, list(resolver.schemes)) == (10, ["pmid", "pmcid", "doi", "nbk"])


def test_whether_a_record_names_an_id() -> None:
    record = made.read(ids='<ArticleId IdType="doi">10.99999/A</ArticleId>')
    assert carries(record, Id("doi", "10.99999/a")) is True
    assert carries(record, Id("doi", "10.99999/b")) is False
    assert carries(record, Id("pmcid", "PMC1")) is None
