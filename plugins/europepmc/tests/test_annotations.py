"""The annotations service: batches of eight, absence by difference, snippets placed or withheld."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from vouched.api import Fault, UpstreamInvalid
from vouched.host import Host
from vouched_europepmc.annotations import AT_ONCE, fetch, read_annotations

pytestmark = pytest.mark.anyio
Ask = Callable[..., Any]
SUBSET = [str(number) for number in range(99900001, 99900021)]


def test_rows_need_only_exact_type_and_provider() -> None:
    body = json.dumps(
        [
            {
                "source": "MED",
                "extId": "1",
                "pmcid": "PMC7",
                "annotations": [{"exact": "x", "type": "T", "provider": "P"}],
            }
        ]
    )
    found = read_annotations(body.encode())
    assert found["MED", "1"] == found["PMC", "PMC7"]
    (row,) = found["MED", "1"]
    assert (row.section, row.tags, row.frequency, row.is_relation) == ("", [], None, False)


def test_r20_every_recorded_annotation_is_read(corpus: Path) -> None:
    read = 0
    for path in [
        *corpus.glob("epmc-annotations/*.json"),
        *corpus.glob("europepmc-evidence/tests/fixtures/annotations/*"),
    ]:
        raw = json.loads(path.read_bytes())
        found = read_annotations(path.read_bytes())
        for article in raw:
            rows = found[article["source"], article["extId"]]
            assert [row.exact for row in rows] == [one["exact"] for one in article["annotations"]]
            assert all("http" not in row.section for row in rows)
            read += len(rows)
    assert read > 250


@pytest.mark.parametrize("body", [b"{}", b'"x"', b'{"version":"6.9"}', b""])
def test_what_is_no_list_is_no_answer(body: bytes) -> None:
    with pytest.raises(UpstreamInvalid):
        read_annotations(body)


async def test_r13_ids_go_in_batches_of_eight_at_once(host: Host, server: Any) -> None:
    await fetch(host.context(), [("MED", id_) for id_ in SUBSET])
    asked = [entry.params["articleIds"].split(",") for entry in server.log("annotations")]
    assert sorted(map(len, asked)) == [4, AT_ONCE, AT_ONCE]


async def test_one_bad_id_does_not_cost_the_batch(host: Host, server: Any) -> None:
    found = await fetch(host.context(), [("MED", "99900001"), ("NONE", "x"), ("MED", "99900002")])
    assert isinstance(found["NONE", "x"], Fault)
    assert len(found["MED", "99900001"]) == 9  # type: ignore[arg-type]
    assert len(found["MED", "99900002"]) == 2  # type: ignore[arg-type]


async def test_r13_absence_is_derived_and_told_from_not_found(ask: Ask) -> None:
    answer = await ask("get_annotations", ids=["99900001", "99900003", "77777777", "junk", "PMC99900002"])
    states = [row["state"] for row in answer["data"]["articles"]]
    assert states == ["ok", "not_annotated", "not_found", "invalid", "ok"]


async def test_r13_a_filter_makes_no_article_look_unannotated(ask: Ask, server: Any) -> None:
    answer = await ask("get_annotations", ids=["99900001", "99900002"], types=["gene_proteins"])
    rows = answer["data"]["articles"]
    assert [row["state"] for row in rows] == ["ok", "no_match"]
    assert [mention["type"] for mention in rows[0]["annotations"]] == ["Gene_Proteins"]
    assert set(server.log("annotations")[0].params) == {"articleIds", "format"}


async def test_filters_of_section_and_provider(ask: Ask) -> None:
    answer = await ask("get_annotations", ids=["99900001"], sections=["Abstract"], providers=["OntoGene"])
    (mention,) = answer["data"]["articles"][0]["annotations"]
    assert (mention["provider"], mention["section"]) == ("OntoGene", "Abstract")


async def test_r14_snippets_are_anchored_at_exact_offsets(ask: Ask) -> None:
    answer = await ask("get_annotations", ids=["99900001"])
    record = await ask("fetch_article", ids=["99900001"], include_full_text=True)
    row = record["data"]["rows"][0]
    blocks = {block["id"]: block["text"] for part in row["text"] for block in part.get("blocks", [])}
    blocks |= {f"abstract.{number}": part["text"] for number, part in enumerate(row["record"]["abstract"], 1)}
    mentions = answer["data"]["articles"][0]["annotations"]
    anchored = [mention for mention in mentions if mention["anchor"] == "anchored"]
    assert len(anchored) == 8
    for mention in anchored:
        text = blocks[mention["block"]]
        entity = mention["text"][mention["entity_start"] : mention["entity_end"]]
        assert text[mention["start"] : mention["end"]] == entity
        assert mention["text"] in text
        assert hashlib.sha256(mention["text"].encode()).hexdigest() == mention["sha256"]
    (loose,) = [mention for mention in mentions if mention["anchor"] == "unanchored"]
    assert loose["reason"] == "no_such_words"


async def test_r08_words_of_a_closed_text_are_withheld(ask: Ask, host: Host) -> None:
    answer = await ask("get_annotations", ids=["99900005"])
    (row,) = answer["data"]["articles"]
    abstract, body = row["annotations"]
    assert abstract["anchor"] == "anchored"
    assert body["anchor"] == "withheld"
    assert (body["type"], body["section"]) == ("Diseases", "Results")
    assert body["reason"] == row["because"]
    assert row["quote"] == "no"
    text = (await host.call("europepmc_get_annotations", {"ids": ["99900005"]})).text
    assert "second village" not in text + json.dumps(answer)


async def test_when_the_text_cannot_be_asked_its_words_are_withheld(ask: Ask, server: Any) -> None:
    server.misbehave("search", "status", status=503, times=None)
    answer = await ask("get_annotations", ids=["99900001"], sections=["Results"])
    assert {mention["anchor"] for mention in answer["data"]["articles"][0]["annotations"]} == {"withheld"}


def many(count: int, articles: int = 2) -> list[dict[str, Any]]:
    row = {"exact": "fictol", "prefix": "a", "postfix": "b", "tags": [], "type": "Chemicals", "provider": "Europe PMC"}
    return [
        {
            "source": "MED",
            "extId": str(99900001 + number),
            "annotations": [{**row, "section": "Abstract (http://x)"}] * count,
        }
        for number in range(articles)
    ]


async def test_r13_many_annotations_are_counted_per_article(ask: Ask, server: Any) -> None:
    server.misbehave("annotationsByArticleIds", "body", body=many(150))
    answer = await ask("get_annotations", ids=["99900001", "99900002"])
    assert answer["status"] == "outline"
    assert [(row["total"], row["by_type"]) for row in answer["data"]["articles"]] == [(150, {"Chemicals": 150})] * 2
    assert {entry["path"] for entry in answer["outline"]} == {"pmid:99900001 > Chemicals", "pmid:99900002 > Chemicals"}


async def test_a_limit_pages_through_all_of_them(ask: Ask, server: Any) -> None:
    server.misbehave("annotationsByArticleIds", "body", body=many(150))
    given, cursor = 0, None
    while True:
        answer = await ask("get_annotations", ids=["99900001", "99900002"], limit=120, cursor=cursor)
        given += sum(len(row.get("annotations", [])) for row in answer["data"]["articles"])
        cursor = answer.get("next_cursor")
        if not cursor:
            break
    assert given == answer["data"]["total"] == 300


@pytest.mark.parametrize("asked", [{}, {"limit": 90}, {"limit": 40, "types": ["Diseases"]}])
async def test_p94_every_id_has_one_row_over_pages_that_keep_within_the_budget(
    ask: Ask, server: Any, asked: dict[str, Any]
) -> None:
    """Rows of articles are counted as its annotations are: none is cut away where there are many of them."""
    ids = [str(99_905_001 + number) for number in range(120)]
    row = {"exact": "fictol", "prefix": "a", "postfix": "b", "tags": [], "provider": "Europe PMC"}
    listed = [{**row, "type": "Chemicals", "section": "Results (http://x)"}, {**row, "type": "Diseases"}] * 2

    def batch(numbers: range) -> list[dict[str, Any]]:
        return [{"source": "MED", "extId": ids[n], "annotations": listed} for n in numbers if n % 5]

    for first in range(0, 120, 8):
        named = ",".join(f"MED:{id_}" for id_ in ids[first : first + 8])
        body = batch(range(first, first + 8))
        server.misbehave("annotationsByArticleIds", "body", body=body, times=None, match={"articleIds": named})
    rows: list[str] = []
    given, pages, cursor = 0, 0, None
    while pages == 0 or cursor:
        answer = await ask("get_annotations", ids=ids, cursor=cursor, **asked)
        pages += 1
        assert len(json.dumps([answer["data"], answer.get("outline", [])])) < 25_000
        rows += [one["input"] for one in answer["data"]["articles"] if rows[-1:] != [one["input"]]]
        given += sum(len(one.get("annotations", [])) for one in answer["data"]["articles"])
        cursor = answer.get("next_cursor")
    assert pages > 1
    assert rows == ids
    assert answer["data"]["states"] == {"ok": 96, "not_found": 24}
    assert given == (0 if not asked else answer["data"]["total"])


async def test_a_record_that_could_not_be_asked_for_leaves_the_answer_partial(ask: Ask, server: Any) -> None:
    server.misbehave("search", "status", status=503, times=None)
    answer = await ask("get_annotations", ids=["99900001", "99900004"])
    assert answer["status"] == "partial"
    assert [(row["state"], row["status"]) for row in answer["data"]["articles"]] == [
        ("ok", "not_checked"),
        ("not_annotated", "not_checked"),
    ]
    assert all("its record could not be asked" in row["reason"] for row in answer["data"]["articles"])


async def test_r18_a_service_that_fails_wholly_is_an_error(ask: Ask, server: Any) -> None:
    server.misbehave("annotationsByArticleIds", "status", status=503, times=None)
    answer = await ask("get_annotations", ids=["99900001"])
    assert answer["error"]["code"] == "upstream_unreachable"


@pytest.mark.parametrize(
    ("kind", "asked"), [("types", "gene protein"), ("sections", "ABSTRACTS"), ("providers", "europe_pmc")]
)
async def test_names_of_filters_are_taken_in_any_case_and_number(ask: Ask, kind: str, asked: str) -> None:
    answer = await ask("get_annotations", ids=["99900001"], **{kind: [asked]})
    assert answer["data"]["articles"][0]["state"] == "ok"
    assert "warnings" not in answer


async def test_p14_disease_is_the_type_diseases(ask: Ask) -> None:
    one, other = [(await ask("get_annotations", ids=["99900001"], types=[t]))["data"] for t in ("Disease", "Diseases")]
    assert one == other
    assert one["total"] > 0


@pytest.mark.parametrize("kind", ["types", "sections", "providers"])
async def test_p14_a_misspelt_filter_says_what_there_is(ask: Ask, kind: str) -> None:
    """In the row and as a warning: an empty answer must not look as if the paper had nothing."""
    whole = (await ask("get_annotations", ids=["99900001"]))["data"]["articles"][0]
    answer = await ask("get_annotations", ids=["99900001"], **{kind: ["Dieseases"]})
    (row,) = answer["data"]["articles"]
    assert row["state"] == "no_match"
    assert set(row["has"][kind]) == set(whole[f"by_{kind[:-1]}"])
    (warning,) = answer["warnings"]
    assert "'Dieseases'" in warning
    assert all(name in warning and name in row["reason"] for name in row["has"][kind])


async def test_p14_a_misspelt_name_beside_a_right_one_is_said(ask: Ask) -> None:
    answer = await ask("get_annotations", ids=["99900001"], types=["Diseases", "Chemmicals"])
    assert answer["data"]["articles"][0]["state"] == "ok"
    (warning,) = answer["warnings"]
    assert "'Chemmicals'" in warning
    assert "'Diseases'" not in warning


async def test_every_row_says_whether_the_paper_was_checked(ask: Ask, server: Any) -> None:
    answer = await ask("get_annotations", ids=["99900001", "77777777", "junk"])
    assert [row["status"] for row in answer["data"]["articles"]] == ["corrected", "not_checked", "not_checked"]
    server.misbehave("search", "status", status=503, times=None)
    answer = await ask("get_annotations", ids=["99900002"])
    assert answer["data"]["articles"][0]["status"] == "not_checked"
