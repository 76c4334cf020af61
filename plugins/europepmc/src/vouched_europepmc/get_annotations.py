"""The tool get_annotations."""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import msgspec
from vouched.api import (
    Answer,
    Article,
    Context,
    Cursor,
    Fault,
    Id,
    Ids,
    Meta,
    Missing,
    OutlineEntry,
    Ref,
    Struct,
    TextAnswer,
    TextList,
    tool,
)

from vouched_europepmc import annotations
from vouched_europepmc.anchors import TextIndex, passages
from vouched_europepmc.annotations import Annotation, Key
from vouched_europepmc.queries import REST_SOURCES
from vouched_europepmc.resolver import canonical_id, find, source_and_id
from vouched_europepmc.snippets import anchor, rebuild

__all__ = ["AnnotatedArticle", "AnnotatedArticles", "Mention", "get_annotations"]

# More snippets than this are counted, not listed, unless the caller asks for pages.
LISTED = 200
PAGE = 100
# With more articles than this only the counts by type are given.
FULL_COUNTS = 20


class Mention(Struct, omit_defaults=True):
    """One annotation.

    Attributes:
        anchor: anchored (words at exact offsets of a block), unanchored (with the reason), withheld (the licence gate).
        text: the words, `text[entity_start:entity_end]` the entity; from the place itself where anchored.
        path, block, start, end: where the entity stands in that block; sha256: of `text` as UTF-8.
        tags: as the provider has them, "name <URI>"; wrong ones are common.
    """

    type: str
    provider: str
    anchor: str
    section: str = ""
    text: str = ""
    entity_start: int | None = None
    entity_end: int | None = None
    tags: list[str] = []
    path: str = ""
    block: str = ""
    start: int | None = None
    end: int | None = None
    sha256: str = ""
    reason: str = ""
    frequency: int | None = None
    annotation_id: str = ""


class AnnotatedArticle(Struct, omit_defaults=True):
    """One submitted id.

    Attributes:
        state: ok, not_annotated (the service was asked and has none), no_match (none passes the filters), not_found,
            invalid, failed, not_checked.
        total: annotations that pass the filters; by_type, by_section, by_provider count them.
        quote, because: what the licence answers to quoting from the full text, and the fact that decided.
    """

    input: str
    state: str
    id: str = ""
    reason: str = ""
    total: int = 0
    by_type: dict[str, int] = {}
    by_section: dict[str, int] = {}
    by_provider: dict[str, int] = {}
    quote: str = ""
    because: str = ""
    annotations: list[Mention] = []


class AnnotatedArticles(Struct):
    """One row for each submitted id, in order, and the number of annotations over all of them."""

    articles: list[AnnotatedArticle]
    total: int


class _At(msgspec.Struct, frozen=True):
    """How many annotations the pages before have given."""

    done: int


class _Found(msgspec.Struct):
    """One submitted id: its annotations that pass the filters, or the row that says why there are none."""

    row: AnnotatedArticle
    key: Key | None = None
    kept: Sequence[Annotation] = ()


@tool(aliases=("get_annotations",), synonyms={"annotation_types": "types"})
async def get_annotations(
    ctx: Context,
    ids: Annotated[Ids, Meta(min_length=1, max_length=200)],
    types: Annotated[TextList | None, Meta(description="Diseases, Chemicals, Gene_Proteins, Organisms, …")] = None,
    sections: Annotated[TextList | None, Meta(description="Abstract, Methods, Results, …")] = None,
    providers: TextList | None = None,
    limit: Annotated[int, Meta(ge=1, le=500)] | None = None,
    cursor: Cursor = None,
) -> Answer[AnnotatedArticles]:
    """List the entities and relations that text mining found in papers: genes, diseases, chemicals, accession numbers.

    Each snippet is placed at exact offsets of the abstract or licensed full text, or says that it could not be. Many
    annotations come as counts per article: narrow by `types` or `sections`, or set `limit` to page. For sentences about
    a claim use build_evidence_table. Tags are machine-made: judge by the words.
    """
    found = await _find(ctx, ids, _filters(types), _filters(sections), _filters(providers))
    total = sum(one.row.total for one in found)
    ctx.note("ids", [one.row.id for one in found if one.row.total])
    at = ctx.state(_At) or _At(0)
    unfinished = any(one.row.state in ("failed", "not_checked") for one in found)
    if len(found) > FULL_COUNTS:
        for one in found:
            one.row.by_section, one.row.by_provider = {}, {}
    if limit is None and total > LISTED:
        rows = [one.row for one in found]
        ctx.warn(f"{total:,} annotations: counts only. Narrow by types, sections or providers, or set `limit` to page.")
        return Answer(AnnotatedArticles(rows, total), "partial" if unfinished else "outline", outline=_outline(rows))
    units = [(number, one) for number, of in enumerate(found) for one in of.kept][at.done : at.done + (limit or PAGE)]
    mentions = await _mentions(ctx, found, units)
    fitted = ctx.fit(mentions, lambda kept: _At(at.done + kept) if at.done + kept < total else None, reserve=6_000)
    for (number, _), mention in zip(units, fitted.rows, strict=False):
        found[number].row.annotations.append(mention)
    shown = [one.row for one in found if at.done == 0 or one.row.annotations]
    return Answer(AnnotatedArticles(shown, total), "partial" if unfinished else "ok", fitted.next_cursor)


def _filters(names: Sequence[str] | None) -> set[str]:
    return {name.strip().casefold().replace(" ", "_") for name in names or () if name.strip()}


def _passes(one: Annotation, types: set[str], sections: set[str], providers: set[str]) -> bool:
    def any_of(value: str, wanted: set[str]) -> bool:
        return not wanted or value.casefold().replace(" ", "_") in wanted

    return any_of(one.type, types) and any_of(one.section, sections) and any_of(one.provider, providers)


async def _find(
    ctx: Context, ids: Sequence[Ref], types: set[str], sections: set[str], providers: set[str]
) -> list[_Found]:
    keys = await _keys(ctx, ids)
    answered = await annotations.fetch(ctx, [key for key in keys if isinstance(key, tuple)])
    faults = [one for one in answered.values() if isinstance(one, Fault)]
    if faults and len(faults) == len(answered) and all(isinstance(key, tuple) for key in keys):
        raise faults[0]
    found: list[_Found] = []
    for ref, key in zip(ids, keys, strict=True):
        if isinstance(key, Missing):
            found.append(_Found(AnnotatedArticle(ref.input, key.state, str(ref.id or ""), key.reason)))
            continue
        answer = answered[key]
        row = AnnotatedArticle(ref.input, "ok", str(ref.id))
        if isinstance(answer, Fault):
            row.state, row.reason = "failed", answer.message
            found.append(_Found(row))
            continue
        kept = [one for one in answer if _passes(one, types, sections, providers)]
        row.state = "ok" if kept else "no_match" if answer else "not_annotated"
        row.total = len(kept)
        row.by_type = dict(Counter(one.type for one in kept).most_common())
        row.by_section = dict(Counter(one.section or "not stated" for one in kept).most_common())
        row.by_provider = dict(Counter(one.provider for one in kept).most_common())
        found.append(_Found(row, key, kept))
    await _tell_missing(ctx, ids, found)
    return found


async def _tell_missing(ctx: Context, ids: Sequence[Ref], found: Sequence[_Found]) -> None:
    """The service is silent both about articles without annotations and about articles that do not exist."""
    silent = {ref.id for ref, one in zip(ids, found, strict=True) if one.row.state == "not_annotated" and ref.id}
    records = await find(ctx, sorted(silent)) if silent else {}
    for ref, one in zip(ids, found, strict=True):
        record = records.get(ref.id) if ref.id else None
        if isinstance(record, Missing) and record.state == "not_found" and one.row.state == "not_annotated":
            one.row.state, one.row.reason = "not_found", record.reason


async def _keys(ctx: Context, ids: Sequence[Ref]) -> list[Key | Missing]:
    """How the annotations service names each article; only DOIs need a look-up."""
    asked = {ref.id for ref in ids if ref.id and ref.id.scheme == "doi"}
    records = await find(ctx, sorted(asked)) if asked else {}
    return [_key(ref, records.get(ref.id) if ref.id else None) for ref in ids]


def _key(ref: Ref, record: Article | Missing | Fault | None) -> Key | Missing:
    if ref.id is None:
        return Missing("invalid", ref.problem)
    if ref.id.scheme == "pmcid":
        return "PMC", ref.id.value
    if ref.id.scheme in REST_SOURCES:
        return REST_SOURCES[ref.id.scheme], ref.id.value
    if isinstance(record, Article):
        return source_and_id(record) or Missing("not_supported", "The record has no id that the service takes.")
    if isinstance(record, Fault):
        return Missing("failed", record.message, retryable=record.retryable)
    return record or Missing("not_supported", f"Europe PMC annotates no {ref.id.scheme} records.")


async def _mentions(ctx: Context, found: Sequence[_Found], units: Sequence[tuple[int, Annotation]]) -> list[Mention]:
    """The annotations of one page, each placed in its text; only the articles of the page are read."""
    numbers = list(dict.fromkeys(number for number, _ in units))
    wanted = {number: any(not one.in_abstract for other, one in units if other == number) for number in numbers}
    refs = [_id_of(found[number]) for number in numbers]
    records = await find(ctx, [id_ for id_ in refs if id_])
    articles = {n: records.get(id_) if id_ else None for n, id_ in zip(numbers, refs, strict=True)}
    texts = dict(
        zip(numbers, await asyncio.gather(*(_text(ctx, articles[n], wanted[n]) for n in numbers)), strict=True)
    )
    indexes: dict[int, TextIndex] = {}
    for number in numbers:
        article, text = articles[number], texts[number]
        granted = text.text if text else None
        indexes[number] = TextIndex(passages(article, granted) if isinstance(article, Article) else [])
        if text:
            found[number].row.quote, found[number].row.because = text.decision.uses.quote, text.decision.decided_by
        if isinstance(article, Article):
            found[number].row.id = canonical_id(article)
    return [_mention(one, indexes[number], texts[number]) for number, one in units]


def _id_of(one: _Found) -> Id | None:
    source, value = one.key or ("", "")
    if source == "PMC":
        return Id("pmcid", value)
    return next((Id(scheme, value) for scheme, name in REST_SOURCES.items() if name == source), None)


async def _text(ctx: Context, article: Article | Missing | Fault | None, wanted: bool) -> TextAnswer | None:
    return await ctx.text(article) if wanted and isinstance(article, Article) else None


def _mention(one: Annotation, index: TextIndex, text: TextAnswer | None) -> Mention:
    mention = Mention(
        one.type,
        one.provider,
        "unanchored",
        section=one.section,
        tags=[f"{name} <{uri}>" if uri else name for name, uri in one.tags],
        frequency=one.frequency,
        annotation_id=one.id,
    )
    snippet = rebuild(one.prefix, one.exact, one.postfix, one.provider)
    place, why = anchor(snippet, index, one.section)
    open_words = one.in_abstract or (text is not None and text.decision.uses.read == "yes")
    if place is None and not open_words:
        mention.anchor = "withheld"
        mention.reason = text.decision.decided_by if text else "the record could not be asked for its licence"
        return mention
    if place is None:
        mention.text, mention.entity_start, mention.entity_end = snippet.text, snippet.start, snippet.end
        mention.reason = why
    else:
        low, high = _around(place.passage.text, place.start - snippet.start, place.end + len(snippet.after))
        mention.anchor, mention.text = "anchored", place.passage.text[low:high]
        mention.entity_start, mention.entity_end = place.start - low, place.end - low
        mention.path, mention.block = place.passage.path, place.passage.block
        mention.start, mention.end = place.start, place.end
    mention.sha256 = hashlib.sha256(mention.text.encode()).hexdigest()
    return mention


def _around(text: str, low: int, high: int) -> tuple[int, int]:
    """Whole words from `low` to `high`."""
    low, high = max(0, low), min(len(text), high)
    while low > 0 and not text[low - 1].isspace():
        low -= 1
    while high < len(text) and not text[high].isspace():
        high += 1
    return low, high


def _outline(rows: Sequence[AnnotatedArticle]) -> list[OutlineEntry]:
    """Per article and type, the number of annotations (in the place of characters)."""
    return [OutlineEntry(f"{row.id} > {type_}", count) for row in rows for type_, count in row.by_type.items()]
