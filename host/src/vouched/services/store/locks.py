"""Advisory locks on files, the same on every system. The system drops them when their process ends, however it ends."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vouched.faults import ProviderFailed

__all__ = ["exclusive", "release", "take"]

PATIENCE = 30.0

if sys.platform == "win32":
    import msvcrt

    def _try(handle: int, shared: bool) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try(handle: int, shared: bool) -> None:
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def release(handle: int) -> None:
    """Give the lock up and close the file."""
    os.close(handle)


def take(path: Path, *, create: bool, shared: bool = False) -> int | None:
    """Lock the file at once and return its handle; None where somebody else holds it.

    Raises:
        FileNotFoundError: without `create`, for a file that is not there.
        OSError: where the file system has no locks.
    """
    handle = os.open(path, os.O_RDWR | (os.O_CREAT if create else 0) | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        _try(handle, shared)
    except (BlockingIOError, PermissionError):
        os.close(handle)
        return None
    except OSError:
        os.close(handle)
        raise
    return handle


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Wait for the file's lock and hold it. For rare, short work: creating, upgrading, setting aside."""
    until = time.monotonic() + PATIENCE
    while (handle := take(path, create=True)) is None:
        if time.monotonic() > until:
            raise ProviderFailed("The session store is being opened by another process.", retryable=True)
        time.sleep(0.02)
    try:
        yield
    finally:
        release(handle)
