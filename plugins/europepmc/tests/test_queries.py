"""Queries: ids as the service finds them, filters that hold, dates that are dates."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vouched.api import Id, InvalidArgument
from vouched_europepmc.queries import batches, compose, date_range, id_term


@pytest.mark.parametrize(
    ("id_", "term"),
    [
        (Id("pmid", "38659751"), "(EXT_ID:38659751 AND SRC:MED)"),
        (Id("pmcid", "PMC3531190"), "PMCID:PMC3531190"),
        (Id("doi", "10.1016/s0749-3797(99)00106-3"), 'DOI:"10.1016/s0749-3797(99)00106-3"'),
        (Id("ppr", "PPR990008"), "(EXT_ID:PPR990008 AND SRC:PPR)"),
        (Id("agr", "IND99900001"), "(EXT_ID:IND99900001 AND SRC:AGR)"),
    ],
)
def test_r01_p63_ids_as_the_service_finds_them(id_: Id, term: str) -> None:
    assert id_term(id_) == term


def test_p63_a_quote_in_a_doi_cannot_end_it() -> None:
    assert id_term(Id("doi", '10.1/a"b')) == 'DOI:"10.1/a\\"b"'


def test_p63_batches_are_small_and_whole() -> None:
    ids = [Id("pmid", str(99900000 + number)) for number in range(200)]
    groups = batches(ids)
    assert [id_ for group in groups for id_ in group] == ids
    assert all(len(group) <= 25 and len(" OR ".join(map(id_term, group))) <= 1_500 for group in groups)
    long = [Id("doi", f"10.99999/{'x' * 200}{number}") for number in range(20)]
    assert all(len(" OR ".join(map(id_term, group))) <= 1_500 for group in batches(long))


@pytest.mark.parametrize(
    "query",
    ["fictol) OR (cancer", "((fictol)", 'TITLE:"fictol', "fictol\\", "FIRST_PDATE:[2020 TO 2021", "a ] b", "(a]"],
)
def test_r06_filters_cannot_be_escaped(query: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        compose(query, ["OPEN_ACCESS:Y"])
    assert caught.value.path == "query"
    assert caught.value.hint


@pytest.mark.parametrize(
    "query", ['TITLE:"a ) b"', "a \\) b", 'DOI:"10.1/a(b)c"', "FIRST_PDATE:[2020 TO 2021]", "(a OR (b))"]
)
def test_balanced_queries_pass_as_they_are(query: str) -> None:
    assert compose(query, ["OPEN_ACCESS:Y", "NOT SRC:PPR"]) == f"({query}) AND OPEN_ACCESS:Y AND NOT SRC:PPR"


@pytest.mark.parametrize(
    "query",
    [" ", "   ", "\t\n", "\u200b", "\u200b \u2060\ufeff", "\x00\x07", "()", "( )", "(())", "[]", '""', '" "', "AND",
     "and or", "NOT", "AND OR NOT", "(AND)", "(a) OR ()", "fictol AND ( )", "TITLE:()", 'TITLE:""', "TITLE:",
     "AUTH: AND TITLE:", "*", "(*)", "***", "?", "-", "...", "[ TO ]", '"" AND ""', "TITLE:*"],
)  # fmt: skip
def test_a_query_that_says_nothing_is_refused(query: str) -> None:
    """Europe PMC answers it with arbitrary records."""
    with pytest.raises(InvalidArgument) as caught:
        compose(query, [])
    assert caught.value.path == "query"
    assert caught.value.hint


@pytest.mark.parametrize(
    "query",
    ["a", "5", "\u03b2", "\u8096", "NOT cancer", "TITLE:x", 'TITLE:"not"b', "TITLE:(fictol)", "PUB_YEAR:[2020 TO 2021]",
     "fict*", 'DOI:"10.1/a()b"', "10.1/a()b", "AUTH:\"Zandt A\"", "HAS_ABSTRACT:y"],
)  # fmt: skip
def test_a_query_that_says_something_passes(query: str) -> None:
    assert compose(query, []) == f"({query})"


@settings(derandomize=True, max_examples=300)
@given(st.text(alphabet='()[]"\\ ab', max_size=14))
def test_whatever_passes_stays_inside_its_parentheses(query: str) -> None:
    """Read as the service reads it, the first parenthesis of the composed query closes right before the filter."""
    try:
        composed = compose(query, ["OPEN_ACCESS:Y"])
    except InvalidArgument:
        return
    depth, quoted, escaped, closed_at = 0, False, False, -1
    for position, character in enumerate(composed):
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif not quoted and character in "()":
            depth += 1 if character == "(" else -1
            if depth == 0:
                closed_at = position
                break
    assert composed[closed_at + 1 :] == " AND OPEN_ACCESS:Y"


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("2020", "2021", "FIRST_PDATE:[2020-01-01 TO 2021-12-31]"),
        ("2024-02", "2024-02", "FIRST_PDATE:[2024-02-01 TO 2024-02-29]"),
        ("2020/01/05", None, "FIRST_PDATE:[2020-01-05 TO 3000-12-31]"),
        (None, "2020-06-30", "FIRST_PDATE:[1500-01-01 TO 2020-06-30]"),
        (None, None, ""),
    ],
)
def test_p16_open_ends_and_short_dates(first: str | None, last: str | None, expected: str) -> None:
    assert date_range(first, last) == expected


@pytest.mark.parametrize(("first", "last"), [("2023-02-30", None), ("soon", None), ("2024", "2023"), ("20", None)])
def test_r06_dates_are_checked(first: str, last: str | None) -> None:
    with pytest.raises(InvalidArgument):
        date_range(first, last)
