"""Cursors, faults and ids: what the services' own documents and recorded bodies say must happen."""

from collections.abc import Sequence
from typing import Any

from tests.evals.case import Case, World

__all__ = ["cursors", "faults", "ids"]


async def _walk(world: World, tool: str, key: str, **arguments: Any) -> tuple[list[str], int]:
    """Ids of all pages in order, and the number of pages."""
    seen: list[str] = []
    cursor, pages = None, 0
    while True:
        answer = await world.call(tool, **arguments, cursor=cursor)
        seen += [row["id"] for row in answer["data"][key]]
        pages += 1
        cursor = answer.get("next_cursor")
        if not cursor or pages > 400:
            return seen, pages


async def cursors(world: World) -> Sequence[Case]:
    """Pages join to the list that the service holds, end, and are bound to what was asked."""
    cases: list[Case] = []
    for query in ("fictol", "glimmer", "SRC:PPR", "cancer AND OPEN_ACCESS:Y"):
        whole, _ = await _walk(world, "search_literature", "records", query=query, limit=100, abstract="none")
        for limit in (7, 25):
            seen, pages = await _walk(world, "search_literature", "records", query=query, limit=limit, abstract="none")
            right = seen == whole and len(set(seen)) == len(seen) and pages >= -(-len(whole) // limit)
            cases.append(Case(f"search {query} by {limit}", right, f"{len(seen)} of {len(whole)} in {pages} pages"))
    for id_, direction, limit in (
        ("99900006", "citations", 3),
        ("99900006", "citations", 8),
        ("34308300", "references", 10),
    ):
        asked: dict[str, Any] = {"ids": [id_], "direction": direction, "enrich": False}
        whole, _ = await _walk(world, "get_citation_network", "rows", **asked, limit=100)
        seen, pages = await _walk(world, "get_citation_network", "rows", **asked, limit=limit)
        right = seen == whole and pages == -(-len(whole) // limit)
        cases.append(Case(f"{direction} of {id_} by {limit}", right, f"{pages} pages"))
    return cases + await _refused(world)


async def _refused(world: World) -> list[Case]:
    first = await world.call("search_literature", query="fictol", limit=3)
    cursor = first["next_cursor"]
    elsewhere: dict[str, tuple[str, dict[str, Any]]] = {
        "another query": ("search_literature", {"query": "glimmer", "limit": 3}),
        "another page size": ("search_literature", {"query": "fictol", "limit": 4}),
        "another sort": ("search_literature", {"query": "fictol", "limit": 3, "sort": "date"}),
        "another filter": ("search_literature", {"query": "fictol", "limit": 3, "open_access_only": True}),
        "another tool": ("get_citation_network", {"ids": ["99900006"]}),
    }
    cases: list[Case] = []
    for name, (tool, arguments) in elsewhere.items():
        answer = await world.call(tool, **arguments, cursor=cursor)
        cases.append(Case(f"refused with {name}", answer.get("error", {}).get("path") == "cursor"))
    for forged in ("AoE/1+2w==", cursor[:-4], cursor[::-1], "*"):
        answer = await world.call("search_literature", query="fictol", limit=3, cursor=forged)
        cases.append(Case(f"refused: {forged[:12]}…", answer.get("error", {}).get("path") == "cursor"))
    again = await world.call("search_literature", query="fictol", limit=3, cursor=cursor)
    cases.append(Case("accepted where it belongs", again["status"] == "ok"))
    return cases


# (name, where, kind of misbehaviour, its options, tool, arguments, what must come of it)
STUB = {"body": {"version": "6.10"}}
ERR = {"body": {"errCode": 400, "errMsg": "No search criteria provided."}, "status": 400}
SPRING = {"body": {"timestamp": 1, "status": 400, "error": "Bad Request", "message": "between 1 and 8"}, "status": 400}
SEARCH: tuple[str, dict[str, Any]] = ("search_literature", {"query": "fictol"})
TEXT: tuple[str, dict[str, Any]] = ("fetch_article", {"ids": ["99900001"], "include_full_text": True})
CITED: tuple[str, dict[str, Any]] = ("get_citation_network", {"ids": ["99900006"]})
MARKS: tuple[str, dict[str, Any]] = ("get_annotations", {"ids": ["99900001"]})
LINKS: tuple[str, dict[str, Any]] = ("get_database_links", {"ids": ["99900001"]})
FAULTS: Sequence[tuple[str, str, str, dict[str, Any], int | None, tuple[str, dict[str, Any]], str]] = [
    ("one stub is retried", "search", "body", STUB, 1, SEARCH, "ok"),
    ("stubs without end", "search", "body", STUB, None, SEARCH, "upstream_invalid"),
    ("an error object", "search", "body", ERR, None, SEARCH, "upstream_rejected"),
    ("HTTP 400", "search", "status", {"status": 400}, None, SEARCH, "upstream_rejected"),
    ("one HTTP 429", "search", "rate_limited", {"retry_after": 0}, 1, SEARCH, "ok"),
    ("one HTTP 500", "search", "status", {"status": 500}, 1, SEARCH, "ok"),
    ("HTTP 503 without end", "search", "status", {"status": 503}, None, SEARCH, "upstream_unreachable"),
    ("a page of HTML", "search", "html", {}, None, SEARCH, "upstream_invalid"),
    ("a cut body", "search", "truncated", {}, None, SEARCH, "upstream_invalid"),
    ("a cut connection", "search", "cut", {}, 1, SEARCH, "ok"),
    ("an empty body", "search", "body", {"body": b""}, None, SEARCH, "upstream_invalid"),
    ("no text (404)", "*/fullTextXML", "status", {"status": 404}, None, TEXT, "restricted"),
    ("no such format (406)", "*/fullTextXML", "status", {"status": 406}, None, TEXT, "restricted"),
    ("the text service fails", "*/fullTextXML", "status", {"status": 503}, None, TEXT, "partial"),
    ("the text is cut", "*/fullTextXML", "truncated", {}, None, TEXT, "partial"),
    ("no citations (404)", "*/citations", "status", {"status": 404}, None, CITED, "ok"),
    ("citations fail", "*/citations", "status", {"status": 503}, None, CITED, "upstream_unreachable"),
    ("annotations refuse", "annotationsByArticleIds", "body", SPRING, None, MARKS, "upstream_rejected"),
    ("annotations fail", "annotationsByArticleIds", "status", {"status": 502}, None, MARKS, "upstream_unreachable"),
    ("data links fail", "*/datalinks", "status", {"status": 503}, None, LINKS, "partial"),
    # The last: the wait that it asks for holds for every question after it.
    ("HTTP 429 for too long", "search", "rate_limited", {"retry_after": 600}, None, SEARCH, "rate_limited"),
]  # fmt: skip


async def faults(world: World) -> Sequence[Case]:
    """Bodies and statuses as recorded or documented, and what the answer must then be: never an empty success."""
    cases: list[Case] = []
    for name, where, kind, options, times, (tool, arguments), wanted in FAULTS:
        world.fresh()
        world.server.misbehave(where, kind, times=times, **options)
        # A question of its own each time: what is cached is not asked again.
        if "query" in arguments:
            arguments = arguments | {"query": f"fictol OR {kind}{len(cases)}"}
        answer = await world.call(tool, **arguments)
        said = answer["error"]["code"] if answer["status"] == "error" else answer["status"]
        cases.append(Case(name, said == wanted, said))
    return cases


async def ids(world: World) -> Sequence[Case]:
    """Records of the corpus that carry a PMID, a PMCID and a DOI: every spelling leads to the same one."""
    cases: list[Case] = []
    for raw in _triples(world):
        pmid, pmcid, doi = raw["pmid"], raw["pmcid"], raw["doi"]
        spellings = [
            pmid,
            f"PMID: {pmid}",
            f"MED:{pmid}",
            pmcid,
            f"PMCID:{pmcid}",
            doi,
            f"https://doi.org/{doi}",
            doi.upper(),
        ]
        found, _ = await _walk(world, "fetch_article", "rows", ids=spellings)
        cases.append(Case(f"{pmid} {pmcid} {doi}", found == [f"pmid:{pmid}"] * len(spellings), str(set(found))))
    odd = ["0", "abc", "PMC", "10.1234", "", "-5", "1e7"]
    answer = await world.call("fetch_article", ids=[*[one or "?" for one in odd], "PMC9999999999"])
    states = [row["state"] for row in answer["data"]["rows"]]
    cases += [Case(f"bad id {one!r}", state == "invalid", state) for one, state in zip(odd, states, strict=False)]
    cases.append(Case("an id that nothing has", states[-1] == "not_found", states[-1]))
    return cases


def _triples(world: World) -> list[dict[str, Any]]:
    rows = world.json("epmc-search", "pyepmc_search_cancer_core.json")["resultList"]["result"]
    rows += world.json("epmc-search", "pyepmc_cancer_cursor_page01.json")["resultList"]["result"]
    found = {row["pmid"]: row for row in rows if all(row.get(key) for key in ("pmid", "pmcid", "doi"))}
    return list(found.values())[:25]
