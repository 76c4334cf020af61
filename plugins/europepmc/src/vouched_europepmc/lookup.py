"""Looks records up: one OR query for many, and every id that it did not bring is asked again alone."""

from collections.abc import Sequence
from functools import partial

from vouched.api import (
    Article,
    Context,
    Fault,
    Id,
    Missing,
    Ref,
    UpstreamRejected,
    canonical,
)

from vouched_europepmc import search
from vouched_europepmc.queries import REST_SOURCES, batches, id_term
from vouched_europepmc.resolver import OWN
from vouched_europepmc.service import some_at_once

__all__ = ["canonical_id", "find", "look_up", "resolve", "service_key", "source_and_id"]

PAGE = 100
# Seconds of the call's time that singles leave to the tool; what is not asked by then is said not to be.
KEPT_BACK = 6.0
_ORDER = ("pmid", "pmcid", "nbk", "ppr")


async def resolve(ctx: Context, ids: Sequence[Id]) -> dict[Id, Article | Missing]:
    """What the resolver answers: an entry for every id asked, and no faults."""
    found = await find(ctx, ids)
    return {id_: _as_missing(one) if isinstance(one, Fault) else one for id_, one in found.items()}


def _as_missing(fault: Fault) -> Missing:
    return Missing.of(fault, "europepmc")


async def find(ctx: Context, ids: Sequence[Id]) -> dict[Id, Article | Missing | Fault]:
    """Every id with its record, with what is known of its absence, or with the fault that kept it from being asked."""
    wanted = list(dict.fromkeys(ids))
    known = [id_ for id_ in wanted if id_.scheme in REST_SOURCES or id_.scheme in ("pmcid", "doi")]
    found: dict[Id, Article | Missing | Fault] = {
        id_: Missing("not_supported", f"Europe PMC has no {id_.scheme} identifiers.", source="europepmc")
        for id_ in wanted
        if id_ not in known
    }
    groups = batches(known)
    again: list[Id] = []
    for group, answer in zip(groups, await some_at_once(partial(_ask, ctx), groups), strict=True):
        if isinstance(answer, Fault):
            # One id may spoil a batch; alone each gets its own answer.
            if isinstance(answer, UpstreamRejected) and len(group) > 1:
                again += group
            else:
                found.update(dict.fromkeys(group, answer))
            continue
        found.update(answer)
        lost = [id_ for id_ in group if id_ not in answer]
        if len(group) > 1:
            again += lost
        else:
            found.update({id_: _not_found(id_) for id_ in lost})
    found.update(zip(again, await some_at_once(partial(_alone, ctx), again), strict=True))
    return found


async def _alone(ctx: Context, id_: Id) -> Article | Missing | Fault:
    if ctx.deadline.remaining() < KEPT_BACK:
        return Missing(
            "not_checked", "A batch did not bring it, and there was no time to ask for it alone.", retryable=True,
            source="europepmc",
        )  # fmt: skip
    answer = await _ask(ctx, [id_])
    return answer if isinstance(answer, Fault) else answer.get(id_, _not_found(id_))


def _not_found(id_: Id) -> Missing:
    return Missing("not_found", f"Europe PMC has no record of {id_}.", source="europepmc")


async def _ask(ctx: Context, group: Sequence[Id]) -> dict[Id, Article] | Fault:
    try:
        hits = await search.ask(ctx, " OR ".join(id_term(id_) for id_ in group), size=PAGE)
    except Fault as fault:
        return fault
    found: dict[Id, Article] = {}
    # A record is taken only for ids that it carries itself. Where two carry one DOI, the one in PubMed comes first.
    for article in sorted(hits.articles, key=_rank):
        for id_ in article.known_ids().intersection(group):
            if (taken := found.setdefault(id_, article)) is not article:
                ctx.warn(
                    f"{id_} is in two records: {canonical_id(taken)} was taken, {canonical_id(article)} has it, too."
                )
    return found


def _rank(article: Article) -> int:
    return next((rank for rank, scheme in enumerate(_ORDER) if scheme in article.ids), len(_ORDER))


async def look_up(ctx: Context, refs: Sequence[Ref | Id]) -> list[Article | Missing]:
    """The Europe PMC record of each reference, in order, one entry each; records are kept in the session.

    Tools of this plugin need the record as Europe PMC has it (licence, flags, corrections), so they do not go through
    resolvers of other sources.

    Raises:
        Fault: where no reference at all could be asked.
    """
    ids = [ref.id if isinstance(ref, Ref) else ref for ref in refs]
    found = await find(ctx, [id_ for id_ in ids if id_])
    faults = [one for one in found.values() if isinstance(one, Fault)]
    if faults and len(faults) == len(found):
        raise faults[0]
    articles = {id(one): one for one in found.values() if isinstance(one, Article)}
    if articles:
        await ctx.session.keep_articles(list(articles.values()))
    entries: list[Article | Missing] = []
    for ref, id_ in zip(refs, ids, strict=True):
        one = found[id_] if id_ else Missing("invalid", ref.problem if isinstance(ref, Ref) else "")
        entries.append(_as_missing(one) if isinstance(one, Fault) else one)
    return entries


def source_and_id(article: Article) -> tuple[str, str] | None:
    """How the other services of Europe PMC name a record: ("MED", "123"), ("PMC", "PMC5"), ("PPR", "PPR7")."""
    for scheme in ("pmid", "pmcid", "ppr", "nbk", *OWN):
        if value := article.ids.get(scheme):
            return ("PMC" if scheme == "pmcid" else REST_SOURCES[scheme]), value
    return None


def service_key(article: Article | Missing, id_: Id | None) -> tuple[str, str] | None:
    """The same where the record may be missing: an id of one of Europe PMC's own sources names it as it stands."""
    if isinstance(article, Article):
        return source_and_id(article)
    return (REST_SOURCES[id_.scheme], id_.value) if id_ and id_.scheme in REST_SOURCES else None


def canonical_id(article: Article) -> str:
    """The id by which answers name a record: "pmid:1", else "pmcid:PMC2", "ppr:PPR3", …"""
    for scheme in ("pmid", "pmcid", "ppr", "nbk", "doi", *OWN):
        if value := article.ids.get(scheme):
            return str(canonical(scheme, value) or f"{scheme}:{value}")
    return ""
