"""What is shown as the query is what was sent: characters that cannot be seen go out of it, and that is said."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from vouched.testing.emulator import Emulator

pytestmark = pytest.mark.anyio


def sent(ncbi: Emulator, utility: str, name: str = "term") -> list[str]:
    return [entry.params[name] for entry in ncbi.log("eutils") if entry.path.endswith(utility)]


@pytest.mark.parametrize(
    ("query", "plain"),
    [
        ("fictol\u200b", "fictol"),
        ("glimmer\u00adsyndrome", "glimmersyndrome"),
        ("\u202efictol\u2069 AND\u200dglimmer", "fictol ANDglimmer"),
        ("fictol\x07 glimmer", "fictol glimmer"),
    ],
)
async def test_what_cannot_be_seen_is_taken_out_and_told(query: str, plain: str, call: Any, ncbi: Emulator) -> None:
    result = await call("search_articles", query=query)
    assert sent(ncbi, "esearch.fcgi") == [plain]
    assert result.structured["data"]["effective_query"] == plain
    assert "%" not in result.structured["data"]["search_url"].replace("%20", "")
    assert any("cannot be seen" in line and "U+" in line for line in result.structured["warnings"])


async def test_filters_lines_and_other_queries_are_cleaned_alike(call: Any, ncbi: Emulator) -> None:
    result = await call("search_articles", query="fictol", journals=["J Invent\u200b Res"])
    assert sent(ncbi, "esearch.fcgi")[-1] == result.structured["data"]["effective_query"]
    assert "\u200b" not in result.structured["data"]["effective_query"]
    for tool, arguments in (
        ("test_strategy", {"strategy": "1. fictol\u200b\n2. glimmer"}),
        ("check_spelling", {"query": "fictoll\u200b"}),
        ("lookup_mesh", {"query": "fictol\u200b"}),
    ):
        ncbi.clear()
        result = await call(tool, **arguments)
        assert any("U+200B" in line for line in result.structured["warnings"]), tool
        assert not any("%E2%80%8B" in entry.path or "\u200b" in str(entry.params) for entry in ncbi.log())


@given(noise=st.text(st.characters(categories=("Cc", "Cf", "Zl", "Zp")), min_size=1, max_size=5))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
async def test_shown_and_sent_are_one_text(noise: str, call: Any, ncbi: Emulator) -> None:
    ncbi.clear()
    result = await call("search_articles", query=f"glimmer {noise}syndrome")
    terms = sent(ncbi, "esearch.fcgi")
    # The same text after cleaning is answered from the cache.
    assert terms in ([], [result.structured["data"]["effective_query"]])
    assert result.structured["data"]["effective_query"].isprintable()


@pytest.mark.parametrize(
    "query", ["glimmer AND NOT", "glimmer OR", "AND glimmer", "(OR glimmer)", "a AND OR b", "(a NOT)"]
)
async def test_an_operator_that_joins_nothing_is_refused(query: str, call: Any, ncbi: Emulator) -> None:
    result = await call("search_articles", query=query)
    error = result.structured["error"]
    assert (error["code"], error["path"]) == ("invalid_argument", "query")
    assert "joins nothing" in error["message"]
    assert ncbi.log() == []


@pytest.mark.parametrize(
    "query", ['"this AND"[tiab]', "glimmer and not", "fictol[AND]", "a NOT b", "ANDROID", "x OR (y)"]
)
async def test_what_only_looks_like_one_is_searched(query: str, call: Any) -> None:
    assert not (await call("search_articles", query=query)).is_error
