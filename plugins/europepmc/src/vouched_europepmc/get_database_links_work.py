"""Answers get_database_links: asks for the links of each paper and groups them by database."""

import asyncio
from collections import Counter
from collections.abc import Sequence

from vouched.api import Answer, Article, Context, Fault, Missing, Ref

from vouched_europepmc import datalinks
from vouched_europepmc.datalinks import HAND_OFF, Target
from vouched_europepmc.get_database_links import DatabaseLink, DatabaseLinks, LinkedPaper
from vouched_europepmc.lookup import canonical_id, look_up, service_key
from vouched_europepmc.names import Wanted, listed
from vouched_europepmc.rows import signals, warn_standing

__all__ = ["answer"]


async def answer(ctx: Context, ids: Sequence[Ref], databases: Sequence[str]) -> Answer[DatabaseLinks]:
    """One row an id."""
    articles = await look_up(ctx, ids)
    warn_standing(ctx, [one for one in articles if isinstance(one, Article)])
    wanted = Wanted.of(databases)
    papers = await asyncio.gather(
        *(_paper(ctx, ref, article, wanted) for ref, article in zip(ids, articles, strict=True))
    )
    ctx.note("ids", [paper.id for paper in papers if paper.databases])
    there = {scheme for paper in papers for scheme in (*paper.databases, *paper.has)}
    if there and (unknown := wanted.unknown(there)):
        names = " or ".join(map(repr, unknown))
        ctx.warn(f"No link of these papers is to {names}; there are links to {listed(sorted(there))}.")
    schemes = sorted({scheme for paper in papers for scheme in paper.databases})
    handoff = {scheme: HAND_OFF[scheme.lower()] for scheme in schemes if scheme.lower() in HAND_OFF}
    unfinished = any(paper.state in ("failed", "not_checked") for paper in papers)
    return Answer(DatabaseLinks(list(papers), handoff), "partial" if unfinished else "ok")


async def _paper(ctx: Context, ref: Ref, article: Article | Missing, wanted: Wanted) -> LinkedPaper:
    paper = LinkedPaper(ref.input, "ok", "not_checked", str(ref.id or ""))
    if isinstance(article, Article):
        paper.id, paper.status, paper.signals = canonical_id(article), article.status.status, signals(article.status)
    key = service_key(article, ref.id)
    try:
        links = await datalinks.ask(ctx, key) if key else None
    except Fault as fault:
        paper.state, paper.reason = "failed", fault.message
        return paper
    if isinstance(article, Missing) and not links:
        paper.state, paper.reason = article.state, article.reason
        return paper
    return _filled(paper, links or [], wanted)


def _filled(paper: LinkedPaper, links: Sequence[Target], wanted: Wanted) -> LinkedPaper:
    kept = [link for link in links if wanted.passes(link.scheme)]
    for link in kept:
        paper.databases.setdefault(link.scheme, []).append(
            DatabaseLink(
                link.accession,
                "" if link.title == link.accession else link.title,
                link.url,
                link.category,
                link.obtained_by,
                link.relation,
                link.publisher,
                link.frequency,
            )
        )
    paper.counts = {scheme: len(of) for scheme, of in paper.databases.items()}
    paper.total = len(kept)
    if len(kept) < len(links):
        paper.has = dict(Counter(link.scheme for link in links))
    if not kept:
        paper.state = "no_match" if links else "none"
        paper.reason = (
            f"no link to {' or '.join(wanted.asked)}; it has links to {listed(paper.has)}"
            if links
            else "Europe PMC has no data links for it"
        )
    return paper
