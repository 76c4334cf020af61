"""Identical requests in flight share one answer, which lives until its last waiter leaves."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

from vouched.context import Deadline
from vouched.faults import Fault

__all__ = ["Flight", "Flights"]

T = TypeVar("T")


class Flight(Generic[T]):
    """One request that is under way, and those who wait for it.

    Attributes:
        attempts: starts so far; status: of the last answer, 0 before one; last: the fault it met last.
    """

    def __init__(self, work: Callable[["Flight[T]"], Coroutine[Any, Any, T]], forget: Callable[[], None]) -> None:
        self.attempts = 0
        self.status = 0
        self.last: Fault | None = None
        self._work = work
        self._forget = forget
        self._deadlines: list[Deadline] = []
        self._task: asyncio.Task[T] | None = None

    def remaining(self) -> float:
        """Seconds left to the waiter who has most."""
        return max((deadline.remaining() for deadline in self._deadlines), default=0.0)

    async def wait(self, deadline: Deadline) -> T:
        """The answer, by `deadline`. The first who waits sets the work going, the last who leaves ends it.

        Raises:
            TimeoutError: when the deadline has come first.
        """
        self._deadlines.append(deadline)
        if self._task is None:
            self._task = asyncio.ensure_future(self._work(self))
            self._task.add_done_callback(self._ended)
        try:
            # `wait` leaves the task alone, whether it times out or is cancelled itself.
            await asyncio.wait({self._task}, timeout=deadline.remaining())
            if not self._task.done():
                raise TimeoutError
            return self._task.result()
        finally:
            self._deadlines.remove(deadline)
            if not self._deadlines and not self._task.done():
                # Nobody may join what is about to end.
                self._forget()
                self._task.cancel()

    def _ended(self, task: asyncio.Task[T]) -> None:
        self._forget()
        if not task.cancelled():
            # Seen here, so that a failure nobody waits for any more is not reported as forgotten.
            task.exception()


class Flights(Generic[T]):
    """The flights of one event loop, by what they ask."""

    def __init__(self) -> None:
        self._flights: dict[Hashable, Flight[T]] = {}

    def join(self, key: Hashable, work: Callable[[Flight[T]], Coroutine[Any, Any, T]]) -> Flight[T]:
        """The flight under `key`, a new one that will do `work` where none is in the air. Wait for it at once."""
        flight = self._flights.get(key)
        if flight is None:

            def forget() -> None:
                if self._flights.get(key) is flight:
                    del self._flights[key]

            flight = self._flights[key] = Flight(work, forget)
        return flight
