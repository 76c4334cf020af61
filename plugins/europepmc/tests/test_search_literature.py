"""The tool search_literature over an emulated service."""

import base64
from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.anyio
Ask = Callable[..., Any]


async def test_r06_records_are_compact_and_carry_licence_and_status(ask: Ask) -> None:
    answer = await ask("search_literature", query="TITLE:fictol", limit=50)
    data = answer["data"]
    assert data["hit_count"] == data["returned"] == len(data["records"]) > 5
    assert data["end"] is True
    rows = {row["id"]: row for row in data["records"]}
    assert rows["pmid:99900009"]["status"] == "retracted"
    assert rows["pmid:99900009"]["signals"][0]["notice_id"] == "pmid:99900010"
    assert rows["pmid:99900010"]["is_notice"] is True
    assert rows["pmid:99900010"]["status"] == "none_found"
    assert rows["pmid:99900002"]["licence"] == "cc by-nc-nd"
    assert rows["pmid:99900002"]["may"] == ["read", "quote", "mine", "redistribute"]
    assert rows["pmid:99900004"]["may"] == ["read"]
    assert all(row["because"] for row in data["records"])


async def test_r06_abstracts_are_cut_whole_or_left_out(ask: Ask) -> None:
    async def abstracts(kind: str) -> dict[str, Any]:
        answer = await ask("search_literature", query="EXT_ID:99900001", abstract=kind)
        row: dict[str, Any] = answer["data"]["records"][0]
        return row

    short, whole, none = await abstracts("truncated"), await abstracts("full"), await abstracts("none")
    assert len(short["abstract"]) <= 301
    assert short["abstract"].endswith("…")
    assert short["abstract_chars"] == len(whole["abstract"])
    assert "abstract" not in none


async def test_r07_synonyms_are_off_and_their_choice_is_recorded(ask: Ask, server: Any) -> None:
    assert (await ask("search_literature", query="fictol"))["provenance"]["query_params"]["synonym_expansion"] is False
    answer = await ask("search_literature", query="fictol", synonym_expansion=True)
    assert answer["data"]["synonym_expansion"] is True
    assert [entry.params["synonym"] for entry in server.log("europepmc")] == ["FALSE", "TRUE"]


async def test_r06_filters_reach_the_service_and_hold(ask: Ask, server: Any) -> None:
    answer = await ask(
        "search_literature",
        query="fictol OR glimmer",
        open_access_only=True,
        include_preprints=False,
        exclude_retracted=True,
        date_from="2018",
        date_to="2023-06",
        sources=["MED"],
    )
    (entry,) = server.log("europepmc")
    assert (
        entry.params["query"]
        == answer["data"]["query"]
        == (
            "(fictol OR glimmer) AND FIRST_PDATE:[2018-01-01 TO 2023-06-30] AND OPEN_ACCESS:Y AND (SRC:MED) "
            'AND NOT SRC:PPR AND NOT PUB_TYPE:"Preprint" AND NOT PUB_TYPE:"Retracted Publication"'
        )
    )
    ids = {row["id"] for row in answer["data"]["records"]}
    assert "pmid:99900001" in ids
    assert "pmid:99900009" not in ids


async def test_r06_an_unbalanced_query_is_refused_before_anything_is_sent(ask: Ask, server: Any) -> None:
    answer = await ask("search_literature", query="fictol) OR (cancer", open_access_only=True)
    assert answer["error"]["code"] == "invalid_argument"
    assert answer["error"]["path"] == "query"
    assert server.log("europepmc") == []


@pytest.mark.parametrize("dates", [{"date_from": "2023-02-30"}, {"date_from": "2024", "date_to": "2023"}])
async def test_r06_dates_are_validated(ask: Ask, dates: dict[str, str]) -> None:
    assert (await ask("search_literature", query="fictol", **dates))["error"]["path"].startswith("date")


async def test_p15_empty_fields_are_absent(ask: Ask, server: Any) -> None:
    await ask("search_literature", query="fictol", date_from="", date_to="", sort="", sources=[], cursor="")
    assert server.log("europepmc")[0].params["query"] == "(fictol)"


async def test_r05_p61_p62_pages_join_to_the_whole_and_end(ask: Ask, server: Any) -> None:
    whole = await ask("search_literature", query="fictol", limit=100, abstract="none")
    seen: list[str] = []
    cursor = None
    while True:
        page = await ask("search_literature", query="fictol", limit=4, abstract="none", cursor=cursor)
        seen += [row["id"] for row in page["data"]["records"]]
        assert page["data"]["seen"] == len(seen)
        cursor = page.get("next_cursor")
        if not cursor:
            break
        assert page["data"]["end"] is False
    assert page["data"]["end"] is True
    assert seen == [row["id"] for row in whole["data"]["records"]]
    # The mark has `/`, `+` and `=`: it arrived as the service gave it.
    assert all(set("/+=") <= set(entry.params["cursorMark"]) for entry in server.log("europepmc")[2:])


async def test_p61_a_repeated_cursor_is_the_end(ask: Ask, server: Any) -> None:
    body = {"version": "6.9", "hitCount": 39, "nextCursorMark": "*", "request": {}, "resultList": {"result": []}}
    server.misbehave("search", "body", body=body)
    answer = await ask("search_literature", query="fictol")
    assert "next_cursor" not in answer
    assert any("0 of 39" in warning for warning in answer["warnings"])


async def test_r05_p62_a_cursor_is_refused_elsewhere(ask: Ask, host: Any) -> None:
    cursor = (await ask("search_literature", query="fictol", limit=2))["next_cursor"]
    for changed in (
        {"query": "glimmer", "limit": 2},
        {"query": "fictol", "limit": 3},
        {"query": "fictol", "limit": 2, "sort": "date"},
    ):
        answer = await ask("search_literature", cursor=cursor, **changed)
        assert answer["error"]["code"] == "invalid_argument"
        assert answer["error"]["path"] == "cursor"
    other = await host.call("europepmc_fetch_article", {"ids": ["99900001"], "cursor": cursor})
    assert other.structured["error"]["path"] == "cursor"
    forged = base64.urlsafe_b64encode(b"AoE/nonsense").decode()
    assert (await ask("search_literature", query="fictol", cursor=forged))["error"]["path"] == "cursor"


async def test_p65_suppressed_rows_are_counted(ask: Ask) -> None:
    answer = await ask("search_literature", query="fictol", may=["read"], limit=50)
    data = answer["data"]
    assert data["returned"] + sum(data.get("suppressed", {}).values()) == data["seen"] == data["hit_count"]
    assert all("read" in row["may"] for row in data["records"])


async def test_w04_may_asks_for_licences_that_allow_the_use(ask: Ask, server: Any) -> None:
    answer = await ask("search_literature", query="fictol", may=["commercial"], limit=50)
    query = server.log("europepmc")[0].params["query"]
    assert 'LICENSE:"cc by"' in query
    assert "cc by-nc" not in query
    assert answer["data"]["records"]
    assert all("commercial" in row["may"] for row in answer["data"]["records"])


async def test_w04_a_licence_field_that_finds_nothing_is_not_an_empty_answer(ask: Ask, server: Any) -> None:
    empty = {"version": "6.9", "hitCount": 0, "request": {}, "resultList": {"result": []}}
    server.misbehave("search", "body", body=empty)
    answer = await ask("search_literature", query="fictol", may=["derive"], limit=50)
    assert [row["id"] for row in answer["data"]["records"]]
    assert all("derive" in row["may"] for row in answer["data"]["records"])
    assert answer["data"]["suppressed"]["licence"] > 0
    assert any("filtered here" in warning for warning in answer["warnings"])


async def test_p66_an_ignored_date_sort_of_preprints_is_said(ask: Ask, server: Any, core: Callable[..., Any]) -> None:
    rows = [
        core(id=f"PPR{number}", source="PPR", pmid=None, pmcid=None, firstPublicationDate=date)
        for number, date in ((1, "2024-01-01"), (2, "2025-01-01"), (3, "2023-01-01"))
    ]
    body = {"version": "6.9", "hitCount": 3, "request": {}, "resultList": {"result": rows}}
    server.misbehave("search", "body", body=body)
    answer = await ask("search_literature", query="covid", sources=["PPR"], sort="date")
    assert [row["id"] for row in answer["data"]["records"]] == ["ppr:PPR2", "ppr:PPR1", "ppr:PPR3"]
    assert any("does not sort preprints" in warning for warning in answer["warnings"])


async def test_r02_a_version_only_stub_is_retried_and_never_empty(ask: Ask, server: Any) -> None:
    server.misbehave("search", "body", body={"version": "6.10"})
    assert (await ask("search_literature", query="fictol"))["data"]["hit_count"] > 5
    assert len(server.log("europepmc")) == 2
    server.misbehave("search", "body", body={"version": "6.10"}, times=None)
    failed = await ask("search_literature", query="glimmer")
    assert failed["status"] == "error"
    assert failed["error"]["code"] == "upstream_invalid"
    assert failed["error"]["retryable"] is True


@pytest.mark.parametrize(
    "body", [b"", b'{"version":"6.9","request":{}}', b'{"hitCount":"3"}', b"<html>busy</html>", b"[]"]
)
async def test_p106_what_is_no_answer_is_no_empty_answer(ask: Ask, server: Any, body: bytes) -> None:
    server.misbehave("search", "body", body=body, times=None, media="application/json")
    assert (await ask("search_literature", query="fictol"))["error"]["code"] == "upstream_invalid"


async def test_r27_no_hits_is_an_answer_that_says_so(ask: Ask) -> None:
    answer = await ask("search_literature", query="quixotidine")
    assert (answer["status"], answer["data"]["hit_count"], answer["data"]["records"]) == ("ok", 0, [])
    assert answer["warnings"]


async def test_r04_the_answer_names_its_source_and_hash(ask: Ask) -> None:
    (source,) = (await ask("search_literature", query="fictol"))["provenance"]["sources"]
    assert source["source"] == "europepmc"
    assert len(source["content_sha256"]) == 64
    assert source.get("hash_scope", "VOLATILE") == "VOLATILE"


async def test_w05_w06_versions_are_linked_both_ways(ask: Ask) -> None:
    answer = await ask("search_literature", query="TITLE:adolescents", limit=10)
    rows = {row["id"]: row for row in answer["data"]["records"]}
    assert rows["ppr:PPR990008"]["is_preprint"] is True
    assert rows["ppr:PPR990008"]["published_as"] == ["pmid:99900007"]
    assert "ppr:PPR990008" in rows["pmid:99900007"]["preprints"]


def _page(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {"version": "6.9", "hitCount": len(rows), "request": {}, "resultList": {"result": rows}}


async def test_r06_preprints_that_pubmed_holds_are_preprints_too(
    ask: Ask, server: Any, core: Callable[..., Any]
) -> None:
    answer = await ask("search_literature", query="fictol", include_preprints=False, limit=100)
    assert answer["data"]["records"]
    assert not [row["id"] for row in answer["data"]["records"] if row.get("is_preprint")]
    # One that the service lets through all the same is left out here, and counted.
    server.misbehave("search", "body", body=_page([core(pubTypeList={"pubType": ["Preprint"]}), core(id="99900002")]))
    leaky = await ask("search_literature", query="glimmer", include_preprints=False)
    assert (leaky["data"]["returned"], leaky["data"]["suppressed"]) == (1, {"preprint": 1})


async def test_r06_preprints_alone_and_no_preprints_is_refused(ask: Ask, server: Any) -> None:
    answer = await ask("search_literature", query="fictol", sources=["PPR"], include_preprints=False)
    assert (answer["error"]["code"], answer["error"]["path"]) == ("invalid_argument", "include_preprints")
    assert server.log("europepmc") == []


async def test_w04_author_manuscripts_may_be_mined(ask: Ask, server: Any, core: Callable[..., Any]) -> None:
    manuscript = core(isOpenAccess="N", license=None, authMan="Y")
    server.misbehave("search", "body", body=_page([manuscript]))
    answer = await ask("search_literature", query="fictol", may=["mine"])
    assert " OR AUTH_MAN:Y" in server.log("europepmc")[0].params["query"]
    assert [row["may"] for row in answer["data"]["records"]] == [["mine"]]
    await ask("search_literature", query="fictol", may=["mine", "read"])
    assert "AUTH_MAN" not in server.log("europepmc")[-1].params["query"]


async def test_p65_hits_left_out_count_once_where_a_page_takes_several_answers(
    ask: Ask, server: Any, core: Callable[..., Any]
) -> None:
    link = {"type": "Retraction in", "id": "99900020", "source": "MED", "reference": "J Invent Res. 2024;1:1"}
    rows = [
        core(
            id=str(99_900_100 + number),
            abstractText="Fictol was given. " * 200,
            commentCorrectionList={"commentCorrection": [link]} if number % 5 == 4 else None,
        )
        for number in range(20)
    ]
    server.misbehave("search", "body", body=_page(rows), times=None)
    seen, left_out, answers, cursor = 0, 0, 0, None
    while answers == 0 or cursor:
        page = await ask(
            "search_literature", query="fictol", exclude_retracted=True, abstract="full", limit=20, cursor=cursor
        )
        seen += page["data"]["returned"]
        left_out += sum(page["data"].get("suppressed", {}).values())
        answers += 1
        assert page["data"]["seen"] == seen + left_out
        cursor = page.get("next_cursor")
    assert answers > 1
    assert (seen, left_out) == (16, 4)


async def test_p21_what_the_service_reads_otherwise_is_said(ask: Ask) -> None:
    answer = await ask("search_literature", query="fictol and glimmer[tiab]")
    said = " ".join(answer["warnings"])
    assert "`and` in lower case" in said
    assert "`[tiab]` is a tag of PubMed" in said


@pytest.mark.parametrize("query", ["   ", "\u200b", "()", "AND", "fictol OR", "(fictol AND) glimmer", "OR fictol"])
async def test_p14_a_blank_query_never_returns_arbitrary_records(ask: Ask, server: Any, query: str) -> None:
    answer = await ask("search_literature", query=query)
    assert answer["status"] == "error"
    assert (answer["error"]["code"], answer["error"]["path"]) == ("invalid_argument", "query")
    assert server.log("europepmc") == []
