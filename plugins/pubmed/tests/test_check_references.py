"""pubmed_check_references: what a list says against what PubMed has, and whether the works still stand."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from vouched.testing.emulator import Emulator

pytestmark = pytest.mark.anyio

RIGHT = (
    "Quillfeather AJ, Brontóv ÉK, van der Zandt P. Fictol shortens glimmer episodes in adults with glimmer syndrome: "
    "a randomized trial. J Invent Res. 2023 Mar 15;12(3):101-12."
)
RIGHT_FIELDS = {"journal": "J Invent Res", "year": "2023", "volume": "12", "pages": "101-12"}


def rows(result: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = result.structured["data"]["rows"]
    return found


def differing(row: dict[str, Any]) -> dict[str, str]:
    return {one["field"]: one["given"] for one in row.get("differs", [])}


async def test_a_right_reference_matches_and_its_correction_is_told(call: Any) -> None:
    (row,) = rows(await call("check_references", references=[RIGHT]))
    assert (row["verdict"], row["status"], row["record"]["pmid"]) == ("matches", "corrected", "99900001")
    assert row["notices"][0]["type"] == "ErratumIn"


async def test_what_differs_is_named_with_both_sides(call: Any) -> None:
    wrong = RIGHT.replace("2023 Mar 15;12(3)", "2021;14(3)")
    (row,) = rows(await call("check_references", references=[wrong]))
    assert (row["verdict"], row["found_by"]) == ("differs", "title")
    assert differing(row) == {"year": "2021", "volume": "14"}
    assert row["record"]["volume"] == "12"


async def test_an_invented_reference_is_not_found(call: Any) -> None:
    text = "Nobody N. A study that nobody ever wrote about moonlight dentistry. J Invent Res. 2019;80(1):1-9."
    (row,) = rows(await call("check_references", references=[text]))
    assert row["verdict"] == "not_found"
    assert "PubMed" in row["reason"]


async def test_p106_a_reference_that_the_matcher_could_not_be_asked_about_again_is_no_miss(
    call: Any, ncbi: Emulator
) -> None:
    # The second row has no journal and no candidate: it ends the matcher's answer, and it and the third go out again.
    ending = {"year": "1991", "volume": "88", "pages": "99999"}
    citations = [{"key": "right", **RIGHT_FIELDS}, {"key": "ends", **ending}, {"key": "behind", **RIGHT_FIELDS}]
    ncbi.misbehave("ecitmatch.cgi", "status", times=None, skip=1, status=503)
    result = await call("check_references", citations=citations)
    assert result.structured["status"] == "partial"
    assert [row["verdict"] for row in rows(result)] == ["matches", "failed", "failed"]
    assert all(row["retryable"] for row in rows(result)[1:])


@pytest.mark.parametrize("wrong", [{"pmid": "12x"}, {"doi": "10.1/none"}, {"pmcid": "7", "key": "k"}])
async def test_an_id_that_is_none_is_invalid_and_no_miss(call: Any, wrong: dict[str, str]) -> None:
    (row,) = rows(await call("check_references", citations=[wrong]))
    assert row["verdict"] == "invalid"
    assert next(iter(wrong.values())) in row["reason"]


async def test_a_wrong_id_beside_right_fields_is_told(call: Any) -> None:
    (row,) = rows(await call("check_references", citations=[{"pmid": "12x", **RIGHT_FIELDS}]))
    assert (row["verdict"], differing(row)) == ("differs", {"pmid": "12x"})


async def test_a_title_that_many_have_does_not_crowd_out_the_others(call: Any, ncbi: Emulator) -> None:
    """Titles are searched together; where more is found than fits, each is searched by itself."""
    common = {"title": "Glimmer syndrome: annual general report", "key": "common"}
    rare = {"title": "The lantern protein LNT1 and its receptor", "key": "rare"}
    many = {"esearchresult": {"count": "5000", "idlist": ["99900001"] * 10, "querytranslation": "x"}}
    ncbi.misbehave("esearch.fcgi", "body", body=json.dumps(many), media="application/json")
    first, second = rows(await call("check_references", citations=[common, rare]))
    assert (second["verdict"], second["record"]["pmid"]) == ("matches", "99900006")
    assert first["verdict"] == "not_found"


async def test_p82_a_retracted_work_is_marked_in_both_faces(call: Any) -> None:
    result = await call("check_references", ids=["99900009", "99900001"])
    assert [row["status"] for row in rows(result)] == ["retracted", "corrected"]
    assert rows(result)[0]["notices"][0]["pmid"] == "99900010"
    assert result.structured["data"]["counts"] == {"matches": 2, "retracted": 1, "corrected": 1}
    assert "Retracted or of concern: reference 1" in result.text


async def test_an_id_of_another_paper_is_told_with_the_right_record(call: Any) -> None:
    given = {"doi": "https://doi.org/10.99999/jir.2018.0009", "title": "The lantern protein LNT1 and its receptor"}
    (row,) = rows(await call("check_references", citations=[given]))
    assert (row["verdict"], row["record"]["pmid"]) == ("differs", "99900006")
    assert differing(row) == {"doi": "10.99999/jir.2018.0009"}


async def test_an_id_whose_title_leads_nowhere_keeps_its_record(call: Any) -> None:
    given = {"pmid": "99900006", "title": "Wholly different words that no paper has"}
    (row,) = rows(await call("check_references", citations=[given]))
    assert (row["verdict"], row["record"]["pmid"], row["found_by"]) == ("differs", "99900006", "id")
    assert list(differing(row)) == ["title"]


async def test_a_strange_author_among_right_ones_is_named(call: Any) -> None:
    given = {"title": "Marsh lights in winter", "authors": "Okonjo-Lindqvist, SM; Ghost, A", "year": "2013"}
    (row,) = rows(await call("check_references", citations=[given]))
    assert differing(row) == {"author": "Ghost, A"}


async def test_p35_swapped_names_and_p59_later_authors_are_no_difference(call: Any) -> None:
    given = {
        "title": "Fictol shortens glimmer episodes in adults with glimmer syndrome: a randomized trial",
        "authors": "P van der Zandt; AJ Quillfeather; Brontov EK",
        "journal": "Journal of Invented Results",
        "year": "2023",
        "pages": "101-112",
    }
    (row,) = rows(await call("check_references", citations=[given]))
    assert row["verdict"] == "matches"


async def test_a_last_page_that_is_wrong(call: Any) -> None:
    given = {"pmid": "99900001", "pages": "101-19"}
    (row,) = rows(await call("check_references", citations=[given]))
    assert differing(row) == {"last_page": "101-19"}


TRUE = {
    "pmid": "99900001",
    "title": "Fictol shortens glimmer episodes in adults with glimmer syndrome: a randomized trial",
    "authors": "Quillfeather AJ; Brontov EK",
    "journal": "J Invent Res",
    "year": "2023",
    "volume": "12",
    "issue": "3",
    "pages": "101-12",
}


async def test_every_field_has_its_grade(call: Any) -> None:
    (row,) = rows(await call("check_references", citations=[{**TRUE, "volume": "", "pmcid": ""}]))
    grades = row["agreement"]
    assert {name for name, grade in grades.items() if grade == "not_given"} == {"volume", "doi", "pmcid"}
    assert {grade for name, grade in grades.items() if name not in ("volume", "doi", "pmcid")} == {"same"}
    (bare,) = rows(await call("check_references", ids=["99900001"]))
    assert "agreement" not in bare


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("journal", "Lancet", "journal"),
        ("journal", "Nature", "journal"),
        ("journal", "JAMA", "journal"),
        ("issue", "4", "issue"),
        ("volume", "13", "volume"),
        ("year", "2021", "year"),
        ("pages", "102-12", "first_page"),
        ("authors", "Quillfeather AJ; Ghost A", "author"),
        ("title", TRUE["title"].replace("shortens", "lengthens"), "title"),
        ("title", TRUE["title"].replace("shortens", "does not shorten"), "title"),
        ("title", TRUE["title"].replace("in adults ", ""), "title"),
    ],
)
async def test_one_changed_field_is_named(field: str, value: str, named: str, call: Any) -> None:
    (row,) = rows(await call("check_references", citations=[{**TRUE, field: value}]))
    assert (row["verdict"], differing(row)) == (
        "differs",
        {named: value.replace("Quillfeather AJ; ", "").split("-")[0]},
    )
    assert row["agreement"][named] == "differs"


async def test_a_reversed_claim_in_another_journal_is_no_match(call: Any) -> None:
    """The record: `No effect of fictol on lantern fever: a cohort study.` in J Invent Res."""
    (record,) = rows(await call("check_references", references=["doi:10.99999/jir.2021.0002"]))
    text = (
        "Hollowell TR. An effect of fictol on lantern fever: a cohort study. Nature. 2021;10(7):755-62. "
        "doi:10.99999/jir.2021.0002"
    )
    (row,) = rows(await call("check_references", references=[text]))
    assert row["record"]["pmid"] == record["record"]["pmid"]
    assert {"title", "journal"} <= set(differing(row))


async def test_a_doi_of_another_article_says_whose_it_is(call: Any) -> None:
    text = RIGHT + " doi: 10.99999/jir.2018.0009"
    (row,) = rows(await call("check_references", references=[text]))
    (wrong,) = row["differs"]
    assert (row["record"]["pmid"], wrong["field"]) == ("99900001", "doi")
    assert wrong["belongs_to"].startswith("PMID 99900009: Fictol cures lantern fever")


async def test_a_withdrawn_work_is_warned_of_and_labelled(call: Any) -> None:
    found = rows(await call("check_references", ids=[str(99900001 + n) for n in range(20)]))
    withdrawn = [row["position"] for row in found if row["status"] == "withdrawn_heuristic"]
    assert withdrawn
    result = await call("check_references", ids=[str(99900000 + position) for position in withdrawn])
    assert any("withdrawn_heuristic" in warning for warning in result.structured["warnings"])
    assert "withdrawn_heuristic): reference" in result.text


async def test_every_kind_of_input_is_one_row_in_order(call: Any) -> None:
    ids = ["99900001", "foo", "999999999", "PPR1"]
    found = rows(await call("check_references", ids=ids))
    assert [row["input"] for row in found] == ids
    assert [row["verdict"] for row in found] == ["matches", "invalid", "not_found", "invalid"]
    texts = [RIGHT, "total nonsense", "Doe J. 2020."]
    assert [row["position"] for row in rows(await call("check_references", references=texts))] == [1, 2, 3]


@pytest.mark.parametrize("arguments", [{}, {"ids": "1", "references": ["x y z w"]}, {"ids": []}])
async def test_exactly_one_input_is_wanted(arguments: dict[str, Any], call: Any) -> None:
    result = await call("check_references", **arguments)
    assert result.structured["error"]["code"] == "invalid_argument"


async def test_a_list_of_ids_takes_one_request(call: Any, ncbi: Emulator) -> None:
    await call("check_references", ids=[str(99900001 + n) for n in range(20)])
    assert len(ncbi.log()) == 1


async def test_a_long_check_goes_on_with_a_cursor_and_asks_nothing_again(call: Any, ncbi: Emulator) -> None:
    ids = [str(99900001 + n) for n in range(20)] * 6
    result = await call("check_references", ids=ids)
    found, asked = rows(result), len(ncbi.log())
    while cursor := result.structured.get("next_cursor"):
        result = await call("check_references", ids=ids, cursor=cursor)
        found += rows(result)
    assert [row["input"] for row in found] == ids
    assert len(ncbi.log()) == asked


async def bibliography(host: Any, entries: Any) -> str:
    """Keep a parsed bibliography as the citation plugin does."""
    context = host.context()
    artifact = await context.keep("refs.json", json.dumps(entries), "application/json", kind="bibliography")
    return f"artifact:{artifact.artifact_id}"


async def test_an_artifact_of_a_parsed_bibliography(call: Any) -> None:
    entries = [
        {
            "ids": {"pmid": "99900009"},
            "fields": {"title": "Fictol cures lantern fever in a single day"},
            "key": "fab18",
        },
        {"fields": {"title": "Marsh lights in winter", "year": "2013"}, "key": "marsh"},
        {"text": "no fields"},
        {"text": RIGHT},
    ]
    name = await bibliography(call.host, entries)
    result = await call("check_references", artifact=name)
    found = rows(result)
    assert [(row["input"], row["verdict"]) for row in found] == [
        ("fab18", "matches"),
        ("marsh", "matches"),
        ("no fields", "invalid"),
        (RIGHT, "matches"),
    ]
    assert found[0]["status"] == "retracted"


async def test_more_than_200_entries_are_checked_in_batches(call: Any) -> None:
    entries = [{"ids": {"pmid": str(99900001 + n % 20)}, "key": f"k{n}"} for n in range(230)]
    name = await bibliography(call.host, entries)
    result = await call("check_references", artifact=name)
    found = rows(result)
    while cursor := result.structured.get("next_cursor"):
        result = await call("check_references", artifact=name, cursor=cursor)
        found += rows(result)
    assert [row["input"] for row in found] == [f"k{n}" for n in range(230)]
    assert result.structured["data"]["total"] == 230


@pytest.mark.parametrize("content", ['{"a": 1}', "[]", "not json", '[{"ids": 5}]'])
async def test_an_artifact_that_is_no_bibliography(content: str, call: Any) -> None:
    context = call.host.context()
    kept = await context.keep("x.json", content, "application/json")
    result = await call("check_references", artifact=kept.artifact_id)
    assert result.structured["error"]["path"] == "artifact"
    assert (await call("check_references", artifact="artifact:nope")).structured["error"]["path"] == "artifact"


async def test_what_could_not_be_asked_is_failed_and_not_missing(call: Any, ncbi: Emulator) -> None:
    ncbi.misbehave("esearch.fcgi", "status", times=None, status=503)
    entries = [{"pmid": "99900001"}, {"title": "Marsh lights in winter"}]
    result = await call("check_references", citations=entries)
    assert [row["verdict"] for row in rows(result)] == ["matches", "failed"]
    assert result.structured["status"] == "partial"


async def test_p106_nothing_could_be_asked(call: Any, ncbi: Emulator) -> None:
    ncbi.misbehave("*", "status", times=None, status=503)
    assert (await call("check_references", references=[RIGHT])).is_error


async def test_a_notice_that_shares_its_title_is_not_taken_for_the_article(real_call: Any) -> None:
    """27602157 and 34093767 have one title; the reference means the article of 2016."""
    title = "miR-429 promotes the proliferation of non-small cell lung cancer cells via targeting DLC-1"
    given = {"title": title, "journal": "Oncol Lett", "year": "2016"}
    (row,) = rows(await real_call("check_references", citations=[given]))
    assert (row["record"]["pmid"], row["status"]) == ("27602157", "retracted")


FIELDS = st.sampled_from(
    ["Marsh lights in winter", "The lantern protein LNT1 and its receptor", "Words that nobody wrote"]
)


@given(titles=st.lists(FIELDS, min_size=1, max_size=6))
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
async def test_rows_are_the_inputs(titles: list[str], call: Any) -> None:
    result = await call("check_references", citations=[{"title": title} for title in titles])
    assert [row["input"] for row in rows(result)] == titles
    assert [row["verdict"] for row in rows(result)] == [
        "not_found" if title.startswith("Words") else "matches" for title in titles
    ]
