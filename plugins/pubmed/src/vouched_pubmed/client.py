"""The utilities of NCBI E-utilities as typed functions; each reader raises a typed fault on a disguised error."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
from vouched.api import Context, Struct, UpstreamInvalid, UpstreamRejected, clean

from vouched_pubmed.asking import ask
from vouched_pubmed.errors import check_body

__all__ = [
    "MOST_SUMMARIES",
    "REACHABLE",
    "Found",
    "LinkSet",
    "Spelling",
    "efetch",
    "einfo",
    "elink",
    "esearch",
    "espell",
    "esummary",
    "read_einfo",
    "read_elink",
    "read_esearch",
    "read_espell",
    "read_esummary",
]

T = TypeVar("T")

# ESearch gives the first 9,999 records of a PubMed result and no more, whatever retstart and retmax say.
REACHABLE = 9_999
MOST_SUMMARIES = 500  # more than these are refused as JSON


class Found(Struct):
    """A page of an ESearch result.

    Attributes:
        total: hits that the service counts; ids: of this page, in its order.
        translation: the query as PubMed understood it; translations: (words as given, what they became).
        phrases_not_found, fields_not_found: dropped from the query by the service, which answers the rest of it.
        phrases_ignored, quoted_not_found, messages: as the service words them.
        version: of the utility, as it states it.
    """

    total: int
    ids: list[str]
    translation: str = ""
    translations: list[tuple[str, str]] = []
    phrases_not_found: list[str] = []
    fields_not_found: list[str] = []
    phrases_ignored: list[str] = []
    quoted_not_found: list[str] = []
    messages: list[str] = []
    version: str = ""


class LinkSet(Struct):
    """Links of the ids asked together: link name -> ids, in the service's order (the ids themselves may be among them).

    error: what the service said instead of links.
    """

    ids: list[str]
    links: dict[str, list[str]]
    error: str = ""


class Spelling(Struct):
    """Attributes: query as the service read it; corrected, "" when it has nothing to correct."""

    query: str
    corrected: str


def _json(body: bytes) -> dict[str, Any]:
    check_body(body)
    try:
        value = msgspec.json.decode(body)
    except msgspec.DecodeError:
        try:
            # NCBI puts raw line breaks into JSON strings.
            value = json.loads(body, strict=False)
        except ValueError:
            raise UpstreamInvalid("NCBI's answer is not the JSON that was asked for.") from None
    if not isinstance(value, dict):
        raise UpstreamInvalid("NCBI's answer is JSON of another shape than E-utilities have.")
    return value


def _part(value: dict[str, Any], name: str) -> dict[str, Any]:
    part = value.get(name)
    if not isinstance(part, dict):
        raise UpstreamInvalid(f"NCBI's answer has no {name}.")
    return part


def _texts(holder: Any, name: str) -> list[str]:
    """A list of texts under `name`; one element may come as a bare text, and an absent list as nothing."""
    value = holder.get(name) if isinstance(holder, dict) else None
    listed = value if isinstance(value, list) else [value] if value else []
    return [clean(str(item)) for item in listed if isinstance(item, str | int)]


def _number(holder: dict[str, Any], name: str) -> int:
    text = str(holder.get(name, ""))
    if not re.fullmatch(r"[0-9]{1,15}", text):
        raise UpstreamInvalid(f"NCBI's answer has no number in {name}.")
    return int(text)


def read_esearch(body: bytes, *, start: int = 0, size: int = 20) -> Found:
    """Read an ESearch answer (JSON). `start` and `size` are what was asked, to tell an empty page from a broken one.

    Raises:
        UpstreamInvalid: where a count or the list of ids is missing, or hits are counted and none is given.
    """
    result, header = _part(value := _json(body), "esearchresult"), value.get("header")
    errors, warnings = result.get("errorlist"), result.get("warninglist")
    total, ids = _number(result, "count"), _texts(result, "idlist")
    if size and not isinstance(result.get("idlist"), list):
        raise UpstreamInvalid("NCBI's search answer has no list of ids.")
    if size and not ids and start < min(total, REACHABLE):
        raise UpstreamInvalid(f"NCBI counts {total} records and gave none of them.")
    if not all(re.fullmatch(r"[0-9]{1,15}", uid) for uid in ids):
        raise UpstreamInvalid("NCBI's search answer lists something that is not an id.")
    return Found(
        total,
        ids,
        clean(str(result.get("querytranslation") or "")),
        [
            (clean(str(pair.get("from", ""))), clean(str(pair.get("to", ""))))
            for pair in result.get("translationset") or []
            if isinstance(pair, dict)
        ],
        _texts(errors, "phrasesnotfound"),
        _texts(errors, "fieldsnotfound"),
        _texts(warnings, "phrasesignored"),
        _texts(warnings, "quotedphrasesnotfound"),
        _texts(warnings, "outputmessages"),
        clean(str(header.get("version") or "")) if isinstance(header, dict) else "",
    )


def read_esummary(body: bytes) -> dict[str, dict[str, Any]]:
    """Read an ESummary answer (JSON, version 2.0): uid -> document summary; an unknown uid has the key `error`."""
    value = _json(body)
    if value.get("error"):
        raise UpstreamRejected(f"NCBI refused the request for summaries: {clean(str(value['error']))[:200]}")
    result = _part(value, "result")
    return {uid: part for uid, part in result.items() if uid != "uids" and isinstance(part, dict)}


def _xml(body: bytes, root: str) -> Any:
    check_body(body)
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True, remove_comments=True)
    try:
        tree = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError):
        raise UpstreamInvalid("NCBI's answer is not the XML that was asked for, or it is cut off.") from None
    if tree is None or tree.tag != root:
        raise UpstreamInvalid(f"NCBI's answer is XML, but no {root}.")
    return tree


def _text_of(element: Any, path: str) -> str:
    return clean(" ".join((element.findtext(path) or "").split()))


def read_elink(body: bytes) -> list[LinkSet]:
    """Read an ELink answer (XML): one `LinkSet` per set of ids asked together."""
    tree = _xml(body, "eLinkResult")
    if tree.find("ERROR") is not None and _text_of(tree, "ERROR"):
        raise UpstreamInvalid(f"NCBI could not give the links: {_text_of(tree, 'ERROR')[:200]}")
    sets = []
    for part in tree.iterfind("LinkSet"):
        links: dict[str, list[str]] = {}
        for named in part.iterfind("LinkSetDb"):
            found = links.setdefault(_text_of(named, "LinkName"), [])
            found.extend(uid for link in named.iterfind("Link") if (uid := _text_of(link, "Id")))
        ids = [uid for element in part.iterfind("IdList/Id") if (uid := (element.text or "").strip())]
        sets.append(LinkSet(ids, links, _text_of(part, "ERROR")))
    return sets


def read_espell(body: bytes) -> Spelling:
    """Read an ESpell answer (XML). Its `<ERROR/>` is always there and says nothing while it is empty."""
    tree = _xml(body, "eSpellResult")
    if _text_of(tree, "ERROR"):
        raise UpstreamInvalid(f"NCBI could not check the spelling: {_text_of(tree, 'ERROR')[:200]}")
    return Spelling(_text_of(tree, "Query"), _text_of(tree, "CorrectedQuery"))


def read_einfo(body: bytes) -> str:
    """Read an EInfo answer (XML) about one database: its build and when that was last updated."""
    tree = _xml(body, "eInfoResult")
    build, updated = _text_of(tree, "DbInfo/DbBuild"), _text_of(tree, "DbInfo/LastUpdate")
    if not build and not updated:
        raise UpstreamInvalid("NCBI's answer does not say which build of the database it is.")
    return ", last update ".join(part for part in (build, updated) if part)


async def esearch(
    ctx: Context,
    term: str,
    *,
    start: int = 0,
    size: int = 20,
    sort: str | None = None,
    db: str = "pubmed",
    refresh: bool = False,
) -> Found:
    """Search: one page of ids and the total. `size` 0 counts only. Never `start` beyond 9,998 in PubMed."""
    return await ask(
        ctx,
        "esearch.fcgi",
        params={"db": db, "term": term, "retstart": start, "retmax": size, "sort": sort, "retmode": "json"},
        read=lambda body: read_esearch(body, start=start, size=size),
        refresh=refresh,
    )


async def esummary(ctx: Context, ids: Sequence[str], *, db: str = "pubmed") -> dict[str, dict[str, Any]]:
    """Document summaries by uid, in as few requests as the service's limit of 500 allows."""
    found: dict[str, dict[str, Any]] = {}
    for first in range(0, len(ids), MOST_SUMMARIES):
        chunk = ids[first : first + MOST_SUMMARIES]
        found |= await ask(
            ctx,
            "esummary.fcgi",
            params={"db": db, "id": ",".join(chunk), "retmode": "json"},
            read=read_esummary,
        )
    return found


async def einfo(ctx: Context) -> str:
    """Which build of PubMed answers, as NCBI states it."""
    return await ask(ctx, "einfo.fcgi", params={"db": "pubmed"}, media="application/xml", read=read_einfo)


async def elink(ctx: Context, ids: Sequence[str], linkname: str) -> list[LinkSet]:
    """Links of each id by itself (a comma list would give one merged set)."""
    return await ask(
        ctx,
        "elink.fcgi",
        params={"dbfrom": "pubmed", "db": "pubmed", "cmd": "neighbor", "linkname": linkname, "id": list(ids)},
        media="application/xml",
        read=read_elink,
    )


async def espell(ctx: Context, term: str) -> Spelling:
    """Spelling suggestion for a query."""
    return await ask(
        ctx, "espell.fcgi", params={"db": "pubmed", "term": term}, media="application/xml", read=read_espell
    )


async def efetch(ctx: Context, ids: Sequence[str], read: Callable[[bytes], T]) -> T:
    """Full records as XML, handed to `read`; ids that the service does not know are simply absent from it."""
    return await ask(
        ctx,
        "efetch.fcgi",
        params={"db": "pubmed", "id": ",".join(ids), "retmode": "xml"},
        media="application/xml",
        read=read,
    )
