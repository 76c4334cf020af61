"""Start gaps for one budget: a queue in this process, whose head takes the next start from the row that all share."""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager

from vouched.faults import Blocked, QueueFull
from vouched.services.classify import BLOCK_HINT
from vouched.services.scratch import UNUSABLE
from vouched.services.slots import Pause, Slots, Start
from vouched.services.worker import Worker

__all__ = ["Pacer", "SharedSlots"]

# Without the row nobody knows how many processes share the budget: leave room for two more.
PRIVATE_FACTOR = 3.0
PRIVATE_SECONDS = 30.0
# A start that is used later than this could share its second with one too many; it is taken anew, a few times. Where
# nobody has taken a later one it only moves, so that a busy machine loses the time it is late and no start.
LATE_SECONDS = 0.05
ROUNDS = 3
log = logging.getLogger("vouched.pace")


class SharedSlots:
    """`Slots` in a thread; falls back to a slower private pace while the file cannot be had."""

    def __init__(self, slots: Slots) -> None:
        self._slots = slots
        self._worker = Worker("vouched-pace")
        self._private: dict[str, float] = {}
        self._private_until = 0.0
        self.trouble = ""

    async def reserve(
        self, budget: str, gap: float, cool_until: float, unused: Start | None = None
    ) -> tuple[Start, Pause]:
        """See `Slots.reserve`; never fails. `cool_until`: the end of a pause that this process knows of."""
        if time.monotonic() >= self._private_until:
            try:
                start, pause = await self._worker.run(self._slots.reserve, budget, gap, unused)
                self.trouble = ""
                # Should the file be lost now, the next start must still not come upon this one.
                self._private[budget] = start.next
                return start, pause
            except UNUSABLE as error:
                self._fall_back(error)
        next_start = self._private.get(budget, 0.0)
        if unused is not None:
            next_start = unused.behind(next_start)
        at = max(time.monotonic(), next_start, cool_until)
        start = Start(at, at + gap * PRIVATE_FACTOR)
        self._private[budget] = start.next
        return start, Pause()

    async def pause(self, budget: str, *, cool: float = 0.0, block: float = 0.0) -> None:
        """See `Slots.pause`; where the file cannot be had, only this process rests."""
        try:
            await self._worker.run(self._slots.pause, budget, cool=cool, block=block)
        except UNUSABLE as error:
            self._fall_back(error)

    async def look(self, budget: str) -> Pause:
        """See `Slots.look`; no pause where the file cannot be had."""
        try:
            return await self._worker.run(self._slots.look, budget)
        except UNUSABLE as error:
            self._fall_back(error)
            return Pause()

    async def close(self) -> None:
        await self._worker.close(self._slots.close)

    def _fall_back(self, error: Exception) -> None:
        if not self.trouble:
            log.warning("the shared pace cannot be had (%s); going on alone, %g times slower", error, PRIVATE_FACTOR)
        self.trouble = f"{type(error).__name__}: {error}"
        self._private_until = time.monotonic() + PRIVATE_SECONDS


class Pacer:
    """One budget in one event loop.

    Attributes:
        waiting: requests that have not started yet, over all sources of the budget.
    """

    def __init__(self, budget: str, shared: SharedSlots, depth: int) -> None:
        self.budget = budget
        # For people, without the mark of the key.
        self._name = budget.partition(" ")[0]
        self.waiting = 0
        self._shared = shared
        self._depth = depth
        self._head = asyncio.Lock()
        # On the monotonic clock: the next start nobody has yet, as far as known here; ends of pauses; a start in hand.
        self._next = 0.0
        self._cool_until = 0.0
        self._blocked_until = 0.0
        self._held: Start | None = None

    @property
    def cooling(self) -> float:
        """Seconds until the service may be asked again after a 429."""
        return max(0.0, self._cool_until - time.monotonic())

    @property
    def blocked(self) -> float:
        """Seconds that nobody is asked because the service has blocked this address."""
        return max(0.0, self._blocked_until - time.monotonic())

    @contextlib.asynccontextmanager
    async def turn(
        self, gap: float, place: AbstractAsyncContextManager[None], remaining: Callable[[], float], *, again: bool
    ) -> AsyncIterator[None]:
        """Wait for a place among the requests in flight and for a start; the place is held until the block ends.

        Args:
            gap: least seconds between this start and the next one.
            remaining: seconds left to whoever waits longest for this request.
            again: a retry, which the depth of the queue does not keep out.

        Raises:
            QueueFull: at once, when too many wait or the start is known to come too late.
            Blocked: while the service has blocked this address.
        """
        if not again:
            self._admit(gap, remaining())
        async with contextlib.AsyncExitStack() as held:
            self.waiting += 1
            try:
                await held.enter_async_context(place)
                async with self._head:
                    await self._start(gap, remaining)
            finally:
                self.waiting -= 1
            yield

    async def cool(self, seconds: float) -> None:
        """Let no request of this budget start for so long, in any process."""
        self._cool_until = max(self._cool_until, time.monotonic() + seconds)
        self._held = None
        await self._shared.pause(self.budget, cool=seconds)

    async def block(self, seconds: float) -> None:
        """Send nothing for so long, in any process: the service has blocked this address."""
        self._blocked_until = max(self._blocked_until, time.monotonic() + seconds)
        await self._shared.pause(self.budget, block=seconds)

    def _admit(self, gap: float, remaining: float) -> None:
        if self.waiting >= self._depth:
            raise QueueFull(
                f"{self.waiting} requests wait for {self._name} already.",
                hint="Ask for less at once, or again a little later.",
                retry_after=round(self._wait() + gap, 1),
            )
        # The head of the queue may have its start in hand; `_next` lies behind that one already.
        ahead = self.waiting - (self._held is not None)
        self._in_time(self._wait() + gap * ahead, remaining)

    def _wait(self) -> float:
        """Seconds until the next start that is known to be free."""
        return max(0.0, max(self._next, self._cool_until) - time.monotonic())

    def _in_time(self, wait: float, remaining: float) -> None:
        if wait >= remaining:
            cause = (
                f"{self._name} has asked for a pause" if self.cooling else f"Too many requests wait for {self._name}"
            )
            raise QueueFull(
                f"{cause}: this request could not start before the call's time is over, so it was not sent.",
                hint="Ask for less at once, or again after the wait.",
                retry_after=round(wait, 1),
            )

    async def _start(self, gap: float, remaining: Callable[[], float]) -> None:
        late = 0
        while True:
            if self._held is None or not self._usable(self._held, late):
                late += self._held is not None
                self._held = await self._reserve(gap)
                continue
            wait = self._held.at - time.monotonic()
            self._in_time(wait, remaining())
            if wait <= 0:
                break
            await asyncio.sleep(wait)
            # Another process may have met a 429 meanwhile: then this start is void.
            self._note(await self._shared.look(self.budget))
        # Only now: whoever leaves the queue before leaves the start in hand to the next in line.
        self._held = None

    def _usable(self, start: Start, late: int) -> bool:
        in_pause = start.at < self._cool_until
        return not in_pause and (late >= ROUNDS or time.monotonic() - start.at <= LATE_SECONDS)

    async def _reserve(self, gap: float) -> Start:
        start, pause = await self._shared.reserve(self.budget, gap, self._cool_until, self._held)
        self._note(pause)
        if self.blocked:
            raise Blocked(
                f"{self._name} has blocked this address; nothing is sent for another {self.blocked:.0f} s.",
                hint=BLOCK_HINT,
            )
        self._next = max(start.next, self._cool_until + gap)
        return start

    def _note(self, pause: Pause) -> None:
        self._cool_until = max(self._cool_until, pause.cool_until)
        self._blocked_until = max(self._blocked_until, pause.blocked_until)
