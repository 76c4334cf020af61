"""After a bad end: unfinished runs of dead processes, and files that cannot be trusted."""

# ruff: noqa: S608 (statements are put together from constants of this module; values are always bound)

import contextlib
import os
import sqlite3
import tempfile
import time
from pathlib import Path

import msgspec

from vouched.faults import NotFound, ProviderFailed
from vouched.journal import StoreNotice
from vouched.names import check_id, now
from vouched.services.store import processes
from vouched.services.store.generations import current, set_aside_name
from vouched.services.store.schema import OPEN

__all__ = ["acknowledge", "bury", "leave", "notices", "set_aside", "unwritable"]

NOTICES = "notices"
NOTHING_KEPT = (
    "Nothing is kept: the data folder cannot be written. Runs, articles and files are gone when the call is over, and "
    "what was kept before cannot be changed. Check its permissions, or set VOUCHED_DATA to another folder."
)
SIDECARS = ("-wal", "-shm")


def bury(connection: sqlite3.Connection, folder: Path, own: str) -> None:
    """Mark the unfinished runs of processes that are gone, and forget those."""
    known = [process for (process,) in connection.execute("SELECT process FROM processes")]
    for process in known:
        if process != own and not processes.lives(folder, process):
            _interrupt(connection, process)
            connection.execute("DELETE FROM processes WHERE process = ?", (process,))
            processes.forget(folder, process)


def leave(connection: sqlite3.Connection, own: str) -> None:
    """The clean end of this process."""
    _interrupt(connection, own)
    connection.execute("DELETE FROM processes WHERE process = ?", (own,))


def _interrupt(connection: sqlite3.Connection, process: str) -> None:
    at, touched = now(), time.time()
    connection.execute(
        "INSERT INTO events (session, at, touched, kind, level, message, run_id)"
        " SELECT session, ?, ?, 'interrupted', 'warning', 'The run was unfinished when its process ended.', run_id"
        f" FROM runs WHERE process = ? AND status IN {OPEN}",
        (at, touched, process),
    )
    connection.execute(
        f"UPDATE runs SET status = 'interrupted', updated_at = ?, touched = ? WHERE process = ? AND status IN {OPEN}",
        (at, touched, process),
    )


def set_aside(folder: Path, path: Path, error: BaseException) -> None:
    """Rename the file and its sidecars, with a notice that stays until acknowledged."""
    notice_id, target = set_aside_name(path)
    text = (
        f"The session file was damaged ({str(error)[:200]}) and was set aside as {target.name} in the data folder. "
        "Runs and articles recorded before are not shown; kept files are still in the folder."
    )
    notice = folder / NOTICES / f"{notice_id}.json"
    notice.parent.mkdir(exist_ok=True)
    # The notice comes first: should this process die in between, better a notice too many than a file lost silently.
    notice.write_bytes(msgspec.json.encode(StoreNotice(notice_id, text, now())))
    try:
        path.replace(target)
    except PermissionError:
        notice.unlink()
        raise ProviderFailed(
            "The session file is damaged and another program has it open.",
            hint="Close other Vouched processes; the file is then set aside and a new one begun.",
        ) from None
    for suffix in SIDECARS:
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + suffix).replace(target.with_name(target.name + suffix))


def unwritable(folder: Path) -> bool:
    """Whether nothing can be written there, as far as can be told without changing anything."""
    file = current(folder)
    for place in (*([file] if file else ()), folder, *folder.parents):
        try:
            place.stat()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            return True
        if not os.access(place, os.W_OK):
            return True
        if place != file:
            return not place.is_dir() or (file is None and not _takes_files(place))
    return True


def _takes_files(folder: Path) -> bool:
    """Whether a file can be made there, by one without a name. Some file systems allow it and do not do it (/proc)."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def notices(folder: Path) -> list[StoreNotice]:
    """What nobody has acknowledged yet, oldest first; before them, that nothing can be kept at all."""
    found = [StoreNotice("", NOTHING_KEPT, now())] if unwritable(folder) else []
    for path in sorted((folder / NOTICES).glob("*.json")):
        try:
            found.append(msgspec.json.decode(path.read_bytes(), type=StoreNotice))
        except (OSError, msgspec.DecodeError):
            # Half a notice is a notice: somebody must look.
            found.append(StoreNotice(path.stem, "A notice of the session store cannot be read.", ""))
    return found


def acknowledge(folder: Path, notice_id: str) -> None:
    """The user has seen it."""
    try:
        (folder / NOTICES / f"{check_id('notice_id', notice_id)}.json").unlink()
    except FileNotFoundError:
        raise NotFound("There is no such notice.", hint="`vouched session list` shows the open ones.") from None
