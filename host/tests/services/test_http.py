"""A client of a source against a real server: answers, attempts, limits, provenance."""

import asyncio
import itertools
import threading
import time
from typing import Any

import msgspec
import pytest
from vouched.faults import (
    Blocked,
    DeadlineExceeded,
    InternalFault,
    InvalidArgument,
    NotFound,
    QueueFull,
    RateLimited,
    UpstreamInvalid,
    UpstreamRejected,
    UpstreamTimeout,
    UpstreamUnreachable,
)
from vouched.remote import Response
from vouched.services.provenance import digest
from vouched.settings import Settings
from vouched.testing.emulator import Emulator

from host.tests.services.support import (
    EMAIL,
    KEY,
    LIB,
    QUICK,
    context_for,
    exchanges,
    rated,
    serving,
    settings_for,
)

pytestmark = pytest.mark.anyio


def decode(body: bytes) -> dict[str, Any]:
    return msgspec.json.decode(body, type=dict[str, Any])


async def test_an_answer_is_read_in_a_worker_thread_and_noted(settings: Settings, emulator: Emulator) -> None:
    threads: list[str] = []

    def read(body: bytes) -> dict[str, Any]:
        threads.append(threading.current_thread().name)
        return decode(body)

    async with serving(settings) as service:
        context = context_for(service)
        value = await context.http("lib").get("works/{}", "10.1/x y", params={"q": "é", "id": [1, 2]}, read=read)
    assert value["path"] == "works/10.1/x y"
    assert value["fields"] == [["q", "é"], ["id", "1"], ["id", "2"], ["tool", "vouched"]]
    assert threads != [threading.current_thread().name]
    [noted] = exchanges(context)
    assert noted.resolved_url == emulator.url("lib") + "works/10.1%2Fx%20y?q=%C3%A9&id=1&id=2&tool=vouched"
    assert noted.content_sha256 == digest(msgspec.json.encode(value))
    assert (noted.http_status, noted.attempts, noted.from_cache, noted.fault) == (200, 1, False, "")
    assert noted.hash_scope == "VOLATILE"
    assert noted.retrieved_at.endswith("Z")


async def test_without_a_reader_the_response_comes_back(settings: Settings) -> None:
    async with serving(settings) as service:
        got = await context_for(service).http("lib").get("text", media="text/plain")
    assert isinstance(got, Response)
    assert (got.status, got.media, got.body) == (200, "text/plain", b"plain words")


async def test_headers_say_who_asks_and_for_what(settings: Settings, emulator: Emulator) -> None:
    async with serving(settings) as service:
        await context_for(service).http("lib").get("x", media="application/xml")
    headers = emulator.log("lib")[0].headers
    assert headers["accept"] == "application/xml"
    assert headers["user-agent"].startswith("vouched/")
    assert "+python" in headers["user-agent"]
    assert "cookie" not in headers


async def test_p45_a_long_query_is_posted(settings: Settings, emulator: Emulator) -> None:
    async with serving(settings) as service:
        context = context_for(service)
        value = await context.http("lib").get("search", params={"q": "x" * 9000}, read=decode)
        await context.http("lib").post("other", params={"a": 1}, read=decode)
    assert (value["method"], value["path"]) == ("POST", "searchPOST")
    first, second = exchanges(context)
    assert first.resolved_url == emulator.url("lib") + "searchPOST"
    assert first.form == {"q": "x" * 9000, "tool": "vouched"}
    assert (second.resolved_url, second.form) == (emulator.url("lib") + "other", {"a": "1", "tool": "vouched"})


async def test_p52_provenance_has_the_whole_query_less_key_and_address(tmp_path: Any, emulator: Emulator) -> None:
    """Not even struck: what is not there cannot be guessed. A plugin that sends them by itself changes nothing."""
    settings = settings_for(tmp_path, emulator, env={"LIB_KEY": "abc", "NCBI_EMAIL": EMAIL})
    async with serving(settings) as service:
        context = context_for(service)
        await context.http("lib").get("x", params={"q": "a b", "n": [1, 2], "email": "other@example.org"})
        await context.http("lib").post("x", params={"q": "a b", "api_key": "xyz"})
    asked = [dict(entry.params) for entry in emulator.log("lib")]
    assert [{"api_key", "email"} <= set(params) for params in asked] == [True, True]
    got, posted = exchanges(context)
    assert got.resolved_url == emulator.url("lib") + "x?q=a+b&n=1&n=2&tool=vouched"
    assert (posted.resolved_url, posted.form) == (emulator.url("lib") + "x", {"q": "a b", "tool": "vouched"})


async def test_stable_content_says_so(settings: Settings) -> None:
    async with serving(settings) as service:
        context = context_for(service)
        await context.http("lib").get("x", stable=True)
        await context.http("lib").get("y")
    async with serving(settings, msgspec.structs.replace(LIB, hash_scope="STABLE")) as service:
        await service.client("lib", context).get("z")
    assert [noted.hash_scope for noted in exchanges(context)] == ["STABLE", "VOLATILE", "STABLE"]


async def test_a_status_can_be_an_answer(settings: Settings) -> None:
    async with serving(settings) as service:
        context = context_for(service)
        assert await context.http("lib").get("missing", read=decode, answers={404: None}) is None
        with pytest.raises(NotFound) as caught:
            await context.http("lib").get("missing", read=decode)
    assert (caught.value.source, caught.value.status) == ("lib", 404)
    assert [noted.fault for noted in exchanges(context)] == ["", "not_found"]


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("status", {"status": 503}),
        ("status", {"status": 500}),
        ("status", {"status": 504}),
        ("reset", {}),
        ("cut", {}),
        ("html", {}),
        ("truncated", {}),
        ("body", {"body": b'{"error":"API rate limit exceeded"}'}),
        ("rate_limited", {"retry_after": None}),
    ],
)
async def test_p43_p49_what_may_pass_is_tried_again(
    settings: Settings, emulator: Emulator, kind: str, options: dict[str, Any]
) -> None:
    emulator.misbehave("lib", kind, times=2, **options)
    async with serving(settings) as service:
        context = context_for(service)
        value = await context.http("lib").get("x", read=decode)
    assert value["path"] == "x"
    assert len(emulator.log("lib")) == 3
    [noted] = exchanges(context)
    assert (noted.attempts, noted.http_status, noted.fault) == (3, 200, "")


@pytest.mark.parametrize(
    ("kind", "options", "fault"),
    [
        ("status", {"status": 503}, UpstreamUnreachable),
        ("status", {"status": 504}, UpstreamTimeout),
        ("reset", {}, UpstreamUnreachable),
        ("html", {}, UpstreamInvalid),
        ("truncated", {}, UpstreamInvalid),
    ],
)
async def test_what_does_not_pass_is_reported_by_its_class(
    settings: Settings, emulator: Emulator, kind: str, options: dict[str, Any], fault: type[Exception]
) -> None:
    emulator.misbehave("lib", kind, times=None, **options)
    async with serving(settings) as service:
        context = context_for(service)
        with pytest.raises(fault) as caught:
            await context.http("lib").get("x", read=decode)
        status = service.status()
    assert len(emulator.log("lib")) == settings.limits.attempts
    assert caught.value.source == "lib"  # type: ignore[attr-defined]
    assert caught.value.retryable  # type: ignore[attr-defined]
    [noted] = exchanges(context)
    assert (noted.attempts, noted.fault) == (4, caught.value.code)  # type: ignore[attr-defined]
    assert status["sources"]["lib"]["faults"][-1]["code"] == noted.fault


@pytest.mark.parametrize(("status", "fault"), [(400, UpstreamRejected), (404, NotFound), (414, UpstreamRejected)])
async def test_a_refusal_is_not_repeated(settings: Settings, emulator: Emulator, status: int, fault: type) -> None:
    emulator.misbehave("lib", "status", status=status, body=b'{"why":"bad"}', media="application/json", times=None)
    async with serving(settings) as service:
        with pytest.raises(fault):
            await context_for(service).http("lib").get("x", read=decode)
    assert len(emulator.log("lib")) == 1


async def test_a_reader_tells_an_outage_from_a_refusal(settings: Settings, emulator: Emulator) -> None:
    """Some services send their outages as HTTP 400: the reader's fault counts, whatever the status."""

    def read(body: bytes) -> dict[str, Any]:
        if b"try again" in body:
            raise UpstreamTimeout("its database timed out")
        return decode(body)

    emulator.misbehave("lib", "status", status=400, body=b"<ERROR>try again</ERROR>", media="text/xml")
    async with serving(settings) as service:
        assert (await context_for(service).http("lib").get("x", read=read))["path"] == "x"
    assert len(emulator.log("lib")) == 2


async def test_p42_a_typed_fault_of_the_reader_is_retried_or_reported(settings: Settings, emulator: Emulator) -> None:
    def read(body: bytes) -> dict[str, Any]:
        value = decode(body)
        if "ERROR" in value:
            raise UpstreamRejected(value["ERROR"])
        return value

    emulator.misbehave("lib", "body", body={"ERROR": "no such order"}, times=None)
    async with serving(settings) as service:
        with pytest.raises(UpstreamRejected, match="no such order") as caught:
            await context_for(service).http("lib").get("x", read=read)
    assert len(emulator.log("lib")) == 1
    assert (caught.value.source, caught.value.status) == ("lib", 200)


async def test_a_defect_of_the_reader_is_no_fault_of_the_service(settings: Settings, emulator: Emulator) -> None:
    def read(body: bytes) -> str:
        return len(body) + "text"  # type: ignore[operator]

    async with serving(settings) as service:
        context = context_for(service)
        with pytest.raises(TypeError):
            await context.http("lib").get("x", read=read)
    assert len(emulator.log("lib")) == 1
    assert exchanges(context)[0].fault == "internal"


async def test_p43_json_that_is_none_is_seen_without_a_reader(settings: Settings, emulator: Emulator) -> None:
    emulator.misbehave("lib", "truncated", times=None)
    async with serving(settings) as service:
        with pytest.raises(UpstreamInvalid):
            await context_for(service).http("lib").get("x")


@pytest.mark.parametrize("seconds", ["0.5", "2"])
async def test_429_holds_everybody_back_for_as_long_as_it_says(
    settings: Settings, emulator: Emulator, seconds: str
) -> None:
    emulator.misbehave("lib", "rate_limited", retry_after=seconds)
    async with serving(settings) as service:
        await asyncio.gather(*(context_for(service).http("lib").get(f"x{n}", read=decode) for n in range(4)))
        assert service.status()["sources"]["lib"]["cool_down"] >= 0
    log = emulator.log("lib")
    limited = next(entry for entry in log if entry.status == 429)
    later = [entry.started - limited.started for entry in log if entry.number > limited.number]
    # Requests that were on their way already may have passed; everything else waits.
    least = float(seconds) - 0.01
    assert all(gap < 0.4 or gap >= least for gap in later)
    assert max(later) >= least


async def test_retry_after_is_the_least_wait_whatever_the_status(settings: Settings, emulator: Emulator) -> None:
    emulator.misbehave("lib", "status", status=503, retry_after="0.5")
    async with serving(settings) as service:
        await context_for(service).http("lib").get("x", read=decode)
        # Only a 429 speaks of the budget: nobody else has to wait for a 503.
        assert service.status()["sources"]["lib"]["cool_down"] == 0
    first, second = emulator.log("lib")
    assert second.started - first.started >= 0.49


async def test_p49_waits_grow(tmp_path: Any, emulator: Emulator) -> None:
    limits = msgspec.structs.replace(QUICK, retry_wait=0.1, retry_wait_max=0.3)
    emulator.misbehave("lib", "status", status=503, times=None)
    async with serving(settings_for(tmp_path, emulator, limits=limits)) as service:
        with pytest.raises(UpstreamUnreachable):
            await context_for(service).http("lib").get("x", read=decode)
    starts = [entry.started for entry in emulator.log("lib")]
    waits = [b - a for a, b in itertools.pairwise(starts)]
    assert all(wait >= least - 0.01 for wait, least in zip(waits, (0.1, 0.2, 0.3), strict=True))


async def test_p49_waits_are_jittered_and_said(tmp_path: Any, emulator: Emulator) -> None:
    """Else all who were refused together would come back together."""
    limits = msgspec.structs.replace(QUICK, retry_wait=0.01, attempts=1)
    emulator.misbehave("lib", "rate_limited", retry_after=None, times=None)
    said = []
    async with serving(settings_for(tmp_path, emulator, limits=limits)) as service:
        for _ in range(6):
            with pytest.raises(RateLimited) as caught:
                await context_for(service).http("lib").get("x", read=decode)
            said.append(caught.value.retry_after or 0)
    assert all(0.01 <= wait <= 0.015 for wait in said)
    assert len(set(said)) > 1


async def test_a_date_in_retry_after_counts_too(settings: Settings, emulator: Emulator) -> None:
    from datetime import UTC, datetime, timedelta

    # HTTP dates have whole seconds: this asks for a wait between one and two.
    emulator.misbehave("lib", "rate_limited", retry_after=datetime.now(UTC) + timedelta(seconds=2))
    async with serving(settings) as service:
        await context_for(service).http("lib").get("x", read=decode)
    first, second = emulator.log("lib")
    assert 0.95 <= second.started - first.started < 2.5


async def test_a_429_that_outlasts_the_deadline_ends_at_once(settings: Settings, emulator: Emulator) -> None:
    emulator.misbehave("lib", "rate_limited", retry_after=5, times=None)
    async with serving(settings) as service:
        began = time.monotonic()
        with pytest.raises(RateLimited) as caught:
            await context_for(service, 2.0).http("lib").get("x", read=decode)
        assert time.monotonic() - began < 1.0
        assert caught.value.retry_after == 5.0
        with pytest.raises(QueueFull) as shed:
            await context_for(service, 2.0).http("lib").get("y", read=decode)
        assert 4.0 < (shed.value.retry_after or 0) <= 5.0
        assert "pause" in shed.value.message
        assert service.status()["sources"]["lib"]["cool_down"] > 4.0
    assert len(emulator.log("lib")) == 1


async def test_a_wait_beyond_the_longest_allowed_ends_at_once(tmp_path: Any, emulator: Emulator) -> None:
    settings = settings_for(tmp_path, emulator, limits=msgspec.structs.replace(QUICK, retry_after_max=1.0))
    emulator.misbehave("lib", "rate_limited", retry_after=3)
    async with serving(settings) as service:
        with pytest.raises(RateLimited) as caught:
            await context_for(service, 30.0).http("lib").get("x", read=decode)
    assert caught.value.retry_after == 3.0


async def test_p50_a_block_stops_everything(settings: Settings, emulator: Emulator) -> None:
    page = b"<html><title>WWW Error Blocked Diagnostic</title>Access Denied, IP 192.0.2.7</html>"
    emulator.misbehave("lib", "html", status=403, body=page, times=None)
    async with serving(settings) as service:
        with pytest.raises(Blocked) as caught:
            await context_for(service).http("lib").get("x", read=decode)
        with pytest.raises(Blocked):
            await context_for(service).http("lib").get("y", read=decode)
        assert service.status()["sources"]["lib"]["blocked"] > 100
    assert "help desk" in caught.value.hint
    assert "192.0.2.7" not in caught.value.message
    assert len(emulator.log("lib")) == 1


async def test_a_plain_403_stops_this_request_only(settings: Settings, emulator: Emulator) -> None:
    emulator.misbehave("lib", "status", status=403, body=b"{}", media="application/json")
    async with serving(settings) as service:
        with pytest.raises(Blocked):
            await context_for(service).http("lib").get("x", read=decode)
        assert (await context_for(service).http("lib").get("y", read=decode))["path"] == "y"


async def test_p51_a_rejected_key_is_said_once_and_done_without(tmp_path: Any, emulator: Emulator) -> None:
    settings = settings_for(tmp_path, emulator, env={"LIB_KEY": KEY, "NCBI_EMAIL": EMAIL})
    rejected = {"error": "API key invalid", "api-key": KEY}
    emulator.misbehave("lib", "body", status=400, body=rejected, match={"api_key": KEY}, times=None)
    async with serving(settings) as service:
        first, second = context_for(service), context_for(service)
        assert service.status()["sources"]["lib"]["key"] == "in use"
        await first.http("lib").get("x", read=decode)
        await second.http("lib").get("y", read=decode)
        assert service.status()["sources"]["lib"]["key"] == "rejected"
    assert len(first.warnings) == 1
    assert "LIB_KEY" in first.warnings[0]
    assert second.warnings == []
    assert ["api_key" in entry.params for entry in emulator.log("lib")] == [True, False, False]


async def test_p51_a_blank_key_is_no_key(tmp_path: Any, emulator: Emulator) -> None:
    for blank in ("", "  ", "${user_config.key}"):
        settings = settings_for(tmp_path, emulator, env={"LIB_KEY": blank})
        async with serving(settings) as service:
            await context_for(service).http("lib").get("x", read=decode)
    assert all("api_key" not in entry.params for entry in emulator.log("lib"))


async def test_a_body_over_the_cap_stops_while_it_streams(tmp_path: Any, emulator: Emulator) -> None:
    settings = settings_for(tmp_path, emulator, limits=msgspec.structs.replace(QUICK, body_bytes=1_000_000))
    for declared in (False, True):
        emulator.clear()
        emulator.misbehave("lib", "huge", size=64 << 20, declared=declared)
        async with serving(settings) as service:
            context = context_for(service)
            with pytest.raises(UpstreamInvalid, match="1,000,000 bytes") as caught:
                await context.http("lib").get("x", read=decode)
        assert not caught.value.retryable
        assert exchanges(context)[0].fault == "upstream_invalid"
        [entry] = emulator.log("lib")
        for _ in range(100):
            if (entry := emulator.log("lib")[0]).outcome != "running":
                break
            await asyncio.sleep(0.02)
        assert entry.size < 32 << 20


async def test_a_redirect_to_another_host_is_refused(settings: Settings, emulator: Emulator) -> None:
    emulator.misbehave("lib", "redirect", to="other_host")
    async with serving(settings) as service:
        with pytest.raises(UpstreamInvalid, match="another place") as caught:
            await context_for(service).http("lib").get("x", params={"q": "secret words"}, read=decode)
    assert not caught.value.retryable
    assert "secret" not in caught.value.message
    assert len(emulator.log("lib")) == 1


@pytest.mark.parametrize("to", ["https://127.0.0.1/x", "file:///etc/passwd", "http://[", "//evil.example/x", ""])
async def test_redirects_that_lead_elsewhere_are_refused(settings: Settings, emulator: Emulator, to: str) -> None:
    emulator.misbehave("lib", "redirect", to=to, times=None)
    async with serving(settings) as service:
        with pytest.raises(UpstreamInvalid):
            await context_for(service).http("lib").get("x", read=decode)


async def test_p50_a_redirect_to_the_misuse_page_is_a_block(settings: Settings, emulator: Emulator) -> None:
    emulator.misbehave("lib", "redirect", to="https://misuse.lib.example.org/error/abuse.html")
    async with serving(settings) as service:
        with pytest.raises(Blocked):
            await context_for(service).http("lib").get("x", read=decode)


async def test_a_redirect_on_the_same_host_is_followed_within_the_pace(settings: Settings, emulator: Emulator) -> None:
    emulator.misbehave("lib", "redirect", to="same_host", times=2)
    began = time.monotonic()
    async with serving(rated(settings, lib=5)) as service:
        context = context_for(service)
        assert (await context.http("lib").get("x", read=decode))["path"] == "x"
    starts = [entry.started for entry in emulator.log("lib")]
    assert len(starts) == 3
    assert all(start >= began + number * 0.22 for number, start in enumerate(starts))
    assert exchanges(context)[0].attempts == 3


async def test_redirects_in_circles_end(settings: Settings, emulator: Emulator) -> None:
    emulator.misbehave("lib", "redirect", to="same_host", times=None)
    async with serving(settings) as service:
        with pytest.raises(UpstreamInvalid, match="circles"):
            await context_for(service).http("lib").get("x", read=decode)


async def test_a_form_is_not_redirected_to_a_page(settings: Settings, emulator: Emulator) -> None:
    emulator.misbehave("lib", "redirect", to="same_host", status=302)
    async with serving(settings) as service:
        with pytest.raises(UpstreamInvalid, match="form"):
            await context_for(service).http("lib").post("x", params={"a": 1}, read=decode)
        emulator.misbehave("lib", "redirect", to="same_host", status=307)
        assert (await context_for(service).http("lib").post("x", params={"a": 1}, read=decode))["method"] == "POST"


async def test_a_slow_answer_times_out_and_is_tried_again(tmp_path: Any, emulator: Emulator) -> None:
    settings = settings_for(tmp_path, emulator, limits=msgspec.structs.replace(QUICK, request_timeout=0.3))
    emulator.misbehave("lib", "stall", seconds=5, times=1)
    emulator.misbehave("lib", "slow", seconds=5, times=1)
    async with serving(settings) as service:
        context = context_for(service)
        assert (await context.http("lib").get("x", read=decode))["path"] == "x"
    assert exchanges(context)[0].attempts == 3


async def test_p53_the_deadline_ends_a_request_that_is_under_way(settings: Settings, emulator: Emulator) -> None:
    emulator.misbehave("lib", "stall", seconds=5, times=None)
    async with serving(settings) as service:
        context = context_for(service, 0.3)
        began = time.monotonic()
        with pytest.raises(DeadlineExceeded) as caught:
            await context.http("lib").get("x", read=decode)
        assert time.monotonic() - began < 3
        with pytest.raises(DeadlineExceeded):
            await context.http("lib").get("y", read=decode)
    assert caught.value.source == "lib"
    [noted] = exchanges(context)
    assert (noted.fault, noted.http_status, noted.content_sha256) == ("deadline_exceeded", 0, "")
    assert len(emulator.log("lib")) == 1


async def test_cancelling_a_call_ends_its_upstream_request(settings: Settings, emulator: Emulator) -> None:
    emulator.misbehave("lib", "stall", seconds=5, times=None)
    async with serving(settings) as service:
        asking = asyncio.ensure_future(context_for(service).http("lib").get("x", read=decode))
        while not emulator.log("lib"):
            await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        for _ in range(100):
            if emulator.log("lib")[0].outcome == "gone":
                break
            await asyncio.sleep(0.02)
    assert emulator.log("lib")[0].outcome == "gone"


async def test_an_unknown_source_is_a_defect(settings: Settings) -> None:
    async with serving(settings) as service:
        with pytest.raises(InternalFault, match=r"'nope'.*lib"):
            context_for(service).http("nope")


async def test_a_plugin_cannot_lead_into_the_private_network(tmp_path: Any, emulator: Emulator) -> None:
    inside = msgspec.structs.replace(LIB, base_url=emulator.url("lib"))
    async with serving(settings_for(tmp_path, None), inside) as service:
        with pytest.raises(InvalidArgument, match="private network"):
            await context_for(service).http("lib").get("x")
    assert emulator.log("lib") == []


async def test_httpx_is_imported_by_the_first_request_only() -> None:
    import subprocess
    import sys

    program = (
        "import sys, tempfile, vouched.configuration, vouched.services.http\n"
        "s = vouched.configuration.load({'VOUCHED_DATA': tempfile.mkdtemp()})\n"
        "vouched.services.http.HttpService(s, {}, provide_transport=lambda *a: None)\n"
        "print([m for m in ('httpx', 'mcp', 'lxml', 'stamina') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_p105_two_event_loops_one_after_the_other(settings: Settings, emulator: Emulator) -> None:
    """A client belongs to its loop; the first loop's connections close with it, nothing is left over."""
    from vouched.services.http import HttpService

    service = HttpService(settings, {"lib": LIB}, provide_transport=lambda source, settings: None)

    async def ask(path: str) -> dict[str, Any]:
        return await context_for(service).http("lib").get(path, read=decode)

    emulator.misbehave("lib", "status", status=503)
    assert asyncio.run(ask("a"))["path"] == "a"
    assert asyncio.run(ask("b"))["path"] == "b"
    # Nothing is left of either loop.
    assert service._loops == {}
    asyncio.run(service.aclose())
