"""Data links: grouped by scheme, attention left out, absence told from failure."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
