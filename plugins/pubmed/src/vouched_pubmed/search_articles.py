"""pubmed_search_articles: the query as given, filters beside it, and all that PubMed said about it."""

from typing import Annotated, Literal
from urllib.parse import urlencode

import msgspec
from vouched.api import Answer, Context, Cursor, Fault, InvalidArgument, Meta, Struct, TextList, tool

from vouched_pubmed import query_filters as filters
from vouched_pubmed.client import REACHABLE, Found, esearch, esummary
from vouched_pubmed.complete import Reconciled, Slice, walk
from vouched_pubmed.query_filters import Age, DateType, StudyFilter
from vouched_pubmed.query_hints import hints
from vouched_pubmed.summaries import CHECKED, Summary, read_summary
from vouched_pubmed.understood import Ignored, Translation, ignored, say_ignored, translations

__all__ = ["search_articles"]

Sort = Literal["relevance", "pub_date", "author", "journal"]
# What ESearch takes, and what PubMed's own pages take.
SORTS = {"relevance": "relevance", "pub_date": "pub_date", "author": "Author", "journal": "JournalName"}
PAGE_SORTS = {"pub_date": "pubdate", "author": "fauth", "journal": "jour"}
# A row with a summary has 200 characters at the very least: more are never asked for than an answer can hold.
LEAST_ROW = 200


class SearchResult(Struct, omit_defaults=True):
    """A page of hits.

    Attributes:
        total: hits of `effective_query` less what stands in `ignored`; returned: on this page, from `offset` on.
        truncated: the page is not the whole result.
        pmids: in the order asked for; summaries: their short records, where asked for.
        query: as given; effective_query: as sent; search_url: the same search on PubMed's site.
        translation, translations: what PubMed understood.
        run_id: names this result, as in `run:ID`.
        slices, reconciled: of a complete walk.
        status_checked: the source of the summaries' status.
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


class Position(Struct):
    """What a cursor holds: the next offset and the total that the pages before were counted by."""

    offset: int
    total: int


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
    filters.check_query(query)
    chosen = filters.Filters(
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
    if chosen.need_indexing():
        ctx.warn("MeSH-based filters leave out records that NLM has not indexed, the newest among them.")
    for hint in hints(query):
        ctx.warn(hint)
    sent = filters.effective(query, chosen.clauses())
    result = SearchResult(0, 0, query=query, effective_query=sent, sort=sort, run_id=ctx.run_id)
    result.search_url = "https://pubmed.ncbi.nlm.nih.gov/?" + urlencode(
        {"term": sent} | ({"sort": PAGE_SORTS[sort]} if sort in PAGE_SORTS else {})
    )
    if complete:
        return await _complete(ctx, result, limit)
    return await _page(ctx, result, limit, summaries)


def _told(ctx: Context, result: SearchResult, found: Found) -> None:
    """Put into the answer and the run record what PubMed said of the query."""
    result.total, result.translation = found.total, found.translation
    result.translations, result.ignored = translations(found), ignored(found)
    say_ignored(ctx, result.ignored, found.total)
    for message in found.messages:
        if message.rstrip(".") != "No items found":
            ctx.warn(f"PubMed says: {message}")
    ctx.note("query", result.effective_query)
    ctx.note("translation", found.translation)
    ctx.note("total", found.total)


async def _page(ctx: Context, result: SearchResult, limit: int, summaries: bool) -> Answer[SearchResult]:
    at = ctx.state(Position) or Position(0, -1)
    size = min(limit, REACHABLE - at.offset)
    if size < 0 or at.offset < 0:
        raise InvalidArgument("This cursor lies past PubMed's window.", path="cursor")
    found = await esearch(ctx, result.effective_query, start=at.offset, size=size, sort=SORTS[result.sort])
    _told(ctx, result, found)
    if at.total not in (-1, found.total):
        ctx.warn(f"The result changed between pages: {at.total:,} hits before, {found.total:,} now.")
    result.offset = at.offset
    following, failed = await _rows(ctx, result, found, summaries)
    result.returned = len(result.pmids)
    ctx.note("ids", [f"pmid:{pmid}" for pmid in result.pmids])
    reached = at.offset + result.returned
    result.truncated = reached < found.total
    if limit and found.total > REACHABLE:
        ctx.warn(
            f"PubMed hands out the first {REACHABLE:,} of these {found.total:,} hits only; `complete=true` collects up "
            "to 100,000 by slices of create date."
        )
    if limit == 0 or reached >= min(found.total, REACHABLE):
        following = None
    return Answer(result, "partial" if failed else "ok", next_cursor=following)


async def _rows(ctx: Context, result: SearchResult, found: Found, summaries: bool) -> tuple[str | None, bool]:
    """Fill in the page's rows; returns the cursor behind the last one, and whether summaries were asked for in vain."""
    at = result.offset
    result.pmids = found.ids
    plain = ctx.cursor(Position(at + len(found.ids), found.total))
    if not summaries or not found.ids:
        return plain, False
    wanted = found.ids[: max(1, ctx.settings.limits.answer_chars // LEAST_ROW)]
    try:
        documents = await esummary(ctx, wanted)
    except Fault as fault:
        ctx.warn(f"The hits are whole, their summaries could not be had: {fault.message}")
        return plain, True
    fitted = ctx.fit(
        [read_summary(pmid, documents.get(pmid)) for pmid in wanted],
        lambda kept: Position(at + kept, found.total),
        reserve=4_000 + len(result.effective_query) * 3 + len(found.translation),
    )
    result.summaries = fitted.rows
    result.pmids = [row.pmid for row in fitted.rows]
    result.status_checked = CHECKED
    bare = [row.pmid for row in fitted.rows if row.problem]
    if bare:
        ctx.warn(f"PubMed lists {', '.join(bare[:10])} and has no summary of {len(bare)} records.")
    return fitted.next_cursor, False


async def _complete(ctx: Context, result: SearchResult, limit: int) -> Answer[SearchResult]:
    walked = await walk(ctx, result.effective_query)
    _told(ctx, result, walked.found)
    result.sort = "pmid"
    if not walked.next_cursor:
        kept = f"artifact:{walked.reconciled.artifact_id}"
        ctx.warn(f"All {len(walked.pmids):,} PMIDs are {kept}, for `ids` of other tools, also in parts: {kept}[0:200].")
    result.pmids, result.returned = walked.pmids[:limit], min(limit, len(walked.pmids))
    result.truncated = result.returned < walked.found.total
    result.reconciled, result.slices = walked.reconciled, walked.slices
    ctx.note("ids", [f"pmid:{pmid}" for pmid in walked.pmids])
    return Answer(result, "partial" if walked.incomplete else "ok", next_cursor=walked.next_cursor)
