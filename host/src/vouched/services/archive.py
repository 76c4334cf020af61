"""Raw bodies, kept once each under their own hash, compressed: what `vouched verify` reads again.

Keys and e-mail addresses of the user stand in no file: a body that holds one is kept with a mark in its place.
"""

import gzip
import hashlib
import os
import re
import tempfile
import zlib
from pathlib import Path

from vouched.services.redact import EMAIL
from vouched.services.sealed import Seal
from vouched.services.worker import Worker

__all__ = ["Archive"]

HASH = re.compile(r"[0-9a-f]{64}")
UNREADABLE = (OSError, EOFError, ValueError, zlib.error)


class Archive:
    """A folder of bodies: `ab/<sha256>.gz` by the first two digits of the hash of the raw body.

    Args:
        seal: takes secrets out, and puts them in again.
    """

    def __init__(self, folder: Path, seal: Seal | None = None) -> None:
        self._folder = folder
        self._seal = seal or Seal()
        self._worker = Worker("vouched-archive")

    async def keep(self, sha256: str, body: bytes) -> None:
        """Keep a body under its hash, once; one that was damaged since is replaced."""
        await self._worker.run(self._keep, sha256, body)

    async def body(self, sha256: str) -> bytes | None:
        """The body, None where it was not kept, is not any more what its name says, or lacks a secret."""
        return await self._worker.run(self._body, sha256)

    async def trouble(self, sha256: str) -> str:
        """Why there is no body of that hash, to follow "The body": "is not in the archive"."""
        return await self._worker.run(self._trouble, sha256)

    async def close(self) -> None:
        await self._worker.close(lambda: None)

    def _path(self, sha256: str) -> Path:
        if not HASH.fullmatch(sha256):
            raise ValueError("not a sha256")
        return self._folder / sha256[:2] / f"{sha256}.gz"

    def _keep(self, sha256: str, body: bytes) -> None:
        path = self._path(sha256)
        if self._body(sha256) is not None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                # No time in the header: the same body makes the same file.
                file.write(gzip.compress(self._seal.close(body), 6, mtime=0))
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def _body(self, sha256: str) -> bytes | None:
        try:
            body = self._seal.open(self._sealed(sha256))
        except UNREADABLE:
            return None
        return body if hashlib.sha256(body).hexdigest() == sha256 else None

    def _sealed(self, sha256: str) -> bytes:
        return gzip.decompress(self._path(sha256).read_bytes())

    def _trouble(self, sha256: str) -> str:
        try:
            names = self._seal.names(self._sealed(sha256))
        except FileNotFoundError:
            return "is not in the archive"
        except UNREADABLE:
            names = []
        if not names:
            return "in the archive is damaged: it cannot be read, or does not match its hash"
        told = " and ".join("your e-mail address" if name == EMAIL else name for name in names)
        return f"holds {told}, which is kept in no file: it can be checked only while the same is set as it was then"
