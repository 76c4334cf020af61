"""Sessions: whose they are, and what they hold in numbers."""

# ruff: noqa: S608 (statements are put together from constants of this module; values are always bound)

import time
from typing import Any

from vouched.journal import Owner, Page, SessionInfo
from vouched.names import check_id, now, position
from vouched.services.store.schema import OPEN
from vouched.services.store.view import View

__all__ = ["drop_empty", "ensure", "find", "info", "lost", "page", "tallies"]

_COLUMNS = "session, session_id, client, created_at, updated_at, runs, articles, artifacts, events"


def find(view: View, owner: Owner) -> int | None:
    """The owner's session. An owner that names no client means whichever client's session has this id."""
    check_id("session_id", owner.session_id)
    row = view.connection.execute(
        "SELECT session FROM sessions WHERE principal = ? AND client = ? AND session_id = ?",
        (owner.principal, owner.client, owner.session_id),
    ).fetchone()
    if row is None and not owner.client:
        row = view.connection.execute(
            "SELECT session FROM sessions WHERE principal = ? AND session_id = ? ORDER BY updated_at DESC LIMIT 1",
            (owner.principal, owner.session_id),
        ).fetchone()
    return None if row is None else int(row[0])


def ensure(view: View, owner: Owner) -> int:
    """The same for writing: made where there is none, and now the newest."""
    session, at = find(view, owner), now()
    if session is not None:
        view.connection.execute("UPDATE sessions SET updated_at = ? WHERE session = ?", (at, session))
        return session
    cursor = view.connection.execute(
        "INSERT INTO sessions (principal, client, session_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
        (owner.principal, owner.client, owner.session_id, at, at),
    )
    return cursor.lastrowid or 0


def info(view: View, owner: Owner) -> SessionInfo:
    """Counts of a session; zeros where nothing was ever kept."""
    session = find(view, owner)
    if session is None:
        return SessionInfo(session_id=owner.session_id, client=owner.client)
    row = view.connection.execute(f"SELECT {_COLUMNS} FROM sessions WHERE session = ?", (session,)).fetchone()
    return _info(view, row)


def page(view: View, owner: Owner, limit: int, cursor: str | None) -> Page[SessionInfo]:
    """All sessions of the principal, whatever the client, newest first."""
    (total,) = view.connection.execute(
        "SELECT count(*) FROM sessions WHERE principal = ?", (owner.principal,)
    ).fetchone()
    condition = ""
    values: list[str | int] = [owner.principal]
    if cursor is not None:
        at, _, number = cursor.rpartition("|")
        condition, values = " AND (updated_at, session) < (?, ?)", [owner.principal, at, position(number) or 0]
    rows = view.connection.execute(
        f"SELECT {_COLUMNS} FROM sessions WHERE principal = ?{condition}"
        " ORDER BY updated_at DESC, session DESC LIMIT ?",
        [*values, limit + 1],
    ).fetchall()
    following = f"{rows[limit - 1][4]}|{rows[limit - 1][0]}" if len(rows) > limit else None
    return Page([_info(view, row) for row in rows[:limit]], total, following)


def tallies(view: View, session: int, what: str) -> dict[str, int]:
    """Rows of a session by status or kind."""
    return dict(
        view.connection.execute(
            "SELECT name, n FROM tallies WHERE session = ? AND what = ? AND n > 0 ORDER BY name", (session, what)
        ).fetchall()
    )


def lost(view: View, session: int) -> dict[str, int]:
    """Unfinished runs of this session whose process is gone, by the status they stand at: in truth interrupted.

    They are told so before a writer marks them, since reading writes nothing.
    """
    living = view.living()
    marks = ", ".join("?" * len(living))
    rows = view.connection.execute(
        f"SELECT status, count(*) FROM runs WHERE session = ? AND status IN {OPEN} AND process NOT IN ({marks})"
        " GROUP BY status",
        [session, *living],
    )
    return dict(rows.fetchall())


def _info(view: View, row: tuple[Any, ...]) -> SessionInfo:
    session, session_id, client, created_at, updated_at, runs, articles, artifacts, events = row
    by_status = tallies(view, session, "status")
    for status, count in lost(view, session).items():
        by_status[status] -= count
        by_status["interrupted"] = by_status.get("interrupted", 0) + count
    return SessionInfo(
        session_id=session_id,
        client=client,
        created_at=created_at,
        updated_at=updated_at,
        runs=runs,
        articles=articles,
        artifacts=artifacts,
        events=events,
        by_status={status: count for status, count in by_status.items() if count},
        by_kind=tallies(view, session, "kind"),
    )


def drop_empty(view: View, principal: str | None, before: float) -> None:
    """Forget sessions that hold nothing any more and were not used since `before`."""
    at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(before))
    view.connection.execute(
        "DELETE FROM sessions WHERE runs = 0 AND events = 0 AND artifacts = 0 AND articles = 0 AND updated_at < ?"
        " AND principal = coalesce(?, principal)",
        (at, principal),
    )
