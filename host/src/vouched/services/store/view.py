"""What the functions of the store work on."""

import sqlite3
from pathlib import Path

from vouched.services.store.files import Files
from vouched.services.store.processes import lives
from vouched.settings import SessionSettings

__all__ = ["View"]


class View:
    """An open database, as one process sees it.

    Attributes:
        connection; process: this process's name, "" while it has written nothing; settings; files: the kept bytes.
    """

    def __init__(
        self, connection: sqlite3.Connection, folder: Path, process: str, settings: SessionSettings, files: Files
    ) -> None:
        self.connection = connection
        self.folder = folder
        self.process = process
        self.settings = settings
        self.files = files

    def living(self) -> list[str]:
        """The processes whose unfinished runs may still finish."""
        rows = self.connection.execute("SELECT process FROM processes").fetchall()
        return [process for (process,) in rows if process == self.process or lives(self.folder, process)]
