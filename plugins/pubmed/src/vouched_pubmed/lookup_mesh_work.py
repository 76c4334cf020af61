"""Answers pubmed_lookup_mesh: an exact search and one by words, and the summaries of what they find."""

import asyncio
from collections.abc import Sequence

from vouched.api import Answer, Context, Struct

from vouched_pubmed.client import Found, esearch, esummary
from vouched_pubmed.lookup_mesh import Heading, MeshResult
from vouched_pubmed.mesh import matched_by, read_heading
from vouched_pubmed.query_filters import check_query
from vouched_pubmed.query_text import plain_query
from vouched_pubmed.understood import ignored, say_ignored

__all__ = ["answer"]

# Exact searches find a heading and the records that have it as an entry term.
MOST_EXACT = 10
ORDER = ("heading", "entry_term", "words")


class Position(Struct):
    """What a cursor holds: offset in the search by words, the exact hits, and how many of them were shown."""

    offset: int
    exact: list[str]
    shown: int


async def answer(ctx: Context, query: str, limit: int) -> Answer[MeshResult]:
    """The records of one page, the exact heading first."""
    query = plain_query(ctx, query)
    check_query(query)
    at = ctx.state(Position)
    if at is None:
        wide = esearch(ctx, query, size=limit, db="mesh")
        broad, exact = await asyncio.gather(wide, esearch(ctx, _exact(query), size=MOST_EXACT, db="mesh"))
        # Where the heading is not known the exact search answers for the words left of it: that is nothing exact.
        first = [] if exact.phrases_not_found or exact.quoted_not_found else exact.ids
        known = await _headings(ctx, list(dict.fromkeys([*first, *broad.ids])), query)
        # NCBI orders them by number: the heading itself may come behind one that has the query as an entry term.
        at = Position(0, sorted(first, key=lambda uid: _rank(known.get(uid))), 0)
        uids, after = _page(at, broad, limit)
    else:
        broad = await esearch(ctx, query, start=at.offset, size=limit, db="mesh")
        uids, after = _page(at, broad, limit)
        known = await _headings(ctx, uids, query)
    if broad.total:
        say_ignored(ctx, ignored(broad), broad)
    rows = sorted((known[uid] for uid in uids if uid in known), key=_rank)
    if without := [uid for uid in uids if uid not in known]:
        ctx.warn(f"NCBI lists MeSH records and has no summary of them: {', '.join(without)}.")
    ctx.note("query", query)
    ctx.note("total", broad.total)
    left = after.shown < len(after.exact) or (broad.ids and after.offset < broad.total)
    total = max(broad.total, len(at.exact), len(rows))
    return Answer(MeshResult(total, len(rows), rows), next_cursor=ctx.cursor(after) if left else None)


def _page(at: Position, broad: Found, limit: int) -> tuple[list[str], Position]:
    """The uids of this page: exact hits that are left, then those by words that are not exact too."""
    uids = at.exact[at.shown : at.shown + limit]
    shown, offset = at.shown + len(uids), at.offset
    for uid in broad.ids:
        if uid not in at.exact:
            if len(uids) == limit:
                break
            uids = [*uids, uid]
        offset += 1
    return uids, Position(offset, at.exact, shown)


async def _headings(ctx: Context, uids: Sequence[str], query: str) -> dict[str, Heading]:
    """The records by uid, as far as there are summaries, each with how it answers the query."""
    documents = await esummary(ctx, uids, db="mesh") if uids else {}
    found = {}
    for uid in uids:
        document = documents.get(uid, {})
        heading = read_heading(uid, document)
        if heading is not None:
            heading.matched_by = matched_by(heading, query, document)
            found[uid] = heading
    return found


def _rank(heading: Heading | None) -> int:
    return ORDER.index(heading.matched_by) if heading else len(ORDER)


def _exact(query: str) -> str:
    return '"' + query.replace('"', " ").strip() + '"[mh]'
