"""JSON data as TOON (Token-Oriented Object Notation): indented like YAML, uniform lists as tables.

Written from the public specification, version 2: https://github.com/toon-format/spec
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["encode"]

_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|0\d+")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def encode(value: Any) -> str:
    """TOON text of plain JSON data, two spaces a level, comma as delimiter."""
    if isinstance(value, Mapping):
        return "\n".join(_object(value, 0))
    if isinstance(value, list):
        return "\n".join(_array("", value, 0))
    return _scalar(value)


def _object(record: Mapping[str, Any], depth: int) -> list[str]:
    lines: list[str] = []
    pad = "  " * depth
    for key, value in record.items():
        name = _name(key)
        if isinstance(value, Mapping):
            lines.append(f"{pad}{name}:")
            lines += _object(value, depth + 1)
        elif isinstance(value, list):
            lines += _array(pad + name, value, depth)
        else:
            lines.append(f"{pad}{name}: {_scalar(value)}")
    return lines


def _array(head: str, items: Sequence[Any], depth: int) -> list[str]:
    count = len(items)
    if not any(isinstance(item, Mapping | list) for item in items):
        return [f"{head}[{count}]:" + (f" {','.join(_scalar(item) for item in items)}" if items else "")]
    if columns := _columns(items):
        rows = ("  " * (depth + 1) + ",".join(_scalar(item[key]) for key in columns) for item in items)
        return [f"{head}[{count}]{{{','.join(_name(key) for key in columns)}}}:", *rows]
    lines = [f"{head}[{count}]:"]
    for item in items:
        lines += _item(item, depth + 1)
    return lines


def _columns(items: Sequence[Any]) -> list[str]:
    """The columns of a table: every item an object with the same keys and only plain values."""
    first = items[0]
    if not isinstance(first, Mapping) or not first:
        return []
    for item in items:
        if not isinstance(item, Mapping) or item.keys() != first.keys():
            return []
        if any(isinstance(value, Mapping | list) for value in item.values()):
            return []
    return list(first)


def _item(item: Any, depth: int) -> list[str]:
    pad = "  " * depth
    if isinstance(item, Mapping):
        if not item:
            return [pad + "-"]
        lines = _object(item, depth + 1)
        # The first field stands on the line of the hyphen.
        return [f"{pad}- {lines[0].lstrip()}", *lines[1:]]
    if isinstance(item, list):
        first, *rest = _array("", item, depth + 1)
        return [f"{pad}- {first}", *rest]
    return [f"{pad}- {_scalar(item)}"]


def _name(key: str) -> str:
    return key if _KEY.fullmatch(key) else _quoted(key)


def _quoted(text: str) -> str:
    return '"' + "".join(_ESCAPES.get(c, c) for c in text) + '"'


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return (
            "null"
            if not math.isfinite(value)
            else str(int(value))
            if value.is_integer() and abs(value) < 1e15
            else repr(value)
        )
    if isinstance(value, int):
        return str(value)
    text = str(value)
    plain = (
        text == text.strip()
        and text
        and text not in ("true", "false", "null")
        and not _NUMBER.fullmatch(text)
        and not text.startswith("-")
        and not any(c in text for c in ':"\\[]{},\n\r\t')
    )
    return text if plain else _quoted(text)
