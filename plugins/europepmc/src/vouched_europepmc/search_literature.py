"""The tool search_literature.

A tool's module holds what is published: its name, arguments, description and answer. The work is loaded with the first
call, so that a server starts without it.
"""

from typing import Annotated, Literal

from vouched.api import Answer, Context, Cursor, Meta, Struct, tool

from vouched_europepmc.rows import Hit

__all__ = ["SearchResult", "search_literature"]

Use = Literal["read", "quote", "mine", "redistribute", "commercial", "derive"]
From = Literal["MED", "PMC", "PPR", "AGR", "CBA", "CTX", "ETH", "HIR", "NBK", "PAT"]


class SearchResult(Struct, omit_defaults=True):
    """One page of hits.

    Attributes:
        query: as it was sent, filters included; synonym_expansion: whether Europe PMC widened it.
        hit_count: hits upstream; returned: rows here; seen: hits passed so far, this page included.
        suppressed: rows of this page left out, by reason; end: nothing follows.
    """

    query: str
    synonym_expansion: bool
    hit_count: int
    returned: int
    seen: int
    end: bool
    records: list[Hit]
    suppressed: dict[str, int] = {}


@tool(
    serves="papers, preprints by licence",
    aliases=("search_literature",),
    synonyms={"synonyms": "synonym_expansion"},
)
async def search_literature(
    ctx: Context,
    query: Annotated[str, Meta(min_length=1, max_length=1_200)],
    synonym_expansion: bool = False,
    date_from: Annotated[str | None, Meta(description="First publication: YYYY, YYYY-MM or YYYY-MM-DD")] = None,
    date_to: str | None = None,
    open_access_only: bool = False,
    include_preprints: bool = True,
    exclude_retracted: bool = False,
    sources: list[From] | None = None,
    may: Annotated[list[Use] | None, Meta(description="Uses the licence must allow")] = None,
    sort: Literal["relevance", "date", "citations"] = "relevance",
    limit: Annotated[int, Meta(ge=1, le=100)] = 25,
    cursor: Cursor = None,
    abstract: Literal["truncated", "none", "full"] = "truncated",
) -> Answer[SearchResult]:
    """Search Europe PMC: PubMed records, PMC-only papers and preprints, with licence and retraction status.

    Query syntax is Europe PMC's (TITLE:, AUTH:, "phrase", AND/OR/NOT). Use it for open access or preprints and to
    filter by what a licence allows; for MeSH and PubMed syntax use pubmed_search_articles. Returns compact records; go
    on with europepmc_fetch_article or europepmc_build_evidence_table (ids `last`).
    """
    from vouched_europepmc.search_literature_work import answer

    return await answer(
        ctx,
        query,
        synonym_expansion,
        date_from,
        date_to,
        open_access_only,
        include_preprints,
        exclude_retracted,
        sources,
        may or (),
        sort,
        limit,
        abstract,
    )
