"""Dates as NLM records them: parts, seasons, ranges and free text, never filled in.

Forms after the documentation of `PubDate` and `MedlineDate`; months come as `Mar`, `03`, `March` or `Jul-Aug`.
"""

import re
from calendar import monthrange
from functools import lru_cache
from typing import TYPE_CHECKING

from vouched.api import Date

from vouched_pubmed.efetch_walk import children

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["is_placeholder", "read_date", "read_free_date"]

_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTHS: dict[str, int] = {name: number for number, name in enumerate(_NAMES, 1)}
_SEASONS = ("spring", "summer", "autumn", "fall", "winter")
_TOKEN = re.compile(
    r"(?P<year>\b(?:1[5-9]|20)\d\d\b)|(?P<quarter>\b[1-4](?:st|nd|rd|th)\s+(?:quarter|trimester)\b)"
    r"|(?P<word>[A-Za-z]{3,})|(?P<day>\b\d{1,2}\b)|(?P<dash>[-–—/])",
    re.IGNORECASE,
)
_FIRST_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")


def month_number(text: str) -> int | None:
    """`Mar`, `March`, `03` or `3` to 3; None for anything else."""
    if text.isascii() and text.isdigit():
        number = int(text) if len(text) <= 2 else 0
        return number if 1 <= number <= 12 else None
    return MONTHS.get(text[:3].lower()) if text[:3].isalpha() else None


def _day(text: str) -> int | None:
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 2 else 0
    return number if 1 <= number <= 31 else None


def _year(text: str) -> int | None:
    return int(text) if len(text) == 4 and text.isascii() and text.isdigit() and text != "0000" else None


class _Side:
    """One end of a range in free text."""

    def __init__(self) -> None:
        self.year: int | None = None
        self.month: int | None = None
        self.day: int | None = None
        self.season = ""


def _sides(text: str) -> list[_Side]:
    sides = [_Side()]
    for token in _TOKEN.finditer(text):
        side, kind, value = sides[-1], token.lastgroup, token[0]
        if kind == "dash":
            sides.append(_Side())
        elif kind == "year" and side.year is None:
            side.year = int(value)
        elif kind == "quarter" or (kind == "word" and value.lower() in _SEASONS):
            side.season = side.season or value
        elif kind == "word" and side.month is None:
            side.month = month_number(value)
        elif kind == "day" and side.day is None:
            side.day = _day(value)
    return [side for side in sides if side.year or side.month or side.day or side.season]


def read_free_date(text: str) -> Date:
    """`1998 Dec-1999 Jan`, `2018 May - Jun`, `Winter 2017`, `1978-1979`, `2012 1st Quarter`: what can be told from it.

    The first four-digit year is the year; the text itself is kept in `literal`.
    """
    sides = _sides(text)
    found = _FIRST_YEAR.search(text)
    if not sides or not found:
        return Date(literal=text, year=_year(found[0]) if found else None, precision="year" if found else None)
    first, last = sides[0], sides[-1]
    year = first.year or next((side.year for side in sides if side.year), None) or _year(found[0])
    season = "-".join(dict.fromkeys(side.season for side in sides if side.season))
    if first is last:
        known = "day" if first.day and first.month else "month" if first.month else "season" if season else "year"
        day = first.day if first.month else None
        return Date(literal=text, year=year, month=first.month, day=day, season=season, precision=known)  # type: ignore[arg-type]
    # `Dec 15-31`: a month that the second end leaves out is the first one's; `1998 Dec-1999 Jan` names both years.
    end_month = last.month or (first.month if last.day else None)
    end_year = last.year if last.year != year else None
    return Date(
        literal=text,
        year=year,
        month=first.month,
        day=first.day if first.month else None,
        end_year=end_year or (year if end_month or last.day else None),
        end_month=end_month,
        end_day=last.day if end_month else None,
        season=season,
        precision="season" if season and not first.month and not end_year else "range",
    )


def read_date(node: "_Element") -> Date:
    """Read Year/Month/Day/Season/MedlineDate children (`PubDate`, `ArticleDate`, `DateRevised`, `PubMedPubDate` …)."""
    year = month = day = season = None
    for child in children(node):
        tag = child.tag
        if tag == "Year":
            year = child.text
        elif tag == "Month":
            month = child.text
        elif tag == "Day":
            day = child.text
        elif tag == "Season":
            season = child.text
        elif tag == "MedlineDate" and child.text and child.text.strip():
            return read_free_date(" ".join(child.text.split()))
        elif tag == "Hour":
            break  # nothing smaller than a day is kept
    return _from_parts(year, month, day, season)


@lru_cache(maxsize=4096)  # a record names the same few days many times, and so do its neighbours
def _from_parts(*given: str | None) -> Date:
    year, month, day, season = (part.strip() if part else "" for part in given)
    number = _year(year)
    if number is None:
        literal = " ".join(part for part in (year, season, month, day) if part)
        return read_free_date(literal) if literal else Date()
    if season or (month and month_number(month) is None) or "-" in month:
        # `Jul-Aug` as month or season is a range; `Winter-Spring` a season.
        return read_free_date(" ".join(part for part in (year, season, month, day) if part))
    if not month:
        return Date(year=number, precision="year")
    in_month, in_day = month_number(month), _day(day)
    if not day:
        return Date(year=number, month=in_month, precision="month")
    if in_month is None or in_day is None or in_day > monthrange(number, in_month)[1]:
        # `2020 Feb 30`: kept as recorded; no calendar has it.
        return Date(literal=f"{year} {month} {day}", year=number, month=in_month, precision="month")
    return Date(year=number, month=in_month, day=in_day, precision="day")


def is_placeholder(date: Date) -> bool:
    """1900-01-01 stands for "no date" in records that came from elsewhere; nobody published that very day by chance."""
    return date.year == 1900 and date.month == 1 and date.day == 1
