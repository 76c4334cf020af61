"""New connections to addresses that were checked: a public name must not lead into a private network, now or later."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from vouched.faults import InvalidArgument
from vouched.services.address import is_private

__all__ = ["Guard", "look_up"]

LookUp = Callable[[str, int], Awaitable[Sequence[str]]]
# How long an address may take before the next one is tried beside it (RFC 8305).
STAGGER_SECONDS = 0.25


class Connects(Protocol):
    """What of httpcore's network backend is used here. Given an address instead of a name, it looks nothing up."""

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None, local_address: str | None, socket_options: Any
    ) -> Any: ...

    async def sleep(self, seconds: float) -> None: ...


async def look_up(host: str, port: int) -> list[str]:
    """The addresses of a name, in the order in which the system would try them."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


class Guard:
    """A network backend of httpcore for a source whose base URL the user has not set.

    For each new connection it looks the name up once, refuses it if any of its addresses is private, and connects to
    one of these very addresses; what the name leads to a moment later plays no part. Names in the `Host` header and in
    TLS are not touched.

    Args:
        source: its name, for the fault. backend: connects to an address.
        find: name, port -> addresses. refused: whether nobody may be sent to an address.
    """

    def __init__(
        self,
        source: str,
        backend: Connects,
        *,
        find: LookUp = look_up,
        refused: Callable[[str], bool] = is_private,
    ) -> None:
        self._source = source
        self._backend = backend
        self._find = find
        self._refused = refused

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> Any:
        """A stream to a checked address of `host`.

        Raises:
            InvalidArgument: where the name leads into a private network. TimeoutError: after `timeout` seconds.
        """

        async def connect(address: str) -> Any:
            return await self._backend.connect_tcp(address, port, None, local_address, socket_options)

        async with asyncio.timeout(timeout):
            addresses = await self._find(host, port)
            if any(map(self._refused, addresses)):
                raise InvalidArgument(
                    f"The host of {self._source} leads into a private network.",
                    path=f"VOUCHED_{self._source.upper()}_URL",
                    hint="Set the base URL yourself if that is what you want.",
                    source=self._source,
                )
            return await _first(connect, addresses)

    async def sleep(self, seconds: float) -> None:
        await self._backend.sleep(seconds)


async def _first(connect: Callable[[str], Awaitable[Any]], addresses: Sequence[str]) -> Any:
    """The connection that stands first; the next address is tried when one fails or takes long.

    Raises:
        OSError: where there is no address; otherwise what the first failure was.
    """
    left = list(addresses)
    trying: set[asyncio.Future[Any]] = set()
    failed: list[BaseException] = []
    try:
        while left or trying:
            if left:
                trying.add(asyncio.ensure_future(connect(left.pop(0))))
            patience = STAGGER_SECONDS if left else None
            done, trying = await asyncio.wait(trying, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
            for attempt in done:
                if (error := attempt.exception()) is None:
                    # Others that stand at the same moment are closed below.
                    trying |= done - {attempt}
                    return attempt.result()
                failed.append(error)
    finally:
        await _give_up(trying)
    raise failed[0] if failed else OSError("the name has no address")


async def _give_up(trying: set[asyncio.Future[Any]]) -> None:
    for attempt in trying:
        attempt.cancel()
    for stream in await asyncio.gather(*trying, return_exceptions=True):
        if not isinstance(stream, BaseException):
            await stream.aclose()
