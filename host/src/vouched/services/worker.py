"""One thread for one blocking thing, so that SQLite never blocks an event loop and never meets a second thread."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

__all__ = ["Worker"]

P = ParamSpec("P")
T = TypeVar("T")


class Worker:
    """Runs functions one after the other in a thread of its own, for any event loop. The thread starts when needed."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._pool: ThreadPoolExecutor | None = None
        self._lock = threading.Lock()

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `function` returns or raises. Cancelling stops the wait, not a function that runs already."""
        return await asyncio.wrap_future(self._ready().submit(function, *args, **kwargs))

    async def close(self, last: Callable[[], None]) -> None:
        """Run `last` in the thread, then end it. A later `run` starts a new one."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.wrap_future(pool.submit(last))
            pool.shutdown(wait=True)

    def _ready(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=self._name)
            return self._pool
