"""Rows of the answer: a paper's metrics with the reasons for what is missing, and what the numbers mean."""

import datetime
from collections.abc import Mapping, Sequence

from vouched.api import Article, Context, Id, Missing

from vouched_icite.get_citation_metrics import Row
from vouched_icite.metrics import Metrics, missing_reason

__all__ = ["MEANING", "add_status", "make_row"]

MEANING: Mapping[str, str] = {
    "relative_citation_ratio": "1.0 is the median NIH-funded paper of the same field and year (not the mean paper, not "
    "all papers); a provisional one will still move.",
    "nih_percentile": "rank of the RCR among NIH-funded papers, not among all papers.",
    "citation_count": "citations from papers in PubMed only; not comparable with counts of other services.",
    "apt": "approximate potential to translate: chance (0.05 to 0.95) of a later citation by a clinical article.",
    "null": "iCite gives no value; it is not zero. too_new: of the last NIH fiscal year, under five citations.",
}
# Metrics whose absence is explained in a row.
EXPLAINED = (
    "citation_count",
    "relative_citation_ratio",
    "nih_percentile",
    "citations_per_year",
    "expected_citations_per_year",
    "field_citation_rate",
    "apt",
)
# More PMIDs of one list than this go into the artifact only.
SHOWN_LINKS = 100


def make_row(paper: Metrics, positions: Sequence[int], spelt: str, today: datetime.date) -> Row:
    """The row of one paper."""
    absent = {name: missing_reason(paper, name, today) for name in EXPLAINED if getattr(paper, name) is None}
    return Row(
        pmid=paper.pmid,
        positions=list(positions),
        input=spelt,
        title=paper.title,
        journal=paper.journal,
        year=paper.year,
        citation_count=paper.citation_count,
        relative_citation_ratio=paper.relative_citation_ratio,
        provisional=paper.provisional,
        nih_percentile=paper.nih_percentile,
        citations_per_year=_rounded(paper.citations_per_year),
        expected_citations_per_year=_rounded(paper.expected_citations_per_year),
        field_citation_rate=_rounded(paper.field_citation_rate),
        apt=paper.apt,
        is_research_article=paper.is_research_article,
        is_clinical=paper.is_clinical,
        cited_by_clin_count=None if paper.cited_by_clin is None else len(paper.cited_by_clin),
        human=paper.human,
        animal=paper.animal,
        molecular_cellular=paper.molecular_cellular,
        missing=absent,
        doi=paper.doi,
        cited_by=None if paper.cited_by is None else list(paper.cited_by[:SHOWN_LINKS]),
        references=None if paper.references is None else list(paper.references[:SHOWN_LINKS]),
    )


def _rounded(value: float | None) -> float | None:
    # iCite prints sixteen digits of a quotient; four say all that is known.
    return None if value is None else round(value, 4)


async def add_status(ctx: Context, rows: Sequence[Row]) -> str:
    """Fill in the standing of the records of a page; returns who was asked, or why nobody was."""
    if not rows:
        return ""
    if not ctx.articles.available:
        return "not_checked: no installed plugin resolves PMIDs"
    records = await ctx.articles.get([Id("pmid", row.pmid) for row in rows])
    checked: dict[str, None] = {}
    failures: dict[str, None] = {}
    for row, record in zip(rows, records, strict=True):
        if isinstance(record, Article):
            row.status, row.is_notice = record.status.status, record.status.is_notice
            checked |= dict.fromkeys(record.status.checked)
        elif isinstance(record, Missing) and record.state == "failed":
            failures[record.reason] = None
    if failures:
        ctx.warn(f"The standing of some records could not be checked: {'; '.join(failures)}")
    return "; ".join(list(checked)[:3])
