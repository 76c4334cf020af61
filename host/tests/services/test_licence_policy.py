"""The rules (a) to (e), with invented records and statements for what the corpus lacks."""

import datetime

import msgspec
import pytest
from vouched.access import Access, Decision, Statement
from vouched.services.licence import TablePolicy

CLOSED, UNKNOWN, READ, MINE = "nnnnnn", "uuuuuu", "yuuuuu", "nnynnn"
BY = Statement(url="https://creativecommons.org/licenses/by/4.0/", line=10)
BY_NC = Statement(url="https://creativecommons.org/licenses/by-nc/4.0/", line=20)
BY_ND = Statement(url="https://creativecommons.org/licenses/by-nd/4.0/", line=30)
COPYRIGHT = Statement(text="© 2024 Invented Society. All rights reserved.", place="copyright", line=5)
NOTICE = Statement(text="This file is available for text mining.", line=7)


def decide(*statements: Statement, **facts: object) -> Decision:
    return TablePolicy().decide(Access(statements=list(statements), source="t", **facts))  # type: ignore[arg-type]


def letters(decision: Decision) -> str:
    return "".join(use[0] for use in msgspec.structs.astuple(decision.uses))


USES = {
    "by": ("yyyyyy", ["attribution"]),
    "by-sa": ("yyyyyy", ["attribution", "share_alike"]),
    "by-nd": ("yyyyyn", ["attribution", "no_derivatives"]),
    "by-nc": ("yyyyny", ["attribution", "non_commercial"]),
    "by-nc-sa": ("yyyyny", ["attribution", "share_alike", "non_commercial"]),
    "by-nc-nd": ("yyyynn", ["attribution", "non_commercial", "no_derivatives"]),
    "0": ("yyyyyy", []),
}


@pytest.mark.parametrize("kind", USES)
def test_uses_and_conditions_of_each_licence(kind: str) -> None:
    """No-derivatives licences still allow reading, quoting, mining and passing on; commercial use only without `nc`."""
    for decision in (decide(open=True, licence=f"cc {kind}"), decide(Statement(licence_type=f"cc-{kind}"))):
        assert (letters(decision), decision.conditions, decision.rule) == (*USES[kind], "a")


def test_nobody_was_asked_is_not_checked_and_never_none() -> None:
    for decision in (TablePolicy().decide(None), TablePolicy().decide(Access())):
        assert (letters(decision), decision.rule, decision.licence) == (UNKNOWN, "not_checked", "not_checked")
        assert decision.tier == "NOT_CHECKED"
        assert decision.decided_by
        assert decision.needed


@pytest.mark.parametrize(
    ("facts", "tier"),
    [
        ({"open": True, "in_archive": True}, "OPEN_ACCESS"),
        ({"open": True, "link_free": True}, "OPEN_ACCESS"),
        ({"open": True, "preprint": True}, "OPEN_ACCESS"),
        ({"open": True}, "ABSTRACT_ONLY"),
        ({"open": False, "in_archive": True}, "FREE_TO_READ"),
        ({"open": False, "link_free": True}, "ABSTRACT_ONLY"),
        ({"open": False, "preprint": True}, "ABSTRACT_ONLY"),
        ({"in_archive": True}, "NOT_CHECKED"),
    ],
)
def test_the_tier_says_how_the_text_can_be_reached(facts: dict[str, object], tier: str) -> None:
    assert decide(**facts).tier == tier


def test_p78_a_manuscript_without_a_statement_may_be_mined_only() -> None:
    statement = Statement(
        text="Users may view, print, copy, and download text for the purposes of academic research.", place="copyright"
    )
    for facts in ({}, {"open": True, "licence": ""}, {"open": False, "in_archive": True, "licence": ""}):
        decision = decide(statement, manuscript=True, **facts)
        assert (letters(decision), decision.rule, decision.licence) == (MINE, "b", "none")
        assert "author manuscript" in decision.decided_by


def test_p78_the_manuscript_notice_alone_tells_a_manuscript() -> None:
    assert letters(decide(NOTICE, open=True, in_archive=True)) == MINE


def test_a_manuscript_with_a_creative_commons_statement_is_licensed() -> None:
    decision = decide(NOTICE, BY, manuscript=True, open=False, in_archive=True, licence="")
    assert (letters(decision), decision.rule, decision.spdx) == ("yyyyyy", "a", "CC-BY-4.0")
    assert "line 10" in decision.decided_by
    assert "an author manuscript" in decision.also


def test_a_manuscript_with_a_licence_in_its_open_record_is_licensed() -> None:
    decision = decide(manuscript=True, open=True, in_archive=True, licence="cc by-nc")
    assert (decision.rule, decision.licence) == ("a", "cc by-nc")
    assert letters(decide(manuscript=True, open=False, in_archive=True, licence="cc by-nc")) == MINE


def test_p79_bronze_is_a_link_and_no_licence() -> None:
    for flag in (True, False, None):
        decision = decide(open=flag, bronze=True, link_free=True, licence="")
        assert (letters(decision), decision.rule) == (CLOSED, "e")
        assert "bronze" in decision.decided_by


def test_open_without_a_licence_lets_people_read_and_says_nothing_more() -> None:
    decision = decide(open=True, in_archive=True, licence="")
    assert (letters(decision), decision.rule, decision.licence) == (READ, "c", "none")
    assert decision.needed
    assert letters(decide(COPYRIGHT, open=True, in_archive=True, licence="")) == READ


@pytest.mark.parametrize(
    "statement",
    [
        Statement(url="http://pubs.acs.org/page/policy/authorchoice_termsofuse.html", text="ACS AuthorChoice"),
        Statement(url="http://www.elsevier.com/open-access/userlicense/1.0/"),
        Statement(url="http://www.frontiersin.org/licenseagreement"),
        Statement(text="This article is made available for unrestricted research re-use."),
        Statement(text="© Crown copyright 2024. Contains information licensed under the Open Government Licence v3.0."),
        Statement(text="© The King in Right of Invented Land 2024."),
        Statement(text="Personal use is permitted, but republication/redistribution requires permission."),
    ],
)
def test_publishers_terms_let_people_read_where_the_record_is_open(statement: Statement) -> None:
    decision = decide(statement, open=True, in_archive=True, licence="")
    assert (letters(decision), decision.rule) == (READ, "c")
    assert decision.licence not in ("none", "not_checked")
    assert letters(decide(statement, open=False, in_archive=True, licence="")) == CLOSED


def test_an_unknown_licence_string_of_an_open_record_lets_people_read() -> None:
    decision = decide(open=True, in_archive=True, licence="publisher-specific")
    assert (letters(decision), decision.rule, decision.licence) == (READ, "c", "publisher-specific")


def test_flags_against_a_licence_string_decide_and_both_are_named() -> None:
    decision = decide(open=False, licence="cc by")
    assert (letters(decision), decision.rule, decision.licence) == (CLOSED, "d", "cc by")
    assert "not flagged open access" in decision.decided_by
    assert "cc by" in decision.decided_by


def test_a_licence_string_without_flags_decides_nothing() -> None:
    decision = decide(licence="cc by", in_archive=True)
    assert (letters(decision), decision.rule, decision.tier) == (UNKNOWN, "d", "NOT_CHECKED")


def test_in_an_archive_but_not_open_is_a_link_only() -> None:
    decision = decide(open=False, in_archive=True, licence="")
    assert (letters(decision), decision.rule, decision.tier) == (CLOSED, "e", "FREE_TO_READ")


def test_of_two_statements_the_stricter_wins_and_both_are_named() -> None:
    for statements in ((BY, BY_NC), (BY_NC, BY)):
        decision = decide(*statements)
        assert (letters(decision), decision.spdx) == ("yyyyny", "CC-BY-NC-4.0")
        assert "line 10" in decision.decided_by
        assert "line 20" in decision.decided_by


def test_two_statements_that_forbid_different_things_hold_together() -> None:
    decision = decide(BY_NC, BY_ND)
    assert letters(decision) == "yyyynn"
    assert decision.conditions == ["attribution", "non_commercial", "no_derivatives"]
    assert decision.spdx == ""
    assert "CC BY-NC 4.0" in decision.licence
    assert "CC BY-ND 4.0" in decision.licence


def test_record_and_text_contradict_each_other() -> None:
    """The record's field counts for strictness even where the record is not flagged open."""
    for flag in (True, False):
        decision = decide(BY, open=flag, in_archive=True, licence="cc by-nc-nd")
        assert letters(decision) == "yyyynn"
        assert "line 10" in decision.decided_by
        assert "licence field" in decision.decided_by
    assert letters(decide(BY_NC, open=True, in_archive=True, licence="cc by")) == "yyyyny"


def test_the_same_licence_stated_twice_is_no_contradiction() -> None:
    decision = decide(BY, Statement(text="Under the Creative Commons Attribution License.", line=11), licence="cc by")
    assert decision.decided_by.count("CC BY") == 1
    assert decision.also == []


def test_a_version_that_differs_is_told() -> None:
    older = Statement(url="http://creativecommons.org/licenses/by/3.0/", line=12)
    decision = decide(BY, older)
    assert decision.spdx == "CC-BY-4.0"
    assert any("CC BY 3.0" in fact for fact in decision.also)


def test_strict_publishers_terms_beside_a_licence_win() -> None:
    user = Statement(url="http://www.elsevier.com/open-access/userlicense/1.0/", line=40)
    decision = decide(BY, user, open=True, in_archive=True)
    assert letters(decision) == READ
    assert "line 40" in decision.decided_by


def test_all_rights_reserved_beside_a_licence_is_no_contradiction() -> None:
    assert letters(decide(COPYRIGHT, BY)) == "yyyyyy"


@pytest.mark.parametrize("place", ["figure", "table", "body", "back", "data"])
def test_a_statement_of_something_else_gives_the_article_nothing(place: str) -> None:
    """A CC0 data statement, a figure's credit line, a licence named in the body: none speaks for the article."""
    zero = Statement(url="https://creativecommons.org/publicdomain/zero/1.0/", place=place, object="x")  # type: ignore[arg-type]
    assert letters(decide(zero, COPYRIGHT, open=False, in_archive=True, licence="")) == CLOSED
    assert letters(decide(msgspec.structs.replace(zero, place="permissions"), open=False)) == CLOSED


def test_a_cc0_data_waiver_inside_the_licence_paragraph_does_not_count() -> None:
    waiver = Statement(
        text="© 2024 Invented Society, all rights reserved. The Creative Commons Public Domain Dedication waiver "
        "(http://creativecommons.org/publicdomain/zero/1.0/) applies to the data made available in this article."
    )
    assert letters(decide(waiver, open=False, in_archive=True, licence="")) == CLOSED
    decision = decide(waiver, BY, open=True, in_archive=True)
    assert (decision.spdx, decision.conditions) == ("CC-BY-4.0", ["attribution"])


def test_restricted_by_pmc_is_no_signal() -> None:
    marked = Statement(licence_type="restricted-by-pmc", text="pmc")
    assert letters(decide(marked, open=True, in_archive=True, licence="cc by")) == "yyyyyy"


def test_a_creative_commons_licence_without_its_kind_lets_people_read() -> None:
    decision = decide(Statement(text="It is licensed under a Creative Commons license.", line=3))
    assert (letters(decision), decision.rule) == (READ, "a")
    assert decide(Statement(licence_type="creative-commons"), BY_NC).spdx == "CC-BY-NC-4.0"


def test_public_domain_of_the_us_government() -> None:
    decision = decide(Statement(text="This is a work of the U.S. Government.", line=2))
    assert (letters(decision), decision.conditions, decision.spdx) == ("yyyyyy", [], "")


def test_a_bronze_record_is_not_opened_by_its_licence_field() -> None:
    """Bronze says: no licence. Of two facts of one record that contradict each other the stricter holds."""
    decision = decide(open=True, bronze=True, licence="cc by")
    assert (letters(decision), decision.rule) == (CLOSED, "d")


@pytest.mark.parametrize(
    "words",
    ["This article is no longer under CC BY 4.0.", "From 1 January 2999 this article is licensed under CC BY 4.0."],
)
def test_a_text_that_takes_a_licence_back_outweighs_the_record(words: str) -> None:
    """The text's own terms are the licensor's; the field of the record is somebody's reading of them."""
    decision = decide(Statement(text=words, line=60), open=True, in_archive=True, licence="cc by")
    assert (letters(decision), decision.rule) == (READ, "c")
    assert any("line 60" in fact for fact in decision.also)
    assert letters(decide(Statement(text=words), open=True, licence="cc by-nc")) == "yyyyny"


def test_a_doubtful_licence_never_becomes_the_licence() -> None:
    decision = decide(BY, Statement(text="Under CC BY-NC 9.9.", line=50))
    assert (letters(decision), decision.licence, decision.spdx) == ("yyyyny", "CC BY 4.0; CC BY-NC 9.9", "")
    assert "line 50" in decision.decided_by


@pytest.mark.parametrize(
    ("dates", "uses"),
    [
        ("applies from 2024-05-01", "yyyyyy"),
        ("applies from 2026-01-01", CLOSED),
        ("applies until 2024-01-01", CLOSED),
        ("applies from 2023-01-01 applies until 2025-01-01", "yyyyyy"),
        ("applies from 2024-13-77", CLOSED),
    ],
)
def test_a_licence_counts_only_between_its_dates(dates: str, uses: str) -> None:
    """NISO licence references may begin after an embargo."""
    policy = TablePolicy(today=lambda: datetime.date(2024, 6, 1))
    dated = Statement(text=dates, url=BY.url, line=8)
    decision = policy.decide(Access(open=False, in_archive=True, licence="", statements=[dated]))
    assert letters(decision) == uses
    assert uses != CLOSED or any("line 8" in fact for fact in decision.also)


@pytest.mark.parametrize(
    "access",
    [
        None, Access(), Access(open=True, licence=""), Access(open=False), Access(open=False, licence="cc by"),
        Access(manuscript=True), Access(bronze=True), Access(statements=[BY_NC]), Access(open=True, licence="x"),
    ],
)  # fmt: skip
def test_every_decision_names_its_fact_and_what_would_be_needed(access: Access | None) -> None:
    decision = TablePolicy().decide(access)
    assert decision.rule
    assert decision.decided_by
    assert decision.needed


def test_a_licence_in_doubt_is_not_said_to_be_none() -> None:
    """The field names a licence; words of the text beside the same one speak against it."""
    hedged = Statement(
        text="This article may be shared under the licence CC BY-NC-ND 4.0, unchanged and not for profit."
    )
    decision = decide(hedged, open=True, licence="cc by-nc-nd")
    assert (letters(decision), decision.rule) == (READ, "c")
    assert "but the text leaves its licence in doubt: the licence field of t says “cc by-nc-nd”" in decision.decided_by
    assert any("“unchanged”" in line for line in decision.also)
    other = decide(open=True, licence="publisher terms")
    assert "with terms that are no open licence: the licence field of t says “publisher terms”" in other.decided_by


def test_no_licence_is_stricter_than_itself() -> None:
    plain = Statement(text="This article is distributed under the terms of the Creative Commons Attribution License.")
    hedged = Statement(
        text="An invented article under the invented Creative Commons Attribution 4.0 International License.", line=12
    )
    for statements in ((BY, plain), (BY, hedged), (BY, plain, hedged)):
        assert "stricter" not in decide(*statements, open=True, licence="cc by").decided_by
    assert "stricter than CC BY 4.0" in decide(BY, BY_NC, open=True).decided_by
