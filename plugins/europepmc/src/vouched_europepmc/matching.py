"""Terms in text: whole words, any case, but short words in capitals as they stand (`ALL` is not "all")."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from vouched.api import InvalidArgument

__all__ = ["MOST_ALTERNATIVES", "TermHit", "Terms", "read_terms", "too_short"]

MOST_ALTERNATIVES = 8
# Up to this many letters a word in capitals is an abbreviation.
SHORT = 4
SHORTEST = 2
_DASHES = "-\u2010\u2011\u2012\u2013\u2212"


class TermHit(msgspec.Struct, frozen=True):
    """One occurrence: offsets in the text searched, and the alternative that matched, as the caller wrote it."""

    start: int
    end: int
    term: str


class Terms:
    """The alternatives of one role, ready to search with.

    Args:
        role: subject or object, for messages.
        alternatives: up to eight spellings; equal ones count once.
    """

    def __init__(self, role: str, alternatives: Sequence[str]) -> None:
        cleaned = [" ".join(unicodedata.normalize("NFC", text).split()) for text in alternatives]
        self.role = role
        distinct: dict[str, str] = {}
        for text in cleaned:
            distinct.setdefault(text.casefold(), text)
        self.alternatives = list(distinct.values())
        if not all(cleaned) or len(self.alternatives) > MOST_ALTERNATIVES:
            raise InvalidArgument(
                f"`terms.{role}` needs one to {MOST_ALTERNATIVES} alternatives, none of them empty.",
                path=f"terms.{role}",
                example='["fictol", "FCT-1"]',
            )
        # Longer ones first: "tumor necrosis factor alpha" before "tumor necrosis factor".
        ordered = sorted(self.alternatives, key=len, reverse=True)
        groups = "|".join(f"({_pattern(text)})" for text in ordered)
        self._ordered = ordered
        self._search = re.compile(rf"(?<![^\W_])(?:{groups})(?![^\W_])", re.IGNORECASE)
        # Most passages hold no term at all: a plain substring says so faster than the pattern.
        self._cores = [_core(text) for text in ordered]

    def _may_hold(self, text: str) -> bool:
        lowered = text.lower()
        return any(core in lowered for core in self._cores)

    def hits(self, text: str) -> list[TermHit]:
        """Every occurrence, left to right, none overlapping."""
        if not self._may_hold(text):
            return []
        return [TermHit(m.start(), m.end(), self._ordered[(m.lastindex or 1) - 1]) for m in self._search.finditer(text)]

    def found_in(self, text: str) -> bool:
        """Whether it occurs at all."""
        return self._may_hold(text) and self._search.search(text) is not None


def _core(text: str) -> str:
    """The longest run of plain letters and digits: it stands in every occurrence, however that is written."""
    return max(re.findall(r"[a-z0-9]+", text.lower()), key=len, default="")


def _pattern(text: str) -> str:
    exact = len(text) <= SHORT and text.isascii() and text.isalpha() and text.isupper()
    composed, decomposed = (_escaped(unicodedata.normalize(form, text)) for form in ("NFC", "NFD"))
    either = composed if composed == decomposed else f"{composed}|{decomposed}"
    return f"(?-i:{either})" if exact else either


def _escaped(text: str) -> str:
    """White space matches any white space, a hyphen any dash."""
    parts = [rf"[{_DASHES}]" if c in _DASHES else r"\s+" if c.isspace() else re.escape(c) for c in text]
    return "".join(parts)


def read_terms(terms: Mapping[str, Sequence[str] | None]) -> list[Terms]:
    """The roles that were given, subject first. A role with an empty list is refused: its rows would say of one thing
    what was asked of two."""
    for role, alternatives in terms.items():
        if alternatives is not None and not any(text.strip() for text in alternatives):
            raise InvalidArgument(
                f"`terms.{role}` is an empty list.",
                path=f"terms.{role}",
                expected=f"one to {MOST_ALTERNATIVES} spellings, or no `{role}` at all",
                hint="Leave the role out to look for the other one alone.",
                example='{"subject": ["fictol"]}',
            )
    roles = [Terms(role, given) for role in ("subject", "object") if (given := terms.get(role))]
    if not roles:
        raise InvalidArgument(
            "`terms` names nothing to look for.",
            path="terms",
            expected="subject and/or object, each one to eight spellings",
            example='{"subject": ["fictol"], "object": ["glimmer syndrome"]}',
        )
    return roles


def too_short(roles: Iterable[Terms]) -> list[str]:
    """Alternatives of one letter or digit: they match initials, units and list marks ("vitamin A", "a", "Fig. 1 a")."""
    return [text for role in roles for text in role.alternatives if sum(map(str.isalnum, text)) < SHORTEST]
