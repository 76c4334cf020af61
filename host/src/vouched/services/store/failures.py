"""What SQLite and the disk raise -> what callers may see: no path, no statement, a way out."""

import errno
import sqlite3

from vouched.faults import Fault, InternalFault, InvalidArgument, ProviderFailed

__all__ = ["Damaged", "is_damage", "translate"]


class Damaged(Exception):
    """The database file cannot be trusted; the text says what was found."""


def is_damage(error: BaseException) -> bool:
    """Whether the file itself is broken, as opposed to busy, full or not permitted."""
    if isinstance(error, Damaged):
        return True
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return isinstance(error, sqlite3.DatabaseError) and code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def translate(error: Exception) -> Fault:
    """The fault that stands for `error`; a fault stays itself."""
    if isinstance(error, Fault):
        return error
    if isinstance(error, UnicodeEncodeError | OverflowError):
        return InvalidArgument("This holds text or a number that cannot be stored (a lone surrogate, or too large).")
    if isinstance(error, sqlite3.Error):
        return _of_sqlite(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    if isinstance(error, OSError):
        return _of_disk(error)
    return InternalFault(f"The session store failed: {type(error).__name__}.", hint="Please report it.")


def _of_sqlite(code: int) -> Fault:
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return ProviderFailed(
            "The session store is busy with another process.", retryable=True, hint="Try again in a moment."
        )
    if code == sqlite3.SQLITE_FULL:
        return _full()
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR):
        return _unwritable()
    return ProviderFailed("The session store failed.", hint="`vouched doctor` looks for the cause.")


def _of_disk(error: OSError) -> Fault:
    full = error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
    return _full() if full else _unwritable()


def _full() -> Fault:
    return ProviderFailed(
        "The session store has no space left on its disk.", hint="Free some, or run `vouched session prune`."
    )


def _unwritable() -> Fault:
    return ProviderFailed(
        "The session store's folder cannot be read or written.",
        hint="Check the permissions of the data folder, or set VOUCHED_DATA to another one.",
    )
