"""The search service: one page of records, read strictly."""

from collections.abc import Sequence

import msgspec
from vouched.api import Article, Context, UpstreamInvalid

from vouched_europepmc.envelope import known_shape, read_envelope
from vouched_europepmc.records import read_article
from vouched_europepmc.service import digest, retrieved_at

__all__ = ["FIRST_MARK", "Hits", "ask", "read_hits"]

FIRST_MARK = "*"


class Hits(msgspec.Struct, frozen=True):
    """One page of a search.

    Attributes:
        total: hits of the whole query; articles: of this page, in order; next_mark: "" at the end.
        version: of the service; read_as: the query as the service says it understood it, "" where it does not say.
    """

    total: int
    articles: Sequence[Article]
    next_mark: str
    version: str
    read_as: str


class _Page(msgspec.Struct, frozen=True):
    total: int
    articles: list[Article]
    next_mark: str
    version: str
    read_as: str
    sha256: str


def read_hits(body: bytes) -> _Page:
    """Read a page; an answer without a hit count is a fault, never "no hits"."""
    found = read_envelope(body, "hitCount")
    total = found["hitCount"]
    with known_shape("The page"):
        listed = (found.get("resultList") or {}).get("result")
        request = found.get("request") or {}
        read_as = str(request.get("internalQuery") or request.get("queryString") or "")
    if not isinstance(total, int) or not isinstance(listed, list | type(None)):
        raise UpstreamInvalid("The answer's hit count or result list is not one.", source="europepmc")
    with known_shape("A record"):
        articles = [read_article(one) for one in listed or () if one.get("id")]
    return _Page(
        total=total,
        articles=articles,
        next_mark=str(found.get("nextCursorMark") or ""),
        version=str(found.get("version") or ""),
        read_as=read_as,
        sha256=digest(body),
    )


def _dated(article: Article, when: str) -> Article:
    """With the time of the exchange, which a page does not know while it is read."""
    status = article.status
    if status.checked:
        status = msgspec.structs.replace(status, checked=[f"europepmc {when}"])
    return msgspec.structs.replace(article, retrieved_at=when, status=status)


async def ask(
    ctx: Context, query: str, *, size: int, mark: str = FIRST_MARK, sort: str = "", synonym: bool = False
) -> Hits:
    """Ask for one page of core records. The cursor mark goes out as it came; it is encoded once, by the client."""
    page = await ctx.http("europepmc").get(
        "search",
        params={
            "query": query,
            "resultType": "core",
            "format": "json",
            "pageSize": size,
            "cursorMark": mark,
            "sort": sort or None,
            "synonym": "TRUE" if synonym else "FALSE",
        },
        read=read_hits,
    )
    when = retrieved_at(ctx, page.sha256)
    if page.version:
        ctx.note("source_versions", {**ctx.notes.get("source_versions", {}), "europepmc": page.version})
    return Hits(
        total=page.total,
        articles=[_dated(article, when) for article in page.articles],
        # The last page lacks the mark, or repeats the one that was sent.
        next_mark="" if page.next_mark == mark else page.next_mark,
        version=page.version,
        read_as=page.read_as,
    )
