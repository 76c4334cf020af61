"""Europe PMC's REST service: queries, paging, formats, records, full texts, links."""

from typing import Any

import pytest
from lxml import etree

from tests import emulator
from tests.emulator.conftest import Caller
from tests.emulator.europepmc_records import lowered, raised


def search(caller: Caller, query: str, **params: Any) -> dict[str, Any]:
    wanted: dict[str, Any] = {"resultType": "lite", "format": "json", "pageSize": 100} | params
    return caller.get("europepmc", "search", query=query, **wanted).json()  # type: ignore[no-any-return]


def ids(caller: Caller, query: str, **params: Any) -> set[str]:
    return {row["id"].removeprefix("999000") for row in search(caller, query, **params)["resultList"]["result"]}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("fictol sleep", {"16"}),
        ('"marsh lights" OR LNT1R', {"15", "06"}),
        ('TITLE:fictol AND TITLE:fever NOT PUB_TYPE:"Retracted Publication"', {"02", "04", "10"}),
        ("TITLE:(register OR sleep)", {"03", "16"}),
        ("fictol AND -TITLE:fictol", {"13", "14", "16"}),
        ("EXT_ID:99900001 AND SRC:MED", {"01"}),
        ("(SRC:MED AND EXT_ID:99900001)", {"01"}),
        ('EXT_ID:"99900001" AND SRC:MED', set()),
        ("PMCID:PMC99900003", {"03"}),
        ('DOI:"10.99999/jir.2021.0002"', {"02"}),
        ("SRC:PPR", {"PPR990008"}),
        ("SRC:PMC", set()),
        ("OPEN_ACCESS:Y AND lantern fever", {"02", "04", "09"}),
        ("IN_EPMC:Y AND OPEN_ACCESS:N", {"05", "12", "15"}),
        ("FIRST_PDATE:[2023-01-01 TO 2023-12-31]", {"01", "12"}),
        ("FIRST_PDATE:[2026 TO *] OR PUB_YEAR:1987", {"07", "20"}),
        ('PUB_TYPE:"retraction of publication"', {"10"}),
        ('LICENSE:"cc by-nc-nd"', {"02"}),
        ('AUTH:"Hollowell TR"', {"02", "05", "18"}),
        ('JOURNAL:"Invent Database Syst Rev"', {"19"}),
        ("LANG:fre", {"20"}),
        ("CITED:[5 TO *]", {"01", "06"}),
        ("NO_SUCH_FIELD:x", set()),
        ("AUTH_MAN:Y", {"15"}),
        ("KW:register AND HAS_ABSTRACT:Y", {"03"}),
        ("fictol AND (glimmer", {"01", "04", "09", "07", "08", "12", "13", "14", "16", "PPR990008"}),
    ],
)
def test_the_query_subset(joined: Caller, query: str, found: set[str]) -> None:
    assert ids(joined, query) == found


def test_and_binds_closer_than_or(joined: Caller) -> None:
    assert ids(joined, "TITLE:register OR TITLE:sleep AND TITLE:nothing") == {"03"}


def test_pages_follow_the_cursor_and_the_last_has_none(joined: Caller) -> None:
    """p61, p62: a cursor holds / + and =, and the end is its absence."""
    mark, seen, pages = "*", [], 0
    while mark:
        page = search(joined, "fictol", pageSize=4, cursorMark=mark)
        seen += [row["id"] for row in page["resultList"]["result"]]
        mark = page.get("nextCursorMark", "")
        pages += 1
        assert not mark or all(sign in mark for sign in "/+=")
    assert len(seen) == len(set(seen)) == page["hitCount"]
    assert pages == -(-page["hitCount"] // 4)


def test_the_last_cursor_may_be_repeated_instead(joined: Caller) -> None:
    service = emulator.behind(joined.server, "europepmc")
    service.repeats_last_cursor = True
    try:
        mark = search(joined, "fictol", pageSize=8)["nextCursorMark"]
        last = search(joined, "fictol", pageSize=100, cursorMark=mark)
        assert last["nextCursorMark"] == mark
    finally:
        service.repeats_last_cursor = False


def test_p63_a_batch_may_lose_ids_that_single_queries_find(joined: Caller) -> None:
    service = emulator.behind(joined.server, "europepmc")
    service.lost_in_batches = frozenset({"99900002"})
    try:
        assert ids(joined, "(EXT_ID:99900001 OR EXT_ID:99900002)") == {"01"}
        assert ids(joined, "EXT_ID:99900002") == {"02"}
    finally:
        service.lost_in_batches = frozenset()


@pytest.mark.parametrize("wrong", [{"sort": "NONSENSE desc"}, {"cursorMark": "AoE%2F8%2B0"}, {"cursorMark": "x"}])
def test_a_bad_sort_or_cursor_gets_the_version_and_nothing_else(joined: Caller, wrong: dict[str, str]) -> None:
    assert search(joined, "fictol", **wrong) == {"version": "6.10"}


def test_an_accept_header_for_neither_format_gets_the_version_only(joined: Caller) -> None:
    answer = joined.get("europepmc", "search", {"Accept": "text/html"}, query="fictol", format="json")
    assert answer.json() == {"version": "6.10"}


@pytest.mark.parametrize("query", ["", "   ", "x" * 1501])
def test_no_or_too_long_a_query_is_refused(joined: Caller, query: str) -> None:
    answer = joined.get("europepmc", "search", query=query, format="json")
    assert answer.json()["errCode"] == 400
    assert answer.json()["errMsg"].startswith("No search criteria provided.")


def test_a_search_can_be_posted_and_then_has_no_next_url(joined: Caller) -> None:
    answer = joined.post("europepmc", "searchPOST", query="fictol", format="json", pageSize="3").json()
    assert len(answer["resultList"]["result"]) == 3
    assert "nextCursorMark" in answer
    assert "nextPageUrl" not in answer


def test_sorts(joined: Caller) -> None:
    def first(sort: str) -> str:
        return str(search(joined, "SRC:MED", sort=sort)["resultList"]["result"][0]["id"])

    assert first("CITED desc") == "99900006"
    assert first("P_PDATE_D desc") == "99900007"
    assert first("P_PDATE_D asc") == "99900020"


def test_three_result_types(joined: Caller) -> None:
    def row(kind: str) -> dict[str, Any]:
        return dict(search(joined, "EXT_ID:99900001", resultType=kind)["resultList"]["result"][0])

    assert set(row("idlist")) == {"id", "source", "pmid", "pmcid", "fullTextIdList"}
    lite = row("lite")
    assert (lite["journalTitle"], lite["journalVolume"], lite["pubYear"]) == ("J Invent Res", "12", "2023")
    assert lite["journalIssn"] == "9999-0001; 9999-001x; "
    assert "abstractText" not in lite
    assert row("core")["license"] == "cc by"


def test_the_request_is_echoed_in_two_ways(joined: Caller) -> None:
    """A query for an id is echoed with an internal form and its type in capitals, free words are not."""
    assert search(joined, "EXT_ID:99900001")["request"]["resultType"] == "LITE"
    echo = search(joined, "fictol", synonym="TRUE", sort="CITED desc")["request"]
    assert (echo["resultType"], echo["synonym"], echo["sort"]) == ("lite", True, "CITED desc")
    assert "internalQuery" not in echo


def test_xml_is_the_default_format_and_json_by_accept(joined: Caller) -> None:
    root = etree.fromstring(joined.get("europepmc", "search", query="TITLE:register").content)
    assert root.findtext("resultList/result/pmid") == "99900003"
    answer = joined.get("europepmc", "search", {"Accept": "application/json"}, query="TITLE:register")
    assert answer.json()["hitCount"] == 1


def test_a_record_by_source_and_id(joined: Caller) -> None:
    found = joined.get("europepmc", "article/MED/99900009", resultType="core", format="json").json()
    assert found["hitCount"] == 1
    assert found["result"]["commentCorrectionList"]["commentCorrection"][0]["type"] == "Retraction in"
    missing = joined.get("europepmc", "article/MED/00000000", resultType="core", format="json")
    assert (missing.status_code, missing.json()["hitCount"], missing.json()["result"]) == (200, 0, {})


@pytest.mark.parametrize("key", ["PMC99900001", "PMC99900004", "PPR990008"])
def test_open_full_texts_are_given(joined: Caller, key: str) -> None:
    answer = joined.get("europepmc", f"{key}/fullTextXML", {"Accept": "application/xml"})
    assert answer.status_code == 200
    assert etree.fromstring(answer.content).tag == "article"


@pytest.mark.parametrize("key", ["PMC99900005", "PMC99900015", "PMC99900008", "99900001", "PMC1"])
def test_closed_missing_and_wrong_ids_have_no_full_text(joined: Caller, key: str) -> None:
    """PMC99900015 is held but not open, PMC99900008 is said to be open but has none."""
    answer = joined.get("europepmc", f"{key}/fullTextXML")
    assert (answer.status_code, answer.json()["status"]) == (404, 404)


def test_full_text_as_json_is_not_acceptable(joined: Caller) -> None:
    answer = joined.get("europepmc", "PMC99900001/fullTextXML", {"Accept": "application/json"})
    assert answer.status_code == 406


def test_citations_are_paged_by_number_and_agree_with_the_count(joined: Caller) -> None:
    pages = [
        joined.get("europepmc", "MED/99900006/citations", format="json", page=n, pageSize=3).json()
        for n in (1, 2, 3, 4)
    ]
    found = [row["id"] for page in pages for row in page["citationList"]["citation"]]
    assert len(found) == len(set(found)) == pages[0]["hitCount"]
    assert pages[1]["request"] == {"id": "99900006", "source": "MED", "offSet": 3, "pageSize": 3}
    record = joined.get("europepmc", "article/MED/99900006", resultType="core", format="json").json()
    assert record["result"]["citedByCount"] == len(found)


def test_references_hold_an_unmatched_one_without_id(joined: Caller) -> None:
    found = joined.get("europepmc", "MED/99900001/references", format="json").json()
    rows = found["referenceList"]["reference"]
    assert (found["request"]["offSet"], len(rows)) == (1, 4)
    assert "id" not in rows[3]
    assert rows[3]["match"] == "N"


def test_nothing_attached_has_two_forms(joined: Caller) -> None:
    citations = joined.get("europepmc", "MED/99900020/citations", format="json").json()
    assert (citations["hitCount"], citations["citationList"]) == (0, {"citation": []})
    references = joined.get("europepmc", "MED/99900020/references", format="json").json()
    assert references["hitCount"] == 0
    assert "referenceList" not in references
    assert joined.get("europepmc", "XYZ/1/citations", format="json").status_code == 404


def test_data_links(joined: Caller) -> None:
    found = joined.get("europepmc", "MED/99900003/datalinks", format="json").json()
    assert (found["hitCount"], len(found["dataLinkList"]["Category"])) == (2, 2)
    none = joined.get("europepmc", "MED/99900002/datalinks", format="json").json()
    assert none["hitCount"] == 0
    assert "dataLinkList" not in none


def test_lite_and_core_can_be_made_of_each_other(joined: Caller) -> None:
    core = search(joined, "EXT_ID:99900002", resultType="core")["resultList"]["result"][0]
    again = raised(lowered(core))
    assert lowered(again) == lowered(core)


def test_cassettes_are_answered_byte_for_byte(whole: Caller) -> None:
    from tests.emulator.recordings import recordings

    found = [
        (key, reply) for key, reply in recordings(emulator.load(emulator.folders())).items() if key[0] == "europepmc"
    ]
    assert len(found) >= 12
    for (_, path, fields), reply in found:
        answer = whole.client.get(whole.server.url("europepmc") + path, params=list(fields))
        assert answer.content == reply.body


def test_full_texts_of_the_corpus_have_a_record(whole: Caller) -> None:
    found = search(whole, "PMCID:PMC8071313", resultType="core")["resultList"]["result"][0]
    assert found["fullTextIdList"] == {"fullTextId": ["PMC8071313"]}
