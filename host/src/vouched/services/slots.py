"""The shared row of each budget: who may start next, over all processes that use one data folder.

Times in the file are those of the monotonic clock, which all processes of a machine read alike and nobody can set.
"""

import sqlite3
import time
from pathlib import Path

import msgspec

from vouched.services.scratch import Scratch

__all__ = ["Pause", "Slots", "Start"]

BUSY_SECONDS = 0.5
# The clock begins anew when the machine does: a row written later than now says nothing any more.
AHEAD_SECONDS = 1.0
SCHEMA = """CREATE TABLE IF NOT EXISTS pace (
    budget TEXT PRIMARY KEY, next_start REAL NOT NULL, cool_until REAL NOT NULL, blocked_until REAL NOT NULL,
    written REAL NOT NULL
) WITHOUT ROWID"""


class Pause(msgspec.Struct, frozen=True):
    """Until when a budget rests, on the monotonic clock: after a 429; blocked by the service. It may be over."""

    cool_until: float = 0.0
    blocked_until: float = 0.0


class Start(msgspec.Struct, frozen=True):
    """A start that was taken, and the first one that was free behind it, on the monotonic clock."""

    at: float
    next: float

    def behind(self, next_start: float) -> float:
        """Where a start instead of this unused one may stand: in its place, as long as nobody has taken a later one."""
        return self.at if next_start == self.next else next_start


class Slots:
    """The file. Every method blocks for one short transaction and raises `sqlite3.Error` where the row cannot be had.

    Lives in one thread; opens the file on first use.
    """

    def __init__(self, path: Path) -> None:
        self._file = Scratch(path, BUSY_SECONDS, lambda db: db.execute(SCHEMA))

    def reserve(self, budget: str, gap: float, unused: Start | None = None) -> tuple[Start, Pause]:
        """Take the next start of `budget` and move it on by `gap`.

        Args:
            unused: a start that was taken before and came to nothing; it is given back where that is still possible.

        Returns the start, and the pauses. Nothing is taken while the budget is blocked.
        """

        def work(db: sqlite3.Connection) -> tuple[Start, Pause]:
            now = time.monotonic()
            next_start, cool_until, blocked_until = _row(db, budget, now)
            if unused is not None:
                next_start = unused.behind(next_start)
            at = max(now, next_start, cool_until)
            start = Start(at, at + gap)
            if blocked_until <= now:
                _write(db, budget, (start.next, cool_until, blocked_until, now))
            return start, Pause(cool_until, blocked_until)

        return self._file.use(work, writes=True)

    def pause(self, budget: str, *, cool: float = 0.0, block: float = 0.0) -> None:
        """Let nobody start for `cool` or `block` seconds; a longer pause that runs already stays."""

        def work(db: sqlite3.Connection) -> None:
            now = time.monotonic()
            next_start, cool_until, blocked_until = _row(db, budget, now)
            cool_until = max(cool_until, now + cool) if cool else cool_until
            blocked_until = max(blocked_until, now + block) if block else blocked_until
            _write(db, budget, (next_start, cool_until, blocked_until, now))

        self._file.use(work, writes=True)

    def look(self, budget: str) -> Pause:
        """The pauses of `budget`, without taking anything."""

        def work(db: sqlite3.Connection) -> Pause:
            now = time.monotonic()
            _, cool_until, blocked_until = _row(db, budget, now)
            return Pause(cool_until, blocked_until)

        return self._file.use(work)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        self._file.close()


def _row(db: sqlite3.Connection, budget: str, now: float) -> tuple[float, float, float]:
    row = db.execute(
        "SELECT next_start, cool_until, blocked_until, written FROM pace WHERE budget = ?", (budget,)
    ).fetchone()
    if row is None or row[3] > now + AHEAD_SECONDS:
        return 0.0, 0.0, 0.0
    return row[0], row[1], row[2]


def _write(db: sqlite3.Connection, budget: str, values: tuple[float, float, float, float]) -> None:
    db.execute("INSERT OR REPLACE INTO pace VALUES (?, ?, ?, ?, ?)", (budget, *values))
