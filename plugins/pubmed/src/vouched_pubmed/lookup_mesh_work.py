"""Answers pubmed_lookup_mesh: an exact search and one by words, and the summaries of what they find."""

import asyncio

from vouched.api import Answer, Context, Struct

from vouched_pubmed.client import esearch, esummary
from vouched_pubmed.lookup_mesh import MeshResult
from vouched_pubmed.mesh import matched_by, read_heading

__all__ = ["answer"]

# Exact searches find a heading and the records that have it as an entry term.
MOST_EXACT = 10
ORDER = ("heading", "entry_term", "words")


class Position(Struct):
    """What a cursor holds: offset in the search by words, and the exact hits of the first page."""

    offset: int
    exact: list[str]


async def answer(ctx: Context, query: str, limit: int) -> Answer[MeshResult]:
    """The records of one page, the exact heading first."""
    at = ctx.state(Position)
    if at is None:
        wide = esearch(ctx, query, size=limit, db="mesh")
        broad, exact = await asyncio.gather(wide, esearch(ctx, _exact(query), size=MOST_EXACT, db="mesh"))
        # Where the heading is not known the exact search answers for the words left of it: that is nothing exact.
        first = [] if exact.phrases_not_found or exact.quoted_not_found else exact.ids
        at = Position(0, first)
        uids = [*first, *(uid for uid in broad.ids if uid not in first)]
    else:
        broad = await esearch(ctx, query, start=at.offset, size=limit, db="mesh")
        uids = [uid for uid in broad.ids if uid not in at.exact]
    documents = await esummary(ctx, uids, db="mesh") if uids else {}
    rows = []
    for uid in uids:
        document = documents.get(uid, {})
        heading = read_heading(uid, document)
        if heading is None:
            ctx.warn(f"NCBI lists the MeSH record {uid} and has no summary of it.")
            continue
        heading.matched_by = matched_by(heading, query, document)
        rows.append(heading)
    rows.sort(key=lambda heading: ORDER.index(heading.matched_by))
    ctx.note("query", query)
    ctx.note("total", broad.total)
    reached = at.offset + len(broad.ids)
    following = ctx.cursor(Position(reached, at.exact)) if broad.ids and reached < broad.total else None
    total = max(broad.total, len(rows))
    return Answer(MeshResult(total, len(rows), rows), next_cursor=following)


def _exact(query: str) -> str:
    return '"' + query.replace('"', " ").strip() + '"[mh]'
