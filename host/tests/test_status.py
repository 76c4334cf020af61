"""The status of a record: the same words everywhere, from types and links, hardly ever from a title."""

import pytest
from vouched.status import Notice, assess

ARTICLE = [("Journal Article", "D016428")]
RETRACTED = [*ARTICLE, ("Retracted Publication", "D016441")]
NOTICE = [("Retraction of Publication", "D016440")]


def test_p82_a_retracted_paper_says_so_with_its_notice() -> None:
    status = assess(
        RETRACTED,
        [Notice("RetractionIn", "J Test. 2016;1:2", {"pmid": "27326436"})],
        "T",
        source="pubmed",
        checked_at="2026-01-02",
    )
    assert status.status == "retracted"
    assert status.signals[0].ids == {"pmid": "27326436"}
    assert not status.is_notice
    assert status.checked == ["pubmed 2026-01-02"]


def test_p83_the_notice_is_not_itself_retracted() -> None:
    status = assess(NOTICE, [Notice("RetractionOf", "J Test. 2015", {"pmid": "1"})], "Retraction: T", source="pubmed")
    assert status.status == "none_found"
    assert status.is_notice


def test_a_notice_can_be_retracted_too() -> None:
    status = assess([*NOTICE, RETRACTED[-1]], [Notice("RetractionOf"), Notice("RetractionIn")], "T", source="pubmed")
    assert status.status == "retracted"
    assert status.is_notice


def test_the_gravest_signal_names_the_status_and_all_are_kept() -> None:
    notices = [Notice("ErratumIn"), Notice("ExpressionOfConcernIn"), Notice("RetractionIn"), Notice("UpdateIn")]
    status = assess(RETRACTED, notices, "T", source="pubmed")
    assert status.status == "retracted"
    assert [signal.kind for signal in status.signals] == ["retracted", "concern", "corrected", "updated"]


@pytest.mark.parametrize(
    ("type_", "expected"),
    [
        ("RetractionIn", "retracted"),
        ("RetractedandRepublishedIn", "retracted_and_republished"),
        ("ExpressionOfConcernIn", "concern"),
        ("ErratumIn", "corrected"),
        ("CorrectedandRepublishedIn", "corrected"),
        ("CommentIn", "none_found"),
        ("UpdateIn", "none_found"),
    ],
)
def test_each_link_type_means_one_thing(type_: str, expected: str) -> None:
    assert assess(ARTICLE, [Notice(type_)], "T", source="pubmed").status == expected


def test_a_type_counts_by_its_ui_and_by_its_exact_name_only_without_one() -> None:
    assert assess([("Retracted publication", "")], [], "T", source="epmc").status == "retracted"
    assert assess([("Retracted Publication", "D016428")], [], "T", source="pubmed").status == "none_found"
    assert assess([("retracted publications reviewed", "")], [], "T", source="epmc").status == "none_found"


@pytest.mark.parametrize(
    "title",
    [
        "WITHDRAWN: A review",
        "Withdrawn: x",
        "RETRACTED: y",
        "[Retracted] Effects of fictol",
        "Retracted Article: effects of fictol",
        "RETRACTED ARTICLE Effects of fictol",
        "WITHDRAWN Effects of fictol",
        "Retracted \u2013 effects of fictol",
        "(Withdrawn) Effects of fictol",
    ],
)
def test_only_the_heuristic_reads_the_title(title: str) -> None:
    assert assess(ARTICLE, [], title, source="pubmed").status == "withdrawn_heuristic"


def test_a_title_about_retraction_is_no_signal() -> None:
    assert assess(ARTICLE, [], "Why papers are retracted", source="pubmed").status == "none_found"
    assert assess(NOTICE, [], "Retracted: a notice", source="pubmed").status == "none_found"


@pytest.mark.parametrize(
    "title",
    [
        "Withdrawal of inhaled fictol and glimmer episodes",
        "Withdrawn from alcohol: a study of lanterns",
        "WITHDRAWAL OF FICTOL IN ADULTS",
        "Retracted papers in the marsh literature: a survey",
        "Withdrawal-induced glimmer",
    ],
)
def test_a_title_that_begins_with_the_word_alone_is_no_signal(title: str) -> None:
    assert assess(ARTICLE, [], title, source="pubmed").status == "none_found"


def test_no_types_at_all_is_not_checked() -> None:
    status = assess(None, [], "T", source="icite")
    assert status.status == "not_checked"
    assert status.checked == []


def test_a_partial_retraction_is_at_least_a_correction() -> None:
    status = assess(ARTICLE, [Notice("PartialRetractionIn", "J. 2020")], "T", source="pubmed")
    assert status.status == "corrected"
    assert "partial_retraction" in [signal.kind for signal in status.signals]


def test_an_erratum_that_speaks_of_a_partial_retraction_is_flagged() -> None:
    status = assess(
        ARTICLE, [Notice("ErratumIn", "J. 2020", note="Partial retraction of Figure 2")], "T", source="pubmed"
    )
    assert status.status == "corrected"
    assert "partial_retraction" in [signal.kind for signal in status.signals]


def test_an_update_is_a_published_version_only_for_a_preprint() -> None:
    update = [Notice("UpdateIn", "J. 2024", {"doi": "10.1101/gr.1"})]
    assert assess([("Preprint", "D000076942")], update, "T", source="pubmed").signals[0].kind == "published_as"
    assert assess(ARTICLE, update, "T", source="pubmed").signals[0].kind == "updated"
