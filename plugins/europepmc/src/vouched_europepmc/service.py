"""The two services of Europe PMC, and what their answers have in common."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TypeVar

from vouched.api import Context, Post, Source

__all__ = ["ANNOTATIONS", "BASE", "EUROPEPMC", "SOURCES", "digest", "retrieved_at", "some_at_once"]

S = TypeVar("S")
T = TypeVar("T")
# Questions of one call that wait at the same time; a queue that is longer than the host allows would be shed.
AT_ONCE = 12

BASE = "https://www.ebi.ac.uk/europepmc/webservices/rest/"
# Both services stand on one host and share its limits: together at most five requests are open, three of them at the
# REST service. With four, the ten questions and four look-ups of 80 papers would take a round more.
BUDGET = "europepmc"
CONTACT: Mapping[str, str] = {"email": "email"}
DAY = 86_400.0

EUROPEPMC = Source(
    "europepmc",
    BASE,
    rate=5,
    in_flight=3,
    budget=BUDGET,
    contact=dict(CONTACT),
    # A query of more than 1,500 characters is refused as a GET.
    post=Post(over=1_500, paths={"search": "searchPOST"}),
    ttl=DAY / 4,
    terms="https://europepmc.org/Copyright",
    title="Europe PMC",
)
ANNOTATIONS = Source(
    "annotations",
    "https://www.ebi.ac.uk/europepmc/annotations_api/",
    rate=5,
    # Answers are slow rather than large.
    in_flight=5,
    budget=BUDGET,
    contact=dict(CONTACT),
    ttl=DAY,
    terms="https://europepmc.org/Copyright",
    title="Europe PMC Annotations",
)
SOURCES: Sequence[Source] = (EUROPEPMC, ANNOTATIONS)


async def some_at_once(work: Callable[[S], Awaitable[T]], items: Iterable[S]) -> list[T]:
    """What `work` gives for each item, in order, a few of them running at any time."""
    import asyncio

    room = asyncio.Semaphore(AT_ONCE)

    async def one(item: S) -> T:
        async with room:
            return await work(item)

    return list(await asyncio.gather(*(one(item) for item in items)))


def digest(body: bytes) -> str:
    """sha256 of a raw body, as provenance keeps it."""
    import hashlib

    return hashlib.sha256(body).hexdigest()


def retrieved_at(ctx: Context, sha256: str) -> str:
    """When the body of that hash came from the service: the time of its exchange (a cached body is older than now)."""
    for exchange in reversed(ctx.exchanges):
        if exchange.content_sha256 == sha256 and exchange.retrieved_at:
            return str(exchange.retrieved_at)
    return datetime.now(UTC).isoformat(timespec="seconds")
