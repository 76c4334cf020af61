"""Small things that all tables need: JSON columns that forgive, inserting, pages."""

# ruff: noqa: S608 (statements are put together from constants of this module; values are always bound)

import sqlite3
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from vouched.journal import Page

__all__ = ["decoded", "encoded", "insert", "page"]

T = TypeVar("T")


def encoded(value: Any) -> str | None:
    """A JSON column; None for what is empty."""
    return msgspec.json.encode(value).decode() if value else None


def decoded(column: str | None, type_: type[T], otherwise: T, unreadable: list[str] | None = None, name: str = "") -> T:
    """What a JSON column holds. Fields that a later version wrote are passed over; what cannot be read at all becomes
    `otherwise` and is named, since one bad column must not cost a run, nor one bad run a session."""
    if column is None:
        return otherwise
    try:
        return msgspec.json.decode(column, type=type_)
    except (msgspec.DecodeError, UnicodeError, TypeError, RecursionError):
        if unreadable is not None:
            unreadable.append(name)
        return otherwise


def insert(connection: sqlite3.Connection, table: str, values: Mapping[str, Any]) -> int:
    """Insert one row; its number."""
    columns, marks = ", ".join(values), ", ".join("?" * len(values))
    cursor = connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", tuple(values.values()))
    return cursor.lastrowid or 0


def page(
    connection: sqlite3.Connection,
    select: str,
    count: str | int,
    wanted: Mapping[str, Any],
    window: tuple[str, int | None, int],
    make: Callable[[tuple[Any, ...]], T],
) -> Page[T]:
    """Rows newest first, each starting with its number, which makes the cursor.

    Args:
        select, count: statements without conditions, or the total itself.
        wanted: column -> value; all must hold.
        window: number column, the number to stay below, how many.
    """
    number, before, limit = window
    conditions = [f"{column} = ?" for column in wanted]
    values = list(wanted.values())
    where = " WHERE " + " AND ".join(conditions)
    total = count if isinstance(count, int) else int(connection.execute(count + where, values).fetchone()[0])
    if before is not None:
        where, values = f"{where} AND {number} < ?", [*values, before]
    rows = connection.execute(f"{select}{where} ORDER BY {number} DESC LIMIT ?", [*values, limit + 1]).fetchall()
    following = str(rows[limit - 1][0]) if len(rows) > limit else None
    return Page([make(row) for row in rows[:limit]], total, following)
