"""Ids to PubMed records: PMID at once, PMCID and DOI through the ID converter and PubMed's index, NBK through that."""

from collections.abc import Mapping, Sequence

from vouched.api import Article, Context, Fault, Id, Missing, canonical

from vouched_pubmed.client import esearch
from vouched_pubmed.efetch_record import SOURCE
from vouched_pubmed.fetching import fetch_pmids
from vouched_pubmed.idconv import SHORT_DOI, Conversion, convert, is_short_doi
from vouched_pubmed.resolver import SCHEMES

__all__ = ["Resolution", "carries", "resolve_ids"]

# Ids in one search clause: keeps a query far below the length where PubMed cuts.
SEARCHED = 50
_FIELDS = {"doi": ("doi", "aid"), "pmcid": ("pmcid", "aid"), "nbk": ("bookaccession", "aid")}


def carries(article: Article, id_: Id) -> bool | None:
    """Whether the record names `id_` as its own; None where it names no id of that scheme at all."""
    values = [article.ids.get(id_.scheme, ""), *article.also_ids.get(id_.scheme, ())]
    named = [known.value for value in values if value and (known := canonical(id_.scheme, value))]
    return id_.value in named if named else None


class Resolution:
    """found: an entry for every id; faults: why some could not be asked."""

    def __init__(self) -> None:
        self.found: dict[Id, Article | Missing] = {}
        self.faults: list[Fault] = []


async def resolve_ids(
    ctx: Context, ids: Sequence[Id], conversions: Mapping[Id, Conversion] | None = None
) -> Resolution:
    """What the resolver answers, together with the faults behind its `failed` entries. Never raises a fault.

    conversions: of the ID converter, where the caller has asked it already.
    """
    resolution = Resolution()
    plan = await _planned(ctx, list(dict.fromkeys(ids)), resolution.faults, conversions)
    wanted = list(dict.fromkeys(pmid for group in plan.candidates.values() for pmid in group))
    try:
        records = await fetch_pmids(ctx, wanted) if wanted else {}
    except Fault as fault:
        resolution.faults.append(fault)
        records = dict.fromkeys(wanted, _failed(fault))
    resolution.found = dict(plan.settled)
    for id_, group in plan.candidates.items():
        answers = [records[pmid] for pmid in group]
        resolution.found[id_] = answers[0] if id_.scheme == "pmid" else _chosen(id_, answers, id_ in plan.named)
    return resolution


class _Plan:
    """What is known before any record is fetched.

    candidates: PMIDs that an id may mean; named: ids whose single candidate the converter itself named; settled: ids
    that need no record.
    """

    def __init__(self) -> None:
        self.candidates: dict[Id, list[str]] = {}
        self.named: set[Id] = set()
        self.settled: dict[Id, Article | Missing] = {}


def _failed(fault: Fault) -> Missing:
    return Missing.of(fault, SOURCE)


def _not_found(id_: Id) -> Missing:
    return Missing("not_found", f"No PubMed record has this {id_.scheme}.", source=SOURCE)


async def _planned(
    ctx: Context, ids: Sequence[Id], faults: list[Fault], conversions: Mapping[Id, Conversion] | None
) -> _Plan:
    plan = _Plan()
    plan.candidates = {id_: [id_.value] for id_ in ids if id_.scheme == "pmid"}
    others = [id_ for id_ in ids if id_.scheme != "pmid"]
    for id_ in others:
        if id_.scheme not in SCHEMES:
            plan.settled[id_] = Missing("unsupported", f"PubMed knows no {id_.scheme.upper()} ids.")
        if is_short_doi(id_):
            plan.settled[id_] = Missing("unsupported", SHORT_DOI)
    through = [id_ for id_ in others if id_.scheme in ("pmcid", "doi") and id_ not in plan.settled]
    if conversions is None:
        conversions = await convert(ctx, through) if through else {}
    to_search: dict[Id, str] = {}
    for id_ in others:
        conversion = conversions.get(id_)
        if id_ in plan.settled:
            continue
        if conversion and conversion.pmid:
            plan.candidates[id_] = [conversion.pmid]
            plan.named.add(id_)
        elif conversion and conversion.state == "found":
            plan.settled[id_] = Missing("not_found", "It is in PMC but not in PubMed.", source="idconv")
        else:
            to_search[id_] = conversion.reason if conversion and conversion.state == "failed" else ""
    for first in range(0, len(to_search), SEARCHED):
        await _search(ctx, dict(list(to_search.items())[first : first + SEARCHED]), plan, faults)
    return plan


async def _search(ctx: Context, ids: Mapping[Id, str], plan: _Plan, faults: list[Fault]) -> None:
    """Look ids up in PubMed's index; `ids` maps to why the converter could not be asked ("" where it could).

    One search for many: which record belongs to which id is told by the records themselves.
    """
    size = 4 * len(ids)
    try:
        found = await esearch(ctx, " OR ".join(_clause(id_) for id_ in ids), size=size)
    except Fault as fault:
        faults.append(fault)
        plan.settled |= dict.fromkeys(ids, _failed(fault))
        return
    if found.total > size and len(ids) > 1:
        # One of them matches far more than itself and would crowd the others out.
        half = len(ids) // 2
        await _search(ctx, dict(list(ids.items())[:half]), plan, faults)
        await _search(ctx, dict(list(ids.items())[half:]), plan, faults)
        return
    for id_, reason in ids.items():
        if found.ids:
            plan.candidates[id_] = found.ids
        else:
            plan.settled[id_] = (
                Missing("failed", reason, retryable=True, source="idconv") if reason else _not_found(id_)
            )


def _clause(id_: Id) -> str:
    value = id_.value.replace('"', " ")
    return " OR ".join(f'"{value}"[{field}]' for field in _FIELDS[id_.scheme])


def _chosen(id_: Id, records: Sequence[Article | Missing], named: bool) -> Article | Missing:
    """The one record among the candidates that is what was asked for."""
    articles = [record for record in records if isinstance(record, Article)]
    own = [article for article in articles if carries(article, id_)]
    if len(own) == 1:
        return own[0]
    if own:
        pmids = ", ".join(sorted(article.ids["pmid"] for article in own))
        return Missing("ambiguous", f"Several records carry this {id_.scheme}: PMID {pmids}.", source=SOURCE)
    if named and articles:
        # A record that names no id of the scheme cannot contradict the converter; one that names another does.
        if carries(articles[0], id_) is None:
            return articles[0]
        pmid, said = articles[0].ids["pmid"], articles[0].ids.get(id_.scheme, "another")
        reason = f"The ID converter names PMID {pmid} for it, whose own record has {id_.scheme} {said}."
        return Missing("identity_mismatch", reason, source=SOURCE)
    missing = [record for record in records if isinstance(record, Missing)]
    failed = [record for record in missing if record.state == "failed"]
    return (failed or (missing if named else []) or [_not_found(id_)])[0]
