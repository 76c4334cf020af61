"""Titles and abstracts as Europe PMC writes them: HTML, escaped up to twice, with real `<` and `>` in between."""

import html
import re
from collections.abc import Iterator

from vouched.api import AbstractPart, clean, flatten_html

__all__ = ["abstract_parts", "plain", "title_markup"]

_LEFT_OVER = re.compile(r"&(?:amp|lt|gt|quot|#\d+|#x[0-9a-f]+);", re.IGNORECASE)
# Only these are markup: `<70 … >70`, `p < 0.001` and `T>C` are text.
_INLINE = re.compile(r"</?(i|em|italic|b|strong|bold|sub|sup)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_KEPT = {"i": "i", "em": "i", "italic": "i", "b": "b", "strong": "b", "bold": "b", "sub": "sub", "sup": "sup"}
_HEADING = re.compile(r"<h4[^<>]*>(.*?)</h4\s*>", re.IGNORECASE | re.DOTALL)
_SPACE = re.compile(r"\s+")


def plain(text: str | None) -> str:
    """One line of plain text, "" for nothing."""
    return flatten_html(text) if text else ""


def decoded(text: str) -> str:
    """Entities decoded once per layer that is there; markup stays."""
    once = html.unescape(text) if "&" in text else text
    return html.unescape(once) if "&" in once and _LEFT_OVER.search(once) else once


def title_markup(text: str) -> str:
    """The text with `<i> <b> <sub> <sup>` kept in pairs and everything else escaped, "" where it is plain text."""
    source = _SPACE.sub(" ", clean(decoded(text))).strip()
    marked = "".join(_marked(source)).strip()
    return "" if marked == plain(text) else marked


def _marked(source: str) -> Iterator[str]:
    open_tags: list[str] = []
    at = 0
    for found in _INLINE.finditer(source):
        yield html.escape(plain_piece(source[at : found.start()]), quote=False)
        at = found.end()
        tag = _KEPT[found[1].lower()]
        if not found[0].startswith("</"):
            open_tags.append(tag)
            yield f"<{tag}>"
        elif open_tags and open_tags[-1] == tag:
            open_tags.pop()
            yield f"</{tag}>"
    yield html.escape(plain_piece(source[at:]), quote=False)
    yield from (f"</{tag}>" for tag in reversed(open_tags))


def plain_piece(text: str) -> str:
    """A piece between two tags: other known tags dropped, the spaces at its ends kept."""
    if "<" not in text:
        return text
    inner = flatten_html(text.replace("&", "&amp;"))
    head = " " if text[:1].isspace() else ""
    tail = " " if text[-1:].isspace() and inner else ""
    return head + inner + tail


def abstract_parts(text: str | None) -> list[AbstractPart]:
    """The parts of an abstract: Europe PMC marks labels with `<h4>`; what stands before the first has none."""
    source = decoded(text or "")
    parts: list[AbstractPart] = []
    label, at = "", 0
    for found in _HEADING.finditer(source):
        _add(parts, label, source[at : found.start()])
        label, at = found[1], found.end()
    _add(parts, label, source[at:])
    return parts


def _add(parts: list[AbstractPart], label: str, body: str) -> None:
    # The layers of escaping are off already: what looks like an entity now is text.
    text = flatten_html(body.replace("&", "&amp;"))
    name = flatten_html(label.replace("&", "&amp;")).rstrip(":").strip()
    if text or name:
        parts.append(AbstractPart(text, name))
