"""pubmed_find_related: similar, citing and cited articles, each input with its own links."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from vouched.api import Answer, Article, Context, Cursor, Fault, Id, Ids, Meta, Missing, Ref, Struct, tool

from vouched_pubmed.client import LinkSet, elink
from vouched_pubmed.fetching import fetch_pmids
from vouched_pubmed.records import RecordView, checked, view_of
from vouched_pubmed.resolver import resolve_ids

__all__ = ["find_related"]

Relation = Literal["similar", "cited_by", "references"]
LINKS = {"similar": "pubmed_pubmed", "cited_by": "pubmed_pubmed_citedin", "references": "pubmed_pubmed_refs"}
COVERAGE = {
    "similar": "PubMed's own neighbours by words of title, abstract and MeSH, most similar first.",
    "cited_by": "Only citing articles in PubMed whose reference lists NCBI has, mostly those in PMC: a lower bound. "
    "Europe PMC and iCite count others.",
    "references": "Only references that NCBI has matched to PubMed records; works outside PubMed are missing.",
}
OWN_LIST = "the record's own reference list"


class RelatedRow(Struct, omit_defaults=True):
    """Links of one submitted element.

    Attributes:
        input: the caller's spelling; pmid: of its record.
        state: found; none (the service has no such links for it); not_found, invalid, failed … (no record, not asked).
        total: links known; articles: the first of them; listed: references of the record, PubMed's or not.
        source: who said so; same_as: 1-based position of an earlier element with the same record.
    """

    input: str
    state: str
    pmid: str = ""
    total: int = 0
    articles: list[RecordView] = []
    listed: int = 0
    source: str = ""
    reason: str = ""
    same_as: int = 0
    retryable: bool = False


class RelatedResult(Struct, omit_defaults=True):
    """total: elements submitted; returned: rows here; coverage: what these links can and cannot tell."""

    relation: str
    total: int
    returned: int
    rows: list[RelatedRow]
    coverage: str = ""
    offset: int = 0
    remaining: int = 0
    status_checked: str = ""


class Position(Struct):
    """What a cursor holds."""

    offset: int


@tool(
    aliases=("find_related", "find_related_articles", "pubmed_related_articles"),
    synonyms={"relationship": "relation", "link_type": "relation"},
    serves="related papers",
)
async def find_related(
    ctx: Context,
    ids: Annotated[Ids, Meta(min_length=1, max_length=20)],
    relation: Relation = "similar",
    limit: Annotated[int, Meta(ge=1, le=50, description="links for each id")] = 10,
    cursor: Cursor = None,
) -> Answer[RelatedResult]:
    """Find articles similar to given ones, citing them or cited by them, in PubMed. Use it to go on from a known paper;
    for whole citation lists use europepmc tools, for counts icite_get_citation_metrics. Returns for each id its own
    links with their standing, the number known, the source and what it covers.
    """
    state = ctx.state(Position)
    offset = min(state.offset, len(ids)) if state else 0
    refs = ids[offset:]
    resolution = await resolve_ids(ctx, list(dict.fromkeys(ref.id for ref in refs if ref.id)))
    links, fault = await _links(ctx, resolution.found, relation)
    asked = fault or (resolution.faults[0] if resolution.faults else None)
    rows = _rows(ids, offset, resolution.found, links, relation)
    if asked and rows and all(row.state == "failed" for row in rows):
        raise asked
    known = await _fill(ctx, rows, links, limit)
    if not state:
        ctx.note("ids", list(dict.fromkeys(f"pmid:{one.pmid}" for row in rows for one in row.articles)))
    fitted = ctx.fit(rows, lambda kept: Position(offset + kept) if offset + kept < len(ids) else None)
    result = RelatedResult(
        relation,
        len(ids),
        len(fitted.rows),
        fitted.rows,
        COVERAGE[relation],
        offset,
        fitted.held_back,
        checked(known.values()),
    )
    return Answer(result, "partial" if any(row.state == "failed" for row in rows) else "ok", fitted.next_cursor)


class _Known(Struct):
    """What is known of one PMID's links: PMIDs in order, who said so, the length of its own reference list."""

    pmids: list[str]
    source: str
    listed: int = 0
    problem: str = ""


async def _links(
    ctx: Context, found: Mapping[Id, Article | Missing], relation: Relation
) -> tuple[dict[str, _Known], Fault | None]:
    """PMID -> its links. Every id is asked as its own set, and known by the id that stands in the answer."""
    articles = {record.ids["pmid"]: record for record in found.values() if isinstance(record, Article)}
    if not articles:
        return {}, None
    fault: Fault | None = None
    sets: Sequence[LinkSet] = ()
    try:
        sets = await elink(ctx, list(articles), LINKS[relation])
    except Fault as raised:
        fault = raised
    answered = {one.ids[0]: one for one in sets if len(one.ids) == 1}
    known: dict[str, _Known] = {}
    for pmid, article in articles.items():
        own = list(dict.fromkeys(entry.ids["pmid"] for entry in article.cited_references if "pmid" in entry.ids))
        one = answered.get(pmid)
        if one is not None and not one.error:
            linked = [uid for uid in one.links.get(LINKS[relation], []) if uid not in (pmid, "0")]
            known[pmid] = _Known(list(dict.fromkeys(linked)), f"eutils ({LINKS[relation]})")
        else:
            problem = fault.message if fault else one.error if one else "PubMed left this id out of its answer."
            known[pmid] = _Known([], "", problem=problem)
        if relation == "references":
            known[pmid].listed = len(article.cited_references)
            if own and not known[pmid].pmids:
                known[pmid] = _Known(own, OWN_LIST, len(article.cited_references))
    return known, fault


def _rows(
    ids: Sequence[Ref],
    offset: int,
    found: Mapping[Id, Article | Missing],
    links: Mapping[str, _Known],
    relation: Relation,
) -> list[RelatedRow]:
    rows: list[RelatedRow] = []
    seen: dict[str, int] = {}
    for position, ref in enumerate(ids[offset:], offset + 1):
        record = found[ref.id] if ref.id else Missing("invalid", ref.problem)
        if isinstance(record, Missing):
            rows.append(RelatedRow(ref.input, record.state, reason=record.reason, retryable=record.retryable))
            continue
        pmid = record.ids["pmid"]
        one = links[pmid]
        row = RelatedRow(ref.input, "found", pmid, len(one.pmids), [], one.listed, one.source)
        row.same_as = seen.get(pmid, 0)
        seen.setdefault(pmid, position)
        if one.problem:
            row.state, row.reason, row.retryable = "failed", one.problem, True
        elif not one.pmids:
            row.state, row.reason = "none", f"PubMed has no {relation.replace('_', ' ')} links for it."
        rows.append(row)
    return rows


async def _fill(
    ctx: Context, rows: Sequence[RelatedRow], links: Mapping[str, _Known], limit: int
) -> dict[str, Article | Missing]:
    """Put the short records of the first links of every row into it; those that cannot be had keep their PMID."""
    wanted = {row.pmid: links[row.pmid].pmids[:limit] for row in rows if row.state == "found"}
    pmids = list(dict.fromkeys(pmid for group in wanted.values() for pmid in group))
    try:
        known = await fetch_pmids(ctx, pmids) if pmids else {}
    except Fault as fault:
        ctx.warn(f"The records of the links could not be fetched ({fault.message}); only their PMIDs are given.")
        known = {}
    articles = [record for record in known.values() if isinstance(record, Article)]
    if articles:
        await ctx.session.keep_articles(articles)
    for row in rows:
        if row.state == "found" and not row.same_as:
            row.articles = [_short(pmid, known.get(pmid)) for pmid in wanted[row.pmid]]
    return known


def _short(pmid: str, record: Article | Missing | None) -> RecordView:
    return view_of(record, "brief") if isinstance(record, Article) else RecordView("not_checked", pmid)
