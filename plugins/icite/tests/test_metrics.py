"""Tolerant reading of one paper's row."""

import csv
import datetime
import json
import math
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched_icite.metrics import Metrics, fiscal_year, missing_reason, read_metrics

ICITE = Path(os.environ.get("VOUCHED_SHARED") or Path(__file__).resolve().parents[4] / "shared") / "upstream" / "icite"
NOVEMBER = datetime.date(2026, 11, 30)
NUMBERS = (
    "citation_count",
    "relative_citation_ratio",
    "nih_percentile",
    "citations_per_year",
    "expected_citations_per_year",
    "field_citation_rate",
    "apt",
    "human",
    "animal",
    "molecular_cellular",
    "year",
)


def recorded() -> list[dict[str, Any]]:
    """Every row of the corpus: JSON of both shapes, and CSV, whose numbers are text."""
    rows: list[dict[str, Any]] = []
    for path in sorted(ICITE.glob("*.json")):
        value = json.loads(path.read_bytes())
        rows += value.get("data", [value])
    for path in sorted(ICITE.glob("*.csv")):
        with path.open(newline="", encoding="utf-8-sig") as lines:
            rows += csv.DictReader(lines)
    return rows


@pytest.mark.skipif(not ICITE.is_dir(), reason="the corpus is missing (VOUCHED_SHARED)")
def test_every_row_of_the_corpus_is_read_whole() -> None:
    rows = recorded()
    assert len(rows) > 30
    for row in rows:
        paper = read_metrics(row)
        if "pmid" not in row:
            # A page of iCite's help shows a paper without its PMID.
            assert paper is None
            continue
        assert paper is not None
        assert paper.pmid == str(row["pmid"])
        for name in NUMBERS:
            value = row.get(name)
            expected = None if value in (None, "") else float(value)
            assert getattr(paper, name) == expected, name
        for name in ("is_research_article", "is_clinical", "provisional"):
            value = str(row.get(name, "")).lower()
            assert getattr(paper, name) == {"yes": True, "true": True, "no": False, "false": False}.get(value)
        for name in ("cited_by", "references", "cited_by_clin"):
            value = row.get(name)
            pmids = value.split() if isinstance(value, str) else [str(pmid) for pmid in value or []]
            assert list(getattr(paper, name) or ()) == list(dict.fromkeys(pmids))


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (46, 46),
        ("46", 46),
        (46.0, 46),
        ("46.0", 46),
        (None, None),
        ("", None),
        ("many", None),
        (-1, None),
        (True, None),
    ],
)
def test_p69_counts_come_as_integers_text_or_whole_floats(value: Any, number: int | None) -> None:
    paper = read_metrics({"pmid": "1", "citation_count": value})
    assert paper is not None
    assert paper.citation_count == number
    assert isinstance(paper.citation_count, int | None)


@pytest.mark.parametrize("value", [math.nan, math.inf, "nan", "-inf"])
def test_a_number_that_is_none_is_null(value: Any) -> None:
    paper = read_metrics({"pmid": 1, "relative_citation_ratio": value})
    assert paper is not None
    assert paper.relative_citation_ratio is None


@pytest.mark.parametrize(
    ("value", "flag"),
    [("Yes", True), ("No", False), (True, True), (False, False), ("TRUE", True), (0, False), (1.0, True), (None, None)],
)
def test_p69_flags_come_as_words_or_booleans(value: Any, flag: bool | None) -> None:
    paper = read_metrics({"pmid": 23456789, "is_research_article": value, "provisional": value})
    assert paper is not None
    assert (paper.is_research_article, paper.provisional) == (flag, flag)


def test_p68_null_stays_null_and_zero_stays_zero() -> None:
    paper = read_metrics({"pmid": 28968381, "citation_count": 0, "relative_citation_ratio": None})
    assert paper is not None
    assert (paper.citation_count, paper.relative_citation_ratio) == (0, None)


@pytest.mark.parametrize("pmid", [28968381, "28968381", 28968381.0, "PMID: 28968381"])
def test_p69_pmids_come_as_numbers_or_text(pmid: Any) -> None:
    paper = read_metrics({"pmid": pmid})
    assert paper is not None
    assert paper.pmid == "28968381"


def test_database_names_are_read_too() -> None:
    paper = read_metrics({"_id": "1", "rcr": 1.5, "nihRcrPercentile": 60, "molCell": 0.5, "ecr": 2, "fcr": 3, "acr": 4})
    assert paper is not None
    assert (paper.relative_citation_ratio, paper.nih_percentile, paper.molecular_cellular) == (1.5, 60, 0.5)
    assert (paper.expected_citations_per_year, paper.field_citation_rate, paper.citations_per_year) == (2, 3, 4)


def test_the_old_null_for_no_clinical_citation_is_an_empty_list_and_an_absent_field_is_not() -> None:
    assert read_metrics({"pmid": 1, "cited_by_clin": None}) == Metrics(pmid="1", cited_by_clin=[])
    assert read_metrics({"pmid": 1}) == Metrics(pmid="1")


@pytest.mark.parametrize("row", [None, [], "text", {}, {"pmid": None}, {"pmid": "x"}, {"pmid": 0}, {"title": "none"}])
def test_what_is_no_row_of_a_paper_is_none(row: Any) -> None:
    assert read_metrics(row) is None


@given(
    st.dictionaries(
        st.sampled_from(["pmid", *NUMBERS, "title", "provisional", "cited_by", "cited_by_clin", "authors"]),
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(max_size=6)
        | st.lists(st.integers(), max_size=3),
    )
)
def test_any_row_is_read_or_refused_whole(row: dict[str, Any]) -> None:
    paper = read_metrics(row)
    assert paper is None or paper.pmid.isdigit()


def test_nih_counts_years_from_october() -> None:
    assert fiscal_year(datetime.date(2019, 7, 1)) == 2019
    assert fiscal_year(datetime.date(2019, 10, 1)) == 2020


@pytest.mark.parametrize(
    ("year", "citations", "today", "reason"),
    [
        (2018, 4, datetime.date(2019, 7, 1), "too_new"),
        (2018, 5, datetime.date(2019, 7, 1), "not_given"),
        (2017, 0, datetime.date(2019, 7, 1), "not_given"),
        (2018, 4, datetime.date(2019, 10, 1), "not_given"),
        (2019, 4, datetime.date(2019, 10, 1), "too_new"),
        (2026, 0, NOVEMBER, "too_new"),
        (1975, 2, NOVEMBER, "not_given"),
        (None, 2, NOVEMBER, "not_given"),
        (2026, None, NOVEMBER, "not_given"),
    ],
)
def test_p69_too_new_is_icites_own_rule_and_nothing_else(
    year: int | None, citations: int | None, today: datetime.date, reason: str
) -> None:
    """Examples of iCite's help: in July 2019 papers of 2018, from October 2019 on papers of 2019."""
    paper = Metrics(pmid="1", year=year, citation_count=citations)
    assert missing_reason(paper, "relative_citation_ratio", today) == reason
    assert missing_reason(paper, "citations_per_year", today) == "not_given"
