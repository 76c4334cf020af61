"""A notice of retraction repeats the claim that it takes back: no tool may pass it off as a paper that finds it.

And every answer that shows a retracted paper says so at its top.
"""

from collections.abc import Callable
from typing import Any

import pytest
from vouched.api import Owner

pytestmark = pytest.mark.anyio
Ask = Callable[..., Any]
NOTICE = "Notices about another paper, with no findings of their own: pmid:99900010 (RetractionOf pmid:99900009)."
RETRACTED = "Retracted, withdrawn or of concern: pmid:99900009 (retracted)."
TERMS = {"subject": ["fictol"], "object": ["lantern fever"]}


async def test_p82_a_candidate_from_a_notice_is_labelled_and_comes_last(ask: Ask) -> None:
    answer = await ask("build_evidence_table", claim="c", ids=["99900010", "99900002"], terms=TERMS)
    rows = answer["data"]["candidate_evidence"]
    of_notice = [row for row in rows if row["id"] == "pmid:99900010"]
    assert of_notice
    assert rows[-len(of_notice) :] == of_notice
    for row in of_notice:
        assert (row["is_notice"], row["notice_of"]) == (True, ["RetractionOf pmid:99900009"])
        assert row["labels"] == ["notice"]
    assert not any("is_notice" in row for row in rows if row not in of_notice)
    papers = {paper["id"]: paper for paper in answer["data"]["papers"]}
    assert papers["pmid:99900010"]["is_notice"] is True
    assert papers["pmid:99900010"]["notice_of"] == ["RetractionOf pmid:99900009"]
    assert "is_notice" not in papers["pmid:99900002"]
    assert NOTICE in answer["warnings"]


@pytest.mark.parametrize(
    ("tool", "arguments", "row"),
    [
        (
            "verify_quotes",
            {"quotes": [{"id": "99900010", "text": "Fictol cures lantern fever in a single day."}]},
            lambda data: data["papers"][0],
        ),
        ("get_annotations", {"ids": ["99900010"]}, lambda data: data["articles"][0]),
        ("get_database_links", {"ids": ["99900010"]}, lambda data: data["papers"][0]),
        ("fetch_article", {"ids": ["99900010"]}, lambda data: data["rows"][0]),
        ("get_citation_network", {"ids": ["99900010"]}, lambda data: data["paper"]),
        ("search_literature", {"query": "EXT_ID:99900010"}, lambda data: data["records"][0]),
    ],
)
async def test_p82_every_tool_says_that_a_notice_is_one(
    ask: Ask, tool: str, arguments: dict[str, Any], row: Callable[[Any], dict[str, Any]]
) -> None:
    answer = await ask(tool, **arguments)
    assert row(answer["data"])["is_notice"] is True
    assert NOTICE in answer["warnings"]


async def test_p82_a_search_names_the_retracted_of_the_rows_it_shows(ask: Ask) -> None:
    whole = await ask("search_literature", query="TITLE:fictol", limit=50)
    assert RETRACTED in whole["warnings"]
    first = await ask("search_literature", query="EXT_ID:99900001")
    assert "warnings" not in first


async def test_p82_a_reference_list_names_the_retracted_of_its_rows(ask: Ask) -> None:
    answer = await ask("get_citation_network", ids=["99900014"], direction="references")
    shown = [row for row in answer["data"]["rows"] if row["status"] == "retracted"]
    assert shown
    (line,) = [text for text in answer["warnings"] if text.startswith("Retracted, withdrawn or of concern: ")]
    assert all(f"{row['id']} (retracted)" in line for row in shown)


async def test_the_record_of_a_search_has_the_query_as_it_was_given(ask: Ask, host: Any) -> None:
    """Filters and parentheses of ours stand apart, under `sent`."""
    answer = await ask("search_literature", query=" fictol ", date_from="2018")
    run = await host.store.run(Owner(client="python"), answer["provenance"]["run_id"])
    assert run.query.strip() == "fictol"
    assert run.notes["sent"] == answer["data"]["query"] == "(fictol) AND FIRST_PDATE:[2018-01-01 TO 3000-12-31]"


async def test_the_record_of_a_list_of_citations_names_no_query(ask: Ask, host: Any) -> None:
    answer = await ask("get_citation_network", ids=["99900001"], direction="references")
    run = await host.store.run(Owner(client="python"), answer["provenance"]["run_id"])
    assert (run.query, run.notes["direction"]) == ("", "references")
