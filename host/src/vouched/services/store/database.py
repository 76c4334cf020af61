"""The database file: opened when needed, checked after an unclean end, set aside when damaged. One thread's own."""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vouched.names import now
from vouched.services.store import generations, locks, migrations, recovery
from vouched.services.store.failures import Damaged
from vouched.services.store.files import Files
from vouched.services.store.processes import Mark, lives
from vouched.services.store.view import View
from vouched.settings import SessionSettings

__all__ = ["Database", "transaction"]

LOCK = "sessions.lock"
# A file with a write-ahead log can be read beside it only; where that cannot be made, only as one that nobody changes.
SHARED, FROZEN = "mode=rw", "mode=ro&immutable=1"
BUSY_SECONDS = 15.0
RETENTION_EVERY = 6 * 3600.0


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """Open an existing file; never creates one."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        cached_statements=256,
    )
    try:
        # With WAL, NORMAL keeps every commit through the death of the process, and the file whole through a power cut.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA cache_size = -16000")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA journal_size_limit = 33554432")
        connection.create_function("casefold", 1, str.casefold, deterministic=True)
    except BaseException:
        connection.close()
        raise
    return connection


class Database:
    """Owns the connection. `reading` gives a view that has made nothing, `writing` one that is entered as a writer."""

    def __init__(self, folder: Path, settings: SessionSettings) -> None:
        self.folder = folder
        self._path = folder
        self._settings = settings
        self._files = Files(folder)
        self._mark = Mark(folder)
        self._connection: sqlite3.Connection | None = None
        self._empty: sqlite3.Connection | None = None
        self._opened: tuple[int, int] | None = None
        self._writes = False
        self._frozen = False
        self._retained = 0.0

    def reading(self) -> View:
        """A view of the file, or of an empty database where there is none yet."""
        self._follow()
        if self._connection is None and (path := generations.current(self.folder)):
            self._frozen = recovery.unwritable(self.folder) and not path.with_name(path.name + "-wal").exists()
            self._open(path)
        return self._view(self._connection or self._nothing())

    def writing(self) -> View:
        """A view of the file, which is created where there is none; this process is entered as one that writes."""
        self._follow()
        if self._frozen:
            self._drop_connection()
        if self._connection is None:
            self._open(generations.current(self.folder) or self._create())
        view = self._view(self._connection)
        if not self._writes:
            self._enter(view)
        return self._view(self._connection)

    def retention_due(self) -> bool:
        """Whether what is too old should be dropped now: at the start, then every six hours."""
        if not self._settings.retention_days or time.monotonic() < self._retained:
            return False
        self._retained = time.monotonic() + RETENTION_EVERY
        return True

    def close(self) -> None:
        """End cleanly: what this process left unfinished is marked, its entry goes, the lock after it."""
        self._follow()
        if self._connection is not None:
            if self._writes:
                with transaction(self._connection):
                    recovery.leave(self._connection, self._mark.process)
            self._drop_connection()
        if self._empty is not None:
            self._empty.close()
            self._empty = None
        self._mark.release()

    def set_aside(self, error: BaseException) -> None:
        """Move the damaged file away under a dated name and leave a notice, unless another process has done so."""
        seen = self._opened
        self._drop_connection()
        with locks.exclusive(self.folder / LOCK):
            if seen is not None and _identity(self._path) == seen:
                recovery.set_aside(self.folder, self._path, error)

    def _view(self, connection: sqlite3.Connection | None) -> View:
        assert connection is not None
        process = self._mark.process if self._writes else ""
        return View(connection, self.folder, process, self._settings, self._files)

    def _follow(self) -> None:
        """Let go of a file that is no longer the one under its name: set aside by another process, moved, deleted."""
        if self._connection is not None and _identity(self._path) != self._opened:
            self._drop_connection()

    def _drop_connection(self) -> None:
        connection, self._connection = self._connection, None
        self._opened = None
        self._writes = self._frozen = False
        if connection is not None:
            connection.close()

    def _nothing(self) -> sqlite3.Connection:
        if self._empty is None:
            self._empty = sqlite3.connect(":memory:", isolation_level=None)
            self._empty.create_function("casefold", 1, str.casefold, deterministic=True)
            migrations.create(self._empty)
        return self._empty

    def _create(self) -> Path:
        """Build the file under another name and rename it, so that nobody ever sees half of one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with locks.exclusive(self.folder / LOCK):
            if path := generations.current(self.folder):
                return path
            path = generations.following(self.folder)
            draft = self.folder / f"{path.name}.{self._mark.process}"
            connection = sqlite3.connect(draft, isolation_level=None)
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                migrations.create(connection)
            finally:
                connection.close()
            for sidecar in recovery.SIDECARS:
                # The log of a file that somebody deleted would be played into this one.
                path.with_name(path.name + sidecar).unlink(missing_ok=True)
            draft.replace(path)
            return path

    def _open(self, path: Path) -> None:
        # Kept when opening fails: `set_aside` moves the file that was found damaged, never one that replaced it.
        self._path, self._opened = path, _identity(path)
        connection = _connect(path, FROZEN if self._frozen else SHARED)
        try:
            if not migrations.check(connection):
                with locks.exclusive(self.folder / LOCK):
                    migrations.upgrade(connection)
            if self._unclean(connection):
                (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
                if found != "ok":
                    raise Damaged(str(found))
        except BaseException:
            connection.close()
            raise
        self._connection = connection

    def _unclean(self, connection: sqlite3.Connection) -> bool:
        """Whether a process that wrote here ended without saying so."""
        rows = connection.execute("SELECT process FROM processes").fetchall()
        return any(not lives(self.folder, process) for (process,) in rows)

    def _enter(self, view: View) -> None:
        self._mark.hold()
        with transaction(view.connection):
            recovery.bury(view.connection, self.folder, self._mark.process)
            view.connection.execute(
                "INSERT OR REPLACE INTO processes VALUES (?, ?, ?)", (self._mark.process, os.getpid(), now())
            )
        self._writes = True


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing; waits for other processes' transactions."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
