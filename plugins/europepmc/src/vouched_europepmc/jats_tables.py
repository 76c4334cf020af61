"""JATS tables as rows: one text per cell as the source has it, spans named, captions and notes beside."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vouched.api import Span, Table

from vouched_europepmc.jats_inline import SILENT, collapse, text_of

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["caption_of", "read_tables", "rows_of"]

_ROWS = frozenset(("tr", "row"))
_CELLS = frozenset(("td", "th"))
_HEADS = frozenset(("thead",))
_WRAPPERS = frozenset(("tbody", "tfoot", "tgroup", "alternatives"))
_TABLES = frozenset(("table", "array"))
_CAPTION = frozenset(("label", "caption", "title"))


def read_tables(wrap: "_Element", name: str, path: list[str], lift: "list[_Element]") -> list[Table]:
    """The tables of a `table-wrap` or `array`: usually one; further ones get `-2`, `-3` and the same label."""
    found = [wrap] if wrap.tag in _TABLES else list(_inner(wrap))
    label, caption = caption_of(wrap, lift)
    notes = _notes(wrap, lift)
    tables: list[Table] = []
    for number, node in enumerate(found or [None], 1):
        header, rows, spans = ([], [], []) if node is None else rows_of(node)
        tables.append(
            Table(
                id=name if number == 1 else f"{name}-{number}",
                label=label,
                caption=caption if number == 1 else "",
                header=header,
                rows=rows,
                notes=notes if number == 1 else [],
                path=path,
                spans=spans,
            )
        )
    return tables


def caption_of(node: "_Element", lift: "list[_Element] | None") -> tuple[str, str]:
    """Label and caption (title and paragraphs) of a float."""
    label, caption = "", []
    for child in node:
        if child.tag == "label":
            label = text_of(child)
        elif child.tag in ("caption", "title"):
            caption.append(text_of(child, lift))
    return label, " ".join(part for part in caption if part)


def rows_of(table: "_Element") -> tuple[list[list[str]], list[list[str]], list[Span]]:
    """Header rows, body rows and the cells that span several columns or rows.

    A row holds exactly the cells that the source has in it: nothing is repeated, so counts can be compared.
    """
    header: list[list[str]] = []
    rows: list[list[str]] = []
    spans: list[Span] = []
    for in_head, row in _rows(table, False):
        part = header if in_head else rows
        cells: list[str] = []
        for cell in row:
            tag = cell.tag
            wide, high = 1, 1
            if tag in _CELLS:
                columns, lines = cell.get("colspan"), cell.get("rowspan")
                if columns or lines:
                    wide, high = _number(columns), _number(lines)
            elif _local(cell) == "entry":
                wide, high = _cals_size(cell)
            else:
                continue
            if wide > 1 or high > 1:
                spans.append(Span("header" if in_head else "body", len(part), len(cells), high, wide))
            cells.append(text_of(cell))
        part.append(cells)
    return header, rows, spans


def _inner(wrap: "_Element") -> "Iterator[_Element]":
    for child in wrap:
        name = _local(child)
        if name in _TABLES:
            yield child
        elif name == "alternatives":
            yield from _inner(child)


def _rows(table: "_Element", in_head: bool) -> "Iterator[tuple[bool, _Element]]":
    for child in table:
        name = _local(child)
        if name in _ROWS:
            yield in_head, child
        elif name in _HEADS:
            yield from _rows(child, True)
        elif name in _WRAPPERS:
            yield from _rows(child, in_head)


def _local(node: "_Element") -> str:
    tag = node.tag
    if not isinstance(tag, str):
        return ""
    return tag.rpartition("}")[2] if tag[0] == "{" else tag


def _cals_size(cell: "_Element") -> tuple[int, int]:
    """Columns and rows that a CALS `entry` takes, from `namest`, `nameend` and `morerows`."""
    high = _number(cell.get("morerows"), 0) + 1
    digits = ["".join(c for c in cell.get(name) or "" if c.isdigit()) for name in ("namest", "nameend")]
    wide = _number(digits[1]) - _number(digits[0]) + 1 if all(digits) else 1
    return max(1, wide), high


def _number(text: str | None, otherwise: int = 1) -> int:
    return int(text) if text and text.strip().isdecimal() and 0 < int(text) <= 1000 else otherwise


def _notes(wrap: "_Element", lift: "list[_Element]") -> list[str]:
    """Everything beside label, caption and table that has words: foot notes one by one, paragraphs, attributions."""
    notes: list[str] = []
    if wrap.tag in _TABLES:
        return notes
    for child in wrap:
        tag = child.tag
        if not isinstance(tag, str) or tag in _CAPTION or tag in SILENT or _local(child) in _TABLES:
            continue
        if tag == "alternatives" and next(_inner(child), None) is not None:
            continue
        if tag != "table-wrap-foot":
            parts = [child]
        else:
            notes += [text for text in [collapse(child.text or "")] if text]
            parts = [member for part in child for member in (part if part.tag == "fn-group" else [part])]
        notes += [text for part in parts if isinstance(part.tag, str) and (text := text_of(part, lift))]
    return notes
