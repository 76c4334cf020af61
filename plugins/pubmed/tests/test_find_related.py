"""pubmed_find_related: each input keeps its own links, says who knows them and what they cover."""

from typing import Any

import pytest
from vouched.testing.emulator import Emulator

pytestmark = pytest.mark.anyio


def rows(result: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = result.structured["data"]["rows"]
    return found


def linksets(*sets: tuple[str, str, tuple[str, ...]]) -> str:
    """An ELink answer of (id asked, link name, ids linked)."""
    made = ""
    for asked, name, linked in sets:
        links = "".join(f"<Link><Id>{uid}</Id></Link>" for uid in linked)
        named = f"<LinkSetDb><DbTo>pubmed</DbTo><LinkName>{name}</LinkName>{links}</LinkSetDb>" if linked else ""
        made += f"<LinkSet><DbFrom>pubmed</DbFrom><IdList><Id>{asked}</Id></IdList>{named}</LinkSet>"
    return f"<eLinkResult>{made}</eLinkResult>"


async def test_similar_by_default_with_standing_source_and_coverage(call: Any) -> None:
    result = await call("find_related", ids="99900001", limit=3)
    (row,) = rows(result)
    data = result.structured["data"]
    assert (data["relation"], row["state"], row["source"]) == ("similar", "found", "eutils (pubmed_pubmed)")
    assert 0 < len(row["articles"]) <= 3
    assert all(one["status"] and one["title"] for one in row["articles"])
    assert "99900001" not in [one["pmid"] for one in row["articles"]]
    assert data["coverage"]


async def test_p82_each_input_has_its_own_standing(call: Any) -> None:
    found = rows(await call("find_related", ids=["99900009", "99900001", "999999999"]))
    assert [row.get("status") for row in found] == ["retracted", "corrected", None]


@pytest.mark.parametrize("relation", ["similar", "cited_by", "references"])
async def test_coverage_and_source_are_stated(relation: str, call: Any) -> None:
    result = await call("find_related", ids="99900001", relation=relation)
    assert result.structured["data"]["coverage"] in result.text
    if relation == "cited_by":
        assert "lower bound" in result.structured["data"]["coverage"]


async def test_references_tell_how_many_the_record_lists(call: Any) -> None:
    (row,) = rows(await call("find_related", ids="99900001", relation="references"))
    assert (row["total"], row["listed"]) == (3, 3)


async def test_who_was_asked_for_the_standing_is_said_though_nothing_is_linked(call: Any, ncbi: Emulator) -> None:
    ncbi.misbehave("elink.fcgi", "body", body=linksets(("99900009", "pubmed_pubmed", ())), media="text/xml")
    result = await call("find_related", ids="99900009")
    assert rows(result)[0]["status"] == "retracted"
    assert result.structured["data"]["status_checked"].startswith("eutils 20")


async def test_p11_fewer_link_sets_than_ids_and_in_another_order(call: Any, ncbi: Emulator) -> None:
    """Links are known by the id in the answer, never by their place; an id left out is a row that says so."""
    body = linksets(("99900003", "pubmed_pubmed", ("99900006",)), ("99900001", "pubmed_pubmed", ("99900005",)))
    ncbi.misbehave("elink.fcgi", "body", times=None, body=body, media="text/xml")
    result = await call("find_related", ids=["99900001", "99900002", "99900003"])
    first, second, third = rows(result)
    assert [one["pmid"] for one in first["articles"]] == ["99900005"]
    assert [one["pmid"] for one in third["articles"]] == ["99900006"]
    assert (second["state"], second["reason"]) == ("failed", "PubMed left this id out of its answer.")
    assert result.structured["status"] == "partial"


async def test_every_id_is_asked_as_its_own_set(call: Any, ncbi: Emulator) -> None:
    await call("find_related", ids=["99900001", "99900002"])
    (asked,) = [entry for entry in ncbi.log("eutils") if entry.path.endswith("elink.fcgi")]
    assert "99900001,99900002" not in str(asked.params)


async def test_none_is_told_from_a_source_that_does_not_exist(call: Any, ncbi: Emulator) -> None:
    """An invalid source PMID and a record without links are two different answers."""
    ncbi.misbehave("elink.fcgi", "body", body=linksets(("99900001", "pubmed_pubmed", ())), media="text/xml")
    found = rows(await call("find_related", ids=["99900001", "999999999", "x"]))
    assert [row["state"] for row in found] == ["none", "not_found", "invalid"]


async def test_own_id_and_zero_are_no_links(call: Any, ncbi: Emulator) -> None:
    body = linksets(("99900001", "pubmed_pubmed", ("99900001", "0", "99900002", "99900002")))
    ncbi.misbehave("elink.fcgi", "body", body=body, media="text/xml")
    (row,) = rows(await call("find_related", ids="99900001"))
    assert (row["total"], [one["pmid"] for one in row["articles"]]) == (1, ["99900002"])


async def test_the_records_own_list_stands_in_when_the_service_has_no_references(call: Any, ncbi: Emulator) -> None:
    """Failure 2.6.1: references were empty for records outside PMC, which list them themselves."""
    ncbi.misbehave("elink.fcgi", "body", body=linksets(("99900001", "pubmed_pubmed_refs", ())), media="text/xml")
    (row,) = rows(await call("find_related", ids="99900001", relation="references"))
    assert (row["state"], row["source"], row["total"]) == ("found", "the record's own reference list", 3)


@pytest.mark.parametrize(
    "body",
    ["<eLinkResult><ERROR>TXCLIENT::readAll: EOF</ERROR></eLinkResult>", '{"ERROR":"TXCLIENT::readAll: EOF"}'],
)
async def test_p42_a_trace_in_a_success_is_an_error_and_not_none(body: str, call: Any, ncbi: Emulator) -> None:
    """Failure 2.6.12: ELink ends with TXCLIENT EOF for popular articles; it is retried, then told."""
    ncbi.misbehave("elink.fcgi", "body", times=None, body=body, media="text/xml")
    result = await call("find_related", ids="99900001")
    assert result.is_error
    assert result.structured["error"]["retryable"]
    assert "TXCLIENT" not in result.text


async def test_dois_and_pmcids_are_asked_by_their_pmid(call: Any) -> None:
    found = rows(await call("find_related", ids=["PMC99900001", "10.99999/jir.2023.0001"], relation="references"))
    assert [row["pmid"] for row in found] == ["99900001", "99900001"]
    assert found[1]["same_as"] == 1


async def test_the_titles_cannot_be_had_but_the_links_stay(call: Any, ncbi: Emulator) -> None:
    ncbi.misbehave("efetch.fcgi", "status", times=None, skip=1, status=503)
    result = await call("find_related", ids="99900001", relation="references")
    (row,) = rows(result)
    assert [one["status"] for one in row["articles"]] == ["not_checked"] * 3
    assert all(one["pmid"] for one in row["articles"])
    assert any("could not be fetched" in warning for warning in result.structured["warnings"])


async def test_pages_go_on_with_a_cursor(call: Any) -> None:
    ids = [str(99900001 + n) for n in range(18)]
    found: list[dict[str, Any]] = []
    cursor = None
    for _ in range(20):
        result = await call("find_related", ids=ids, limit=20, **({"cursor": cursor} if cursor else {}))
        found += rows(result)
        cursor = result.structured.get("next_cursor")
        if not cursor:
            break
    assert [row["input"] for row in found] == ids
