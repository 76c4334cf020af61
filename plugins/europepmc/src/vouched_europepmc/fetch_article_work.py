"""Answers fetch_article: records, the licensed text in pieces, and pages of them."""

import asyncio
from collections.abc import Mapping, Sequence

import msgspec
from vouched.api import (
    Answer,
    Article,
    Context,
    Missing,
    OutlineEntry,
    Ref,
    Restriction,
    Struct,
    TextAnswer,
)

from vouched_europepmc.fetch_article import Fetched, FetchedRow, Part, Record
from vouched_europepmc.lookup import canonical_id, look_up
from vouched_europepmc.parts import chosen, inventory, joined, length, outline, pieces, unnamed
from vouched_europepmc.record_view import view
from vouched_europepmc.rows import card, signals, versions, warn_standing

__all__ = ["answer"]

# What stands beside the text in an answer: the record and the reuse card.
BESIDE = 5_000
LARGEST_RECORD = 12_000


class _At(msgspec.Struct, frozen=True):
    """Where the next page begins: a row, and the piece of its text (-1: its record)."""

    row: int
    piece: int


class _Unit(Struct):
    """The smallest thing that a page carries whole."""

    row: int
    head: FetchedRow | None = None
    part: Part | None = None


async def answer(
    ctx: Context, ids: Sequence[Ref], include_full_text: bool, sections: Sequence[str], max_chars: int | None
) -> Answer[Fetched]:
    """One row an id, from where the cursor says."""
    at = ctx.state(_At) or _At(0, -1)
    entries = await look_up(ctx, ids[at.row :])
    names = [name for name in sections if name.strip()]
    wants_text = include_full_text or bool(names)
    texts = await _texts(ctx, entries) if wants_text else [None] * len(entries)
    units: list[_Unit] = []
    heads: dict[int, FetchedRow] = {}
    for offset, (ref, entry, text) in enumerate(zip(ids[at.row :], entries, texts, strict=True)):
        row, parts = _row(ctx, ref, entry, text, names, bool(max_chars))
        heads[at.row + offset] = row
        found = [_Unit(at.row + offset, head=row), *(_Unit(at.row + offset, part=part) for part in parts)]
        units += found[at.piece + 1 :] if offset == 0 and at.piece >= 0 else found
    within = units[: _count(units, max_chars)]
    places = _places(units, at)
    fitted = ctx.fit(within, lambda kept: places[kept] if kept < len(units) else None)
    rows = _assembled(fitted.rows, heads)
    shown = {unit.row - at.row for unit in fitted.rows}
    warn_standing(ctx, [one for number, one in enumerate(entries) if number in shown and isinstance(one, Article)])
    ids_found = list(dict.fromkeys(canonical_id(one) for one in entries if isinstance(one, Article)))
    ctx.note("ids", ids_found)
    if at.row == 0:
        ctx.note("total", len(ids_found))
    return _answer(rows, fitted.next_cursor)


async def _texts(ctx: Context, entries: Sequence[Article | Missing]) -> list[TextAnswer | None]:
    async def one(entry: Article | Missing) -> TextAnswer | None:
        return await ctx.text(entry) if isinstance(entry, Article) else None

    return list(await asyncio.gather(*(one(entry) for entry in entries)))


def _row(
    ctx: Context, ref: Ref, entry: Article | Missing, text: TextAnswer | None, sections: Sequence[str], paged: bool
) -> tuple[FetchedRow, list[Part]]:
    if isinstance(entry, Missing):
        return FetchedRow(ref.input, entry.state, "not_checked", id=str(ref.id or ""), reason=entry.reason), []
    row = _head(ref, entry)
    row.record, row.reuse = _within(ctx, entry), card(ctx, entry, text)
    if text is None:
        return row, []
    if text.text is None:
        row.available = ["metadata", *(["abstract"] if entry.abstract else []), "annotations"]
        return _without(row, text), []
    row.text_source = {
        "source": text.text.source,
        "format": text.text.format,
        "url": text.text.url,
        "sha256": text.text.sha256,
        "retrieved_at": text.text.retrieved_at,
    }
    return _with(ctx, row, pieces(text.text), sections, paged)


def _head(ref: Ref, article: Article) -> FetchedRow:
    published_as, preprints = versions(article)
    return FetchedRow(
        ref.input,
        "ok",
        article.status.status,
        signals(article.status),
        article.status.is_notice,
        canonical_id(article),
        published_as,
        preprints,
        article.status.checked,
    )


def _without(row: FetchedRow, text: TextAnswer) -> FetchedRow:
    """The row of a text that does not go out: refused by the gate, not there, or not asked."""
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
        if unknown := unnamed(parts, sections):
            said = f"nothing of it is called {' or '.join(map(repr, unknown))}; it has {inventory(parts)}"
            ctx.warn(f"{row.id}: {said}.")
            if not named:
                row.state, row.outline, row.reason = "no_such_section", outline(parts), f"{said}: see its outline."
        return row, named
    if not paged and sum(map(length, parts)) > ctx.settings.limits.answer_chars - BESIDE:
        row.state, row.outline = "outline", outline(parts)
        row.reason = "The text is too large for one answer: ask for `sections`, or for pages with `max_chars`."
        return row, []
    return row, parts


def _within(ctx: Context, article: Article) -> Record:
    """The record, without affiliations where they would fill the answer."""
    record = view(article)
    if len(msgspec.json.encode(record)) > LARGEST_RECORD:
        ctx.warn(f"{canonical_id(article)}: affiliations of its {len(article.authors)} authors are left out.")
        record.affiliations = {}
    return record


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


def _assembled(units: Sequence[_Unit], heads: Mapping[int, FetchedRow]) -> list[FetchedRow]:
    rows: list[FetchedRow] = []
    at = -1
    for unit in units:
        if unit.head is not None:
            rows.append(unit.head)
        elif unit.row != at:
            rows.append(_continued(heads[unit.row]))
        at = unit.row
        if unit.part is not None:
            rows[-1].text.append(unit.part)
    for row in rows:
        row.text = joined(row.text)
    return rows


def _continued(head: FetchedRow) -> FetchedRow:
    """The rest of a row: its id and standing again, its record not."""
    return FetchedRow(
        head.input,
        "ok",
        head.status,
        head.signals,
        head.is_notice,
        head.id,
        text_source=head.text_source,
        continued=True,
    )


def _answer(rows: list[FetchedRow], next_cursor: str | None) -> Answer[Fetched]:
    data = Fetched(rows)
    if rows and all(row.state == "restricted" for row in rows):
        first = rows[0]
        reason = " ".join(dict.fromkeys(row.reason for row in rows))
        tier, licence = (first.reuse.tier, first.reuse.licence) if first.reuse else ("", "")
        available = [what for what in first.available if all(what in row.available for row in rows)]
        return Answer(data, "restricted", next_cursor, restriction=Restriction(tier, licence, reason, available))
    if rows and all(row.state == "outline" for row in rows):
        entries = [
            OutlineEntry(entry.path if len(rows) == 1 else f"{row.id}: {entry.path}", entry.chars)
            for row in rows
            for entry in row.outline
        ]
        return Answer(data, "outline", next_cursor, outline=entries)
    unfinished = any(row.state in ("failed", "not_checked") for row in rows)
    return Answer(data, "partial" if unfinished else "ok", next_cursor)
