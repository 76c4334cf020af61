"""No restriction is lost: neither in a name that is oddly written, nor in words beside it, nor in a second licence."""

import pytest
from vouched.access import Access, Decision, Statement
from vouched.services.licence import TablePolicy
from vouched.services.licence_reading import LONGEST, read_field

BY = Statement(url="https://creativecommons.org/licenses/by/4.0/")
NC, ND, BOTH = ("commercial",), ("derive",), ("commercial", "derive")


def decide(*statements: Statement, **facts: object) -> Decision:
    known = {"open": False, "in_archive": True, "licence": ""} | facts
    return TablePolicy().decide(Access(statements=list(statements), source="t", **known))  # type: ignore[arg-type]


NAMES = {
    "Creative Commons Attribution&#8209;NonCommercial 4.0": NC,
    "Creative Commons Attribution, Non-Commercial 4.0": NC,
    "Creative Commons Attribution + NonCommercial": NC,
    "Creative Commons Attribution • NonCommercial": NC,
    "Creative Commons Attribution (NonCommercial)": NC,
    "Creative Commons Attribution 4.0 NonCommercial": NC,
    "Creative Commons Attribution License (Non-Commercial)": NC,
    "Creative Commons Attribution 4.0 International (NonCommercial, NoDerivatives)": BOTH,
    "Creative Commons Attribution-NonDerivative-NonCommercial License": BOTH,
    "Creative Commons Attribution-NonCommerical 4.0": NC,
    "Creative Commons Attribution-No Derivs 4.0": ND,
    "Creative Commons Attribution-NoDerivates": ND,
    "Attribution-NonCommercial Creative Commons License": NC,
    "Creative Commons Non-Commercial License": NC,
    "Creative Commons BY-NC 4.0": NC,
    "Creative Commons (BY-NC-ND)": BOTH,
    "Creative Commons Attribution-Educational 4.0": BOTH,
    "CC BY + NC 4.0": NC,
    "CC BY.NC": NC,
    "CC BY−NC": NC,
    "CC BY—NC": NC,
    "CC BY － NC": NC,
    "CC BY, NC": NC,
    "CC BY (NC)": NC,
    "CC BY and NC": NC,
    "CC BY 4.0 NC": NC,
    "CC BY 4.0-NC-ND": BOTH,
    "CC-BY\u00ad-NC": NC,
    "CC BY\u200b-NC": NC,
    "CC BY-ＮＣ": NC,
    "CC BY NC\u2011ND": BOTH,
    "CCBY-NC-ND": BOTH,
    "cc-by-nc-nd 4.0": BOTH,
    "CC BY Non-Commercial No-Derivatives": BOTH,
    "CC BY-X 4.0": BOTH,
    "CC BY for non-commercial use": NC,
    "CC BY 4.0 (no derivatives)": ND,
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_read_to_its_end(name: str) -> None:
    for words in (f"This article is licensed under {name}.", f"This article is under the {name} licence.", name):
        for decision in (
            decide(Statement(text=words)),
            decide(licence=words, open=True),
            decide(Statement(licence_type=words), open=True),
        ):
            assert "yes" not in [getattr(decision.uses, use) for use in NAMES[name]], words


WORDS = {
    "No commercial re-use.": NC,
    "Commercial use is prohibited.": NC,
    "Commercial use requires permission.": NC,
    "Permission is required for commercial use.": NC,
    "For commercial re-use, please contact permissions@press.example.": NC,
    "For non-commercial use only.": NC,
    "Non-commercial use is permitted.": NC,
    "It may not be used commercially.": NC,
    "Contents may not be used for commercial purposes, or adapted, transformed or built upon.": BOTH,
    "The work cannot be changed in any way or used commercially without permission.": BOTH,
    "No modifications or adaptations are permitted.": ND,
    "No derivative works are permitted.": ND,
    "You may not alter, transform, or build upon this work.": ND,
    "Only verbatim copies are permitted.": ND,
    "Text and data mining is not permitted.": ("mine",),
    "All rights are reserved, including those for text and data mining.": ("mine",),
    "No reuse allowed without permission.": ("quote", "mine", "redistribute", *BOTH),
}


@pytest.mark.parametrize("words", WORDS)
def test_words_that_forbid_a_use_hold_beside_a_licence(words: str) -> None:
    together = Statement(text=f"This article is licensed under CC BY 4.0. {words}")
    for statements in ((together,), (BY, Statement(text=words)), (Statement(url=BY.url, text=words),)):
        decision = decide(*statements)
        assert decision.rule == "a"
        assert {use for use in WORDS[words] if getattr(decision.uses, use) == "yes"} == set()
        assert decision.uses.read == "yes"


@pytest.mark.parametrize(
    "words",
    [
        "It permits commercial and non-commercial use.",
        "It permits use for any purpose, even commercially.",
        "Use for commercial purposes is permitted.",
        "No special permission is required to reuse this article, even for commercial purposes.",
        "It can be used with or without modification.",
        "You must indicate if changes were made.",
        "The authors have no commercial interests.",
        "The research was done without any commercial or financial relationships.",
        "Figure 2 may not be used commercially.",
        "The data are for non-commercial use only.",
    ],
)
def test_words_that_forbid_nothing_of_the_article(words: str) -> None:
    for statements in ((Statement(text=f"It is licensed under CC BY 4.0. {words}"),), (BY, Statement(text=words))):
        decision = decide(*statements)
        assert set(decision.uses.__struct_fields__) == {
            use for use in decision.uses.__struct_fields__ if getattr(decision.uses, use) == "yes"
        }, decision.decided_by


@pytest.mark.parametrize(
    ("field", "kind"),
    [
        ("CC BY 4.0; CC BY-NC 4.0", "by-nc"),
        ("cc by-nc, cc by-nd", "by-nc-nd"),
        ("cc by-sa / cc by-nc", "by-nc-sa"),
        ("cc0, cc by-nc", "by-nc"),
        ("https://creativecommons.org/licenses/by/4.0/ https://creativecommons.org/licenses/by-nc/4.0/", "by-nc"),
        ("https://creativecommons.org/licenses/by/4.0/,https://creativecommons.org/licenses/by-nc/4.0/", "by-nc"),
        ("CC BY 4.0 International", "by"),
        ("cc nc", "by-nc"),
    ],
)
def test_several_licences_of_one_field_hold_together(field: str, kind: str) -> None:
    found = read_field(field)
    assert found is not None
    assert (found.kind, found.doubt) == (kind, "")


@pytest.mark.parametrize("field", ["cc by?", "not cc by", "cc by (figures)", "cc by pending", "cc by after embargo"])
def test_a_field_that_hedges_opens_no_use_beyond_reading(field: str) -> None:
    decision = decide(licence=field, open=True)
    assert (decision.rule, decision.uses.read, decision.uses.quote) == ("c", "yes", "unknown")


def test_a_statement_too_long_to_be_judged_still_closes() -> None:
    decision = decide(BY, Statement(text="This article is licensed under CC BY-NC 4.0. " + "word " * LONGEST))
    assert (decision.rule, decision.uses.commercial) == ("a", "no")
    assert decide(Statement(text="This article is licensed under CC BY 4.0. " + "word " * LONGEST)).rule == "e"


@pytest.mark.parametrize("words", ["No reuse allowed without permission.", "Text and data mining is not permitted."])
def test_a_manuscript_whose_own_words_forbid_mining_is_not_mined(words: str) -> None:
    assert decide(manuscript=True).uses.mine == "yes"
    decision = decide(Statement(text=words), manuscript=True)
    assert decision.rule == "b"
    assert decision.uses.mine != "yes"


@pytest.mark.parametrize(
    "words",
    [
        "This is a U.S. Government work and not under copyright in the US; foreign copyright protection may apply.",
        "This is a work of the U.S. Government. Foreign copyrights may apply.",
        "This work is in the public domain in the United States. Outside the United States copyright may hold.",
    ],
)
def test_a_public_domain_that_ends_at_the_border_lets_people_read(words: str) -> None:
    """17 U.S.C. § 105 says nothing of other countries, and the reader may be in one."""
    decision = decide(Statement(text=words))
    assert (decision.rule, decision.uses.read, decision.uses.quote) == ("a", "yes", "unknown")
