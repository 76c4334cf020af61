"""Tables as rows, in every place where they can stand. Invented tables."""

import pytest
from vouched.api import FullText, Span, Table
from vouched_europepmc.jats import read_jats

OASIS = 'xmlns:o="http://www.niso.org/standards/z39-96/ns/oasis-exchange/table"'
TABLE = "<table><thead><tr><th>Dose</th><th>n</th></tr></thead><tbody><tr><td>12</td><td>34</td></tr></tbody></table>"
CAPTION = "<label>Table 1</label><caption><title>Doses</title><p>By day.</p></caption>"
WRAP = f"<table-wrap id='t1'>{CAPTION}{TABLE}</table-wrap>"


def read(body: str, rest: str = "") -> FullText:
    text = read_jats(f"<article {OASIS}><body><p>Words.</p>{body}</body>{rest}</article>".encode())
    assert isinstance(text, FullText)
    return text


def table(body: str, rest: str = "") -> Table:
    (found,) = read(body, rest).tables
    return found


@pytest.mark.parametrize(
    ("body", "rest", "path"),
    [
        (WRAP, "", []),
        (f"<sec><title>Results</title>{WRAP}</sec>", "", ["Results"]),
        (f"<sec><title>Results</title><p>See {WRAP} below.</p></sec>", "", ["Results"]),
        (f"<table-wrap-group>{WRAP}</table-wrap-group>", "", []),
        (f"<boxed-text><title>Box</title>{WRAP}</boxed-text>", "", ["Box"]),
        ("", f"<floats-group>{WRAP}</floats-group>", []),
        ("", f"<back><app-group><app><title>Extra</title>{WRAP}</app></app-group></back>", ["Extra"]),
    ],
)
def test_p72_a_table_is_found_wherever_it_stands(body: str, rest: str, path: list[str]) -> None:
    assert table(body, rest) == Table(
        id="t1", label="Table 1", caption="Doses By day.", header=[["Dose", "n"]], rows=[["12", "34"]], path=path
    )


def test_p72_the_sentence_around_a_table_has_none_of_its_numbers() -> None:
    text = read(f"<p>See {WRAP} below.</p>")
    assert [block.text for block in text.sections[0].blocks] == ["Words.", "See below."]


def test_notes_come_one_by_one() -> None:
    foot = "<table-wrap-foot><fn id='n1'><label>a</label><p>Fasting.</p></fn><p>Mean ± SD.</p></table-wrap-foot>"
    assert table(WRAP.replace("</table-wrap>", f"{foot}</table-wrap>")).notes == ["a Fasting.", "Mean ± SD."]


def test_a_spanning_cell_stands_once_and_is_named() -> None:
    found = table(
        "<table-wrap><table><thead><tr><th rowspan='2'>Group</th><th colspan='2'>Dose</th></tr>"
        "<tr><th>low</th><th>high</th></tr></thead>"
        "<tbody><tr><td rowspan='2'>A</td><td>1</td><td>2</td></tr>"
        "<tr><td>3</td><td>4</td></tr></tbody></table></table-wrap>"
    )
    assert found.header == [["Group", "Dose"], ["low", "high"]]
    assert found.rows == [["A", "1", "2"], ["3", "4"]]
    assert found.spans == [Span("header", 0, 0, 2, 1), Span("header", 0, 1, 1, 2), Span("body", 0, 0, 2, 1)]
    assert found.grid() == (
        [["Group", "Dose", "Dose"], ["Group", "low", "high"]],
        [["A", "1", "2"], ["A", "3", "4"]],
    )


def test_a_span_beyond_the_last_row_is_cut_in_the_grid() -> None:
    found = table("<table-wrap><table><tr><td rowspan='9'>A</td><td colspan='x'>1</td></tr></table></table-wrap>")
    assert found.grid() == ([], [["A", "1"]])


def test_cals_tables_are_read_too() -> None:
    found = table(
        "<table-wrap><o:table><o:tgroup>"
        "<o:thead><o:row><o:entry namest='c1' nameend='c2'>Both</o:entry></o:row></o:thead>"
        "<o:tbody><o:row><o:entry morerows='1'>1</o:entry><o:entry>2</o:entry></o:row>"
        "<o:row><o:entry>3</o:entry></o:row></o:tbody></o:tgroup></o:table></table-wrap>"
    )
    assert (found.header, found.rows) == ([["Both"]], [["1", "2"], ["3"]])
    assert found.spans == [Span("header", 0, 0, 1, 2), Span("body", 0, 0, 2, 1)]


def test_several_tables_in_one_wrapper_share_its_label() -> None:
    first, second = read(f"<table-wrap id='t'><label>Table 2</label>{TABLE}{TABLE}</table-wrap>").tables
    assert (first.id, second.id, second.label) == ("t", "t-2", "Table 2")


def test_a_picture_beside_the_table_changes_nothing() -> None:
    body = f"<table-wrap><alternatives><graphic/>{TABLE}</alternatives></table-wrap>"
    assert table(body).rows == [["12", "34"]]


def test_a_table_that_is_only_a_picture_keeps_its_caption() -> None:
    found = table("<table-wrap><caption><p>Doses.</p></caption><graphic/></table-wrap>")
    assert (found.caption, found.header, found.rows) == ("Doses.", [], [])


def test_cells_keep_paragraphs_lists_and_footnote_marks_apart() -> None:
    body = (
        "<table-wrap><table><tr><td><p>1</p><p>2</p></td>"
        "<td>3<xref ref-type='table-fn' rid='a'><sup>a</sup></xref></td>"
        "<td><list><list-item><p>x</p></list-item><list-item><p>y</p></list-item></list></td><td/></tr></table>"
        "</table-wrap>"
    )
    assert table(body).rows == [["1 2", "3 [a]", "x y", ""]]


def test_an_array_is_a_table_without_caption() -> None:
    assert table("<p>It is <array><tr><td>1</td><td>2</td></tr></array> here.</p>").rows == [["1", "2"]]
