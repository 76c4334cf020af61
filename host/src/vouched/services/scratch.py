"""A SQLite file that may be lost without harm: the pace of requests, the cache of answers."""

import logging
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from vouched.services.store.failures import Damaged, is_damage

__all__ = ["UNUSABLE", "Scratch"]

T = TypeVar("T")
# What a use may raise: the file cannot be had.
UNUSABLE = (sqlite3.Error, OSError, Damaged)
WAL_TRIES, WAL_WAIT_SECONDS = 20, 0.05
log = logging.getLogger("vouched.scratch")


class Scratch:
    """One file, in one thread. It is opened when needed, made anew when it is damaged, and followed when another file
    stands under its name: else processes that opened it before and after would not see each other.

    Args:
        path: of the file. busy_seconds: how long to wait for other processes.
        prepare: what to do with it once it is open, as making its tables; it may raise `Damaged`.
    """

    def __init__(self, path: Path, busy_seconds: float, prepare: Callable[[sqlite3.Connection], object]) -> None:
        self._path = path
        self._busy_seconds = busy_seconds
        self._prepare = prepare
        self._db: sqlite3.Connection | None = None
        self._opened: tuple[int, int] | None = None

    def use(self, work: Callable[[sqlite3.Connection], T], *, writes: bool = False) -> T:
        """What `work` makes of the file; all or nothing if it `writes`.

        Raises:
            UNUSABLE: one of these.
        """
        for again in (True, False):
            try:
                return self._used(work, writes)
            except UNUSABLE as error:
                # Looked at before closing: as long as it is open, no other file is given its number.
                own = self._identity() == self._opened
                # Closing rolls back.
                self.close()
                if not again or not is_damage(error):
                    raise
                log.warning("%s cannot be read any more (%s); it is begun anew", self._path.name, error)
                if own:
                    self._remove()
        raise AssertionError

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        db, self._db = self._db, None
        if db is not None:
            db.close()

    def _used(self, work: Callable[[sqlite3.Connection], T], writes: bool) -> T:
        db = self._open()
        if not writes:
            return work(db)
        db.execute("BEGIN IMMEDIATE")
        value = work(db)
        db.execute("COMMIT")
        return value

    def _open(self) -> sqlite3.Connection:
        if self._db is not None and self._identity() != self._opened:
            self.close()
        if self._db is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self._path, timeout=self._busy_seconds, isolation_level=None)
            self._opened = self._identity()
            # Before the first table, so that the file can shrink.
            self._db.execute("PRAGMA auto_vacuum = INCREMENTAL")
            _write_ahead(self._db)
            self._prepare(self._db)
        return self._db

    def _identity(self) -> tuple[int, int] | None:
        try:
            status = self._path.stat()
        except FileNotFoundError:
            return None
        return status.st_dev, status.st_ino

    def _remove(self) -> None:
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self._path}{suffix}").unlink(missing_ok=True)


def _write_ahead(db: sqlite3.Connection) -> None:
    """Turn on the write-ahead log, without syncing: any crash of a process leaves the file whole.

    A power cut may lose what was written last, which for a file like this means nothing.
    """
    for left in reversed(range(WAL_TRIES)):
        try:
            db.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError:
            # While several processes open a new file, the switch fails at once instead of waiting.
            if not left:
                raise
            time.sleep(WAL_WAIT_SECONDS)
    db.execute("PRAGMA synchronous = OFF")
