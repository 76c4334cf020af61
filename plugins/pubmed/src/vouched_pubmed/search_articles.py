"""pubmed_search_articles: the query as given, filters beside it, and all that PubMed said about it.

A tool's module holds what is published: its name, arguments, description and answer. The work is loaded with the first
call, so that a server starts without it.
"""

from typing import Annotated, Literal

import msgspec
from vouched.api import Answer, Context, Cursor, Meta, Struct, TextList, tool

from vouched_pubmed.records import Summary

__all__ = ["Ignored", "Reconciled", "SearchResult", "Slice", "Translation", "search_articles"]

DateType = Literal["pdat", "edat", "mdat", "crdt"]
Age = Literal[
    "newborn",
    "infant",
    "preschool_child",
    "child",
    "adolescent",
    "young_adult",
    "adult",
    "middle_aged",
    "aged",
    "aged_80_and_over",
]
StudyFilter = Literal[
    "therapy_broad",
    "therapy_narrow",
    "diagnosis_broad",
    "diagnosis_narrow",
    "etiology_broad",
    "etiology_narrow",
    "prognosis_broad",
    "prognosis_narrow",
    "prediction_guide_broad",
    "prediction_guide_narrow",
    "systematic_review",
    "cochrane_rct_sensitive",
    "cochrane_rct_precise",
]
Sort = Literal["relevance", "pub_date", "author", "journal"]


class Ignored(Struct, omit_defaults=True):
    """Parts of a query that PubMed reports as unknown, loosened or never searched: the count may not be the query's.

    Attributes:
        fields: tags it does not know, with the tag that may be meant; phrases: words or phrases it has no item for.
        stopped: words that it never searches; unquoted: quoted phrases that it does not have.
    """

    fields: list[str] = []
    phrases: list[str] = []
    stopped: list[str] = []
    unquoted: list[str] = []

    def any(self) -> bool:
        """Whether anything was dropped or loosened."""
        return bool(self.fields or self.phrases or self.stopped or self.unquoted)


class Translation(Struct):
    """A word of the query and what automatic term mapping made of it."""

    given: str
    became: str


class Slice(Struct, omit_defaults=True):
    """One part of the walk.

    Attributes:
        date_from, date_to: create dates, both included; uid_from, uid_to: PMIDs, where a day had to be split.
        count: hits that PubMed counts in it; returned: ids it gave.
        problem: why it is incomplete ("" where it is whole).
    """

    date_from: str
    date_to: str
    count: int
    returned: int
    uid_from: int = 0
    uid_to: int = 0
    problem: str = ""


class Reconciled(Struct):
    """The walk added up: slices' counts, unique PMIDs, and the total before and after it (null where not asked)."""

    total_before: int
    total_after: int | None
    sum_of_slices: int
    unique_pmids: int
    consistent: bool
    artifact_id: str = ""


class SearchResult(Struct, omit_defaults=True):
    """A page of hits.

    Attributes:
        total: hits that PubMed counts for `effective_query`; `ignored` may qualify it; returned: on this page, from
            `offset` on.
        truncated: the page is not the whole result.
        pmids: in the order asked for; summaries: their short records, where asked for.
        query: as given; effective_query: as sent; search_url: the same search on PubMed's site.
        translation, translations: what PubMed understood.
        run_id: names this result, as in `run:ID`.
        slices, reconciled: of a complete walk.
        status_checked: the source of the summaries' status; not_checked where PMIDs stand alone.
    """

    total: int
    returned: int
    ignored: Ignored = msgspec.field(default_factory=Ignored)
    truncated: bool = False
    offset: int = 0
    pmids: list[str] = []
    summaries: list[Summary] = []
    query: str = ""
    effective_query: str = ""
    translation: str = ""
    translations: list[Translation] = []
    search_url: str = ""
    sort: str = ""
    run_id: str = ""
    status_checked: str = ""
    reconciled: Reconciled | None = None
    slices: list[Slice] = []


@tool(
    aliases=("pubmed_search", "search_pubmed", "search_articles"),
    serves="find papers",
    synonyms={
        "min_date": "date_from",
        "mindate": "date_from",
        "max_date": "date_to",
        "maxdate": "date_to",
        "datetype": "date_type",
        "publication_type": "publication_types",
        "language": "languages",
        "journal": "journals",
        "author": "authors",
        "age": "ages",
        "mesh": "mesh_terms",
        "sort_by": "sort",
    },
)
async def search_articles(
    ctx: Context,
    query: Annotated[str, Meta(min_length=1, description="PubMed syntax, sent as it is")],
    limit: Annotated[int, Meta(ge=0, le=1000, description="0 counts only")] = 20,
    cursor: Cursor = None,
    sort: Sort = "relevance",
    date_from: Annotated[str, Meta(description="YYYY[/MM[/DD]]")] = "",
    date_to: str = "",
    date_type: DateType = "pdat",
    publication_types: Annotated[TextList | None, Meta(description="any of")] = None,
    languages: TextList | None = None,
    journals: TextList | None = None,
    authors: Annotated[TextList | None, Meta(description="all of")] = None,
    mesh_terms: Annotated[TextList | None, Meta(description="all of")] = None,
    species: Literal["humans", "animals"] | None = None,
    ages: list[Age] | None = None,
    sex: Literal["female", "male"] | None = None,
    study_filters: list[StudyFilter] | None = None,
    has_abstract: bool = False,
    free_full_text: bool = False,
    summaries: Annotated[bool, Meta(description="short records with status")] = False,
    complete: Annotated[bool, Meta(description="all hits, up to 100,000, as an artifact")] = False,
) -> Answer[SearchResult]:
    """Search PubMed. Filters are added to the query as clauses; nothing in it is rewritten. Use it for biomedical
    topics; europepmc_search_literature also has preprints and full-text words, pubmed_lookup_citation finds a known
    paper. Returns the total, PMIDs, what PubMed understood and what it ignored, and a run id (`last` or `run:ID` in
    later calls).
    """
    from vouched_pubmed.query_filters import Filters
    from vouched_pubmed.search_articles_work import answer

    chosen = Filters(
        date_from,
        date_to,
        date_type,
        publication_types or (),
        languages or (),
        journals or (),
        authors or (),
        mesh_terms or (),
        species or "",
        ages or (),
        sex or "",
        study_filters or (),
        has_abstract,
        free_full_text,
    )
    return await answer(ctx, query, chosen, sort, limit, summaries, complete)
