"""One paper's metrics out of what iCite sends: numbers as text or whole floats, Yes/No or booleans, two shapes."""

import datetime
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from vouched.api import canonical, flatten_html

__all__ = ["Metrics", "fiscal_year", "missing_reason", "read_metrics"]

# Names of iCite's database, which `legacy=false` answers with.
_OTHER_NAMES: Mapping[str, str] = {
    "relative_citation_ratio": "rcr",
    "citations_per_year": "acr",
    "field_citation_rate": "fcr",
    "expected_citations_per_year": "ecr",
    "nih_percentile": "nihRcrPercentile",
    "molecular_cellular": "molCell",
}
_TRUE, _FALSE = ("yes", "true", "1"), ("no", "false", "0")


class Metrics(msgspec.Struct, frozen=True, kw_only=True):
    """What iCite has on one paper; None is "iCite gives none", never zero.

    Attributes:
        citation_count: from papers in PubMed only; citations_per_year: mean over the years since publication.
        relative_citation_ratio: 1.0 is the median NIH-funded paper of the same field and year.
        nih_percentile: rank of the RCR among NIH-funded papers, 0 to 100.
        expected_citations_per_year, field_citation_rate: of the papers it is compared with.
        apt: approximate potential to translate, one of 0.05, 0.25, 0.5, 0.75, 0.95.
        provisional: the RCR will still move; human, animal, molecular_cellular: fractions by MeSH, sum 1 or 0.
        cited_by_clin: PMIDs of clinical articles that cite it, None where the answer does not say.
        cited_by, references: PMIDs, None where they were not asked for.
    """

    pmid: str
    title: str = ""
    journal: str = ""
    doi: str = ""
    year: int | None = None
    citation_count: int | None = None
    relative_citation_ratio: float | None = None
    nih_percentile: float | None = None
    citations_per_year: float | None = None
    expected_citations_per_year: float | None = None
    field_citation_rate: float | None = None
    apt: float | None = None
    provisional: bool | None = None
    is_research_article: bool | None = None
    is_clinical: bool | None = None
    cited_by_clin: Sequence[str] | None = None
    human: float | None = None
    animal: float | None = None
    molecular_cellular: float | None = None
    cited_by: Sequence[str] | None = None
    references: Sequence[str] | None = None


def _number(value: Any) -> float | None:
    """A finite number that is not negative, out of a number or its text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _whole(value: Any) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number.is_integer() and number < 1e15 else None


def _flag(value: Any) -> bool | None:
    word = str(value).strip().lower() if isinstance(value, bool | int | float | str) else ""
    word = word.removesuffix(".0")
    return True if word in _TRUE else False if word in _FALSE else None


def _pmid(value: Any) -> str | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    known = canonical("pmid", str(value)) if isinstance(value, int | str) and not isinstance(value, bool) else None
    return known.value if known else None


def _pmids(row: Mapping[str, Any], name: str) -> list[str] | None:
    """A list of PMIDs, space-separated text as in iCite's CSV, or nothing where the field is absent.

    Null is iCite's older way to say that there are none.
    """
    if name not in row:
        return None
    value = row[name]
    listed = value if isinstance(value, list) else re.split(r"[\s,]+", value) if isinstance(value, str) else []
    return list(dict.fromkeys(pmid for item in listed if (pmid := _pmid(item))))


def _text(value: Any) -> str:
    return flatten_html(value) if isinstance(value, str) else ""


def read_metrics(row: Any) -> Metrics | None:
    """Read one row of either shape; None where it is no row of a paper (no object, no PMID)."""
    if not isinstance(row, Mapping):
        return None
    pmid = _pmid(row.get("pmid", row.get("_id")))
    if pmid is None:
        return None

    def given(name: str) -> Any:
        value = row.get(name)
        return row.get(_OTHER_NAMES.get(name, ""), value) if value is None else value

    return Metrics(
        pmid=pmid,
        title=_text(given("title")),
        journal=_text(given("journal")),
        doi=_text(given("doi")),
        year=_whole(given("year")) or None,
        citation_count=_whole(given("citation_count")),
        relative_citation_ratio=_number(given("relative_citation_ratio")),
        nih_percentile=_number(given("nih_percentile")),
        citations_per_year=_number(given("citations_per_year")),
        expected_citations_per_year=_number(given("expected_citations_per_year")),
        field_citation_rate=_number(given("field_citation_rate")),
        apt=_number(given("apt")),
        provisional=_flag(given("provisional")),
        is_research_article=_flag(given("is_research_article")),
        is_clinical=_flag(given("is_clinical")),
        cited_by_clin=_pmids(row, "cited_by_clin"),
        human=_number(given("human")),
        animal=_number(given("animal")),
        molecular_cellular=_number(given("molecular_cellular")),
        cited_by=_pmids(row, "cited_by"),
        references=_pmids(row, "references"),
    )


def fiscal_year(day: datetime.date) -> int:
    """NIH's fiscal year, which iCite counts as the current year: it begins in October."""
    return day.year + (day.month >= 10)


def missing_reason(metrics: Metrics, name: str, today: datetime.date) -> str:
    """Why `name` is null: "too_new" under iCite's own rule, else "not_given".

    iCite's help: a paper of the last fiscal year gets an RCR (and what is made of it) only from five citations on.
    """
    of_rcr = name in ("relative_citation_ratio", "nih_percentile", "expected_citations_per_year")
    young = metrics.year is not None and metrics.year >= fiscal_year(today) - 1
    few = metrics.citation_count is not None and metrics.citation_count < 5
    return "too_new" if of_rcr and young and few else "not_given"
