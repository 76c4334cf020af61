"""The polite clients of all sources, and what they share: pace, cache, archive, recordings, connections."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from vouched.context import Context
from vouched.defects import log_defect
from vouched.faults import Fault, InternalFault, ProviderFailed
from vouched.remote import Http, Source, Transport
from vouched.services import replay
from vouched.services.archive import Archive
from vouched.services.cache import Cache
from vouched.services.client import Client
from vouched.services.flight import Flights
from vouched.services.lane import Lane
from vouched.services.pace import Pacer, SharedSlots
from vouched.services.redact import Redactor, hush
from vouched.services.sealed import Seal
from vouched.services.slots import Slots
from vouched.services.transport import HttpxTransport
from vouched.services.trip import Landed
from vouched.settings import Settings

__all__ = ["HttpService"]

ProvideTransport = Callable[[Source, Settings], Transport | None]
log = logging.getLogger("vouched.http")


class Loop:
    """What belongs to one event loop: pacers, gates, transports and flights. Closed with the loop."""

    def __init__(self, service: "HttpService") -> None:
        self._service = service
        self.pacers: dict[str, Pacer] = {}
        self.gates: dict[tuple[str, str], asyncio.Semaphore] = {}
        self.transports: dict[str, Transport] = {}
        self.flights: Flights[Landed] = Flights()
        self._keeper: AsyncGenerator[None, None] | None = None

    async def keep(self) -> None:
        """Close the transports when the loop ends, however it ends.

        A loop that shuts down finishes the asynchronous generators that began in it, and nothing else of ours.
        """

        async def keeper() -> AsyncGenerator[None, None]:
            try:
                yield
            finally:
                await self.aclose()

        self._keeper = keeper()
        await anext(self._keeper)

    async def aclose(self) -> None:
        self._service.forget(self)
        transports, self.transports = self.transports, {}
        for transport in transports.values():
            await transport.aclose()

    async def end(self) -> None:
        """Close now."""
        if self._keeper is not None:
            await self._keeper.aclose()

    def pacer(self, lane: Lane) -> Pacer:
        budget = lane.budget
        if budget not in self.pacers:
            self.pacers[budget] = Pacer(budget, self._service.slots, self._service.settings.limits.queue_depth)
        return self.pacers[budget]

    @contextlib.asynccontextmanager
    async def place(self, lane: Lane) -> AsyncIterator[None]:
        """A place among the requests in flight: those of the source, and those of all that share its budget."""
        most = max(other.in_flight for other in self._service.lanes.values() if other.budget == lane.budget)
        own = self._gate("source", lane.source.name, lane.in_flight)
        async with own, self._gate("budget", lane.budget, most):
            yield

    def _gate(self, kind: str, name: str, places: int) -> asyncio.Semaphore:
        return self.gates.setdefault((kind, name), asyncio.Semaphore(places))

    def transport(self, lane: Lane) -> Transport:
        name = lane.source.name
        if name not in self.transports:
            self.transports[name] = self._service.new_transport(lane)
        return self.transports[name]


class HttpService:
    """The clients of all sources.

    Args:
        sources: by name; provide_transport: source, settings -> a transport, None for the default one.
        recordings: folders that answer offline, later ones first; then no transport is asked for.

    Attributes:
        recorder: writes every answer, if set; then the cache is passed by.
    """

    def __init__(
        self,
        settings: Settings,
        sources: Mapping[str, Source],
        *,
        provide_transport: ProvideTransport,
        recordings: Sequence[Path] = (),
    ) -> None:
        self.settings = settings
        self.redactor = Redactor(settings, declared={source.key_env for source in sources.values()})
        self.recorder: replay.Recorder | None = None
        seal = Seal(self.redactor.named)
        self.archive = Archive(settings.data / "archive", seal)
        self.cache = Cache(settings.data / "cache.sqlite3", settings.limits.cache_bytes, seal)
        self.slots = SharedSlots(Slots(settings.data / "pace.sqlite3"))
        self.lanes = {name: Lane(source, settings) for name, source in sources.items()}
        self._sources = sources
        self._provide_transport = provide_transport
        self._recordings = recordings
        self._replay: replay.Replay | None = None
        self._offline = settings.offline
        self._loops: dict[asyncio.AbstractEventLoop, Loop] = {}

    @property
    def offline(self) -> bool:
        """Whether recordings answer instead of services."""
        return self._offline

    def record(self, recorder: replay.Recorder) -> None:
        """Let `recorder` write every answer from now on."""
        self.recorder = recorder

    def replay_from(self, recorded: replay.Replay) -> None:
        """Answer from `recorded` and nothing else from now on, whatever the settings say."""
        self._replay, self._offline = recorded, True

    def client(self, source_name: str, context: Context) -> Http:
        """The client of a source for one call.

        Raises:
            InternalFault: for a source that no plugin declares.
        """
        lane = self.lanes.get(source_name)
        if lane is None:
            raise InternalFault(
                f"No plugin declares a source {source_name!r}; there are {', '.join(sorted(self.lanes))}."
            )
        return cast("Http", Client(self, lane, context))

    async def aclose(self) -> None:
        """Close what this event loop opened, and the files."""
        loop = self._loops.get(asyncio.get_running_loop())
        if loop is not None:
            await loop.end()
        await self.slots.close()
        await self.cache.close()
        await self.archive.close()

    def status(self) -> dict[str, Any]:
        """For `vouched://status`: per source its budget, queue, pauses and last faults; state of pace and cache."""
        return {
            "offline": self.offline,
            "sources": {name: self._lane_status(lane) for name, lane in sorted(self.lanes.items())},
            "pace": {"shared": not self.slots.trouble, "trouble": self.slots.trouble},
            "cache": {"max_bytes": self.settings.limits.cache_bytes, "trouble": self.cache.trouble},
        }

    def _lane_status(self, lane: Lane) -> dict[str, Any]:
        pacers = [loop.pacers[lane.budget] for loop in self._loops.values() if lane.budget in loop.pacers]
        return lane.status() | {
            "waiting": sum(pacer.waiting for pacer in pacers),
            "cool_down": round(max((pacer.cooling for pacer in pacers), default=0.0), 1),
            "blocked": round(max((pacer.blocked for pacer in pacers), default=0.0), 1),
        }

    def forget(self, ended: Loop) -> None:
        """Let go of a loop that ends; what it holds refers back to it, so it would never be collected."""
        for running, loop in list(self._loops.items()):
            if loop is ended:
                del self._loops[running]

    async def loop(self) -> Loop:
        """What belongs to the running event loop."""
        running = asyncio.get_running_loop()
        found = self._loops.get(running)
        if found is None:
            found = self._loops[running] = Loop(self)
            await found.keep()
        return found

    def new_transport(self, lane: Lane) -> Transport:
        """A transport for a source: a plugin's, or the default one.

        Raises:
            ProviderFailed: where the plugin that provides it raises.
        """
        hush()
        lane.check()
        try:
            provided = self._provide_transport(lane.source, self.settings)
        except Fault:
            raise
        except (Exception, SystemExit) as error:
            log_defect(log, self.settings, f"the provider of a transport for {lane.source.name} failed", error)
            raise ProviderFailed(f"The plugin that provides the transport of {lane.source.name} failed.") from None
        return provided or HttpxTransport(lane.source.name, lane.base, trusted=lane.trusted, connections=lane.in_flight)

    async def recorded(self) -> replay.Replay:
        """The recordings, read when first needed."""
        if self._replay is None:
            self._replay = await asyncio.to_thread(replay.load, self._recordings, self._sources)
        return self._replay
