"""Bodies that hold a secret of the user's are kept without it: a mark stands in its place, and the settings fill it in.

Some services repeat key and e-mail address in what they answer, and a user's own papers name the address. Such a body
must keep its hash, or nobody could check it, while keys and addresses stand in no file.
"""

import re
from collections.abc import Mapping

__all__ = ["Seal"]

# NUL stands in no text, so no answer of a service looks like a mark by chance.
MARK = re.compile(rb"\x00<([A-Za-z0-9_]{1,100}):([0-9]{1,2})>\x00")


class Seal:
    """Takes secrets out of bodies and puts them in again.

    Args:
        forms: by the name of a secret, the forms in which it may stand in a body (as it is, percent-encoded, …).
    """

    def __init__(self, forms: Mapping[str, list[str]] | None = None) -> None:
        self._marks: dict[bytes, bytes] = {}
        self._values: dict[bytes, bytes] = {}
        for name, values in (forms or {}).items():
            for number, value in enumerate(values):
                mark = b"\x00<%s:%d>\x00" % (re.sub(r"\W", "_", name, flags=re.ASCII).encode(), number)
                self._values[mark] = value.encode()
                # Of two secrets with one value the first gives the name.
                self._marks.setdefault(value.encode(), mark)
        longest_first = sorted(self._marks, key=lambda value: (-len(value), value))
        self._any = re.compile(b"|".join(map(re.escape, longest_first)))

    def close(self, body: bytes) -> bytes:
        """`body` with a mark in the place of each secret."""
        if not any(value in body for value in self._marks):
            return body
        return self._any.sub(lambda found: self._marks[found[0]], body)

    def open(self, sealed: bytes) -> bytes:
        """The body again; a mark whose secret is not known stays."""
        if b"\x00<" not in sealed:
            return sealed
        return MARK.sub(lambda found: self._values.get(found[0], found[0]), sealed)

    @staticmethod
    def names(sealed: bytes) -> list[str]:
        """Whose marks stand in it."""
        return sorted({found[1].decode() for found in MARK.finditer(sealed)})
