"""What the actions of `vouched_read_session` share: whose session, which run, pages that fit."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec

from vouched.answer import fitting
from vouched.context import Context
from vouched.faults import NotFound
from vouched.journal import Owner, Page, Run
from vouched.overflow import size

__all__ = ["RESERVE", "Position", "find_run", "owner_of", "paged", "size"]

T = TypeVar("T")
R = TypeVar("R")
RESERVE = 1_500
NO_RUN = "vouched_read_session with action search_runs lists the runs there are."


class Position(msgspec.Struct, frozen=True):
    """Where the next page begins: in the store, or in a run's own lists."""

    after: str = ""
    run_id: str = ""
    start: int = 0


async def owner_of(ctx: Context, session_id: str | None) -> Owner:
    """The owner whose session is meant: one's own by default, else any of one's principal's, whatever the client."""
    if session_id is None:
        return ctx.owner
    own = msgspec.structs.replace(ctx.owner, session_id=session_id)
    for candidate in (own, msgspec.structs.replace(own, client="")):
        if (await ctx.session.store.info(candidate)).created_at:
            return candidate
    if session_id == ctx.owner.session_id:
        return ctx.owner
    raise NotFound("There is no such session of yours.", path="session_id", hint="Action summary lists them.")


async def find_run(ctx: Context, run_id: str, session_id: str | None = None) -> Run:
    """A run by id, also written `run:ID`, or `last`; in the given session where one is given."""
    owner = await owner_of(ctx, session_id)
    if run_id.strip().lower() == "last":
        last = await ctx.session.store.last(owner)
        if last is None:
            raise NotFound("No run of this session found something.", path="run_id", hint=NO_RUN)
        return last
    run = await ctx.session.store.run(owner, run_id.strip().removeprefix("run:"))
    if session_id is not None and run.session_id != session_id:
        raise NotFound("There is no such run in that session.", path="run_id", hint=NO_RUN)
    return run


async def paged(
    ctx: Context,
    fetch: Callable[[int, str | None], Awaitable[Page[T]]],
    row: Callable[[T], R],
    limit: int,
    used: int,
) -> tuple[Page[T], list[R], str | None]:
    """One page of the store as rows that fit beside `used` characters, and the cursor to the next."""
    after = (ctx.state(Position) or Position()).after or None
    page = await fetch(limit, after)
    rows = [row(item) for item in page.items]
    kept = fitting(rows, ctx.settings.limits.answer_chars - RESERVE - used)
    if kept < len(rows):
        # Only the store knows the cursor after row `kept`, so it is asked for just that many.
        page = await fetch(kept, after)
        rows = [row(item) for item in page.items]
    return page, rows, ctx.cursor(Position(after=page.next_cursor)) if page.next_cursor else None
