"""The standing of records: retracted, corrected, of concern, notices of these; over every real record with links."""

from collections.abc import Sequence
from typing import Any

import pubmed_xml as made
import pytest
from pubmed_corpus import READ_AT, Real
from vouched.api import RecordStatus

RETRACTED = '<PublicationType UI="D016441">Retracted Publication</PublicationType>'
RETRACTION = '<PublicationType UI="D016440">Retraction of Publication</PublicationType>'
PREPRINT = '<PublicationType UI="D000076942">Preprint</PublicationType>'
LINKS = {
    "RetractionIn": "retracted",
    "ExpressionOfConcernIn": "concern",
    "ErratumIn": "corrected",
    "RetractionOf": "retraction_notice",
    "ExpressionOfConcernFor": "concern_notice",
    "ErratumFor": "erratum_notice",
    "UpdateOf": "update_of",
    "UpdateIn": "updated",
    "RepublishedIn": "republished",
    "RepublishedFrom": "republished_from",
}


def kinds(status: RecordStatus) -> list[str]:
    return [signal.kind for signal in status.signals]


def test_p82_a_retracted_paper_says_so_with_its_notice() -> None:
    links = made.links(("RetractionIn", "J Test. 2016;1:2"), pmids=("27326436",))
    status = made.read(types=RETRACTED, citation=links).status
    assert (status.status, status.is_notice) == ("retracted", False)
    assert status.signals[0].ids == {"pmid": "27326436"}


def test_p82_the_type_alone_is_enough() -> None:
    status = made.read(types=RETRACTED).status
    assert (status.status, status.signals[0].evidence) == ("retracted", "publication type Retracted Publication")


def test_p83_the_notice_is_not_itself_retracted() -> None:
    links = made.links(("RetractionOf", "J Test. 2015;1:1"), pmids=("27326435",))
    status = made.read(types=RETRACTION, citation=links, title="Retracted: An invented title.").status
    assert (status.status, status.is_notice, kinds(status)) == ("none_found", True, ["retraction_notice"])


def test_p84_none_found_says_who_was_asked_and_when() -> None:
    from vouched_pubmed.efetch import read_articles

    (found,) = read_articles(made.whole(made.article()), retrieved_at=READ_AT).articles
    assert (found.status.status, found.status.checked) == ("none_found", [f"eutils {READ_AT}"])


def test_p85_a_version_link_without_a_pmid_is_kept_with_its_doi() -> None:
    links = made.links(("UpdateOf", "doi: 10.1101/2023.02.22.529521"), ("UpdateOf", "bioRxiv 2024."))
    found = made.read(citation=links)
    assert [notice.ids for notice in found.notices] == [{"doi": "10.1101/2023.02.22.529521"}, {}]
    assert kinds(found.status) == ["update_of", "update_of"]


def test_p85_a_preprint_by_its_type_and_what_it_became() -> None:
    links = made.links(("UpdateIn", "J Invent Res. 2020;1:1"), pmids=("99900002",))
    found = made.read(types=PREPRINT, citation=links, ids='<ArticleId IdType="doi">10.99999/x.1/v3</ArticleId>')
    assert (found.kind, found.preprint_server, found.preprint_version) == ("preprint", "J Invent Res", "3")
    assert kinds(found.status) == ["published_as"]


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("RetractedandRepublishedIn", "retracted_and_republished"),
        ("CorrectedandRepublishedIn", "corrected"),
        ("PartialRetractionIn", "corrected"),
    ],
)
def test_links_that_the_corpus_lacks(kind: str, status: str) -> None:
    """Documented by NLM, seen in no real record here: these fixtures rest on the documentation."""
    found = made.read(citation=made.links((kind, "J Invent Res. 2021;2:3"), pmids=("99900003",)))
    assert found.status.status == status
    assert found.notices[0].ids == {"pmid": "99900003"}


@pytest.mark.parametrize(
    "kind", ["RetractedandRepublishedFrom", "CorrectedandRepublishedFrom", "CommentOn", "ReprintOf"]
)
def test_links_that_say_nothing_bad_of_their_own_record(kind: str) -> None:
    found = made.read(citation=made.links((kind, "J Invent Res. 2021;2:3")))
    assert found.status.status == "none_found"
    assert found.notices[0].type == kind


def test_an_erratum_that_speaks_of_a_partial_retraction_is_flagged() -> None:
    found = made.read(citation=made.links(("ErratumIn", "Partial retraction. J Invent Res. 2021;2:3")))
    assert found.status.status == "corrected"
    assert "partial_retraction" in kinds(found.status)


def test_a_cochrane_withdrawn_is_not_retracted() -> None:
    found = made.read(title="WITHDRAWN: An invented treatment for an invented disease.")
    assert found.status.status == "withdrawn_heuristic"


def test_a_note_of_a_link_is_kept() -> None:
    link = (
        "<CommentsCorrectionsList><CommentsCorrections RefType='ErratumIn'>"
        "<RefSource>J Invent Res. 2021;2:3</RefSource>"
        "<Note>dosage error in text (doi: 10.99999/e.1)</Note></CommentsCorrections></CommentsCorrectionsList>"
    )
    (notice,) = made.read(citation=link).notices
    assert (notice.note, notice.ids) == ("dosage error in text (doi: 10.99999/e.1)", {"doi": "10.99999/e.1"})


READ_FROM_WORDS = ("withdrawn_heuristic", "partial_retraction")
# PMID -> (status, whether it is a notice, kinds of signals that must be there).
KNOWN = {
    "34097317": ("none_found", True, {"retraction_notice"}),
    "27602157": ("retracted", False, {"retracted"}),
    "34093767": ("none_found", True, {"retraction_notice"}),
    "9500320": ("retracted", False, {"retracted", "concern", "corrected"}),
}


@pytest.mark.parametrize("pmid", KNOWN)
def test_named_cases(pmid: str, real_records: Sequence[Real]) -> None:
    """34097317's title says Retracted and it is the notice; 27602157 and 34093767 share a title; 9500320 has all."""
    found = [real.article for real in real_records if real.article.ids["pmid"] == pmid]
    assert found
    for article in found:
        status, is_notice, signals = KNOWN[pmid]
        assert (article.status.status, article.status.is_notice) == (status, is_notice)
        assert set(kinds(article.status)) == signals


def test_every_real_record_with_such_a_link(capsys: Any, real_records: Sequence[Real]) -> None:
    """The signals are those of its links and types, as a naive walk finds them; the status is the gravest of them."""
    linked = 0
    for real in real_records:
        elements = real.node.iterfind("MedlineCitation/CommentsCorrectionsList/CommentsCorrections")
        expected = [LINKS[kind] for element in elements if (kind := element.get("RefType")) in LINKS]
        uis = {element.get("UI") for element in real.node.iter("PublicationType")}
        if "D000076942" in uis:
            expected = ["published_as" if kind == "updated" else kind for kind in expected]
        if "D016441" in uis and "retracted" not in expected:
            expected.append("retracted")
        found = [
            kind for kind in kinds(real.article.status) if kind not in ("withdrawn_heuristic", "partial_retraction")
        ]
        assert sorted(found) == sorted(expected), real.name
        graves = [kind for kind in ("retracted", "concern", "corrected") if kind in expected]
        if graves or "withdrawn_heuristic" not in kinds(real.article.status):
            assert real.article.status.status == (graves[0] if graves else "none_found"), real.name
        linked += bool(expected)
    with capsys.disabled():
        print(f"\nstanding: {linked} real records with a link or type that says something", end="")
    assert linked >= 40
