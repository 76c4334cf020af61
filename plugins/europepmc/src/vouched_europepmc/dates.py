"""Dates as Europe PMC writes them; 0 and blanks are its way to say that nothing is known."""

import re
from typing import Any

from vouched.api import Date, Locator

__all__ = ["iso_date", "issue_date", "locator"]

_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTHS = {name: number for number, name in enumerate(_NAMES, start=1)}
_ISO = re.compile(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?")
_LITERAL = re.compile(
    r"(?P<year>\d{4})(?:\s+(?P<month>[A-Za-z]{3})[a-z]*)?(?:\s+(?P<day>\d{1,2}))?"
    r"(?:\s*[-–]\s*(?:(?P<end_year>\d{4})\s*)?(?P<end_month>[A-Za-z]{3})?[a-z]*(?:\s*(?P<end_day>\d{1,2}))?)?"
)
_SEASON = re.compile(r"\b(?:spring|summer|autumn|fall|winter)(?:\s*-\s*(?:spring|summer|autumn|fall|winter))?\b", re.I)
_RANGE = re.compile(r"([A-Za-z]*\d+[A-Za-z]*)\s*[-–]\s*([A-Za-z]*\d+[A-Za-z]*)")
_NUMBERED = re.compile(r"[A-Za-z]{1,3}\d{4,}|\d{6,}|[a-z]+\.[a-z]?\d{4}\.\d+|\d+(?:\.\d+)+")


def iso_date(text: str | None) -> Date:
    """`2013`, `2013-01` or `2013-01-31` as a date; an empty date for anything else."""
    found = _ISO.fullmatch((text or "").strip())
    if not found:
        return Date()
    month = int(found[2]) if found[2] and 1 <= int(found[2]) <= 12 else None
    day = int(found[3]) if month and found[3] and 1 <= int(found[3]) <= 31 else None
    return Date(year=int(found[1]), month=month, day=day, precision="day" if day else "month" if month else "year")


def issue_date(literal: str | None, year: Any, month: Any) -> Date:
    """The date of the issue from `dateOfPublication` ("2013 Jan", "2025 Jul-Aug", " "), its year and its month.

    `printPublicationDate` is not read: its day is always 1, which nobody printed.
    """
    text = " ".join((literal or "").split())
    known_year = _number(year, 1000, 9999)
    known_month = _number(month, 1, 12)
    if season := _SEASON.search(text):
        return Date(literal=text, year=known_year or _year(text), season=season[0], precision="season")
    found = _LITERAL.fullmatch(text)
    if found and (found["end_month"] or found["end_year"] or found["end_day"]):
        return _range(text, found)
    if found:
        known_year = known_year or int(found["year"])
        known_month = known_month or MONTHS.get((found["month"] or "").lower())
        day = _number(found["day"], 1, 31) if known_month else None
        return Date(text, known_year, known_month, day, precision="day" if day else "month" if known_month else "year")
    known_year = known_year or _year(text)
    if known_year is None:
        return Date(literal=text)
    return Date(text, known_year, known_month, precision="month" if known_month else "year")


def _range(text: str, found: "re.Match[str]") -> Date:
    month = MONTHS.get((found["month"] or "").lower())
    end_month = MONTHS.get((found["end_month"] or "").lower(), month if found["end_day"] else None)
    return Date(
        text,
        int(found["year"]),
        month,
        _number(found["day"], 1, 31),
        end_year=_number(found["end_year"], 1000, 9999),
        end_month=end_month,
        end_day=_number(found["end_day"], 1, 31),
        precision="range",
    )


def _number(value: Any, least: int, most: int) -> int | None:
    try:
        number = int(value)
    except (TypeError, ValueError):
        return None
    return number if least <= number <= most else None


def _year(text: str) -> int | None:
    found = re.search(r"\b(1[5-9]|20)\d{2}\b", text)
    return int(found[0]) if found else None


def locator(text: str | None) -> Locator:
    """Pages or article number from `pageInfo`; the text stays as recorded."""
    recorded = " ".join((text or "").split())
    if not recorded:
        return Locator()
    head = re.split(r"[;,]", recorded)[0].strip()
    if found := _RANGE.fullmatch(head):
        return Locator(recorded, "list" if "," in recorded else "range", found[1], found[2])
    if "," in recorded:
        return Locator(recorded, "list", head)
    if _NUMBERED.fullmatch(recorded):
        return Locator(recorded, "article_number", recorded, guessed=True)
    return Locator(recorded, "single", recorded)
