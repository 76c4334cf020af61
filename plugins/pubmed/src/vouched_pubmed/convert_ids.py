"""pubmed_convert_ids: PMID, PMCID, DOI and Bookshelf number of a record, from any of them."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from vouched.api import Answer, Article, Context, Cursor, Id, Ids, Meta, Missing, Ref, Struct, canonical, tool

from vouched_pubmed.idconv import NOT_IN_PMC, Conversion, convert
from vouched_pubmed.resolver import resolve_ids

__all__ = ["convert_ids"]

SCHEMES = ("pmid", "pmcid", "doi", "nbk")


class ConversionRow(Struct, omit_defaults=True):
    """One submitted element.

    Attributes:
        input: the caller's spelling; state: found; not_in_pmc (a record of PubMed that PMC does not have, so no PMCID);
            not_found; conflict (the services contradict each other); ambiguous; unsupported; invalid; failed.
        confirmed: the PubMed record itself says the same of every id given here.
        conflicts: what contradicts what; such ids are never confirmed.
    """

    input: str
    state: str
    pmid: str = ""
    pmcid: str = ""
    doi: str = ""
    nbk: str = ""
    confirmed: bool = False
    reason: str = ""
    conflicts: list[str] = []
    retryable: bool = False


class ConversionResult(Struct, omit_defaults=True):
    """total: elements submitted; returned: rows here, from `offset` on."""

    total: int
    returned: int
    rows: list[ConversionRow]
    offset: int = 0
    remaining: int = 0


class Position(Struct):
    """What a cursor holds."""

    offset: int


@tool(
    aliases=("convert_ids", "convert_article_ids", "pubmed_article_id_converter"),
    synonyms={"idtype": "id_type"},
    serves="PMID, PMCID, DOI",
)
async def convert_ids(
    ctx: Context,
    ids: Annotated[Ids, Meta(min_length=1, max_length=200)],
    id_type: Annotated[Literal["pmid", "pmcid", "doi"], Meta(description="what bare numbers are")] = "pmid",
    cursor: Cursor = None,
) -> Answer[ConversionResult]:
    """Convert between PMID, PMCID, DOI and NBK, any mix. Use it to find an article's other identifiers; to read the
    record itself use pubmed_fetch_articles. One row for each element, in order: not_in_pmc means that the record exists
    but PMC has no copy; conflicting identifiers are named.
    """
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
    result = ConversionResult(len(ids), len(fitted.rows), fitted.rows, offset, fitted.held_back)
    return Answer(result, "partial" if any(row.state == "failed" for row in rows) else "ok", fitted.next_cursor)


def _meant(ref: Ref, id_type: str) -> Ref:
    """A bare number is a PMID unless the caller says that it is a PMCID; nothing bare ever is a DOI."""
    bare = ref.input.strip()
    if id_type == "pmcid" and bare.isascii() and bare.isdigit() and (known := canonical("pmcid", f"PMC{bare}")):
        return msgspec.structs.replace(ref, id=known)
    return ref


def _nothing(id_: Id, conversions: Mapping[Id, Conversion], found: Mapping[Id, Article | Missing]) -> bool:
    record, conversion = found[id_], conversions.get(id_)
    converted = conversion is not None and conversion.state == "found"
    return isinstance(record, Missing) and record.state == "failed" and not converted


def _row(ref: Ref, conversions: Mapping[Id, Conversion], found: Mapping[Id, Article | Missing]) -> ConversionRow:
    if ref.id is None:
        return ConversionRow(ref.input, "invalid", reason=ref.problem)
    conversion, record = conversions.get(ref.id, Conversion(state="")), found[ref.id]
    row = ConversionRow(ref.input, "found", conversion.pmid, conversion.pmcid, conversion.doi)
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
    elif conversion.state == "failed":
        row.reason = f"The ID converter could not be asked ({conversion.reason}); the ids are the record's own."
    return row


def _says(article: Article, scheme: str, value: str) -> bool:
    """Whether the record does not contradict `value`: it names it, or names no id of the scheme."""
    own = [article.ids.get(scheme, ""), *article.also_ids.get(scheme, ())]
    return not article.ids.get(scheme) or canonical(scheme, value) in {canonical(scheme, one) for one in own if one}
