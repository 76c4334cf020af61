"""JATS XML -> the neutral full text: sections, tables, figures, references, rights. Nothing is lost or fetched."""

import hashlib
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec
from vouched.api import Access, FullText, Missing, UpstreamInvalid, canonical

from vouched_europepmc import rights
from vouched_europepmc.jats_blocks import Reader
from vouched_europepmc.jats_inline import text_of

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["MAX_BYTES", "TooLarge", "identity", "parse", "read_articles", "read_jats"]

MAX_BYTES = 64_000_000
# libxml2's own limits hold beside it: 256 levels, 10 million characters in one text, bounded entity growth.
LIMIT_ERROR = 114
_SCHEMES = {"pmc": "pmcid", "pmcid": "pmcid", "pmid": "pmid", "doi": "doi", "ppr": "ppr"}
_COMPARED = ("pmcid", "pmid", "doi", "ppr")


class TooLarge(Exception):
    """The document passes a limit of this reader; the sentence says which."""


def read_jats(
    body: bytes,
    *,
    source: str = "europepmc",
    url: str = "",
    retrieved_at: str = "",
    flags: Access | None = None,
) -> FullText | Missing:
    """Read one article.

    Args:
        body: the XML as received: one `article`, or a set of which the first is taken.
        flags: what the record says about access; the statements in the text are added to it.

    Returns:
        The text, or `Missing` with state `no_body` (front matter only), `too_large`, or `not_found`.

    Raises:
        UpstreamInvalid: it is not a whole JATS document (truncated, HTML, an error page).
    """
    found = read_articles(body, source=source, url=url, retrieved_at=retrieved_at, flags=flags)
    return found[0]


def read_articles(
    body: bytes,
    *,
    source: str = "europepmc",
    url: str = "",
    retrieved_at: str = "",
    flags: Access | None = None,
) -> list[FullText | Missing]:
    """Read every article of a document, as `read_jats` does with one."""
    try:
        root = parse(body, source=source)
        articles = _articles(root, source)
        supplied = b"supplied-pmid" in body
        sha256 = hashlib.sha256(body).hexdigest()
        found: list[FullText | Missing] = []
        for node in articles:
            text = _read(node, flags, source, supplied) if node.tag == "article" else _refused(node, source)
            if isinstance(text, FullText):
                text = msgspec.structs.replace(text, sha256=sha256, url=url, retrieved_at=retrieved_at)
            found.append(text)
        return found
    except TooLarge as error:
        return [Missing("too_large", str(error), source=source)]


def parse(body: bytes, *, source: str = "") -> "_Element":
    """Parse without DTD, network or entity expansion. A DOCTYPE is accepted, what it names is never loaded.

    Raises:
        TooLarge: the document passes `MAX_BYTES` or a limit of libxml2.
        UpstreamInvalid: it is not well-formed.
    """
    from lxml import etree

    if len(body) > MAX_BYTES:
        raise TooLarge(f"The text has {len(body):,} bytes, more than the {MAX_BYTES:,} that are read.")
    parser = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False)
    try:
        return etree.fromstring(body, parser)
    except etree.XMLSyntaxError as error:
        message = re.split(r" \(<string>|, use XML_PARSE|, see xml|, try XML", str(error))[0]
        if getattr(error, "code", 0) == LIMIT_ERROR:
            raise TooLarge(f"The text passes a limit of the XML reader: {message}.") from None
        raise UpstreamInvalid(f"The full text is not well-formed XML: {message}.", source=source) from None


def _articles(root: "_Element", source: str) -> "list[_Element]":
    if root.tag.startswith("{") and root.tag.endswith("}article"):
        _without_namespace(root)
    if root.tag == "article":
        return [root]
    found = [node for node in root if node.tag in ("article", "error", "Reply")]
    if root.tag != "pmc-articleset" or not found:
        raise UpstreamInvalid(f"The answer is <{root.tag}>, not a JATS article.", source=source)
    return found


def _without_namespace(root: "_Element") -> None:
    """Some exports put JATS into a default namespace; the names mean the same without it."""
    prefix = root.tag[: root.tag.index("}") + 1]
    for node in root.iter():
        if isinstance(node.tag, str) and node.tag.startswith(prefix):
            node.tag = node.tag[len(prefix) :]


def _refused(node: "_Element", source: str) -> Missing:
    words = text_of(node) or str(node.get("error") or "no reason given")
    return Missing("not_found", f"The source says: {words[:200]}", source=source)


def _read(article: "_Element", flags: Access | None, source: str, supplied: bool) -> FullText | Missing:
    body = article.find("body")
    if body is None or not any(text.strip() for text in body.itertext()):
        return Missing("no_body", _no_body(article), source=source)
    access = rights.access(article, flags)
    reader = Reader(access, supplied=supplied)
    try:
        _parts(article, reader, [])
        for number, other in enumerate(article.iterchildren("sub-article", "response"), 1):
            stub = other.find("front-stub")
            title = other.find(".//title-group/article-title")
            named = text_of(title) if title is not None else f"{str(other.tag).capitalize()} {number}"
            _parts(other, reader, [named], stub)
    except RecursionError:
        raise TooLarge("The text passes a limit of the XML reader: elements nested too deeply.") from None
    meta = article.find("front/article-meta")
    title = None if meta is None else meta.find("title-group/article-title")
    return FullText(
        ids=_ids(meta),
        title=text_of(title) if title is not None else "",
        sections=reader.sections(),
        tables=reader.tables,
        figures=reader.figures,
        references=reader.references,
        access=access,
        source=source,
        version=_version(meta),
        copyright=rights.copyright_line(article),
    )


def _parts(article: "_Element", reader: Reader, path: list[str], stub: "_Element | None" = None) -> None:
    """Abstracts, body, floats and back matter of an article or sub-article, in reading order."""
    front = article.find("front/article-meta") if stub is None else stub
    for abstract in () if front is None else front.iterchildren("abstract", "trans-abstract"):
        reader.abstract(abstract, path)
    top = bool(path)
    for child in article:
        if child.tag == "body":
            reader.top(child, "body", "back" if top else "body", path)
        elif child.tag == "floats-group":
            reader.top(child, "floats", "floats", path)
        elif child.tag == "back":
            reader.top(child, "back", "back", path)


def _no_body(article: "_Element") -> str:
    for node in article.iter():
        if not isinstance(node.tag, str) and "does not allow" in (node.text or ""):
            return f"The file has no body; it says: {' '.join((node.text or '').split())[:200]}"
    parts = [name for name in ("front", "back") if article.find(name) is not None]
    return f"The file has no body text, only {' and '.join(parts) or 'nothing'}."


def _ids(meta: "_Element | None") -> dict[str, str]:
    """The ids that the text itself carries, canonical where the scheme is known."""
    ids: dict[str, str] = {}
    for node in () if meta is None else meta.findall("article-id"):
        scheme = _SCHEMES.get(node.get("pub-id-type") or "")
        value = (node.text or "").strip()
        if scheme == "pmcid" and value and not value.upper().startswith("PMC"):
            value = f"PMC{value}"
        known = canonical(scheme, value) if scheme and value else None
        if scheme and known:
            ids.setdefault(scheme, value if scheme == "doi" else known.value)
    return ids


def _version(meta: "_Element | None") -> str:
    """`1` of `PMC3040717.1`, else the version number or JAV term of `article-version`."""
    if meta is None:
        return ""
    for node in meta.findall("article-id"):
        if node.get("pub-id-type") == "pmcid-ver":
            return (node.text or "").rpartition(".")[2]
    versions = {
        node.get("article-version-type") or "": (node.text or "").strip() for node in meta.iter("article-version")
    }
    return versions.get("pmc-version") or next(iter(versions.values()), "")


def identity(text: FullText, asked: Mapping[str, str]) -> Missing | None:
    """Whether a text is that of the article asked for, by the ids that both carry.

    Args:
        asked: scheme -> value of the record, as `Article.ids`.

    Returns:
        None when at least one id agrees and none differs; `Missing("identity_mismatch")` when one differs;
        `Missing("version_unverified")` when they share no kind of id.
    """
    agreed = False
    for scheme in _COMPARED:
        ours, theirs = (canonical(scheme, ids.get(scheme, "")) for ids in (text.ids, asked))
        if ours is None or theirs is None:
            continue
        if ours != theirs:
            reason = f"The text says it is {ours}, the record asked for is {theirs}."
            return Missing("identity_mismatch", reason, source=text.source)
        agreed = True
    if agreed:
        return None
    return Missing("version_unverified", "The text carries no id that the record has, too.", source=text.source)
