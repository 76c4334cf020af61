"""Corrections, retractions and versions: NLM's words, both directions, nothing concluded from a DOI prefix."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from vouched.api import Notice
from vouched_europepmc.notices import counterparts, read_notices
from vouched_europepmc.records import read_article

Core = Callable[..., dict[str, Any]]


def _with(core: Core, *links: dict[str, Any], types: tuple[str, ...] = ("Journal Article",), **fields: Any) -> Any:
    return read_article(
        core(commentCorrectionList={"commentCorrection": list(links)}, pubTypeList={"pubType": list(types)}, **fields)
    )


def test_r12_p82_a_retracted_article_names_its_notice(core: Core) -> None:
    link = {"source": "MED", "id": "99900012", "reference": "J Invent Res. 2025", "type": "Retraction in"}
    status = _with(core, link, types=("Retracted Publication", "Journal Article")).status
    assert status.status == "retracted"
    assert (status.signals[0].evidence, status.signals[0].ids) == ("RetractionIn", {"pmid": "99900012"})
    assert not status.is_notice


def test_r12_a_type_alone_says_retracted(core: Core) -> None:
    assert _with(core, types=("retracted publication",)).status.status == "retracted"


def test_p83_a_notice_is_not_itself_retracted(core: Core) -> None:
    link = {"source": "MED", "id": "99900011", "type": "Retraction of"}
    status = _with(core, link, types=("Retraction of Publication",)).status
    assert (status.status, status.is_notice) == ("none_found", True)


def test_a_notice_can_be_retracted_too(core: Core) -> None:
    links = (
        {"id": "1", "source": "MED", "type": "Retraction of"},
        {"id": "2", "source": "MED", "type": "Retraction in"},
    )
    status = _with(core, *links, types=("Retraction of Publication",)).status
    assert (status.status, status.is_notice) == ("retracted", True)


@pytest.mark.parametrize(
    ("written", "type_", "status"),
    [
        ("Erratum in", "ErratumIn", "corrected"),
        ("Expression of concern in", "ExpressionOfConcernIn", "concern"),
        ("Corrected and republished in", "CorrectedandRepublishedIn", "corrected"),
        ("Retracted and republished in", "RetractedandRepublishedIn", "retracted_and_republished"),
        ("Update in", "UpdateIn", "none_found"),
        ("Republished in", "RepublishedIn", "none_found"),
        ("Comment on", "CommentOn", "none_found"),
        ("Something new", "Something new", "none_found"),
    ],
)
def test_r12_every_kind_of_link_has_nlms_name(core: Core, written: str, type_: str, status: str) -> None:
    article = _with(core, {"source": "MED", "id": "5", "type": written})
    assert article.notices[0].type == type_
    assert article.status.status == status


def test_withdrawn_is_the_heuristic_that_it_is(core: Core) -> None:
    status = read_article(core(title="WITHDRAWN: Fictol for lantern fever.")).status
    assert status.status == "withdrawn_heuristic"
    assert "title" in status.signals[0].evidence


def test_a_withdrawal_that_is_the_matter_of_a_paper_is_none(core: Core) -> None:
    assert read_article(core(title="Withdrawal of inhaled fictol in adults.")).status.status == "none_found"


def test_a_partial_retraction_in_an_erratum_is_flagged(core: Core) -> None:
    link = {"source": "MED", "type": "Erratum in", "reference": "J Invent Res. 2025;1:2. Partial retraction in: x"}
    assert "partial_retraction" in [signal.kind for signal in _with(core, link).status.signals]


def test_p85_a_link_without_id_keeps_its_doi() -> None:
    bare, cited = read_notices(
        [
            {"source": "MED", "reference": "10.1016/s0749-3797(99)00106-3", "type": "Retraction in", "orderIn": 2},
            {"source": "MED", "reference": "doi: 10.1101/2023.02.22.529521.", "type": "Update of", "orderIn": 3},
        ]
    )
    assert bare.ids == {"doi": "10.1016/s0749-3797(99)00106-3"}
    assert cited == Notice("UpdateOf", "doi: 10.1101/2023.02.22.529521.", {"doi": "10.1101/2023.02.22.529521"})


def test_p85_w06_a_pair_needs_a_preprint_on_one_side() -> None:
    by_source = Notice("UpdateOf", "whatever", {"ppr": "PPR7"})
    by_server = Notice("UpdateOf", "bioRxiv. 2023 Feb 22", {"doi": "10.1101/x"})
    by_prefix = Notice("UpdateOf", "doi: 10.1101/2023.02.22.529521", {"doi": "10.1101/2023.02.22.529521"})
    published, preprints = counterparts([by_source, by_server, by_prefix], is_preprint=False)
    assert preprints == [by_source, by_server]
    assert published == []
    assert counterparts([Notice("UpdateIn", "J Invent Res", {"pmid": "1"})], is_preprint=True)[0]
    assert counterparts([Notice("UpdateIn", "J Invent Res", {"pmid": "1"})], is_preprint=False) == ([], [])


def test_p84_absence_says_who_was_asked_and_when(core: Core) -> None:
    status = read_article(core(), "2026-01-02T03:04:05+00:00").status
    assert (status.status, status.checked) == ("none_found", ["europepmc 2026-01-02T03:04:05+00:00"])


def test_a_correction_that_only_pmc_has_is_a_notice(corpus: Path) -> None:
    raw = json.loads((corpus / "europepmc-evidence/excerpts/record_PMC3621464_correction.json").read_text())
    article = read_article(raw)
    assert article.status.is_notice
    assert article.ids == {"pmcid": "PMC3621464", "doi": "10.1186/1471-2229-13-58"}


def test_corpus_records_keep_their_standing(records: list[dict[str, Any]]) -> None:
    """Retracted, corrected and notice records as their publication types and links say."""
    standing = {raw["id"]: read_article(raw).status for raw in records if "pubTypeList" in raw}
    retracted = {id_ for id_, status in standing.items() if status.status == "retracted"}
    assert retracted == {"37751445", "22384025", "27657916", "40632709", "38032923", "42550576", "42251884"}
    assert {id_ for id_, status in standing.items() if status.is_notice} == {"39709208", "40377773", "PMC3621464"}
    assert standing["21645374"].status == "corrected"
    assert standing["42251884"].signals[0].ids == {"doi": "10.1016/j.jse.2026.06.002"}
