"""The journal's lines, the newest ten thousand of each session."""

# ruff: noqa: S608 (statements are put together from constants of this module; values are always bound)

import time
from typing import Any

from vouched.journal import Event, Owner, Page
from vouched.names import now, position, text
from vouched.services.store import rows, sessions
from vouched.services.store.view import View

__all__ = ["add", "page"]

KEPT = 10_000
_COLUMNS = "e.event_id, e.at, s.session_id, e.kind, e.level, e.message, e.run_id, e.details"


def add(view: View, owner: Owner, event: Event) -> None:
    """Add a line, drop the oldest where there are too many."""
    session = sessions.ensure(view, owner)
    rows.insert(
        view.connection,
        "events",
        {
            "session": session,
            "at": event.at or now(),
            "touched": time.time(),
            "kind": event.kind,
            "level": event.level,
            "message": text(event.message),
            "run_id": event.run_id,
            "details": rows.encoded(event.details),
        },
    )
    (count,) = view.connection.execute("SELECT events FROM sessions WHERE session = ?", (session,)).fetchone()
    if count > KEPT:
        view.connection.execute(
            "DELETE FROM events WHERE event_id IN"
            " (SELECT event_id FROM events WHERE session = ? ORDER BY event_id LIMIT ?)",
            (session, count - KEPT),
        )


def page(view: View, owner: Owner, kind: str, limit: int, cursor: str | None) -> Page[Event]:
    """A session's lines, newest first."""
    before = position(cursor)
    session = sessions.find(view, owner)
    if session is None:
        return Page([], 0)
    counts = sessions.tallies(view, session, "kind")
    return rows.page(
        view.connection,
        f"SELECT {_COLUMNS} FROM events e JOIN sessions s USING (session)",
        counts.get(kind, 0) if kind else sum(counts.values()),
        {"e.session": session, **({"e.kind": kind} if kind else {})},
        ("e.event_id", before, limit),
        _event,
    )


def _event(row: tuple[Any, ...]) -> Event:
    event_id, at, session_id, kind, level, message, run_id, details = row
    return Event(
        event_id=event_id,
        at=at,
        session_id=session_id,
        kind=kind,
        level=level,
        message=message,
        run_id=run_id,
        details=rows.decoded(details, dict[str, Any], {}),
    )
