"""Validated answers, kept as long as their source allows: one SQLite file, bounded, least recently used out first."""

import hashlib
import logging
import sqlite3
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec

from vouched.remote import Response
from vouched.services.scratch import UNUSABLE, Scratch
from vouched.services.sealed import Seal
from vouched.services.store.failures import Damaged
from vouched.services.worker import Worker

__all__ = ["Cache", "Kept"]

T = TypeVar("T")
BUSY_SECONDS = 1.0
# A clock that was set back must not keep answers alive for ever.
AHEAD_SECONDS = 1.0
# Answers dropped, and pages given back, in one go.
AT_ONCE, VACUUMED = 8, 512
VERSION = 2
SCHEMA = """
CREATE TABLE IF NOT EXISTS answer (
    key TEXT PRIMARY KEY, used REAL NOT NULL, stored REAL NOT NULL, head BLOB NOT NULL, body BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS answer_used ON answer (used);
"""
EVICT = "DELETE FROM answer WHERE rowid IN (SELECT rowid FROM answer ORDER BY used LIMIT ?)"
log = logging.getLogger("vouched.cache")


class Kept(msgspec.Struct, frozen=True):
    """A kept answer: the response, the sha256 of its raw body, and when it came (UTC, ISO 8601)."""

    response: Response
    sha256: str
    retrieved_at: str


class Cache:
    """The answers of one data folder, for all its processes. Never fails: what cannot be had was not kept.

    Args:
        path: of the file. max_bytes: of the file, but for its log. seal: keeps secrets out of it.

    Attributes:
        trouble: why it could not be used when it was needed last, "" where it could.
    """

    def __init__(self, path: Path, max_bytes: int, seal: Seal | None = None) -> None:
        self._max_bytes = max_bytes
        self._seal = seal or Seal()
        self._file = Scratch(path, BUSY_SECONDS, _prepare)
        self._worker = Worker("vouched-cache")
        self.trouble = ""

    async def get(self, key: str, ttl: float) -> Kept | None:
        """The answer under `key` if it is no older than `ttl` seconds."""
        name = self._name(key)
        return await self._worker.run(self._guarded, lambda db: _get(db, name, ttl, self._seal))

    async def put(self, key: str, kept: Kept) -> None:
        """Keep an answer, replacing an older one, and let the least recently used go until the bound holds."""
        # In the worker: a large set takes tens of milliseconds, in which nothing else could be answered.
        body = await self._worker.run(lambda: zlib.compress(self._seal.close(kept.response.body), 1))
        if len(body) <= self._max_bytes:
            name = self._name(key)
            await self._worker.run(self._guarded, lambda db: self._put(db, name, kept, body), writes=True)
            await self._worker.run(self._guarded, _shrink)

    async def drop(self, key: str) -> None:
        """Forget an answer."""
        name = self._name(key)
        await self._worker.run(self._guarded, lambda db: _drop(db, name))

    async def close(self) -> None:
        await self._worker.close(self._file.close)

    def _name(self, key: str) -> str:
        """What was asked may hold a secret, too: a search for one's own address."""
        return self._seal.close(key.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")

    def _guarded(self, work: Callable[[sqlite3.Connection], T], *, writes: bool = False) -> T | None:
        """Run `work`; trouble is noted and passed over."""
        try:
            done = self._file.use(work, writes=writes)
        except UNUSABLE as error:
            if not self.trouble:
                log.warning("the cache cannot be used (%s)", error)
            self.trouble = f"{type(error).__name__}: {error}"
            return None
        self.trouble = ""
        return done

    def _put(self, db: sqlite3.Connection, key: str, kept: Kept, body: bytes) -> None:
        response = msgspec.structs.replace(kept.response, body=b"")
        head = msgspec.msgpack.encode(msgspec.structs.replace(kept, response=response))
        now = time.time()
        db.execute("INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?)", (key, now, now, head, body))
        while _size(db) > self._max_bytes:
            if not db.execute(EVICT, (AT_ONCE,)).rowcount:
                break


def _prepare(db: sqlite3.Connection) -> None:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version not in (0, VERSION):
        raise Damaged(f"written by another version ({version})")
    db.executescript(SCHEMA)
    db.execute(f"PRAGMA user_version = {VERSION}")


def _get(db: sqlite3.Connection, key: str, ttl: float, seal: Seal) -> Kept | None:
    row = db.execute("SELECT stored, head, body FROM answer WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    now = time.time()
    kept = _unpacked(row[1], row[2], seal) if now - ttl < row[0] <= now + AHEAD_SECONDS else None
    if kept is None:
        _drop(db, key)
    else:
        db.execute("UPDATE answer SET used = ? WHERE key = ?", (now, key))
    return kept


def _drop(db: sqlite3.Connection, key: str) -> None:
    db.execute("DELETE FROM answer WHERE key = ?", (key,))


def _size(db: sqlite3.Connection) -> int:
    """Bytes of the pages in use, at the same cost however many answers there are."""
    pages, unused, bytes_ = (
        db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - unused) * bytes_)


def _shrink(db: sqlite3.Connection) -> None:
    """Give unused pages back, some at a time. A script, since `execute` would do one step of it, which is one page."""
    db.executescript(f"PRAGMA incremental_vacuum({VACUUMED})")


def _unpacked(head: bytes, body: bytes, seal: Seal) -> Kept | None:
    """The kept answer, None where its bytes are not what they were, as when a secret in them has changed since."""
    try:
        kept = msgspec.msgpack.decode(head, type=Kept)
        plain = seal.open(zlib.decompress(body))
    except (msgspec.MsgspecError, zlib.error):
        return None
    if hashlib.sha256(plain).hexdigest() != kept.sha256:
        return None
    return msgspec.structs.replace(kept, response=msgspec.structs.replace(kept.response, body=plain))
