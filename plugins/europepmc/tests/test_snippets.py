"""Snippets are rebuilt as each provider cut them, and placed at exact offsets or not at all."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vouched_europepmc.anchors import Passage, TextIndex, squeezed
from vouched_europepmc.annotations import read_annotations
from vouched_europepmc.matching import Terms
from vouched_europepmc.snippets import anchor, rebuild

EPMC = "Europe PMC"
TEXT = (
    "Plasma from patients with pancreatic cancer was 8-plex iTRAQ labelled. We saw (EGFR) in pancreatic cancer [3, 5] "
    "cells; Interleukin 6 receptor (IL6-R). No glimmer."
)


def index(*texts: str, where: str = "full_text", path: str = "Results") -> TextIndex:
    return TextIndex([Passage(where, path, f"b{number}", text) for number, text in enumerate(texts)])


@pytest.mark.parametrize(
    ("prefix", "exact", "postfix", "provider", "text"),
    [
        ("design for", "human", "plasma proteomics and", EPMC, "design for human plasma proteomics and"),
        ("with", "pancreatic cancer", "cancer was 8-plex", EPMC, "with pancreatic cancer was 8-plex"),
        ("and", "Interleukin 6 receptor", "6 receptor (IL6-R).", EPMC, "and Interleukin 6 receptor (IL6-R)."),
        ("as", "aldolase B", "B, a", EPMC, "as aldolase B, a"),
        ("(IGHA1),", "R-type phosphatase gamma", "phosphatase g", EPMC, "(IGHA1), R-type phosphatase gamma"),
        ("receptor (", "IL6-R", ").", EPMC, "receptor (IL6-R)."),
        ("inhibition by", "geldanamycin", "-derived compounds", EPMC, "inhibition by geldanamycin-derived compounds"),
        ("proteins in a", "pancreatic\ncancer", "cancer study.", EPMC, "proteins in a pancreatic cancer study."),
        ("human ", "plasma", " proteomics", "PheneBank", "human plasma proteomics"),
        ("older ", "adults", ". MEDLINE", "OntoGene", "older adults. MEDLINE"),
        ("", "Human", "", EPMC, "Human"),
    ],
)  # fmt: skip
def test_r32_snippets_read_as_in_the_source(prefix: str, exact: str, postfix: str, provider: str, text: str) -> None:
    snippet = rebuild(prefix, exact, postfix, provider)
    assert snippet.text == text
    assert snippet.text[snippet.start : snippet.end] == " ".join(exact.split())


def test_r32_all_recorded_europe_pmc_snippets_match_their_own_entity(corpus: Path) -> None:
    body = (corpus / "europepmc-evidence/tests/fixtures/annotations/three_ids_one_missing.json").read_bytes()
    rows = [row for of in {id(v): v for v in read_annotations(body).values()}.values() for row in of]
    own = [row for row in rows if row.provider == "Europe PMC" and row.prefix + row.postfix]
    assert len(own) >= 117
    for row in own:
        snippet = rebuild(row.prefix, row.exact, row.postfix, row.provider)
        hits = Terms("subject", [row.exact]).hits(snippet.text)
        assert any((hit.start, hit.end) == (snippet.start, snippet.end) for hit in hits), row


def test_a_snippet_is_anchored_at_its_offsets() -> None:
    place, why = anchor(rebuild("patients with", "pancreatic cancer", "cancer was 8-plex", "Europe PMC"), index(TEXT))
    assert why == ""
    assert place is not None
    assert place.text == "pancreatic cancer"
    assert TEXT[place.start : place.end] == place.text
    assert place.start == TEXT.index("pancreatic")


def test_citation_marks_and_white_space_do_not_matter() -> None:
    place, _ = anchor(rebuild("(EGFR) in", "pancreatic cancer", "cancer cells; Interleukin", "Europe PMC"), index(TEXT))
    assert place is not None
    assert place.start == TEXT.rindex("pancreatic")


def test_the_same_words_twice_are_placed_nowhere() -> None:
    snippet = rebuild("we saw", "plasma", "in the marsh", "Europe PMC")
    twice = index("Here we saw plasma in the marsh.", "There we saw plasma in the marsh.")
    assert anchor(snippet, twice) == (None, "ambiguous")
    passages = [
        Passage("full_text", "Materials and Methods", "m", "Here we saw plasma in the marsh."),
        Passage("full_text", "Results", "r", "There we saw plasma in the marsh."),
    ]
    place, _ = anchor(snippet, TextIndex(passages), "Methods")
    assert place is not None
    assert place.passage.block == "m"


def test_words_of_the_body_are_not_placed_in_the_abstract() -> None:
    snippet = rebuild("we saw", "plasma", "in the marsh", "Europe PMC")
    abstract = index("Here we saw plasma in the marsh.", where="abstract", path="Abstract")
    assert anchor(snippet, abstract, "Results") == (None, "no_such_words")
    assert anchor(snippet, abstract, "Abstract")[0] is not None


@pytest.mark.parametrize(("prefix", "exact", "postfix"), [("", "glimmer", ""), ("No", "glimmer", "."), ("a", "b", "c")])
def test_too_little_context_is_no_place(prefix: str, exact: str, postfix: str) -> None:
    assert anchor(rebuild(prefix, exact, postfix, "Europe PMC"), index(TEXT))[0] is None


def test_a_relation_without_context_is_placed_by_its_own_words() -> None:
    place, _ = anchor(rebuild("", "Wesaw (EGFR) in pancreatic cancer cells", "", "Open Targets Platform"), index(TEXT))
    assert place is not None
    assert place.text == "We saw (EGFR) in pancreatic cancer [3, 5] cells"


@settings(derandomize=True, max_examples=200)
@given(st.lists(st.text(alphabet="ab [3]\n.", max_size=20), min_size=1, max_size=4), st.data())
def test_whatever_is_found_is_what_was_sought(texts: list[str], data: st.DataObject) -> None:
    """Every anchor's words equal the words sought, white space and citation marks aside."""
    wanted = data.draw(st.text(alphabet="ab .", min_size=1, max_size=16))
    for place in index(*texts).find("", wanted, ""):
        assert squeezed(place.text) == squeezed(wanted)
