"""Negation and hedge labels with their cue and its scope."""

from itertools import pairwise

import pytest
from vouched_europepmc.cues import clauses, cues, labels
from vouched_europepmc.matching import Terms

ROLES = {"subject": Terms("subject", ["fictol"]), "object": Terms("object", ["glimmer syndrome", "lantern fever"])}


def judged(sentence: str) -> list[str]:
    spans = {role: [(hit.start, hit.end) for hit in terms.hits(sentence)] for role, terms in ROLES.items()}
    return labels(cues(sentence, spans))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Fictol shortened glimmer syndrome (p < 0.001).", ["no_cue_found"]),
        ("Fictol did not shorten glimmer syndrome.", ["negated"]),
        ("There was no evidence that fictol shortens glimmer syndrome.", ["negated"]),
        ("An effect of fictol on glimmer syndrome was not found.", ["negated"]),
        ("Neither fictol nor placebo shortened glimmer syndrome.", ["negated"]),
        ("Fictol didn\u2019t shorten glimmer syndrome.", ["negated"]),
        ("Fictol has not yet been tested in glimmer syndrome.", ["negated"]),
        ("Fictol may shorten glimmer syndrome.", ["hedged"]),
        ("These data suggest that fictol shortens glimmer syndrome.", ["hedged"]),
        ("The role of fictol in glimmer syndrome remains unclear.", ["hedged"]),
        (
            "These results suggest, but do not prove, that early fictol shortens glimmer syndrome.",
            ["negated", "hedged"],
        ),
        (
            "Our data suggest, although they do not show, that fictol shortens glimmer syndrome.",
            ["negated", "hedged"],
        ),
        ("These data suggest, as others did, that fictol shortens glimmer syndrome.", ["hedged"]),
        ("These data do not show, but suggest, that fictol shortens glimmer syndrome.", ["negated", "hedged"]),
        ("Placebo may help, but rest, we found, shortened glimmer syndrome.", ["cue_out_of_scope"]),
        ("A link of fictol to glimmer syndrome is unlikely.", ["negated", "hedged"]),
    ],
)
def test_plain_cases(sentence: str, expected: list[str]) -> None:
    assert judged(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Fictol shortened glimmer syndrome not only in adults but also in children.", ["no_cue_found"]),
        ("Fictol was not only safe in glimmer syndrome but cheap.", ["no_cue_found"]),
        ("An effect of fictol on glimmer syndrome cannot be excluded.", ["hedged"]),
        ("An effect of fictol on glimmer syndrome could not entirely be ruled out.", ["hedged"]),
        ("Placebo did not help, but fictol shortened glimmer syndrome.", ["cue_out_of_scope"]),
        ("Although placebo did not help, fictol shortened glimmer syndrome.", ["cue_out_of_scope"]),
        ("Fictol shortened glimmer syndrome, whereas placebo had no effect.", ["cue_out_of_scope"]),
        ("No deaths occurred, and fictol shortened glimmer syndrome.", ["cue_out_of_scope"]),
        ("Fictol, which was not tested before, shortened glimmer syndrome.", ["cue_out_of_scope"]),
        ("Fictol (but not placebo) shortened glimmer syndrome.", ["cue_out_of_scope"]),
        ("Fictol rather than placebo shortened glimmer syndrome.", ["cue_out_of_scope"]),
        ("Placebo rather than fictol shortened glimmer syndrome.", ["negated"]),
        ("Glimmer syndrome was not uncommon on fictol.", ["double_negation"]),
        ("No patient without fictol had glimmer syndrome.", ["double_negation"]),
        ("Fictol did not fail to shorten glimmer syndrome.", ["double_negation"]),
        ("There is no doubt that fictol cures lantern fever.", ["no_cue_found"]),
        ("NO release by fictol shortened glimmer syndrome.", ["no_cue_found"]),
        ("In trial no. 5 fictol shortened glimmer syndrome.", ["no_cue_found"]),
        ("Glimmer syndrome was seen in May 2020 on fictol.", ["no_cue_found"]),
        ("Fictol changed the membrane potential in glimmer syndrome.", ["no_cue_found"]),
        ("Patients on fictol were more likely to have glimmer syndrome.", ["no_cue_found"]),
        ("It is not known if fictol shortens glimmer syndrome.", ["hedged"]),
        ("It was not yet clear whether fictol shortens glimmer syndrome.", ["hedged"]),
        ("Fictol, but not rest, shortened glimmer syndrome.", ["cue_out_of_scope"]),
        ("Rest, but not fictol, shortened glimmer syndrome.", ["negated"]),
        ("Fictol was safe but not associated with glimmer syndrome.", ["negated"]),
        ("Fictol shortened glimmer syndrome in patients who did not smoke.", ["cue_out_of_scope"]),
        ("Patients who did not take fictol had glimmer syndrome.", ["negated"]),
        ("No patients who took fictol had glimmer syndrome.", ["negated"]),
        ("The effect of fictol on glimmer syndrome in patients who smoke was not significant.", ["negated"]),
        ("Fictol by no means shortened glimmer syndrome.", ["negated"]),
        ("Fictol shortened glimmer syndrome in none of 12 patients.", ["negated"]),
    ],
)
def test_traps(sentence: str, expected: list[str]) -> None:
    assert judged(sentence) == expected


def test_a_cue_names_its_words_and_scope() -> None:
    sentence = "Fever fell; fictol did not shorten glimmer syndrome, but it helped."
    (cue,) = cues(sentence, {"object": [(sentence.index("glimmer"), sentence.index(","))]})
    assert sentence[cue.start : cue.end] == cue.text == "did not"
    assert sentence[cue.scope_start : cue.scope_end].strip("; ,") == "fictol did not shorten glimmer syndrome"
    assert cue.covers == ["object"]


def test_clauses_cover_the_sentence() -> None:
    sentence = "If it rains, we (who do not) stay; others, which is rare, go."
    spans = clauses(sentence)
    assert (spans[0][0], spans[-1][1]) == (0, len(sentence))
    assert all(one[1] == other[0] for one, other in pairwise(spans))
