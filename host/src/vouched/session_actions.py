"""The nine actions of `vouched_read_session`. None writes; each keeps its answer within the budget by itself."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec

from vouched import ids
from vouched.answer import fitting
from vouched.context import Context
from vouched.faults import InvalidArgument, NotFound
from vouched.journal import Event, Owner, Page, Run
from vouched.session_asked import Asked
from vouched.session_files import artifact, list_artifacts
from vouched.session_paging import RESERVE, Position, find_run, owner_of, paged, size
from vouched.session_told import Replay, Told, event_row, notice_row, run_row, session_row
from vouched.tooling import Answer

__all__ = ["ACTIONS"]


async def pmids(ctx: Context, asked: Asked) -> Answer[Told]:
    """The ids of one search: by place among the searches that found something, or by words of its query."""
    store, owner = ctx.session.store, await owner_of(ctx, asked.session_id)
    place = ctx.state(Position) or Position()
    index = -1 if asked.search_index is None else asked.search_index
    if place.run_id:
        # The cursor holds the run: searches made since then must not shift the pages.
        run: Run | None = await store.run(owner, place.run_id)
    else:
        run = await store.last(owner, index=index, query_filter=asked.query_filter or "")
    count = await store.count_found(owner)
    if run is None:
        raise _no_search(asked, index, count)
    found = [id_.removeprefix("pmid:") for id_ in run.ids if id_.startswith("pmid:")]
    other = [id_ for id_ in run.ids if not id_.startswith("pmid:")]
    fitted = ctx.fit([*found, *other][place.start :], _following(run.run_id, place.start, len(run.ids)))
    shown = fitted.rows
    with_pmid = max(0, min(len(shown), len(found) - place.start))
    told = Told(
        action="pmids",
        searches_with_hits=count,
        search_index=None if asked.query_filter else index if index >= 0 else count + index,
        run=run_row(run),
        total_pmids=len(found),
        total=len(run.ids),
        returned=len(shown),
        pmids=shown[:with_pmid],
        other_ids=shown[with_pmid:],
    )
    return Answer(told, next_cursor=fitted.next_cursor)


def _no_search(asked: Asked, index: int, count: int) -> NotFound:
    if not count:
        return NotFound("No search of this session found something yet.", hint="Search first, or name a session_id.")
    if asked.query_filter:
        return NotFound(
            f"None of the {count} searches that found something has these words in its query.", path="query_filter"
        )
    return NotFound(
        f"There is no search {index}: {count} found something.",
        path="search_index",
        expected=f"{-count} to {count - 1}",
    )


def _following(run_id: str, start: int, end: int) -> Callable[[int], Position | None]:
    return lambda kept: Position(run_id=run_id, start=start + kept) if start + kept < end else None


async def article(ctx: Context, asked: Asked) -> Answer[Told]:
    """A record that some tool fetched before, as it was then."""
    ref = ids.parse(asked.pmid or "")
    if ref.id is None:
        raise InvalidArgument(
            ref.problem, path="pmid", expected="a PMID, or another id of a record", example='{"pmid": "18276894"}'
        )
    found = await ctx.session.store.article(ctx.owner, str(ref.id))
    if found is None:
        raise NotFound(
            f"No tool has fetched {ref.id} yet, so the session does not hold it. It may well exist.",
            path="pmid",
            hint="Fetch it with a tool that takes `ids`.",
        )
    record = msgspec.to_builtins(found)
    return Answer(Told(action="article", article=_shortened(ctx, record)))


def _shortened(ctx: Context, record: dict[str, Any]) -> dict[str, Any]:
    """A record within the budget: its longest lists lose their ends, and it is said which and how much."""
    room = ctx.settings.limits.answer_chars - RESERVE
    while (over := size(record) - room) > 0:
        lists = {key: size(value) for key, value in record.items() if isinstance(value, list) and len(value) > 1}
        if not lists:
            break
        key = max(lists, key=lambda name: lists[name])
        rows = record[key]
        kept = min(len(rows) - 1, fitting(rows, max(0, lists[key] - over)))
        record = {**record, key: rows[:kept]}
        ctx.warn(f"{key}: {kept} of {len(rows)} are shown, for want of room.")
    return record


async def summary(ctx: Context, asked: Asked) -> Answer[Told]:
    """Counts, open notices, own sessions; the newest runs on demand."""
    store, owner = ctx.session.store, await owner_of(ctx, asked.session_id)
    info = await store.info(owner)
    last = await store.last(owner)
    own = await store.sessions(owner, limit=10)
    told = Told(
        action="summary",
        session=session_row(info, ctx.owner.session_id),
        by_status=info.by_status,
        by_kind=info.by_kind,
        notices=[notice_row(notice) for notice in await store.notices(owner)],
        sessions=[session_row(session, ctx.owner.session_id) for session in own.items],
        last=None if last is None else run_row(last),
        searches_with_hits=await store.count_found(owner),
        total=own.total,
    )
    if asked.include_history:
        told.runs = await _history(ctx, owner, asked.history_limit, size(told))
    for notice in told.notices:
        ctx.warn(f"{notice.text} (vouched session acknowledge {notice.notice_id})" if notice.notice_id else notice.text)
    return Answer(told)


async def _history(ctx: Context, owner: Owner, limit: int | None, used: int) -> list[Any]:
    rows = [run_row(run) for run in (await ctx.session.store.runs(owner, limit=limit or 10)).items]
    kept = fitting(rows, ctx.settings.limits.answer_chars - RESERVE - used)
    if kept < len(rows):
        ctx.warn(f"History: {kept} of {len(rows)} runs are shown; action search_runs pages through all.")
    return rows[:kept]


async def log(ctx: Context, asked: Asked) -> Answer[Told]:
    """The journal's lines; on the first page the newest runs beside them."""
    owner = await owner_of(ctx, asked.session_id)
    told = Told(action="log", by_kind=(await ctx.session.store.info(owner)).by_kind)
    if asked.include_history is not False and not asked.cursor:
        told.runs = await _history(ctx, owner, asked.history_limit, ctx.settings.limits.answer_chars // 2)

    def fetch(limit: int, cursor: str | None) -> Awaitable[Page[Event]]:
        return ctx.session.store.events(owner, kind=asked.kind or "", limit=limit, cursor=cursor)

    page, told.events, cursor = await paged(ctx, fetch, event_row, asked.event_limit or 50, size(told))
    told.total, told.returned = page.total, len(told.events)
    return Answer(told, next_cursor=cursor)


async def search_runs(ctx: Context, asked: Asked) -> Answer[Told]:
    """Past calls, failed ones too."""
    owner = await owner_of(ctx, asked.session_id)

    def fetch(limit: int, cursor: str | None) -> Awaitable[Page[Run]]:
        return ctx.session.store.runs(owner, status=asked.status or "", limit=limit, cursor=cursor)

    page, rows, cursor = await paged(ctx, fetch, run_row, asked.limit or 10, 0)
    return Answer(Told(action="search_runs", total=page.total, returned=len(rows), runs=rows), next_cursor=cursor)


async def search_run(ctx: Context, asked: Asked) -> Answer[Told]:
    """One run in full; its exchanges and ids continue on further pages."""
    run = await find_run(ctx, asked.run_id or "", asked.session_id)
    start = (ctx.state(Position) or Position()).start
    exchanges = [msgspec.to_builtins(exchange) for exchange in run.sources]
    head = msgspec.to_builtins(msgspec.structs.replace(run, sources=[], ids=[], answer=None))
    told = Told(action="search_run", total=len(run.ids))
    if start == 0:
        told.record = _shortened(ctx, {**head, "archived": run.answer is not None})
    rows: list[Any] = [*exchanges, *run.ids][start:]
    fitted = ctx.fit(rows, _following(run.run_id, start, len(exchanges) + len(run.ids)), reserve=RESERVE + size(told))
    told.exchanges = [row for row in fitted.rows if isinstance(row, dict)]
    told.ids = [row for row in fitted.rows if isinstance(row, str)]
    return Answer(told, next_cursor=fitted.next_cursor)


async def replay_search(ctx: Context, asked: Asked) -> Answer[Told]:
    """The call as it can be made again."""
    run = await find_run(ctx, asked.run_id or "", asked.session_id)
    replay = Replay(run.tool, run.arguments, replay_of=run.run_id, previous_status=run.status)
    return Answer(Told(action="replay_search", replay=replay))


ACTIONS: Mapping[str, Callable[[Context, Asked], Awaitable[Answer[Told]]]] = {
    "pmids": pmids,
    "article": article,
    "summary": summary,
    "log": log,
    "list_artifacts": list_artifacts,
    "artifact": artifact,
    "search_runs": search_runs,
    "search_run": search_run,
    "replay_search": replay_search,
}
