"""Answers pubmed_fetch_articles: resolves the ids, accounts for each, and keeps what is too large for an answer."""

from typing import Any

import msgspec
from vouched.api import Answer, Article, Context, Missing, Ref, Struct

from vouched_pubmed.efetch_record import SOURCE
from vouched_pubmed.fetch_articles import FetchResult, FetchRow, View
from vouched_pubmed.lookup import Resolution, resolve_ids
from vouched_pubmed.ncbi import NOTICE
from vouched_pubmed.records import MOST_AUTHORS, checked, grave_first, view_of
from vouched_pubmed.shorten import fitted
from vouched_pubmed.standing import warn_of_standing

__all__ = ["answer"]


class Position(Struct):
    """What a cursor holds."""

    offset: int


async def answer(ctx: Context, ids: list[Ref], view: View, references: bool) -> Answer[FetchResult]:
    """One row an element, in order, from where the cursor says."""
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
    times = [record.retrieved_at for record in resolution.found.values() if isinstance(record, Article)]
    if not state:
        _warn_of_invalid(ctx, ids)
    warn_of_standing(ctx, ((_name(row), row.status) for row in fitted.rows))
    shown = [await _bounded(ctx, row, min(filter(None, times), default="")) for row in fitted.rows]
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
            rows.append(FetchRow(ref.input, record.state, reason=record.reason, retryable=record.retryable))
            continue
        row = FetchRow(ref.input, "found")
        if ref.id and ref.id.scheme == "pmid" and record.ids.get("pmid") != ref.id.value:
            row.state, row.merged_into = "merged", record.ids.get("pmid", "")
            row.reason = f"PubMed gives this PMID as a former one of {row.merged_into}."
        elif record.other_versions:
            kept = ", ".join(record.other_versions)
            row.reason = f"It is version {record.version}; PubMed also keeps version {kept} of it."
        row.same_as = seen.get(str(ref.id), 0) or seen.get(f"pmid:{record.ids.get('pmid')}", 0)
        seen.setdefault(str(ref.id), position)
        seen.setdefault(f"pmid:{record.ids.get('pmid')}", position)
        if not row.same_as:
            _fill(row, record, view, references)
        rows.append(row)
    return rows


def _fill(row: FetchRow, article: Article, view: View, references: bool) -> None:
    row.status = article.status.status
    if view != "full":
        row.record = view_of(article, view)
        if view == "standard" and len(article.authors) > MOST_AUTHORS:
            row.omitted = [f"authors ({len(article.authors) - MOST_AUTHORS} of {len(article.authors)})"]
        return
    article = msgspec.structs.replace(article, notices=grave_first(article.notices))
    if article.cited_references and not references:
        row.omitted = [f"cited_references ({len(article.cited_references)})"]
        article = msgspec.structs.replace(article, cited_references=[])
    row.article = msgspec.to_builtins(article)


def _warn_of_invalid(ctx: Context, ids: list[Ref]) -> None:
    wrong = sum(ref.id is None for ref in ids)
    if wrong == len(ids):
        ctx.warn(f"{'None of these is an id' if wrong > 1 else 'This is no id'}: nothing was asked.")
    elif wrong:
        ctx.warn(f"{wrong} of the {len(ids)} elements {'is no id' if wrong == 1 else 'are no ids'} (invalid).")


def _name(row: FetchRow) -> str:
    """The PMID of a row's record; what was submitted where it has none."""
    own = row.record.pmid if row.record else row.article.get("ids", {}).get("pmid", "")
    return own or row.input


def _counts(rows: list[FetchRow]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.state] = counts.get(row.state, 0) + 1
    return counts


async def _bounded(ctx: Context, row: FetchRow, retrieved_at: str) -> FetchRow:
    """A row that fits into an answer by itself, shortened and cut where it must be; then the whole is kept."""
    room = ctx.settings.limits.answer_chars - 2_000
    if len(msgspec.json.encode(row)) <= room:
        return row
    content = row.article or msgspec.to_builtins(row.record)
    name = f"pubmed-{content.get('pmid') or content.get('ids', {}).get('pmid') or 'record'}.json"
    artifact = await ctx.keep(
        name,
        msgspec.json.encode(content),
        "application/json",
        kind="record",
        original=row.input,
        source_notice=NOTICE,
        retrieved_at=retrieved_at,
    )
    row.artifact = f"artifact:{artifact.artifact_id}"
    return fitted(row, room)
