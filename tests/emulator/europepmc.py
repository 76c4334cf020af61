"""Europe PMC's REST service over the records that the emulator holds."""

import hashlib
import re
from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import escape

from vouched.testing.exchange import Asked, Reply

from tests.emulator.europepmc_query import compiled, words
from tests.emulator.europepmc_records import Article
from tests.emulator.index import Index

VERSION = "6.9"
SOURCES = ("MED", "PMC", "PPR", "PAT", "AGR", "CBA", "HIR", "CTX", "ETH", "CIT", "NBK")
LIVE = "https://www.ebi.ac.uk/europepmc/webservices/rest/"
NO_CRITERIA = "No search criteria provided. Please provide a search criteria which is less than 1500 characters."
SORTS: dict[str, Callable[[Article], Any]] = {
    "CITED": lambda article: int(article.core.get("citedByCount", 0)),
    "P_PDATE_D": lambda article: article.core.get("firstPublicationDate", ""),
    "FIRST_PDATE": lambda article: article.core.get("firstPublicationDate", ""),
    "FIRST_PDATE_D": lambda article: article.core.get("firstPublicationDate", ""),
    "PUB_YEAR": lambda article: article.core.get("pubYear", ""),
    "AUTH_FIRST": lambda article: article.core.get("authorString", "").lower(),
    "RELEVANCE": lambda article: 0,
}


class EuropePmc:
    """answer() is the service.

    repeats_last_cursor: whether the last page names its own cursor again instead of none, as some versions did.
    lost_in_batches: ids that a query for several ids does not find, and a query for one does, as users saw it.
    """

    def __init__(self, index: Index) -> None:
        self.index = index
        self.repeats_last_cursor = False
        self.lost_in_batches: frozenset[str] = frozenset()

    def answer(self, asked: Asked) -> Reply:
        match asked.segments:
            case ("search",) | ("searchPOST",):
                return self.search(asked)
            case ("article", source, key):
                return self.article(asked, source, key)
            case (key, "fullTextXML"):
                return self.full_text(asked, key)
            case (key, "supplementaryFiles"):
                return _supplement(key)
            case (source, key, "citations" | "references" | "datalinks" | "databaseLinks" as what):
                return self.attached(asked, (source.upper(), key), what)
        return not_found(asked)

    def search(self, asked: Asked) -> Reply:
        query = asked.get("query")
        if not query.strip() or (len(query) > 1500 and asked.path == "search"):
            return Reply.json({"errCode": 400, "errMsg": NO_CRITERIA}, 400, "application/json;charset=UTF-8")
        kind = asked.get("resultType", "lite").lower()
        mark, sort = asked.get("cursorMark", "*") or "*", asked.get("sort")
        offset, name = place(mark), sort.split(" ")[0].upper()
        if offset is None or (name and name not in SORTS) or unacceptable(asked):
            return stub(asked)
        size = min(_whole(asked, "pageSize", 25), 1000)
        hits = self._ordered(query, name, sort.lower().endswith("asc"))
        page = hits[offset : offset + size]
        body: dict[str, Any] = {"version": VERSION, "hitCount": len(hits)}
        following = self._next(mark, offset + size, len(hits), query + sort)
        if following:
            body["nextCursorMark"] = following
            if asked.path == "search":
                tail = f"search?query={query}&cursorMark={following}&resultType={kind}&pageSize={size}&format=json"
                body["nextPageUrl"] = LIVE + tail
        body["request"] = _echo(query, kind, mark, size, sort, asked.get("synonym"))
        body["resultList"] = {"result": [shaped(article, kind) for article in page]}
        return formatted(asked, body)

    def _ordered(self, query: str, name: str, ascending: bool) -> list[Article]:
        test = compiled(query)
        lost = self.lost_in_batches if query.count("EXT_ID:") > 1 else frozenset()
        hits = [article for article in self.index.articles.values() if article.id not in lost and test(article)]
        if name and name != "RELEVANCE":
            return sorted(hits, key=SORTS[name], reverse=not ascending)
        wanted = words(query)
        return sorted(hits, key=lambda a: -sum(a.texts["title"].count(f" {word} ") for word in wanted))

    def _next(self, mark: str, offset: int, total: int, about: str) -> str:
        if offset >= total:
            return mark if self.repeats_last_cursor and mark != "*" else ""
        return cursor(offset, about)

    def article(self, asked: Asked, source: str, key: str) -> Reply:
        held = self.index.articles.get((source.upper(), key))
        kind = asked.get("resultType", "lite").upper()
        body: dict[str, Any] = {
            "version": VERSION,
            "hitCount": int(held is not None),
            "request": {"resultType": kind, "id": key, "source": source.upper()},
            "result": shaped(held, kind.lower()) if held else {},
        }
        return stub(asked) if unacceptable(asked) else formatted(asked, body)

    def full_text(self, asked: Asked, key: str) -> Reply:
        accept = asked.headers.get("accept", "*/*")
        if "json" in accept and "xml" not in accept and "*/*" not in accept:
            return Reply(b"", 406, "text/plain")
        article = self._by_full_text_id(key)
        text = self.index.fulltexts.get(key)
        if text is None or (article is not None and article.core.get("isOpenAccess") != "Y"):
            return not_found(asked)
        return Reply(text, 200, "application/xml;charset=UTF-8")

    def attached(self, asked: Asked, key: tuple[str, str], what: str) -> Reply:
        """Citations, references and data links: paged by number, not by cursor."""
        if key[0] not in SOURCES:
            return not_found(asked)
        body: dict[str, Any] = {"version": VERSION, "hitCount": 0, "request": {"id": key[1], "source": key[0]}}
        if what == "databaseLinks":
            # The retired service answers an envelope with nothing in it.
            body = {"version": VERSION, "request": body["request"] | {"offSet": 1, "pageSize": 25, "semanticType": ""}}
        elif what == "datalinks":
            categories = self.index.links.datalinks.get(key, [])
            if categories:
                body["hitCount"] = sum(category["CategoryLinkCount"] for category in categories)
                body["dataLinkList"] = {"Category": categories}
        else:
            self._page(asked, body, key, what)
        return formatted(asked, body)

    def _page(self, asked: Asked, body: dict[str, Any], key: tuple[str, str], what: str) -> None:
        page, size = max(1, _whole(asked, "page", 1)), min(max(1, _whole(asked, "pageSize", 25)), 1000)
        cited = what == "citations"
        rows = self.index.links.cited_by(key) if cited else self.index.links.cites(key)
        start = (page - 1) * size
        body["hitCount"] = len(rows)
        # The offset counts from 0 for citations and from 1 for references.
        body["request"] |= {"offSet": start + (not cited), "pageSize": size}
        if cited:
            body["citationList"] = {"citation": rows[start : start + size]}
        elif rows:
            body["referenceList"] = {"reference": rows[start : start + size]}

    def _by_full_text_id(self, key: str) -> Article | None:
        if key.startswith("PPR"):
            return self.index.articles.get(("PPR", key))
        return next((article for article in self.index.articles.values() if article.pmcid == key), None)


def _whole(asked: Asked, name: str, default: int) -> int:
    return int(asked.get(name)) if asked.get(name).isdigit() else default


def _supplement(key: str) -> Reply:
    message = f"Article with id {key} is not open access one"
    return Reply(
        f"<errorBean><errCode>0</errCode><errMsg>{message}</errMsg></errorBean>".encode(), 200, "application/xml"
    )


def cursor(offset: int, about: str) -> str:
    """An opaque mark with the characters that break careless encoding: a slash, a plus sign, equals signs."""
    return f"AoE/{offset:x}+{hashlib.sha256(about.encode()).hexdigest()[:10]}w=="


def place(mark: str) -> int | None:
    """The offset that a mark stands for; None for a mark that the service never gave."""
    if mark == "*":
        return 0
    found = re.fullmatch(r"AoE/([0-9a-f]+)\+[0-9a-f]{10}w==", mark)
    return int(found.group(1), 16) if found else None


def shaped(article: Article, kind: str) -> dict[str, Any]:
    if kind == "core":
        return article.core
    if kind == "idlist":
        return {n: article.lite[n] for n in ("id", "source", "pmid", "pmcid", "fullTextIdList") if n in article.lite}
    return article.lite


def _echo(query: str, kind: str, mark: str, size: int, sort: str, synonym: str) -> dict[str, Any]:
    # Queries for an id alone are echoed with an internal form and the type in capitals.
    indexed = re.search(r"\b(EXT_ID|PMCID|DOI):", query) is not None
    echo: dict[str, Any] = {"queryString": query}
    if indexed:
        echo["internalQuery"] = query
    echo |= {"resultType": kind.upper() if indexed else kind, "cursorMark": mark, "pageSize": size, "sort": sort}
    return echo | {"synonym": synonym.upper() == "TRUE"}


def wants_json(asked: Asked) -> bool:
    named = asked.get("format").lower()
    return named == "json" or (not named and "json" in asked.headers.get("accept", ""))


def unacceptable(asked: Asked) -> bool:
    """An Accept header that allows neither JSON nor XML: the service answers its version and nothing else."""
    accept = asked.headers.get("accept", "*/*")
    return not any(part in accept for part in ("*/*", "application/*", "json", "xml"))


def stub(asked: Asked) -> Reply:
    """What the service says under load, for a bad sort or cursor, or a bad Accept header: HTTP 200, nothing in it."""
    return Reply.json({"version": "6.10"}, 200, "application/json;charset=UTF-8")


def not_found(asked: Asked) -> Reply:
    body = {
        "timestamp": 1790000000000,
        "status": 404,
        "error": "Not Found",
        "path": "/europepmc/webservices/rest/" + asked.path,
    }
    return Reply.json(body, 404, "application/json;charset=UTF-8")


def formatted(asked: Asked, body: dict[str, Any]) -> Reply:
    if wants_json(asked):
        return Reply.json(body, 200, "application/json;charset=UTF-8")
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    names = 'xmlns:slx="http://www.scholix.org" xmlns:epmc="https://www.europepmc.org/data"'
    xml = f"{head}<responseWrapper {names}>{_xml(body)}</responseWrapper>"
    return Reply(xml.encode(), 200, "application/xml;charset=UTF-8")


def _xml(value: Any) -> str:
    if isinstance(value, dict):
        return "".join(
            "".join(f"<{name}>{_xml(item)}</{name}>" for item in (inner if isinstance(inner, list) else [inner]))
            for name, inner in value.items()
        )
    return escape(str(value).lower() if isinstance(value, bool) else str(value))
