"""pubmed_check_spelling against the emulated service."""

from collections.abc import Callable
from typing import Any

import pytest
from vouched.testing.emulator import Emulator
from vouched.testing.exchange import Reply

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("name", ["pubmed_check_spelling", "pubmed_spell_check"])
async def test_a_misspelt_word_gets_its_correction(invented: Emulator, host: Callable[..., Any], name: str) -> None:
    async with host(invented) as asked:
        result = await asked.call(name, {"query": "Netch AND Mus musclus"})
    assert result.structured["data"] == {
        "query": "Netch AND Mus musclus",
        "corrected": "notch AND mus musculus",
        "has_suggestion": True,
    }


@pytest.mark.parametrize("query", ["glimmer", "007", "1e5"])
async def test_nothing_to_correct_is_no_suggestion(invented: Emulator, host: Callable[..., Any], query: str) -> None:
    async with host(invented) as asked:
        result = await asked.call("pubmed_check_spelling", {"query": query})
    assert result.structured["data"] == {"query": query, "corrected": "", "has_suggestion": False}


async def test_a_filled_error_is_an_error(host: Callable[..., Any], scripted: Any) -> None:
    body = b"<eSpellResult><Query>x</Query><CorrectedQuery/><ERROR>Spelling is out of order</ERROR></eSpellResult>"
    with scripted(lambda asked: Reply(body, 200, "text/xml")) as server:
        async with host(server) as asked:
            result = await asked.call("pubmed_check_spelling", {"query": "xyz"})
    assert result.structured["error"]["code"] == "upstream_invalid"


@pytest.mark.parametrize("query", ["  ", "\u200b\u200b", "?!"])
async def test_what_holds_no_word_is_not_asked(invented: Emulator, host: Callable[..., Any], query: str) -> None:
    async with host(invented) as asked:
        result = await asked.call("pubmed_check_spelling", {"query": query})
    error = result.structured["error"]
    assert (error["code"], error["path"]) == ("invalid_argument", "query")
    assert invented.log("eutils") == []
