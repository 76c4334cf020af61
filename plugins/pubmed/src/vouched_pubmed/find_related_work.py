"""Answers pubmed_find_related: the links of each record, and the records of the first of them."""

from collections.abc import Mapping, Sequence

from vouched.api import Answer, Article, Context, Fault, Id, Missing, Ref, Struct

from vouched_pubmed.client import LinkSet, elink
from vouched_pubmed.fetching import fetch_pmids
from vouched_pubmed.find_related import RelatedResult, RelatedRow, Relation
from vouched_pubmed.lookup import resolve_ids
from vouched_pubmed.records import RecordView, checked, view_of
from vouched_pubmed.standing import warn_of_standing

__all__ = ["answer"]

LINKS = {"similar": "pubmed_pubmed", "cited_by": "pubmed_pubmed_citedin", "references": "pubmed_pubmed_refs"}
COVERAGE = {
    "similar": "PubMed's own neighbours by words of title, abstract and MeSH, most similar first.",
    "cited_by": "Only citing articles in PubMed whose reference lists NCBI has, mostly those in PMC: a lower bound. "
    "Europe PMC and iCite count others.",
    "references": "Only references that NCBI has matched to PubMed records; works outside PubMed are missing.",
}
OWN_LIST = "the record's own reference list"


class Position(Struct):
    """What a cursor holds."""

    offset: int


class _Known(Struct):
    """What is known of one PMID's links: PMIDs in order, who said so, the length of its own reference list."""

    pmids: list[str]
    source: str
    listed: int = 0
    problem: str = ""


async def answer(ctx: Context, ids: Sequence[Ref], relation: Relation, limit: int) -> Answer[RelatedResult]:
    """One row an element, in order."""
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
    asked_for = [(row.pmid, row.status) for row in fitted.rows]
    warn_of_standing(ctx, [*asked_for, *((one.pmid, one.status) for row in fitted.rows for one in row.articles)])
    result = RelatedResult(
        relation,
        len(ids),
        len(fitted.rows),
        fitted.rows,
        COVERAGE[relation],
        offset,
        fitted.held_back,
        checked([*resolution.found.values(), *known.values()]),
    )
    return Answer(result, "partial" if any(row.state == "failed" for row in rows) else "ok", fitted.next_cursor)


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
        row = RelatedRow(ref.input, "found", record.status.status, pmid, len(one.pmids), [], one.listed, one.source)
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
