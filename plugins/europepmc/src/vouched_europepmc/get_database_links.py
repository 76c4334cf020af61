"""The tool get_database_links."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

from vouched.api import Answer, Article, Context, Fault, Ids, Meta, Missing, Ref, Struct, TextList, tool

from vouched_europepmc import datalinks
from vouched_europepmc.datalinks import HAND_OFF, Target
from vouched_europepmc.resolver import canonical_id, look_up, service_key

__all__ = ["DatabaseLink", "DatabaseLinks", "LinkedPaper", "get_database_links"]


class DatabaseLink(Struct, omit_defaults=True):
    """One link. `obtained_by` tm_accession is text mining, which may be wrong; submission, ext_links were supplied."""

    accession: str
    title: str = ""
    url: str = ""
    category: str = ""
    obtained_by: str = ""
    relation: str = ""
    publisher: str = ""
    frequency: int | None = None


class LinkedPaper(Struct, omit_defaults=True):
    """One submitted id; `state` is ok, none, no_match (no link of the databases asked for), not_found, failed, …"""

    input: str
    state: str
    id: str = ""
    reason: str = ""
    total: int = 0
    counts: dict[str, int] = {}
    databases: dict[str, list[DatabaseLink]] = {}


class DatabaseLinks(Struct):
    """One row for each submitted id, in order; `handoff`: scheme -> the kind of server that knows its accessions."""

    papers: list[LinkedPaper]
    handoff: dict[str, str]


@tool(aliases=("get_database_links",))
async def get_database_links(
    ctx: Context,
    ids: Annotated[Ids, Meta(min_length=1, max_length=20)],
    databases: Annotated[TextList | None, Meta(description="Schemes, as UniProt, ENA, PDB, ChEMBL, DOI")] = None,
) -> Answer[DatabaseLinks]:
    """List accession numbers and data sets linked to papers, by database: proteins, sequences, structures, trials.

    Returns links with category and how each was obtained; accessions that text mining found may be wrong. Look them up
    in servers for those databases (`handoff`); for entities in the text use get_annotations.
    """
    articles = await look_up(ctx, ids)
    wanted = {name.strip().casefold() for name in databases or () if name.strip()}
    papers = await asyncio.gather(
        *(_paper(ctx, ref, article, wanted) for ref, article in zip(ids, articles, strict=True))
    )
    ctx.note("ids", [paper.id for paper in papers if paper.databases])
    schemes = sorted({scheme for paper in papers for scheme in paper.databases})
    handoff = {scheme: HAND_OFF[scheme.lower()] for scheme in schemes if scheme.lower() in HAND_OFF}
    unfinished = any(paper.state in ("failed", "not_checked") for paper in papers)
    return Answer(DatabaseLinks(list(papers), handoff), "partial" if unfinished else "ok")


async def _paper(ctx: Context, ref: Ref, article: Article | Missing, wanted: set[str]) -> LinkedPaper:
    paper = LinkedPaper(ref.input, "ok", canonical_id(article) if isinstance(article, Article) else str(ref.id or ""))
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


def _filled(paper: LinkedPaper, links: Sequence[Target], wanted: set[str]) -> LinkedPaper:
    kept = [link for link in links if not wanted or link.scheme.casefold() in wanted]
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
    if not kept:
        paper.state = "no_match" if links else "none"
        paper.reason = "no link of these databases" if links else "Europe PMC has no data links for it"
    return paper
