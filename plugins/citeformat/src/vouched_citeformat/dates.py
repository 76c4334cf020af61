"""Dates as styles print them. A date is never completed and two dates are never mixed."""

import re

from vouched.api import Article, Date

from vouched_citeformat.markup import line

__all__ = [
    "MACROS",
    "MONTHS",
    "apa_year",
    "cited_date",
    "issue_date",
    "medline_date",
    "mla_date",
    "range_tail",
    "same_day",
]

MONTHS = ("", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MACROS = ("", *(month.lower() for month in MONTHS[1:]))
# MLA 9 appendix 1: May, June and July are written out.
_MLA = ("", "Jan.", "Feb.", "Mar.", "Apr.", "May", "June", "July", "Aug.", "Sept.", "Oct.", "Nov.", "Dec.")
_ISO = re.compile(r"\d{4}-\d{2}(?:-\d{2})?$")


def issue_date(article: Article) -> Date:
    """The date of the issue, and the electronic one only where there is no other."""
    return article.date if article.date.year is not None or article.date.literal else article.electronic_date


def cited_date(article: Article) -> Date:
    """The date that a reference carries: a chapter's last revision, else the issue date, else the book's own."""
    if article.kind == "chapter" and article.revision_date.year is not None:
        return article.revision_date
    date = issue_date(article)
    return article.book.date if date.year is None and article.book else date


def medline_date(date: Date) -> str:
    """`2024 May 23`, `2010 Sep-Oct`, `1998 Dec-1999 Jan`, `1990 Spring`: as recorded, or so from the parts."""
    literal = line(date.literal)
    if literal and not _ISO.fullmatch(literal):
        return literal
    if date.year is None:
        return ""
    start = _parts(date.year, date.season or _month(date.month), date.day)
    if date.season or not (date.end_year or date.end_month or date.end_day):
        return start
    if date.end_year and date.end_year != date.year:
        return f"{start}-{_parts(date.end_year, _month(date.end_month), date.end_day)}"
    if date.end_month and date.end_month != date.month:
        return f"{start}-{_month(date.end_month)}{f' {date.end_day}' if date.end_day else ''}"
    return f"{start}-{date.end_day}" if date.end_day else start


def _parts(year: int, month: str, day: int | None) -> str:
    return " ".join(part for part in (str(year), month, str(day) if month and day else "") if part)


def _month(number: int | None) -> str:
    return MONTHS[number] if number and 1 <= number <= 12 else ""


def apa_year(date: Date) -> str:
    """`2013`, `1998–1999` for an issue across the years, `n.d.` without a year (APA 7 s9.17)."""
    if date.year is None:
        return "n.d."
    return f"{date.year}\u2013{date.end_year}" if date.end_year and date.end_year != date.year else str(date.year)


def mla_date(date: Date, *, with_day: bool = False) -> str:
    """`Feb. 2008`, `Jan.–Mar. 2013`, `Dec. 1998–Jan. 1999`, `winter–spring 2024`; the day only where asked for."""
    if date.year is None:
        return ""
    if date.season:
        return f"{date.season.lower().replace('-', chr(0x2013))} {date.year}"
    month = _MLA[date.month] if date.month and 1 <= date.month <= 12 else ""
    end = _MLA[date.end_month] if date.end_month and 1 <= date.end_month <= 12 else ""
    if date.end_year and date.end_year != date.year:
        start = f"{month} {date.year}".strip()
        return f"{start}\u2013{f'{end} {date.end_year}'.strip()}"
    if month and end and end != month:
        return f"{month}\u2013{end} {date.year}"
    day = f"{date.day} " if with_day and month and date.day else ""
    return f"{day}{month} {date.year}" if month else str(date.year)


def range_tail(date: Date) -> str:
    """What RIS puts after the third slash: a season or a range in words, "" for a plain date."""
    if not (date.season or date.end_year or date.end_month or date.end_day):
        return ""
    return medline_date(date).removeprefix(str(date.year)).strip(" -")


def same_day(one: Date, two: Date) -> bool:
    """Whether two dates say the same."""
    return (one.year, one.month, one.day) == (two.year, two.month, two.day)
