"""The EFetch reader: a set of PubMed records, or a file of many, to neutral records. One pass, no DTD, no entity."""

import gc
import gzip
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

import msgspec
from vouched.api import Article, UpstreamInvalid

from vouched_pubmed.efetch_record import SOURCE, read_record

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["EFetchSet", "Problem", "iter_articles", "read_articles"]

_RECORDS = ("PubmedArticle", "PubmedBookArticle")
_DELETED = ("DeleteCitation", "DeleteDocument")
# Above this, a body is parsed under libxml2's own limits (10 MB a text, 256 levels) again.
MAX_HUGE = 96_000_000
_ENCODING = re.compile(rb"""^\s*<\?xml[^>]*encoding\s*=\s*["']([A-Za-z0-9._-]+)""")
_PLAIN_ENCODINGS = frozenset({b"utf-8", b"us-ascii", b"ascii", b"iso-8859-1"})
# Everything before the root element, where a DOCTYPE has no subset of its own that could declare an entity.
_PLAIN_PROLOG = re.compile(
    rb"""(?:\xef\xbb\xbf)?(?:\s|<\?.*?\?>|<!--.*?-->|<!DOCTYPE(?:[^>\["']|"[^"]*"|'[^']*')*>)*<[A-Za-z]""", re.DOTALL
)
_UNAVAILABLE = re.compile(rb"\bPMID is not available:\s*(\d{1,10})")


class Problem(msgspec.Struct, omit_defaults=True, frozen=True):
    """Something about a record that its reader must know: its PMID ("" where unknown) and one sentence.

    `unread` marks a record that could not be read at all.
    """

    pmid: str
    text: str
    unread: bool = False


class EFetchSet(msgspec.Struct, omit_defaults=True, frozen=True):
    """What one EFetch answer holds.

    Attributes:
        articles: in the order of the answer, one for each PMID: of several versions the newest, which names the others.
        deleted: PMIDs that the answer itself calls deleted.
        unavailable: PMIDs that the answer itself calls unavailable.
        problems: records that could not be read, placeholders that were dropped.
    """

    articles: list[Article] = []
    deleted: list[str] = []
    unavailable: list[str] = []
    problems: list[Problem] = []


@contextmanager
def _without_cycle_search() -> Iterator[None]:
    """The cyclic collector off for a batch, which makes hundreds of thousands of objects and not one cycle.

    Looking for cycles among them again and again takes a fifth of the time. Two overlapping batches are harmless: the
    one that turned the collector off turns it on again.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            # To the permanent generation and back to the oldest: where lasting objects end up anyway, without a search
            # through all of them at the next allocation.
            if gc.get_freeze_count() == 0:
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def _parser_options(huge: bool) -> dict[str, Any]:
    return {
        "resolve_entities": False,
        "no_network": True,
        "load_dtd": False,
        "remove_comments": True,
        "remove_pis": True,
        "collect_ids": False,
        "huge_tree": huge,
    }


def _may_be_huge(body: bytes) -> bool:
    """Whether libxml2's limits may be lifted: not for a document that declares entities, nor in an encoding that could
    hide the declaration, for these limits are what stops an expansion."""
    named = _ENCODING.match(body)
    readable = not named or named[1].lower() in _PLAIN_ENCODINGS
    return len(body) <= MAX_HUGE and readable and _PLAIN_PROLOG.match(body) is not None


def _parse(body: bytes) -> "_Element":
    from lxml import etree

    try:
        root = etree.fromstring(body, etree.XMLParser(**_parser_options(_may_be_huge(body))))
    except (etree.XMLSyntaxError, ValueError) as error:
        # The parser's message may quote the body; its kind and line say enough.
        line = getattr(error, "lineno", None)
        raise UpstreamInvalid(
            f"PubMed answered XML that is cut off or damaged{f' (line {line})' if line else ''}.",
            source="eutils",
            hint="Ask again; if it stays so, ask for fewer records at once to find the one.",
        ) from None
    return root


def _read(node: "_Element", retrieved_at: str) -> Article | Problem:
    try:
        return read_record(node, retrieved_at)
    except Exception as error:  # one record that cannot be read must not take the rest of the batch with it
        pmid = node.findtext("MedlineCitation/PMID") or node.findtext("BookDocument/PMID") or ""
        reason = str(error) if isinstance(error, ValueError) else type(error).__name__
        return Problem(pmid.strip(), f"This record could not be read: {reason}.", unread=True)


def _placeholders(article: Article) -> Iterator[Problem]:
    for name, value in article.dates_recorded.items():
        if name.startswith("placeholder "):
            field = name.removeprefix("placeholder ").replace("_", " ")
            yield Problem(article.ids.get("pmid", ""), f"The {field} {value} is a placeholder and was left out.")


def _version(article: Article) -> tuple[int, str]:
    text = article.version or "1"
    return (int(text) if text.isdigit() else 0, text)


def _newest(versions: list[Article]) -> Article:
    newest = max(versions, key=_version)
    others = sorted({_version(article) for article in versions} - {_version(newest)})
    if not others:
        return newest
    return msgspec.structs.replace(newest, version=_version(newest)[1], other_versions=[text for _, text in others])


def _one_a_pmid(articles: list[Article]) -> list[Article]:
    by_pmid: dict[str, list[Article]] = {}
    for position, article in enumerate(articles):
        by_pmid.setdefault(article.ids.get("pmid") or f"#{position}", []).append(article)
    if len(by_pmid) == len(articles):
        return articles
    return [_newest(group) if len(group) > 1 else group[0] for group in by_pmid.values()]


def _pmids(node: "_Element") -> list[str]:
    return [child.text.strip() for child in node if child.tag == "PMID" and child.text]


def read_articles(body: bytes, *, retrieved_at: str = "") -> EFetchSet:
    """Read the body of an EFetch answer for db=pubmed.

    Args:
        body: raw bytes; a PubmedArticleSet, or a single PubmedArticle or PubmedBookArticle.
        retrieved_at: UTC, ISO 8601, kept in every record and its status.

    Raises:
        Fault: of the upstream kinds, for an error in disguise, damaged XML or something that is no PubMed set.
    """
    from vouched_pubmed.errors import check_body

    if body.lstrip()[:1] != b"<" and (named := _UNAVAILABLE.findall(body)):
        return EFetchSet(unavailable=[pmid.decode() for pmid in named])
    check_body(body)
    root = _parse(body)
    if root.tag not in ("PubmedArticleSet", "PubmedBookArticleSet", *_RECORDS):
        raise UpstreamInvalid("PubMed answered something that is not a set of records.", source="eutils")
    articles: list[Article] = []
    deleted: list[str] = []
    problems: list[Problem] = []
    with _without_cycle_search():
        for node in (root,) if root.tag in _RECORDS else root:
            if node.tag in _RECORDS:
                read = _read(node, retrieved_at)
                # Still in the processor's cache: the whole tree, freed at the end, takes a few hundredths longer.
                node.clear()
                if isinstance(read, Article):
                    articles.append(read)
                else:
                    problems.append(read)
            elif node.tag in _DELETED:
                deleted.extend(_pmids(node))
    for article in articles:
        problems.extend(_placeholders(article))
    unavailable = [pmid.decode() for pmid in _UNAVAILABLE.findall(body)] if not articles else []
    return EFetchSet(_one_a_pmid(articles), deleted, unavailable, problems)


def iter_articles(source: str | Path | IO[bytes], *, retrieved_at: str = "") -> Iterator[Article | Problem]:
    """Stream the records of a file (plain or `.gz`), in constant memory; a record that cannot be read is a `Problem`.

    Neighbours with one PMID are versions of one record: the newest is given, and names the others.

    Raises:
        UpstreamInvalid: when the file is damaged; what was read before it has been given.
        OSError: when it cannot be opened.
    """
    if isinstance(source, str | Path):
        path = Path(source)
        with path.open("rb") as stream:
            packed = path.suffix == ".gz"
            yield from _stream(cast("IO[bytes]", gzip.GzipFile(fileobj=stream)) if packed else stream, retrieved_at)
    else:
        yield from _stream(source, retrieved_at)


def _stream(stream: IO[bytes], retrieved_at: str) -> Iterator[Article | Problem]:
    held: list[Article] = []
    for node in _records(stream):
        read = _read(node, retrieved_at)
        node.clear()
        if isinstance(read, Article) and held and read.ids.get("pmid") == held[0].ids.get("pmid"):
            held.append(read)
            continue
        if held:
            yield _newest(held)
        held = []
        if isinstance(read, Article):
            held = [read]
        else:
            yield read
    if held:
        yield _newest(held)


def _records(stream: IO[bytes]) -> Iterator["_Element"]:
    from lxml import etree

    # Files are the user's own and may be larger than memory, so libxml2's limits stay on: entities can never run away.
    try:
        for _, node in etree.iterparse(stream, events=("end",), tag=_RECORDS, **_parser_options(huge=False)):
            yield node
            parent = node.getparent()
            while parent is not None and node.getprevious() is not None:
                del parent[0]
    except etree.XMLSyntaxError as error:
        raise UpstreamInvalid(
            f"The file is not well-formed XML, or holds a text beyond 10 MB (line {error.lineno}).", source=SOURCE
        ) from None
