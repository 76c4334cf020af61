"""Dates of machine-readable references, and embargoes told in words."""

import datetime

import pytest
from vouched.access import Access, Decision, Statement
from vouched.services.licence import TablePolicy
from vouched.services.licence_periods import not_in_force, without_ended_embargoes

TODAY = datetime.date(2024, 6, 1)
BY = "https://creativecommons.org/licenses/by/4.0/"


def decide(*statements: Statement, published: str = "") -> Decision:
    access = Access(
        open=False, in_archive=True, licence="", source="t", statements=list(statements), published=published
    )
    return TablePolicy(today=lambda: TODAY).decide(access)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("applies from 2024-05-31", True),
        ("applies from 2024-06-02", False),
        ("applies from 2024-06-02T00:00:00Z", False),
        ("applies from 2024-6-2", False),
        ("applies from 2024", False),
        ("applies from 2024-06", False),
        ("applies from 2023", True),
        ("applies from 2099", False),
        ("applies from 01/01/2020", False),
        ("applies from acceptance", False),
        ("applies until 2024", False),
        ("applies until 2025", True),
        ("applies from 2023-01-01 applies until 2024-01-01", False),
        ("It applies from 2099 on.", True),
    ],
)
def test_a_date_that_is_not_whole_or_not_understood_is_taken_against_the_licence(text: str, counts: bool) -> None:
    assert bool(not_in_force(text, TODAY)) is not counts


@pytest.mark.parametrize(
    ("text", "published", "over"),
    [
        ("After six months it is available under CC BY 4.0.", "2023-11-01", True),
        ("After six months it is available under CC BY 4.0.", "2024-01-01", False),
        (
            "From twelve months after its original publication, this work is licensed under CC BY 4.0.",
            "2023-05-01",
            True,
        ),
        (
            "From twelve months after its original publication, this work is licensed under CC BY 4.0.",
            "2023-07-01",
            False,
        ),
        ("From twelve months after its original publication, this work is licensed under CC BY 4.0.", "2023", False),
        ("Following a 24-month embargo, this article is available under CC BY 4.0.", "2020-05", True),
        ("After an embargo period of 12 months this article is licensed under CC BY 4.0.", "2020", True),
        ("After an embargo period of 12 months this article is licensed under CC BY 4.0.", "", False),
        ("From 1 January 2020 this article is licensed under CC BY 4.0.", "", True),
        ("From January 2020, this article is available under CC BY 4.0.", "", True),
        ("As of 2024-05-31 this article is licensed under CC BY 4.0.", "", True),
        ("As of June 2024 this article is licensed under CC BY 4.0.", "", False),
        ("From 31 February 2020 this article is licensed under CC BY 4.0.", "", False),
        ("This article will be available under CC BY 4.0 after 12 months.", "2010", False),
        ("This article is licensed under CC BY 4.0 for the first six months.", "2024-05-01", False),
        ("Until 2020 this article was licensed under CC BY 4.0.", "", False),
    ],
)
def test_an_embargo_holds_until_it_is_known_to_be_over(text: str, published: str, over: bool) -> None:
    decision = decide(Statement(text=text), published=published)
    assert (decision.rule == "a") is over, without_ended_embargoes(text, TODAY, published)


def test_an_embargo_in_words_holds_for_the_address_beside_it() -> None:
    """Unless a plain sentence says that the licence holds."""
    words = Statement(text="From 1 January 2099 this article is licensed under CC BY 4.0.")
    for address in (Statement(url=BY), Statement(licence_type="cc-by"), Statement(text=f"To view a copy, visit {BY}")):
        assert decide(words, address).rule == "e"
        assert decide(address).rule == "a"
    assert decide(words, Statement(text="This article is licensed under CC BY 4.0.")).rule == "a"
    assert decide(words, Statement(url=BY.replace("by", "by-nc"))).conditions == ["attribution", "non_commercial"]


@pytest.mark.parametrize(
    "words",
    [
        "This article is no longer licensed under CC BY 4.0.",
        "The licence of this article has been withdrawn.",
        "This article is not under a Creative Commons licence.",
        "CC BY 4.0 does not apply to this article.",
    ],
)
def test_a_denial_outweighs_every_statement(words: str) -> None:
    for other in (Statement(url=BY), Statement(text="This article is licensed under CC BY 4.0.")):
        for statements in ((Statement(text=words), other), (other, Statement(text=words))):
            decision = decide(*statements)
            assert (decision.rule, decision.uses.read) == ("e", "no")
            assert any("opens nothing by itself" in fact for fact in decision.also)


def test_what_is_denied_forbids_nothing() -> None:
    words = "This article is licensed under CC BY 4.0. This article is not licensed under CC BY-NC 4.0."
    assert decide(Statement(text=words)).uses.commercial == "yes"
