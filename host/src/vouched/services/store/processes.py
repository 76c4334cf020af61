"""Which processes that wrote to the store still live.

Each holds a lock on a file of its own for as long as it has the store open. Process numbers would not do: they are
given again, and on Windows asking for one can end it.
"""

import contextlib
import os
import secrets
from pathlib import Path

from vouched.services.store import locks

__all__ = ["Mark", "lives"]

FOLDER = "processes"


class Mark:
    """This process's own lock, held from the first write to the end."""

    def __init__(self, folder: Path) -> None:
        self.process = secrets.token_hex(16)
        self._path = folder / FOLDER / f"{self.process}.lock"
        self._handle: int | None = None
        self._made = False

    def hold(self) -> None:
        """Take it; before the process is entered in the database, so that nobody finds the entry without the lock."""
        if self._handle is not None and not self._stands():
            # The data folder was moved or deleted: nobody who looks under this name finds the lock.
            locks.release(self._handle)
            self._handle = None
        if self._handle is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._made = True
            # A file system without locks leaves the file alone: others then take us for living, and never end our runs.
            with contextlib.suppress(OSError):
                self._handle = locks.take(self._path, create=True)

    def _stands(self) -> bool:
        assert self._handle is not None
        try:
            return os.path.samestat(self._path.stat(), os.fstat(self._handle))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Give it up; after the entry is gone."""
        if self._handle is not None:
            locks.release(self._handle)
            self._handle = None
        if self._made:
            self._path.unlink(missing_ok=True)


def lives(folder: Path, process: str) -> bool:
    """Whether `process` still holds its lock. In doubt it lives: a living process's runs are never ended by another."""
    try:
        handle = locks.take(folder / FOLDER / f"{process}.lock", create=False, shared=True)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    if handle is None:
        return True
    locks.release(handle)
    return False


def forget(folder: Path, process: str) -> None:
    """Remove what a dead process left."""
    with contextlib.suppress(OSError):
        (folder / FOLDER / f"{process}.lock").unlink(missing_ok=True)
