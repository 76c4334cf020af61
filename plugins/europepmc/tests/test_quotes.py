"""Quotations are exact, respaced, altered or absent, and every alteration is named."""

import hashlib

import pytest
from vouched_europepmc.anchors import Passage
from vouched_europepmc.quotes import Printed, check

TEXT = (
    "Episodes were shorter on fictol than on placebo (18.2 vs. 41.5 minutes). Fictol did not reduce their number. "
    "Doses of 112 mg and \u22125 mg were given to plasma [3] donors, and 3.30% fell ill."
)
PRINTED = Printed(
    [Passage("abstract", "Abstract", "abstract.1", "Nothing here."), Passage("full_text", "Results", "s3.1", TEXT)]
)


@pytest.mark.parametrize(
    "quoted", ["Fictol did not reduce their number.", '"Fictol did not reduce their number."', "112 mg"]
)
def test_an_exact_quotation_has_place_and_hash(quoted: str) -> None:
    found = check(quoted, PRINTED)
    assert found.outcome == "exact"
    assert TEXT[found.start : found.end] == found.text == quoted.strip('"')
    assert found.sha256 == hashlib.sha256(found.text.encode()).hexdigest()
    assert found.passage is not None
    assert found.passage.block == "s3.1"


@pytest.mark.parametrize(
    "quoted", ["Fictol  did not\nreduce their number.", "were given to plasma donors", "(18.2 vs.41.5 minutes)"]
)
def test_white_space_and_citation_marks_alone_are_told_apart(quoted: str) -> None:
    assert check(quoted, PRINTED).outcome == "whitespace_only"


@pytest.mark.parametrize(
    ("quoted", "kind", "ours", "theirs"),
    [
        ("shorter on fictol than on placebo (18.2 vs. 41.6 minutes)", "number", "41.6", "41.5"),
        ("Fictol did reduce their number.", "negation", "", "not"),
        ("Fictol did not increase their number.", "wording", "increase", "reduce"),
        ("Doses of 12 mg and \u22125 mg were given", "number", "12", "112"),
        ("Doses of 112 mg and 5 mg were given", "sign", "", "\u2212"),
        ("and 3.3% fell ill", "number", "3.3%", "3.30%"),
        ("fictol did not reduce their number.", "typography", "fictol", "Fictol"),
    ],
)
def test_an_alteration_is_named(quoted: str, kind: str, ours: str, theirs: str) -> None:
    found = check(quoted, PRINTED)
    assert found.outcome == "altered"
    assert (found.changes[0].kind, found.changes[0].quoted) == (kind, ours)
    assert theirs in ("", found.changes[0].printed)


@pytest.mark.parametrize(
    ("quoted", "printed"),
    [
        ("a change of -5 mg", "a change of \u22125 mg"),
        ("an anti-glimmer drug", "an anti\u2011glimmer drug"),
        ("aged 5-10 years", "aged 5\u201310 years"),
        ("18.2 minutes each", "18\u00b72 minutes each"),
        ("of >= 5 years", "of \u2265 5 years"),
        ("5 +/- 2 years", "5 \u00b1 2 years"),
        ("5 \u00b5g daily", "5 \u03bcg daily"),
        ('the "lantern sign" here', "the \u201clantern sign\u201d here"),
        ("the efficacy of it", "the e\ufb03cacy of it"),
        ("a di\ufb00erent flow", "a different flow"),
        ("4 x 10\u2076 cells", "4 x 10^6 cells"),
        ("at 10\u207b\u00b3 M each", "at 10^\u22123 M each"),
        ("a BMI of 30 kg/m\u00b2 or more", "a BMI of 30 kg/m2 or more"),
        ("levels of CO\u2082 rose", "levels of CO2 rose"),
    ],
)
def test_the_same_number_written_otherwise_is_a_difference_of_formatting(quoted: str, printed: str) -> None:
    """Decimal points, dashes and quotation marks alter nothing; the difference is named."""
    found = check(quoted, Printed([Passage("full_text", "Results", "s1.1", f"{printed} were seen.")]))
    assert found.outcome == "whitespace_only"
    assert {change.kind for change in found.changes} == {"formatting"}
    assert len(found.changes[0].quoted.split()) < len(quoted.split())


@pytest.mark.parametrize(
    ("quoted", "printed"),
    [
        ("In all 1204 people", "In all 1,204 people"),
        ("In all 1,204 people", "In all 1\u2009204 people"),
        ("In all 1,204,000.5 people", "In all 1 204 000.5 people"),
    ],
)
def test_a_thousands_separator_is_no_white_space_and_no_other_number(quoted: str, printed: str) -> None:
    found = check(quoted, Printed([Passage("full_text", "Results", "s1.1", f"{printed} were seen.")]))
    assert found.outcome == "altered"
    assert {change.kind for change in found.changes} == {"formatting"}


@pytest.mark.parametrize(
    ("quoted", "printed"), [("In all 1204 people", "In all 1\u2009204 people"), ("3.30% of all", "3.30 % of all")]
)
def test_a_space_within_a_number_is_white_space(quoted: str, printed: str) -> None:
    found = check(quoted, Printed([Passage("full_text", "Results", "s1.1", f"{printed} were seen.")]))
    assert (found.outcome, found.changes) == ("whitespace_only", [])


@pytest.mark.parametrize(
    ("quoted", "printed"),
    [("all 1240 of the people", "all 1,204 of the people"), ("all 1.204 of the people", "all 1,204 of the people"),
     ("all 204 of the people", "all 1,204 of the people"), ("all 103 of the people", "all 10\u00b3 of the people"),
     ("all 5 of the people", "all \u22125 of the people"), ("5 of the people", "all \u22125 of the people"),
     ("0.05 in all", "P < 0.01, or <0.05 in all"), ("1.16 in all people", "a CI of 0.88\u20131.16 in all people"),
     ("4 x 106 of them", "4 x 10^6 of them"), ("4 x 10\u2075 of them", "4 x 10^6 of them"),
     ("all 18,2 of the people", "all 18.2 of the people")],
)  # fmt: skip
def test_another_number_stays_altered_however_it_is_written(quoted: str, printed: str) -> None:
    found = check(quoted, Printed([Passage("full_text", "Results", "s1.1", f"{printed} were seen.")]))
    assert found.outcome == "altered"
    assert found.changes[0].kind in ("number", "sign")


@pytest.mark.parametrize("quoted", ["204 people none fell ill", "1\u2009204 people none fell ill"])
def test_a_quotation_never_cuts_a_grouped_number(quoted: str) -> None:
    printed = Printed([Passage("full_text", "Results", "s1.1", "Of 1\u2009204\u2009204 people none fell ill.")])
    assert check(quoted, printed).outcome == "altered"


@pytest.mark.parametrize("quoted", ["12 mg and \u22125 mg", "5 mg were given", "and 3.3"])
def test_a_quotation_never_cuts_a_number(quoted: str) -> None:
    assert check(quoted, PRINTED).outcome != "exact"


def test_what_is_not_there_is_absent() -> None:
    assert check("Lanterns burn longer in the northern marsh than anywhere else.", PRINTED).outcome == "absent"
    assert check("\u2026", PRINTED).outcome == "absent"


def test_an_elision_that_says_so_is_exact() -> None:
    found = check("Episodes were shorter on fictol [\u2026] (18.2 vs. 41.5 minutes)", PRINTED)
    assert (found.outcome, found.elided) == ("exact", True)


@pytest.mark.parametrize("quoted", ["Fictol did \u2026 reduce their number.", "Fictol [...] reduce their number"])
def test_an_elision_that_hides_a_negation_alters(quoted: str) -> None:
    found = check(quoted, PRINTED)
    assert (found.outcome, found.elided) == ("altered", True)
    assert [(change.kind, change.printed) for change in found.changes] == [("negation", "did not")]


def test_an_elision_that_hides_a_doubt_shows_it() -> None:
    printed = Printed([Passage("full_text", "Results", "s1.1", "In adults fictol may, we think, shorten episodes.")])
    found = check("In adults fictol \u2026 shorten episodes.", printed)
    assert (found.outcome, found.cues_outside) == ("exact", ["may"])
    assert check("Episodes were shorter on fictol \u2026 Fictol did not reduce", PRINTED).cues_outside == []


@pytest.mark.parametrize(
    "quoted", ["Epi-\nsodes were shorter", "Episodes were short- er on fictol", "Episodes\u00ad were shorter on fictol"]
)
def test_a_word_broken_at_the_end_of_a_line_is_white_space(quoted: str) -> None:
    assert check(quoted, PRINTED).outcome == "whitespace_only"


def test_a_hyphen_of_the_word_itself_stays_where_a_line_ends() -> None:
    printed = Printed([Passage("full_text", "Results", "s1.1", "A well-known, pre- and post-trial sign.")])
    assert check("A well-\nknown", printed).outcome == "whitespace_only"
    assert check("pre- and post-trial sign", printed).outcome == "exact"


def test_citation_marks_left_out_are_no_changed_numbers() -> None:
    marks = "The long list of all the donors [1, 2, 5-9] was given to the plasma [3] bank."
    printed = Printed([Passage("full_text", "Results", "s1.1", marks)])
    found = check("The long list of all the donors was given to a plasma bank.", printed)
    assert [(change.kind, change.quoted, change.printed) for change in found.changes] == [("wording", "a", "the")]
    wrong = check("donors [1, 2, 5-9] was given to the plasma [4] bank.", printed)
    assert [change.kind for change in wrong.changes] == ["number"]


def test_words_left_out_around_a_quotation_are_shown() -> None:
    found = check("reduce their number", PRINTED)
    assert found.outcome == "exact"
    assert found.cues_outside == ["did not"]
    assert check("Fictol did not reduce their number", PRINTED).cues_outside == []


def test_two_sentences_spliced_are_altered() -> None:
    found = check("Episodes were shorter on fictol than their number.", PRINTED)
    assert found.outcome in ("altered", "absent")
