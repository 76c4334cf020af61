"""Titles and abstracts: mixed content, formulae, labels; nothing between two tags is lost."""

import re

import pubmed_xml as made
from hypothesis import given
from hypothesis import strategies as st
from vouched.api import AbstractPart
from vouched_pubmed.markup import collapse


def abstract(inner: str) -> str:
    return f"<Abstract>{inner}</Abstract>"


def test_p22_a_title_that_begins_with_a_tag_is_whole() -> None:
    found = made.read(title="<i>ABC1</i> variants alter plastid import.")
    assert found.title == "ABC1 variants alter plastid import."
    assert found.title_markup == "<i>ABC1</i> variants alter plastid import."


def test_p22_an_abstract_goes_on_behind_a_tag() -> None:
    found = made.read(abstract("<AbstractText>Hawk (<i>B. buteo</i>) diet.</AbstractText>"))
    assert found.abstract_text() == "Hawk (B. buteo) diet."


def test_p22_comments_and_instructions_are_skipped_and_their_tails_kept() -> None:
    found = made.read(title="One <!-- not this --><b>two</b><?nor this?> three")
    assert found.title == "One two three"


def test_nested_tags_keep_their_words() -> None:
    found = made.read(title="P<sub>one <i>two</i></sub> and m<sup>2</sup>")
    assert found.title == "Pone two and m2"
    assert found.title_markup == "P<sub>one <i>two</i></sub> and m<sup>2</sup>"


def test_angle_brackets_and_ampersands_are_text() -> None:
    """Failure 2.10.2: `P<0.001` is no tag; the markup escapes what is text."""
    found = made.read(title="P&lt;0.001 in R&amp;D")
    assert found.title == "P<0.001 in R&D"
    assert found.title_markup == "P&lt;0.001 in R&amp;D"


def test_markup_is_empty_where_it_would_say_the_same() -> None:
    assert made.read(title="Plain.").title_markup == ""
    assert made.read(title="<u>Underlined</u> only").title_markup == ""


def test_p24_a_formula_is_readable_and_flagged() -> None:
    math = '<mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML"><mml:msup><mml:mn>0</mml:mn><mml:mo>+</mml:mo></mml:msup></mml:math>'
    found = made.read(title=f"Decay of {math} states")
    assert found.title == "Decay of 0^+ states"
    assert found.flattened == ["title"]


def test_p25_all_parts_in_order_labels_kept_unlabelled_hidden() -> None:
    found = made.read(
        abstract(
            "<AbstractText>Plain part.</AbstractText>"
            '<AbstractText Label="RESULTS" NlmCategory="RESULTS">Ten of 12.</AbstractText>'
            '<AbstractText Label="UNLABELLED">Tail.</AbstractText>'
        )
    )
    assert found.abstract == [
        AbstractPart("Plain part."),
        AbstractPart("Ten of 12.", "RESULTS", "RESULTS"),
        AbstractPart("Tail."),
    ]
    assert found.abstract_text() == "Plain part.\n\nRESULTS: Ten of 12.\n\nTail."
    assert found.abstract_state == "present"


def test_p25_no_abstract_is_not_an_empty_one() -> None:
    assert made.read().abstract_state == "none"
    assert made.read("<Abstract><AbstractText/></Abstract>").abstract_state == "none"


def test_abstracts_of_other_kinds_and_languages() -> None:
    other = (
        '<OtherAbstract Type="plain-language-summary" Language="eng"><AbstractText>In short.</AbstractText>'
        "</OtherAbstract>"
        '<OtherAbstract Type="Publisher" Language="spa"><AbstractText Label="MÉTODOS">Hecho.</AbstractText>'
        "<CopyrightInformation>Nobody</CopyrightInformation></OtherAbstract>"
    )
    plain, spanish = made.read(citation=other).other_abstracts
    assert (plain.type, plain.parts[0].text) == ("plain-language-summary", "In short.")
    assert (spanish.language, spanish.parts[0].label, spanish.copyright) == ("spa", "MÉTODOS", "Nobody")


def test_an_empty_title_and_its_vernacular_one() -> None:
    found = made.read("<VernacularTitle>Ein erfundener Titel.</VernacularTitle>", title="")
    assert (found.title, found.vernacular_title) == ("", "Ein erfundener Titel.")


def test_white_space_of_pretty_printed_sets_is_collapsed_but_no_break_spaces_stay() -> None:
    found = made.read(title="Ten\n      mg\u00a0of \t fictol")
    assert found.title == "Ten mg\u00a0of fictol"


@given(st.text(alphabet="ab \t\r\n\u00a0\u2009\u2013", max_size=60))
def test_every_run_of_xml_white_space_becomes_one_space(text: str) -> None:
    assert collapse(text) == re.sub(r"[ \t\r\n]+", " ", text).strip(" ")


def test_text_stays_text() -> None:
    """Numbers are never read: `08`, `1.10`, `1e10`, `007`, `1E5` come back as they were written."""
    found = made.read(
        "<Pagination><MedlinePgn>1e10</MedlinePgn></Pagination><AuthorList><Author><LastName>007</LastName>"
        "<Initials>1E5</Initials></Author></AuthorList>",
        issue=f"<Volume>08</Volume><Issue>1.10</Issue>{made.DATE}",
    )
    assert (found.volume, found.issue, found.locator.text) == ("08", "1.10", "1e10")
    assert (found.authors[0].family, found.authors[0].initials) == ("007", "1E5")
