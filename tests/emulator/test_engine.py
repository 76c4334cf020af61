"""The engine: prefixes, log, rates, limits, and watching from another process."""

import subprocess
import sys
import threading
import time

import httpx
import pytest
from vouched.testing.emulator import Remote, start
from vouched.testing.exchange import Asked, Reply, Service, canned, peak


def test_a_canned_service_answers_what_it_was_given() -> None:
    with start([canned("doaj", {"search/heart": {"total": 0}, "plain": "text"})]) as server:
        assert httpx.get(server.url("doaj") + "search/heart").json() == {"total": 0}
        assert httpx.get(server.url("doaj") + "plain").text == "text"
        assert httpx.get(server.url("doaj") + "nothing").status_code == 404


def test_environment_names_a_variable_for_each_service() -> None:
    with start([canned("doaj", {}), canned("other", {}, prefix="/other/rest/")]) as server:
        found = server.environment()
        assert found == {
            "VOUCHED_DOAJ_URL": server.origin + "/doaj/",
            "VOUCHED_OTHER_URL": server.origin + "/other/rest/",
        }


def test_path_segments_are_split_before_they_are_decoded() -> None:
    seen: list[Asked] = []

    def answer(asked: Asked) -> Reply:
        seen.append(asked)
        return Reply.json({})

    with start([Service("echo", "/echo/", answer)]) as server:
        httpx.post(server.url("echo") + "a%2Fb/c%3Fd?q=1&q=2&empty=", data={"f": "x y"})
    assert seen[0].segments == ("a/b", "c?d")
    assert seen[0].query == (("q", "1"), ("q", "2"), ("empty", ""))
    assert seen[0].form == (("f", "x y"),)


def test_the_log_keeps_order_parameters_and_times() -> None:
    with start([canned("a", {"x": 1}), canned("b", {"y": 2})]) as server:
        before = time.monotonic()
        httpx.get(server.url("a") + "x", params={"q": "1", "key": "k"}, headers={"User-Agent": "me/1"})
        httpx.get(server.url("b") + "y")
        first, second = server.log()
        assert (first.service, first.path, first.params) == ("a", "/a/x", {"q": "1", "key": "k"})
        assert first.headers["user-agent"] == "me/1"
        assert before <= first.started <= (first.ended or 0) <= second.started <= time.monotonic()
        assert (first.status, first.outcome, second.service) == (200, "answered", "b")
        assert [entry.service for entry in server.log("b")] == ["b"]
        server.clear()
        assert server.log() == []


def test_a_fault_of_a_service_is_seen_as_the_emulators_own() -> None:
    def answer(asked: Asked) -> Reply:
        raise KeyError("oops")

    with start([Service("bad", "/bad/", answer)]) as server:
        assert httpx.get(server.url("bad")).status_code == 599
        assert (server.log()[0].outcome, server.log()[0].note) == ("failed", "KeyError: 'oops'")


@pytest.mark.parametrize(
    ("starts", "most"), [([], 0), ([5.0], 1), ([0, 0.999, 1.0, 1.5], 3), ([0, 1, 2], 1), ([3, 0, 0.1, 0.2, 3.1], 3)]
)
def test_peak_counts_the_fullest_second_and_excludes_its_end(starts: list[float], most: int) -> None:
    assert peak(starts) == most


def test_more_starts_than_the_limit_are_refused() -> None:
    with start([Service("slow", "/slow/", lambda asked: Reply.json({}), limit=3)]) as server, httpx.Client() as client:
        for _ in range(6):
            client.get(server.url("slow"))
        starts = [entry.started for entry in server.log("slow")]
        # By the times in the log, so that a busy machine does not change what is right.
        full = [sum(now - 1 < begun <= now for begun in starts) > 3 for now in starts]
        assert any(full)
        assert [entry.status for entry in server.log("slow")] == [429 if over else 200 for over in full]
        assert server.peak("slow") > 3
        server.settle("slow", limit=None)
        assert client.get(server.url("slow")).status_code == 200


def test_latency_holds_requests_and_in_flight_counts_them() -> None:
    with start([canned("a", {"x": 1})]) as server, httpx.Client() as client:
        server.settle("a", latency=0.3)
        threads = [threading.Thread(target=client.get, args=(server.url("a") + "x",)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert server.in_flight("a") == 3
        assert all((entry.ended or 0) - entry.started >= 0.3 for entry in server.log())


def test_gzip_is_used_when_it_is_settled_and_accepted() -> None:
    with start([canned("a", {"x": ["long"] * 500})]) as server:
        server.settle("a", gzip=True)
        assert httpx.get(server.url("a") + "x").headers["content-encoding"] == "gzip"
        plain = httpx.get(server.url("a") + "x", headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.json() == ["long"] * 500


def test_another_process_can_watch_and_disturb() -> None:
    """Remote talks HTTP only, so it works from any process."""
    with start([canned("a", {"x": 1})]) as server:
        far = Remote(server.origin)
        far.misbehave("a", "status", status=502)
        assert httpx.get(far.url("a") + "x").status_code == 502
        assert [(entry.status, entry.fault) for entry in far.log("a")] == [(502, "status")]
        assert (far.peak("a"), far.in_flight("a"), far.environment()) == (1, 1, server.environment())
        far.settle("a", limit=0)
        assert httpx.get(far.url("a") + "x").status_code == 429
        far.reset()
        assert httpx.get(far.url("a") + "x").status_code == 200
        far.clear()
        assert server.log() == []


def test_admin_refuses_what_it_does_not_know() -> None:
    with start([canned("a", {})]) as server:
        wrong = {"where": "a", "kind": "explode"}
        answer = httpx.post(server.origin + "/_emulator/misbehave", json=wrong)
        assert (answer.status_code, "explode" in answer.text) == (400, True)
        assert httpx.post(server.origin + "/_emulator/settings", json={"zzz": {}}).status_code == 400
        assert httpx.get(server.origin + "/_emulator/nothing").status_code == 404


def test_importing_it_is_light() -> None:
    names = "('uvicorn', 'starlette', 'httpx')"
    code = f"import sys, vouched.testing.emulator; print([m for m in {names} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_it_stops_while_a_request_hangs() -> None:
    with start([canned("a", {"x": 1})]) as server:
        server.misbehave("a", "stall", seconds=60)
        ended = threading.Event()

        def ask() -> None:
            try:
                httpx.get(server.url("a") + "x", timeout=30)
            except httpx.HTTPError:
                ended.set()

        threading.Thread(target=ask, daemon=True).start()
        while not server.log():
            time.sleep(0.01)
        begun = time.monotonic()
    assert time.monotonic() - begun < 5
    assert ended.wait(5)
