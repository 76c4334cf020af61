"""Cursors are bound and opaque; pages keep whole rows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched.answer import echoed, fingerprint, fitting, make_cursor, open_cursor, shortened
from vouched.faults import InvalidArgument
from vouched.remote import Exchange

BOUND = fingerprint("p_find", {"query": "x", "limit": 5})


def test_a_cursor_brings_back_what_was_put_in() -> None:
    cursor = make_cursor("p_find", BOUND, {"offset": 20, "mark": "AoE/Z=="})
    assert open_cursor(cursor, "p_find", BOUND) == {"offset": 20, "mark": "AoE/Z=="}


def test_r05_a_cursor_is_refused_by_other_tools_and_other_arguments() -> None:
    cursor = make_cursor("p_find", BOUND, {"offset": 20})
    for tool, bound in (("p_other", BOUND), ("p_find", fingerprint("p_find", {"query": "y", "limit": 5}))):
        with pytest.raises(InvalidArgument) as caught:
            open_cursor(cursor, tool, bound)
        assert caught.value.path == "cursor"


def test_the_cursor_itself_and_the_form_of_the_text_do_not_bind() -> None:
    assert fingerprint("t", {"q": "x", "cursor": "a", "output_format": "json"}) == fingerprint("t", {"q": "x"})


@given(st.text(max_size=60))
def test_anything_else_is_refused_as_no_cursor(text: str) -> None:
    with pytest.raises(InvalidArgument):
        open_cursor(text, "p_find", BOUND)


@given(st.lists(st.text(max_size=30), max_size=20), st.integers(min_value=1, max_value=200))
def test_pages_keep_whole_rows_and_always_move_on(rows: list[str], room: int) -> None:
    kept = fitting(rows, room)
    assert 0 <= kept <= len(rows)
    assert kept >= 1 or not rows


def test_at_most_20_exchanges_stand_in_an_answer_and_the_rest_is_counted() -> None:
    sources, more = shortened([Exchange("s", "https://example.org/" + "x" * 500)] * 25)
    assert (len(sources), more) == (20, 5)
    assert len(sources[0].resolved_url) == 300


def test_p94_arguments_are_repeated_whole_only_where_they_are_short() -> None:
    short = {"ids": [str(number) for number in range(200)], "limit": 5}
    assert echoed(short) == short
    long = {
        "quotes": [{"id": str(number), "text": "x" * 3_000} for number in range(50)],
        "ids": ["1"] * 9_000,
        "limit": 5,
    }
    told = echoed(long)
    assert len(str(told)) < 6_000
    assert told["limit"] == 5
    assert told["quotes"][0]["id"] == "0"
    assert told["quotes"][0]["text"].endswith("…")
    assert told["quotes"][-1] == f"… {50 - len(told['quotes']) + 1} more"
    assert told["ids"][-1] == f"… {9_000 - len(told['ids']) + 1} more"
