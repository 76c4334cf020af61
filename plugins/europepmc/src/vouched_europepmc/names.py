"""Names that callers give of types, sections, providers and databases: case, spacing and plural do not matter."""

import re
from collections.abc import Iterable, Sequence

import msgspec

__all__ = ["Wanted", "folded", "is_part", "listed"]

_APART = re.compile(r"[\s_/&,\-]+")


def folded(name: str) -> str:
    """`Gene_Proteins`, "gene protein" and "Genes/Proteins" alike."""
    return " ".join(_singular(word) for word in _APART.split(name.casefold()) if word not in ("", "and"))


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies") and word != "species":
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def is_part(name: str, path: str) -> bool:
    """Whether a name is part of a section's path."""
    plain = " ".join(name.casefold().split())
    return bool(plain) and (plain in path.casefold() or f" {folded(name)} " in f" {folded(path)} ")


class Wanted(msgspec.Struct, frozen=True):
    """A filter by name: what was asked, and the folded names; nothing asked lets everything pass."""

    asked: Sequence[str]
    names: frozenset[str]

    @classmethod
    def of(cls, asked: Iterable[str] | None) -> "Wanted":
        """Of the caller's list; blank elements do not count."""
        given = [" ".join(name.split()) for name in asked or () if name.strip()]
        return cls(given, frozenset(map(folded, given)))

    def passes(self, value: str) -> bool:
        """Whether a value has one of the names."""
        return not self.names or folded(value) in self.names

    def unknown(self, values: Iterable[str]) -> list[str]:
        """What was asked, as the caller wrote it, and none of the values is called."""
        there = set(map(folded, values))
        return [name for name in self.asked if folded(name) not in there]


def listed(values: Iterable[str], most: int = 20) -> str:
    """ "A, B and 3 more", each once, in order."""
    names = list(dict.fromkeys(values))
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
