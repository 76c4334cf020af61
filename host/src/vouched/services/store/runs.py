"""Runs: one row each, changed in place; what is long stands in columns of its own that lists do not read."""

# ruff: noqa: S608 (statements are put together from constants of this module; values are always bound)

import time
from typing import Any

from vouched.faults import InvalidArgument, NotFound
from vouched.journal import Owner, Page, Run, RunChange
from vouched.names import check_id, now, position, text
from vouched.remote import Exchange
from vouched.services.store import rows, sessions
from vouched.services.store.schema import OPEN
from vouched.services.store.view import View

__all__ = ["change", "count_found", "get", "last", "page", "start"]

_HEAD = (
    "r.seq, r.run_id, s.session_id, r.tool, r.status, r.process, r.query, r.translation, r.total, r.returned,"
    " r.replay_of, r.created_at, r.updated_at, r.arguments, r.source_versions, r.sources, r.warnings, r.error, r.notes"
)
_FROM = "FROM runs r JOIN sessions s USING (session)"
_JSON: dict[str, tuple[Any, Any]] = {
    "arguments": (dict[str, Any], {}),
    "source_versions": (dict[str, str], {}),
    "sources": (list[Exchange], []),
    "warnings": (list[str], []),
    "error": (dict[str, Any] | None, None),
    "notes": (dict[str, Any], {}),
    "ids": (list[str], []),
    "answer": (dict[str, Any] | None, None),
}
_CHANGEABLE = ("status", "query", "translation", "total", *(name for name in _JSON if name != "arguments"))
_UNFINISHED = ("started", "planned", "running")


def start(view: View, owner: Owner, run: Run) -> None:
    """Enter a run under this process's name, so that its end is noticed when the process ends first."""
    check_id("run_id", run.run_id)
    taken = "SELECT 1 FROM runs WHERE principal = ? AND run_id = ?"
    if view.connection.execute(taken, (owner.principal, run.run_id)).fetchone():
        raise InvalidArgument("A run with this id is there already.", path="run_id")
    at = run.created_at or now()
    values: dict[str, Any] = {
        "session": sessions.ensure(view, owner),
        "principal": owner.principal,
        "process": view.process,
        "query": text(run.query),
        "translation": text(run.translation),
        "returned": len(run.ids) or run.returned,
        "found": int(run.status in ("completed", "partial") and bool(run.ids)),
        "created_at": at,
        "updated_at": run.updated_at or at,
        "touched": time.time(),
    }
    values |= {name: getattr(run, name) for name in ("run_id", "tool", "status", "total", "replay_of")}
    values |= {name: rows.encoded(getattr(run, name)) for name in _JSON}
    rows.insert(view.connection, "runs", values)


def change(view: View, owner: Owner, run_id: str, change: RunChange) -> None:
    """Set the given fields. One statement, whatever the run's size or the session's age."""
    check_id("run_id", run_id)
    values: dict[str, Any] = {"updated_at": now(), "touched": time.time()}
    for name in _CHANGEABLE:
        given = getattr(change, name)
        if given is not None:
            values[name] = rows.encoded(given) if name in _JSON else text(given) if isinstance(given, str) else given
    if change.ids is not None:
        values["returned"] = len(change.ids)
    settings = ", ".join(f"{name} = ?" for name in values)
    done = view.connection.execute(
        f"UPDATE runs SET {settings} WHERE principal = ? AND run_id = ?",
        [*values.values(), owner.principal, run_id],
    )
    if not done.rowcount:
        raise _missing()
    view.connection.execute(
        "UPDATE runs SET found = (status IN ('completed', 'partial') AND ids IS NOT NULL)"
        " WHERE principal = ? AND run_id = ?",
        (owner.principal, run_id),
    )
    view.connection.execute(
        "UPDATE sessions SET updated_at = ? WHERE session ="
        " (SELECT session FROM runs WHERE principal = ? AND run_id = ?)",
        (values["updated_at"], owner.principal, run_id),
    )


def get(view: View, owner: Owner, run_id: str) -> Run:
    """One of the owner's runs, whole, whichever session it was made in."""
    check_id("run_id", run_id)
    row = view.connection.execute(
        f"SELECT {_HEAD}, r.ids, r.answer {_FROM} WHERE r.principal = ? AND r.run_id = ?",
        (owner.principal, run_id),
    ).fetchone()
    if row is None:
        raise _missing()
    return _run(row, view.living())


def page(view: View, owner: Owner, status: str, limit: int, cursor: str | None) -> Page[Run]:
    """A session's runs, newest first, without `ids` and `answer`; `returned` counts the ids."""
    before = position(cursor)
    session = sessions.find(view, owner)
    if session is None:
        return Page([], 0)
    living = view.living()
    counts = sessions.info(view, owner)
    condition, values = _with_status(status, living)
    if before is not None:
        condition, values = f"{condition} AND r.seq < ?", [*values, before]
    found = view.connection.execute(
        f"SELECT {_HEAD} {_FROM} WHERE r.session = ?{condition} ORDER BY r.seq DESC LIMIT ?",
        [session, *values, limit + 1],
    ).fetchall()
    total = counts.by_status.get(status, 0) if status else counts.runs
    following = str(found[limit - 1][0]) if len(found) > limit else None
    return Page([_run(row, living) for row in found[:limit]], total, following)


def last(view: View, owner: Owner, index: int, query_filter: str) -> Run | None:
    """The run that `last` means: python-style index over the session's runs that found something, or the newest whose
    query holds `query_filter`, in any case."""
    session = sessions.find(view, owner)
    if session is None:
        return None
    base = f"SELECT {_HEAD}, r.ids, r.answer {_FROM} WHERE r.session = ? AND r.found = 1"
    if query_filter:
        row = view.connection.execute(
            f"{base} AND instr(casefold(r.query), ?) > 0 ORDER BY r.seq DESC LIMIT 1",
            (session, text(query_filter).casefold()),
        ).fetchone()
    else:
        order, skipped = ("DESC", -index - 1) if index < 0 else ("ASC", index)
        row = view.connection.execute(f"{base} ORDER BY r.seq {order} LIMIT 1 OFFSET ?", (session, skipped)).fetchone()
    return None if row is None else _run(row, [])


def count_found(view: View, owner: Owner) -> int:
    """How many runs `last` can reach."""
    session = sessions.find(view, owner)
    if session is None:
        return 0
    return int(view.connection.execute("SELECT found FROM sessions WHERE session = ?", (session,)).fetchone()[0])


def _with_status(status: str, living: list[str]) -> tuple[str, list[Any]]:
    """The condition for a status as it is told, not as it stands: see `sessions.lost`."""
    gone = f"process NOT IN ({', '.join('?' * len(living))})"
    if status == "interrupted":
        return f" AND (r.status = 'interrupted' OR (r.status IN {OPEN} AND r.{gone}))", list(living)
    if status in _UNFINISHED:
        return f" AND r.status = ? AND NOT r.{gone}", [status, *living]
    return (" AND r.status = ?", [status]) if status else ("", [])


def _missing() -> NotFound:
    return NotFound("There is no such run of yours.", hint="vouched_read_session with action search_runs lists them.")


def _run(row: tuple[Any, ...], living: list[str]) -> Run:
    _, run_id, session_id, tool, status, process, query, translation, total, returned, replay_of, *rest = row
    created_at, updated_at, *columns = rest
    unreadable: list[str] = []
    parts = {
        name: rows.decoded(column, type_, otherwise, unreadable, name)
        for (name, (type_, otherwise)), column in zip(_JSON.items(), columns, strict=False)
    }
    if unreadable:
        parts["notes"] = {**parts["notes"], "unreadable": unreadable}
    if status in _UNFINISHED and process not in living:
        status = "interrupted"
    return Run(
        run_id=run_id,
        session_id=session_id,
        tool=tool,
        status=status,
        query=query,
        translation=translation,
        total=total,
        returned=returned,
        replay_of=replay_of,
        created_at=created_at,
        updated_at=updated_at,
        **parts,
    )
