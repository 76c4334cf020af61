"""Dropping what is old."""

# ruff: noqa: S608 (statements are put together from constants of this module; values are always bound)

from vouched.services.store import sessions
from vouched.services.store.schema import OPEN
from vouched.services.store.view import View

__all__ = ["prune"]


def prune(view: View, principal: str | None, before: float) -> tuple[int, list[str]]:
    """Drop runs, events, articles and artifacts not touched since `before` (unix seconds), of one principal or of all.

    Unfinished runs of living processes stay.

    Returns:
        How many went, and the hashes whose bytes may have become unused.
    """
    connection = view.connection
    mine = "session IN (SELECT session FROM sessions WHERE principal = coalesce(?, principal))"
    old = (before, principal)
    living = view.living()
    unfinished = f"status IN {OPEN} AND process IN ({', '.join('?' * len(living))})"
    digests = connection.execute(f"SELECT DISTINCT sha256 FROM artifacts WHERE touched < ? AND {mine}", old).fetchall()
    gone = connection.execute(
        f"DELETE FROM runs WHERE touched < ? AND {mine} AND NOT ({unfinished})",
        (*old, *living),
    ).rowcount
    for table in ("events", "artifacts", "articles"):
        gone += connection.execute(f"DELETE FROM {table} WHERE touched < ? AND {mine}", old).rowcount
    sessions.drop_empty(view, principal, before)
    return gone, [digest for (digest,) in digests]
