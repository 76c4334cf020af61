"""One client of one source for one tool call: cache, then a shared flight; what came is noted by provenance."""

import asyncio
import copy
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from vouched.context import Context
from vouched.faults import DeadlineExceeded, Fault
from vouched.remote import NOTHING, Params, Response
from vouched.services.address import Question, ask
from vouched.services.cache import Kept
from vouched.services.flight import Flight
from vouched.services.lane import Lane
from vouched.services.provenance import hashed, now
from vouched.services.reading import Read, complete, read_body, understand
from vouched.services.transport import no_answer
from vouched.services.trip import Landed, Means, Trip

if TYPE_CHECKING:
    from vouched.services.http import HttpService, Loop

__all__ = ["Client"]


class Client:
    """See `vouched.remote.Http`."""

    def __init__(self, service: "HttpService", lane: Lane, context: Context) -> None:
        self._service = service
        self._lane = lane
        self._context = context

    async def get(self, path: str, *segments: str, **options: Any) -> Any:
        return await self._ask("GET", path, segments, **options)

    async def post(self, path: str, *segments: str, **options: Any) -> Any:
        return await self._ask("POST", path, segments, **options)

    async def _ask(
        self,
        method: Literal["GET", "POST"],
        path: str,
        segments: Sequence[str],
        *,
        params: Params = NOTHING,
        media: str = "application/json",
        read: Read | None = None,
        answers: Mapping[int, Any] = NOTHING,
        refresh: bool = False,
        stable: bool = False,
    ) -> Any:
        question = ask(self._lane.source, method, path, segments, params, media)
        call = Call(self._service, self._lane, self._context, question, read, answers, stable)
        if self._service.offline:
            return await call.replayed()
        self._context.deadline.check()
        if self._lane.ttl > 0 and not refresh and self._service.recorder is None:
            kept, value = await call.cached()
            if kept:
                return value
        return await call.asked()


class Call:
    """One question of one tool call."""

    def __init__(
        self,
        service: "HttpService",
        lane: Lane,
        context: Context,
        question: Question,
        read: Read | None,
        answers: Mapping[int, Any],
        stable: bool,
    ) -> None:
        self._service = service
        self._lane = lane
        self._context = context
        self._question = question
        self._read = read
        self._answers = answers
        self._stable = stable
        self._key = f"{lane.base} {question.media} {question.meaning}"

    async def cached(self) -> tuple[bool, Any]:
        """Whether the cache has an answer that can be read, and its value."""
        kept = await self._service.cache.get(self._key, self._lane.ttl)
        if kept is None:
            return False, None
        try:
            value = await read_body(kept.response, self._question, self._read)
        except Fault:
            # Another reader accepted it once; to this one it is worth no more than nothing.
            await self._service.cache.drop(self._key)
            return False, None
        await self._note(Landed(kept.response, 0, kept.retrieved_at, kept.sha256), from_cache=True)
        return True, value

    async def asked(self) -> Any:
        """The value of an answer, by the call's deadline."""
        landed = await self._land((self._key, tuple(sorted(self._answers))))
        if landed.response is None or landed.claim(self._read):
            return await self._told(landed)
        # The flight was another call's: what its reader says of the answer binds nobody else.
        own = await self._read_by_own(landed, landed.response)
        refused = landed.fault is None and isinstance(own.fault, Fault) and own.fault.retryable
        return await self._told(await self._land(object()) if refused else own)

    async def replayed(self) -> Any:
        """The value of a recorded answer."""
        recorded = (await self._service.recorded()).answer(self._question)
        response = None if recorded.fault else recorded.response
        sha256 = "" if response is None else await hashed(response.body)
        landed = Landed(response, 1, recorded.retrieved_at, sha256)
        if response is None:
            landed.fault = no_answer(recorded.fault, self._lane.source.name)
            return await self._told(landed)
        return await self._told(await self._read_by_own(landed, response))

    async def _read_by_own(self, landed: Landed, response: Response) -> Landed:
        """The same landing, as this call's reader sees it."""
        own = copy.copy(landed)
        own.reader, own.fault = self._read, None
        try:
            own.value = await understand(response, self._question, self._read, self._answers)
        except Exception as error:
            # Of two faults of one kind the first knows more: how long to wait.
            own.fault = landed.fault if type(error) is type(landed.fault) else error
        return own

    async def _land(self, key: object) -> Landed:
        loop = await self._service.loop()
        flight = loop.flights.join(key, lambda flight: self._fly(loop, flight))
        try:
            landed = await flight.wait(self._context.deadline)
        except TimeoutError:
            landed = self._over(flight)
        for text in landed.said:
            self._context.warn(text)
        return landed

    async def _fly(self, loop: "Loop", flight: Flight[Landed]) -> Landed:
        service, lane = self._service, self._lane
        means = Means(
            lambda: loop.pacer(lane),
            lambda: loop.place(lane),
            loop.transport(lane),
            service.settings,
            service.redactor,
        )
        landed = await Trip(self._question, lane, means, self._read, self._answers).run(flight)
        if landed.fault is None and landed.response is not None:
            await self._keep(landed, landed.response)
        return landed

    async def _keep(self, landed: Landed, response: Response) -> None:
        service = self._service
        if self._lane.ttl > 0 and 200 <= response.status < 300:
            headers = {name: service.redactor.strike(value) for name, value in response.headers.items()}
            headers.pop("set-cookie", None)
            kept = Response(response.status, headers, response.body)
            await service.cache.put(self._key, Kept(kept, landed.sha256, landed.retrieved_at))
        if service.recorder is not None:
            keep, redactor = service.recorder.keep, service.redactor
            try:
                await asyncio.to_thread(keep, self._question, response, landed.retrieved_at, redactor)
            except OSError as error:
                landed.said.append(f"An exchange could not be recorded ({error.strerror}).")

    def _over(self, flight: Flight[Landed]) -> Landed:
        """How it ends for a call whose time is over before the answer came."""
        name = self._lane.source.name
        last = f" Before that: {flight.last.message}" if flight.last is not None else ""
        landed = Landed(None, flight.attempts, now(), "")
        landed.fault = DeadlineExceeded(
            f"{name} had not answered when the call's time was over.{last}",
            hint="Ask for less at once, or raise limits.deadline.",
            source=name,
            status=flight.status,
        )
        return landed

    async def _told(self, landed: Landed) -> Any:
        """The value of what landed, or its fault, once the exchange is noted."""
        if landed.attempts:
            await self._note(landed)
        if landed.fault is not None:
            # A copy: one fault is raised in every call that waited for it.
            raise copy.copy(landed.fault) if isinstance(landed.fault, Fault) else landed.fault
        if landed.response is None:
            raise RuntimeError("a request landed with neither answer nor fault")
        status = landed.response.status
        return self._answers.get(status, landed.value)

    async def _note(self, landed: Landed, **facts: Any) -> None:
        """Put the exchange into the call's provenance, and its body into the archive."""
        service, response = self._service, landed.response
        if isinstance(landed.fault, Fault):
            complete(landed.fault, self._lane.source.name, response.status if response else 0, service.redactor)
        self._context.exchanges.append(
            landed.exchange(self._question, self._lane, service.redactor, stable=self._stable, **facts)
        )
        if response is not None and service.settings.archive:
            try:
                await service.archive.keep(landed.sha256, response.body)
            except OSError as error:
                self._context.warn(f"An answer could not be archived ({error.strerror}): this run cannot be verified.")
