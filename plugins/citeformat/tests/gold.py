"""The gold set's records as articles, and how its texts are compared."""

import json
import os
import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import pytest
from vouched.api import (
    Article,
    Author,
    Book,
    Date,
    ELocation,
    Journal,
    Keyword,
    Locator,
    MeshHeading,
    Notice,
    PublicationType,
    assess,
)

ROOT = Path(__file__).parents[3]
_TAG = re.compile(r"(</?(?:i|b|sub|sup)>)")


def shared() -> Path:
    """The folder of the corpus and the gold set."""
    return Path(os.environ.get("VOUCHED_SHARED") or ROOT.parent / "shared")


@cache
def load(name: str) -> list[dict[str, Any]]:
    """The items of one gold file, [] where the corpus is not there."""
    path = shared() / "gold" / name
    return json.loads(path.read_text("utf-8"))["items"] if path.is_file() else []


def needed(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """`items`, or a skip with its reason."""
    if not items:
        pytest.skip("the gold set is not here (VOUCHED_SHARED)")
    return items


def record(item_id: str) -> Article:
    """The gold item `item_id` as an article."""
    return next(article(item["record"]) for item in needed(load("citations.json")) if item["id"] == item_id)


def normal(text: str) -> str:
    """The gold set's comparison: NFC, curly = straight quotes, no-break = plain space, white space collapsed."""
    text = unicodedata.normalize("NFC", text).translate(_SAME)
    return " ".join(text.split(" ")) if "\n" in text else " ".join(text.split())


_SAME = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " ", "\u202f": " "})


def article(record: Mapping[str, Any]) -> Article:
    """The gold set's `record` as an Article."""
    plain, markup = title(record.get("title") or "")
    kind = record["kind"]
    types = [PublicationType(name) for name in record.get("pubtypes") or ()]
    preprint = any(type_.name == "Preprint" for type_ in types)
    notices = [notice(linked) for linked in record.get("cc") or ()]
    return Article(
        ids=ids(record),
        kind="preprint" if preprint else kind,
        title=plain,
        title_markup=markup,
        vernacular_title=record.get("vtitle") or "",
        languages=list(record.get("langs") or ()),
        authors=[author(person) for person in record.get("authors") or ()],
        editors=[author(person) for person in record.get("editors") or ()],
        authors_complete=record.get("complete") != "N",
        journal=journal(record),
        book=book(record) if kind in ("chapter", "book") else None,
        volume=record.get("volume") or "",
        issue=record.get("issue") or "",
        locator=Locator(text=record.get("pages") or "", start=record.get("start") or "", end=record.get("end") or ""),
        e_locations=[ELocation(type_, value) for type_, value in record.get("eloc") or () if type_],
        date=date(record.get("date")),
        electronic_date=date(record.get("edate")),
        contribution_date=date(record.get("contrib")),
        revision_date=date(record.get("revised")),
        publication_model=record.get("pubmodel") or "",
        publication_status=record.get("status") or "",
        types=types,
        keywords=[Keyword(term) for term in record.get("keywords") or ()],
        mesh=[MeshHeading(name) for name in record.get("mesh") or ()],
        notices=notices,
        status=assess([(type_.name, "") for type_ in types], notices, plain, source="gold", is_preprint=preprint),
        source="gold",
        retrieved_at="2026-11-30T00:00:00Z",
    )


def title(text: str) -> tuple[str, str]:
    """A title with `<i>`-like tags and bare `<`, `&` -> plain title with its full stop, and escaped markup."""
    if text and not text.endswith(("?", "!")):
        text += "."
    pieces = _TAG.split(text)
    plain = "".join(piece for n, piece in enumerate(pieces) if n % 2 == 0)
    if len(pieces) == 1:
        return plain, ""
    return plain, "".join(piece if n % 2 else escape(piece, quote=False) for n, piece in enumerate(pieces))


def ids(record: Mapping[str, Any]) -> dict[str, str]:
    found = {name: record[name] for name in ("pmid", "pmcid", "doi", "pii", "nbk") if record.get(name)}
    if found.get("pmid", "").startswith("PPR"):
        found["ppr"] = found.pop("pmid")
    return found


def author(person: Mapping[str, str]) -> Author:
    if "literal" in person:
        return Author(collective=person["literal"])
    return Author(
        family=person.get("family", ""),
        given=person.get("given", ""),
        initials=person.get("initials", ""),
        suffix=person.get("suffix", ""),
    )


def journal(record: Mapping[str, Any]) -> Journal:
    """The gold set counts an ISSN of unknown medium as the printed one."""
    issn = record.get("issn") or ""
    electronic = record.get("issn_type") == "Electronic"
    return Journal(
        title=record.get("journal") or "",
        abbreviation=record.get("ta") or "",
        iso_abbreviation=record.get("iso") or "",
        issn=issn,
        issn_print="" if electronic else issn,
        issn_electronic=issn if electronic else "",
        nlm_id=record.get("nlmid") or "",
        country=record.get("country") or "",
    )


def book(record: Mapping[str, Any]) -> Book:
    plain, markup = title(record.get("booktitle") or "")
    return Book(
        title=plain.removesuffix("."),
        title_markup=markup.removesuffix("."),
        authors=[author(person) for person in record.get("bookauthors") or ()],
        publisher=record.get("publisher") or "",
        place=record.get("place") or "",
        edition=record.get("edition") or "",
        isbn=list(record.get("isbn") or ()),
        medium=record.get("medium") or "",
        date=date(record.get("date")),
        begin_date=date(record.get("begin")),
        end_date=date(record.get("end")),
    )


def date(parts: Mapping[str, Any] | None) -> Date:
    """The gold set numbers a season; the article names it, as the literal does."""
    parts = parts or {}
    literal = parts.get("literal") or ""
    season = literal.partition(" ")[2] if parts.get("season") else ""
    return Date(
        literal=literal,
        year=parts.get("year"),
        month=parts.get("month"),
        day=parts.get("day"),
        end_year=parts.get("end_year"),
        end_month=parts.get("end_month"),
        season=season,
    )


def notice(linked: Mapping[str, Any]) -> Notice:
    ids = {"pmid": linked["pmid"]} if linked.get("pmid") else {}
    return Notice(linked["type"], linked.get("source") or "", ids, linked.get("note") or "")
