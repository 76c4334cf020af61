"""Faults of citeproc-py that show only in the finished text, mended there."""

import re

from vouched_citeformat.markup import MARKS

__all__ = ["polished"]

_QUOTE_POINT = re.compile(rf"([{MARKS}]*[\u201d\u2019][{MARKS}]*)([.,])")
_DOUBLED = re.compile(rf"([?!.])([\u201d\u2019\"'{MARKS}]*)\.")
_SPACES = re.compile(r" {2,}")
_COMMAS = re.compile(r",(\s*,)+")
_GAP = re.compile(rf" +([,.;:])(?=[\s{MARKS}]|$)")


def polished(text: str, *, punctuation_in_quote: bool) -> str:
    """Faults in the finished text: `”.` where the language puts the point inside, `?.` after a title that asks,
    quotation marks inside quotation marks not turned, doubled spaces and commas, and a space before a comma."""
    text = _COMMAS.sub(",", _GAP.sub(r"\1", _SPACES.sub(" ", text))).strip()
    if punctuation_in_quote:
        text = _QUOTE_POINT.sub(r"\2\1", text)
    return _turned(_DOUBLED.sub(r"\1\2", text))


def _turned(text: str) -> str:
    """Double quotation marks inside double ones become single."""
    if text.count("\u201c") < 2:
        return text
    out: list[str] = []
    depth = 0
    for char in text:
        if char == "\u201c":
            depth += 1
            char = char if depth == 1 else "\u2018"
        elif char == "\u201d" and depth:
            char = char if depth == 1 else "\u2019"
            depth -= 1
        out.append(char)
    return "".join(out)
