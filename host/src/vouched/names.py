"""Ids, cursors, times and file names: what is accepted, and what is made."""

import re
import unicodedata
from datetime import UTC, datetime

from vouched.faults import InvalidArgument

__all__ = ["as_id", "check_id", "new_id", "now", "position", "safe_name", "text"]

ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
LONGEST_NAME = 120
# Most file systems take 255 bytes; what people put before or after a name needs some of them.
LONGEST_BYTES = 200
# Forbidden by Windows in file names; `;` and `,` are allowed but break the lists that people paste names into.
_FORBIDDEN = re.compile(r'[<>:"/\\|?*;,\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]')
_SUFFIX = re.compile(r"(.+)(\.[A-Za-z0-9]{1,12})", re.DOTALL)
_DEVICES = re.compile(r"(?:CON|PRN|AUX|NUL|CLOCK\$|CONIN\$|CONOUT\$|COM[0-9¹²³]|LPT[0-9¹²³])", re.IGNORECASE)


def now() -> str:
    """UTC, ISO 8601, to the millisecond: `2026-01-31T12:00:00.123Z`."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def new_id() -> str:
    """An id that nobody can guess: 80 random bits."""
    import secrets

    return secrets.token_hex(10)


def check_id(name: str, value: str) -> str:
    """`value`, when it may be an id. The fault never repeats what was sent."""
    if not isinstance(value, str) or not ID.fullmatch(value):
        raise InvalidArgument(
            f"This is no {name}.",
            path=name,
            expected="1 to 64 of A-Z a-z 0-9 _ -",
            hint="Copy the id from an answer of this server.",
        )
    return value


def as_id(text: str) -> str:
    """An id made of any text, the same for the same text: the text itself where it may be one."""
    if ID.fullmatch(text):
        return text
    import hashlib

    kept = re.sub(r"[^A-Za-z0-9_-]+", "-", text, flags=re.ASCII)[:47]
    return f"{kept}-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def position(cursor: str | None) -> int | None:
    """The row number in a store's page cursor."""
    if cursor is None:
        return None
    if not re.fullmatch(r"[0-9]{1,18}", cursor, re.ASCII):
        raise InvalidArgument("This is not a cursor of the session store.", path="cursor")
    return int(cursor)


def text(value: str) -> str:
    """`value` as it can be stored: lone surrogates, which no file can hold, become question marks."""
    return value.encode("utf-8", "replace").decode("utf-8")


def safe_name(name: str) -> str:
    """A file name that every system takes, at most 120 characters and 200 bytes; equal names only for equal originals.

    A name that had to change carries eight digits of the original's hash, so that `a:b` and `a?b` stay two.
    """
    kept = _FORBIDDEN.sub("_", unicodedata.normalize("NFC", text(name))).strip().strip(". ")
    found = _SUFFIX.fullmatch(kept)
    stem, suffix = (found[1], found[2]) if found else (kept, "")
    device = _DEVICES.fullmatch(kept.partition(".")[0].strip())
    if kept == name and kept and not device and len(kept) <= LONGEST_NAME and len(kept.encode()) <= LONGEST_BYTES:
        return kept
    import hashlib

    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    stem = f"_{stem}" if device or not stem else stem
    room = len(suffix) + len(digest) + 1
    stem = stem[: LONGEST_NAME - room].encode()[: LONGEST_BYTES - room].decode(errors="ignore").rstrip(". ")
    return f"{stem}-{digest}{suffix}"
