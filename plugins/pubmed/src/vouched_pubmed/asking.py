"""One question to E-utilities. What is said of an address of theirs is said of the service, never of an article."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from vouched.api import Context, NotFound, UpstreamUnreachable

__all__ = ["ask"]

T = TypeVar("T")
GONE = (404, 410)


async def ask(
    ctx: Context,
    utility: str,
    *,
    params: Mapping[str, Any],
    read: Callable[[bytes], T],
    media: str = "application/json",
    refresh: bool = False,
) -> T:
    """What `read` makes of the answer of a utility, as `esearch.fcgi`.

    E-utilities tell of unknown ids within an answer. HTTP 404 and 410 mean that the utility itself is not there.

    Raises:
        Fault: UpstreamUnreachable for a utility that is not there; what the service or `read` says otherwise.
    """
    try:
        return await ctx.http("eutils").get(utility, params=params, media=media, read=read, refresh=refresh)
    except NotFound as fault:
        if fault.status not in GONE:
            raise
        raise UpstreamUnreachable(
            f"E-utilities do not have {utility} under its address now (HTTP {fault.status}): the service is out of "
            "order or has moved. It says nothing about any article.",
            status=fault.status,
            source="eutils",
            hint="Try again later; if it lasts, check the address that is set for eutils.",
        ) from None
