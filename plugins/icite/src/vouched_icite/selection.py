"""Which papers are shown, in which order, and the summary over the whole set."""

import statistics
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from vouched.api import Struct

from vouched_icite.metrics import Metrics

__all__ = ["Selected", "Summary", "select", "summarise"]

TOP_PERCENTILE = 90.0


class Selected(msgspec.Struct, frozen=True):
    """Papers that pass, in order, and the PMIDs that do not: by their value, or for want of one."""

    shown: list[Metrics]
    below_threshold: list[str]
    no_value: list[str]


def _value(paper: Metrics, name: str) -> float | None:
    value: float | None = getattr(paper, name)
    return value


def select(papers: Iterable[Metrics], sort_by: str, thresholds: Mapping[str, float | None]) -> Selected:
    """Filter by inclusive lower bounds and sort: descending, nulls last, ties by PMID (ascending).

    Args:
        thresholds: metric -> bound; None leaves it out, 0 still drops papers without a value.
    """
    bounds = {name: bound for name, bound in thresholds.items() if bound is not None}
    shown, below, without = [], [], []
    for paper in papers:
        values = {name: _value(paper, name) for name in bounds}
        if any(value is not None and value < bounds[name] for name, value in values.items()):
            below.append(paper.pmid)
        elif any(value is None for value in values.values()):
            without.append(paper.pmid)
        else:
            shown.append(paper)

    def rank(paper: Metrics) -> tuple[bool, float, int]:
        value = _value(paper, sort_by)
        return value is None, -(value or 0.0), int(paper.pmid)

    return Selected(sorted(shown, key=rank), below, without)


class Summary(Struct, omit_defaults=True):
    """The whole set, filters left aside; every paper once, however often it was submitted.

    Attributes:
        papers: submitted; indexed: of these, in iCite; coverage: their share, 0 to 1.
        total_citations: of the papers that have a count.
        with_rcr: papers the three RCR figures are made of; rcr_sum is iCite's weighted RCR (the sum).
        with_percentile, at_or_above_90, share_at_or_above_90: of those that have an NIH percentile.
        provisional: RCRs that will still move, included above; without_rcr: left out above; non_research: reviews,
            editorials and the like, as iCite marks them, included above.
    """

    papers: int
    indexed: int
    coverage: float
    total_citations: int = 0
    with_rcr: int = 0
    rcr_mean: float | None = None
    rcr_median: float | None = None
    rcr_sum: float | None = None
    with_percentile: int = 0
    at_or_above_90: int = 0
    share_at_or_above_90: float | None = None
    provisional: int = 0
    without_rcr: int = 0
    non_research: int = 0


def summarise(submitted: int, papers: Sequence[Metrics]) -> Summary:
    """Figures over `papers`, of `submitted` unique PMIDs. Rounded to four decimals."""
    ratios = [paper.relative_citation_ratio for paper in papers if paper.relative_citation_ratio is not None]
    ranks = [paper.nih_percentile for paper in papers if paper.nih_percentile is not None]
    top = sum(rank >= TOP_PERCENTILE for rank in ranks)
    return Summary(
        submitted,
        len(papers),
        round(len(papers) / submitted, 4) if submitted else 0.0,
        sum(paper.citation_count or 0 for paper in papers),
        len(ratios),
        round(statistics.fmean(ratios), 4) if ratios else None,
        round(statistics.median(ratios), 4) if ratios else None,
        round(sum(ratios), 4) if ratios else None,
        len(ranks),
        top,
        round(top / len(ranks), 4) if ranks else None,
        sum(paper.provisional is True and paper.relative_citation_ratio is not None for paper in papers),
        len(papers) - len(ratios),
        sum(paper.is_research_article is False for paper in papers),
    )
