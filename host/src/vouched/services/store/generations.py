"""Which file is the store's. A damaged one is renamed, and the next gets a name that was never used.

SQLite deletes `NAME-wal` by its name when the last connection to a file closes. A process that still had the damaged
file open would so take away the log of a new file of the same name, and with it what others had committed.
"""

import re
from datetime import UTC, datetime
from pathlib import Path

__all__ = ["current", "following", "set_aside_name"]

_FILE = re.compile(r"sessions(?:-([0-9]{1,6}))?(\.damaged-[A-Za-z0-9-]+)?\.sqlite3", re.ASCII)


def _generations(folder: Path) -> list[tuple[int, bool, Path]]:
    """(number, whether it was set aside, path) of every file of the store."""
    found: list[tuple[int, bool, Path]] = []
    for path in folder.glob("sessions*.sqlite3"):
        if named := _FILE.fullmatch(path.name):
            found.append((int(named[1] or 1), named[2] is not None, path))
    return found


def current(folder: Path) -> Path | None:
    """The store's file, None where there is none."""
    living = [(number, path) for number, aside, path in _generations(folder) if not aside]
    return max(living)[1] if living else None


def following(folder: Path) -> Path:
    """The name of the file to create."""
    number = 1 + max((number for number, _, _ in _generations(folder)), default=0)
    return folder / ("sessions.sqlite3" if number == 1 else f"sessions-{number}.sqlite3")


def set_aside_name(path: Path) -> tuple[str, Path]:
    """(id of the notice, name of the damaged file), dated."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    generation = path.stem.removeprefix("sessions")
    return f"damaged-{stamp}{generation}", path.with_name(f"{path.stem}.damaged-{stamp}{path.suffix}")
