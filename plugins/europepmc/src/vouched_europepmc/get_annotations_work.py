"""Answers get_annotations: fetches, filters and counts annotations, and places those of one page in their texts."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from vouched.api import (
    Answer,
    Article,
    Context,
    Fault,
    Id,
    Missing,
    OutlineEntry,
    Ref,
    TextAnswer,
)

from vouched_europepmc import annotations
from vouched_europepmc.anchors import TextIndex, passages
from vouched_europepmc.annotations import Annotation, Key
from vouched_europepmc.get_annotations import AnnotatedArticle, AnnotatedArticles, Mention
from vouched_europepmc.lookup import canonical_id, find, service_key
from vouched_europepmc.mentions import mention
from vouched_europepmc.names import Wanted, listed
from vouched_europepmc.rows import warn_standing
from vouched_europepmc.service import some_at_once

__all__ = ["answer"]

# More snippets than this are counted, not listed, unless the caller asks for pages.
LISTED = 200
PAGE = 100
# With more articles than this only the counts by type are given.
FULL_COUNTS = 20
KINDS = ("types", "sections", "providers")
NO_SECTION = "not stated"
Record = Article | Missing | Fault


class _At(msgspec.Struct, frozen=True):
    """Where the next page begins: an article and its annotations given before (None: its counts), or, where only
    counts are listed, the article alone."""

    article: int
    done: int | None = None
    counts: bool = False


class _Found(msgspec.Struct):
    """One submitted id: its row, its record where it could be had, and its annotations that pass the filters;
    `unasked`: its record could not be asked for."""

    row: AnnotatedArticle
    article: Article | None = None
    kept: Sequence[Annotation] = ()
    unasked: bool = False


class _Unit(msgspec.Struct):
    """The smallest thing that a page carries whole: the counts of an article, or one of its annotations."""

    number: int
    of: _Found
    one: Annotation | None = None
    place: int | None = None


async def answer(
    ctx: Context,
    ids: Sequence[Ref],
    types: Sequence[str] | None,
    sections: Sequence[str] | None,
    providers: Sequence[str] | None,
    limit: int | None,
) -> Answer[AnnotatedArticles]:
    """Counts, and the annotations of one page."""
    found = await _find(ctx, ids, [Wanted.of(names) for names in (types, sections, providers)])
    warn_standing(ctx, [one.article for one in found if one.article])
    states = dict(Counter(one.row.state for one in found))
    total = sum(one.row.total for one in found)
    ctx.note("ids", [one.row.id for one in found if one.row.total])
    unfinished = any(one.row.state in ("failed", "not_checked") or one.unasked for one in found)
    at = ctx.state(_At) or _At(0, None, limit is None and total > LISTED)
    if not at.counts:
        rows, cursor = await _listed(ctx, found, at, limit or PAGE)
        return Answer(AnnotatedArticles(rows, total, states), "partial" if unfinished else "ok", cursor)
    ctx.warn(f"{total:,} annotations: counts only. Narrow by types, sections or providers, or set `limit` to page.")
    fitted = ctx.fit(
        [(one.row, _outline(one.row)) for one in found[at.article :]],
        lambda kept: _At(at.article + kept, None, True) if at.article + kept < len(found) else None,
    )
    data = AnnotatedArticles([row for row, _ in fitted.rows], total, states)
    entries = [entry for _, of in fitted.rows for entry in of]
    return Answer(data, "partial" if unfinished else "outline", fitted.next_cursor, outline=entries)


async def _listed(
    ctx: Context, found: Sequence[_Found], at: _At, limit: int
) -> tuple[list[AnnotatedArticle], str | None]:
    """A page of counts and annotations in the order of the ids, and the cursor for the rest."""
    units = [unit for number, one in enumerate(found) if number >= at.article for unit in _units(number, one)]
    units = units[0 if at.done is None else at.done + 1 :]
    page = _page(units, limit)
    listed = [(unit.of, unit.one) for unit in page if unit.one]
    mentions = iter(await _mentions(ctx, listed))
    shown = [next(mentions) if unit.one else unit.of.row for unit in page]

    def following(kept: int) -> _At | None:
        return _At(units[kept].number, units[kept].place) if kept < len(units) else None

    # A page that begins within an article names it again.
    reserve = 2_000 + (len(msgspec.json.encode(_again(units[0].of.row))) if units and units[0].one else 0)
    fitted = ctx.fit(shown, following, reserve=reserve)
    rows: list[AnnotatedArticle] = []
    for unit, one in zip(page, fitted.rows, strict=False):
        if isinstance(one, AnnotatedArticle):
            rows.append(one)
        else:
            rows = rows or [_again(unit.of.row)]
            rows[-1].annotations.append(one)
    return rows, fitted.next_cursor


def _units(number: int, one: _Found) -> list[_Unit]:
    return [_Unit(number, one), *(_Unit(number, one, a, place) for place, a in enumerate(one.kept))]


def _page(units: Sequence[_Unit], limit: int) -> Sequence[_Unit]:
    """The units of a page of at most `limit` annotations; an article that would begin a page behind them does so."""
    places = [place for place, unit in enumerate(units) if unit.one]
    return units[: places[limit]] if len(places) > limit else units


def _again(row: AnnotatedArticle) -> AnnotatedArticle:
    """The row of an article that began on the page before, without its counts by kind."""
    return msgspec.structs.replace(row, by_type={}, by_section={}, by_provider={}, annotations=[])


def _values(one: Annotation) -> tuple[str, str, str]:
    return one.type, one.section or NO_SECTION, one.provider


def _passes(one: Annotation, wanted: Sequence[Wanted]) -> bool:
    return all(filter_.passes(value) for value, filter_ in zip(_values(one), wanted, strict=True))


def _there(answer: Sequence[Annotation]) -> dict[str, list[str]]:
    """The types, sections and providers of annotations, each once."""
    columns = zip(*map(_values, answer), strict=True) if answer else ()
    return {kind: sorted(set(values)) for kind, values in zip(KINDS, columns, strict=False)}


def _warn_unknown(ctx: Context, answered: Iterable[list[Annotation] | Fault], wanted: Sequence[Wanted]) -> None:
    """A name that no annotation of any article has is likelier misspelt than rare: say which names there are."""
    there = _there([one for answer in answered if isinstance(answer, list) for one in answer])
    for kind, filter_ in zip(KINDS, wanted, strict=True):
        if there and (unknown := filter_.unknown(there[kind])):
            names = " or ".join(map(repr, unknown))
            ctx.warn(f"None of these articles' annotations has {kind} {names}; there are {listed(there[kind])}.")


async def _find(ctx: Context, ids: Sequence[Ref], wanted: Sequence[Wanted]) -> list[_Found]:
    """Records and annotations of all ids at once; only a DOI waits for its record to know its name in the service."""
    known = [ref.id for ref in ids if ref.id]
    direct = [key for id_ in known if (key := _direct(id_))]
    records, answered = await asyncio.gather(find(ctx, known), annotations.fetch(ctx, direct))
    keys = [_key(ref.id, records) for ref in ids]
    answered |= await annotations.fetch(ctx, [key for key in keys if key and key not in answered])
    faults = [one for one in answered.values() if isinstance(one, Fault)]
    if faults and len(faults) == len(answered):
        raise faults[0]
    _warn_unknown(ctx, answered.values(), wanted)
    found = [
        _one(ref, records.get(ref.id) if ref.id else None, answered.get(key) if key else None, wanted)
        for ref, key in zip(ids, keys, strict=True)
    ]
    if len(found) > FULL_COUNTS:
        for one in found:
            one.row.by_section, one.row.by_provider = {}, {}
    return found


def _direct(id_: Id) -> Key | None:
    if id_.scheme == "pmcid":
        return "PMC", id_.value
    return service_key(Missing("not_checked"), id_)


def _key(id_: Id | None, records: Mapping[Id, Record]) -> Key | None:
    if id_ is None:
        return None
    record = records.get(id_)
    return _direct(id_) or (service_key(record, id_) if isinstance(record, Article) else None)


def _one(ref: Ref, record: Record | None, answer: list[Annotation] | Fault | None, wanted: Sequence[Wanted]) -> _Found:
    row = AnnotatedArticle(ref.input, "ok", "not_checked", str(ref.id or ""))
    found = _Found(row)
    if isinstance(record, Article):
        found.article, row.id, row.status = record, canonical_id(record), record.status.status
        row.is_notice = record.status.is_notice
    if ref.id is None:
        row.state, row.reason = "invalid", ref.problem
    elif isinstance(answer, list):
        found.kept = [one for one in answer if _passes(one, wanted)]
        _count(row, found.kept)
        row.state = "ok" if found.kept else "no_match" if answer else "not_annotated"
        if row.state == "no_match":
            row.has = _there(answer)
            row.reason = "none passes the filters; it has " + "; ".join(
                f"{kind} {listed(names)}" for kind, names in row.has.items()
            )
    failed = answer if isinstance(answer, Fault) else record if answer is None else None
    if isinstance(failed, Fault):
        row.state, row.reason = "failed", failed.message
    elif not answer and isinstance(record, Missing) and record.state != "not_checked":
        # The service is silent both about articles without annotations and about articles that do not exist.
        row.state, row.reason = record.state, record.reason
    elif isinstance(record, Fault):
        found.unasked = True
        row.reason = "; ".join(
            part for part in (row.reason, f"its record could not be asked: {record.message}") if part
        )
    return found


def _count(row: AnnotatedArticle, kept: Sequence[Annotation]) -> None:
    row.total = len(kept)
    row.by_type = dict(Counter(one.type for one in kept).most_common())
    row.by_section = dict(Counter(one.section or NO_SECTION for one in kept).most_common())
    row.by_provider = dict(Counter(one.provider for one in kept).most_common())


async def _mentions(ctx: Context, units: Sequence[tuple[_Found, Annotation]]) -> list[Mention]:
    """The annotations of one page, each placed in its text; only full texts that the page needs are read."""
    of = {id(one): one for one, _ in units}
    needed = {key: any(id(one) == key and not a.in_abstract for one, a in units) for key in of}

    async def text(key: int) -> TextAnswer | None:
        article = of[key].article
        return await ctx.text(article) if needed[key] and article else None

    texts = dict(zip(of, await some_at_once(text, of), strict=True))
    for key, one in of.items():
        if answer := texts[key]:
            one.row.quote, one.row.because = answer.decision.uses.quote, answer.decision.decided_by
    return await asyncio.to_thread(_placed, of, texts, units)


def _placed(
    of: Mapping[int, _Found], texts: Mapping[int, TextAnswer | None], units: Sequence[tuple[_Found, Annotation]]
) -> list[Mention]:
    indexes: dict[int, TextIndex] = {}
    for key, one in of.items():
        answer = texts[key]
        indexes[key] = TextIndex(passages(one.article, answer.text if answer else None) if one.article else [])
    return [mention(a, indexes[id(one)], texts[id(one)]) for one, a in units]


def _outline(row: AnnotatedArticle) -> list[OutlineEntry]:
    """By type, the number of annotations (in the place of characters)."""
    return [OutlineEntry(f"{row.id} > {type_}", count) for type_, count in row.by_type.items()]
