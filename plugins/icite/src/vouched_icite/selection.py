"""Which papers are shown, in which order, and the summary over the whole set."""

import statistics
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from vouched_icite.get_citation_metrics import Summary
from vouched_icite.metrics import Metrics

__all__ = ["Selected", "select", "summarise"]

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
