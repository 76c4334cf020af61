"""MathML to one readable line: `T_2^∗`, `(a + b)/c`, `√(x)`. Meant for reading, not for computing."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["linear"]

# Deeper nesting than any real formula has; below it the text alone is taken.
MAX_DEPTH = 60

# Operators that hug the piece before or after them; all others stand apart from both.
_HUGS_LAST = frozenset(",;:)]}′″!%°/|‖.")
_HUGS_NEXT = frozenset("([{√∑∏∫∂∇/|‖.")
_INVISIBLE = str.maketrans("", "", "\u2061\u2062\u2063\u2064\u200b")
_ACCENTS = {
    "¯": "\u0304",
    "‾": "\u0304",
    "ˉ": "\u0304",
    "_": "\u0304",
    "^": "\u0302",
    "ˆ": "\u0302",
    "~": "\u0303",
    "˜": "\u0303",
    "˙": "\u0307",
    ".": "\u0307",
    "¨": "\u0308",
    "→": "\u20d7",
    "⃗": "\u20d7",
}


def _name(node: "_Element") -> str:
    tag = node.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _children(node: "_Element") -> Iterator["_Element"]:
    return (child for child in node if isinstance(child.tag, str))


def _own_text(node: "_Element") -> str:
    text = "".join(str(text) for text in node.itertext("*")) if len(node) else node.text or ""
    return " ".join(text.split()).translate(_INVISIBLE)


def _joined(pieces: list[str]) -> str:
    """Neighbours apart by a space, so that no two numbers ever fuse, but for operators that hug."""
    line = ""
    for piece in pieces:
        if not piece:
            continue
        argument = piece[0] in "([{" and line[-1:].isalpha()  # f(x)
        if not line or argument or line[-1] in _HUGS_NEXT or piece[0] in _HUGS_LAST:
            line += piece
        else:
            line += " " + piece
    return line


def _grouped(text: str) -> str:
    """In parentheses, unless it is one word, number or sign already."""
    simple = len(text) <= 1 or text.replace(".", "").isalnum() or (text[0] in "([{" and text[-1] in ")]}")
    return text if simple else f"({text})"


def _parts(node: "_Element", depth: int) -> list[str]:
    return [_linear(child, depth + 1) for child in _children(node)]


def _row(node: "_Element", depth: int) -> str:
    return _joined(_parts(node, depth))


def _scripts(node: "_Element", depth: int) -> str:
    base, *rest = [*_parts(node, depth), "", ""][: 3 if _name(node) in ("msubsup", "munderover") else 2]
    marks = {"msub": "_", "munder": "_", "msup": "^", "mover": "^"}.get(_name(node), "_^")
    if _name(node) == "mover" and len(base) == 1 and rest[0] in _ACCENTS:
        return base + _ACCENTS[rest[0]]
    if rest[0] and set(rest[0]) <= set("′″'"):
        return base + rest[0]
    return _grouped(base) + "".join(mark + _grouped(text) for mark, text in zip(marks, rest, strict=False) if text)


def _multiscripts(node: "_Element", depth: int) -> str:
    names = [_name(child) for child in _children(node)]
    parts = _parts(node, depth)
    if not parts:
        return ""
    cut = names.index("mprescripts") if "mprescripts" in names else len(names)

    def pairs(texts: list[str]) -> str:
        marks = "_^" * len(texts)
        return "".join(mark + _grouped(text) for mark, text in zip(marks, texts, strict=False) if text)

    return pairs(parts[cut + 1 :]) + _grouped(parts[0]) + pairs(parts[1:cut])


def _fraction(node: "_Element", depth: int) -> str:
    top, bottom = [*_parts(node, depth), "", ""][:2]
    return f"{_grouped(top)}/{_grouped(bottom)}"


def _root(node: "_Element", depth: int) -> str:
    if _name(node) == "mroot":
        base, index = [*_parts(node, depth), "", ""][:2]
        return f"root({base}, {index})"
    return f"√({_row(node, depth)})"


def _fenced(node: "_Element", depth: int) -> str:
    separators = node.get("separators", ",").strip()[:1]
    return node.get("open", "(") + f"{separators} ".join(_parts(node, depth)) + node.get("close", ")")


def _table(node: "_Element", depth: int) -> str:
    rows = [", ".join(part for part in _parts(row, depth + 1)) for row in _children(node)]
    return "[" + "; ".join(rows) + "]"


def _first(node: "_Element", depth: int) -> str:
    # `semantics` repeats the formula as annotations (TeX, content MathML): one reading is enough.
    child = next(_children(node), None)
    return "" if child is None else _linear(child, depth + 1)


def _nothing(_node: "_Element", _depth: int) -> str:
    return ""


_READERS: dict[str, Callable[["_Element", int], str]] = {
    "msub": _scripts,
    "msup": _scripts,
    "msubsup": _scripts,
    "munder": _scripts,
    "mover": _scripts,
    "munderover": _scripts,
    "mmultiscripts": _multiscripts,
    "mfrac": _fraction,
    "msqrt": _root,
    "mroot": _root,
    "mfenced": _fenced,
    "mtable": _table,
    "semantics": _first,
    "maction": _first,
    "annotation": _nothing,
    "annotation-xml": _nothing,
    "mphantom": _nothing,
    "mprescripts": _nothing,
    "none": _nothing,
    "mspace": _nothing,
}
_LEAVES = frozenset({"mi", "mn", "mo", "mtext", "ms"})


def _linear(node: "_Element", depth: int) -> str:
    name = _name(node)
    if name in _LEAVES or depth > MAX_DEPTH:
        return _own_text(node)
    reader = _READERS.get(name)
    if reader:
        return reader(node, depth)
    # mrow, mstyle, math and whatever else only groups; `<math>x</math>` without tokens still has its words.
    return _row(node, depth) if len(node) else _own_text(node)


def linear(node: "_Element") -> str:
    """The formula as one line, tokens apart, scripts after `_` and `^`."""
    return _linear(node, 0)
