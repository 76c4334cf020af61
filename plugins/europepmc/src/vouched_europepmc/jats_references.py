"""The reference list of a JATS article: exactly one entry per `ref`, fields apart, ids by scheme."""

from typing import TYPE_CHECKING

from vouched.api import Author, Reference, canonical

from vouched_europepmc.jats_citation import printed
from vouched_europepmc.jats_inline import names, raw, text_of

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["read_reference"]

_CITATIONS = names("element-citation mixed-citation nlm-citation citation product")
_FIELDS = {
    "year": "year", "volume": "volume", "issue": "issue", "fpage": "first_page", "lpage": "last_page",
    "elocation-id": "first_page",
}  # fmt: skip
_TITLES = frozenset(("article-title", "chapter-title", "data-title", "part-title"))
_SCHEMES = {"pmc": "pmcid", "medline": "pmid", "pubmed": "pmid"}
# Elements whose words stand in a field, or that are no words of the citation.
_READ = frozenset(
    (*_FIELDS, *_TITLES, "source", "pub-id", "person-group", "name", "string-name", "collab", "etal", "month", "day",
     "object-id", "named-content")
)  # fmt: skip


def read_reference(ref: "_Element", name: str, supplied: bool = True) -> Reference:
    """Read one `ref`; `supplied` says that the document has PMIDs in processing instructions.

    Of `citation-alternatives` the structured form gives the fields and the printed form the text. Several citations
    under one number stay one entry: the first gives the fields, all give the text. `text` is there for printed
    (mixed) citations and wherever the fields alone would lose words.
    """
    label = ""
    citations: list[_Element] = []
    for child in ref:
        if child.tag == "label":
            label = text_of(child)
        elif child.tag == "citation-alternatives":
            citations += [inner for inner in child if inner.tag in _CITATIONS]
        elif isinstance(child.tag, str):
            citations.append(child)
    if not citations:
        return Reference(id=name, label=label, text=text_of(ref) if not len(ref) else "")
    main = next((node for node in citations if node.tag == "element-citation"), citations[0])
    fields = _Fields()
    fields.read(main)
    if supplied and "pmid" not in fields.ids:
        _supplied(ref, fields)
    return Reference(
        id=name,
        label=label,
        authors=fields.authors,
        title=fields.title,
        source=fields.source,
        ids=fields.ids,
        text=_text(citations, fields),
        kind=main.get("publication-type") or main.get("citation-type") or "",
        **fields.plain,
    )


def _text(citations: "list[_Element]", fields: "_Fields") -> str:
    as_printed = [node for node in citations if node.tag != "element-citation"]
    if as_printed or fields.lost or not (fields.title or fields.source) or len(citations) > 1:
        return " ".join(printed(node) for node in as_printed or citations)
    return ""


class _Fields:
    """What one citation element holds, filled in one pass."""

    def __init__(self) -> None:
        self.authors: list[Author] = []
        self.title = self.source = ""
        self.plain: dict[str, str] = {}
        self.ids: dict[str, str] = {}
        self.lost = False

    def read(self, node: "_Element") -> None:
        for child in node:
            tag = child.tag
            if tag == "name":
                self.authors.append(_name(child))
            elif tag == "person-group":
                self.group(child)
            elif tag in _FIELDS:
                self.plain.setdefault(_FIELDS[tag], text_of(child))
            elif tag in _TITLES:
                self.titled(text_of(child))
            elif tag == "source":
                self.source = self.source or text_of(child)
            elif tag == "pub-id":
                self.identify(child.get("pub-id-type") or "", child.text or "")
            elif isinstance(tag, str):
                self.other(tag, child)

    def group(self, node: "_Element") -> None:
        if node.get("person-group-type") in (None, "author", "allauthors"):
            self.people(node)
        else:
            self.lost = True

    def people(self, node: "_Element") -> None:
        for child in node:
            tag = child.tag
            if tag == "name":
                self.authors.append(_name(child))
            elif tag in ("string-name", "collab", "anonymous"):
                self.authors.append(_other_name(child))

    def titled(self, text: str) -> None:
        if self.title and text:
            self.lost = True
        self.title = self.title or text

    def identify(self, scheme: str, value: str) -> None:
        scheme = scheme.strip().lower()
        scheme = _SCHEMES.get(scheme, scheme)
        value = value.strip()
        if not value or not scheme:
            self.lost = self.lost or bool(value)
            return
        if scheme == "pmcid":
            known = canonical("pmcid", value if value.upper().startswith("PMC") else f"PMC{value}")
            value = known.value if known else value
        self.ids.setdefault(scheme, value)

    def other(self, tag: str, child: "_Element") -> None:
        if tag in ("string-name", "collab", "anonymous"):
            self.authors.append(_other_name(child))
        elif tag in ("ext-link", "uri", "comment") and self.linked(child):
            self.lost = True
        elif tag not in _READ:
            self.lost = True
            if tag in ("italic", "bold", "styled-content"):
                self.read(child)

    def linked(self, node: "_Element") -> bool:
        """Take ids out of links; always True: the words of the link stay in the text."""
        for link in node.iter("ext-link", "uri", "pub-id"):
            target = link.get("{http://www.w3.org/1999/xlink}href") or raw(link)
            found = canonical("doi", target.partition("doi.org/")[2] or target) if "10." in target else None
            if link.tag == "pub-id":
                self.identify(link.get("pub-id-type") or "", link.text or "")
            elif found:
                self.ids.setdefault("doi", target.partition("doi.org/")[2] or target)
            elif link.get("ext-link-type") == "pmid":
                self.identify("pmid", target)
        return True


def _name(node: "_Element") -> Author:
    family = given = suffix = ""
    for part in node:
        tag = part.tag
        if tag == "surname":
            family = text_of(part)
        elif tag == "given-names":
            given = text_of(part)
        elif tag == "suffix":
            suffix = text_of(part)
    if suffix:
        return Author(family, given, suffix=suffix)
    return Author(family, given)


def _other_name(node: "_Element") -> Author:
    if node.tag == "string-name":
        if node.find("surname") is not None:
            return _name(node)
        return Author(text_of(node))
    return Author(collective=text_of(node) or "Anonymous")


def _supplied(ref: "_Element", fields: _Fields) -> None:
    """Europe PMC adds PMIDs that it found itself as processing instructions: `<?supplied-pmid 123?>`."""
    for node in ref.iter():
        if not isinstance(node.tag, str) and getattr(node, "target", "") == "supplied-pmid":
            fields.identify("pmid", node.text or "")
            return
