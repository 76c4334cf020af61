"""Rows of the answer: a paper's metrics with the reasons for what is missing, and what the numbers mean."""

import datetime
from collections.abc import Mapping, Sequence

import msgspec
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
# The standing of more papers that iCite has not is not asked for: a list of hundreds is none of papers.
MOST_CHECKED = 100
# PMIDs that a warning names.
NAMED = 20
# More PMIDs of one list than this go into the artifact only.
SHOWN_LINKS = 100


def make_row(
    paper: Metrics, positions: Sequence[int], spelt: str, today: datetime.date, links: Sequence[str] = ()
) -> Row:
    """The row of one paper; `links`: which of `cited_by` and `references` were asked for."""
    absent = {name: missing_reason(paper, name, today) for name in EXPLAINED if getattr(paper, name) is None}
    absent |= {name: "not_given" for name in links if getattr(paper, name) is None}
    return Row(
        pmid=paper.pmid,
        state="indexed",
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
        status="not_checked",
        is_notice=False,
        doi=paper.doi,
        cited_by=_shown(paper.cited_by) if "cited_by" in links else None,
        references=_shown(paper.references) if "references" in links else None,
    )


def _shown(pmids: Sequence[str] | None) -> list[str] | None:
    return None if pmids is None else list(pmids[:SHOWN_LINKS])


def _rounded(value: float | None) -> float | None:
    # iCite prints sixteen digits of a quotient; four say all that is known.
    return None if value is None else round(value, 4)


class Standing(msgspec.Struct, frozen=True):
    """Attributes: checked: who was asked, or why nobody was; others: PMID -> status, the state of a record that is
    missing (`not_found`), or "not_checked", of the first `MOST_CHECKED` that iCite has not; unanswered: PMIDs whose
    record could not be asked."""

    checked: str = ""
    others: dict[str, str] = {}
    unanswered: list[str] = []


async def add_status(ctx: Context, rows: Sequence[Row], not_indexed: Sequence[str]) -> Standing:
    """Fill in the standing of the records of a page, and say that of `not_indexed`."""
    others = dict.fromkeys(not_indexed[:MOST_CHECKED], "not_checked")
    if not rows and not others:
        return Standing()
    if not ctx.articles.available:
        return Standing("not_checked: no installed plugin resolves PMIDs", others)
    pmids = [row.pmid for row in rows] + list(others)
    records = dict(zip(pmids, await ctx.articles.get([Id("pmid", pmid) for pmid in pmids]), strict=True))
    for row in rows:
        if isinstance(record := records[row.pmid], Article):
            row.status, row.is_notice = record.status.status, record.status.is_notice
    for pmid in others:
        others[pmid] = _standing(records[pmid])
    failed = {pmid: one.reason for pmid, one in records.items() if isinstance(one, Missing) and one.state == "failed"}
    if failed:
        named = ", ".join(list(failed)[:NAMED]) + (f" and {len(failed) - NAMED} more" if len(failed) > NAMED else "")
        ctx.warn(f"The standing of {named} could not be checked: {'; '.join(sorted(set(failed.values())))}")
    if len(not_indexed) > MOST_CHECKED:
        ctx.warn(
            f"Of the {len(not_indexed)} PMIDs that iCite has not, the standing of the first {MOST_CHECKED} was asked."
        )
    checked = dict.fromkeys(
        name for record in records.values() if isinstance(record, Article) for name in record.status.checked
    )
    return Standing("; ".join(list(checked)[:3]), others, list(failed))


def _standing(record: Article | Missing) -> str:
    if isinstance(record, Article):
        return record.status.status
    return "not_checked" if record.state == "failed" else record.state
