"""Code of plugins, run so that it harms nobody: what it raises is caught, how long it blocks is measured, it ends."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Coroutine, Generator
from typing import Any, Generic, TypeVar

from vouched.defects import is_own

__all__ = ["Late", "Raised", "run"]

T = TypeVar("T")
# While one step takes longer than this nothing else is answered.
HELD_SECONDS = 1.0
# So long a coroutine may take to clean up once it is cancelled.
STOP_SECONDS = 1.0
log = logging.getLogger("vouched.plugins")


class Raised(Exception):
    """What a plugin's code raised, whatever its kind. Attribute: error."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(type(error).__name__)
        self.error = error


class Late(Exception):
    """The time is over, and the work was stopped."""


async def run(what: str, work: Coroutine[Any, Any, T], seconds: float) -> T:
    """The outcome of a plugin's coroutine, by `seconds`.

    It runs in a task of its own, where even a `KeyboardInterrupt` that it raises reaches nobody else. A coroutine that
    goes on though it was cancelled is closed.

    Args:
        what: names the work in the log.

    Raises:
        Late: when its time is over, also where it turned its cancellation into an answer.
        Raised: for any exception of it. Only the cancellation of the caller passes through.
    """
    kept: _Kept[T] = _Kept(what, work)
    task = asyncio.ensure_future(kept.go())
    try:
        await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        await _stopped(kept, task)
        raise
    if not task.done():
        await _stopped(kept, task)
        raise Late
    if task.cancelled():
        # It cancelled its own task.
        raise Raised(asyncio.CancelledError())
    return task.result()


class _Kept(Generic[T]):
    """One coroutine, step by step."""

    def __init__(self, what: str, work: Coroutine[Any, Any, T]) -> None:
        self.what = what
        self._work = work
        self._held = 0.0

    async def go(self) -> T:
        try:
            return await self
        except BaseException as error:
            if is_own(error):
                raise
            raise Raised(error) from error
        finally:
            if self._held > HELD_SECONDS:
                log.warning(
                    "%s held the event loop for %.1f s, and every other call with it: blocking code belongs into "
                    "asyncio.to_thread",
                    self.what,
                    self._held,
                )

    def __await__(self) -> Generator[Any, Any, T]:
        """As the coroutine's own, with the longest step noted."""
        step, value = self._work.send, None
        while True:
            began = time.monotonic()
            try:
                awaited = step(value)
            except StopIteration as ended:
                return ended.value  # type: ignore[no-any-return]
            finally:
                self._held = max(self._held, time.monotonic() - began)
            try:
                step, value = self._work.send, (yield awaited)
            except BaseException as error:
                step, value = self._work.throw, error

    def close(self) -> None:
        """End the coroutine by force; one that waits even then is left to the garbage collector."""
        with contextlib.suppress(RuntimeError, ValueError):
            self._work.close()


async def _stopped(kept: _Kept[Any], task: "asyncio.Task[Any]") -> None:
    """Cancel the work and wait a little for its end."""
    task.cancel()
    await asyncio.wait({task}, timeout=STOP_SECONDS)
    if not task.done():
        log.error("%s goes on though it was cancelled; it is closed", kept.what)
        kept.close()
        task.cancel()
        await asyncio.wait({task}, timeout=STOP_SECONDS)
    if task.done() and not task.cancelled():
        # Seen, so that nobody is told of an exception that was never asked for.
        task.exception()
