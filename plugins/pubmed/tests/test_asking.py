"""HTTP 404 of a whole utility, and an answer of no bytes: faults of the service, never a missing record."""

from collections.abc import Callable
from typing import Any

import pytest
from vouched.testing.emulator import Emulator
from vouched.testing.exchange import Asked, Reply

pytestmark = pytest.mark.anyio
Hosts = Callable[..., Any]
CITATION = {"journal": "J Invent Res", "year": "2023", "volume": "12", "first_page": "101"}
CALLS: dict[str, dict[str, Any]] = {
    "search_articles": {"query": "fictol"},
    "fetch_articles": {"ids": ["99900001"]},
    "convert_ids": {"ids": ["nbk:NBK1"]},
    "find_related": {"ids": ["99900001"]},
    "check_spelling": {"query": "fictoll"},
    "lookup_citation": {"citations": [CITATION]},
    "check_references": {"citations": [{"title": "Marsh lights in winter"}]},
    "lookup_mesh": {"query": "fictol"},
}


@pytest.mark.parametrize("tool", CALLS)
@pytest.mark.parametrize(("status", "body"), [(404, b"<eSearchResult>"), (410, b"")])
async def test_a_utility_that_is_not_there_is_no_missing_record(
    tool: str, status: int, body: bytes, host: Hosts, scripted: Any
) -> None:
    def answer(asked: Asked) -> Reply:
        return Reply(body, status)

    with scripted(answer) as server:
        async with host(server, attempts=1) as ready:
            result = await ready.call(f"pubmed_{tool}", CALLS[tool])
    assert result.is_error
    error = result.structured["error"]
    assert (error["code"], error["retryable"]) == ("upstream_unreachable", True)
    assert "says nothing about any article" in error["message"]


async def test_a_matcher_that_answers_no_bytes_is_a_fault_and_not_kept(invented: Emulator, host: Hosts) -> None:
    invented.misbehave("ecitmatch.cgi", "body", body="", media="text/plain")
    async with host(invented, attempts=1) as asked:
        first = await asked.call("pubmed_lookup_citation", {"citations": [CITATION]})
        second = await asked.call("pubmed_lookup_citation", {"citations": [CITATION]})
    error = first.structured["error"]
    assert (error["code"], error["retryable"]) == ("upstream_invalid", True)
    assert second.structured["data"]["results"][0]["state"] == "matched"


async def test_a_citation_that_is_left_unanswered_has_a_reason(invented: Emulator, host: Hosts) -> None:
    ending = {"year": "1991", "volume": "88", "first_page": "99999"}
    async with host(invented) as asked:
        result = await asked.call("pubmed_lookup_citation", {"citations": [ending]})

        listed = {"year": "1991", "volume": "88", "pages": "99999"}
        checked = await asked.call("pubmed_check_references", {"citations": [listed]})
    (row,) = result.structured["data"]["results"]
    assert row["state"] == "no_answer"
    assert "gave no answer" in checked.structured["data"]["rows"][0]["reason"]
    assert "left this citation out" in row["detail"]
