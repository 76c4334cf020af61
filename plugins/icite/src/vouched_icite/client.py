"""iCite's API: metrics of many PMIDs, in requests of 200 that run together inside the budget."""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
from vouched.api import Context, Fault, UpstreamInvalid, UpstreamRejected, clean

from vouched_icite.metrics import Metrics, read_metrics

__all__ = ["Collected", "collect", "read_pubs"]

# iCite's page says 200 since 2025 and said 1,000 before.
A_REQUEST = 200
FIELDS = (
    "pmid,year,title,journal,doi,is_research_article,relative_citation_ratio,nih_percentile,human,animal,"
    "molecular_cellular,apt,is_clinical,citation_count,citations_per_year,expected_citations_per_year,"
    "field_citation_rate,provisional,cited_by_clin"
)


class Page(msgspec.Struct, frozen=True):
    """One answer: the papers in it by PMID, and how many of its rows could not be read."""

    papers: dict[str, Metrics]
    unreadable: int = 0


class Collected(msgspec.Struct, frozen=True):
    """All answers together: every PMID asked is in exactly one of the three.

    Attributes:
        papers: indexed, by PMID; not_indexed: iCite answered without them; failed: it could not be asked, or its answer
            could not be read whole. reasons: what went wrong, each once.
    """

    papers: dict[str, Metrics]
    not_indexed: list[str]
    failed: list[str]
    reasons: list[str]


def read_pubs(body: bytes) -> Page:
    """Read an answer of `pubs`: `{"data": […]}`, with `meta` and `links` before July 2025, or one bare paper.

    Raises:
        UpstreamRejected: iCite says that the request is wrong.
        UpstreamInvalid: anything else that is not such an answer, or of which no row can be read.
    """
    try:
        value: Any = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise UpstreamInvalid("iCite's answer is not the JSON that was asked for.") from None
    if isinstance(value, dict) and "data" not in value:
        if said := value.get("error") or value.get("message"):
            raise UpstreamRejected(f"iCite refused the request: {clean(str(said))[:200]}")
        if "pmid" in value:
            value = {"data": value}
    rows = value.get("data") if isinstance(value, dict) else None
    if isinstance(rows, dict):
        rows = [rows]
    if not isinstance(rows, list):
        raise UpstreamInvalid("iCite's answer has no list of papers.")
    read = [read_metrics(row) for row in rows]
    if read and not any(read):
        raise UpstreamInvalid("No row of iCite's answer is one of a paper.")
    return Page({paper.pmid: paper for paper in read if paper}, sum(paper is None for paper in read))


async def _get(ctx: Context, pmids: Sequence[str], fields: str, *, refresh: bool = False) -> Page:
    return await ctx.http("icite").get(
        "pubs", params={"pmids": ",".join(pmids), "fl": fields}, read=read_pubs, refresh=refresh
    )


async def _ask(ctx: Context, pmids: Sequence[str], fields: str) -> Page:
    """The page of `pmids`; those that an unreadable row may stand for are asked once more, past the cache."""
    page = await _get(ctx, pmids, fields)
    absent = [pmid for pmid in pmids if pmid not in page.papers]
    if not page.unreadable or not absent:
        return page
    try:
        again = await _get(ctx, absent, fields, refresh=True)
    except Fault:
        # The first answer says already that some of it could not be read.
        return page
    return Page(page.papers | again.papers, again.unreadable)


async def collect(ctx: Context, pmids: Sequence[str], links: Sequence[str] = ()) -> Collected:
    """Metrics of `pmids` (unique). `links`: also the lists `cited_by`, `references`.

    Raises:
        Fault: where nothing at all could be asked; a failure of some requests only is in `failed`.
    """
    fields = ",".join([FIELDS, *links])
    chunks = [pmids[first : first + A_REQUEST] for first in range(0, len(pmids), A_REQUEST)]
    answers = await asyncio.gather(*(_ask(ctx, chunk, fields) for chunk in chunks), return_exceptions=True)
    faults = [answer for answer in answers if isinstance(answer, Fault)]
    if len(faults) == len(answers) and faults:
        raise faults[0]
    papers: dict[str, Metrics] = {}
    not_indexed: list[str] = []
    failed: list[str] = []
    reasons = [fault.message for fault in faults]
    for chunk, answer in zip(chunks, answers, strict=True):
        if isinstance(answer, Fault):
            failed += chunk
            continue
        if isinstance(answer, BaseException):
            raise answer
        papers |= {pmid: answer.papers[pmid] for pmid in chunk if pmid in answer.papers}
        absent = [pmid for pmid in chunk if pmid not in answer.papers]
        if answer.unreadable and absent:
            # One of the unreadable rows may be the paper that is absent: nobody can say that it is not indexed.
            failed += absent
            reasons.append(f"{answer.unreadable} rows of iCite's answer could not be read.")
        else:
            not_indexed += absent
    return Collected(papers, not_indexed, failed, list(dict.fromkeys(reasons)))
