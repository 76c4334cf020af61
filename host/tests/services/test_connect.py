"""Each new connection goes to an address that was checked for it, over real sockets."""

import asyncio
import contextlib
import socket
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from vouched.faults import Fault, InvalidArgument, UpstreamTimeout, UpstreamUnreachable
from vouched.remote import Request
from vouched.services.connect import STAGGER_SECONDS, Guard, look_up
from vouched.services.transport import HttpxTransport

from host.tests.services.support import LIB, context_for, serving, settings_for

pytestmark = pytest.mark.anyio
# All of 127/8 is this machine; in these tests one address of it plays a public one.
PUBLIC, INSIDE, SILENT = "127.0.0.2", "127.0.0.1", "127.0.0.3"
NAME = "lib.example.org"


class Listener:
    """What arrived at one address; answers every request with `{}` and closes the connection."""

    def __init__(self, *, keep: bool = False) -> None:
        self.heads: list[bytes] = []
        self.port = 0
        self._keep = keep

    @contextlib.asynccontextmanager
    async def at(self, address: str, port: int = 0) -> AsyncIterator["Listener"]:
        try:
            server = await asyncio.start_server(self._answer, address, port)
        except OSError:
            pytest.skip(f"this system does not let anybody listen at {address}")
        self.port = server.sockets[0].getsockname()[1]
        async with server:
            yield self

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                self.heads.append(await reader.readuntil(b"\r\n\r\n"))
                connection = b"keep-alive" if self._keep else b"close"
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: " + connection + b"\r\n\r\n{}")
                await writer.drain()
                if not self._keep:
                    break
        writer.close()


class Names:
    """A name server that gives one answer after the other, as one does whose owner rebinds a name."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        return self.answers.pop(0)


def guarded(names: Names) -> Callable[[str, Any], Guard]:
    return lambda source, backend: Guard(source, backend, find=names, refused=lambda address: address == INSIDE)


@contextlib.asynccontextmanager
async def asking(port: int, names: Names, scheme: str = "http") -> AsyncIterator[Callable[[], Any]]:
    base = f"{scheme}://{NAME}:{port}/api/"
    transport = HttpxTransport("lib", base, trusted=False, connections=2, guard=guarded(names))

    async def ask() -> int:
        return (await transport.send(Request("GET", base + "x", {}, timeout=5.0))).status

    try:
        yield ask
    finally:
        await transport.aclose()


async def test_a_name_that_leads_inside_later_is_caught_at_the_next_connection() -> None:
    """DNS rebinding: the first answer is harmless, the second is this machine."""
    names = Names([PUBLIC], [INSIDE])
    async with (
        Listener().at(PUBLIC) as outside,
        Listener().at(INSIDE, outside.port) as inside,
        asking(outside.port, names) as ask,
    ):
        assert await ask() == 200
        with pytest.raises(InvalidArgument, match="private network") as caught:
            await ask()
    assert (len(outside.heads), inside.heads) == (1, [])
    assert names.asked == [NAME, NAME]
    assert (caught.value.path, caught.value.source, caught.value.retryable) == ("VOUCHED_LIB_URL", "lib", False)
    # The name is told to the server as it was.
    assert f"Host: {NAME}:{outside.port}".encode() in outside.heads[0]


async def test_one_private_address_among_several_is_enough() -> None:
    async with Listener().at(PUBLIC) as outside, asking(outside.port, Names([PUBLIC, INSIDE])) as ask:
        with pytest.raises(InvalidArgument):
            await ask()
    assert outside.heads == []


async def test_a_connection_that_stands_is_used_again_without_asking_for_the_name() -> None:
    names = Names([PUBLIC])
    async with Listener(keep=True).at(PUBLIC) as outside, asking(outside.port, names) as ask:
        assert [await ask() for _ in range(3)] == [200] * 3
    assert len(outside.heads) == 3
    assert names.asked == [NAME]


async def test_tls_asks_for_the_name_and_not_for_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(variable, raising=False)
    hello = b""

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal hello
        hello = await reader.read(4096)
        writer.close()

    async with Listener().at(PUBLIC) as free:
        pass
    server = await asyncio.start_server(listen, PUBLIC, free.port)
    async with server, asking(free.port, Names([PUBLIC]), "https") as ask:
        with pytest.raises(UpstreamUnreachable):
            await ask()
    assert NAME.encode() in hello
    assert PUBLIC.encode() not in hello


async def test_where_one_address_does_not_answer_the_next_one_does() -> None:
    async with Listener().at(PUBLIC) as outside, asking(outside.port, Names([SILENT, PUBLIC])) as ask:
        assert await ask() == 200


async def test_a_name_without_an_address_or_with_none_that_answers_is_unreachable() -> None:
    for addresses in ([], [SILENT]):
        async with asking(1, Names(addresses)) as ask:
            with pytest.raises(UpstreamUnreachable) as caught:
                await ask()
        assert caught.value.retryable


@pytest.mark.parametrize("written", ["2130706433", "127.1", "0x7f000001"])
async def test_this_machine_is_recognised_however_its_address_is_written(tmp_path: Path, written: str) -> None:
    """The system's own look-up takes these for 127.0.0.1."""
    try:
        if "127.0.0.1" not in await look_up(written, 80):
            pytest.skip("this system does not take it for an address")
    except socket.gaierror:
        pytest.skip("this system does not take it for an address")
    async with Listener().at(INSIDE) as inside:
        source = msgspec.structs.replace(LIB, base_url=f"http://{written}:{inside.port}/")
        async with serving(settings_for(tmp_path, None), source) as service:
            with pytest.raises(InvalidArgument, match="private network"):
                await context_for(service).http("lib").get("x")
    assert inside.heads == []


async def test_an_address_that_the_user_has_set_may_be_private(tmp_path: Path) -> None:
    async with Listener().at(INSIDE) as inside:
        env = {"VOUCHED_LIB_URL": f"http://localhost:{inside.port}/"}
        async with serving(settings_for(tmp_path, None, env=env)) as service:
            assert (await context_for(service).http("lib").get("x")).status == 200
    assert len(inside.heads) == 1


async def test_where_a_proxy_stands_between_the_name_is_its_affair(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked for the name; what that leads to cannot be known here, and nobody looks it up."""
    for variable in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(variable, raising=False)
    names = Names()
    async with Listener().at(INSIDE) as proxy:
        monkeypatch.setenv("http_proxy", f"http://{INSIDE}:{proxy.port}")
        async with asking(8, names) as ask:
            assert await ask() == 200
    assert proxy.heads[0].startswith(f"GET http://{NAME}:8/api/x HTTP/1.1\r\n".encode())
    assert names.asked == []


# The race of several addresses


class Stream:
    """A connection to an address."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.closed = False

    async def aclose(self) -> None:
        self.closed = True


class Backend:
    """Connects after so many seconds, by address; None for never, a fault for a failure."""

    def __init__(self, **after: float | Exception | None) -> None:
        self.after = after
        self.tried: list[str] = []
        self.streams: list[Stream] = []

    async def connect_tcp(self, host: str, port: int, *_: Any) -> Stream:
        self.tried.append(host)
        seconds = self.after[host]
        if isinstance(seconds, Exception):
            raise seconds
        try:
            await asyncio.sleep(60 if seconds is None else seconds)
        except asyncio.CancelledError:
            # The system may have connected already when word comes that nobody wants it.
            if seconds is None:
                raise
        self.streams.append(Stream(host))
        return self.streams[-1]

    async def sleep(self, seconds: float) -> None: ...

    def guard(self) -> Guard:
        return Guard("lib", self, find=Names(list(self.after)), refused=lambda address: False)


async def test_a_silent_address_holds_nobody_up() -> None:
    """As where IPv6 is announced and leads nowhere."""
    backend = Backend(v6=None, v4=0.0)
    began = time.monotonic()
    stream = await backend.guard().connect_tcp("name", 1, 10.0)
    assert stream.address == "v4"
    assert STAGGER_SECONDS <= time.monotonic() - began < 5.0


async def test_a_quick_first_address_is_the_only_one_tried() -> None:
    backend = Backend(v6=0.0, v4=0.0)
    assert (await backend.guard().connect_tcp("name", 1, 10.0)).address == "v6"
    assert backend.tried == ["v6"]


async def test_connections_that_come_too_late_are_closed() -> None:
    backend = Backend(v6=STAGGER_SECONDS + 0.3, v4=0.0)
    stream = await backend.guard().connect_tcp("name", 1, 10.0)
    assert [(one.address, one.closed) for one in backend.streams] == [("v4", False), ("v6", True)]
    assert not stream.closed


async def test_the_first_failure_is_the_one_that_is_told() -> None:
    backend = Backend(v6=OSError("first"), v4=OSError("second"))
    with pytest.raises(OSError, match="first"):
        await backend.guard().connect_tcp("name", 1, 10.0)


async def test_the_time_for_a_connection_counts_the_look_up_and_all_addresses() -> None:
    backend = Backend(v6=None, v4=None)
    with pytest.raises(TimeoutError):
        await backend.guard().connect_tcp("name", 1, STAGGER_SECONDS + 0.1)
    assert backend.tried == ["v6", "v4"]


async def test_a_look_up_that_takes_for_ever_times_out() -> None:
    async def for_ever(host: str, port: int) -> Sequence[str]:
        await asyncio.sleep(60)
        return []

    transport = HttpxTransport(
        "lib", f"http://{NAME}/", trusted=False, connections=1, guard=lambda s, b: Guard(s, b, find=for_ever)
    )
    with pytest.raises(Fault) as caught:
        await transport.send(Request("GET", f"http://{NAME}/x", {}, timeout=0.2))
    assert isinstance(caught.value, UpstreamTimeout)
    await transport.aclose()
