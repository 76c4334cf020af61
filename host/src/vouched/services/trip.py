"""One request until it is answered or given up: attempts, pace, redirects, key."""

import logging
import random
from collections.abc import Callable, Container
from contextlib import AbstractAsyncContextManager
from typing import Any
from urllib.parse import urljoin

import msgspec

from vouched.defects import is_own, log_defect
from vouched.faults import Blocked, DeadlineExceeded, Fault, ProviderFailed, QueueFull, RateLimited, UpstreamInvalid
from vouched.remote import Exchange, Request, Response, Transport
from vouched.services import classify, provenance
from vouched.services.address import Question, origin
from vouched.services.flight import Flight
from vouched.services.lane import Lane
from vouched.services.pace import Pacer
from vouched.services.reading import Read, complete, understand
from vouched.services.redact import Redactor
from vouched.services.transport import too_large
from vouched.settings import Settings

__all__ = ["Landed", "Means", "Trip"]

REDIRECTS = (301, 302, 303, 307, 308)
MOST_HOPS = 5
BLOCK_SECONDS = 300.0
LONGEST_PAUSE_SECONDS = 3600.0
log = logging.getLogger("vouched.http")


class Landed:
    """How a request ended.

    Attributes:
        response: the answer, or the last that was none; attempts: starts.
        retrieved_at: when it came; sha256: of its body.
        reader: by whose word it ended so; value: what that made of the answer; fault: why there is none.
        said: what the user should be told.
    """

    def __init__(self, response: Response | None, attempts: int, retrieved_at: str, sha256: str) -> None:
        self.response = response
        self.attempts = attempts
        self.retrieved_at = retrieved_at
        self.sha256 = sha256
        self.reader: Read | None = None
        self.value: Any = None
        self.fault: Exception | None = None
        self.said: list[str] = []
        self._claimed = False

    def claim(self, read: Read | None) -> bool:
        """Whether it stands as it is for a call that reads by `read`.

        A value stands for the first that claims it: two callers must not share what they may change.
        """
        if self.reader is not read:
            return False
        claimed, self._claimed = self._claimed, True
        return self.fault is not None or not claimed

    def exchange(self, question: Question, lane: Lane, redactor: Redactor, *, stable: bool, **facts: Any) -> Exchange:
        """The exchange for provenance."""
        fault = self.fault
        status = fault.status if isinstance(fault, Fault) else 0
        known = {
            "content_sha256": self.sha256,
            "retrieved_at": self.retrieved_at,
            "http_status": self.response.status if self.response is not None else status,
            "attempts": self.attempts,
            "fault": fault.code if isinstance(fault, Fault) else "internal" if fault is not None else "",
        }
        return provenance.exchange(question, lane.base, lane.own_params(), redactor, stable=stable, **(known | facts))


class Means(msgspec.Struct, frozen=True):
    """What a trip uses.

    Attributes:
        pacer, place: asked anew for every start, since without its key a source falls under another budget; `place` is
            one among the requests in flight.
    """

    pacer: Callable[[], Pacer]
    place: Callable[[], AbstractAsyncContextManager[None]]
    transport: Transport
    settings: Settings
    redactor: Redactor


class Trip:
    """Asks one question of one source, within the pace, as often as it makes sense.

    Args:
        read: see `Http.get`; answered: statuses that are answers by themselves.
    """

    def __init__(
        self, question: Question, lane: Lane, means: Means, read: Read | None, answered: Container[int]
    ) -> None:
        self._question = question
        self._lane = lane
        self._means = means
        self._limits = means.settings.limits
        self._read = read
        self._answered = answered
        self._response: Response | None = None
        self._retrieved_at = ""
        self._sha256 = ""
        self._said: list[str] = []
        self._tries = 0

    async def run(self, flight: Flight[Landed]) -> Landed:
        """Always lands, unless it is cancelled."""
        import stamina

        fault: Exception
        try:
            async for attempt in stamina.retry_context(
                on=lambda error: self._wait(error, flight), attempts=self._limits.attempts, timeout=None
            ):
                with attempt:
                    return self._landed(flight, value=await self._attempt(flight))
        except QueueFull as shed:
            # A retry that was shed says less than the fault that made it necessary.
            fault = flight.last or shed
        except Exception as raised:
            fault = raised
        return self._landed(flight, fault=fault)

    def _landed(self, flight: Flight[Landed], *, value: Any = None, fault: Exception | None = None) -> Landed:
        landed = Landed(self._response, flight.attempts, self._retrieved_at or provenance.now(), self._sha256)
        landed.reader, landed.value, landed.fault = self._read, value, fault
        landed.said = self._said
        return landed

    def _backoff(self) -> float:
        """Seconds before the next try: doubling, jittered upwards, so that each wait is longer than the one before."""
        limits = self._limits
        wait = limits.retry_wait * 2.0 ** (self._tries - 1) * random.uniform(1.0, 1.5)
        return round(min(limits.retry_wait_max, wait), 3)

    def _wait(self, error: Exception, flight: Flight[Landed]) -> float | bool:
        """For stamina: seconds until the next try, False for none."""
        if not isinstance(error, Fault) or not error.retryable or isinstance(error, QueueFull | DeadlineExceeded):
            return False
        floor = error.retry_after or 0.0
        wait = max(floor, self._backoff())
        if floor > self._limits.retry_after_max or wait >= flight.remaining():
            return False
        return wait

    async def _attempt(self, flight: Flight[Landed]) -> Any:
        self._tries += 1
        self._response, self._sha256 = None, ""
        try:
            response = await self._sent(flight)
            if self._lane.key and classify.rejects_key(response):
                if said := self._lane.reject_key():
                    self._said.append(said)
                response = await self._sent(flight)
            self._response = response
            flight.status = response.status
            self._retrieved_at = provenance.now()
            self._sha256 = await provenance.hashed(response.body)
            return await understand(response, self._question, self._read, self._answered)
        except Fault as fault:
            await self._remember(fault, flight)
            raise

    async def _remember(self, fault: Fault, flight: Flight[Landed]) -> None:
        response = self._response
        complete(fault, self._lane.source.name, response.status if response is not None else 0, self._means.redactor)
        if isinstance(fault, QueueFull):
            return
        flight.last = fault
        self._lane.note(fault)
        log.info("%s %s: %s (HTTP %d)", fault.source, self._question.path, fault.code, fault.status)
        if isinstance(fault, RateLimited):
            # Even where the service names no time, everybody waits as long as this request does.
            fault.retry_after = fault.retry_after or self._backoff()
            await self._means.pacer().cool(min(fault.retry_after, LONGEST_PAUSE_SECONDS))
        elif isinstance(fault, Blocked) and response is not None and classify.is_blocked_page(response.body):
            await self._means.pacer().block(BLOCK_SECONDS)

    async def _sent(self, flight: Flight[Landed]) -> Response:
        lane, limits = self._lane, self._limits
        method, url, body = self._question.on_wire(lane.base, lane.own_params())
        headers = lane.headers(self._question.media)
        if method == "POST":
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        request = Request(method, url, headers, body, limits.request_timeout, limits.body_bytes)
        for _ in range(MOST_HOPS):
            response = await self._once(request, flight)
            if response.status not in REDIRECTS or response.status in self._answered:
                return response
            request = self._redirected(request, response)
        raise UpstreamInvalid(f"{lane.source.name} redirects in circles.", status=response.status, retryable=False)

    async def _once(self, request: Request, flight: Flight[Landed]) -> Response:
        means = self._means
        again = flight.attempts > 0
        async with means.pacer().turn(self._lane.gap, means.place(), flight.remaining, again=again):
            flight.attempts += 1
            try:
                return self._checked(await means.transport.send(request), request.max_bytes)
            except Fault:
                raise
            except BaseException as error:
                if is_own(error):
                    raise
                log_defect(log, means.settings, f"the transport of {self._lane.source.name} failed", error)
                kind = type(error).__name__
        raise ProviderFailed(f"The transport of {self._lane.source.name} failed ({kind}).")

    def _checked(self, response: Response, most: int) -> Response:
        """What a transport gave; it may be a plugin's, and no checker of types has seen that."""
        name = self._lane.source.name
        parts = (("status", int), ("headers", dict), ("body", bytes))
        if not all(isinstance(getattr(response, part, None), kind) for part, kind in parts):
            raise ProviderFailed(f"The transport of {name} gave a {type(response).__name__} that is no response.")
        if len(response.body) > most:
            raise too_large(name, most, response.status)
        return response

    def _redirected(self, request: Request, response: Response) -> Request:
        """The request that a redirect asks for, on the same scheme, host and port only."""
        name, status = self._lane.source.name, response.status
        try:
            target = urljoin(request.url, response.headers.get("location", ""))
            scheme, host, port = origin(target)
        except ValueError:
            target, scheme, host, port = "", "", "", 0
        if {"misuse", "abuse"} & set(host.split(".")):
            raise Blocked(f"{name} has blocked this address.", status=status, hint=classify.BLOCK_HINT)
        if (scheme, host, port) != origin(self._lane.base):
            raise UpstreamInvalid(
                f"{name} redirects to another place ({scheme}://{host[:80]}), where nothing is sent.",
                status=status,
                retryable=False,
            )
        if request.method == "POST" and status not in (307, 308):
            raise UpstreamInvalid(f"{name} redirects a form to a page without it.", status=status, retryable=False)
        return msgspec.structs.replace(request, url=target)
