"""Capitals in titles: MLA title case and the capital after a colon that APA asks for. Both work on marked text."""

import re
from functools import lru_cache

from vouched_citeformat.markup import MARKS

__all__ = ["all_caps", "subtitle_capitals", "title_case"]

# MLA 9 s2.90: articles, coordinating conjunctions, "to" and all prepositions, whatever their length.
_SMALL_WORDS = """
a an the and but for nor or so yet to about above across after against along alongside amid among amongst around as
at before behind below beneath beside besides between beyond by concerning considering despite during except
following from in inside into like near of off on onto out outside over per regarding since through throughout
toward towards under underneath unlike until upon versus vs vs. v via with within without et
"""
_SMALL = frozenset(_SMALL_WORDS.split())
# Inside a compound only these stay small: `State-of-the-Art`, but `Follow-Up`.
_SMALL_PART = frozenset(
    ["a", "an", "the", "and", "but", "nor", "or", "of", "in", "to", "for", "by", "on", "at", "et", "vs"]
)
_DASHES = frozenset(("-", "\u2013", "\u2014", "--"))
_LEAD = re.compile(rf"^[^\w{MARKS}]*[{MARKS}]*[^\w{MARKS}]*", re.UNICODE)
_PART = re.compile(r"([-/\u2010\u2011\u2013\u2014])")
_CLOSING = ".,;:!?\"'\u201d\u2019)]" + MARKS
_OWN_CASE = re.compile(r"[\d_\u0370-\u03ff]")
_LETTER = re.compile(r"[^\W\d_]")
_ANY_MARK = re.compile(f"[{MARKS}]")
_ENDS = re.compile(rf"[:?!.\u2014\u2013][\"'\u201d\u2019)\]{MARKS}]*$")
_AFTER = re.compile(
    rf"([:?!\u2014][\"'\u201d\u2019)\]{MARKS}]*\s+[{MARKS}\"'\u201c\u2018(\[]*)([a-z\u00df-\u00f6\u00f8-\u00ff][^\W\d_]*)(?=[\s,;:.?!'\u2019\")\]\u201d-]|$)"
)


def all_caps(text: str) -> bool:
    """Whether a title stands in capitals throughout: its proper case cannot be recovered."""
    letters = sum(map(str.isalpha, text))
    return letters > 10 and sum(map(str.isupper, text)) >= 0.9 * letters


@lru_cache(maxsize=4096)
def title_case(text: str) -> str:
    """MLA 9 s2.90: capitals for the first, the last and all principal words; the word after a colon, dash, stop or `?`.

    Words with a digit, an inner capital or markup inside stay as they are (mTOR, p53, SnO2), Greek letters too; a title
    in capitals throughout stays.
    """
    if all_caps(text):
        return text
    words = text.split(" ")
    last = next((n for n in range(len(words) - 1, -1, -1) if _LETTER.search(words[n])), 0)
    begins = True
    for n, word in enumerate(words):
        if word:
            words[n] = _word(word, begins or n == last)
            begins = not word[-1].isalnum() and (_ENDS.search(word) is not None or word in _DASHES)
    return " ".join(words)


@lru_cache(maxsize=16384)
def _word(word: str, principal: bool) -> str:
    if word.isascii() and word.isalpha():
        small = not principal and word.lower() in _SMALL and _capital_only_first(word)
        return word.lower() if small else word[0].upper() + word[1:] if word.islower() else word
    lead = _LEAD.match(word)
    start = lead.end() if lead else 0
    core = word[start:]
    if principal is False and core.rstrip(_CLOSING).lower() in _SMALL and _capital_only_first(core):
        return word[:start] + core.lower()
    parts = _PART.split(core)
    if len(parts) == 1:
        return word[:start] + _capital(core)
    dash = "\u2014" in parts or "\u2013" in parts
    return word[:start] + "".join(
        part if n % 2 else _compound_part(part, first=n == 0, spaced=dash and n > 0 and parts[n - 1] in "\u2013\u2014")
        for n, part in enumerate(parts)
    )


def _compound_part(part: str, *, first: bool, spaced: bool) -> str:
    bare = part.strip(_CLOSING + "([").lower()
    if not first and bare in (_SMALL if spaced else _SMALL_PART) and _capital_only_first(part):
        return part.lower()
    return _capital(part)


def _capital_only_first(word: str) -> bool:
    # `A.` is somebody's initial, not an article.
    return not (len(word) > 1 and word[0].isupper() and word[1] == ".") and _plain(word)


def _plain(word: str) -> bool:
    return word[1:].islower() or len(word) == 1 or not any(c.isalpha() for c in word[1:])


def _capital(word: str) -> str:
    """First letter in upper case, unless the word carries its own case: digits, Greek, capitals or markup."""
    found = _LETTER.search(word)
    if found is None or _OWN_CASE.search(word):
        return word
    at = found.start()
    rest = word[at:]
    inside = _ANY_MARK.search(rest.rstrip(_CLOSING))
    if rest.lower() != rest or inside or (at and word[at - 1] in "\\'\u2019"):
        return word
    return word[:at] + rest[0].upper() + rest[1:]


@lru_cache(maxsize=4096)
def subtitle_capitals(text: str) -> str:
    """APA 7 s6.17: the first word after a colon, a dash or the end of a question has a capital.

    Only a plain lower-case word of at least two letters: `mTOR`, `p53` and the `p` of `p-value` stay.
    """
    return _AFTER.sub(_capital_after, text)


def _capital_after(found: re.Match[str]) -> str:
    word = found[2]
    plain = word.islower() and (len(word) > 1 or word == "a")
    return found[1] + (word[0].upper() + word[1:] if plain else word)
