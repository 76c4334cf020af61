"""What can be told of a record only when all of it has been read: its own ids, its kind, the first affiliation."""

import re

import msgspec
from vouched.api import canonical

from vouched_pubmed.efetch_draft import Draft

__all__ = ["finish_affiliation", "finish_book", "finish_preprint", "gather_ids", "is_preprint"]

PREPRINT_UI = "D000076942"
_PREPRINT_VERSION = re.compile(r"[/.]v(\d{1,3})$", re.IGNORECASE)


def _same(scheme: str, one: str, other: str) -> bool:
    return one == other or (scheme == "doi" and one.lower() == other.lower())


# The schemes that are brought into canonical form, and how nearly all of them are written already.
_NUMBERED = {
    "pmid": re.compile(r"[1-9][0-9]*"),
    "pmcid": re.compile(r"PMC[1-9][0-9]{0,9}"),
    "nbk": re.compile(r"NBK[1-9][0-9]{0,9}"),
}


def _normal(scheme: str, written: str) -> str:
    """PMIDs, PMCIDs and Bookshelf numbers in canonical form, "" for what is none; anything else as it is."""
    usual = _NUMBERED.get(scheme)
    if usual is None or usual.fullmatch(written):
        return written
    known = canonical(scheme, written)
    return known.value if known else ""


def gather_ids(draft: Draft) -> tuple[dict[str, str], dict[str, list[str]]]:
    """The first value of every scheme, and further ones that differ. PMCIDs are normalised, empty values dropped."""
    ids: dict[str, str] = {"pmid": draft.pmid} if draft.pmid else {}
    also: dict[str, list[str]] = {}
    for scheme, written in draft.pairs:
        value = _normal(scheme, written)
        if not value:
            continue
        if scheme not in ids:
            ids[scheme] = value
        elif not _same(scheme, ids[scheme], value) and value not in also.get(scheme, ()):
            also.setdefault(scheme, []).append(value)
    return ids, also


def finish_book(draft: Draft, ids: dict[str, str], also: dict[str, list[str]]) -> None:
    """A chapter has a title of its own; a book takes the book's, with its authors and date."""
    fields = draft.fields
    book = fields["book"]
    if fields.get("title"):
        fields["kind"] = "chapter"
    else:
        fields["kind"] = "book"
        fields["title"], fields["title_markup"], fields["date"] = book.title, book.title_markup, book.date
        if not fields.get("authors"):
            fields["authors"] = book.authors
    for scheme in [name for name in ids if name.startswith("book_")]:
        # A chapter never borrows the identifier of its book.
        values = [ids.pop(scheme), *also.pop(scheme, [])]
        if fields["kind"] == "book" and scheme[5:] not in ids:
            ids[scheme[5:]] = values.pop(0)
        if values:
            also[scheme] = values


def is_preprint(draft: Draft) -> bool:
    """By the type's MeSH UI, or by its exact name where there is no UI."""
    types = draft.fields.get("types", ())
    return any(kind.ui == PREPRINT_UI or (not kind.ui and kind.name == "Preprint") for kind in types)


def finish_preprint(draft: Draft, ids: dict[str, str]) -> None:
    """The server is the journal; the version is the one that the record's own DOI ends in."""
    journal = draft.fields.get("journal", {})
    draft.fields["kind"] = "preprint"
    draft.fields["preprint_server"] = journal.get("abbreviation") or journal.get("title", "")
    version = _PREPRINT_VERSION.search(ids.get("doi", ""))
    if version:
        draft.fields["preprint_version"] = version[1]


def finish_affiliation(draft: Draft) -> None:
    """Before 2015 a record had one affiliation, the first author's."""
    if draft.first_affiliation:
        authors = draft.fields.get("authors")
        if authors and not authors[0].affiliations:
            authors[0] = msgspec.structs.replace(authors[0], affiliations=[draft.first_affiliation])
