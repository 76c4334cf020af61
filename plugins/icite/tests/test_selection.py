"""Filters, order and summary."""

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st
from vouched_icite.get_citation_metrics import SortBy
from vouched_icite.metrics import Metrics
from vouched_icite.selection import select, summarise

value = st.none() | st.integers(0, 9).map(float)
papers = st.lists(
    st.builds(
        Metrics,
        pmid=st.integers(1, 10**8).map(str),
        year=st.none() | st.integers(1950, 2026),
        citation_count=st.none() | st.integers(0, 9),
        relative_citation_ratio=value,
        nih_percentile=value,
        citations_per_year=value,
        apt=value,
    ),
    max_size=12,
    unique_by=lambda paper: paper.pmid,
)
bounds = st.fixed_dictionaries({"citation_count": value, "relative_citation_ratio": value, "nih_percentile": value})


@given(papers, st.sampled_from(get_args(SortBy)), st.randoms())
def test_the_order_never_depends_on_the_order_of_arrival(found: list[Metrics], sort_by: str, random: object) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert select(found, sort_by, {}).shown == select(shuffled, sort_by, {}).shown


@given(papers, st.sampled_from(get_args(SortBy)))
def test_descending_nulls_last_ties_by_pmid(found: list[Metrics], sort_by: str) -> None:
    keys = [
        (getattr(paper, sort_by) is None, -(getattr(paper, sort_by) or 0), int(paper.pmid))
        for paper in select(found, sort_by, {}).shown
    ]
    assert keys == sorted(keys)
    assert len(keys) == len(found)


@given(papers, bounds)
def test_every_paper_is_shown_below_or_without_a_value(
    found: list[Metrics], thresholds: dict[str, float | None]
) -> None:
    chosen = select(found, "year", thresholds)
    parts = [[paper.pmid for paper in chosen.shown], chosen.below_threshold, chosen.no_value]
    assert sorted(pmid for part in parts for pmid in part) == sorted(paper.pmid for paper in found)
    for paper in chosen.shown:
        for name, bound in thresholds.items():
            assert bound is None or getattr(paper, name) >= bound


def test_a_threshold_of_zero_still_drops_papers_without_a_value() -> None:
    chosen = select(
        [Metrics(pmid="1"), Metrics(pmid="2", relative_citation_ratio=0.0)], "year", {"relative_citation_ratio": 0}
    )
    assert [paper.pmid for paper in chosen.shown] == ["2"]
    assert chosen.no_value == ["1"]


def test_the_summary_counts_what_it_leaves_out_apart() -> None:
    found = [
        Metrics(pmid="1", citation_count=10, relative_citation_ratio=3.0, nih_percentile=95.0, provisional=True),
        Metrics(
            pmid="2", citation_count=5, relative_citation_ratio=1.0, nih_percentile=50.0, is_research_article=False
        ),
        Metrics(pmid="3", citation_count=0, provisional=True),
    ]
    summary = summarise(4, found)
    assert (summary.papers, summary.indexed, summary.coverage) == (4, 3, 0.75)
    assert summary.total_citations == 15
    assert (summary.with_rcr, summary.rcr_mean, summary.rcr_median, summary.rcr_sum) == (2, 2.0, 2.0, 4.0)
    assert (summary.with_percentile, summary.at_or_above_90, summary.share_at_or_above_90) == (2, 1, 0.5)
    assert (summary.provisional, summary.without_rcr, summary.non_research) == (1, 1, 1)


def test_a_set_without_any_rcr_has_no_mean() -> None:
    summary = summarise(1, [Metrics(pmid="1")])
    assert summary.rcr_mean is None
    assert summary.share_at_or_above_90 is None
