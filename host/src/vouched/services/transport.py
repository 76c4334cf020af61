"""The default transport: httpx, one pool of connections per source. It follows nothing and keeps no cookies."""

import asyncio
import logging
import socket
import urllib.request
import zlib
from typing import TYPE_CHECKING

from vouched.faults import Fault, InvalidArgument, UpstreamInvalid, UpstreamTimeout, UpstreamUnreachable
from vouched.remote import Request, Response
from vouched.services.address import is_private, origin

if TYPE_CHECKING:
    import httpx

__all__ = ["HttpxTransport", "no_answer"]

CONNECT_SECONDS = 10.0
IDLE_SECONDS = 30.0
PIECE = 65_536
log = logging.getLogger("vouched.http")


def no_answer(code: str, source: str) -> Fault:
    """The fault of an exchange that brought no answer, by its code; the same words every time, for `vouched verify`."""
    if code == UpstreamTimeout.code:
        return UpstreamTimeout(f"{source} did not answer in time.", hint="Ask for less at once, or later.")
    return UpstreamUnreachable(
        f"{source} could not be reached, or the connection was cut.", hint="Check the network; ask again later."
    )


class HttpxTransport:
    """One source's connections, in one event loop. httpx is imported, and the pool made, by the first request.

    Args:
        source: its name, for faults. trusted: the user has set the base URL, so it may lead into a private network.
        connections: kept open between requests.
    """

    def __init__(self, source: str, *, trusted: bool, connections: int) -> None:
        self._source = source
        self._trusted = trusted
        self._connections = connections
        self._pool: httpx.AsyncHTTPTransport | None = None
        self._checked: set[str] = set()

    async def send(self, request: Request) -> Response:
        """See `vouched.remote.Transport`; the answer comes within `request.timeout` or not at all."""
        import httpx

        pool = self._opened(request.url)
        # The fault is raised outside of the handlers: httpx's own errors carry the request with its query.
        try:
            async with asyncio.timeout(request.timeout):
                await self._refuse_private(request.url)
                return await self._exchange(pool, request)
        except (httpx.TimeoutException, TimeoutError):
            fault = no_answer(UpstreamTimeout.code, self._source)
        except (httpx.TransportError, httpx.StreamError, OSError) as error:
            log.debug("%s: %s", self._source, type(error).__name__)
            fault = no_answer(UpstreamUnreachable.code, self._source)
            if "CERTIFICATE_VERIFY_FAILED" in str(error):
                fault.hint = (
                    "The certificate was not accepted. Behind a filtering proxy, name its CA file in SSL_CERT_FILE."
                )
        raise fault

    async def aclose(self) -> None:
        """Close all connections."""
        if self._pool is not None:
            pool, self._pool = self._pool, None
            await pool.aclose()

    def _opened(self, url: str) -> "httpx.AsyncHTTPTransport":
        if self._pool is None:
            import httpx

            limits = httpx.Limits(max_keepalive_connections=self._connections, keepalive_expiry=IDLE_SECONDS)
            self._pool = httpx.AsyncHTTPTransport(limits=limits, proxy=_proxy(url))
        return self._pool

    async def _refuse_private(self, url: str) -> None:
        """Refuse a public name that leads into a private network, unless the user has chosen the address."""
        _, host, port = origin(url)
        if self._trusted or host in self._checked or _proxy(url) is not None:
            return
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        if any(is_private(str(address[0])) for *_, address in found):
            raise InvalidArgument(
                f"The host of {self._source} leads into a private network.",
                path=f"VOUCHED_{self._source.upper()}_URL",
                hint="Set the base URL yourself if that is what you want.",
                source=self._source,
            )
        self._checked.add(host)

    async def _exchange(self, pool: "httpx.AsyncHTTPTransport", request: Request) -> Response:
        import httpx

        timeout = httpx.Timeout(request.timeout, connect=min(CONNECT_SECONDS, request.timeout))
        response = await pool.handle_async_request(
            httpx.Request(
                request.method,
                request.url,
                headers={**request.headers, "Accept-Encoding": "gzip, deflate"},
                content=request.body if request.method == "POST" else None,
                extensions={"timeout": timeout.as_dict()},
            )
        )
        try:
            headers = {name.lower(): value for name, value in response.headers.items()}
            body = await self._body(response, headers, request.max_bytes)
        except Fault as fault:
            fault.status = response.status_code
            raise
        finally:
            await response.aclose()
        return Response(response.status_code, headers, body)

    async def _body(self, response: "httpx.Response", headers: dict[str, str], most: int) -> bytes:
        declared = headers.get("content-length", "")
        if declared.isdigit() and int(declared) > most:
            raise self._too_large(most)
        unpack = _Unpacker(headers.get("content-encoding", ""), most)
        parts: list[bytes] = []
        size = 0
        async for piece in response.aiter_raw(PIECE):
            try:
                part = unpack(piece)
            except (zlib.error, LookupError):
                raise UpstreamInvalid(f"{self._source} sent a body in an encoding that cannot be undone.") from None
            size += len(part)
            if size > most:
                raise self._too_large(most)
            parts.append(part)
        if not unpack.whole:
            raise no_answer(UpstreamUnreachable.code, self._source)
        return b"".join(parts)

    def _too_large(self, most: int) -> UpstreamInvalid:
        return UpstreamInvalid(
            f"{self._source} sent more than {most:,} bytes.",
            retryable=False,
            hint="Ask for less at once, or raise limits.body_bytes.",
        )


class _Unpacker:
    """Undoes gzip or deflate piece by piece, never into more than `most` bytes (and one) in all."""

    def __init__(self, encoding: str, most: int) -> None:
        self._encoding = encoding.strip().lower()
        self._left = most + 1
        self._zlib = zlib.decompressobj(wbits=47) if self._encoding in ("gzip", "x-gzip", "deflate") else None
        self._begun = False

    @property
    def whole(self) -> bool:
        return self._zlib is None or self._zlib.eof or not self._begun

    def __call__(self, piece: bytes) -> bytes:
        if self._zlib is None:
            if self._encoding not in ("", "identity"):
                raise LookupError(self._encoding)
            return piece
        if not self._begun and self._encoding == "deflate" and piece and piece[0] & 0x0F != 8:
            # "deflate" means a zlib stream; some servers send the bare one.
            self._zlib = zlib.decompressobj(wbits=-15)
        self._begun = self._begun or bool(piece)
        part = self._zlib.decompress(piece, max(1, self._left))
        self._left -= len(part)
        return part


def _proxy(url: str) -> str | None:
    """The proxy that the environment names for a URL; none for this machine itself."""
    scheme, host, _ = origin(url)
    proxies = urllib.request.getproxies()
    if is_private(host) or urllib.request.proxy_bypass(host):
        return None
    return proxies.get(scheme) or proxies.get("all")
