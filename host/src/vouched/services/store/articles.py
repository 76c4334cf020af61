"""Articles that any tool fetched: the newest of each source, found by any of their ids; too many, and the oldest go."""

# ruff: noqa: S608 (statements are put together from constants of this module; values are always bound)

import time
from collections.abc import Sequence

import msgspec

from vouched.article import Article
from vouched.journal import Owner
from vouched.services.store import sessions
from vouched.services.store.view import View

__all__ = ["get", "keep"]

_WARNING = ("retracted", "retracted_and_republished", "concern")


def keep(view: View, owner: Owner, articles: Sequence[Article]) -> None:
    """Remember them; records are never merged, each replaces the one of the same source that shares an id with it."""
    if not articles:
        return
    session = sessions.ensure(view, owner)
    for article in articles:
        _keep(view, owner.principal, session, article)
    (total,) = view.connection.execute("SELECT n FROM totals WHERE name = 'articles'").fetchone()
    if total > view.settings.articles:
        view.connection.execute(
            "DELETE FROM articles WHERE seq IN (SELECT seq FROM articles ORDER BY seq LIMIT ?)",
            (total - view.settings.articles,),
        )


def _keep(view: View, principal: str, session: int, article: Article) -> None:
    ids = sorted(str(id_) for id_ in article.known_ids())
    if not ids:
        return
    source = _source(article)
    marks = ", ".join("?" * len(ids))
    view.connection.execute(
        "DELETE FROM articles WHERE seq IN"
        f" (SELECT seq FROM article_ids WHERE principal = ? AND source = ? AND id IN ({marks}))",
        [principal, source, *ids],
    )
    cursor = view.connection.execute(
        "INSERT INTO articles (session, rank, touched, body) VALUES (?, ?, ?, ?)",
        (session, _rank(article), time.time(), msgspec.json.encode(article).decode()),
    )
    view.connection.executemany(
        "INSERT INTO article_ids VALUES (?, ?, ?, ?)", [(principal, id_, source, cursor.lastrowid) for id_ in ids]
    )


def _source(article: Article) -> str:
    """A listing without its abstract stands beside the full record of the same source: it must not push it out."""
    return article.source if article.abstract_state != "not_fetched" else f"{article.source} (listing)"


def _rank(article: Article) -> int:
    """Which of several records is served: one that warns of a retraction or concern, then a full one."""
    return 2 * (article.status.status in _WARNING) + (article.abstract_state != "not_fetched")


def get(view: View, owner: Owner, id_: str) -> Article | None:
    """The best record of an article, the newest of equals; None where it was never fetched."""
    found = view.connection.execute(
        "SELECT body FROM article_ids JOIN articles USING (seq) WHERE principal = ? AND id = ?"
        " ORDER BY rank DESC, seq DESC",
        (owner.principal, id_),
    )
    for (body,) in found:
        try:
            return msgspec.json.decode(body, type=Article)
        except msgspec.DecodeError:
            # Written by a version whose records differ: as good as never fetched, the next fetch replaces it.
            continue
    return None
