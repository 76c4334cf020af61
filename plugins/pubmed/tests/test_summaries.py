"""Short records out of ESummary's documents."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched_pubmed.summaries import author_names, read_summary, status_of

UPSTREAM = Path(os.environ.get("VOUCHED_SHARED") or Path(__file__).resolve().parents[4] / "shared") / "upstream"


def document(**fields: Any) -> dict[str, Any]:
    return {"title": "A title.", "pubtype": ["Journal Article"], "references": [], **fields}


@pytest.mark.skipif(not UPSTREAM.is_dir(), reason="the corpus is missing (VOUCHED_SHARED)")
def test_a_recorded_summary_is_read_field_by_field() -> None:
    raw = json.loads((UPSTREAM / "pubmed-esummary" / "esummary_json_42802988.json").read_bytes())["result"]["42802988"]
    row = read_summary("42802988", raw)
    assert (row.doi, row.pmcid) == ("10.1155/bmri/4808235", "PMC13617464")
    assert row.authors == ["Imani M", "Lotfi M", "Shahcheraghi SH"]
    assert (row.journal, row.date, row.volume, row.issue, row.pages) == (
        "Biomed Res Int",
        "2026",
        "2026",
        "1",
        "e4808235",
    )
    assert row.types == ["Journal Article", "Review"]
    assert row.status == "none_found"


@pytest.mark.parametrize(
    ("types", "status", "is_notice"),
    [
        (["Journal Article"], "none_found", False),
        (["Journal Article", "Retracted Publication"], "retracted", False),
        (["Retraction of Publication"], "none_found", True),
        (["Retraction of Publication", "Retracted Publication"], "retracted", True),
        (["Published Erratum"], "none_found", True),
        (["Retracted publications, history of"], "none_found", False),
    ],
)
def test_status_rests_on_the_exact_names_of_types(types: list[str], status: str, is_notice: bool) -> None:
    found = status_of(document(pubtype=types))
    assert (found.status, found.is_notice) == (status, is_notice)


def test_a_title_that_says_retracted_does_not_retract_a_notice() -> None:
    row = read_summary("1", document(title="Retracted: Something.", pubtype=["Retraction of Publication"]))
    assert (row.status, row.is_notice) == ("none_found", True)


def test_no_types_at_all_is_not_checked() -> None:
    assert status_of({"title": "A title."}).status == "not_checked"
    # ESummary writes nothing as an empty list.
    assert status_of({"title": "A title.", "pubtype": []}).status == "not_checked"
    assert status_of({"title": "A title.", "pubtype": ["", " "]}).status == "not_checked"


def test_a_link_tells_the_standing_of_a_row_without_a_type() -> None:
    links = [{"refsource": "J Invent Res. 2024;1:1", "reftype": "Retraction in", "pmid": "5"}]
    assert status_of({"title": "A title.", "pubtype": [], "references": links}).status == "retracted"


def test_the_links_of_a_summary_are_notices() -> None:
    links = [
        {"refsource": "J Invent Res. 2024;1:1", "reftype": "Erratum in", "pmid": "5", "note": ""},
        {"refsource": "J Invent Res. 2024;1:2", "reftype": "Expression of concern in", "pmid": "", "note": ""},
        {"refsource": "J Invent Res. 2024;1:3", "reftype": "Comment in", "pmid": "6"},
        {"reftype": "Corrected and republished in", "refsource": "x"},
        "nonsense",
    ]
    found = status_of(document(references=links))
    assert found.status == "concern"
    assert [signal.kind for signal in found.signals] == ["concern", "corrected", "corrected"]
    assert found.signals[1].ids == {"pmid": "5"}


def test_the_whole_roster_is_counted_and_ten_names_are_shown() -> None:
    authors = [{"name": f"Doe A{n}", "authtype": "Author", "clusterid": ""} for n in range(12)]
    row = read_summary("1", document(authors=authors))
    assert (len(row.authors), row.author_count) == (10, 12)


def test_editors_are_no_authors_and_groups_are_marked() -> None:
    authors = [
        {"name": "Adam MP", "authtype": "Editor"},
        {"name": "Invented Group", "authtype": "CollectiveName"},
        {"name": "Doe J", "authtype": "\n Author \n"},
    ]
    assert author_names(document(authors=authors)) == [("Invented Group", True), ("Doe J", False)]


def test_escaped_markup_of_a_title_becomes_text() -> None:
    assert (
        read_summary("1", document(title="&lt;i&gt;E. coli&lt;/i&gt; at p &lt; 0.001")).title == "E. coli at p < 0.001"
    )


def test_text_stays_text() -> None:
    row = read_summary("1", document(volume="08", issue="1.10", pages="1e10"))
    assert (row.volume, row.issue, row.pages) == ("08", "1.10", "1e10")


def test_a_chapter_is_dated_by_itself_and_not_by_the_start_of_its_book() -> None:
    chapter = document(doctype="chapter", pubdate="1993", docdate="2021 Mar 4", booktitle="Invented Reviews")
    row = read_summary("1", chapter)
    assert (row.date, row.journal) == ("2021 Mar 4", "Invented Reviews")


def test_ids_are_read_in_any_case_and_an_empty_pmcid_is_none() -> None:
    ids = [
        {"idtype": "DOI", "value": "10.1/X"},
        {"idtype": "pmc", "value": ""},
        {"idtype": "pmcid", "value": "pmc-id: ;"},
    ]
    row = read_summary("1", document(articleids=ids))
    assert (row.doi, row.pmcid) == ("10.1/X", "")


@pytest.mark.parametrize("missing", [None, {"uid": "9", "error": "cannot get document summary"}])
def test_an_unknown_pmid_is_a_row_with_its_reason(missing: dict[str, Any] | None) -> None:
    row = read_summary("9", missing)
    assert row.problem
    assert row.status == "not_checked"


NAMES = ("title", "authors", "pubtype", "references", "articleids", "volume", "pubdate", "lang", "error")
VALUES = st.none() | st.integers() | st.text(max_size=5)
LISTS = st.lists(st.dictionaries(st.text(max_size=4), st.text(max_size=4)))


@given(st.dictionaries(st.sampled_from(NAMES), VALUES | LISTS))
def test_any_document_gives_a_row(given_document: dict[str, Any]) -> None:
    assert read_summary("1", given_document).pmid == "1"
