"""A service that echoes, settings that make tests quick, and a context without a host."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import msgspec
from vouched.configuration import load
from vouched.context import Context, Deadline, Services
from vouched.journal import Owner
from vouched.remote import Exchange, Http, Post, Source, Transport
from vouched.services.http import HttpService
from vouched.settings import Limits, Settings, SourceSettings
from vouched.testing.emulator import Emulator, start
from vouched.testing.exchange import Asked, Reply, Service

KEY = "SECRET123"
EMAIL = "reader@example.org"
LIB = Source(
    "lib",
    "https://lib.example.org/api/",
    rate=1000,
    key_env="LIB_KEY",
    key_param="api_key",
    contact={"tool": "tool", "email": "email"},
    post=Post(over=1500, paths={"search": "searchPOST"}),
)
# Quick, but with the proportions of the defaults.
QUICK = Limits(retry_wait=0.005, retry_wait_max=0.05, deadline=10.0, request_timeout=5.0)


def echo(asked: Asked) -> Reply:
    """What arrived, as JSON; `/missing` is 404, `/text` a plain text."""
    if asked.path == "missing":
        return Reply.json({"error": "no such thing"}, 404)
    if asked.path == "text":
        return Reply.text("plain words")
    return Reply.json({"path": asked.path, "fields": list(asked.fields), "method": asked.method})


@contextlib.contextmanager
def emulated(*services: Service) -> Iterator[Emulator]:
    with start(services or [Service("lib", "/api/", echo), Service("other", "/other/", echo)]) as emulator:
        yield emulator


class NoServices:
    """What a context needs of a host when nothing but HTTP is used."""

    styles: Mapping[str, Any] = {}
    sources: Mapping[str, Source] = {}
    licence = None
    store = None

    def __init__(self, settings: Settings, service: HttpService | None) -> None:
        self.settings = settings
        self._service = service

    def http(self, source: str, context: Context) -> Http:
        assert self._service is not None
        return self._service.client(source, context)

    def articles(self, context: Context) -> None:
        return None


def context_for(service: HttpService, seconds: float | None = None) -> Context:
    """A context of one call, with a deadline of its own."""
    services = cast("Services", NoServices(service.settings, service))
    return Context(services, Owner(), deadline=None if seconds is None else Deadline(seconds))


def settings_for(
    folder: Path,
    emulator: Emulator | None,
    *,
    limits: Limits = QUICK,
    env: Mapping[str, str] | None = None,
    **fields: Any,
) -> Settings:
    """Settings over a data folder, with every emulated service's URL."""
    urls = emulator.environment() if emulator else {}
    read = load({"VOUCHED_DATA": str(folder), **urls, **(env or {})})
    return msgspec.structs.replace(read, limits=limits, **fields)


@contextlib.asynccontextmanager
async def serving(
    settings: Settings,
    *sources: Source,
    transport: Callable[[Source, Settings], Transport | None] = lambda source, settings: None,
    recordings: list[Path] | None = None,
) -> AsyncIterator[HttpService]:
    """An HTTP service, closed at the end."""
    service = HttpService(
        settings,
        {source.name: source for source in sources or (LIB,)},
        provide_transport=transport,
        recordings=recordings or [],
    )
    try:
        yield service
    finally:
        await service.aclose()


def rated(settings: Settings, **rates: float) -> Settings:
    """The same settings with other rates by source."""
    sources = {
        name: msgspec.structs.replace(settings.sources.get(name, SourceSettings()), rate=rate)
        for name, rate in rates.items()
    }
    return msgspec.structs.replace(settings, sources={**settings.sources, **sources})


async def arrived(emulator: Emulator, number: int = 1) -> None:
    """Wait until so many requests have reached the service `lib`."""
    while len(emulator.log("lib")) < number:
        await asyncio.sleep(0.01)


def exchanges(context: Context) -> list[Exchange]:
    return cast("list[Exchange]", context.exchanges)
