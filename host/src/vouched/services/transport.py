"""The default transport: httpx, one pool of connections per source. It follows nothing and keeps no cookies."""

import asyncio
import logging
import urllib.request
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from vouched.faults import Fault, UpstreamInvalid, UpstreamTimeout, UpstreamUnreachable
from vouched.remote import Request, Response
from vouched.services.address import is_private, origin
from vouched.services.connect import Guard
from vouched.services.unpack import Unpacker

if TYPE_CHECKING:
    import httpcore
    import httpx

__all__ = ["HttpxTransport", "no_answer", "too_large"]

CONNECT_SECONDS = 10.0
IDLE_SECONDS = 30.0
log = logging.getLogger("vouched.http")


def no_answer(code: str, source: str) -> Fault:
    """The fault of an exchange that brought no answer, by its code; the same words every time, for `vouched verify`."""
    if code == UpstreamTimeout.code:
        return UpstreamTimeout(f"{source} did not answer in time.", hint="Ask for less at once, or later.")
    return UpstreamUnreachable(
        f"{source} could not be reached, or the connection was cut.", hint="Check the network; ask again later."
    )


def too_large(source: str, most: int, status: int = 0) -> Fault:
    """The fault of a body beyond the cap."""
    return UpstreamInvalid(
        f"{source} sent more than {most:,} bytes.",
        retryable=False,
        hint="Ask for less at once, or raise limits.body_bytes.",
        status=status,
    )


class HttpxTransport:
    """One source's connections, in one event loop. Make it in the loop, when the first request comes: it imports httpx.

    Args:
        source: its name, for faults. base: its base URL; no other host is asked.
        trusted: the user has set the base URL, so it may lead into a private network.
        connections: kept open between requests.
        guard: source, backend -> what checks the addresses of new connections, where the URL is not trusted.
    """

    def __init__(
        self, source: str, base: str, *, trusted: bool, connections: int, guard: Callable[[str, Any], Guard] = Guard
    ) -> None:
        # Here and not in `send`: imports and certificates take longer than some sources' gap between starts, and a
        # first start that arrives late shares its second with those after it.
        import anyio
        import httpcore
        import httpx

        # Loads what anyio needs on this kind of loop; else the first connection would.
        anyio.get_current_task()
        self._source = source
        proxy = _proxy(base)
        limits = httpx.Limits(max_keepalive_connections=connections, keepalive_expiry=IDLE_SECONDS)
        # Reading the certificates takes 25 ms, and redirects from http to https are not followed.
        context = httpx.create_ssl_context(verify=base.startswith("https:"))
        self._pool = httpx.AsyncHTTPTransport(verify=context, limits=limits, proxy=proxy)
        if not trusted and proxy is None:
            # Where a proxy stands between, it looks names up, and what it may reach is its own affair. httpx has no
            # door for a network backend, so its pool gives way to the same pool of httpcore with one.
            self._pool._pool = httpcore.AsyncConnectionPool(
                ssl_context=context,
                max_connections=limits.max_connections,
                max_keepalive_connections=connections,
                keepalive_expiry=IDLE_SECONDS,
                network_backend=cast("httpcore.AsyncNetworkBackend", guard(source, httpcore.AnyIOBackend())),
            )

    async def send(self, request: Request) -> Response:
        """See `vouched.remote.Transport`; the answer comes within `request.timeout` or not at all."""
        import httpx

        # The fault is raised outside of the handlers: httpx's own errors carry the request with its query.
        try:
            async with asyncio.timeout(request.timeout):
                return await self._exchange(request)
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
        await self._pool.aclose()

    async def _exchange(self, request: Request) -> Response:
        import httpx

        timeout = httpx.Timeout(request.timeout, connect=min(CONNECT_SECONDS, request.timeout))
        response = await self._pool.handle_async_request(
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
            raise too_large(self._source, most)
        unpack = Unpacker(headers.get("content-encoding", ""), most)
        parts: list[bytes] = []
        size = 0
        # As the pieces come: to gather them would be to wait for what may not be wanted any more.
        async for piece in response.aiter_raw():
            try:
                part = unpack(piece)
            except (zlib.error, LookupError):
                raise UpstreamInvalid(f"{self._source} sent a body in an encoding that cannot be undone.") from None
            size += len(part)
            if size > most:
                raise too_large(self._source, most)
            parts.append(part)
            if unpack.ended:
                break
        if not unpack.whole:
            raise no_answer(UpstreamUnreachable.code, self._source)
        return b"".join(parts)


def _proxy(url: str) -> str | None:
    """The proxy that the environment names for a URL; none for this machine itself."""
    scheme, host, _ = origin(url)
    proxies = urllib.request.getproxies()
    if is_private(host) or urllib.request.proxy_bypass(host):
        return None
    return proxies.get(scheme) or proxies.get("all")
