"""Dates and locators keep what was recorded; zeros and blanks are nothing."""

import pytest
from vouched.api import Date
from vouched_europepmc.dates import iso_date, issue_date, locator


@pytest.mark.parametrize(
    ("literal", "year", "month", "expected"),
    [
        ("2013 Jan", 2013, 1, Date("2013 Jan", 2013, 1, precision="month")),
        ("2024 ", 2024, 0, Date("2024", 2024, precision="year")),
        (" ", 0, 0, Date()),
        ("2024 Sep 28", 2024, 9, Date("2024 Sep 28", 2024, 9, 28, precision="day")),
        ("2025 Jul-Aug", 2025, 7, Date("2025 Jul-Aug", 2025, 7, end_month=8, precision="range")),
        ("1998 Dec-1999 Jan", 1998, 12, Date("1998 Dec-1999 Jan", 1998, 12, None, 1999, 1, precision="range")),
        ("2017 Winter", 2017, 0, Date("2017 Winter", 2017, season="Winter", precision="season")),
        ("", "2025", None, Date("", 2025, precision="year")),
        ("unknown", None, None, Date("unknown")),
    ],
)
def test_p27_p28_issue_dates(literal: str, year: object, month: object, expected: Date) -> None:
    assert issue_date(literal, year, month) == expected


def test_iso_dates_are_as_precise_as_written() -> None:
    assert iso_date("2013-01-31") == Date(year=2013, month=1, day=31, precision="day")
    assert iso_date("2013") == Date(year=2013, precision="year")
    assert iso_date("2013-13") == Date(year=2013, precision="year")
    assert iso_date("soon") == iso_date(None) == Date()


@pytest.mark.parametrize(
    ("text", "kind", "first", "last"),
    [
        ("188-91", "range", "188", "91"),
        ("591-6; discussion 596-7", "range", "591", "6"),
        ("e1660-e1676", "range", "e1660", "e1676"),
        ("15, 20", "list", "15", ""),
        ("e0182390", "article_number", "e0182390", ""),
        ("arztebl.m2025.0099", "article_number", "arztebl.m2025.0099", ""),
        ("103", "single", "103", ""),
        ("S1058-2746(26)00334-4", "single", "S1058-2746(26)00334-4", ""),
    ],
)
def test_p31_locators_keep_their_text(text: str, kind: str, first: str, last: str) -> None:
    found = locator(text)
    assert (found.text, found.kind, found.first, found.last) == (text, kind, first, last)
    assert locator(None).kind is None
