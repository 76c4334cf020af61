"""PMIDs to records: one EFetch for up to 200, and the truth about those that did not come."""

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec
from vouched.api import Article, Context, Missing, NotFound, UpstreamRejected

from vouched_pubmed.client import efetch
from vouched_pubmed.efetch import EFetchSet, read_articles
from vouched_pubmed.efetch_record import SOURCE

__all__ = ["MOST", "fetch_pmids", "now"]

MOST = 200
UNKNOWN = "PubMed gave no record for it and no reason; a PMID that was deleted or merged looks the same."


def now() -> str:
    """UTC, ISO 8601, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


async def fetch_pmids(ctx: Context, pmids: Sequence[str]) -> dict[str, Article | Missing]:
    """The record of every PMID, or why there is none; 200 a request.

    A record stands under the PMID asked: its own, or one that it names as a former one of its own (merged).

    Raises:
        Fault: where the service could not be asked at all.
    """
    found: dict[str, Article | Missing] = {}
    wanted = list(dict.fromkeys(pmids))
    for first in range(0, len(wanted), MOST):
        chunk = wanted[first : first + MOST]
        found |= _assigned(ctx, chunk, await _ask(ctx, chunk))
    return found


async def _ask(ctx: Context, pmids: Sequence[str]) -> EFetchSet:
    try:
        answer = await efetch(ctx, pmids, read_articles)
    except (UpstreamRejected, NotFound) as fault:
        # "ID list is empty! Possibly it has no correct IDs.": it knows none of them. Other refusals are faults.
        if "no correct ids" in fault.message.lower() or "no record under" in fault.message.lower():
            return EFetchSet()
        raise
    # The time of the exchange, not of the reading: an answer may come from the cache or from a recording.
    exchange = ctx.exchanges[-1] if ctx.exchanges else None
    return stamped(answer, getattr(exchange, "retrieved_at", "") or now())


def stamped(answer: EFetchSet, time: str) -> EFetchSet:
    """The same with the time of retrieval in every record and its status."""
    replace = msgspec.structs.replace
    articles = [
        replace(article, retrieved_at=time, status=replace(article.status, checked=[f"{SOURCE} {time}"]))
        for article in answer.articles
    ]
    return replace(answer, articles=articles)


def _assigned(ctx: Context, asked: Sequence[str], answer: EFetchSet) -> dict[str, Article | Missing]:
    by_pmid: dict[str, Article] = {}
    strangers: list[str] = []
    for article in answer.articles:
        names = [article.ids.get("pmid", ""), *article.also_ids.get("pmid", ())]
        if not set(names) & set(asked):
            strangers.append(names[0])
        for name in names[1:]:
            by_pmid.setdefault(name, article)
        by_pmid[names[0]] = article
    if strangers:
        ctx.warn(f"PubMed also sent records that were not asked for; they are left out: {', '.join(strangers[:10])}.")
    for problem in answer.problems:
        if problem.pmid in asked and not problem.unread:
            ctx.warn(f"PMID {problem.pmid}: {problem.text}")
    return {pmid: by_pmid.get(pmid) or _missing(pmid, answer, strangers) for pmid in asked}


def _missing(pmid: str, answer: EFetchSet, strangers: Sequence[str]) -> Missing:
    if pmid in answer.deleted:
        return Missing("deleted", "PubMed lists this PMID as deleted.", source=SOURCE)
    if pmid in answer.unavailable:
        return Missing("unavailable_now", "PubMed says that this PMID is not available.", retryable=True, source=SOURCE)
    unread = {problem.pmid: problem.text for problem in answer.problems if problem.unread}
    if pmid in unread or "" in unread:
        return Missing("failed", unread.get(pmid) or f"A record without a PMID came. {unread['']}", source=SOURCE)
    if strangers:
        reason = f"PubMed answered with another record ({', '.join(strangers[:3])}), which does not name this PMID."
        return Missing("identity_mismatch", reason, source=SOURCE)
    return Missing("not_found", UNKNOWN, source=SOURCE)
