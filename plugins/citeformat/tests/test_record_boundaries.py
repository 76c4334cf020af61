"""Where a record begins and ends in files of programs that are careless with it: records in, as many rows out."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched.host import Host
from vouched_citeformat import read_nbib, read_ris
from vouched_citeformat.read_common import detect

pytestmark = pytest.mark.anyio
MakeHost = Callable[..., Host]

RECORD = st.tuples(
    st.sampled_from(("TY  - ", "TY - ", "TY- ", "  TY  - ")),
    st.sampled_from(("", "ER  - \n", "ER  -\n", "ER - \n", "ER  - \n\n\n")),
    st.sampled_from(("", "\n", "\n\n", " \n")),
)


@given(st.lists(RECORD, min_size=1, max_size=6), st.sampled_from(("\n", "\r\n", "\r")), st.sampled_from(("", "\ufeff")))
def test_every_record_of_a_ris_file_is_a_row(shapes: list[tuple[str, str, str]], newline: str, mark: str) -> None:
    """Whether its end is marked, missing, set with one blank, or followed by empty lines."""
    text = "".join(
        f"{begin}JOUR\nTI{begin.strip()[2:]} T{number}\n{blank}{end}{blank}"
        for number, (begin, end, blank) in enumerate(shapes)
    )
    rows = list(read_ris.read(mark + text.replace("\n", newline)))
    assert [row.fields.get("title") for row in rows] == [f"T{number}" for number in range(len(shapes))]
    assert [row.position for row in rows] == list(range(1, len(shapes) + 1))


def test_what_stands_before_the_first_ris_record_is_none_unless_it_has_tags() -> None:
    head = "Provider: Invented Results\nDatabase: Fiction\nContent: text/plain\n\n"
    (only,) = read_ris.read(f"{head}TY  - JOUR\nTI  - A\nER  - \n")
    assert only.fields["title"] == "A"
    headless, second = read_ris.read("TI  - No type\nAU  - Quill, Ada\n\nTY  - JOUR\nTI  - B\n")
    assert (headless.fields, headless.text.splitlines()[0]) == ({}, "TI  - No type")
    assert second.fields["title"] == "B"


def test_a_hyphen_within_an_abstract_is_no_tag_of_a_well_formed_record() -> None:
    (only,) = read_ris.read("TY  - JOUR\nTI  - A title\nAB  - phase\nII - a trial\nPY  - 2020\nER  - \n")
    assert (only.fields["title"], only.fields["year"]) == ("A title", "2020")


BLANKS = st.sampled_from(("", "\n", "\n\n", "  \n"))


@given(st.lists(st.tuples(BLANKS, BLANKS, st.booleans()), min_size=1, max_size=6))
def test_every_record_of_an_nbib_file_is_a_row(shapes: list[tuple[str, str, bool]]) -> None:
    """With and without empty lines between records, and within them."""
    last = {True: "SO  - J Invent Res. 2020.\n", False: ""}
    text = "".join(
        f"PMID- {99900001 + number}\nTI  - T{number}\n{within}FAU - Quill, Ada\n{last[source]}{after}"
        for number, (within, after, source) in enumerate(shapes)
    )
    rows = list(read_nbib.read(text))
    assert [row.ids["pmid"] for row in rows] == [str(99900001 + number) for number in range(len(shapes))]
    assert all(row.fields["authors"] == "Quill, Ada" for row in rows)


def test_nbib_records_without_a_pmid_are_told_apart_by_the_empty_line() -> None:
    rows = list(read_nbib.read("TI  - A\nAU  - Quill A\n\nTI  - B\nAU  - Marrow J\n"))
    assert [row.fields["title"] for row in rows] == ["A", "B"]


def test_nbib_tags_with_other_blanks_are_read() -> None:
    (row,) = read_nbib.read("PMID - 99900001\nTI - A\nDP - 2020\n")
    assert (row.ids["pmid"], row.fields["title"], row.fields["year"]) == ("99900001", "A", "2020")


@pytest.mark.parametrize(
    ("text", "name"),
    [("TY - JOUR\nTI - A\nER - \n", "ris"), ("TY\t- JOUR", "ris"), ("TY-JOUR", "ris"), ("PMID - 1\nTI - A", "nbib")],
)
def test_a_format_is_recognised_whatever_its_blanks(text: str, name: str) -> None:
    assert detect(text) == name


@pytest.mark.parametrize(("given", "said"), [({}, False), ({"format": "nbib"}, True)])
async def test_to_leave_format_out_is_said_only_where_it_was_given(
    cite_host: MakeHost, given: dict[str, Any], said: bool
) -> None:
    async with cite_host() as host:
        result = await host.call("citeformat_parse_bibliography", {"text": "@article{broken, title = {Never", **given})
    assert result.is_error
    assert ("Leave `format` out" in result.text) is said
