"""The default transport, and that others can take its place."""

import asyncio
import contextlib
import gzip
import socket
import sys
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

import msgspec
import pytest
from vouched.faults import InvalidArgument, ProviderFailed, UpstreamInvalid, UpstreamUnreachable
from vouched.remote import Request, Response, Source, Transport
from vouched.services.transport import HttpxTransport, _proxy, no_answer
from vouched.settings import Settings
from vouched.testing.contracts_transport import BODY, CASES, TransportContract, over_http
from vouched.testing.emulator import Emulator, start
from vouched.testing.exchange import Asked, Reply, Service

from host.tests.services.support import EMAIL, KEY, LIB, QUICK, context_for, exchanges, serving, settings_for


@pytest.fixture(scope="module")
def urls() -> Iterator[Mapping[str, str]]:
    with over_http() as found:
        yield found


class TestHttpxTransport(TransportContract):
    @pytest.fixture(autouse=True)
    def served(self, urls: Mapping[str, str]) -> None:
        self.urls = urls

    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncIterator[tuple[Transport, Mapping[str, str]]]:
        transport = HttpxTransport("lib", self.urls["answer"], trusted=True, connections=2)
        try:
            yield transport, self.urls
        finally:
            await transport.aclose()


class InMemory:
    """A transport that asks nobody: what a plugin might provide for tests, a mirror or an archive."""

    def __init__(self) -> None:
        self.sent: list[Request] = []
        self.closed = 0

    async def send(self, request: Request) -> Response:
        self.sent.append(request)
        case = request.url.partition("//")[2].partition("/")[0].partition(".")[0]
        if case == "silent":
            try:
                async with asyncio.timeout(request.timeout):
                    await asyncio.sleep(10)
            except TimeoutError:
                pass
            raise no_answer("upstream_timeout", "lib")
        if case in ("refused", "cut"):
            raise no_answer("upstream_unreachable", "lib")
        body = b"0" * 1_000_000 if case == "endless" else BODY
        if case == "echo":
            body = b" ".join([request.method.encode(), request.headers["x-mark"].encode(), request.body])
        if len(body) > request.max_bytes:
            raise UpstreamInvalid("too large", retryable=False)
        status = {"missing": 404, "limited": 429, "moved": 302}.get(case, 200)
        headers = {"content-type": "application/json", "retry-after": "7", "location": "https://answer.example/"}
        return Response(status, headers, body)

    async def aclose(self) -> None:
        self.closed += 1


class TestInMemoryTransport(TransportContract):
    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncIterator[tuple[Transport, Mapping[str, str]]]:
        yield InMemory(), {case: f"https://{case}.example/x?q=confidential" for case in CASES}


def encoded(asked: Asked) -> Reply:
    body = BODY * 1000
    packed: bytes = {
        "gzip": lambda: gzip.compress(body),
        "deflate": lambda: zlib.compress(body),
        "raw": lambda: zlib.compress(body, wbits=-15),
        "half": lambda: gzip.compress(body)[:60],
        "broken": lambda: b"no gzip at all",
        "bomb": lambda: gzip.compress(b"\0" * 30_000_000),
        "br": lambda: body,
    }[asked.path]()
    name = {"raw": "deflate", "deflate": "deflate", "br": "br"}.get(asked.path, "gzip")
    return Reply(packed, headers=(("content-encoding", name),))


@pytest.mark.anyio
async def test_bodies_are_unpacked_and_never_beyond_the_cap() -> None:
    with start([Service("lib", "/lib/", encoded)]) as emulator:
        base = emulator.url("lib")
        transport = HttpxTransport("lib", base, trusted=True, connections=1)

        async def send(path: str, most: int = 100_000) -> bytes:
            return (await transport.send(Request("GET", base + path, {}, timeout=5.0, max_bytes=most))).body

        for path in ("gzip", "deflate", "raw"):
            assert await send(path) == BODY * 1000
        with pytest.raises(UpstreamUnreachable):
            await send("half")
        for path in ("broken", "br"):
            with pytest.raises(UpstreamInvalid, match="encoding"):
                await send(path)
        with pytest.raises(UpstreamInvalid, match="1,000,000 bytes"):
            await send("bomb", 1_000_000)
        assert all(entry.headers["accept-encoding"] == "gzip, deflate" for entry in emulator.log("lib"))
        await transport.aclose()


class Looked(MetaPathFinder):
    """Notes every module that is looked for and not loaded yet."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> None:
        self.names.append(fullname)


@pytest.mark.anyio
async def test_a_request_looks_for_no_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library beneath asks for an optional module again and again; where it is missing, that takes longer than all
    else in a request."""
    with start([Service("lib", "/lib/", lambda _: Reply(BODY))]) as emulator:
        base = emulator.url("lib")
        transport = HttpxTransport("lib", base, trusted=True, connections=2)

        async def send() -> bytes:
            return (await transport.send(Request("GET", base + "x", {}, timeout=5.0, max_bytes=1_000_000))).body

        await send()
        looked = Looked()
        monkeypatch.setattr(sys, "meta_path", [looked, *sys.meta_path])
        assert await asyncio.gather(*(send() for _ in range(4))) == [BODY] * 4
        assert looked.names == []
        await transport.aclose()


Send = Callable[[bytes], Awaitable[None]]


@contextlib.asynccontextmanager
async def speaking(head: str, say: Callable[[Send], Awaitable[None]]) -> AsyncIterator[tuple[str, asyncio.Event]]:
    """A server that sends a head, then what `say` sends, then nothing more. Gives its URL, and when the client left."""
    left = asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def send(piece: bytes) -> None:
            writer.write(piece)
            await writer.drain()

        with contextlib.suppress(ConnectionError):
            await reader.readuntil(b"\r\n\r\n")
            await send(f"HTTP/1.1 200 OK\r\n{head}\r\n\r\n".encode())
            await say(send)
            await reader.read()
        left.set()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", left


@contextlib.asynccontextmanager
async def asking(url: str, most: int) -> AsyncIterator[Callable[[], Awaitable[Response]]]:
    transport = HttpxTransport("lib", url, trusted=True, connections=1)

    async def ask() -> Response:
        return await transport.send(Request("GET", url, {}, timeout=20.0, max_bytes=most))

    try:
        yield ask
    finally:
        await transport.aclose()


async def nothing(send: Send) -> None: ...


@pytest.mark.anyio
async def test_a_body_that_is_declared_too_large_is_not_waited_for() -> None:
    """Not one byte of it is sent, and still the call ends at once, and the connection with it."""
    async with (
        speaking("content-length: 1000001", nothing) as (url, left),
        asking(url, 1_000_000) as ask,
        asyncio.timeout(5),
    ):
        with pytest.raises(UpstreamInvalid, match="1,000,000 bytes") as caught:
            await ask()
        await left.wait()
    assert (caught.value.status, caught.value.retryable) == (200, False)


@pytest.mark.anyio
async def test_a_gzip_bomb_stops_at_the_first_piece_that_passes_the_cap() -> None:
    """A few kilobytes on the wire that stand for gigabytes; the rest of them need not come, and is not unpacked."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    piece = packer.compress(bytes(16_000_000)) + packer.flush(zlib.Z_SYNC_FLUSH)
    assert len(piece) < 20_000

    async def drip(send: Send) -> None:
        await send(b"%x\r\n%s\r\n" % (len(piece), piece))

    head = "transfer-encoding: chunked\r\ncontent-encoding: gzip"
    async with speaking(head, drip) as (url, left), asking(url, 1_000_000) as ask, asyncio.timeout(5):
        # What is imported with the first request is no part of the measure.
        with pytest.raises(UpstreamInvalid):
            await ask()
        tracemalloc.start()
        try:
            with pytest.raises(UpstreamInvalid, match="1,000,000 bytes"):
                await ask()
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        await left.wait()
    assert peak < 4_000_000


@pytest.mark.anyio
@pytest.mark.parametrize("cut", [0, 1, 2, 15])
async def test_a_body_of_several_gzip_members_is_whole(cut: int) -> None:
    """However the pieces fall: a body that ends early without a word would be worse than a fault."""
    first, second = gzip.compress(b"one "), gzip.compress(b"two")
    packed = first + second

    async def both(send: Send) -> None:
        at = len(first) + cut
        await send(packed[:at])
        await asyncio.sleep(0.05)
        await send(packed[at:])

    head = f"content-length: {len(packed)}\r\ncontent-encoding: gzip"
    async with speaking(head, both) as (url, _), asking(url, 1_000) as ask, asyncio.timeout(5):
        assert (await ask()).body == b"one two"


@pytest.mark.anyio
async def test_what_follows_a_packed_body_is_not_read_for_ever() -> None:
    """Padding after the end, without end."""
    packed = gzip.compress(b"words")

    async def endless(send: Send) -> None:
        await send(packed)
        while True:
            await send(bytes(65_536))

    async with (
        speaking("content-encoding: gzip", endless) as (url, left),
        asking(url, 1_000) as ask,
        asyncio.timeout(5),
    ):
        assert (await ask()).body == b"words"
        await left.wait()


@pytest.mark.anyio
async def test_no_cookie_is_kept(tmp_path: Path) -> None:
    def answer(asked: Asked) -> Reply:
        return Reply(b"{}", headers=(("set-cookie", "sid=1; Path=/"),))

    with start([Service("lib", "/lib/", answer)]) as emulator:
        async with serving(settings_for(tmp_path, emulator)) as service:
            for path in ("x", "y"):
                await context_for(service).http("lib").get(path)
        assert all("cookie" not in entry.headers for entry in emulator.log("lib"))


@pytest.mark.anyio
async def test_a_public_name_that_leads_inside_is_refused(tmp_path: Path) -> None:
    """Looked up before anything is sent; the machine's own name leads to itself."""
    name = socket.gethostname()
    if name == "localhost" or not _private(name):
        pytest.skip("this machine's name does not lead into a private network")
    with start([Service("lib", "/lib/", lambda asked: Reply(b"{}"))]) as emulator:
        inside = emulator.url("lib").replace("127.0.0.1", name)
        async with serving(settings_for(tmp_path, None), msgspec.structs.replace(LIB, base_url=inside)) as service:
            with pytest.raises(InvalidArgument, match="private network"):
                await context_for(service).http("lib").get("x")
        assert emulator.log("lib") == []


def _private(name: str) -> bool:
    try:
        return socket.gethostbyname(name).startswith(("127.", "10.", "172.", "192.168."))
    except OSError:
        return False


def test_the_proxy_of_the_environment_is_used_but_not_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    assert _proxy("https://lib.example.org/") is None
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    monkeypatch.setenv("NO_PROXY", "inside.example")
    assert _proxy("https://lib.example.org/") == "http://proxy.example:3128"
    assert _proxy("https://x.inside.example/") is None
    assert _proxy("https://127.0.0.1:8/") is None


# Through the service


@pytest.mark.anyio
async def test_a_plugins_transport_takes_the_place_of_the_default_one(tmp_path: Path) -> None:
    made = InMemory()
    asked: list[str] = []

    def provide(source: Source, settings: Settings) -> Transport:
        asked.append(source.name)
        return made

    async with serving(settings_for(tmp_path, None), transport=provide) as service:
        context = context_for(service)
        for _ in range(2):
            assert (await context.http("lib").get("works", read=msgspec.json.decode)) == {"word": "café"}
    assert (asked, len(made.sent), made.closed) == (["lib"], 2, 1)
    assert made.sent[0].url == "https://lib.example.org/api/works?tool=vouched"
    assert exchanges(context)[0].http_status == 200


@pytest.mark.anyio
async def test_a_transport_that_fails_is_named_and_not_replaced(settings: Settings, emulator: Emulator) -> None:
    class Broken:
        async def send(self, request: Request) -> Response:
            raise AttributeError(f"'NoneType' has no attribute at {request.url}")

        async def aclose(self) -> None: ...

    async with serving(settings, transport=lambda source, settings: Broken()) as service:
        with pytest.raises(ProviderFailed, match="transport of lib failed") as caught:
            await context_for(service).http("lib").get("x", params={"q": "confidential"})
    assert "confidential" not in str(caught.value)

    def raising(source: Source, settings: Settings) -> Any:
        raise RuntimeError("no licence key")

    async with serving(settings, transport=raising) as service:
        with pytest.raises(ProviderFailed):
            await context_for(service).http("lib").get("x")
    assert emulator.log("lib") == []


class Odd:
    """A transport that raises what it was given, or gives it."""

    def __init__(self, given: Any) -> None:
        self.given = given

    async def send(self, request: Request) -> Response:
        if isinstance(self.given, BaseException):
            raise self.given
        if self.given == LEAK:
            raise RuntimeError(f"cannot ask {request.url} for {request.headers}")
        return self.given  # type: ignore[no-any-return]

    async def aclose(self) -> None: ...


LEAK = "raises the whole request"


@pytest.mark.anyio
@pytest.mark.parametrize(
    "given",
    [
        None,
        b"{}",
        Response("200", {}, b"{}"),  # type: ignore[arg-type]
        Response(200, {}, "{}"),  # type: ignore[arg-type]
        Response(200, None, b"{}"),  # type: ignore[arg-type]
        SystemExit(1),
        asyncio.CancelledError(),
        StopAsyncIteration(),
        BaseException(),
        LEAK,
    ],
    ids=repr,
)
async def test_whatever_a_transport_does_its_failure_is_named(
    tmp_path: Path, given: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """P52: what it raises may hold the whole request, key included; that gets into no log."""
    settings = settings_for(tmp_path, None, env={"LIB_KEY": KEY, "NCBI_EMAIL": EMAIL})
    async with serving(settings, transport=lambda source, settings: Odd(given)) as service:
        context = context_for(service)
        with pytest.raises(ProviderFailed, match="transport of lib"):
            await context.http("lib").get("x", params={"q": "confidential"})
    assert exchanges(context)[0].fault == "provider_failed"
    assert not [secret for secret in (KEY, EMAIL, "reader%40", "confidential") if secret in caplog.text]


@pytest.mark.anyio
async def test_a_transport_that_ignores_the_cap_is_held_to_it(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(QUICK, body_bytes=1_000)
    large = Odd(Response(200, {}, b" " * 1_001))
    async with serving(
        settings_for(tmp_path, None, limits=limits), transport=lambda source, settings: large
    ) as service:
        with pytest.raises(UpstreamInvalid, match="1,000 bytes") as caught:
            await context_for(service).http("lib").get("x")
    assert (caught.value.retryable, caught.value.status) == (False, 200)


@pytest.mark.anyio
async def test_cancelling_reaches_a_transport_that_waits(tmp_path: Path) -> None:
    ended: list[bool] = []

    class Waiting(Odd):
        async def send(self, request: Request) -> Response:
            try:
                await asyncio.sleep(60)
            finally:
                ended.append(True)
            raise AssertionError

    async with serving(settings_for(tmp_path, None), transport=lambda source, settings: Waiting(None)) as service:
        asking = asyncio.ensure_future(context_for(service).http("lib").get("x"))
        await asyncio.sleep(0.05)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await asyncio.sleep(0.05)
    assert ended == [True]
