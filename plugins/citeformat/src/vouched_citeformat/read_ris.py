"""RIS files -> references, by rispy, record by record, so that one damaged record costs no other."""

import re
from collections.abc import Iterator
from typing import Any

from vouched.api import ParsedReference

from vouched_citeformat.read_common import ids_in, reference

__all__ = ["read"]

# Programs differ in the blanks around a tag's hyphen; the format has two before it and one after.
_BEGIN = re.compile(r"[ \t]*TY[ \t]*-[ \t]?\S")
_END = re.compile(r"[ \t]*ER[ \t]*-[ \t]*$")
_STRICT = re.compile(r"TY {2}- ")
_TAG = re.compile(r"^[ \t]*([A-Z][A-Z0-9])[ \t]*-[ \t]?", re.MULTILINE)
_KINDS = {
    "JOUR": "article",
    "EJOUR": "article",
    "MGZN": "article",
    "UNPB": "preprint",
    "CHAP": "chapter",
    "ECHAP": "chapter",
    "BOOK": "book",
    "EBOOK": "book",
}
_NLM = re.compile(r"pubmed|medline|\bnlm\b", re.IGNORECASE)
_YEAR = re.compile(r"\d{4}")


def read(text: str) -> Iterator[ParsedReference]:
    """Each record; one that cannot be read comes with its `text` and no fields."""
    import rispy

    for position, body in enumerate(_bodies(text), 1):
        try:
            entries = rispy.loads(f"{_strict(body)}\nER  - \n") if _BEGIN.match(body) else []
        except (OSError, ValueError, KeyError, IndexError):
            entries = []
        if entries:
            yield _reference(entries[0], position)
        else:
            yield reference(position, ids={}, fields={}, authors=(), text=body[:2_000])


def _bodies(text: str) -> Iterator[str]:
    """Each record without its end. A type begins one, whether or not the record before was ended.

    Lines before the first record that have no tag are a note about the file; anywhere else they are a damaged record.
    """
    bodies: list[list[str]] = [[]]
    for line in text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        begins, ends = _BEGIN.match(line), _END.match(line)
        if begins or ends:
            bodies.append([])
        if not ends:
            bodies[-1].append(line)
    for number, lines in enumerate(bodies):
        body = "\n".join(lines).strip("\ufeff\n ")
        if body and (number or _TAG.search(body)):
            yield body


def _strict(body: str) -> str:
    """The record with its tags as the format has them. One that keeps to the format stays as it is: its texts may have
    lines that look like careless tags."""
    return body if _STRICT.match(body) else _TAG.sub(r"\1  - ", body)


def _reference(entry: dict[str, Any], position: int) -> ParsedReference:
    def first(*names: str) -> str:
        return next((str(entry[name]) for name in names if entry.get(name)), "")

    links = [*entry.get("urls", ()), *entry.get("notes", ()), first("note"), first("custom2")]
    accession = first("accession_number")
    # An accession number is a PMID only where the record says whose number it is.
    known = _NLM.search(" ".join([*links, first("name_of_database"), first("database_provider")]))
    named = {"doi": first("doi"), "pmid": accession if known and accession.isdigit() else ""}
    pages = first("start_page")
    if (end := first("end_page")) and end != pages:
        pages = f"{pages}-{end}" if pages else end
    year = _YEAR.search(first("year", "publication_year", "date"))
    return reference(
        position,
        ids=ids_in(named, links),
        fields={
            "title": first("title", "primary_title"),
            "journal": first(
                "secondary_title", "journal_name", "alternate_title3", "alternate_title1", "alternate_title2"
            ),
            "year": year[0] if year else "",
            "volume": first("volume"),
            "issue": first("number"),
            "pages": pages or first("custom7"),
            "kind": _KINDS.get(first("type_of_reference"), first("type_of_reference").lower()),
            "publisher": first("publisher"),
            "issn": first("issn"),
        },
        authors=[name.rstrip(", ") for name in entry.get("authors") or entry.get("first_authors") or ()],
        key=first("id", "label"),
    )
