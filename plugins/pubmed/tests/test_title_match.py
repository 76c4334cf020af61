"""Titles word by word: what makes another title and what does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched.api import Article, Book
from vouched_pubmed.title_match import compare_title, compare_title_in_text

TITLE = "No effect of fictol 20 mg on lantern fever in adults: a multi-centre cohort study."
RECORD = Article(ids={"pmid": "99900007"}, title=TITLE)


def record(title: str, vernacular: str = "", book: str = "") -> Article:
    held = Book(title=book) if book else None
    return Article(ids={}, title=title, vernacular_title=vernacular, book=held)


@pytest.mark.parametrize(
    "title",
    [
        TITLE,
        TITLE.rstrip("."),
        TITLE.upper(),
        "No effect of fictol 20 mg on lantern fever in adults",
        "No effect of fictol 20 mg on lantern fever",
        "No effect of fictol 20 mg on lantern fever in adults: a multicenter cohort study",
        "No effect of fictol 20mg on lantern fever in adults: a multi-center cohort study",
        "No effect of <i>fictol</i> 20 mg on lantern fever in adults&mdash;a multi-centre cohort study",
        "No effect of fictol 20 mg on the lantern fever of adults - multi-centre cohort study",
        "No effect of fictol 20 mg on lantern fever in ad...",
        TITLE + " [Internet]",
        "RETRACTED: " + TITLE,
        "No éffect of Fictol 20 mg on lantern‐fever in adults: a multi‐centre cohort study",
    ],
)
def test_what_does_not_matter_is_the_same_title(title: str) -> None:
    assert compare_title(title, RECORD) == "same"


@pytest.mark.parametrize(
    "title",
    [
        "An effect of fictol 20 mg on lantern fever in adults: a multi-centre cohort study",
        "Effect of fictol 20 mg on lantern fever in adults: a multi-centre cohort study",
        "No effect of fictol 40 mg on lantern fever in adults: a multi-centre cohort study",
        "No effect of fictol 20 mg on lantern fever in children: a multi-centre cohort study",
        "No effect of fictol 20 mg on fever in adults: a multi-centre cohort study",
        "No effect of fictol 20 mg on lantern fever in old adults: a multi-centre cohort study",
        "No effect of fictol 20 mg on lantern fever in adults: a multi-centre randomized trial",
        "No effect of fictol 20 mg on lantern fever in adults: a multi-centre cohort study in mice",
        "No effect of fictol 20 mg without lantern fever in adults: a multi-centre cohort study",
        "Marsh lights in winter",
        "No effect",
    ],
)
def test_a_changed_added_or_missing_word_is_another_title(title: str) -> None:
    assert compare_title(title, RECORD) == "differs"


@pytest.mark.parametrize(
    ("title", "own"),
    [
        ("Fictol-β and tumour growth", record("Fictol-beta and tumor growth.")),
        ("Anaemia in type II glimmer", record("Anemia in type 2 glimmer")),
        ("Die Laterne im Moor", record("[The lantern in the bog].", "Die Laterne im Moor")),
        ("Die Laterne im Moor [The lantern in the bog]", record("[The lantern in the bog].")),
        ("The lantern in the bog", record("[The lantern in the bog (author's transl)].")),
        ("Glimmer syndrome", record("Glimmer syndrome: what is known [corrected].")),
        ("Fictol", record("Fictol", book="The Invented Handbook")),
        ("The Invented Handbook", record("Fictol", book="The Invented Handbook")),
        ("p53-dependent H₂O uptake", record("p53-dependent H<sub>2</sub>O uptake")),
    ],
)
def test_spellings_and_translations_of_one_title(title: str, own: Article) -> None:
    assert compare_title(title, own) == "same"


def test_nothing_to_compare() -> None:
    assert compare_title("", RECORD) == "not_given"
    assert compare_title("Any title of some words", record("")) == "not_comparable"
    assert compare_title("???", RECORD) == "not_comparable"


def test_a_string_that_holds_the_title_by_itself_settles_what_was_misread() -> None:
    text = f"Hollowell TR; Lantern Group 2. {TITLE} J Invent Res. 2021;10(3):55-62."
    assert compare_title_in_text("Lantern Group 2", RECORD, text) == "same"


def test_a_title_with_a_word_before_it_is_another() -> None:
    own = record("Effect of fictol on lantern fever.")
    text = "Hollowell TR. No effect of fictol on lantern fever. J Invent Res. 2021;10(3):55-62."
    assert compare_title_in_text("No effect of fictol on lantern fever", own, text) == "differs"


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_can_be_compared(title: str, own: str) -> None:
    assert compare_title(title, record(own)) in ("same", "differs", "not_given", "not_comparable")


@given(st.text(max_size=80))
def test_every_title_is_its_own(title: str) -> None:
    assert compare_title(title, record(title)) != "differs"
