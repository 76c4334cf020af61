"""Honesty when services fail: never an empty success, never a cached error, each source's state in the answer."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from vouched.faults import CODES
from vouched.host import Host

from tests.emulator import Emulator
from tests.every_tool import CALLS
from tests.faults.conftest import KEY

pytestmark = pytest.mark.anyio
MakeHost = Callable[..., Host]
LIMITED = '{"error":"API rate limit exceeded","api-key":"192.0.2.7","count":"17","limit":"3"}'
BLOCKED = "<html><body>Access Denied. Your IP address 192.0.2.7 has been temporarily blocked</body></html>"


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ({"kind": "status", "status": 429, "body": LIMITED, "media": "application/json"}, "rate_limited"),
        ({"kind": "body", "body": LIMITED}, "rate_limited"),
        ({"kind": "html"}, "upstream_invalid"),
        ({"kind": "status", "status": 503}, "upstream_unreachable"),
        ({"kind": "reset"}, "upstream_unreachable"),
    ],
)
async def test_p46_a_fault_on_a_later_page_is_never_an_empty_success(
    fault: dict[str, Any], code: str, server: Emulator, host_over: MakeHost
) -> None:
    """Page 2 of a complete walk, and the ids that a search found, whose summaries then fail."""
    server.misbehave("esummary.fcgi", times=None, **fault)
    async with host_over(limits={"attempts": 2}) as host:
        result = await host.call("pubmed_search_articles", {"query": "glimmer", "summaries": True, "limit": 5})
        run = await host.store.run(*_run(host, result))
    told = result.structured
    if told["status"] == "error":
        assert told["error"]["code"] == code
    else:
        assert told["status"] == "partial", result.text
        assert told["data"]["pmids"]
        assert told["warnings"]
    assert run.status in ("failed", "partial")
    assert code in [source.get("fault") for source in told["provenance"]["sources"]]


def _run(host: Host, result: Any) -> tuple[Any, str]:
    from vouched.journal import Owner

    return Owner(client="python"), result.structured["provenance"]["run_id"]


@pytest.mark.parametrize("name", sorted(CALLS))
@pytest.mark.parametrize("fault", ["status", "html", "reset", "rate_limited"])
async def test_p106_with_everything_down_no_tool_says_that_there_is_nothing(
    name: str, fault: str, server: Emulator, host_over: MakeHost
) -> None:
    """An error if nothing could be asked; a row that says `failed` where rows answer the inputs."""
    server.misbehave("*", fault, times=None, **({"retry_after": 600} if fault == "rate_limited" else {}))
    async with host_over(limits={"attempts": 1}) as host:
        result = await host.call(name, CALLS[name])
    told = result.structured
    assert told["status"] in ("error", "partial"), result.text
    assert any(source.get("fault") for source in told["provenance"]["sources"])
    if told["status"] == "error":
        assert told["error"]["code"] in CODES
        assert told["error"]["message"]
    else:
        assert "failed" in str(told["data"]) or "could not" in str(told)


async def test_p106_one_source_down_is_named_and_the_rest_answers(server: Emulator, host_over: MakeHost) -> None:
    server.misbehave("eutils", "status", status=503, times=None)
    async with host_over(limits={"attempts": 1}) as host:
        cited = await host.call("citeformat_format_citations", {"ids": ["99900001"], "format": "apa"})
        metrics = await host.call("icite_get_citation_metrics", {"ids": ["99900001"]})
    assert not cited.is_error, cited.text
    assert "Fictol shortens" in cited.text
    assert any("eutils could not be asked" in warning for warning in cited.structured["warnings"])
    states = {source["source"]: source.get("fault", "") for source in cited.structured["provenance"]["sources"]}
    assert states["eutils"] == "upstream_unreachable"
    assert states["europepmc"] == ""
    assert not metrics.is_error, metrics.text
    assert metrics.structured["data"]["results"]


async def test_p106_metrics_say_when_retraction_status_could_not_be_asked(
    server: Emulator, host_over: MakeHost
) -> None:
    for service in ("eutils", "europepmc"):
        server.misbehave(service, "status", status=503, times=None)
    async with host_over(limits={"attempts": 1}) as host:
        result = await host.call("icite_get_citation_metrics", {"ids": ["99900001"]})
    assert not result.is_error, result.text
    (row,) = result.structured["data"]["results"]
    assert row["status"] == "not_checked"
    assert any("could not be checked" in warning for warning in result.structured["warnings"]), result.text


async def test_p50_a_block_is_said_once_and_nothing_more_is_sent(server: Emulator, host_over: MakeHost) -> None:
    server.misbehave("eutils", "html", status=403, body=BLOCKED, times=None)
    async with host_over(secret=True) as host:
        first = await host.call("pubmed_search_articles", {"query": "glimmer"})
        again = await host.call("pubmed_search_articles", {"query": "fictol"})
    for result in (first, again):
        error = result.structured["error"]
        assert (error["code"], error["retryable"]) == ("blocked", False)
    assert "help desk" in first.structured["error"]["hint"]
    assert len(server.log("eutils")) == 1
    assert server.log("eutils")[0].params["tool"] == "vouched"
    assert server.log("eutils")[0].params["email"]


async def test_p51_a_key_that_is_refused_is_said_once_and_done_without(server: Emulator, host_over: MakeHost) -> None:
    server.misbehave(
        "eutils",
        "body",
        status=400,
        body={"error": "API key invalid", "api-key": KEY},
        match={"api_key": KEY},
        times=None,
    )
    async with host_over(secret=True) as host:
        first = await host.call("pubmed_fetch_articles", {"ids": ["99900001"]})
        second = await host.call("pubmed_search_articles", {"query": "glimmer"})
    assert not first.is_error, first.text
    assert not second.is_error, second.text
    assert any("does not accept the API key" in warning for warning in first.structured["warnings"])
    assert "API key" not in second.text
    assert sum("api_key" in entry.params for entry in server.log("eutils")) == 1


async def test_p51_a_blank_key_is_not_sent(
    server: Emulator, host_over: MakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    from vouched.configuration import load

    settings = load({"NCBI_API_KEY": " ", "NCBI_EMAIL": ""})
    async with host_over(secrets=settings.secrets, email=settings.email) as host:
        assert not (await host.call("pubmed_fetch_articles", {"ids": ["6761231", "99900001"]})).is_error
    assert all("api_key" not in entry.params and "email" not in entry.params for entry in server.log())


async def test_p55_an_error_is_never_served_from_the_cache(server: Emulator, host_over: MakeHost) -> None:
    """First a 200 with an error in it, then the answer; the answer is kept, under its meaning."""
    server.misbehave("esearch.fcgi", "body", body={"esearchresult": {"ERROR": "Search Backend failed"}}, times=1)
    async with host_over(limits={"attempts": 1}) as host:
        first = await host.call("pubmed_search_articles", {"query": "glimmer"})
        second = await host.call("pubmed_search_articles", {"query": "glimmer"})
        third = await host.call("pubmed_search_articles", {"query": "glimmer"})
    assert first.is_error
    assert second.structured["data"]["total"] > 0
    assert not second.structured["provenance"]["sources"][0].get("from_cache")
    assert third.structured["provenance"]["sources"][0]["from_cache"]
    assert third.structured["data"]["total"] == second.structured["data"]["total"]


async def test_offline_a_request_that_was_not_recorded_is_named_and_nothing_is_sent(
    server: Emulator, host_over: MakeHost
) -> None:
    async with host_over(offline=True) as host:
        result = await host.call("pubmed_search_articles", {"query": "never recorded by anybody"})
    error = result.structured["error"]
    assert (error["code"], error["source"], error["retryable"]) == ("offline", "eutils", False)
    assert "esearch.fcgi" in error["message"]
    assert "term" in error["message"]
    assert "never recorded by anybody" not in error["message"]
    assert server.log() == []


async def test_offline_recordings_answer_what_they_hold_and_the_rest_is_named(
    server: Emulator, host_over: MakeHost, tmp_path: Path
) -> None:
    """Recorded through one source only, a call that needs two says which is missing."""
    from vouched.services.replay import Recorder

    async with host_over() as host:
        host.http_service.record(Recorder(tmp_path / "recordings"))
        recorded = await host.call("pubmed_fetch_articles", {"ids": ["99900003"]})
        assert not recorded.is_error
    server.clear()
    async with host_over(offline=True, recordings=(tmp_path / "recordings",)) as host:
        again = await host.call("pubmed_fetch_articles", {"ids": ["99900003"]})
        other = await host.call("europepmc_fetch_article", {"ids": ["99900003"]})
    assert again.structured["data"]["rows"] == recorded.structured["data"]["rows"]
    assert "europepmc" in str(other.structured)
    assert other.structured["status"] in ("error", "partial")
    assert server.log() == []


async def test_an_archived_run_that_used_last_replays_as_identical(server: Emulator, host_over: MakeHost) -> None:
    """What `last` meant belongs to the call; the replay has the ids themselves."""
    from vouched.journal import Owner
    from vouched.services.verify import verify

    owner = Owner(client="test", session_id="mine")
    async with host_over(archive=True) as host:
        await host.call("pubmed_search_articles", {"query": "glimmer", "limit": 3}, owner=owner)
        result = await host.call("pubmed_fetch_articles", {"ids": "last[0:2]"}, owner=owner)
        assert any("`last[0:2]` is run:" in warning for warning in result.structured["warnings"])
        run = await host.store.run(owner, result.structured["provenance"]["run_id"])
        verdict = await verify(run, host.settings, Host)
    assert (verdict.verdict, verdict.detail[:20]) == ("identical", "1 bodies match their"), verdict.detail


async def test_an_archived_answer_beyond_the_budget_replays_as_identical(server: Emulator, host_over: MakeHost) -> None:
    from vouched.journal import Owner
    from vouched.services.verify import verify

    owner = Owner(client="test", session_id="mine")
    async with host_over(archive=True, limits={"answer_chars": 2_500}) as host:
        result = await host.call(
            "citeformat_format_citations",
            {"ids": ["99900001"], "format": ["apa", "csl-json", "ris", "nbib", "bibtex"]},
            owner=owner,
        )
        assert not result.is_error, result.text
        run = await host.store.run(owner, result.structured["provenance"]["run_id"])
        verdict = await verify(run, host.settings, Host)
    assert verdict.verdict == "identical", verdict.detail
