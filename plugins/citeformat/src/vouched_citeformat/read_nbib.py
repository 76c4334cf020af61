"""NBIB (MEDLINE display format) -> references. The format is simple and PubMed's own, so the reader is ours."""

import re
from collections.abc import Iterator

from vouched.api import ParsedReference

from vouched_citeformat.read_common import ids_in, reference

__all__ = ["read", "records"]

_TAG = re.compile(r"([A-Z]{2,4}) {0,2}- ?(.*)")
_ID = re.compile(r"(.+?)\s*\[(doi|pii)\]$")
Tags = list[tuple[str, str]]
# Tags that a record has once, whatever else it has.
_ONCE = frozenset(("PMID", "TI", "BTI", "DP", "STAT", "OWN", "SO"))


def records(text: str) -> Iterator[Tags]:
    """Each record as (tag, value) in order, continued lines joined.

    A further PMID begins the next one, and so does what follows an empty line and has a tag again that a record has
    once: an empty line alone may stand within a record.
    """
    tags: Tags = []
    for block in _blocks(text):
        once = {tag for tag, _ in block} & _ONCE
        if not once.isdisjoint(tag for tag, _ in tags):
            yield tags
            tags = []
        tags += block
    if tags:
        yield tags


def _blocks(text: str) -> Iterator[Tags]:
    """Lines with a tag between empty lines and before a further PMID."""
    tags: Tags = []
    for raw in text.lstrip("\ufeff").splitlines():
        found = _TAG.match(raw) if raw[:1] not in (" ", "\t") else None
        if tags and (not raw.strip() or (found and found[1] == "PMID")):
            yield tags
            tags = []
        if found:
            tags.append((found[1], found[2].strip()))
        elif raw.strip() and tags:
            tag, value = tags[-1]
            tags[-1] = (tag, f"{value} {raw.strip()}")
    if tags:
        yield tags


def read(text: str) -> Iterator[ParsedReference]:
    """Each record as a reference."""
    for position, tags in enumerate(records(text), 1):
        yield _reference(tags, position)


def _reference(tags: Tags, position: int) -> ParsedReference:
    def values(tag: str) -> list[str]:
        return [value for name, value in tags if name == tag and value]

    def first(*names: str) -> str:
        return next((value for name in names for value in values(name)), "")

    named = {"pmid": first("PMID"), "pmcid": first("PMC")}
    numbers = [found for value in (*values("AID"), *values("LID")) if (found := _ID.match(value))]
    named["doi"] = next((found[1] for found in numbers if found[2] == "doi"), "")
    article_number = next((found[1] for found in numbers if found[2] == "pii" and found[1].isalnum()), "")
    kind = _kind(values("PT"), first("TI"), first("BTI"))
    return reference(
        position,
        ids=ids_in(named, ()),
        fields={
            "title": first("TI", "TT", "BTI").removesuffix("."),
            "journal": first("JT", "TA", "BTI" if kind == "chapter" else ""),
            "year": next(iter(re.findall(r"\d{4}", first("DP", "DEP"))), ""),
            "volume": first("VI"),
            "issue": first("IP"),
            "pages": first("PG") or article_number,
            "kind": kind,
            "publisher": first("PB"),
            "issn": first("IS").partition(" ")[0],
        },
        authors=_authors(tags),
        key=first("PMID"),
    )


def _kind(types: list[str], title: str, book: str) -> str:
    if "Preprint" in types:
        return "preprint"
    if not book:
        return "article"
    return "book" if book == title.removesuffix(".") else "chapter"


def _authors(tags: Tags) -> list[str]:
    """FAU where there is one, else AU; a group (CN) keeps its place."""
    full = any(tag == "FAU" for tag, _ in tags)
    return [value for tag, value in tags if tag == ("FAU" if full else "AU") or tag == "CN"]
