"""Links between records (`CommentsCorrectionsList`): corrections, retractions, comments, updates; both ways."""

import re
from typing import TYPE_CHECKING

from vouched.api import CitedReference, Notice

from vouched_pubmed.efetch_walk import children
from vouched_pubmed.markup import plain

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["dois_in", "read_links"]

_DOI = re.compile(r"\b(10\.\d{4,9}/[^\s;,]+)", re.IGNORECASE)


def dois_in(text: str) -> list[str]:
    """DOIs that a citation text names, sentence punctuation at their ends taken off."""
    found = []
    for match in _DOI.finditer(text):
        doi = match[1].rstrip(".,;:")
        # A bracket that the DOI itself did not open belongs to the sentence.
        while doi and doi[-1] in ")]" and doi.count("(") + doi.count("[") < doi.count(")") + doi.count("]"):
            doi = doi[:-1].rstrip(".,;:")
        found.append(doi)
    return found


def _read_link(node: "_Element") -> Notice:
    source = note = ""
    ids: dict[str, str] = {}
    for child in children(node):
        tag = child.tag
        if tag == "RefSource":
            source = plain(child)
        elif tag == "PMID":
            if child.text:
                ids["pmid"] = child.text.strip()
        elif tag == "Note":
            note = plain(child)
    found = (dois_in(source) if "10." in source else []) or (dois_in(note) if "10." in note else [])
    if found:
        ids["doi"] = found[0]
    return Notice(node.get("RefType", ""), source, ids, note)


def read_links(node: "_Element") -> tuple[list[Notice], list[CitedReference]]:
    """The notices, in the record's order, and the cited works that old records list in the same place (`Cites`)."""
    notices: list[Notice] = []
    cited: list[CitedReference] = []
    for child in children(node):
        link = _read_link(child)
        if link.type == "Cites":
            cited.append(CitedReference(link.source, link.ids))
        else:
            notices.append(link)
    return notices, cited
