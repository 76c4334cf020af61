"""The shared row of each budget: who may start next, over all processes that use one data folder.

Times in the file are seconds since the epoch, the one clock that all processes read alike and that a restart keeps.
"""

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

__all__ = ["Pause", "Slots", "open_wal"]

BUSY_SECONDS = 0.5
# A row written later than now comes from a clock that was set back; it would hold everybody up.
AHEAD_SECONDS = 1.0
WAL_TRIES, WAL_WAIT_SECONDS = 20, 0.05
SCHEMA = """CREATE TABLE IF NOT EXISTS pace (
    budget TEXT PRIMARY KEY, next_start REAL NOT NULL, cool_until REAL NOT NULL, blocked_until REAL NOT NULL,
    written REAL NOT NULL
) WITHOUT ROWID"""


class Pause(msgspec.Struct, frozen=True):
    """Until when a budget rests, on the monotonic clock, 0.0 for not at all: after a 429; blocked by the service."""

    cool_until: float = 0.0
    blocked_until: float = 0.0


class Slots:
    """The file. Every method blocks for one short transaction and raises `sqlite3.Error` where the row cannot be had.

    Lives in one thread; opens the file on first use.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._db: sqlite3.Connection | None = None

    def reserve(self, budget: str, gap: float) -> tuple[float, Pause]:
        """Take the next start of `budget` and move it on by `gap`.

        Returns the start on the monotonic clock, and the pauses. Nothing is taken while the budget is blocked.
        """
        with self._transaction() as db:
            now = time.time()
            next_start, cool_until, blocked_until = self._row(db, budget, now)
            start = max(now, next_start, cool_until)
            if blocked_until <= now:
                self._write(db, budget, (start + gap, cool_until, blocked_until, now))
            return time.monotonic() + start - now, _pause(cool_until, blocked_until, now)

    def pause(self, budget: str, *, cool: float = 0.0, block: float = 0.0) -> None:
        """Let nobody start for `cool` or `block` seconds; a longer pause that runs already stays."""
        with self._transaction() as db:
            now = time.time()
            next_start, cool_until, blocked_until = self._row(db, budget, now)
            cool_until = max(cool_until, now + cool)
            blocked_until = max(blocked_until, now + block)
            self._write(db, budget, (next_start, cool_until, blocked_until, now))

    def look(self, budget: str) -> Pause:
        """The pauses of `budget`, without taking anything."""
        now = time.time()
        try:
            _, cool_until, blocked_until = self._row(self._open(), budget, now)
        except sqlite3.Error:
            self.close()
            raise
        return _pause(cool_until, blocked_until, now)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        if self._db is not None:
            self._db.close()
            self._db = None

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        try:
            db = self._open()
            db.execute("BEGIN IMMEDIATE")
            yield db
            db.execute("COMMIT")
        except BaseException:
            # Closing rolls back, and the file is opened afresh next time: it may have been replaced.
            self.close()
            raise

    def _row(self, db: sqlite3.Connection, budget: str, now: float) -> tuple[float, float, float]:
        row = db.execute(
            "SELECT next_start, cool_until, blocked_until, written FROM pace WHERE budget = ?", (budget,)
        ).fetchone()
        if row is None or row[3] > now + AHEAD_SECONDS:
            return 0.0, 0.0, 0.0
        return row[0], row[1], row[2]

    def _write(self, db: sqlite3.Connection, budget: str, values: tuple[float, float, float, float]) -> None:
        db.execute("INSERT OR REPLACE INTO pace VALUES (?, ?, ?, ?, ?)", (budget, *values))

    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            db = sqlite3.connect(self._path, timeout=BUSY_SECONDS, isolation_level=None)
            try:
                open_wal(db)
                db.execute(SCHEMA)
            except BaseException:
                db.close()
                raise
            self._db = db
        return self._db


def open_wal(db: sqlite3.Connection) -> None:
    """Turn on the write-ahead log, without syncing: any crash of a process leaves the file whole.

    A power cut may lose what was written last, which for a pace or a cache means nothing.
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


def _pause(cool_until: float, blocked_until: float, now: float) -> Pause:
    here = time.monotonic() - now
    return Pause(cool_until + here if cool_until > now else 0.0, blocked_until + here if blocked_until > now else 0.0)
