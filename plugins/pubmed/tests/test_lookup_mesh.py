"""pubmed_lookup_mesh against the emulated service."""

from collections.abc import Callable
from typing import Any

import pytest
from vouched.testing.emulator import Emulator
from vouched.testing.exchange import Asked, Reply

pytestmark = pytest.mark.anyio
Hosts = Callable[..., Any]
TOOL = "pubmed_lookup_mesh"


async def test_the_exact_heading_comes_before_everything_that_only_mentions_it(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": "lantern fever"})
    rows = result.structured["data"]["results"]
    assert (rows[0]["name"], rows[0]["matched_by"]) == ("Lantern Fever", "heading")
    assert rows[0]["tree_numbers"] == ["C99.100"]


async def test_an_entry_term_finds_its_heading(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": "glimmering disease"})
    (row,) = result.structured["data"]["results"]
    assert (row["name"], row["matched_by"], row["ui"]) == ("Glimmer Syndrome", "entry_term", "D999901")
    assert row["search_term"] == '"Glimmer Syndrome"[mh]'


async def test_descriptors_supplementary_records_and_qualifiers_are_told_apart(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": "invented", "limit": 50})
    kinds = {row["kind"] for row in result.structured["data"]["results"]}
    assert kinds == {"descriptor", "supplementary_record", "qualifier"}


async def test_a_look_up_costs_three_requests(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        await asked.call(TOOL, {"query": "glimmer syndrome"})
    assert len(invented.log("eutils")) == 3


async def test_a_ui_finds_its_record(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": "d999902"})
    (row,) = result.structured["data"]["results"]
    assert (row["ui"], row["name"], row["matched_by"]) == ("D999902", "Lantern Fever", "heading")


async def test_nothing_found_is_an_empty_answer(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": "qwertyuiop"})
    assert result.structured["status"] == "ok"
    assert result.structured["data"] == {"total": 0, "returned": 0, "results": []}


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
async def test_no_page_is_longer_than_asked_and_none_is_lost(host: Hosts, scripted: Any, limit: int) -> None:
    """Three exact hits, two of them not among those that the words are found in."""

    def answer(asked: Asked) -> Reply:
        if asked.path == "esearch.fcgi":
            start, size = int(asked.get("retstart")), int(asked.get("retmax"))
            exact = "[mh]" in asked.get("term")
            ids = ["68000091", "68000003", "68000092"] if exact else [f"6800000{n}" for n in range(1, 8)]
            found = ids[start : start + size]
            return Reply.json({"esearchresult": {"count": str(len(ids)), "idlist": found, "querytranslation": "x"}})
        uids = asked.get("id").split(",")
        # The heading itself is the last of the exact hits.
        names = {"68000092": "Term"}
        found = {uid: {"uid": uid, "ds_meshterms": [names.get(uid, f"Term {uid}"), "term"]} for uid in uids}
        return Reply.json({"result": {"uids": uids} | found})

    with scripted(answer) as server:
        async with host(server) as asked:
            seen, cursor, sizes = [], None, []
            for _ in range(12):
                result = (await asked.call(TOOL, {"query": "term", "limit": limit, "cursor": cursor})).structured
                seen += [row["uid"] for row in result["data"]["results"]]
                sizes.append(result["data"]["returned"])
                cursor = result.get("next_cursor")
                if cursor is None:
                    break
    assert max(sizes) <= limit
    assert seen[0] == "68000092"
    assert sorted(seen) == sorted(["68000091", "68000092", *(f"6800000{n}" for n in range(1, 8))])
    assert len(set(seen)) == len(seen)


async def test_p14_words_that_the_search_left_out_are_said(host: Hosts, scripted: Any) -> None:
    def answer(asked: Asked) -> Reply:
        if asked.path == "esummary.fcgi":
            return Reply.json({"result": {"uids": ["1"], "1": {"uid": "1", "ds_meshterms": ["Asthma"]}}})
        errors = {"phrasesnotfound": ["blurple"], "fieldsnotfound": []}
        result = {"count": "1", "idlist": ["1"], "querytranslation": '"asthma"[All Fields]', "errorlist": errors}
        return Reply.json({"esearchresult": result})

    with scripted(answer) as server:
        async with host(server) as asked:
            result = await asked.call(TOOL, {"query": "asthma blurple"})
    assert any("blurple" in warning for warning in result.structured["warnings"])
    assert "blurple" in result.text


@pytest.mark.parametrize("query", ["()", "[mh]", "*"])
async def test_a_query_without_a_term_is_refused(invented: Emulator, host: Hosts, query: str) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": query})
    assert result.structured["error"]["path"] == "query"
    assert not invented.log("eutils")


async def test_an_exact_heading_is_on_the_first_page_and_on_no_later_one(host: Hosts, scripted: Any) -> None:
    def answer(asked: Asked) -> Reply:
        if asked.path == "esearch.fcgi":
            start, size = int(asked.get("retstart")), int(asked.get("retmax"))
            ids = ["68000007"] if "[mh]" in asked.get("term") else [f"6800000{n}" for n in range(1, 10)]
            found = ids[start : start + size]
            return Reply.json({"esearchresult": {"count": str(len(ids)), "idlist": found, "querytranslation": "x"}})
        uids = asked.get("id").split(",")
        names = {uid: {"uid": uid, "ds_meshui": "D" + uid[2:], "ds_meshterms": [f"Term {uid}"]} for uid in uids}
        return Reply.json({"result": {"uids": uids} | names})

    with scripted(answer) as server:
        async with host(server) as asked:
            seen, cursor, totals = [], None, set()
            while True:
                result = (await asked.call(TOOL, {"query": "term", "limit": 4, "cursor": cursor})).structured
                seen += [row["uid"] for row in result["data"]["results"]]
                totals.add(result["data"]["total"])
                cursor = result.get("next_cursor")
                if cursor is None:
                    break
    assert seen[0] == "68000007"
    assert sorted(seen) == [f"6800000{n}" for n in range(1, 10)]
    assert totals == {9}
