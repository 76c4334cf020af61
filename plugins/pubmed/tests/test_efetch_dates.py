"""Dates as recorded: every form that NLM uses, with its precision; nothing is filled in."""

from datetime import UTC, datetime

import pubmed_xml as made
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched.api import Date
from vouched_pubmed.efetch_dates import read_free_date

FREE = {
    "1998 Dec-1999 Jan": ("1998-12", "range", 1999, 1),
    "Winter 2017": ("2017", "season", None, None),
    "1978-1979": ("1978", "range", 1979, None),
    "1947-1948": ("1947", "range", 1948, None),
    "2012 1st Quarter": ("2012", "season", None, None),
    "2018 May - Jun": ("2018-05", "range", 2018, 6),
    "1977 Apr-Jun": ("1977-04", "range", 1977, 6),
    "2008": ("2008", "year", None, None),
    "1999 Spring": ("1999", "season", None, None),
    "2000 Spring-Summer": ("2000", "season", None, None),
    "2000 Dec 31-2001 Jan 6": ("2000-12-31", "range", 2001, 1),
    "1998 Dec 15-31": ("1998-12-15", "range", 1998, 12),
    "2016 Nov-Dec": ("2016-11", "range", 2016, 12),
    "Summer 1999-Winter 2000": ("1999", "range", 2000, None),
    "1975": ("1975", "year", None, None),
    "no date at all": ("", None, None, None),
}


@pytest.mark.parametrize("text", FREE)
def test_p27_free_text_dates(text: str) -> None:
    """The first four-digit year is the year, the words are kept, the precision is said."""
    date = read_free_date(text)
    iso, precision, end_year, end_month = FREE[text]
    assert (date.iso(), date.precision, date.end_year, date.end_month) == (iso, precision, end_year, end_month)
    assert date.literal == text


PARTS = {
    "<Year>2018</Year><Month>Jun</Month>": ("2018-06", "month"),
    "<Year>2018</Year><Month>08</Month>": ("2018-08", "month"),
    "<Year>2018</Year><Month>8</Month><Day>03</Day>": ("2018-08-03", "day"),
    "<Year>2018</Year><Month>August</Month>": ("2018-08", "month"),
    "<Year>2018</Year>": ("2018", "year"),
    "<Year>2018</Year><Day>5</Day>": ("2018", "year"),
    "<Year>2018</Year><Month>Jul-Aug</Month>": ("2018-07", "range"),
    "<Year>2018</Year><Season>Winter-Spring</Season>": ("2018", "season"),
    "<Year>2018</Year><Season>Jul-Oct</Season>": ("2018-07", "range"),
    "<Year>2018</Year><Month>13</Month>": ("2018", "year"),
    "<Year>abcd</Year>": ("", None),
    "<Year>2018</Year><Month>Jun</Month><Day>99</Day>": ("2018-06", "month"),
    "": ("", None),
}


@pytest.mark.parametrize(
    ("day", "iso", "literal"),
    [
        ("29", "2020-02-29", ""),
        ("30", "2020-02", "2020 Feb 30"),
        ("99", "2020-02", "2020 Feb 99"),
        ("0", "2020-02", "2020 Feb 0"),
    ],
)
def test_a_day_that_no_calendar_has_is_kept_in_words_alone(day: str, iso: str, literal: str) -> None:
    date = made.read(issue=f"<PubDate><Year>2020</Year><Month>Feb</Month><Day>{day}</Day></PubDate>").date
    assert (date.iso(), date.literal, date.precision) == (iso, literal, "month" if literal else "day")


@pytest.mark.parametrize("parts", PARTS)
def test_p28_months_in_every_form_and_no_filler(parts: str) -> None:
    """A fixed table of forms; a missing month or day is missing, never today's or the first."""
    date = made.read(issue=f"<PubDate>{parts}</PubDate>").date
    assert (date.iso(), date.precision) == PARTS[parts]


def test_seasons_are_kept_as_recorded() -> None:
    date = made.read(issue="<PubDate><Year>1990</Year><Season>Spring</Season></PubDate>").date
    assert (date.literal, date.season, date.year) == ("1990 Spring", "Spring", 1990)


def test_p29_the_issue_and_the_electronic_date_are_never_mixed() -> None:
    found = made.read(
        '<ArticleDate DateType="Electronic"><Year>2019</Year><Month>12</Month><Day>28</Day></ArticleDate>',
        issue="<PubDate><Year>2020</Year><Month>Jan</Month><Day>10</Day></PubDate>",
        model="Print-Electronic",
    )
    assert (found.date.iso(), found.electronic_date.iso()) == ("2020-01-10", "2019-12-28")
    assert found.publication_model == "Print-Electronic"


def test_p09_a_placeholder_date_is_left_out_and_noted() -> None:
    from vouched_pubmed.efetch import read_articles

    body = made.whole(
        made.article(
            '<ArticleDate DateType="Electronic"><Year>1900</Year><Month>01</Month><Day>01</Day></ArticleDate>',
            data='<History><PubMedPubDate PubStatus="entrez"><Year>1900</Year><Month>1</Month><Day>1</Day>'
            "</PubMedPubDate></History>",
        )
    )
    answer = read_articles(body)
    assert answer.articles[0].electronic_date == Date()
    assert answer.articles[0].history == []
    assert [problem.text for problem in answer.problems] == [
        "The electronic date 1900-01-01 is a placeholder and was left out.",
        "The history entrez 1900-01-01 is a placeholder and was left out.",
    ]


def test_a_real_article_of_1900_keeps_its_year() -> None:
    assert made.read(issue="<PubDate><Year>1900</Year></PubDate>").date.year == 1900


@given(st.text(max_size=40))
def test_any_text_gives_a_date_that_is_not_invented(text: str) -> None:
    date = read_free_date(text)
    assert date.literal == text
    assert date.year is None or str(date.year) in text
    assert date.year != datetime.now(UTC).year or str(date.year) in text
