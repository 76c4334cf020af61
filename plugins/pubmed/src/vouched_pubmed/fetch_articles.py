"""pubmed_fetch_articles: records by id, every id accounted for."""

from typing import Annotated, Any, Literal

import msgspec
from vouched.api import Answer, Article, Context, Cursor, Ids, Meta, Missing, Ref, Struct, tool

from vouched_pubmed.efetch_record import SOURCE
from vouched_pubmed.records import RecordView, checked, view_of
from vouched_pubmed.resolver import Resolution, resolve_ids

__all__ = ["fetch_articles"]

View = Literal["brief", "standard", "full"]
# What a record that is too large keeps in any case.
KEPT = ("ids", "pmid", "status", "kind", "title")


class FetchRow(Struct, omit_defaults=True):
    """One submitted element.

    Attributes:
        input: the caller's spelling; state: found, merged (the record of merged_into is given), not_found, deleted,
            unavailable_now, ambiguous, identity_mismatch, unsupported, invalid or failed.
        same_as: 1-based position of an earlier element that means the same record, which is given there.
        record: views brief and standard; article: view full, the neutral record with every field PubMed gave.
        omitted: fields too large for an answer; artifact: where the whole record is kept.
    """

    input: str
    state: str
    reason: str = ""
    retryable: bool = False
    same_as: int = 0
    merged_into: str = ""
    record: RecordView | None = None
    article: dict[str, Any] = {}
    omitted: list[str] = []
    artifact: str = ""


class FetchResult(Struct, omit_defaults=True):
    """A page of rows.

    Attributes:
        total: elements submitted; returned: rows here, from `offset` on; remaining: rows left for the cursor.
        counts: states of the elements from `offset` on; status_checked: who was asked for the standing, and when.
    """

    total: int
    returned: int
    rows: list[FetchRow]
    offset: int = 0
    remaining: int = 0
    counts: dict[str, int] = {}
    status_checked: str = ""


class Position(Struct):
    """What a cursor holds."""

    offset: int


@tool(
    aliases=("fetch_articles", "fetch_article_details", "get_article_details"),
    synonyms={"detail": "view"},
    serves="records by id",
)
async def fetch_articles(
    ctx: Context,
    ids: Annotated[Ids, Meta(min_length=1, max_length=200)],
    view: View = "standard",
    references: Annotated[bool, Meta(description="reference list too, in view full")] = False,
    cursor: Cursor = None,
) -> Answer[FetchResult]:
    """Fetch PubMed records by id: articles, preprints, books, chapters, with their standing (retracted, corrected, of
    concern). Use it for ids that you have; pubmed_search_articles finds them. View brief identifies, standard adds
    abstract, MeSH, all authors and notices, full is every field. Returns one row for each id, in order.
    """
    state = ctx.state(Position)
    offset = min(state.offset, len(ids)) if state else 0
    resolution = await _records(ctx, ids[offset:], continued=state is not None)
    _raise_if_nothing(ids[offset:], resolution)
    if not state:
        found = [record for record in resolution.found.values() if isinstance(record, Article)]
        ctx.note(
            "ids", list(dict.fromkeys(f"pmid:{article.ids['pmid']}" for article in found if "pmid" in article.ids))
        )
        ctx.note("total", len(ids))
    rows = _rows(ids, offset, resolution, view, references)
    fitted = ctx.fit(rows, lambda kept: Position(offset + kept) if offset + kept < len(ids) else None)
    shown = [await _bounded(ctx, row) for row in fitted.rows]
    result = FetchResult(len(ids), len(shown), shown, offset, fitted.held_back, _counts(rows))
    result.status_checked = checked(resolution.found.values())
    return Answer(result, "partial" if "failed" in result.counts else "ok", fitted.next_cursor)


async def _records(ctx: Context, refs: list[Ref], *, continued: bool) -> Resolution:
    """The records; on later pages those that the first one kept, so that nothing is asked twice."""
    wanted = list(dict.fromkeys(ref.id for ref in refs if ref.id))
    kept: dict[Any, Article | Missing] = {}
    if continued:
        for id_ in wanted:
            article = await ctx.session.article(id_)
            if article and article.source == SOURCE:
                kept[id_] = article
    resolution = await resolve_ids(ctx, [id_ for id_ in wanted if id_ not in kept])
    fresh = {id(record): record for record in resolution.found.values() if isinstance(record, Article)}
    if fresh:
        await ctx.session.keep_articles(list(fresh.values()))
    resolution.found.update(kept)
    return resolution


def _raise_if_nothing(refs: list[Ref], resolution: Resolution) -> None:
    """When every id failed because the service could not be asked, the call failed: it is no answer about the ids."""
    states = {record.state if isinstance(record, Missing) else "found" for record in resolution.found.values()}
    if resolution.faults and states == {"failed"} and all(ref.id for ref in refs):
        raise resolution.faults[0]


def _rows(ids: list[Ref], offset: int, resolution: Resolution, view: View, references: bool) -> list[FetchRow]:
    seen: dict[str, int] = {}
    for position, ref in enumerate(ids[:offset], 1):
        if ref.id:
            seen.setdefault(str(ref.id), position)
    rows = []
    for position, ref in enumerate(ids[offset:], offset + 1):
        record = resolution.found[ref.id] if ref.id else Missing("invalid", ref.problem)
        if isinstance(record, Missing):
            rows.append(FetchRow(ref.input, record.state, record.reason, record.retryable))
            continue
        row = FetchRow(ref.input, "found")
        if ref.id and ref.id.scheme == "pmid" and record.ids.get("pmid") != ref.id.value:
            row.state, row.merged_into = "merged", record.ids.get("pmid", "")
            row.reason = f"PubMed gives this PMID as a former one of {row.merged_into}."
        row.same_as = seen.get(str(ref.id), 0) or seen.get(f"pmid:{record.ids.get('pmid')}", 0)
        seen.setdefault(str(ref.id), position)
        seen.setdefault(f"pmid:{record.ids.get('pmid')}", position)
        if not row.same_as:
            _fill(row, record, view, references)
        rows.append(row)
    return rows


def _fill(row: FetchRow, article: Article, view: View, references: bool) -> None:
    if view != "full":
        row.record = view_of(article, view)
        return
    if article.cited_references and not references:
        row.omitted = ["cited_references"]
        article = msgspec.structs.replace(article, cited_references=[])
    row.article = msgspec.to_builtins(article)


def _counts(rows: list[FetchRow]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.state] = counts.get(row.state, 0) + 1
    return counts


async def _bounded(ctx: Context, row: FetchRow) -> FetchRow:
    """A row that fits into an answer by itself: its largest fields go until it does, and the whole is kept."""
    room = ctx.settings.limits.answer_chars - 2_000
    if len(msgspec.json.encode(row)) <= room:
        return row
    content = row.article or msgspec.to_builtins(row.record)
    name = f"pubmed-{content.get('pmid') or content.get('ids', {}).get('pmid') or 'record'}.json"
    artifact = await ctx.keep(name, msgspec.json.encode(content), "application/json", kind="record", original=row.input)
    row.artifact = f"artifact:{artifact.artifact_id}"
    while len(msgspec.json.encode(row)) > room and set(content) - set(KEPT):
        sizes = {key: len(msgspec.json.encode(value)) for key, value in content.items() if key not in KEPT}
        largest = max(sizes, key=lambda key: sizes[key])
        del content[largest]
        row.omitted = [*row.omitted, largest]
        if row.article:
            row.article = content
        else:
            row.record = msgspec.convert(content, RecordView)
    return row
