"""Terms are found as whole words, in any case but for short abbreviations."""

import unicodedata

import pytest
from vouched.api import InvalidArgument
from vouched_europepmc.matching import Terms, read_terms


def found(term: str, text: str) -> list[str]:
    return [text[hit.start : hit.end] for hit in Terms("subject", [term]).hits(text)]


@pytest.mark.parametrize(
    ("term", "text", "words"),
    [
        ("fictol", "Fictol, (FICTOL) and fictols; afictol", ["Fictol", "FICTOL"]),
        ("TNF", "TNF but not tnf, TNFa or aTNF", ["TNF"]),
        ("ALL", "all patients with ALL", ["ALL"]),
        ("LNT1", "lnt1 and LNT1 and LNT10", ["lnt1", "LNT1"]),
        ("glimmer  syndrome", "glimmer\n syndrome", ["glimmer\n syndrome"]),
        ("IL-6", "IL\u20116 and IL\u20126", ["IL\u20116", "IL\u20126"]),
        ("(R)-x", "give (R)-x now", ["(R)-x"]),
        ("café", unicodedata.normalize("NFD", "un café"), [unicodedata.normalize("NFD", "café")]),
    ],
)
def test_r32_boundaries_and_case(term: str, text: str, words: list[str]) -> None:
    assert found(term, text) == words


def test_r29_the_longest_alternative_is_named() -> None:
    terms = Terms("object", ["necrosis factor", "tumour necrosis factor alpha", "Necrosis Factor"])
    assert terms.alternatives == ["necrosis factor", "tumour necrosis factor alpha"]
    assert [hit.term for hit in terms.hits("tumour necrosis factor alpha, necrosis factor")] == [
        "tumour necrosis factor alpha",
        "necrosis factor",
    ]


@pytest.mark.parametrize("alternatives", [[""], ["  "], [str(number) for number in range(9)]])
def test_r29_one_to_eight_alternatives(alternatives: list[str]) -> None:
    with pytest.raises(InvalidArgument) as caught:
        Terms("object", alternatives)
    assert caught.value.path == "terms.object"


def test_r29_a_role_may_stand_alone_but_not_none() -> None:
    assert [terms.role for terms in read_terms({"object": ["x"], "subject": None})] == ["object"]
    with pytest.raises(InvalidArgument):
        read_terms({})
    with pytest.raises(InvalidArgument) as caught:
        read_terms({"object": ["x"], "subject": []})
    assert caught.value.path == "terms.subject"
    assert caught.value.hint
