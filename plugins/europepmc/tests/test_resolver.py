"""Ids to records: batches, reconciliation, and what is said of those that are not there."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from vouched.api import Article, Id, Missing, parse_id
from vouched.host import Host
from vouched_europepmc.lookup import canonical_id, find, look_up, service_key, source_and_id
from vouched_europepmc.resolver import OWN, RESOLVER

pytestmark = pytest.mark.anyio
Raw = dict[str, Any]


def page(*rows: Raw) -> Raw:
    return {"version": "6.9", "hitCount": len(rows), "request": {}, "resultList": {"result": list(rows)}}


async def test_r01_every_spelling_finds_the_same_record(host: Host) -> None:
    spellings = [
        "99900001",
        "PMID: 99900001",
        "MED:99900001",
        "PMC99900001",
        "PMCID:PMC99900001",
        "10.99999/JIR.2023.0001",
    ]
    refs = [parse_id(text) for text in spellings]
    found = await look_up(host.context(), refs)
    assert [canonical_id(one) if isinstance(one, Article) else one for one in found] == ["pmid:99900001"] * len(refs)


async def test_p63_a_pmcid_finds_a_paper_that_is_in_pubmed(host: Host) -> None:
    (found,) = await look_up(host.context(), [Id("pmcid", "PMC99900002")])
    assert isinstance(found, Article)
    assert source_and_id(found) == ("MED", "99900002")


async def test_p63_a_doi_with_parentheses_is_quoted(host: Host, server: Any, core: Callable[..., Raw]) -> None:
    doi = "10.1016/s0749-3797(99)00106-3"
    server.misbehave("search", "body", body=page(core(doi=doi.upper())))
    (found,) = await look_up(host.context(), [Id("doi", doi)])
    assert isinstance(found, Article)
    assert server.log("europepmc")[0].params["query"] == f'DOI:"{doi}"'


async def test_p63_what_a_batch_loses_is_asked_alone(host: Host, server: Any, core: Callable[..., Raw]) -> None:
    server.misbehave("search", "body", body=page())
    ids = [Id("pmid", "99900001"), Id("pmid", "99900002"), Id("pmid", "77777777")]
    found = await find(host.context(), ids)
    assert isinstance(found[ids[0]], Article)
    assert isinstance(found[ids[1]], Article)
    lost = found[ids[2]]
    assert isinstance(lost, Missing)
    assert lost.state == "not_found"
    assert len(server.log("europepmc")) == 4


async def test_p63_two_hundred_ids_go_in_batches(host: Host, server: Any) -> None:
    refs = [parse_id(str(99900001 + number % 20)) for number in range(200)]
    found = await look_up(host.context(), refs)
    assert all(isinstance(one, Article) for one in found)
    assert len(server.log("europepmc")) == 1


async def test_two_hundred_unknown_ids_are_each_said_not_to_exist(host: Host) -> None:
    found = await find(host.context(), [Id("pmid", str(88_800_001 + number)) for number in range(200)])
    assert {one.state if isinstance(one, Missing) else str(one) for one in found.values()} == {"not_found"}


async def test_p01_a_record_of_another_id_is_not_taken(host: Host, server: Any, core: Callable[..., Raw]) -> None:
    server.misbehave("search", "body", body=page(core(id="99900003", pmid="99900003")), times=None)
    found = await find(host.context(), [Id("pmid", "99900001")])
    assert isinstance(found[Id("pmid", "99900001")], Missing)


async def test_p10_of_two_records_with_one_doi_the_one_in_pubmed_comes_first_and_both_are_named(
    host: Host, server: Any, core: Callable[..., Raw]
) -> None:
    preprint = core(id="PPR1", source="PPR", pmid=None, pmcid=None)
    server.misbehave("search", "body", body=page(preprint, core()))
    context = host.context()
    (found,) = await look_up(context, [Id("doi", "10.99999/jir.1")])
    assert isinstance(found, Article)
    assert canonical_id(found) == "pmid:99900001"
    (warning,) = context.warnings
    assert all(id_ in warning for id_ in ("doi:10.99999/jir.1", "pmid:99900001", "ppr:PPR1"))


async def test_p75_a_failure_is_not_an_absence(host: Host, server: Any) -> None:
    server.misbehave("search", "status", status=503, times=None)
    found = await RESOLVER.resolve(host.context(), [Id("pmid", "99900001")])
    missing = found[Id("pmid", "99900001")]
    assert isinstance(missing, Missing)
    assert (missing.state, missing.retryable) == ("failed", True)


async def test_p04_one_bad_id_does_not_cost_the_others(host: Host, server: Any) -> None:
    refused = {"errCode": 400, "errMsg": "Malformed query."}
    server.misbehave("search", "body", body=refused, status=400)
    found = await find(host.context(), [Id("pmid", "99900001"), Id("pmid", "99900002")])
    assert all(isinstance(one, Article) for one in found.values())


async def test_rows_answer_inputs(host: Host) -> None:
    refs = [parse_id(text) for text in ("99900002", "nonsense", "99900001", "99900002", "S1")]
    found = await look_up(host.context(), refs)
    assert [canonical_id(one) if isinstance(one, Article) else one.state for one in found] == [
        "pmid:99900002", "invalid", "pmid:99900001", "pmid:99900002", "invalid",
    ]  # fmt: skip


async def test_other_sources_of_europe_pmc_have_schemes_of_their_own(
    host: Host, server: Any, core: Callable[..., Raw]
) -> None:
    raw = core(id="IND99900001", source="AGR", pmid=None, pmcid=None, doi=None)
    server.misbehave("search", "body", body=page(raw))
    result = await host.call("europepmc_fetch_article", {"ids": ["AGR:IND99900001"]})
    assert result.structured["data"]["rows"][0]["id"] == "agr:IND99900001"
    assert json.dumps(server.log("europepmc")[0].params).count("SRC:AGR") == 1
    assert {scheme.name for scheme in RESOLVER.schemes if not isinstance(scheme, str)} == set(OWN)


async def test_a_scheme_that_europe_pmc_does_not_know_is_said(host: Host, server: Any) -> None:
    found = await find(host.context(), [Id("isbn", "123")])
    missing = found[Id("isbn", "123")]
    assert isinstance(missing, Missing)
    assert missing.state == "not_supported"
    assert server.log("europepmc") == []


async def test_records_are_kept_in_the_session(host: Host) -> None:
    context = host.context()
    await look_up(context, [Id("pmid", "99900001")])
    kept = await context.session.article(Id("pmcid", "PMC99900001"))
    assert kept is not None
    assert kept.source == "europepmc"


def test_how_the_other_services_name_a_record() -> None:
    missing = Missing("not_found")
    assert service_key(missing, Id("pmid", "1")) == ("MED", "1")
    assert service_key(missing, Id("doi", "10.1/x")) is None
    assert service_key(missing, None) is None
    assert source_and_id(Article(ids={"pmcid": "PMC5"})) == ("PMC", "PMC5")
    assert source_and_id(Article(ids={"doi": "10.1/x"})) is None
