"""Data links: grouped by scheme, attention left out, absence told from failure."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from vouched_europepmc.datalinks import HAND_OFF, read_links

pytestmark = pytest.mark.anyio
Ask = Callable[..., Any]


async def test_r16_links_are_grouped_with_title_category_and_origin(ask: Ask) -> None:
    answer = await ask("get_database_links", ids=["99900001"])
    (paper,) = answer["data"]["papers"]
    assert paper["counts"] == {"NCT": 1, "UniProt": 1}
    (link,) = paper["databases"]["UniProt"]
    assert (link["accession"], link["title"]) == ("X9LNT1", "Lantern protein LNT1")
    assert (link["category"], link["obtained_by"]) == ("Genes & Proteins", "tm_accession")
    assert answer["data"]["handoff"]["UniProt"] == HAND_OFF["uniprot"]


async def test_r16_databases_are_chosen_in_any_case(ask: Ask) -> None:
    answer = await ask("get_database_links", ids=["99900001", "99900003"], databases=["uniprot"])
    assert [paper["state"] for paper in answer["data"]["papers"]] == ["ok", "no_match"]


async def test_rows_answer_inputs_none_is_not_missing(ask: Ask) -> None:
    answer = await ask("get_database_links", ids=["99900002", "77777777", "junk", "PMC99900003"])
    assert [paper["state"] for paper in answer["data"]["papers"]] == ["none", "not_found", "invalid", "ok"]


async def test_one_failure_leaves_the_others(ask: Ask, server: Any) -> None:
    server.misbehave("*/99900001/datalinks", "status", status=503, times=None)
    answer = await ask("get_database_links", ids=["99900001", "99900003"])
    assert answer["status"] == "partial"
    assert [paper["state"] for paper in answer["data"]["papers"]] == ["failed", "ok"]


def test_r16_the_recorded_links_are_read_but_for_attention(corpus: Path) -> None:
    links = read_links((corpus / "europepmc-evidence/tests/fixtures/datalinks/med40993380.json").read_bytes())
    assert links is not None
    assert len(links) == 23
    assert not [link for link in links if link.category == "Altmetric"]
    assert Counter(link.scheme for link in links)["ENA"] == 13
    assert all(link.accession for link in links)


@pytest.mark.parametrize(
    "body", [b'{"version":"6.9","request":{"id":"1","source":"MED"}}', b'{"hitCount":0,"request":{}}']
)
def test_no_list_is_no_link(body: bytes) -> None:
    assert read_links(body) == []


async def test_p14_an_unknown_database_says_which_there_are(ask: Ask) -> None:
    answer = await ask("get_database_links", ids=["99900001"], databases=["Nope"])
    (paper,) = answer["data"]["papers"]
    assert (paper["state"], paper["has"]) == ("no_match", {"NCT": 1, "UniProt": 1})
    assert "NCT, UniProt" in answer["warnings"][0]
    assert "'Nope'" in answer["warnings"][0]
    answer = await ask("get_database_links", ids=["99900001"], databases=["Nope", "uni prots", "UniProts"])
    assert answer["data"]["papers"][0]["counts"] == {"UniProt": 1}
    assert "'Nope'" in answer["warnings"][0]
    assert "NCT" in answer["warnings"][0]


async def test_p82_every_row_has_the_standing_of_its_paper(ask: Ask) -> None:
    answer = await ask("get_database_links", ids=["99900009", "99900001", "77777777", "junk"])
    papers = answer["data"]["papers"]
    assert [paper["status"] for paper in papers] == ["retracted", "corrected", "not_checked", "not_checked"]
    assert papers[0]["signals"][0]["notice_id"] == "pmid:99900010"


def many(scheme: str, count: int) -> dict[str, Any]:
    """A category of invented links."""
    links = [
        {"Target": {"Identifier": {"ID": f"X{number:05}", "IDScheme": scheme}, "Title": "An invented sequence"}}
        for number in range(count)
    ]
    return {"Name": scheme, "Section": [{"ObtainedBy": "tm_accession", "Linklist": {"Link": links}}]}


async def test_p94_papers_with_many_links_keep_their_counts_and_the_others_their_links(ask: Ask, server: Any) -> None:
    ids = [str(99900001 + number) for number in range(20)]
    for id_ in ids[:10]:
        body = {"hitCount": 402, "dataLinkList": {"Category": [many("ENA", 400), many("PDB", 2)]}}
        server.misbehave(f"*/{id_}/datalinks", "body", body=body, times=None)
    answer = await ask("get_database_links", ids=ids)
    papers = answer["data"]["papers"]
    assert [paper["input"] for paper in papers] == ids
    assert len(msgspec.json.encode(answer["data"])) <= 20_000
    for paper in papers[:10]:
        assert paper["counts"] == {"ENA": 400, "PDB": 2}
        assert len(paper["databases"]["PDB"]) == 2
        assert len(paper["databases"]["ENA"]) + 2 + paper["left_out"] == paper["total"] == 402
    alone = await ask("get_database_links", ids=ids[12:13])
    assert papers[12] == alone["data"]["papers"][0]
    (warning,) = [text for text in answer["warnings"] if "links are left out" in text]
    assert "artifact:" in warning
    assert f"{sum(paper.get('left_out', 0) for paper in papers):,}" in warning
