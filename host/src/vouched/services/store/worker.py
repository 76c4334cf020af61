"""One thread that has the database to itself: event loops hand it work and never wait on a file.

Work that arrives while a transaction runs is done together in the next one and committed once.
"""

import asyncio
import itertools
import os
import queue
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from vouched.faults import Fault
from vouched.services.store import artifacts, retention
from vouched.services.store.database import Database, transaction
from vouched.services.store.failures import is_damage, translate
from vouched.services.store.view import View
from vouched.settings import SessionSettings

__all__ = ["Worker"]

T = TypeVar("T")
LARGEST_GROUP = 256
END_SECONDS = 5.0


class _Job:
    """A piece of work, whom to tell, and what came of it."""

    def __init__(self, work: Callable[[View], Any], writes: bool) -> None:
        self.work = work
        self.writes = writes
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self.loop.create_future()
        self.value: Any = None
        self.error: Fault | None = None

    def tell(self) -> None:
        try:
            self.loop.call_soon_threadsafe(self._settle)
        except RuntimeError:
            # The loop is closed: whoever asked is gone, what was asked for is done all the same.
            return

    def _settle(self) -> None:
        if self.future.done():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.value)


_Queue = queue.SimpleQueue["_Job | None"]


class Worker:
    """Runs work on the store's own thread, started when first needed.

    A caller that is cancelled does not take back what it asked for: a run once handed over is written.
    """

    def __init__(self, folder: Path, settings: SessionSettings) -> None:
        self._folder = folder
        self._settings = settings
        self._guard = threading.Lock()
        self._started: tuple[int, _Queue, threading.Thread] | None = None
        self._end: weakref.finalize[..., Any] | None = None

    async def read(self, work: Callable[[View], T]) -> T:
        """Do `work`, which writes nothing."""
        return await self._hand_over(work, writes=False)

    async def write(self, work: Callable[[View], T]) -> T:
        """Do `work` in a transaction; it is committed when this returns."""
        return await self._hand_over(work, writes=True)

    async def aclose(self) -> None:
        """Finish what was handed over, end cleanly. Whoever uses the store again opens it again."""
        with self._guard:
            started, self._started, end, self._end = self._started, None, self._end, None
        if started is not None and end is not None and started[0] == os.getpid():
            await asyncio.get_running_loop().run_in_executor(None, end)

    async def _hand_over(self, work: Callable[[View], T], *, writes: bool) -> T:
        job = _Job(work, writes)
        self._queue().put(job)
        result: T = await job.future
        return result

    def _queue(self) -> _Queue:
        with self._guard:
            # A forked child has the parent's queue but not its thread; the parent's connection is not for it to touch.
            if self._started is None or self._started[0] != os.getpid():
                jobs: _Queue = queue.SimpleQueue()
                database = Database(self._folder, self._settings)
                thread = threading.Thread(target=_serve, args=(jobs, database), name="vouched-session", daemon=True)
                thread.start()
                self._started = (os.getpid(), jobs, thread)
                # Also at the interpreter's end, should nobody close the store: else every start would look for damage.
                self._end = weakref.finalize(self, _stop, os.getpid(), jobs, thread)
            return self._started[1]


def _stop(pid: int, jobs: _Queue, thread: threading.Thread) -> None:
    if pid == os.getpid():
        jobs.put(None)
        # The last to let go of a store may be its own thread, with the work that it has just done.
        if thread is not threading.current_thread():
            thread.join(END_SECONDS)


def _serve(jobs: _Queue, database: Database) -> None:
    while _round(jobs, database):
        pass
    try:
        database.close()
    except Exception as error:
        # Nobody waits for this any more; the next start finds the end unclean and looks.
        _log("the session store was not closed cleanly", error)


def _round(jobs: _Queue, database: Database) -> bool:
    """Do all that waits; False once the end was asked for. A function, so that nothing done is held while waiting."""
    batch, ended = _next(jobs)
    for writes, group in itertools.groupby(batch, key=lambda job: job.writes):
        _perform(database, list(group), writes)
    if any(job.writes for job in batch) and database.retention_due():
        try:
            _retain(database)
        except Exception as error:
            _log("what is past its retention could not be dropped", error)
    return not ended


def _log(text: str, error: Exception) -> None:
    import logging

    logging.getLogger("vouched.session").warning("%s: %s", text, translate(error).message)


def _next(jobs: _Queue) -> tuple[list[_Job], bool]:
    """All that waits, and whether the end was asked for."""
    batch: list[_Job] = []
    job = jobs.get()
    while job is not None:
        batch.append(job)
        if len(batch) == LARGEST_GROUP:
            return batch, False
        try:
            job = jobs.get_nowait()
        except queue.Empty:
            return batch, False
    return batch, True


def _perform(database: Database, group: Sequence[_Job], writes: bool) -> None:
    for attempt in (1, 2):
        try:
            (_write if writes else _read)(database, group)
            break
        except Exception as error:
            problem: Exception = error
            if is_damage(error) and attempt == 1:
                try:
                    database.set_aside(error)
                    continue
                except Exception as failed:
                    problem = failed
            for job in group:
                job.error = translate(problem)
    for job in group:
        job.tell()


def _read(database: Database, group: Sequence[_Job]) -> None:
    view = database.reading()
    for job in group:
        _attempt(job, view)


def _write(database: Database, group: Sequence[_Job]) -> None:
    view = database.writing()
    connection = view.connection
    with transaction(connection):
        for job in group:
            connection.execute("SAVEPOINT job")
            _attempt(job, view)
            if job.error is not None:
                connection.execute("ROLLBACK TO job")
            connection.execute("RELEASE job")


def _attempt(job: _Job, view: View) -> None:
    """One job's failure is its own; damage concerns them all."""
    job.value, job.error = None, None
    try:
        job.value = job.work(view)
    except Exception as error:
        if is_damage(error) or (job.writes and not view.connection.in_transaction):
            raise
        job.error = translate(error)


def _retain(database: Database) -> None:
    view = database.writing()
    before = time.time() - view.settings.retention_days * 86_400
    with transaction(view.connection):
        _, digests = retention.prune(view, None, before)
    with transaction(view.connection):
        artifacts.drop_unused(view, digests)
