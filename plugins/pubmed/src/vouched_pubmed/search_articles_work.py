"""Answers pubmed_search_articles: a page of hits, or all of them, with what PubMed said about the query."""

from collections.abc import Callable
from urllib.parse import urlencode

import msgspec
from vouched.api import Answer, Context, Fault, InvalidArgument, Struct

from vouched_pubmed import query_filters as filters
from vouched_pubmed.client import REACHABLE, Found, esearch, esummary
from vouched_pubmed.complete import walk
from vouched_pubmed.query_hints import hints
from vouched_pubmed.query_text import plain_query
from vouched_pubmed.search_articles import SearchResult, Sort
from vouched_pubmed.standing import NOT_CHECKED, warn_of_standing
from vouched_pubmed.summaries import checked_now, read_summary
from vouched_pubmed.understood import ignored, note_build, note_version, say_ignored, translations

__all__ = ["answer"]

# What ESearch takes, and what PubMed's own pages take.
SORTS = {"relevance": "relevance", "pub_date": "pub_date", "author": "Author", "journal": "JournalName"}
PAGE_SORTS = {"pub_date": "pubdate", "author": "fauth", "journal": "jour"}
# A row with a summary has 200 characters at the very least: more are never asked for than an answer can hold.
LEAST_ROW = 200


class Position(Struct):
    """What a cursor holds: the next offset and the total that the pages before were counted by."""

    offset: int
    total: int


async def answer(
    ctx: Context, query: str, chosen: filters.Filters, sort: Sort, limit: int, summaries: bool, complete: bool
) -> Answer[SearchResult]:
    """The hits of `query` with the clauses of `chosen` added."""
    query = plain_query(ctx, query)
    filters.check_query(query)
    if chosen.need_indexing():
        ctx.warn("MeSH-based filters leave out records that NLM has not indexed, the newest among them.")
    for hint in hints(query):
        ctx.warn(hint)
    clauses = chosen.clauses()
    if complete or any(clauses):
        _check_closed(query)
    sent = filters.effective(query, [plain_query(ctx, clause) for clause in clauses])
    result = SearchResult(0, 0, query=query, effective_query=sent, sort=sort, run_id=ctx.run_id)
    result.search_url = "https://pubmed.ncbi.nlm.nih.gov/?" + urlencode(
        {"term": sent} | ({"sort": PAGE_SORTS[sort]} if sort in PAGE_SORTS else {})
    )
    if complete:
        return await _complete(ctx, result, limit, summaries)
    return await _page(ctx, result, limit, summaries)


def _check_closed(query: str) -> None:
    """Refuse to put a clause behind a query that would take it in. Parentheses alone do no harm: PubMed reads from left
    to right."""
    left_open = filters.unclosed(query)
    if left_open not in ("", "parentheses"):
        raise InvalidArgument(
            f"The query does not close its {left_open}: a filter behind it would become part of it.",
            path="query",
            hint="Close them, or search without filters and without `complete`.",
        )


def _told(ctx: Context, result: SearchResult, found: Found) -> None:
    """Put into the answer and the run record what PubMed said of the query."""
    result.total, result.translation = found.total, found.translation
    result.translations, result.ignored = translations(found), ignored(found)
    say_ignored(ctx, result.ignored, found)
    for message in found.messages:
        if message.rstrip(".") != "No items found":
            ctx.warn(f"PubMed says: {message}")
    ctx.note("query", result.effective_query)
    ctx.note("translation", found.translation)
    ctx.note("total", found.total)
    note_version(ctx, found)


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
    result.status_checked = NOT_CHECKED if found.ids else ""
    plain = ctx.cursor(Position(at + len(found.ids), found.total))
    if not summaries or not found.ids:
        return plain, False
    following = await _summarised(ctx, result, lambda kept: Position(at + kept, found.total))
    return following or plain, following is None


async def _summarised(ctx: Context, result: SearchResult, state: Callable[[int], Position]) -> str | None:
    """Put the summaries of the rows into the result, and leave out rows that do not fit with them.

    Returns the cursor behind the last one that fits; None where the summaries could not be had.
    """
    wanted = result.pmids[: max(1, ctx.settings.limits.answer_chars // LEAST_ROW)]
    try:
        documents = await esummary(ctx, wanted)
    except Fault as fault:
        ctx.warn(f"The hits are whole, their summaries could not be had: {fault.message}")
        return None
    beside = len(result.effective_query) * 3 + len(result.translation) + len(msgspec.json.encode(result.slices))
    rows = [read_summary(pmid, documents.get(pmid)) for pmid in wanted]
    fitted = ctx.fit(rows, state, reserve=4_000 + beside)
    result.summaries = fitted.rows
    result.pmids = [row.pmid for row in fitted.rows]
    result.status_checked = checked_now(ctx)
    warn_of_standing(ctx, ((row.pmid, row.status) for row in fitted.rows))
    bare = [row.pmid for row in fitted.rows if row.problem]
    if bare:
        ctx.warn(f"PubMed lists {', '.join(bare[:10])} and has no summary of {len(bare)} records.")
    return fitted.next_cursor


async def _complete(ctx: Context, result: SearchResult, limit: int, summaries: bool) -> Answer[SearchResult]:
    walked = await walk(ctx, result.effective_query)
    _told(ctx, result, walked.found)
    result.sort = "pmid"
    ctx.note("sort", result.sort)
    result.pmids, result.reconciled, result.slices = walked.pmids[:limit], walked.reconciled, walked.slices
    failed = walked.incomplete
    result.status_checked = NOT_CHECKED if result.pmids else ""
    if not walked.next_cursor:
        await note_build(ctx)
        if walked.pmids:
            kept = f"artifact:{walked.reconciled.artifact_id}"
            said = f"for `ids` of other tools, also in parts: {kept}[0:200]."
            how_many = f"{'The' if walked.incomplete else 'All'} {len(walked.pmids):,}"
            ctx.warn(f"{how_many} PMIDs are {kept}, {said}")
        if summaries and result.pmids:
            failed = await _summarised(ctx, result, lambda kept: Position(kept, walked.found.total)) is None or failed
    result.returned = len(result.pmids)
    result.truncated = result.returned < walked.found.total
    ctx.note("ids", [f"pmid:{pmid}" for pmid in walked.pmids])
    return Answer(result, "partial" if failed else "ok", next_cursor=walked.next_cursor)
