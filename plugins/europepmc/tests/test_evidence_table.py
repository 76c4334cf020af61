"""The evidence table: candidates in tiers, each checkable, and a reason for every id without one."""

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from vouched.host import Host
from vouched_europepmc.anchors import Passage
from vouched_europepmc.annotations import Annotation
from vouched_europepmc.evidence import TIERS, candidates
from vouched_europepmc.matching import Terms

pytestmark = pytest.mark.anyio
Ask = Callable[..., Any]
FICTOL = {"subject": ["fictol"], "object": ["glimmer syndrome", "lantern fever"]}
ROLES = [Terms("subject", ["fictol"]), Terms("object", ["glimmer"])]
EPMC = "Europe PMC"


def body(text: str, where: str = "full_text") -> Passage:
    return Passage(where, "Results", "b1", text)


async def test_r17_rows_come_strongest_first_and_carry_what_is_needed(ask: Ask) -> None:
    answer = await ask("build_evidence_table", claim="fictol helps", ids=["99900001", "99900002"], terms=FICTOL)
    rows = answer["data"]["candidate_evidence"]
    ranks = [TIERS.index(row["match_type"]) for row in rows]
    assert ranks == sorted(ranks)
    assert rows[0]["match_type"] == "relation"
    assert rows[0]["entity_type"] == "Chemical-Disease"
    for row in rows:
        assert row["labels"]
        assert (row["access_tier"], row["quote"], row["status"])[0] == "OPEN_ACCESS"
        assert row["licence"]
        assert hashlib.sha256(row["sentence"].encode()).hexdigest() == row["sha256"]
        for term in row["matched"]:
            assert row["sentence"][term["start"] : term["end"]].lower() == term["term"]


async def test_r19_r30_offsets_point_into_what_fetch_article_delivers(ask: Ask) -> None:
    answer = await ask("build_evidence_table", claim="x", ids=["99900001"], terms=FICTOL)
    fetched = (await ask("fetch_article", ids=["99900001"], include_full_text=True))["data"]["rows"][0]
    blocks = {block["id"]: block["text"] for part in fetched["text"] for block in part.get("blocks", [])}
    blocks |= {f"abstract.{number}": part["text"] for number, part in enumerate(fetched["record"]["abstract"], 1)}
    blocks["title"] = fetched["record"]["title"]
    for row in answer["data"]["candidate_evidence"]:
        assert blocks[row["block"]][row["start"] : row["end"]] == row["sentence"]


async def test_labels_name_their_cue_and_its_scope(ask: Ask) -> None:
    answer = await ask("build_evidence_table", claim="x", ids=["99900002"], terms=FICTOL)
    by_sentence = {row["sentence"]: row for row in answer["data"]["candidate_evidence"]}
    row = by_sentence["Fictol was not associated with recovery from lantern fever."]
    assert row["labels"] == ["negated"]
    assert row["cues"][0]["text"] == "was not"
    assert row["cues"][0]["covers"] == ["subject", "object"]
    assert by_sentence["An effect of fictol on lantern fever cannot be excluded in children."]["labels"] == ["hedged"]


async def test_r18_every_id_without_a_row_has_its_reason(ask: Ask) -> None:
    answer = await ask(
        "build_evidence_table",
        claim="x",
        ids=["99900003", "99900005", "99900006", "77777777", "junk", "99900001"],
        terms={"subject": "quixotidine"},
    )
    reasons = {none["input"]: none["reason"] for none in answer["data"]["no_candidates"]}
    assert reasons == {
        "99900003": "no_match",
        "99900005": "not_open",
        "99900006": "not_open",
        "77777777": "not_found",
        "junk": "invalid",
        "99900001": "no_match",
    }
    assert answer["data"]["candidate_evidence"] == []
    searched = {none["input"]: none for none in answer["data"]["no_candidates"]}["99900003"]
    assert searched["searched"] == ["title", "abstract", "full_text"]
    assert searched["detail"] == "no sentence of title, abstract, full_text has the terms; it has no annotations"


async def test_r18_not_annotated_is_said_where_there_was_nothing_else_to_search(
    ask: Ask, server: Any, core: Callable[..., Any]
) -> None:
    body = {"version": "6.9", "hitCount": 1, "request": {}, "resultList": {"result": [core(abstractText=None)]}}
    server.misbehave("search", "body", body=body)
    server.misbehave("annotationsByArticleIds", "body", body=[])
    answer = await ask(
        "build_evidence_table", claim="x", ids=["99900001"], terms={"subject": "quixotidine"}, use_full_text=False
    )
    assert answer["data"]["no_candidates"][0]["reason"] == "not_annotated"


@pytest.mark.parametrize("terms", [{"subject": [], "object": ["lantern"]}, {"subject": ["x1"], "object": [" "]}])
async def test_an_empty_list_of_terms_is_refused(ask: Ask, terms: dict[str, list[str]]) -> None:
    """Its rows would say of one thing what was asked of two."""
    answer = await ask("build_evidence_table", claim="x", ids=["99900001"], terms=terms)
    assert answer["error"]["code"] == "invalid_argument"
    assert answer["error"]["path"].startswith("terms.")


async def test_one_role_alone_may_be_left_out(ask: Ask) -> None:
    answer = await ask("build_evidence_table", claim="x", ids=["99900001"], terms={"object": ["glimmer syndrome"]})
    assert answer["data"]["terms"] == {"object": ["glimmer syndrome"]}
    assert answer["data"]["candidate_evidence"]


async def test_terms_of_one_letter_are_warned_of(ask: Ask) -> None:
    asked = {"claim": "x", "ids": ["99900001"]}
    answer = await ask("build_evidence_table", **asked, terms={"subject": ["fictol"], "object": ["a", "\u03b2", "b."]})
    (warning,) = answer["warnings"]
    assert "'a', '\u03b2', 'b.'" in warning
    assert "warnings" not in await ask("build_evidence_table", **asked, terms=FICTOL)


async def test_r18_what_could_not_be_asked_says_so(ask: Ask, server: Any) -> None:
    server.misbehave("annotationsByArticleIds", "status", status=503, times=None)
    answer = await ask("build_evidence_table", claim="x", ids=["99900003"], terms={"subject": "quixotidine"})
    assert answer["status"] == "partial"
    assert answer["data"]["no_candidates"][0]["reason"] == "upstream_error"


async def test_r18_when_nothing_could_be_asked_it_is_an_error(ask: Ask, server: Any) -> None:
    server.misbehave("search", "status", status=503, times=None)
    answer = await ask("build_evidence_table", claim="x", ids=["99900001"], terms=FICTOL)
    assert answer["status"] == "error"


async def test_a_closed_text_is_searched_in_its_abstract_only_and_words_are_withheld(ask: Ask) -> None:
    answer = await ask("build_evidence_table", claim="x", ids=["99900005"], terms={"subject": "glimmer syndrome"})
    rows = answer["data"]["candidate_evidence"]
    (withheld,) = [row for row in rows if row.get("withheld")]
    assert withheld["sentence"] == ""
    assert withheld["labels"] == ["withheld"]
    assert withheld["quote"] == "no"
    assert "matched" not in withheld
    assert "sha256" not in withheld
    assert {row["path"] for row in rows if not row.get("withheld")} <= {"Title", "Abstract"}
    (paper,) = answer["data"]["papers"]
    assert "full_text" not in paper["searched"]
    assert paper["because"]


async def test_p82_the_standing_of_a_paper_stands_in_its_rows(ask: Ask) -> None:
    answer = await ask("build_evidence_table", claim="x", ids=["99900009"], terms=FICTOL)
    assert {row["status"] for row in answer["data"]["candidate_evidence"]} == {"retracted"}
    assert answer["data"]["papers"][0]["signals"][0]["notice_id"] == "pmid:99900010"
    by_sentence = {row["sentence"]: row for row in answer["data"]["candidate_evidence"]}
    assert by_sentence["There is no doubt that fictol cures lantern fever."]["labels"] == ["no_cue_found"]


async def test_the_caveat_travels_with_the_payload(ask: Ask) -> None:
    answer = await ask("build_evidence_table", claim="x", ids=["99900001"], terms=FICTOL)
    assert "not support" in answer["data"]["caveat"]


async def test_without_full_text_none_is_fetched(ask: Ask, server: Any) -> None:
    answer = await ask("build_evidence_table", claim="x", ids=["99900002"], terms=FICTOL, use_full_text=False)
    assert not [entry for entry in server.log("europepmc") if entry.path.endswith("fullTextXML")]
    assert {row["match_type"] for row in answer["data"]["candidate_evidence"]} == {"abstract"}


async def test_an_entity_filter_narrows_annotations_not_sentences(ask: Ask) -> None:
    answer = await ask(
        "build_evidence_table", claim="x", ids=["99900001"], terms=FICTOL, entity_filter=["Gene_Proteins"]
    )
    assert {row["match_type"] for row in answer["data"]["candidate_evidence"]} == {"sentence", "abstract"}


async def test_r31_a_paper_submitted_twice_is_searched_once(ask: Ask) -> None:
    one = await ask("build_evidence_table", claim="x", ids=["99900001"], terms=FICTOL)
    two = await ask("build_evidence_table", claim="x", ids=["99900001", "PMC99900001"], terms=FICTOL)
    assert two["data"]["candidate_evidence"] == one["data"]["candidate_evidence"]
    assert two["data"]["no_candidates"][0]["reason"] == "duplicate"


async def test_r31_another_spelling_in_a_later_group_is_a_duplicate(ask: Ask, server: Any) -> None:
    """Full texts are read for 20 ids a call: what was searched on the page before is not searched again."""
    ids = [*(str(number) for number in range(99900001, 99900021)), "PMC99900001", "10.99999/jir.2021.0002", "99900003"]
    rows: list[tuple[str, str, str]] = []
    reasons: dict[str, str] = {}
    papers: list[str] = []
    cursor, pages = None, 0
    while pages == 0 or cursor:
        answer = await ask("build_evidence_table", claim="x", ids=ids, terms=FICTOL, limit=500, cursor=cursor)
        rows += [(row["id"], row.get("block", ""), row["sentence"]) for row in answer["data"]["candidate_evidence"]]
        reasons |= {one["input"]: one["reason"] for one in answer["data"]["no_candidates"]}
        papers += [one["id"] for one in answer["data"]["papers"]]
        cursor, pages = answer.get("next_cursor"), pages + 1
    assert {reasons[id_] for id_ in ids[20:]} == {"duplicate"}
    assert len(rows) == len(set(rows))
    assert len(papers) == len(set(papers)) == 20


async def test_rows_page_and_join_to_the_whole(ask: Ask) -> None:
    ids = [str(number) for number in range(99900001, 99900021)] + ["PPR990008"]
    whole: list[tuple[str, str]] = []
    answer = await ask("build_evidence_table", claim="x", ids=ids, terms={"subject": "fictol"}, limit=500)
    while True:
        whole += [(row["id"], row["sentence"]) for row in answer["data"]["candidate_evidence"]]
        if not (cursor := answer.get("next_cursor")):
            break
        answer = await ask(
            "build_evidence_table", claim="x", ids=ids, terms={"subject": "fictol"}, limit=500, cursor=cursor
        )
    assert answer["data"]["searched"] == answer["data"]["submitted"] == 21
    pages, cursor, named = [], None, []
    while True:
        answer = await ask(
            "build_evidence_table", claim="x", ids=ids, terms={"subject": "fictol"}, limit=7, cursor=cursor
        )
        pages += [(row["id"], row["sentence"]) for row in answer["data"]["candidate_evidence"]]
        named += [one["input"] for one in answer["data"]["papers"]]
        cursor = answer.get("next_cursor")
        if not cursor:
            break
    assert pages == whole
    assert len(pages) > 25
    assert named == ids


@pytest.mark.parametrize("terms", [{}, {"subject": [""]}, {"subject": [str(number) for number in range(9)]}])
async def test_r29_terms_are_checked_before_anything_is_asked(ask: Ask, server: Any, terms: dict[str, Any]) -> None:
    answer = await ask("build_evidence_table", claim="x", ids=["99900001"], terms=terms)
    assert answer["error"]["code"] == "invalid_argument"
    assert answer["error"]["path"].startswith("terms")
    assert server.log() == []


def test_r32_the_words_of_the_text_decide_not_the_tag() -> None:
    wrong = Annotation("Cetuximab", "Chemicals", EPMC, "antibody", "for glimmer", "Results", [("fictol", "")])
    found = candidates([body("The antibody Cetuximab for glimmer was used.")], [wrong], ROLES, body_is_open=True)
    assert found == []


def test_r17_an_entity_needs_a_tag_that_agrees() -> None:
    text = "We gave fictol for glimmer at night."
    right = Annotation("fictol", "Chemicals", EPMC, "We gave", "for glimmer at", "Results", [("fictol acid", "")])
    wrong = Annotation("fictol", "Chemicals", EPMC, "We gave", "for glimmer at", "Results", [("adult", "")])
    assert [c.tier for c in candidates([body(text)], [right], ROLES, body_is_open=True)] == ["entity"]
    assert [c.tier for c in candidates([body(text)], [wrong], ROLES, body_is_open=True)] == ["sentence"]


def test_a_relation_counts_its_sentences() -> None:
    text = "It rained. Fictol was given. Soon glimmer stopped. It snowed."
    row = Annotation(
        "Fictol was given. Soon glimmer stopped.",
        "Gene Drug Relationship",
        "X",
        section="Results",
        tags=[("a", ""), ("b", "")],
    )
    (found,) = candidates([body(text)], [row], ROLES, body_is_open=True)
    assert (found.tier, found.spans, found.text) == ("relation", 2, "Fictol was given. Soon glimmer stopped.")


def test_r31_one_row_for_each_stretch_the_strongest() -> None:
    text = "We gave fictol for glimmer at night."
    entity = Annotation("fictol", "Chemicals", EPMC, "We gave", "for glimmer at", "Results", [("fictol", "")])
    relation = Annotation(
        "We gave fictol for glimmer at night.",
        "Gene Drug Relationship",
        "X",
        section="Results",
        tags=[("a", ""), ("b", "")],
    )
    found = candidates([body(text)], [entity, entity, relation], ROLES, body_is_open=True)
    assert [c.tier for c in found] == ["relation"]


@pytest.mark.parametrize(
    ("is_open", "section", "words"), [(True, "Results", True), (False, "Results", False), (False, "Abstract", True)]
)
def test_a_snippet_that_cannot_be_placed_is_a_substring(is_open: bool, section: str, words: bool) -> None:
    row = Annotation("fictol", "Chemicals", EPMC, "they had", "for glimmer only", section, [("adult", "")])
    (found,) = candidates([body("Nothing of the kind.")], [row], ROLES, body_is_open=is_open)
    assert (found.tier, found.passage, found.withheld) == ("substring", None, not words)
    assert found.text == ("they had fictol for glimmer only" if words else "")


async def test_w17_the_ids_of_a_search_are_handed_on_as_last(host: Host) -> None:
    await host.call("europepmc_search_literature", {"query": "TITLE:fictol", "limit": 5})
    answer = await host.call("build_evidence_table", {"claim": "x", "ids": "last", "terms": {"subject": "fictol"}})
    assert answer.structured["data"]["submitted"] == 5


async def test_p14_a_misspelt_entity_filter_says_which_types_there_are(ask: Ask) -> None:
    asked = {"claim": "x", "ids": ["99900001"], "terms": FICTOL}
    answer = await ask("build_evidence_table", **asked, entity_filter=["Dieseases"])
    assert "'Dieseases'" in answer["warnings"][0]
    assert "Diseases" in answer["warnings"][0].replace("Dieseases", "")
    one, other = [await ask("build_evidence_table", **asked, entity_filter=[name]) for name in ("disease", "Diseases")]
    assert one["data"] == other["data"]
    assert "warnings" not in one
