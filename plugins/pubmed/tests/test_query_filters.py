"""Filters become clauses; the query stays as it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched.api import InvalidArgument
from vouched_pubmed import query_filters as filters
from vouched_pubmed.search_articles import Age, StudyFilter


@given(st.text(min_size=1))
def test_without_filters_the_query_is_sent_unchanged(query: str) -> None:
    assert filters.effective(query, ["", ""]) == query


@given(st.text(min_size=1))
def test_with_filters_the_query_stands_whole_in_parentheses(query: str) -> None:
    assert filters.effective(query, ['"x"[la]']) == f'({query}) AND "x"[la]'


@pytest.mark.parametrize(
    ("since", "until", "clause"),
    [
        ("", "", ""),
        ("2020", "", '("2020"[pdat] : "3000/12/31"[pdat])'),
        ("", "2020/5", '("1500/01/01"[pdat] : "2020/05"[pdat])'),
        ("2020-03-01", "2020.3.31", '("2020/03/01"[pdat] : "2020/03/31"[pdat])'),
        ("2020/05", "2020", '("2020/05"[pdat] : "2020"[pdat])'),
        ("2020/02/29", "2020/02", '("2020/02/29"[pdat] : "2020/02"[pdat])'),
    ],
)
def test_p15_p16_dates_take_open_ends_and_three_spellings(since: str, until: str, clause: str) -> None:
    assert filters.date_clause(since, until, "pdat") == clause


@pytest.mark.parametrize(
    ("since", "until", "path"),
    [
        ("2023-02-29", "", "date_from"),
        ("2023/13", "", "date_from"),
        ("", "20", "date_to"),
        ("last year", "", "date_from"),
        ("2021", "2020", "date_to"),
        ("2020/06", "2020/05", "date_to"),
        ("0000", "", "date_from"),
        ("", "1499", "date_to"),
    ],
)
def test_impossible_and_reversed_dates_are_refused_by_name(since: str, until: str, path: str) -> None:
    with pytest.raises(InvalidArgument) as raised:
        filters.date_clause(since, until, "pdat")
    assert raised.value.path == path


def test_several_values_are_alternatives_and_said_once() -> None:
    assert filters.value_clause(["Review", " Meta-Analysis ", "Review"], "pt", "publication_types") == (
        '"Review"[pt] OR "Meta-Analysis"[pt]'
    )


@pytest.mark.parametrize("value", ["", "  ", "\u200b", "-", '"', 'a"b', "x[ti]"])
def test_a_value_that_would_vanish_or_break_the_clause_is_refused(value: str) -> None:
    with pytest.raises(InvalidArgument) as raised:
        filters.value_clause(["good", value], "ta", "journals")
    assert raised.value.path == "journals[1]"


@pytest.mark.parametrize("value", ["smith j) OR (x", "Smith J OR Jones K", "NOT", "#1"])
def test_an_unquoted_value_cannot_leave_its_clause(value: str) -> None:
    with pytest.raises(InvalidArgument) as raised:
        filters.value_clause([value], "au", "authors", "AND", quoted=False)
    assert raised.value.path == "authors[0]"


@pytest.mark.parametrize(
    ("query", "open_"),
    [
        ('"heart failure AND statin', "quotation marks"),
        ('"a" OR "b', "quotation marks"),
        ("asthma[ti", "brackets"),
        ("(asthma OR copd", "parentheses"),
        ("asthma) OR (copd", "parentheses"),
        ('"a (b"[ti] AND (c)', ""),
        ("chromosome 5(p) deletion[tiab]", ""),
        ('"x [y" AND z', ""),
        ("", ""),
    ],
)
def test_what_a_query_leaves_open_is_told(query: str, open_: str) -> None:
    assert filters.unclosed(query) == open_


@pytest.mark.parametrize("query", ["asthma", "p<0.001", "10.1000/x[doi]", "ü", "β2"])
def test_a_query_with_any_letter_or_digit_is_taken(query: str) -> None:
    filters.check_query(query)


@pytest.mark.parametrize("query", ["()", "[pdat]", "AND", '"" OR ()', "*", "\u200b"])
def test_a_query_without_a_term_is_refused(query: str) -> None:
    with pytest.raises(InvalidArgument):
        filters.check_query(query)


def test_a_clause_of_several_terms_gets_its_own_parentheses() -> None:
    strict = filters.STUDY_FILTERS["cochrane_rct_precise"]
    assert filters.effective("a OR b", [strict]) == f"(a OR b) AND ({strict})"


def test_every_choice_has_its_clause() -> None:
    from typing import get_args

    assert set(get_args(Age)) == set(filters.AGES)
    assert set(get_args(StudyFilter)) == set(filters.STUDY_FILTERS)
    assert all(clause.count("(") == clause.count(")") for clause in filters.STUDY_FILTERS.values())
