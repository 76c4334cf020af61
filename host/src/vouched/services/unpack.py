"""Undoes the content encoding of a body while it comes, never into more than is wanted."""

import zlib

__all__ = ["Unpacker"]

GZIP = ("gzip", "x-gzip")
# Either form by its first bytes; the bare stream that some servers call deflate.
BY_HEADER, BARE = 47, -15


class Unpacker:
    """Takes pieces, gives what they stand for.

    Args:
        encoding: the Content-Encoding header. most: bytes wanted; one more is given at most, to show that there are.

    Attributes:
        ended: whether the body is over, whatever else may come.
    """

    def __init__(self, encoding: str, most: int) -> None:
        self._encoding = encoding.strip().lower()
        self._left = most + 1
        self._zlib = zlib.decompressobj(BY_HEADER) if self._encoding in (*GZIP, "deflate") else None
        self._begun = False
        self.ended = False

    @property
    def whole(self) -> bool:
        """Whether the body could end here."""
        return self._zlib is None or self._zlib.eof or not self._begun

    def __call__(self, piece: bytes) -> bytes:
        """What the next piece stands for.

        Raises:
            LookupError: for an encoding that is not known. zlib.error: where it is not what it is said to be.
        """
        if self._zlib is None:
            if self._encoding not in ("", "identity"):
                raise LookupError(self._encoding)
            return piece
        if not self._begun and self._encoding == "deflate" and piece and piece[0] & 0x0F != 8:
            # "deflate" means a zlib stream; some servers send the bare one.
            self._zlib = zlib.decompressobj(BARE)
        self._begun = self._begun or bool(piece)
        parts: list[bytes] = []
        while piece and not self.ended and self._left:
            parts.append(self._member(piece))
            piece = self._zlib.unused_data
        return b"".join(parts)

    def _member(self, piece: bytes) -> bytes:
        """What stands in one member of the stream; a gzip body may have several."""
        assert self._zlib is not None
        if self._zlib.eof:
            if self._encoding not in GZIP or piece[0] != 0x1F:
                # Padding, perhaps without end.
                self.ended = True
                return b""
            self._zlib = zlib.decompressobj(BY_HEADER)
        part = self._zlib.decompress(piece, self._left)
        self._left -= len(part)
        return part
