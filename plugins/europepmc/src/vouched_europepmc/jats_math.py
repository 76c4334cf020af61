"""MathML and TeX inside JATS -> one line of text that keeps every symbol and never fuses two numbers."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["MATHML", "linear", "tex"]

MATHML = "{http://www.w3.org/1998/Math/MathML}"
_RELATIONS = frozenset("=<>≤≥≠≈∼~≡→←↔⇒∝∈≪≫±×+")
_SCRIPTS = {"msub": "_", "msup": "^", "munder": "_", "mover": "^"}
_PAIRS = {"msubsup": ("_", "^"), "munderover": ("_", "^")}
_SILENT = frozenset(("annotation", "annotation-xml", "mphantom", "malignmark", "maligngroup"))


def linear(node: "_Element") -> str:
    """A `math` element as linear text: `x^2`, `(a + b)/c`, `√(n)`. Signs are added, letters and digits never."""
    return " ".join(_part(node).split())


def tex(text: str) -> str:
    """The formula inside a `tex-math` element: preamble, document environment and dollar signs taken off."""
    inside = re.search(r"\\begin\{document\}(.*?)\\end\{document\}", text, re.DOTALL)
    return " ".join((inside[1] if inside else text).strip().strip("$").split())


def _join(parts: "list[str]") -> str:
    joined = ""
    for part in parts:
        if joined and part and joined[-1].isdigit() and part[0].isdigit():
            joined += " "
        joined += part
    return joined


def _children(node: "_Element") -> list[str]:
    return [_part(child) for child in node if isinstance(child.tag, str)]


def _grouped(text: str) -> str:
    """`text` as an operand: in parentheses unless it is a single number, word or bracketed group already."""
    text = text.strip()
    return text if re.fullmatch(r"\w*(?:\.\d+)?|.|\([^()]*\)", text) else f"({text})"


def _part(node: "_Element") -> str:
    name = str(node.tag).rpartition("}")[2]
    if name in _SILENT:
        return ""
    if not len(node):
        return _leaf(name, node.text or "")
    if name == "semantics":
        return _part(node[0])
    if name == "mfenced":
        inner = f"{(node.get('separators') or ',').strip()[:1]} ".join(_children(node))
        return f"{node.get('open', '(')}{inner}{node.get('close', ')')}"
    if name in ("mtable", "mtr", "mtd", "mlabeledtr"):
        return {"mtable": "; ", "mtd": " "}.get(name, ", ").join(_children(node))
    return _structure(name, node) + (node.text or "").strip()


def _leaf(name: str, text: str) -> str:
    text = " ".join(text.split())
    if name == "mspace":
        return " "
    return f" {text} " if name == "mo" and text and text in _RELATIONS else text


def _structure(name: str, node: "_Element") -> str:
    parts = _children(node)
    if name in _SCRIPTS and len(parts) == 2:
        return f"{parts[0]}{_SCRIPTS[name]}{_grouped(parts[1])}" if parts[1].strip() else parts[0]
    if name in _PAIRS and len(parts) == 3:
        low, high = _PAIRS[name]
        return f"{parts[0]}{low}{_grouped(parts[1])}{high}{_grouped(parts[2])}"
    if name == "mfrac" and len(parts) == 2:
        return f"{_grouped(parts[0])}/{_grouped(parts[1])}"
    if name == "msqrt":
        return f"√({_join(parts)})"
    if name == "mroot" and len(parts) == 2:
        return f"√[{parts[1].strip()}]({parts[0].strip()})"
    if name == "mmultiscripts":
        return _grouped_scripts(parts)
    return _join(parts)


def _grouped_scripts(parts: list[str]) -> str:
    scripts = [part for part in parts[1:] if part.strip()]
    return parts[0] + "".join(f"_{_grouped(script)}" for script in scripts)
