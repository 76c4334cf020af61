"""Mixed content to text: inline tags, formulae, entities; nothing between two tags is lost."""

import re
from html.entities import html5
from typing import TYPE_CHECKING

from vouched_pubmed.efetch_walk import children

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["TooDeep", "collapse", "escape", "plain", "rich"]

MAX_DEPTH = 200
MATH = frozenset({"{http://www.w3.org/1998/Math/MathML}math", "math"})
_KEPT = {"i": "i", "b": "b", "sub": "sub", "sup": "sup", "em": "i", "strong": "b", "italic": "i", "bold": "b"}
_EMPTY_TAGS = re.compile(r"<(i|b|sub|sup)></\1>")


class TooDeep(ValueError):
    """Tags nested deeper than any text has them."""


def collapse(text: str) -> str:
    """White space of pretty-printed sets collapsed to single spaces, none at the ends.

    XML white space only: no-break and thin spaces are characters of the text.
    """
    if "\n" in text or "\t" in text or "\r" in text:
        text = text.replace("\n", " ").replace("\t", " ").replace("\r", " ")
    # Each pass halves the runs; a substitution by pattern takes six times as long.
    while "  " in text:
        text = text.replace("  ", " ")
    return text.strip(" ")


def escape(text: str) -> str:
    """`& < >` as entities."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class _Pieces:
    """What a walk over mixed content collects."""

    def __init__(self, with_markup: bool) -> None:
        self.text: list[str] = []
        self.markup: list[str] | None = [] if with_markup else None
        self.formula = False

    def add(self, text: str) -> None:
        self.text.append(text)
        if self.markup is not None:
            self.markup.append(escape(text))

    def walk(self, node: "_Element", depth: int = 0) -> None:
        if depth > MAX_DEPTH:
            raise TooDeep("its text has tags nested more than 200 deep")
        if node.text:
            self.add(node.text)
        for child in children(node):
            tag = child.tag
            if tag in MATH:
                from vouched_pubmed.mathml import linear

                self.formula = True
                self.add(linear(child))
            elif type(tag) is str:
                name = _KEPT.get(tag) if self.markup is not None else None
                if name and self.markup is not None:
                    self.markup.append(f"<{name}>")
                    self.walk(child, depth + 1)
                    self.markup.append(f"</{name}>")
                else:
                    self.walk(child, depth + 1)
            elif child.text and child.text.startswith("&"):
                # An entity that nobody expanded (comments and instructions are gone by now). Names of HTML characters
                # are known without any DTD; what a document defines itself stays out.
                self.add(html5.get(child.text[1:], ""))
            if child.tail:
                self.add(child.tail)


def plain(node: "_Element") -> str:
    """The text of an element, inline tags dropped, their words kept."""
    if len(node):
        return rich(node, with_markup=False)[0]
    text = node.text
    if not text:
        return ""
    if "\n" in text or "  " in text or "\t" in text or "\r" in text:
        return collapse(text)
    return text.strip(" ")


def rich(node: "_Element", *, with_markup: bool = True) -> tuple[str, str, bool]:
    """Plain text, the same with `<i> <b> <sub> <sup>` ("" where that is equal), and whether a formula was flattened."""
    if not len(node) and not (with_markup and node.text and ("&" in node.text or "<" in node.text or ">" in node.text)):
        text = node.text
        return (collapse(text) if text else ""), "", False
    pieces = _Pieces(with_markup)
    pieces.walk(node)
    text = collapse("".join(pieces.text))
    if pieces.markup is None:
        return text, "", pieces.formula
    marked = _EMPTY_TAGS.sub("", collapse("".join(pieces.markup)))
    return text, "" if marked == text else marked, pieces.formula
