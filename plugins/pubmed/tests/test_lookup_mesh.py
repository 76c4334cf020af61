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


async def test_nothing_found_is_an_empty_answer(invented: Emulator, host: Hosts) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"query": "qwertyuiop"})
    assert result.structured["status"] == "ok"
    assert result.structured["data"] == {"total": 0, "returned": 0, "results": []}


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
