"""The tool fetch_article."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

import msgspec
from vouched.api import (
    Answer,
    Article,
    Context,
    Cursor,
    Ids,
    Meta,
    Missing,
    OutlineEntry,
    Ref,
    Restriction,
    ReuseCard,
    Struct,
    TextAnswer,
    TextList,
    tool,
)

from vouched_europepmc.parts import Part, chosen, joined, length, outline, pieces
from vouched_europepmc.resolver import canonical_id, look_up
from vouched_europepmc.rows import card

__all__ = ["Fetched", "FetchedRow", "fetch_article"]

# What stands beside the text in an answer: the record and the reuse card.
BESIDE = 5_000
LARGEST_RECORD = 12_000
AVAILABLE = ["metadata", "abstract", "annotations"]


class FetchedRow(Struct, omit_defaults=True):
    """One submitted id.

    Attributes:
        state: ok, restricted, outline, no_such_section, not_found, invalid, failed, not_checked, …
        reason: for every state but ok; reason_code: not_in_pmc, not_open, no_text_served, format_not_served, no_body, …
        record: the whole record; reuse: what may be done with the text, and the fact that decided.
        text: parts of the full text in reading order; text_source: where it is from, with its sha256.
        outline: section paths with their characters, where the text is too large or no section matched.
        continued: the rest of a row that began on the page before.
    """

    input: str
    state: str
    id: str = ""
    reason: str = ""
    reason_code: str = ""
    record: Article | None = None
    reuse: ReuseCard | None = None
    available: list[str] = []
    text: list[Part] = []
    text_source: dict[str, str] = {}
    outline: list[OutlineEntry] = []
    continued: bool = False


class Fetched(Struct):
    """One row for each submitted id, in order."""

    rows: list[FetchedRow]


class _At(msgspec.Struct, frozen=True):
    """Where the next page begins: a row, and the piece of its text (-1: its record)."""

    row: int
    piece: int


class _Unit(Struct):
    """The smallest thing that a page carries whole."""

    row: int
    head: FetchedRow | None = None
    part: Part | None = None


@tool(aliases=("fetch_article",), synonyms={"full_text": "include_full_text"})
async def fetch_article(
    ctx: Context,
    ids: Annotated[Ids, Meta(min_length=1, max_length=10)],
    include_full_text: bool = False,
    sections: Annotated[TextList | None, Meta(description="Parts of titles, or tables, figures, references")] = None,
    max_chars: Annotated[int, Meta(ge=500, le=200_000, description="Text characters per page")] | None = None,
    cursor: Cursor = None,
) -> Answer[Fetched]:
    """Fetch Europe PMC records with a reuse card, and their full text where the licence lets it be read.

    Takes PMID, PMCID, DOI or PPR ids. For many records without text use search_literature; for sentences about a claim
    use build_evidence_table. Returns one row per id. Text that may not be read is `restricted` with the fact that
    decided; text that is too large is an `outline`: ask for `sections`, or set `max_chars` and follow the cursor.
    """
    at = ctx.state(_At) or _At(0, -1)
    entries = await look_up(ctx, ids[at.row :])
    names = [name for name in sections or () if name.strip()]
    wants_text = include_full_text or bool(names)
    texts = await _texts(ctx, entries) if wants_text else [None] * len(entries)
    units: list[_Unit] = []
    for offset, (ref, entry, text) in enumerate(zip(ids[at.row :], entries, texts, strict=True)):
        row, parts = _row(ctx, ref, entry, text, names, bool(max_chars))
        found = [_Unit(at.row + offset, head=row), *(_Unit(at.row + offset, part=part) for part in parts)]
        units += found[at.piece + 1 :] if offset == 0 and at.piece >= 0 else found
    within = units[: _count(units, max_chars)]
    places = _places(units, at)
    fitted = ctx.fit(within, lambda kept: places[kept] if kept < len(units) else None)
    rows = _assembled(fitted.rows, ids)
    ctx.note("ids", list(dict.fromkeys(canonical_id(one) for one in entries if isinstance(one, Article))))
    return _answer(rows, fitted.next_cursor)


async def _texts(ctx: Context, entries: Sequence[Article | Missing]) -> list[TextAnswer | None]:
    async def one(entry: Article | Missing) -> TextAnswer | None:
        return await ctx.text(entry) if isinstance(entry, Article) else None

    return list(await asyncio.gather(*(one(entry) for entry in entries)))


def _row(
    ctx: Context, ref: Ref, entry: Article | Missing, text: TextAnswer | None, sections: Sequence[str], paged: bool
) -> tuple[FetchedRow, list[Part]]:
    if isinstance(entry, Missing):
        return FetchedRow(ref.input, entry.state, str(ref.id or ""), entry.reason), []
    row = FetchedRow(
        ref.input,
        "ok",
        canonical_id(entry),
        record=_within(ctx, entry),
        reuse=card(ctx, entry, text),
    )
    if text is None:
        return row, []
    if text.text is None:
        return _without(row, text), []
    row.text_source = {
        "source": text.text.source,
        "format": text.text.format,
        "url": text.text.url,
        "sha256": text.text.sha256,
        "retrieved_at": text.text.retrieved_at,
    }
    return _with(ctx, row, pieces(text.text), sections, paged)


def _without(row: FetchedRow, text: TextAnswer) -> FetchedRow:
    """The row of a text that does not go out: refused by the gate, not there, or not asked."""
    row.available = AVAILABLE
    if text.state == "failed":
        row.state = "failed"
    else:
        row.state = "restricted"
    if text.missing:
        row.reason, row.reason_code = text.missing.reason, text.missing.state
    else:
        row.reason = f"{text.decision.decided_by or 'The licence gate decided'}: the full text may not be passed on."
        row.reason_code = "licence"
    return row


def _with(
    ctx: Context, row: FetchedRow, parts: list[Part], sections: Sequence[str], paged: bool
) -> tuple[FetchedRow, list[Part]]:
    if sections:
        named = chosen(parts, sections)
        if not named:
            row.state, row.outline = "no_such_section", outline(parts)
            row.reason = f"No section, table or figure is called {' or '.join(map(repr, sections))}; see its outline."
        return row, named
    if not paged and sum(map(length, parts)) > ctx.settings.limits.answer_chars - BESIDE:
        row.state, row.outline = "outline", outline(parts)
        row.reason = "The text is too large for one answer: ask for `sections`, or for pages with `max_chars`."
        return row, []
    return row, parts


def _within(ctx: Context, article: Article) -> Article:
    """The record, without affiliations where they would fill the answer."""
    if len(msgspec.json.encode(article)) <= LARGEST_RECORD:
        return article
    ctx.warn(f"{canonical_id(article)}: affiliations of its {len(article.authors)} authors are left out.")
    return msgspec.structs.replace(
        article, authors=[msgspec.structs.replace(author, affiliations=[]) for author in article.authors]
    )


def _count(units: Sequence[_Unit], max_chars: int | None) -> int:
    """How many units stand within `max_chars` of text; one piece of text at least."""
    if max_chars is None:
        return len(units)
    used = 0
    for count, unit in enumerate(units):
        size = length(unit.part) if unit.part else 0
        if used and used + size > max_chars:
            return count
        used += size
    return len(units)


def _places(units: Sequence[_Unit], at: _At) -> list[_At]:
    """For each unit, where a page that begins with it begins."""
    places: list[_At] = []
    row, piece = at.row, at.piece
    for unit in units:
        if unit.row != row:
            row, piece = unit.row, -1
        places.append(_At(row, piece))
        piece += 1
    return places


def _assembled(units: Sequence[_Unit], ids: Sequence[Ref]) -> list[FetchedRow]:
    rows: list[FetchedRow] = []
    at = -1
    for unit in units:
        if unit.head is not None:
            rows.append(unit.head)
        elif unit.row != at:
            ref = ids[unit.row]
            rows.append(FetchedRow(ref.input, "ok", str(ref.id or ""), continued=True))
        at = unit.row
        if unit.part is not None:
            rows[-1].text.append(unit.part)
    for row in rows:
        row.text = joined(row.text)
    return rows


def _answer(rows: list[FetchedRow], next_cursor: str | None) -> Answer[Fetched]:
    data = Fetched(rows)
    if rows and all(row.state == "restricted" for row in rows):
        first = rows[0]
        reason = " ".join(dict.fromkeys(row.reason for row in rows))
        tier, licence = (first.reuse.tier, first.reuse.licence) if first.reuse else ("", "")
        return Answer(data, "restricted", next_cursor, restriction=Restriction(tier, licence, reason, AVAILABLE))
    if rows and all(row.state == "outline" for row in rows):
        entries = [
            OutlineEntry(entry.path if len(rows) == 1 else f"{row.id}: {entry.path}", entry.chars)
            for row in rows
            for entry in row.outline
        ]
        return Answer(data, "outline", next_cursor, outline=entries)
    unfinished = any(row.state in ("failed", "not_checked") for row in rows)
    return Answer(data, "partial" if unfinished else "ok", next_cursor)
