"""Validated answers, kept as long as their source allows: one SQLite file, bounded, least recently used out first."""

import hashlib
import logging
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import msgspec

from vouched.remote import Response
from vouched.services.slots import open_wal
from vouched.services.worker import Worker

__all__ = ["Cache", "Kept"]

T = TypeVar("T")
BUSY_SECONDS = 1.0
# A clock that was set back must not keep answers alive for ever.
AHEAD_SECONDS = 1.0
VERSION = 1
SCHEMA = """
CREATE TABLE IF NOT EXISTS answer (
    key TEXT PRIMARY KEY, used REAL NOT NULL, size INTEGER NOT NULL, stored REAL NOT NULL,
    head BLOB NOT NULL, body BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS answer_used ON answer (used, size);
"""
log = logging.getLogger("vouched.cache")


class Kept(msgspec.Struct, frozen=True):
    """A kept answer: the response, the sha256 of its raw body, and when it came (UTC, ISO 8601)."""

    response: Response
    sha256: str
    retrieved_at: str


class Cache:
    """The answers of one data folder, for all its processes. Never fails: what cannot be had was not kept.

    Args:
        path: of the file. max_bytes: of the compressed bodies together.
    """

    def __init__(self, path: Path, max_bytes: int) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._worker = Worker("vouched-cache")
        self._db: sqlite3.Connection | None = None
        self.trouble = ""

    async def get(self, key: str, ttl: float) -> Kept | None:
        """The answer under `key` if it is no older than `ttl` seconds."""
        return await self._worker.run(self._guarded, lambda db: self._get(db, key, ttl))

    async def put(self, key: str, kept: Kept) -> None:
        """Keep an answer, replacing an older one, and let the least recently used go until the bound holds."""
        await self._worker.run(self._guarded, lambda db: self._put(db, key, kept))

    async def drop(self, key: str) -> None:
        """Forget an answer."""
        await self._worker.run(self._guarded, lambda db: db.execute("DELETE FROM answer WHERE key = ?", (key,)))

    async def close(self) -> None:
        await self._worker.close(self._close)

    def _guarded(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """Run `work`; a damaged file is dropped and made anew once, other trouble is noted and passed over."""
        for again in (True, False):
            try:
                return work(self._opened())
            except (sqlite3.Error, OSError) as error:
                self.trouble = f"{type(error).__name__}: {error}"
                log.warning("the cache cannot be used (%s)", error)
                self._close()
                if not again or not _is_damage(error) or not self._removed():
                    return None
        return None

    def _get(self, db: sqlite3.Connection, key: str, ttl: float) -> Kept | None:
        row = db.execute("SELECT stored, head, body FROM answer WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        now = time.time()
        kept = _unpacked(row[1], row[2]) if now - ttl < row[0] <= now + AHEAD_SECONDS else None
        if kept is None:
            db.execute("DELETE FROM answer WHERE key = ?", (key,))
        else:
            db.execute("UPDATE answer SET used = ? WHERE key = ?", (now, key))
        return kept

    def _put(self, db: sqlite3.Connection, key: str, kept: Kept) -> None:
        body = zlib.compress(kept.response.body, 1)
        if len(body) > self._max_bytes:
            return
        response = msgspec.structs.replace(kept.response, body=b"")
        head = msgspec.msgpack.encode(msgspec.structs.replace(kept, response=response))
        now = time.time()
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?, ?)", (key, now, len(body), now, head, body))
        self._evict(db)
        db.execute("COMMIT")
        db.execute("PRAGMA incremental_vacuum")

    def _evict(self, db: sqlite3.Connection) -> None:
        (total,) = db.execute("SELECT coalesce(sum(size), 0) FROM answer").fetchone()
        over = total - self._max_bytes
        if over <= 0:
            return
        oldest: Iterable[tuple[int, int]] = db.execute("SELECT rowid, size FROM answer ORDER BY used").fetchall()
        for rowid, size in oldest:
            db.execute("DELETE FROM answer WHERE rowid = ?", (rowid,))
            over -= size
            if over <= 0:
                return

    def _opened(self) -> sqlite3.Connection:
        if self._db is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            db = sqlite3.connect(self._path, timeout=BUSY_SECONDS, isolation_level=None)
            try:
                # Before the first table, so that the file can shrink when answers go.
                db.execute("PRAGMA auto_vacuum = INCREMENTAL")
                open_wal(db)
                (version,) = db.execute("PRAGMA user_version").fetchone()
                if version not in (0, VERSION):
                    raise sqlite3.DatabaseError(f"written by another version ({version})")
                db.executescript(SCHEMA)
                db.execute(f"PRAGMA user_version = {VERSION}")
            except BaseException:
                db.close()
                raise
            self._db = db
        return self._db

    def _removed(self) -> bool:
        try:
            for suffix in ("", "-wal", "-shm"):
                Path(f"{self._path}{suffix}").unlink(missing_ok=True)
        except OSError as error:
            log.warning("the damaged cache cannot be removed (%s)", error)
            return False
        return True

    def _close(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None


def _is_damage(error: Exception) -> bool:
    # sqlite3 reports a lock, a full disk or a missing folder by a subclass, a damaged file by the class itself.
    return type(error) is sqlite3.DatabaseError


def _unpacked(head: bytes, body: bytes) -> Kept | None:
    """The kept answer, None where its bytes are not what they were."""
    try:
        kept = msgspec.msgpack.decode(head, type=Kept)
        plain = zlib.decompress(body)
    except (msgspec.MsgspecError, zlib.error):
        return None
    if hashlib.sha256(plain).hexdigest() != kept.sha256:
        return None
    return msgspec.structs.replace(kept, response=msgspec.structs.replace(kept.response, body=plain))
