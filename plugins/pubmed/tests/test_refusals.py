"""HTTP 400 from NCBI: a refusal is told at once, an outage in its clothes is tried again."""

from collections.abc import Callable
from typing import Any

import pytest
from vouched.testing.exchange import Asked, Reply

pytestmark = pytest.mark.anyio

Hosts = Callable[..., Any]
BAD_KEY = '{"error":"API key invalid","api-key":"SECRET123","type":"invalid",\n"status":"unknown"}'
UNREADABLE = "<eFetchResult><ERROR>Error: CEFetchPApplication::proxy_stream(): <html><body>502 Server Error"
CALLS: dict[str, dict[str, Any]] = {
    "search_articles": {"query": "fictol"},
    "fetch_articles": {"ids": ["99900001"]},
    "check_spelling": {"query": "fictoll"},
    "lookup_citation": {"citations": [{"journal": "J Invent Res", "year": "2023", "volume": "12"}]},
}


async def _asked(host: Hosts, scripted: Any, tool: str, body: str) -> tuple[int, dict[str, Any]]:
    count = 0

    def answer(asked: Asked) -> Reply:
        nonlocal count
        count += 1
        return Reply(body.encode(), 400)

    with scripted(answer) as server:
        async with host(server) as ready:
            result = await ready.call(f"pubmed_{tool}", CALLS[tool])
    return count, result.structured["error"]


@pytest.mark.parametrize("tool", CALLS)
@pytest.mark.parametrize(
    "body",
    [
        BAD_KEY,
        "nope",
        '{"error":"a refusal that nobody has heard of"}',
        "<eFetchResult><ERROR>a refusal that nobody has heard of</ERROR></eFetchResult>",
        "Mandatory parameter: db - is omitted",
    ],
)
async def test_a_refusal_is_told_at_once(tool: str, body: str, host: Hosts, scripted: Any) -> None:
    count, error = await _asked(host, scripted, tool, body)
    assert (count, error["code"], error["retryable"]) == (1, "upstream_rejected", False)
    assert "SECRET" not in str(error)


@pytest.mark.parametrize("tool", CALLS)
@pytest.mark.parametrize(
    "body",
    [
        UNREADABLE,
        "<eFetchResult><ERROR>Error: External viewer error: Empty Response. Bytes read: 0 Status: Timeout</ERROR>"
        "</eFetchResult>",
        "<eFetchResult><ERROR>proxy_stream(): Failed to connect to PubOne service. Try again later.</ERROR>"
        "</eFetchResult>",
        '{"error":"API rate limit exceeded","count":"11"}',
    ],
)
async def test_p42_an_outage_that_comes_as_http_400_is_tried_again(
    tool: str, body: str, host: Hosts, scripted: Any
) -> None:
    count, error = await _asked(host, scripted, tool, body)
    assert count > 1
    assert error["retryable"]


async def test_an_unknown_refusal_quotes_the_service(host: Hosts, scripted: Any) -> None:
    _, error = await _asked(host, scripted, "search_articles", '{"error":"the moon is in the way"}')
    assert "HTTP 400" in error["message"]
    assert "the moon is in the way" in error["message"]
