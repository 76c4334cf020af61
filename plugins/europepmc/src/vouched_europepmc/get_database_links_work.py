"""Answers get_database_links: asks for the links of each paper and groups them by database."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
from vouched.api import Answer, Article, Context, Fault, Missing, Ref

from vouched_europepmc import datalinks
from vouched_europepmc.datalinks import HAND_OFF, Target
from vouched_europepmc.get_database_links import DatabaseLink, DatabaseLinks, LinkedPaper
from vouched_europepmc.lookup import canonical_id, look_up, service_key
from vouched_europepmc.names import Wanted, listed
from vouched_europepmc.rows import signals, warn_standing

__all__ = ["answer"]

# What stands beside the papers, and how much longer a link is in Markdown than as JSON.
BESIDE = 1_500
AS_TEXT = 1.4


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
    data = await _fitted(ctx, DatabaseLinks(list(papers), handoff))
    return Answer(data, "partial" if unfinished else "ok")


async def _fitted(ctx: Context, whole: DatabaseLinks) -> DatabaseLinks:
    """Every paper with its counts, and as many links of each as there is room for; the whole as an artifact."""
    bare = [msgspec.structs.replace(paper, databases={}) for paper in whole.papers]
    room = int((ctx.settings.limits.answer_chars - BESIDE) / AS_TEXT) - _size(bare)
    if sum(_size(paper.databases) for paper in whole.papers) <= room:
        return whole
    shown: dict[int, LinkedPaper] = {}
    # The smallest first: what they leave of their share is the others'.
    order = sorted(range(len(bare)), key=lambda place: _size(whole.papers[place].databases))
    for left, place in zip(range(len(order), 0, -1), order, strict=True):
        shown[place] = _cut(whole.papers[place], max(0, room) // left)
        room -= _size(shown[place].databases)
    missing = sum(paper.left_out for paper in shown.values())
    ctx.warn(
        f"{missing:,} link{' is' if missing == 1 else 's are'} left out for want of room: "
        "ask for fewer papers or name `databases`; "
        f"{await _kept(ctx, whole)}."
    )
    return DatabaseLinks([shown[place] for place in range(len(bare))], whole.handoff)


async def _kept(ctx: Context, whole: DatabaseLinks) -> str:
    """Where all links are; a store that fails costs the rest, not what fits."""
    content = msgspec.json.format(msgspec.json.encode(whole), indent=1)
    try:
        kept = await ctx.keep("europepmc-database-links.json", content, "application/json", kind="database_links")
    except Fault as fault:
        return f"the whole could not be kept ({fault.message})"
    return f"all of them are in artifact:{kept.artifact_id} (vouched_read_session)"


def _cut(paper: LinkedPaper, room: int) -> LinkedPaper:
    """The first links of each database in turn, as many as fit."""
    kept: dict[str, list[DatabaseLink]] = {}
    used = 0
    turns = (
        (name, of[turn])
        for turn in range(max(paper.counts.values(), default=0))
        for name, of in paper.databases.items()
        if turn < len(of)
    )
    for name, link in turns:
        used += _size(link) + (0 if name in kept else _size(name) + 4) + 1
        if used > room:
            break
        kept.setdefault(name, []).append(link)
    return msgspec.structs.replace(paper, databases=kept, left_out=paper.total - sum(map(len, kept.values())))


def _size(value: Any) -> int:
    return len(msgspec.json.encode(value).decode())


async def _paper(ctx: Context, ref: Ref, article: Article | Missing, wanted: Wanted) -> LinkedPaper:
    paper = LinkedPaper(ref.input, "ok", "not_checked", str(ref.id or ""))
    if isinstance(article, Article):
        paper.id, paper.status, paper.signals = canonical_id(article), article.status.status, signals(article.status)
        paper.is_notice = article.status.is_notice
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
