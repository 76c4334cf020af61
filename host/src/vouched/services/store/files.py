"""The bytes of kept files, named by their hash, under the data folder."""

import hashlib
import os
import re
import stat
from pathlib import Path

from vouched.faults import InternalFault, NotFound
from vouched.names import new_id

__all__ = ["Files"]

FOLDER = "artifacts"
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


class Files:
    """The folder of bytes. A path is made of a hash only, never of anything that a caller sent."""

    def __init__(self, folder: Path) -> None:
        self._root = folder / FOLDER

    def _path(self, digest: str) -> Path:
        if not _DIGEST.fullmatch(digest):
            raise InternalFault("The manifest of this artifact is damaged.")
        return self._root / digest[:2] / digest

    def put(self, content: bytes) -> str:
        """Keep the bytes; their hash."""
        digest = hashlib.sha256(content).hexdigest()
        self.write(digest, content)
        return digest

    def write(self, digest: str, content: bytes) -> None:
        """Put the bytes down whole or not at all; once for equal bytes, and anew where they were changed since."""
        path = self._path(digest)
        if self._is_plain(path) and self._holds(path, content):
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        if not self._is_own(path):
            raise InternalFault("A link stands in the folder of kept files; nothing is written through it.")
        draft = path.with_name(f"{digest}.{new_id()}")
        try:
            with draft.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)

    def read(self, digest: str, size: int) -> bytes:
        """The bytes, checked.

        Raises:
            NotFound: they are gone, or something else stands in their place.
            InternalFault: they are not what was kept.
        """
        path = self._path(digest)
        if not self._is_plain(path):
            raise NotFound("The file of this artifact is gone.", hint="Run the tool that made it again.")
        content = self._content(path, size)
        if hashlib.sha256(content).hexdigest() != digest:
            raise InternalFault(
                "The file of this artifact was changed since it was kept: its sha256 does not match.",
                hint="Run the tool that made it again.",
            )
        return content

    def path(self, digest: str) -> str:
        """Where the bytes are, "" where they are not."""
        path = self._path(digest)
        return str(path) if self._is_plain(path) else ""

    def remove(self, digest: str) -> None:
        """Delete the bytes."""
        self._path(digest).unlink(missing_ok=True)

    def _holds(self, path: Path, content: bytes) -> bool:
        try:
            return self._content(path, len(content)) == content
        except OSError:
            return False

    def _content(self, path: Path, size: int) -> bytes:
        """What lies there; one byte more than there should be shows that it grew, without reading all of that."""
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with open(os.open(path, flags), "rb") as file:  # noqa: PTH123 (a descriptor, opened without following links)
            return file.read(size + 1)

    def _is_own(self, path: Path) -> bool:
        """Whether the folder of `path` really lies in the store: no link between the data folder and it."""
        try:
            return all(stat.S_ISDIR(folder.lstat().st_mode) for folder in (self._root, path.parent))
        except (FileNotFoundError, NotADirectoryError):
            return False

    def _is_plain(self, path: Path) -> bool:
        try:
            return self._is_own(path) and stat.S_ISREG(path.lstat().st_mode)
        except FileNotFoundError:
            return False
