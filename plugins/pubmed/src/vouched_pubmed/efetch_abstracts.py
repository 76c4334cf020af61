"""Abstracts: all parts in order, labels kept, formulae as text."""

from typing import TYPE_CHECKING

from vouched.api import AbstractPart, OtherAbstract

from vouched_pubmed.efetch_walk import children
from vouched_pubmed.markup import plain, rich

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["read_abstract", "read_other_abstract"]


def read_abstract(node: "_Element") -> tuple[list[AbstractPart], str, bool]:
    """The parts that have words, the copyright line, and whether a formula was flattened. UNLABELLED is no label."""
    parts = []
    copyright_ = ""
    formula = False
    for child in children(node):
        if child.tag == "AbstractText":
            text, _, flattened = rich(child, with_markup=False)
            formula = formula or flattened
            label = child.get("Label", "")
            if text or label:
                parts.append(
                    AbstractPart(text, "" if label.upper() == "UNLABELLED" else label, child.get("NlmCategory", ""))
                )
        elif child.tag == "CopyrightInformation":
            copyright_ = plain(child)
    return parts, copyright_, formula


def read_other_abstract(node: "_Element") -> OtherAbstract:
    """An OtherAbstract with its type and language."""
    parts, copyright_, _ = read_abstract(node)
    return OtherAbstract(parts, node.get("Type", ""), node.get("Language", ""), copyright_)
