"""pubmed_lookup_citation against the emulated service."""

from collections.abc import Callable
from typing import Any

import pytest
from vouched.testing.emulator import Emulator
from vouched.testing.exchange import Asked, Reply

pytestmark = pytest.mark.anyio
Hosts = Callable[..., Any]
TOOL = "pubmed_lookup_citation"
TRIAL = {
    "journal": "J Invent Res",
    "year": "2023",
    "volume": "12",
    "first_page": "101",
    "author_name": "Quillfeather A",
}


def paths(server: Emulator) -> list[str]:
    return [entry.path.rpartition("/")[2] for entry in server.log("eutils")]


async def test_a_match_is_compared_with_its_record(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"citations": [TRIAL]})
    data = result.structured["data"]
    (row,) = data["results"]
    assert (row["state"], row["pmid"], row["verified"]) == ("matched", "99900001", True)
    assert set(row["agreement"].values()) == {"same"}
    assert row["record"]["status"] == "corrected"
    asked_at = result.structured["provenance"]["sources"][-1]["retrieved_at"]
    assert data["status_checked"] == f"eutils (summary) {asked_at}"
    assert (data["total_matched"], data["total_warnings"], data["total_submitted"]) == (1, 0, 1)


async def test_25_citations_that_are_all_answered_cost_two_requests(invented: Emulator, host: Hosts) -> None:
    invented.clear()
    citations = [
        {"journal": "J Invent Res", "year": "2023", "volume": "12", "first_page": str(n)} for n in range(90, 115)
    ]
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"citations": citations})
    assert paths(invented) == ["ecitmatch.cgi", "esummary.fcgi"]
    assert result.structured["data"]["total_submitted"] == 25
    states = {row["state"] for row in result.structured["data"]["results"]}
    assert states <= {"matched", "not_found", "ambiguous"}


async def test_p57_a_row_that_ends_the_answer_costs_the_others_nothing(invented: Emulator, host: Hosts) -> None:
    invented.clear()
    citations = [{"year": "1991", "volume": "88", "first_page": "99999", "author_name": "nobody"}, TRIAL, TRIAL]
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"citations": citations})
    assert [row["state"] for row in result.structured["data"]["results"]] == ["no_answer", "matched", "matched"]
    assert len(invented.log("eutils")) <= 2 + 3


async def test_rows_that_cannot_be_sent_again_cost_the_answered_ones_nothing(invented: Emulator, host: Hosts) -> None:
    ending = {"year": "1991", "volume": "88", "first_page": "99999", "author_name": "nobody"}
    invented.misbehave("ecitmatch.cgi", "status", times=None, skip=1, status=503)
    async with host(invented, attempts=1) as asked:
        result = await asked.call(TOOL, {"citations": [TRIAL, ending, TRIAL]})
    invented.reset()
    rows = result.structured["data"]["results"]
    assert result.structured["status"] == "partial"
    assert [row["state"] for row in rows] == ["matched", "no_answer", "no_answer"]
    assert all("not be asked" in row["detail"] for row in rows[1:])
    assert any("2 citations" in warning for warning in result.structured["warnings"])


async def test_a_matcher_that_cannot_be_asked_at_all_is_an_error(invented: Emulator, host: Hosts) -> None:
    invented.misbehave("ecitmatch.cgi", "status", times=None, status=503)
    async with host(invented, attempts=1) as asked:
        result = await asked.call(TOOL, {"citations": [TRIAL]})
    invented.reset()
    assert result.structured["error"]["code"] == "upstream_unreachable"


async def test_a_field_search_in_vain_is_said(invented: Emulator, host: Hosts) -> None:
    wrong = TRIAL | {"journal": "J Nowhere", "first_page": "9999"}
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"citations": [wrong], "fallback": "search"})
    (row,) = result.structured["data"]["results"]
    assert (row["state"], row["via"]) == ("invalid_journal", "ecitmatch")
    assert any("1 citation was searched by field too, without a hit" in one for one in result.structured["warnings"])


async def test_p59_a_wrong_author_is_kept_and_warned_of(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"citations": [TRIAL | {"author_name": "husain m", "year": "2022"}]})
    data = result.structured["data"]
    (row,) = data["results"]
    assert (row["pmid"], row["verified"]) == ("99900001", False)
    assert [text.partition(":")[0] for text in row["warnings"]] == ["author_mismatch", "year_mismatch"]
    assert data["total_warnings"] == 1
    assert "husain m" in result.text


async def test_a_later_author_and_an_electronic_year_warn_of_nothing(invented: Emulator, host: Hosts) -> None:
    citations = [
        TRIAL | {"author_name": name} for name in ("Zandt P", "Brontov E", "Émile Brontóv", "van der Zandt, P")
    ]
    async with host(invented) as asked:
        data = (await asked.call(TOOL, {"citations": citations})).structured["data"]
    assert data["total_warnings"] == 0
    assert all(row["verified"] for row in data["results"])


async def test_p56_p58_keys_come_back_unchanged_and_never_leave(invented: Emulator, host: Hosts) -> None:
    invented.clear()
    keys = ["12345", "a|b", " ws ", "2", "", ""]
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"citations": [TRIAL | {"key": key} for key in keys]})
    found = [row["key"] for row in result.structured["data"]["results"]]
    assert found[:4] == keys[:4]
    assert found[4:] == ["5", "6"]
    assert all(row["pmid"] == "99900001" for row in result.structured["data"]["results"])
    sent = invented.log("eutils")[0].params["bdata"]
    assert "12345" not in sent
    assert "a|b" not in sent


async def test_a_missing_key_never_takes_a_given_one(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"citations": [TRIAL | {"key": "2"}, TRIAL]})
    assert [row["key"] for row in result.structured["data"]["results"]] == ["2", "#2"]


async def test_equal_citations_each_get_their_row(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"citations": [TRIAL | {"key": "same"}, TRIAL | {"key": "same"}]})
    assert [row["pmid"] for row in result.structured["data"]["results"]] == ["99900001", "99900001"]


async def test_p56_equal_keys_do_not_swap_the_answers(invented: Emulator, host: Hosts) -> None:
    other = {"journal": "J Invent Res", "year": "2021", "volume": "10", "first_page": "755"}
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"citations": [TRIAL | {"key": "k"}, other | {"key": "k"}]})
    assert [row["pmid"] for row in result.structured["data"]["results"]] == ["99900001", "99900002"]


async def test_a_lone_object_is_a_list_of_one(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        plain = await asked.call(TOOL, {"citations": TRIAL})
        as_text = await asked.call(
            TOOL, {"citation": '{"journal": "J Invent Res", "year": 2023, "volume": 12, "firstPage": 101}'}
        )
    assert plain.structured["data"]["total_matched"] == 1
    assert as_text.structured["data"]["results"][0]["pmid"] == "99900001"


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"journal": "J Foo|Bar", "year": "2020"}, "citations[1].journal"),
        ({"journal": "J Foo", "author_name": "doe\rj"}, "citations[1].author_name"),
        ({"journal": "J Foo", "volume": "1\n2"}, "citations[1].volume"),
        ({"volume": "1", "first_page": "2", "author_name": "doe j"}, "citations[1]"),
        ({"journal": "J Foo", "year": "20"}, "citations[1].year"),
        ({"journal": "J Foo", "year": "2020a"}, "citations[1].year"),
    ],
)
async def test_p58_what_would_shift_columns_or_cannot_match_is_refused_by_place(
    invented: Emulator, host: Hosts, wrong: dict[str, str], path: str
) -> None:
    invented.clear()
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"citations": [TRIAL, wrong]})
    assert result.structured["error"]["code"] == "invalid_argument"
    assert result.structured["error"]["path"] == path
    assert not invented.log("eutils")


@pytest.mark.parametrize("citations", [[], [{"journal": "x", "year": "2020"}] * 101, [{"journal": "x", "author": "y"}]])
async def test_none_too_many_and_unknown_fields_are_refused(invented: Emulator, host: Hosts, citations: Any) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"citations": citations})
    assert result.structured["error"]["code"] == "invalid_argument"


def _silent_matcher(asked: Asked) -> Reply:
    """No row is ever answered; searches find one paper for page 7 and two for others."""
    if asked.path == "ecitmatch.cgi":
        rows = asked.get("bdata").split("\r")
        return Reply.text("".join(f"{row}NOT_FOUND\n" for row in rows))
    if asked.path == "esearch.fcgi":
        ids = ["11"] if "7[pg]" in asked.get("term") else ["21", "22"]
        return Reply.json({"esearchresult": {"count": str(len(ids)), "idlist": ids, "querytranslation": "x"}})
    ids = asked.get("id").split(",")
    summary = {"pubdate": "2020", "source": "J Foo", "volume": "1", "pages": "7-9", "title": "T", "pubtype": []}
    return Reply.json({"result": {"uids": ids} | {uid: {"uid": uid, **summary} for uid in ids}})


async def test_the_fallback_searches_by_field_and_says_so(host: Hosts, scripted: Any) -> None:
    citations = [
        {"journal": "J Foo", "year": "2020", "first_page": "7"},
        {"journal": "J Foo", "year": "2020", "first_page": "8"},
        {"journal": "J Foo"},
    ]
    with scripted(_silent_matcher) as server:
        async with host(server) as asked:
            plain = await asked.call(TOOL, {"citations": citations})
            searched = await asked.call(TOOL, {"citations": citations, "fallback": "search"})
    assert [row["state"] for row in plain.structured["data"]["results"]] == ["not_found"] * 3
    rows = searched.structured["data"]["results"]
    assert [row["state"] for row in rows] == ["matched", "ambiguous", "not_found"]
    assert [row["via"] for row in rows] == ["search", "search", "ecitmatch"]
    assert rows[0]["verified"] is True
    assert rows[0]["detail"] == '"J Foo"[ta] AND 2020[dp] AND 7[pg]'
    assert rows[1]["candidates"] == ["21", "22"]
    assert any("field search" in warning for warning in searched.structured["warnings"])


async def test_matches_without_summaries_are_partial_and_unverified(host: Hosts, scripted: Any) -> None:
    def answer(asked: Asked) -> Reply:
        if asked.path == "ecitmatch.cgi":
            return Reply.text(asked.get("bdata") + "99900001\n")
        return Reply.text("Unable to route request!", 502)

    with scripted(answer) as server:
        async with host(server, attempts=1) as asked:
            result = await asked.call(TOOL, {"citations": [TRIAL]})
    (row,) = result.structured["data"]["results"]
    assert result.structured["status"] == "partial"
    assert (row["state"], row["pmid"], row["verified"]) == ("matched", "99900001", False)
    assert any("none is verified" in warning for warning in result.structured["warnings"])


async def test_p106_a_matcher_that_is_down_is_an_error(host: Hosts, scripted: Any) -> None:
    with scripted(lambda asked: Reply.text("<html>down</html>", 503)) as server:
        async with host(server, attempts=1) as asked:
            result = await asked.call(TOOL, {"citations": [TRIAL]})
    assert result.is_error
    assert "data" not in result.structured


async def test_rows_that_do_not_fit_come_with_the_cursor(invented: Emulator, host: Hosts) -> None:
    citations = [TRIAL | {"key": f"k{n}"} for n in range(40)]
    async with host(invented) as asked:
        keys, cursor = [], None
        while True:
            result = (await asked.call(TOOL, {"citations": citations, "cursor": cursor})).structured
            keys += [row["key"] for row in result["data"]["results"]]
            assert result["data"]["total_matched"] == 40
            cursor = result.get("next_cursor")
            if cursor is None:
                break
    assert keys == [f"k{n}" for n in range(40)]


async def test_one_question_has_one_answer(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        first = await asked.call(TOOL, {"citations": [TRIAL, {"journal": "nature", "year": "2020"}]})
        again = await asked.call(TOOL, {"citations": [TRIAL, {"journal": "nature", "year": "2020"}]})
    assert first.structured["data"] == again.structured["data"]
