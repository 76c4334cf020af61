"""Text as the emulated search engines compare it: lower case, no accents, words apart by one space."""

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")


def fold(text: str) -> str:
    """`Söderberg, C.` -> `soderberg c`."""
    plain = unicodedata.normalize("NFKD", text)
    return " ".join(_WORD.findall("".join(c for c in plain if not unicodedata.combining(c)).lower()))


def padded(*texts: str) -> str:
    """Folded text with a space at either end, so that ` word ` finds whole words only."""
    return f" {' | '.join(fold(text) for text in texts if text)} "


def holds(text: str, phrase: str) -> bool:
    """Does the padded text hold the phrase (folded here)? A final `*` truncates the last word."""
    stem = fold(phrase)
    if not stem:
        return False
    return f" {stem}" in text if phrase.rstrip().endswith("*") else f" {stem} " in text
