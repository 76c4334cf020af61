"""The text of mixed content: words and citation numbers stand apart, numbers are never fused, nothing is lost."""

import html.entities
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from vouched.api import clean

from vouched_europepmc.jats_math import MATHML, linear, tex

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["FLOATS", "SILENT", "SPLITS", "collapse", "inline", "names", "one", "raw", "text_of"]


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
_SPACED = names("break disp-formula label title caption td th tr def term list-item def-item attrib")
_SPECIAL = {
    "xref": 1, "sup": 2, "sub": 3, "inline-formula": 4, "disp-formula": 4, "alternatives": 5, "tex-math": 6,
    MATHML + "math": 7, "chem-struct": 4,
}  # fmt: skip
_NOTES = frozenset(("bibr", "fn", "table-fn", "aff", "corresp", "author-notes", "author-note"))
_NUMBERS = re.compile(r"\d+[a-z]?(?:\s*[,;–—−-]\s*\d+[a-z]?)*")
_SEPARATORS = " \t\n,;–—−‐‑-"
_ORDINAL = ("st", "nd", "rd", "th")


class _Close(str):
    """The bracket that this module closed after a citation number; the next number may open it again."""


def collapse(text: str) -> str:
    """White space collapsed, control and invisible characters gone."""
    return " ".join(clean(text).split())


def raw(node: "_Element") -> str:
    """All characters of an element, as they stand."""
    return "".join(cast("Iterable[str]", node.itertext()))


def text_of(node: "_Element", lift: "list[_Element] | None" = None) -> str:
    """The text of an element, collapsed. Floats go to `lift` in order; without it they are read in place."""
    if not len(node):
        text = node.text
        return collapse(text) if text else ""
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
    tail = child.tail
    special = _SPECIAL.get(tag)
    if special is not None:
        _special(special, child, out, lift)
        if tail and out and tail[0].isalnum() and _fuses(out[-1], tail[0]):
            out.append(" ")
    elif tag in FLOATS and lift is not None:
        lift.append(child)
        out.append(" ")
    elif tag in _SPACED or tag in SPLITS or tag in FLOATS:
        out.append(" ")
        inline(child, out, lift)
        out.append(" ")
    elif not isinstance(tag, str):
        if tag.__name__ == "Entity":
            out.append(_entity(child))
    elif tag not in SILENT:
        inline(child, out, lift)
    if tail:
        out.append(tail)


def _fuses(last: str, following: str) -> bool:
    return isinstance(last, _Close) or (last[-1:].isdigit() and following.isdigit())


def _special(kind: int, child: "_Element", out: list[str], lift: "list[_Element] | None") -> None:
    if kind == 1:
        _xref(child, out)
    elif kind == 2:
        _sup(child, out)
    elif kind == 3:
        _script(_content(child), "_", out)
    elif kind == 5:
        _alternatives(child, out, lift)
    elif kind == 6:
        out.append(f" {tex(raw(child))} ")
    elif kind == 7:
        _apart(linear(child), out)
    elif child.tag == "inline-formula":
        inline(child, out, lift)
    else:
        out.append(" ")
        inline(child, out, lift)
        out.append(" ")


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
    if marks or (_NUMBERS.fullmatch(stripped) and _looks_cited(out)):
        _cite(stripped, out)
    else:
        _script(content, "^", out)


def _looks_cited(out: list[str]) -> bool:
    """A bare superscript number after a long lower-case word or a full stop is a citation, not a power."""
    before = "".join(out[-3:]).rstrip()[-5:]
    return bool(re.search(r"[a-z]{4}$|[a-z)][.,;:]$|[a-z]\)$", before))


def _script(content: str, sign: str, out: list[str]) -> None:
    first, last = content.strip()[:1], _last(out)
    if first.isdigit() and (last.isdigit() or (sign == "^" and last and out[-1].startswith("_"))):
        out.append(sign)
    elif sign == "^" and last.isdigit() and first and (first in "+-−–" or first.isalpha()):
        out.append("" if content.strip() in _ORDINAL else sign)
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


def _entity(node: "_Element") -> str:
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
