"""Inline markup inside a citation, and how each output writes it.

While a citation is built, italics, bold, sub- and superscript and links are single private characters, so that building
is plain string work; `finish` turns them into what the output needs and escapes everything else, once.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from html import escape
from typing import Literal

from vouched.api import clean

__all__ = [
    "MARKS",
    "Markup",
    "dashes",
    "end_with_stop",
    "finish",
    "italic",
    "line",
    "link",
    "marked",
    "plain",
    "smart_quotes",
    "strip_stop",
]

Markup = Literal["text", "markdown", "html"]

I0, I1, B0, B1, SUB0, SUB1, SUP0, SUP1, U0, U1 = (chr(0xE000 + n) for n in range(10))
MARKS = "".join(chr(0xE000 + n) for n in range(10))
OPEN = {"i": I0, "b": B0, "sub": SUB0, "sup": SUP0}
CLOSE = {"i": I1, "b": B1, "sub": SUB1, "sup": SUP1}

_DROP = {ord(mark): None for mark in MARKS}
_TAGS = ("<i>", "</i>", "<b>", "</b>", "<sub>", "</sub>", "<sup>", "</sup>", "", "")
_MARKDOWN_TAGS = dict(zip(MARKS, ("*", "*", "**", "**", "<sub>", "</sub>", "<sup>", "</sup>", "<", ">"), strict=True))
_MARKDOWN = {ord(mark): tag for mark, tag in _MARKDOWN_TAGS.items()} | {ord(c): "\\" + c for c in "\\`*_[]<>|~"}
_NOTHING = ("",) * len(MARKS)
_TAG = re.compile(r"<(/?)(i|b|sub|sup)>")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_LIST_START = re.compile(r"(\d+)([.)]\s)|([#+\-=])")
_FINAL_STOP = re.compile(rf"(?<!\.)\.([{MARKS}]*)$")
_EMPTY = re.compile("|".join(f"{OPEN[tag]}{CLOSE[tag]}" for tag in OPEN))
_INNER_SPACE = re.compile(rf"([{I0}{B0}])(\s+)|(\s+)([{I1}{B1}])")
_LINK = re.compile(f"{U0}([^{U1}]*){U1}")
_DIGITS, _TWO_HYPHENS = re.compile(r"(?<=\d)--(?=\d)"), re.compile(r"(?<!-)--(?!-)")
_OPENS_AFTER = " \u2009\u202f([{-\u2013\u2014/\u201c\u2018"


def line(text: str) -> str:
    """One line without control characters and without the private marks; runs of white space become one space."""
    if text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(clean(text).translate(_DROP).split())


@lru_cache(maxsize=4096)
def marked(text: str, markup: str = "") -> str:
    """A title as marked text: from `markup` (`<i> <b> <sub> <sup>`, the rest escaped), or else from plain `text`.

    Tags that do not pair are dropped or closed, so that what comes out always nests.
    """
    if not markup:
        return line(text)
    parts: list[str] = []
    open_tags: list[str] = []
    at = 0
    source = line(markup)
    for found in _TAG.finditer(source):
        parts.append(_unescape(source[at : found.start()]))
        at = found.end()
        tag = found[2]
        if not found[1]:
            if tag not in open_tags:
                open_tags.append(tag)
                parts.append(OPEN[tag])
        elif tag in open_tags:
            while open_tags[-1] != tag:
                parts.append(CLOSE[open_tags.pop()])
            parts.append(CLOSE[open_tags.pop()])
    parts.append(_unescape(source[at:]))
    parts.extend(CLOSE[tag] for tag in reversed(open_tags))
    return _tidy("".join(parts))


def _unescape(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _tidy(text: str) -> str:
    # `* x*` is no emphasis in Markdown, so white space moves out of italics and bold.
    return _INNER_SPACE.sub(r"\2\1\4\3", _EMPTY.sub("", text))


def plain(text: str) -> str:
    """Marked text without its marks."""
    return _replaced(text, _NOTHING)


def _replaced(text: str, instead: Sequence[str]) -> str:
    # A search for each mark is several times as fast as a table that is asked for every character.
    for mark, other in zip(MARKS, instead, strict=True):
        if mark in text:
            text = text.replace(mark, other)
    return text


def italic(text: str) -> str:
    """Marked text in italics; italics inside it turn upright (APA 7 s6.22), where that nests."""
    if not text:
        return ""
    if I0 in text:
        if any(mark in text for mark in (B0, SUB0, SUP0)):
            text = text.replace(I0, "").replace(I1, "")
        else:
            text = text.translate({ord(I0): I1, ord(I1): I0})
    return _EMPTY.sub("", f"{I0}{text}{I1}")


def link(url: str) -> str:
    """A URL: written as it is, and as an autolink in Markdown, so that nothing inside it is escaped."""
    return f"{U0}{url}{U1}" if url else ""


def strip_stop(text: str) -> str:
    """Without exactly one final full stop; an ellipsis stays."""
    return _FINAL_STOP.sub(r"\1", text)


def end_with_stop(text: str, *, inside_quotes: bool = False) -> str:
    """`text` with a full stop at its end, unless it ends in `? ! .`, also inside a closing quote or square bracket.

    Args:
        inside_quotes: American order (APA, MLA): the stop goes before a closing quotation mark.
    """
    bare = text.rstrip(MARKS)
    core = bare.rstrip("\u201d\u2019\"'\u00bb]" + MARKS)
    if not core or core[-1] in "?!.\u2026":
        return text if core else text + "."
    quotes = bare.rstrip("\u201d\u2019" + MARKS)
    if inside_quotes and len(quotes) < len(bare) and bare[-1] in "\u201d\u2019":
        return f"{quotes}.{text[len(quotes) :]}"
    return text + "."


def dashes(text: str) -> str:
    """MEDLINE's two hyphens as the dash they stand for: `1--7` is a range, all else an em dash."""
    return _TWO_HYPHENS.sub("\u2014", _DIGITS.sub("\u2013", text)) if "--" in text else text


@lru_cache(maxsize=4096)
def smart_quotes(text: str) -> str:
    """Straight quotation marks and apostrophes curled; marks do not count as neighbours.

    The prime of `5' end` stays straight: after a digit, outside single quotes, and not in `1980's`.
    """
    if '"' not in text and "'" not in text:
        return text
    out: list[str] = []
    before, quoted = " ", False
    for n, char in enumerate(text):
        if char == '"':
            char = "\u201c" if before in _OPENS_AFTER else "\u201d"
        elif char == "'":
            opens = before in _OPENS_AFTER and before != "-"
            prime = before.isdigit() and not quoted and text[n + 1 : n + 2] != "s"
            char = "\u2018" if opens else "'" if prime else "\u2019"
            quoted = opens or (quoted and text[n + 1 : n + 2].isalpha())
        out.append(char)
        if char not in MARKS:
            before = char
    return "".join(out)


def finish(text: str, markup: Markup) -> str:
    """Marked text as `text`, `markdown` or `html` (only i, b, sub, sup; everything else escaped)."""
    return _FINISH[markup](text)


def _html(text: str) -> str:
    return _replaced(escape(text, quote=False), _TAGS)


def _markdown(text: str) -> str:
    text = "".join(
        f"{U0}{part}{U1}" if n % 2 else _ENTITY.sub(r"\\&", part.translate(_MARKDOWN))
        for n, part in enumerate(_LINK.split(text))
    ).translate({ord(U0): "<", ord(U1): ">"})
    return (
        _LIST_START.sub(lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", text, count=1) if _starts(text) else text
    )


def _starts(text: str) -> bool:
    return _LIST_START.match(text) is not None


_FINISH: dict[str, Callable[[str], str]] = {"text": plain, "html": _html, "markdown": _markdown}
