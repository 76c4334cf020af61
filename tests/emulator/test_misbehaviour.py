"""Every kind of fault, as a client meets it."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from vouched.testing.emulator import Emulator, start
from vouched.testing.exchange import canned

PROPER = {"rows": list(range(100))}


@pytest.fixture(scope="module")
def running() -> Iterator[Emulator]:
    with start([canned("a", {"x": PROPER, "deep/down": PROPER}), canned("b", {"x": PROPER})]) as server:
        yield server


@pytest.fixture
def server(running: Emulator) -> Emulator:
    running.reset()
    return running


def get(server: Emulator, path: str = "x", service: str = "a", **options: float) -> httpx.Response:
    return httpx.get(server.url(service) + path, **options)  # type: ignore[arg-type]


def test_429_carries_retry_after_in_seconds_and_ncbis_body(server: Emulator) -> None:
    server.misbehave("a", "rate_limited", retry_after=7)
    answer = get(server, "x?api_key=SECRET")
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "7")
    assert answer.json() == {"error": "API rate limit exceeded", "api-key": "SECRET", "count": "4", "limit": "3"}
    assert get(server).json() == PROPER


def test_429_carries_retry_after_as_a_date(server: Emulator) -> None:
    until = datetime.now(UTC) + timedelta(seconds=2)
    server.misbehave("a", "rate_limited", retry_after=until)
    assert get(server).headers["retry-after"] == until.strftime("%a, %d %b %Y %H:%M:%S GMT")


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_status_is_sent_with_a_page(server: Emulator, status: int) -> None:
    server.misbehave("a", "status", status=status)
    assert get(server).status_code == status


def test_a_fault_strikes_so_often_and_skips_so_many(server: Emulator) -> None:
    fault = server.misbehave("a", "status", times=2, skip=1)
    assert [get(server).status_code for _ in range(4)] == [200, 503, 503, 200]
    assert fault.hits == 2


def test_a_lasting_fault_ends_when_it_is_cancelled(server: Emulator) -> None:
    fault = server.misbehave("a", "status", times=None)
    assert [get(server).status_code for _ in range(3)] == [503] * 3
    fault.cancel()
    assert get(server).status_code == 200


def test_a_fault_meets_its_service_path_and_parameters_only(server: Emulator) -> None:
    server.misbehave("b", "status", status=500, times=None)
    server.misbehave("deep/*", "status", status=501, times=None)
    server.misbehave("x", "status", status=502, times=None, match={"id": "7"})
    assert get(server, service="b").status_code == 500
    assert get(server, "deep/down").status_code == 501
    assert get(server, "x?id=7").status_code == 502
    assert get(server, "x?id=8").status_code == 200


def test_faults_are_used_in_the_order_given(server: Emulator) -> None:
    server.misbehave("a", "status", status=500)
    server.misbehave("a", "status", status=502)
    assert [get(server).status_code for _ in range(3)] == [500, 502, 200]


def test_a_stall_delays_the_proper_answer(server: Emulator) -> None:
    server.misbehave("a", "stall", seconds=0.2)
    begun = time.monotonic()
    assert get(server).json() == PROPER
    assert time.monotonic() - begun >= 0.2


def test_a_client_that_leaves_ends_its_request_at_once(server: Emulator) -> None:
    server.misbehave("a", "stall", seconds=30)
    with pytest.raises(httpx.ReadTimeout):
        get(server, timeout=0.1)
    deadline = time.monotonic() + 5
    while server.log()[0].outcome == "running" and time.monotonic() < deadline:
        time.sleep(0.01)
    entry = server.log()[0]
    assert entry.outcome == "gone"
    assert (entry.ended or 99) - entry.started < 2


def test_a_slow_body_comes_in_pieces_and_whole(server: Emulator) -> None:
    server.misbehave("a", "slow", seconds=0.2, pieces=4)
    begun = time.monotonic()
    assert get(server).json() == PROPER
    assert time.monotonic() - begun >= 0.2


def test_a_cut_connection_loses_the_rest_of_the_body(server: Emulator) -> None:
    server.misbehave("a", "cut", keep=0.5)
    with pytest.raises(httpx.RemoteProtocolError, match="without sending complete message body"):
        get(server)
    assert server.log()[0].outcome == "cut"


def test_a_reset_comes_before_any_header(server: Emulator) -> None:
    server.misbehave("a", "reset")
    with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
        get(server)
    assert (server.log()[0].outcome, server.log()[0].status) == ("cut", None)


def test_a_truncated_body_is_a_well_formed_answer(server: Emulator) -> None:
    server.misbehave("a", "truncated", keep=0.3)
    answer = get(server)
    assert answer.status_code == 200
    with pytest.raises(ValueError):
        answer.json()


def test_an_html_page_stands_in_for_the_answer(server: Emulator) -> None:
    server.misbehave("a", "html")
    answer = get(server)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=UTF-8")
    assert answer.text.startswith("<!DOCTYPE html>")


def test_a_given_body_comes_with_http_200(server: Emulator) -> None:
    server.misbehave("a", "body", body={"error": "no"})
    assert (get(server).json(), server.log()[0].status) == ({"error": "no"}, 200)


def test_a_files_bytes_come_with_a_given_status(server: Emulator, tmp_path: Path) -> None:
    page = tmp_path / "error.xml"
    page.write_bytes(b"<ERROR>\xff</ERROR>")
    server.misbehave("a", "file", path=page, status=400)
    answer = get(server)
    assert (answer.status_code, answer.content, answer.headers["content-type"]) == (400, page.read_bytes(), "text/xml")


def test_redirects_lead_to_another_host_or_the_same(server: Emulator) -> None:
    server.misbehave("a", "redirect")
    other = get(server).headers["location"]
    assert other == server.url("a").replace("127.0.0.1", "localhost") + "x"
    server.misbehave("a", "redirect", to="same_host", status=301)
    assert httpx.get(server.url("a") + "x", follow_redirects=True).json() == PROPER
    server.misbehave("a", "redirect", to="https://elsewhere.example/")
    assert get(server).headers["location"] == "https://elsewhere.example/"


@pytest.mark.parametrize("declared", [True, False])
def test_a_huge_body_is_streamed(server: Emulator, declared: bool) -> None:
    server.misbehave("a", "huge", size=1_000_000, declared=declared)
    answer = get(server)
    assert len(answer.content) == 1_000_000
    assert ("content-length" in answer.headers) is declared


def test_a_huge_body_stops_when_the_client_leaves(server: Emulator) -> None:
    server.misbehave("a", "huge", size=1 << 30)
    with httpx.stream("GET", server.url("a") + "x") as answer:
        next(answer.iter_bytes())
    deadline = time.monotonic() + 5
    while server.log()[0].outcome == "running" and time.monotonic() < deadline:
        time.sleep(0.01)
    assert server.log()[0].outcome == "gone"
    assert server.log()[0].size < 1 << 30


def test_unknown_kinds_and_options_are_refused(server: Emulator) -> None:
    with pytest.raises(ValueError, match="no misbehaviour 'explode'"):
        server.misbehave("a", "explode")
    with pytest.raises(ValueError, match="second"):
        server.misbehave("a", "stall", second=3)
