"""What every transport must do (`vouched.remote.Transport`), as tests to inherit.

    class TestMine(TransportContract):
        @contextlib.asynccontextmanager
        async def opened(self):
            transport = MyTransport()
            yield transport, {"answer": "https://…", …}
            await transport.aclose()

`opened` gives a transport and the URLs of `CASES`. A transport over HTTP takes them from `over_http`, which stands on
the emulator; one that keeps everything in memory makes up its own.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Literal

import pytest

from vouched.faults import Fault, UpstreamInvalid, UpstreamTimeout, UpstreamUnreachable
from vouched.remote import Request, Response, Transport
from vouched.testing.emulator import start
from vouched.testing.exchange import Asked, Reply, Service

__all__ = ["BODY", "CASES", "MOST", "TransportContract", "over_http"]

BODY = b'{"word":"caf\xc3\xa9"}'
MOST = 100_000
# Name of a URL: what a request for it meets.
CASES = {
    "answer": "HTTP 200, application/json; charset=UTF-8, the bytes of BODY",
    "echo": "HTTP 200, the request's method, its header x-mark, and its body, with a blank between",
    "missing": "HTTP 404, the bytes of BODY",
    "limited": "HTTP 429, header Retry-After: 7",
    "moved": "HTTP 302 to `answer`",
    "silent": "no answer within ten seconds",
    "cut": "headers, then half of the promised body, then nothing",
    "refused": "nobody listens",
    "endless": "a body of far more than MOST bytes",
}
WORDS = "confidential"


@contextlib.contextmanager
def over_http() -> Iterator[Mapping[str, str]]:
    """The URLs of `CASES` on an emulator."""
    services = [Service(name, f"/{name}/", _answer) for name in CASES if name != "refused"]
    with start(services) as emulator:
        emulator.misbehave("limited", "rate_limited", times=None, retry_after=7)
        emulator.misbehave("moved", "redirect", times=None, to=emulator.url("answer") + "x")
        emulator.misbehave("silent", "stall", times=None, seconds=30)
        emulator.misbehave("cut", "cut", times=None)
        emulator.misbehave("endless", "huge", times=None, size=64 << 20)
        urls = {name: emulator.url(name) + f"x?q={WORDS}" for name in emulator.services}
        # Port 1 is reserved; nothing listens there.
        yield {**urls, "refused": f"http://127.0.0.1:1/x?q={WORDS}"}


def _answer(asked: Asked) -> Reply:
    if asked.service == "missing":
        return Reply(BODY, 404)
    if asked.service == "echo":
        return Reply(b" ".join([asked.method.encode(), asked.headers.get("x-mark", "").encode(), asked.body]))
    return Reply(BODY, 200, "application/json; charset=UTF-8")


class TransportContract:
    """Inherit, name it `Test…`, and write `opened`."""

    pytestmark = pytest.mark.anyio

    def opened(self) -> AbstractAsyncContextManager[tuple[Transport, Mapping[str, str]]]:
        """A transport, and the URLs of `CASES` for it."""
        raise NotImplementedError

    @contextlib.asynccontextmanager
    async def asking(self) -> "AsyncIterator[_Asking]":
        async with self.opened() as (transport, urls):
            assert isinstance(transport, Transport)
            assert set(urls) >= set(CASES)
            yield _Asking(transport, urls)

    async def test_an_answer_comes_back_whole_with_lower_case_header_names(self) -> None:
        async with self.asking() as asking:
            response = await asking.send("answer")
        assert isinstance(response, Response)
        assert (response.status, response.body, response.media) == (200, BODY, "application/json")
        assert all(name == name.lower() for name in response.headers)

    async def test_any_status_is_returned_not_raised(self) -> None:
        async with self.asking() as asking:
            assert (await asking.send("missing")).status == 404
            limited = await asking.send("limited")
        assert (limited.status, limited.headers["retry-after"]) == (429, "7")

    async def test_redirects_are_returned_not_followed(self) -> None:
        async with self.asking() as asking:
            response = await asking.send("moved")
        assert response.status == 302
        assert response.headers["location"]

    async def test_method_headers_and_body_go_out_as_given(self) -> None:
        async with self.asking() as asking:
            posted = await asking.send("echo", method="POST", body=b"a=1&b=%C3%A9", headers={"x-mark": "seen"})
            got = await asking.send("echo", headers={"x-mark": "seen"})
        assert posted.body == b"POST seen a=1&b=%C3%A9"
        assert got.body == b"GET seen "

    async def test_silence_ends_with_the_timeout(self) -> None:
        async with self.asking() as asking:
            began = time.monotonic()
            fault = await asking.fault("silent", timeout=0.3)
        assert isinstance(fault, UpstreamTimeout)
        assert 0.2 < time.monotonic() - began < 2.0

    async def test_no_connection_and_a_cut_one_are_unreachable(self) -> None:
        async with self.asking() as asking:
            for case in ("refused", "cut"):
                assert isinstance(await asking.fault(case), UpstreamUnreachable), case

    async def test_a_body_over_the_cap_is_given_up(self) -> None:
        async with self.asking() as asking:
            fault = await asking.fault("endless", max_bytes=MOST)
        assert isinstance(fault, UpstreamInvalid)
        assert not fault.retryable

    async def test_a_body_of_exactly_the_cap_is_whole(self) -> None:
        async with self.asking() as asking:
            assert (await asking.send("answer", max_bytes=len(BODY))).body == BODY
            assert isinstance(await asking.fault("answer", max_bytes=len(BODY) - 1), UpstreamInvalid)

    async def test_faults_tell_no_query_string(self) -> None:
        async with self.asking() as asking:
            faults = [
                await asking.fault(case, timeout=0.3, max_bytes=MOST)
                for case in ("refused", "cut", "silent", "endless")
            ]
        for fault in faults:
            assert WORDS not in f"{fault} {fault.hint} {fault.__cause__} {fault.__context__}"

    async def test_requests_run_side_by_side(self) -> None:
        async with self.asking() as asking:
            slow = asyncio.ensure_future(asking.fault("silent", timeout=0.5))
            answers = await asyncio.gather(*(asking.send("answer") for _ in range(10)))
            assert not slow.done()
            await slow
        assert all(answer.body == BODY for answer in answers)

    async def test_cancelling_ends_a_request_at_once(self) -> None:
        async with self.asking() as asking:
            request = asyncio.ensure_future(asking.send("silent"))
            await asyncio.sleep(0.1)
            request.cancel()
            began = time.monotonic()
            with pytest.raises(asyncio.CancelledError):
                await request
            assert time.monotonic() - began < 1.0
            assert (await asking.send("answer")).body == BODY

    async def test_it_can_be_closed_twice(self) -> None:
        async with self.asking() as asking:
            await asking.send("answer")
            await asking.transport.aclose()
            await asking.transport.aclose()


class _Asking:
    """Sends requests for cases."""

    def __init__(self, transport: Transport, urls: Mapping[str, str]) -> None:
        self.transport = transport
        self._urls = urls

    async def send(
        self,
        case: str,
        *,
        method: Literal["GET", "POST"] = "GET",
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
        timeout: float = 5.0,
        max_bytes: int = 10_000_000,
    ) -> Response:
        sent = {"Accept": "application/json", **(headers or {})}
        return await self.transport.send(Request(method, self._urls[case], sent, body, timeout, max_bytes))

    async def fault(self, case: str, *, timeout: float = 5.0, max_bytes: int = 10_000_000) -> Fault:
        with pytest.raises(Fault) as caught:
            await self.send(case, timeout=timeout, max_bytes=max_bytes)
        return caught.value
