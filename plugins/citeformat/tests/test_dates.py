"""Dates as each style prints them."""

import pytest
from vouched.api import Date
from vouched_citeformat.dates import apa_year, medline_date, mla_date, range_tail


@pytest.mark.parametrize(
    ("date", "medline", "mla", "apa", "tail"),
    [
        (Date(), "", "", "n.d.", ""),
        (Date(year=2024), "2024", "2024", "2024", ""),
        (Date(year=2024, month=5), "2024 May", "May 2024", "2024", ""),
        (Date(year=2024, month=5, day=3), "2024 May 3", "May 2024", "2024", ""),
        (Date(literal="2025-06-06", year=2025, month=6, day=6), "2025 Jun 6", "June 2025", "2025", ""),
        (Date(year=2013, month=1, end_month=3), "2013 Jan-Mar", "Jan.–Mar. 2013", "2013", "Jan-Mar"),
        (Date(year=1998, month=12, end_year=1999, end_month=1), "1998 Dec-1999 Jan",
         "Dec. 1998–Jan. 1999", "1998–1999", "Dec-1999 Jan"),
        (Date(year=1978, end_year=1979), "1978-1979", "1978–1979", "1978–1979", "1979"),
        (Date(year=2005, month=8, day=20, end_month=8, end_day=26), "2005 Aug 20-26", "Aug. 2005", "2005", "Aug 20-26"),
        (Date(literal="1990 Spring", year=1990, season="Spring"), "1990 Spring", "spring 1990", "1990", "Spring"),
        (Date(year=2024, season="Winter-Spring"), "2024 Winter-Spring", "winter–spring 2024", "2024", "Winter-Spring"),
        (Date(literal="2012 1st Quarter", year=2012, season="1st Quarter"), "2012 1st Quarter",
         "1st quarter 2012", "2012", "1st Quarter"),
        (Date(year=2024, month=13), "2024", "2024", "2024", ""),
    ],
)  # fmt: skip
def test_forms(date: Date, medline: str, mla: str, apa: str, tail: str) -> None:
    assert (medline_date(date), mla_date(date), apa_year(date), range_tail(date)) == (medline, mla, apa, tail)


def test_the_day_is_printed_only_where_asked_for() -> None:
    assert mla_date(Date(year=2023, month=2, day=8), with_day=True) == "8 Feb. 2023"
