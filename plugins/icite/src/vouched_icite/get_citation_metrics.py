"""icite_get_citation_metrics: NIH iCite's numbers for a set of PMIDs, with what they mean and what is missing.

A tool's module holds what is published: its name, arguments, description and answer. The work is loaded with the first
call, so that a server starts without it.
"""

from typing import Annotated, Literal

from vouched.api import Answer, Context, Cursor, Ids, Meta, Struct, tool

__all__ = ["Counts", "MetricsResult", "Row", "Summary", "get_citation_metrics"]

SortBy = Literal["citation_count", "relative_citation_ratio", "nih_percentile", "citations_per_year", "apt", "year"]
Links = Literal["cited_by", "references"]


class Row(Struct, kw_only=True, omit_defaults=True):
    """A paper.

    Attributes:
        pmid; positions: 1-based places in the caller's list; input: the caller's first spelling.
        state: always "indexed" here; status, is_notice: standing of the record, "not_checked" where nobody was asked.
        the metrics: as `vouched_icite.metrics.Metrics` has them, null where iCite gives none; missing: why.
        cited_by_clin_count: clinical articles that cite it.
        cited_by, references: PMIDs, at most 100; left out where they were not asked for, and, with a reason in
            `missing`, where iCite gives no list.
    """

    pmid: str
    positions: list[int]
    input: str
    state: str
    title: str
    journal: str
    year: int | None
    citation_count: int | None
    relative_citation_ratio: float | None
    provisional: bool | None
    nih_percentile: float | None
    citations_per_year: float | None
    expected_citations_per_year: float | None
    field_citation_rate: float | None
    apt: float | None
    is_research_article: bool | None
    is_clinical: bool | None
    cited_by_clin_count: int | None
    human: float | None
    animal: float | None
    molecular_cellular: float | None
    missing: dict[str, str]
    status: str
    is_notice: bool
    doi: str = ""
    cited_by: list[str] | None = None
    references: list[str] | None = None


class Summary(Struct):
    """The whole set, filters left aside; every paper once, however often it was submitted.

    Attributes:
        papers: submitted; indexed: of these, in iCite; coverage: their share, 0 to 1.
        total_citations: of the papers that have a count.
        with_rcr: papers the three RCR figures are made of; rcr_sum is iCite's weighted RCR (the sum).
        with_percentile, at_or_above_90, share_at_or_above_90: of those that have an NIH percentile.
        provisional: RCRs that will still move, included above; without_rcr: left out above; non_research: reviews,
            editorials and the like, as iCite marks them, included above.
        standing_checked: papers whose standing is known, at most those of this page; of these, retracted (republished
            ones too) and of_concern: included above, null where nobody's standing is known.
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
    standing_checked: int = 0
    retracted: int | None = None
    of_concern: int | None = None


class Counts(Struct):
    """Where the inputs went, duplicates counted as often as submitted: the first is the sum of the others."""

    inputs: int
    shown: int
    below_threshold: int
    no_value: int
    not_indexed: int
    failed: int
    remaining: int


class MetricsResult(Struct):
    """Metrics of a set of papers.

    Attributes:
        counts: see `Counts`; on a later page `remaining` includes the rows of the pages before.
        summary: over all indexed papers submitted, before filters.
        results: this page's papers; not_indexed: PMIDs that iCite answered without; failed: PMIDs that it could not be
            asked about.
        not_indexed_status: PMID that iCite has not -> standing of its record, or that there is none (`not_found` …), or
            "not_checked"; the first 100.
        sort_by: descending, nulls last, ties by PMID; meaning: how to read the numbers; status_checked: whose status.
    """

    counts: Counts
    summary: Summary
    meaning: dict[str, str]
    results: list[Row]
    not_indexed: list[str]
    not_indexed_status: dict[str, str]
    failed: list[str]
    sort_by: str
    status_checked: str
    source: str = "NIH iCite"


@tool(
    aliases=("get_citation_metrics", "pubmed_get_citation_metrics"),
    synonyms={"sort": "sort_by", "format": "output_format"},
    serves="RCR, citations",
)
async def get_citation_metrics(
    ctx: Context,
    ids: Annotated[Ids, Meta(min_length=1, max_length=1000, description="PMIDs")],
    sort_by: SortBy = "citation_count",
    min_citations: Annotated[int, Meta(ge=0, le=2_000_000_000)] | None = None,
    min_rcr: Annotated[float, Meta(ge=0, le=1_000_000)] | None = None,
    min_percentile: Annotated[float, Meta(ge=0, le=100)] | None = None,
    include: list[Links] | None = None,
    plot: Annotated[bool, Meta(description="chart of RCR by year")] = False,
    output_format: Literal["markdown", "json", "toon"] | None = None,
    limit: Annotated[int, Meta(ge=1, le=1000)] = 25,
    cursor: Cursor = None,
) -> Answer[MetricsResult]:
    """Citation metrics of PubMed papers from NIH iCite: citations, Relative Citation Ratio (1.0 = median NIH-funded
    paper), NIH percentile, translation potential. Use it to rank or sum up a set of papers; for the citing papers
    themselves use europepmc_get_citation_network. One bad id refuses the whole batch and nothing is executed; DOIs and
    PMCIDs go through pubmed_convert_ids first. Returns sorted rows with the record's status, a summary of the set, and
    what is not indexed; missing values are null with a reason, never zero.
    """
    from vouched_icite.get_citation_metrics_work import answer

    thresholds = {"citation_count": min_citations, "relative_citation_ratio": min_rcr, "nih_percentile": min_percentile}
    return await answer(ctx, ids, sort_by, thresholds, include or (), plot, limit)
