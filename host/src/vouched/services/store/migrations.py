"""From any earlier version of the file to this one, in one transaction."""

# ruff: noqa: S608 (statements are put together from constants of this module; values are always bound)

import sqlite3
from collections.abc import Callable, Sequence

import msgspec

from vouched.faults import ProviderFailed
from vouched.services.store.failures import Damaged
from vouched.services.store.schema import APPLICATION_ID, FIRST, SECOND, VERSION

__all__ = ["STEPS", "check", "create", "upgrade"]


def _first(connection: sqlite3.Connection) -> None:
    _run(connection, FIRST)


def _second(connection: sqlite3.Connection) -> None:
    """Counts beside the rows, and filled from the rows that are there."""
    _run(connection, SECOND)
    _mark_found(connection)
    for column, table in (("runs", "runs"), ("events", "events"), ("artifacts", "artifacts"), ("articles", "articles")):
        connection.execute(
            f"UPDATE sessions SET {column} = (SELECT count(*) FROM {table} WHERE {table}.session = sessions.session)"
        )
    connection.execute("DELETE FROM tallies")
    connection.execute(
        "INSERT INTO tallies SELECT session, 'status', status, count(*) FROM runs GROUP BY session, status"
    )
    connection.execute("INSERT INTO tallies SELECT session, 'kind', kind, count(*) FROM events GROUP BY session, kind")
    connection.execute("UPDATE totals SET n = (SELECT count(*) FROM articles) WHERE name = 'articles'")


def _mark_found(connection: sqlite3.Connection) -> None:
    rows = connection.execute("SELECT seq, ids FROM runs WHERE status IN ('completed', 'partial') AND ids IS NOT NULL")
    found = [(seq,) for seq, ids in rows if _holds(ids)]
    connection.executemany("UPDATE runs SET found = 1 WHERE seq = ?", found)


def _holds(ids: str) -> bool:
    try:
        return bool(msgspec.json.decode(ids))
    except msgspec.DecodeError:
        return False


STEPS: Sequence[Callable[[sqlite3.Connection], None]] = (_first, _second)


def _run(connection: sqlite3.Connection, script: str) -> None:
    # `executescript` would commit the transaction that the step stands in.
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""


def create(connection: sqlite3.Connection) -> None:
    """Make an empty database this version's."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    upgrade(connection)


def check(connection: sqlite3.Connection) -> bool:
    """Whether the file is of this version; False for an earlier one.

    Raises:
        ProviderFailed: for a later one.
        Damaged: for a file that is no session store at all.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID or version < 1:
        raise Damaged("it is no session file")
    if version > VERSION:
        raise ProviderFailed(
            f"The session store was written by a newer Vouched (version {version}; this one knows {VERSION}).",
            hint="Update Vouched, or set VOUCHED_DATA to another folder. Nothing was changed.",
        )
    return bool(version == VERSION)


def upgrade(connection: sqlite3.Connection, target: int = VERSION) -> None:
    """Take the steps that the file lacks, all or none."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Read inside the transaction: another process may have been quicker.
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        for step in STEPS[version:target]:
            step(connection)
        if version < target:
            connection.execute(f"PRAGMA user_version = {target}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
