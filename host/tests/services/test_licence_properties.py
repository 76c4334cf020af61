"""What holds for any statements: the gate never raises, order plays no part, and more words never open more."""

import itertools

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched.access import Access, Decision, Statement
from vouched.policy import USES
from vouched.services.licence import TablePolicy
from vouched.services.licence_facts import LEVELS

WORDS = [
    "Creative Commons Attribution License",
    "CC BY\u2011NC\u2011ND 4.0",
    "CC\u00a0BY\u00a04.0",
    "CC BY 4.0\u202e",
    "https://creativecommons.org/licenses/by/4.0/",
    "https://creativecommons.org/licenses/by-nc/4.0/",
    "https://creativecommons.org/licenses/by-nd/3.0/",
    "not under a Creative Commons Attribution License",
    "All rights reserved.",
    "no reuse allowed without permission",
    "http://www.elsevier.com/open-access/userlicense/1.0/",
    "This file is available for text mining.",
    "CC0",
    "\u00a9 2024 Invented Society",
]
RECORDS = [
    {"open": True, "in_archive": True, "licence": ""},
    {"open": True, "licence": "cc by-nc"},
    {"open": False, "licence": "cc by"},
    {"manuscript": True, "open": False, "in_archive": True},
    {},
]


def decide(statements: list[Statement], **facts: object) -> Decision:
    return TablePolicy().decide(Access(statements=statements, source="t", **facts))  # type: ignore[arg-type]


def levels(decision: Decision) -> list[int]:
    return [LEVELS.index(getattr(decision.uses, use)) for use in USES]


@pytest.mark.parametrize("facts", RECORDS, ids=str)
def test_of_any_two_statements_order_plays_no_part_and_the_second_opens_nothing(facts: dict[str, object]) -> None:
    for first, second in itertools.permutations([Statement(text=words) for words in WORDS], 2):
        alone, both = decide([first], **facts), decide([first, second], **facts)
        assert both.uses == decide([second, first], **facts).uses
        if alone.rule == both.rule == "a":
            assert all(now <= before for now, before in zip(levels(both), levels(alone), strict=True))


@pytest.mark.parametrize(
    "words",
    [
        "https://creativecommons.org.evil.example/licenses/by/4.0/",
        "http://creativecommons.org/licenses/../by/4.0/",
        "CC B\u0423 4.0",
        "c c b y",
        "\uff23\uff23 \uff22\uff39 4.0",
        "\ud800",
        "",
    ],
)
def test_what_only_looks_like_a_licence_opens_nothing(words: str) -> None:
    for decision in (
        decide([Statement(text=words)], open=True, in_archive=True, licence=""),
        decide([Statement(url=words)], open=True, in_archive=True, licence=""),
        decide([], open=True, in_archive=True, licence=words),
    ):
        assert decision.rule == "c"
        assert msgspec.structs.astuple(decision.uses) == ("yes", *["unknown"] * 5)


@given(
    st.lists(
        st.builds(Statement, text=st.text(max_size=80), url=st.text(max_size=40), licence_type=st.text(max_size=20))
    ),
    st.one_of(st.none(), st.text(max_size=60)),
    st.sampled_from([True, False, None]),
)
def test_no_text_makes_the_policy_fail(statements: list[Statement], licence: str | None, flag: bool | None) -> None:
    decision = decide(statements, licence=licence, open=flag)
    assert decision.rule
    assert decision.decided_by
