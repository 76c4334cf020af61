"""The text of mixed content: words and citation numbers stand apart, numbers are never fused, nothing is lost."""

import html.entities
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from vouched.api import clean

from vouched_europepmc.jats_math import MATHML, linear, tex

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["FLOATS", "SILENT", "SPLITS", "collapse", "entity", "inline", "names", "one", "raw", "text_of"]


def names(words: str) -> frozenset[str]:
    """Element names, written as a line of words."""
    return frozenset(words.split())


# Lifted out of the paragraph they stand in: the sentence around them goes on.
FLOATS = names(
    "table-wrap table-wrap-group fig fig-group supplementary-material media fn fn-group array chem-struct-wrap"
)
# End the paragraph they stand in: reading order goes through them.
SPLITS = names(
    "list def-list disp-quote boxed-text preformat code verse-group statement speech p sec disp-formula-group"
)
# Never words of the text: pictures, machine ids, descriptions for screen readers, rights (read by `rights`).
SILENT = names(
    "graphic inline-graphic object-id alt-text long-desc permissions inline-media textual-form private-char "
    "glyph-data sec-meta"
)
_SPACED = names(
    "break disp-formula label title subtitle caption td th tr def term list-item def-item attrib chem-struct "
    "verse-line speaker question answer explanation sig kwd"
)

# One look-up an element: what to do with it; an element that is not here is read as if it were not there.
_FLOAT, _SPACE, _SILENT, _XREF, _SUP, _SUB, _ALTERNATIVES, _TEX, _MATH, _FORMULA = range(1, 11)
_WAYS: dict[str, int] = {
    **dict.fromkeys(SPLITS | _SPACED, _SPACE),
    **dict.fromkeys(FLOATS, _FLOAT),
    **dict.fromkeys(SILENT, _SILENT),
    "xref": _XREF,
    "sup": _SUP,
    "sub": _SUB,
    "alternatives": _ALTERNATIVES,
    "tex-math": _TEX,
    MATHML + "math": _MATH,
    "inline-formula": _FORMULA,
}
_NOTES = frozenset(("bibr", "fn", "table-fn", "aff", "corresp", "author-notes", "author-note"))
_NUMBERS = re.compile(r"\d+[a-z]?(?:\s*[,;–—−-]\s*\d+[a-z]?)*")
_SEPARATORS = " \t\n,;–—−‐‑-"
_ORDINAL = ("st", "nd", "rd", "th")
_SIGNS = ("+", "-", "−", "–", "±")
# An attribute that this reader sets on the article.
_CITES = "cites-by"
_YEAR = re.compile(r"(?:1[89]|20)\d\d[a-z]?")


class _Close(str):
    """The bracket that this module closed after a citation number; the next number may open it again."""


def collapse(text: str) -> str:
    """White space collapsed, control and invisible characters gone. (XML allows no ASCII control characters.)"""
    return " ".join((text if text.isascii() else clean(text)).split())


def raw(node: "_Element") -> str:
    """All characters of an element, as they stand."""
    return "".join(cast("Iterable[str]", node.itertext()))


def text_of(node: "_Element", lift: "list[_Element] | None" = None) -> str:
    """The text of an element, collapsed. Floats go to `lift` in order; without it they are read in place."""
    if not len(node):
        text = node.text
        return " ".join((text if text.isascii() else clean(text)).split()) if text else ""
    out: list[str] = []
    inline(node, out, lift)
    return collapse("".join(out))


def inline(node: "_Element", out: list[str], lift: "list[_Element] | None") -> None:
    """Append the pieces of an element's content to `out`."""
    text = node.text
    if text:
        out.append(text)
    for child in node:
        one(child, out, lift)


def one(child: "_Element", out: list[str], lift: "list[_Element] | None") -> None:
    """Append one child and the text that follows it."""
    tag = child.tag
    way = _WAYS.get(tag)
    if way is None:
        if isinstance(tag, str):
            inline(child, out, lift)
        elif tag.__name__ == "Entity":
            out.append(entity(child))
        tail = child.tail
    elif way >= _XREF:
        _special(way, child, out, lift)
        tail = child.tail
        if tail and out and tail[0].isalnum() and _fuses(out[-1], tail[0]):
            out.append(" ")
    else:
        if way == _FLOAT and lift is not None:
            lift.append(child)
            out.append(" ")
        elif way != _SILENT:
            out.append(" ")
            inline(child, out, lift)
            out.append(" ")
        tail = child.tail
    if tail:
        out.append(tail)


def _fuses(last: str, following: str) -> bool:
    return isinstance(last, _Close) or (last[-1:].isdigit() and following.isdigit())


def _special(way: int, child: "_Element", out: list[str], lift: "list[_Element] | None") -> None:
    if way == _XREF:
        _xref(child, out)
    elif way == _SUP:
        _sup(child, out)
    elif way == _SUB:
        _script(_content(child), "_", out)
    elif way == _ALTERNATIVES:
        _alternatives(child, out, lift)
    elif way == _TEX:
        out.append(f" {tex(raw(child))} ")
    elif way == _FORMULA:
        inline(child, out, lift)
    else:
        _apart(linear(child), out)


def _content(node: "_Element") -> str:
    if not len(node):
        return node.text or ""
    out: list[str] = []
    inline(node, out, None)
    return "".join(out)


def _last(out: list[str]) -> str:
    return out[-1][-1] if out and out[-1] else ""


def _apart(text: str, out: list[str]) -> None:
    """Append text that must not fuse with the number or word before it."""
    if text and _last(out).isalnum() and text[0].isalnum():
        out.append(" ")
    out.append(text)


def _xref(node: "_Element", out: list[str]) -> None:
    content = _content(node)
    stripped = content.strip()
    if not stripped:
        out.append(content)
    elif node.get("ref-type") in _NOTES:
        _cite(stripped, out)
    else:
        _apart(content, out)


def _sup(node: "_Element", out: list[str]) -> None:
    content = _content(node)
    stripped = content.strip()
    marks = len(node) and next(node.iter("xref"), None) is not None
    if marks or (_NUMBERS.fullmatch(stripped) and _looks_cited(out) and not _cites_by_xref(node)):
        _cite(stripped, out)
    else:
        _script(content, "^", out)


def _looks_cited(out: list[str]) -> bool:
    """A bare superscript number right after a long lower-case word or a full stop is a citation, not a power.

    After a space it is none: `hexanes. 1H NMR`.
    """
    before = "".join(out[-3:])[-5:]
    return bool(re.search(r"[a-z]{4}$|[a-z)][.,;:]$|[a-z]\)$", before))


def _cites_by_xref(node: "_Element") -> bool:
    """Whether the article marks its citations up: then a bare number set high is none (`weight/height<sup>2</sup>`).

    Asked once an article, and noted on it.
    """
    article = next(node.iterancestors("article"), None)
    if article is None:
        return False
    known = article.get(_CITES)
    if known is None:
        known = "xref" if article.find('.//xref[@ref-type="bibr"]') is not None else "sup"
        article.set(_CITES, known)
    return known == "xref"


def _script(content: str, sign: str, out: list[str]) -> None:
    first, last = content.strip()[:1], _last(out)
    if last.isdigit() and first.isdigit():
        out.append(sign)
    elif sign == "^" and last.isdigit() and (first.isalpha() or first in _SIGNS):
        # A genotype (`Otud3−/−`) and an ordinal (`10th`) are no powers.
        out.append("" if "/" in content or content.strip() in _ORDINAL else sign)
    if content:
        out.append(content)


def _cite(content: str, out: list[str]) -> None:
    """A citation or footnote mark: `plasma [3]`. Marks in a row share one pair of brackets; symbols stay."""
    if not content:
        return
    if not content[0].isalnum():
        bracketed = content[0] in "[("
        if bracketed and _last(out).strip() not in ("", *"[("):
            out.append(" ")
        out.append(content)
        if bracketed:
            out.append(_Close(""))
        return
    if content[-1] == ")" and "(" not in content:
        # The style `calcinosis 3)` with a closing bracket only.
        content = content[:-1].rstrip()
    if _YEAR.fullmatch(content):
        _apart(content, out)
        return
    place = _open_again(out)
    if place is not None:
        joiner = "".join(out[place + 1 :]).strip() or ","
        out[place:] = [joiner, content, _Close("]")]
        return
    before = _before(out)
    if not before or before in "[(,;–—−‐‑-/{":
        out.append(content)
    elif content[0].isdigit() or len(content) <= 2:
        out += (" [", content, _Close("]"))
    else:
        _apart(content, out)


def _open_again(out: list[str]) -> int | None:
    """Place of the bracket closed last, when only separators have come since."""
    for place in range(len(out) - 1, max(-1, len(out) - 4), -1):
        piece = out[place]
        if isinstance(piece, _Close) and piece:
            return place
        if piece.strip(_SEPARATORS):
            return None
    return None


def _before(out: list[str]) -> str:
    for piece in reversed(out):
        stripped = piece.rstrip()
        if stripped:
            return stripped[-1]
    return ""


def _alternatives(node: "_Element", out: list[str], lift: "list[_Element] | None") -> None:
    """One of several renderings of the same thing: the first that has words, MathML before TeX."""
    children = [child for child in node if isinstance(child.tag, str) and child.tag not in SILENT]
    chosen = next((child for child in children if child.tag == MATHML + "math"), children[0] if children else None)
    if chosen is not None:
        tail, chosen.tail = chosen.tail, None
        one(chosen, out, lift)
        chosen.tail = tail


def entity(node: "_Element") -> str:
    """A named character; entities that the document declares itself are looked up, never files or addresses."""
    name = getattr(node, "name", "") or ""
    known = html.entities.html5.get(f"{name};")
    if known:
        return known
    dtd: Any = node.getroottree().docinfo.internalDTD
    for declared in dtd.iterentities() if dtd is not None else ():
        if declared.name == name and declared.content and not re.search(r"[<&]", declared.content):
            return str(declared.content)
    return "\ufffd"
