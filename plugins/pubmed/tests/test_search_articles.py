"""pubmed_search_articles against the emulated service."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from vouched.api import Owner
from vouched.testing.emulator import Emulator
from vouched.testing.exchange import Asked, Reply

from tests import emulator

pytestmark = pytest.mark.anyio
Hosts = Callable[..., Any]
TOOL = "pubmed_search_articles"


def paths(server: Emulator) -> list[str]:
    return [entry.path.rpartition("/")[2] for entry in server.log("eutils")]


def sent(server: Emulator, name: str) -> list[str]:
    return [str(entry.params[name]) for entry in server.log("eutils") if name in entry.params]


def found(count: int, ids: list[str], **more: Any) -> Reply:
    result = {"count": str(count), "retmax": str(len(ids)), "retstart": "0", "idlist": ids, "querytranslation": "x"}
    return Reply.json({"header": {"type": "esearch", "version": "0.3"}, "esearchresult": result | more})


async def test_the_query_goes_out_as_given_and_everything_about_it_comes_back(invented: Emulator, host: Hosts) -> None:
    invented.clear()
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": "fictol & <glimmer>  p<0.05", "limit": 2})
    data = result.structured["data"]
    assert sent(invented, "term") == ["fictol & <glimmer>  p<0.05"]
    assert data["query"] == data["effective_query"] == "fictol & <glimmer>  p<0.05"
    assert data["search_url"].startswith("https://pubmed.ncbi.nlm.nih.gov/?term=fictol+%26+%3Cglimmer%3E")
    assert data["run_id"] == result.structured["provenance"]["run_id"]


async def test_p20_counting_only_is_one_request(invented: Emulator, host: Hosts) -> None:
    invented.clear()
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": "fictol[tiab]", "limit": 0, "summaries": True})
    data = result.structured["data"]
    assert paths(invented) == ["esearch.fcgi"]
    assert data["total"] == 12
    assert data["returned"] == 0
    assert "next_cursor" not in result.structured


async def test_summaries_cost_a_second_request_and_no_more(invented: Emulator, host: Hosts) -> None:
    invented.clear()
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": "fictol[tiab]", "limit": 5, "summaries": True})
    rows = result.structured["data"]["summaries"]
    assert paths(invented) == ["esearch.fcgi", "esummary.fcgi"]
    assert [row["pmid"] for row in rows] == result.structured["data"]["pmids"]
    assert all(row["title"] and row["status"] for row in rows)


async def test_p17_the_first_line_says_how_many_of_how_many(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": "fictol[tiab]", "limit": 5})
    data = result.structured["data"]
    assert (data["returned"], data["total"], data["truncated"]) == (5, 12, True)
    assert "5 of 12" in result.text.splitlines()[0]


async def test_p18_pages_follow_each_other_without_gap_or_overlap(invented: Emulator, host: Hosts) -> None:
    arguments = {"query": "fictol[tiab]", "limit": 5, "sort": "pub_date"}
    async with host(invented) as asked:
        whole = (await asked.call(TOOL, arguments | {"limit": 100})).structured["data"]["pmids"]
        pages, cursor = [], None
        while True:
            result = (await asked.call(TOOL, arguments | {"cursor": cursor})).structured
            pages.append(result["data"]["pmids"])
            cursor = result.get("next_cursor")
            if cursor is None:
                break
    assert [len(page) for page in pages] == [5, 5, 2]
    assert [pmid for page in pages for pmid in page] == whole


async def test_summaries_that_do_not_fit_come_on_the_next_page(invented: Emulator, host: Hosts) -> None:
    arguments = {"query": "fictol[tiab]", "limit": 12, "summaries": True}
    async with host(invented, answer_chars=6_500) as asked:
        seen, cursor = [], None
        for _ in range(12):
            result = (await asked.call(TOOL, arguments | {"cursor": cursor})).structured
            seen += [row["pmid"] for row in result["data"]["summaries"]]
            cursor = result.get("next_cursor")
            if cursor is None:
                break
        all_of_them = (await asked.call(TOOL, {"query": "fictol[tiab]", "limit": 12})).structured["data"]["pmids"]
    assert seen == all_of_them


@pytest.mark.parametrize(
    ("name", "wire", "page"),
    [
        ("relevance", "relevance", None),
        ("pub_date", "pub_date", "sort=pubdate"),
        ("author", "Author", "sort=fauth"),
        ("journal", "JournalName", "sort=jour"),
    ],
)
async def test_sort_names_are_mapped_to_what_the_service_takes(
    invented: Emulator, host: Hosts, name: str, wire: str, page: str | None
) -> None:
    invented.clear()
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": "fictol", "sort": name})
    assert sent(invented, "sort") == [wire]
    assert (page or "sort=") in result.structured["data"]["search_url"] or page is None


async def test_filters_are_clauses_beside_a_parenthesised_query(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        result = await asked.call(
            TOOL,
            {
                "query": "fictol OR glimmer",
                "date_from": "2020",
                "publication_types": ["Review", "Journal Article"],
                "languages": "english",
                "sex": "female",
                "ages": "adult, aged",
                "free_full_text": "true",
                "study_filters": ["systematic_review"],
            },
        )
    assert result.structured["data"]["effective_query"] == (
        '(fictol OR glimmer) AND ("2020"[pdat] : "3000/12/31"[pdat]) AND ("Review"[pt] OR "Journal Article"[pt]) AND '
        '"english"[la] AND ("adult"[mh] OR "aged"[mh]) AND "female"[mh] AND systematic[sb] AND free full text[sb]'
    )
    assert any("MeSH" in warning for warning in result.structured["warnings"])
    # The link to PubMed's site shows the same search, filters included.
    term = parse_qs(urlsplit(result.structured["data"]["search_url"]).query)["term"]
    assert term == [result.structured["data"]["effective_query"]]


@pytest.mark.parametrize("more", [{"languages": ["english"]}, {"complete": True}])
async def test_a_query_that_would_draw_the_filters_into_itself_is_refused(
    invented: Emulator, host: Hosts, more: dict[str, Any]
) -> None:
    invented.clear()
    async with host(invented) as asked:
        refused = await asked.call(TOOL, {"query": '"marsh light AND fictol', **more})
        assert not invented.log("eutils")
        alone = await asked.call(TOOL, {"query": '"marsh light AND fictol'})
    assert refused.structured["error"]["path"] == "query"
    assert "quotation marks" in refused.structured["error"]["message"]
    assert sent(invented, "term") == ['"marsh light AND fictol']
    assert any("do not balance" in warning for warning in alone.structured["warnings"])


async def test_p16_an_open_ended_range_is_honoured_and_echoed(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        late = (await asked.call(TOOL, {"query": "fictol", "date_from": "2020/01/01", "limit": 0})).structured["data"]
        early = (await asked.call(TOOL, {"query": "fictol", "date_to": "2019", "limit": 0})).structured["data"]
        whole = (await asked.call(TOOL, {"query": "fictol", "limit": 0})).structured["data"]
    assert late["effective_query"] == '(fictol) AND ("2020/01/01"[pdat] : "3000/12/31"[pdat])'
    assert 0 < late["total"] < whole["total"]
    assert 0 < early["total"] < whole["total"]


async def test_p15_p89_empty_and_null_filters_are_absent(invented: Emulator, host: Hosts) -> None:
    arguments = {"query": "fictol", "date_from": "", "date_to": "", "sort": "", "journals": [], "max_results": None}
    async with host(invented) as asked:
        result = await asked.call(TOOL, arguments)
    assert result.structured["data"]["effective_query"] == "fictol"
    assert result.structured["data"]["returned"] == 12


async def test_p88_a_query_that_looks_like_a_number_or_json_stays_text(invented: Emulator, host: Hosts) -> None:
    invented.clear()
    async with host(invented) as asked:
        await asked.call(TOOL, {"query": "12345", "limit": "5"})
        await asked.call(TOOL, {"query": '{"a":1}', "limit": 5.0})
        await asked.call(TOOL, {"query": "007", "limit": 0})
    assert sent(invented, "term") == ["12345", '{"a":1}', "007"]


async def test_p14_an_unknown_field_stands_beside_the_count_with_the_tag_meant(host: Hosts, scripted: Any) -> None:
    errors = {"errorlist": {"phrasesnotfound": ["p.E1317Q"], "fieldsnotfound": ["Aithor"]}}
    with scripted(lambda asked: found(870, ["1"], **errors)) as server:
        async with host(server) as asked:
            result = await asked.call(TOOL, {"query": "smith[Aithor] p.E1317Q", "limit": 1})
    data = result.structured["data"]
    assert data["total"] == 870
    assert data["ignored"]["fields"] == ["[Aithor] (did you mean [au]?)"]
    assert data["ignored"]["phrases"] == ["p.E1317Q"]
    assert list(data)[:3] == ["total", "returned", "ignored"]
    assert "[Aithor]" in result.text.split("**total:**")[0]
    assert any("870 hits are those of the rest" in warning for warning in result.structured["warnings"])


@pytest.mark.parametrize(
    ("count", "translation", "claimed"),
    [
        (0, "moonlight", False),
        (0, "", False),
        (12, '"blurple"[All Fields] OR moonlight', False),
        (12, '"moonlight"[All Fields]', True),
    ],
)
async def test_what_pubmed_searched_without_a_term_is_claimed_only_where_it_shows(
    count: int, translation: str, claimed: bool, host: Hosts, scripted: Any
) -> None:
    more = {"errorlist": {"phrasesnotfound": ["blurple[tiab]"], "fieldsnotfound": []}, "querytranslation": translation}
    with scripted(lambda asked: found(count, ["1"] if count else [], **more)) as server:
        async with host(server) as asked:
            result = await asked.call(TOOL, {"query": "moonlight blurple[tiab]", "limit": 1})
    said = [warning for warning in result.structured["warnings"] if "reports no item for blurple[tiab]" in warning]
    assert len(said) == 1
    assert ("rest of the query" in said[0]) is claimed


async def test_a_tag_that_is_known_is_no_repair_of_itself(host: Hosts, scripted: Any) -> None:
    errors = {"errorlist": {"phrasesnotfound": [], "fieldsnotfound": ["SH"]}}
    with scripted(lambda asked: found(1, ["1"], **errors)) as server:
        async with host(server) as asked:
            result = await asked.call(TOOL, {"query": "x[SH]"})
    assert result.structured["data"]["ignored"]["fields"] == ["[SH]"]


async def test_ignored_words_and_loosened_phrases_are_said(host: Hosts, scripted: Any) -> None:
    warnings = {"phrasesignored": ["the"], "quotedphrasesnotfound": ['"blue moon fever"'], "outputmessages": []}
    with scripted(lambda asked: found(3, ["1", "2", "3"], warninglist=warnings)) as server:
        async with host(server) as asked:
            result = await asked.call(TOOL, {"query": 'the "blue moon fever"'})
    assert result.structured["data"]["ignored"] == {"stopped": ["the"], "unquoted": ['"blue moon fever"']}
    assert len(result.structured["warnings"]) == 2


async def test_p12_a_page_that_the_service_cut_is_named_with_the_way_on(host: Hosts, scripted: Any) -> None:
    def answer(asked: Asked) -> Reply:
        start, size = int(asked.get("retstart")), int(asked.get("retmax"))
        assert start + size <= 9_999
        return found(319_477, [str(number) for number in range(1 + start, 1 + start + size)])

    with scripted(answer) as server:
        async with host(server) as asked:
            result = await asked.call(TOOL, {"query": "cholesterol", "limit": 1000})
            cursor = result.structured["next_cursor"]
            pages = 1
            while cursor:
                last = await asked.call(TOOL, {"query": "cholesterol", "limit": 1000, "cursor": cursor})
                cursor, pages = last.structured.get("next_cursor"), pages + 1
            refused = await asked.call(TOOL, {"query": "cholesterol", "max_results": 20_000})
    assert result.structured["data"]["truncated"] is True
    assert any("complete=true" in warning for warning in result.structured["warnings"])
    assert pages == 10
    assert last.structured["data"]["pmids"][-1] == "9999"
    assert last.structured["data"]["truncated"] is True
    assert refused.structured["error"]["code"] == "invalid_argument"


async def test_p12_hits_that_are_counted_and_not_given_are_a_fault(host: Hosts, scripted: Any) -> None:
    restricted = {"warninglist": {"outputmessages": ["Restrictions achieved. start and count adjusted to 0, 9999"]}}
    with scripted(lambda asked: found(319_477, [], **restricted)) as server:
        async with host(server) as asked:
            result = await asked.call(TOOL, {"query": "cholesterol"})
    assert result.structured["error"]["code"] == "upstream_invalid"
    assert result.structured["error"]["retryable"] is True


async def test_p13_p106_an_error_inside_a_good_status_is_an_error_and_no_empty_list(host: Hosts, scripted: Any) -> None:
    body = b"<eSearchResult><ERROR>Search Backend failed: position out of acceptable range</ERROR></eSearchResult>"
    with scripted(lambda asked: Reply(body, 200, "application/xml")) as server:
        async with host(server) as asked:
            result = await asked.call(TOOL, {"query": "asthma"})
    assert result.is_error
    assert "data" not in result.structured


async def test_p19_no_page_hangs_on_a_history_handle_that_can_expire(invented: Emulator, host: Hosts) -> None:
    """Every page is a search of its own, so an expired or evicted history costs nothing."""
    invented.clear()
    async with host(invented) as asked:
        first = await asked.call(TOOL, {"query": "fictol", "limit": 5})
        emulator.behind(invented, "eutils").history.expire()
        second = await asked.call(TOOL, {"query": "fictol", "limit": 5, "cursor": first.structured["next_cursor"]})
    assert not second.is_error
    assert not sent(invented, "WebEnv") + sent(invented, "usehistory")


async def test_hits_without_their_summaries_are_partial(invented: Emulator, host: Hosts) -> None:
    invented.misbehave("esummary.fcgi", "status", times=None, status=503)
    async with host(invented, attempts=1) as asked:
        result = await asked.call(TOOL, {"query": "fictol[tiab]", "summaries": True})
    assert result.structured["status"] == "partial"
    assert len(result.structured["data"]["pmids"]) == 12
    assert any("summaries could not be had" in warning for warning in result.structured["warnings"])


async def test_a_result_that_changes_between_pages_is_said(host: Hosts, scripted: Any) -> None:
    totals = iter((10, 12))
    with scripted(lambda asked: found(next(totals), [str(int(asked.get("retstart")) + 1)])) as server:
        async with host(server) as asked:
            first = (await asked.call(TOOL, {"query": "x", "limit": 1})).structured
            second = (await asked.call(TOOL, {"query": "x", "limit": 1, "cursor": first["next_cursor"]})).structured
    assert any("changed between pages" in warning for warning in second["warnings"])


async def test_p45_a_long_query_is_posted(invented: Emulator, host: Hosts) -> None:
    invented.clear()
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": " OR ".join(["fictol[tiab]"] * 150), "limit": 1})
    assert not result.is_error
    assert [entry.method for entry in invented.log("eutils")] == ["POST"]


async def test_p21_words_that_are_no_operators_for_pubmed_are_pointed_at(invented: Emulator, host: Hosts) -> None:
    invented.clear()
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": "stroke and aspirin not children"})
    assert sent(invented, "term") == ["stroke and aspirin not children"]
    warnings = " ".join(result.structured["warnings"])
    assert "`and` in lower case" in warnings
    assert "`not` in lower case" in warnings


@pytest.mark.parametrize("query", ["()", "[pdat]", " AND ", '""', "\u200b"])
async def test_a_query_without_a_term_is_refused_before_anything_is_asked(
    invented: Emulator, host: Hosts, query: str
) -> None:
    invented.clear()
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": query})
    assert result.structured["error"]["code"] == "invalid_argument"
    assert result.structured["error"]["path"] == "query"
    assert not invented.log("eutils")


async def test_the_run_record_has_query_translation_total_and_ids(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": "fictol[tiab]", "limit": 3})
        run = await asked.context(Owner(client="python")).session.last()
    assert run is not None
    assert run.run_id == result.structured["data"]["run_id"]
    assert (run.query, run.total) == ("fictol[tiab]", 12)
    assert run.translation == '"fictol"[Title/Abstract]'
    assert run.ids == [f"pmid:{pmid}" for pmid in result.structured["data"]["pmids"]]


async def test_the_status_of_a_record_stands_in_its_row(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": "fictol", "limit": 50, "summaries": True})
    data = result.structured["data"]
    asked_at = result.structured["provenance"]["sources"][-1]["retrieved_at"]
    assert data["status_checked"] == f"eutils (summary) {asked_at}"
    assert {"none_found", "corrected"} <= {row["status"] for row in data["summaries"]}


@pytest.mark.parametrize("cursor", ["rubbish", "eyJ2IjoxfQ"])
async def test_a_cursor_of_somewhere_else_is_refused_and_no_outage(
    invented: Emulator, host: Hosts, cursor: str
) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": "fictol", "cursor": cursor})
        page = await asked.call(TOOL, {"query": "fictol", "limit": 5})
        other = await asked.call(TOOL, {"query": "glimmer", "limit": 5, "cursor": page.structured["next_cursor"]})
    assert result.structured["error"]["code"] == other.structured["error"]["code"] == "invalid_argument"


async def test_a_blank_filter_never_widens_the_search(invented: Emulator, host: Hosts) -> None:
    invented.reset()
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": "fictol", "journals": ["\u200b"]})
    assert result.structured["error"]["path"] == "journals[0]"
    assert not invented.log("eutils")


@pytest.mark.parametrize("name", ["search_pubmed", "search_articles", "pubmed_search"])
async def test_names_of_other_servers_reach_the_tool(invented: Emulator, host: Hosts, name: str) -> None:
    async with host(invented) as asked:
        result = await asked.call(name, {"term": "fictol[tiab]", "retmax": 1})
    assert result.structured["data"]["total"] == 12
