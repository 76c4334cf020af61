"""Answers pubmed_convert_ids: the ID converter and the PubMed record, held against each other."""

from collections.abc import Mapping, Sequence

import msgspec
from vouched.api import Answer, Article, Context, Id, Missing, Ref, Struct, canonical

from vouched_pubmed.convert_ids import ConversionResult, ConversionRow
from vouched_pubmed.idconv import NOT_IN_PMC, Conversion, convert
from vouched_pubmed.lookup import resolve_ids
from vouched_pubmed.standing import listed, warn_of_standing

__all__ = ["answer"]

SCHEMES = ("pmid", "pmcid", "doi", "nbk")


class Position(Struct):
    """What a cursor holds."""

    offset: int


async def answer(ctx: Context, ids: Sequence[Ref], id_type: str) -> Answer[ConversionResult]:
    """One row an element, in order."""
    state = ctx.state(Position)
    offset = min(state.offset, len(ids)) if state else 0
    refs = [_meant(ref, id_type) for ref in ids[offset:]]
    wanted = list(dict.fromkeys(ref.id for ref in refs if ref.id))
    conversions = await convert(ctx, wanted)
    resolution = await resolve_ids(ctx, wanted, conversions)
    if resolution.faults and wanted and all(_nothing(id_, conversions, resolution.found) for id_ in wanted):
        raise resolution.faults[0]
    rows = [_row(ref, conversions, resolution.found) for ref in refs]
    found = [record for record in resolution.found.values() if isinstance(record, Article)]
    if found:
        await ctx.session.keep_articles(list({id(record): record for record in found}.values()))
    if not state:
        ctx.note("ids", list(dict.fromkeys(f"pmid:{row.pmid}" for row in rows if row.pmid)))
    fitted = ctx.fit(rows, lambda kept: Position(offset + kept) if offset + kept < len(ids) else None)
    warn_of_standing(ctx, ((row.pmid, row.status) for row in fitted.rows))
    if unread := [row.pmid or row.input for row in fitted.rows if _unread(row)]:
        ctx.warn(f"The PubMed record could not be asked, so the standing is not known: {listed(unread)}.")
    result = ConversionResult(len(ids), len(fitted.rows), fitted.rows, offset, fitted.held_back)
    incomplete = any(row.state == "failed" or _unread(row) for row in rows)
    return Answer(result, "partial" if incomplete else "ok", fitted.next_cursor)


def _unread(row: ConversionRow) -> bool:
    """Converted, and nobody knows whether the paper was retracted."""
    return row.state == "found" and not row.status


def _meant(ref: Ref, id_type: str) -> Ref:
    """A bare number is a PMID unless the caller says that it is a PMCID; nothing bare ever is a DOI."""
    bare = ref.input.strip()
    if not (bare.isascii() and bare.isdigit()):
        return ref
    if id_type == "pmcid" and (known := canonical("pmcid", f"PMC{bare}")):
        return msgspec.structs.replace(ref, id=known)
    if id_type == "doi":
        problem = "`id_type` says that bare numbers are DOIs, and none is one: write the DOI, or leave `id_type` out."
        return msgspec.structs.replace(ref, id=None, problem=problem)
    return ref


def _nothing(id_: Id, conversions: Mapping[Id, Conversion], found: Mapping[Id, Article | Missing]) -> bool:
    record, conversion = found[id_], conversions.get(id_)
    converted = conversion is not None and conversion.state == "found"
    return isinstance(record, Missing) and record.state == "failed" and not converted


def _row(ref: Ref, conversions: Mapping[Id, Conversion], found: Mapping[Id, Article | Missing]) -> ConversionRow:
    if ref.id is None:
        return ConversionRow(ref.input, "invalid", reason=ref.problem)
    conversion, record = conversions.get(ref.id, Conversion(state="")), found[ref.id]
    row = ConversionRow(ref.input, "found", "", conversion.pmid, conversion.pmcid, conversion.doi)
    if isinstance(record, Article):
        return _with_record(row, ref.id, conversion, record)
    row.reason, row.retryable = record.reason, record.retryable
    if record.state == "identity_mismatch":
        row.state, row.conflicts = "conflict", [record.reason]
    elif conversion.state != "found":
        row.state = record.state
    elif record.state == "failed":
        row.reason = f"The PubMed record could not be asked: {record.reason}"
    return row


def _with_record(row: ConversionRow, id_: Id, conversion: Conversion, article: Article) -> ConversionRow:
    row.status = article.status.status
    row.conflicts = [
        f"{scheme}: the ID converter says {said}, the PubMed record {article.ids[scheme]}"
        for scheme in ("pmid", "pmcid", "doi")
        if (said := getattr(conversion, scheme)) and not _says(article, scheme, said)
    ]
    # The record's own spelling of a DOI is shown, and what the converter lacks is taken from it.
    for scheme in SCHEMES:
        if scheme in article.ids and (not getattr(row, scheme) or _says(article, scheme, getattr(row, scheme))):
            setattr(row, scheme, article.ids[scheme])
    if id_.scheme == "pmid" and article.ids.get("pmid") != id_.value:
        row.reason = f"PubMed gives PMID {id_.value} as a former one of {article.ids.get('pmid')}."
    row.confirmed = not row.conflicts and all(
        not getattr(row, scheme) or scheme in article.ids for scheme in ("pmid", "pmcid", "doi")
    )
    if row.conflicts:
        row.state = "conflict"
    elif not row.pmcid and conversion.state == NOT_IN_PMC:
        row.state = NOT_IN_PMC
        row.reason = row.reason or "The record is in PubMed; PMC has no copy of the article."
    elif conversion.state in ("failed", "rejected"):
        why = "could not be asked" if conversion.state == "failed" else "did not answer"
        row.reason = f"The ID converter {why} ({conversion.reason.rstrip('.')}); the ids are the record's own."
    return row


def _says(article: Article, scheme: str, value: str) -> bool:
    """Whether the record does not contradict `value`: it names it, or names no id of the scheme."""
    own = [article.ids.get(scheme, ""), *article.also_ids.get(scheme, ())]
    return not article.ids.get(scheme) or canonical(scheme, value) in {canonical(scheme, one) for one in own if one}
