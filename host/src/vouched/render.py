"""An answer as text: Markdown, JSON or TOON. Every leaf of the structured part stands in the text too.

Strings of an answer are data, most of them other people's. Short ones stand inline, in a code span as soon as they hold
anything that Markdown would act on; long ones stand in a fence that is longer than any run of backticks inside.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from vouched import toon

__all__ = ["items", "render"]

INLINE = 300
# A record of short values stands on one line up to this width.
COMPACT = 180
# Within a word `_` is text in CommonMark; at its edge, and everything else here, it may begin markup.
_ACTIVE = re.compile(r"[*`\[\]<>|\\#~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^\s*(?:[-+=]|\d+[.)])\s|https?://|www\.|!\[")
_LINK = re.compile(r"https?://[^\s<>\"'`|\\^{}\[\]]+")
_FRONT = ("title", "name", "id", "pmid", "input")


def render(envelope: Mapping[str, Any], form: str) -> str:
    """The text face of an envelope (plain JSON data) in `form`: markdown, json or toon."""
    if form == "json":
        return msgspec.json.format(msgspec.json.encode(envelope), indent=1).decode()
    if form == "toon":
        return toon.encode(envelope)
    return "\n".join(_markdown(envelope)) + "\n"


def _markdown(envelope: Mapping[str, Any]) -> list[str]:
    lines = [_headline(envelope)]
    if error := envelope.get("error"):
        lines += ["", *_fields(error, 0)]
    for warning in envelope.get("warnings", ()):
        lines += ["", f"**Note:** {inline(warning)}"]
    if restriction := envelope.get("restriction"):
        lines += ["", "## Restricted", "", *_fields(restriction, 0)]
    if outline := envelope.get("outline"):
        lines += ["", "## Outline: ask for parts", ""]
        lines += [f"- {inline(entry['path'])}: {entry['chars']} characters" for entry in outline]
    if envelope.get("data") is not None:
        lines += ["", *_data(envelope["data"])]
    if cursor := envelope.get("next_cursor"):
        lines += ["", f"**More:** call again with the same arguments and `cursor` = `{cursor}`"]
    if provenance := envelope.get("provenance"):
        lines += ["", *_provenance(provenance)]
    return lines


def _headline(envelope: Mapping[str, Any]) -> str:
    data = envelope.get("data")
    status = envelope["status"]
    counted = ""
    if isinstance(data, Mapping):
        total = data.get("total", data.get("hit_count"))
        if isinstance(total, int) and isinstance(data.get("returned"), int):
            counted = f" · {data['returned']:,} of {total:,}"
    return f"**{status}**{counted}"


def _data(data: Any) -> list[str]:
    if not isinstance(data, Mapping):
        return [_value(data)] if _is_leaf(data) else items(data, 0)
    plain: list[str] = []
    sections: list[str] = []
    # Plain fields first: below a heading they would seem to belong to it.
    for key, value in data.items():
        if isinstance(value, list) and value and isinstance(value[0], Mapping):
            sections += ["", f"## {_label(key)} ({len(value)})", "", *items(value, 0)]
        elif isinstance(value, Mapping) and value and not _compact(value):
            sections += ["", f"## {_label(key)}", "", *_fields(value, 0)]
        else:
            plain += _field(key, value, 0)
    return plain + sections if plain else sections[1:]


def items(rows: Sequence[Any], depth: int) -> list[str]:
    """The lines of a numbered list of records, or of a plain list of values."""
    lines: list[str] = []
    pad = "  " * depth
    for number, item in enumerate(rows, 1):
        if isinstance(item, Mapping):
            if compact := _compact(item):
                # One value needs no name in a list that has one.
                alone = len(item) == 1 and _is_leaf(next(iter(item.values())))
                lines.append(f"{pad}{number}. {compact.partition(':** ')[2] if alone else compact}")
                continue
            front = next(
                (key for key in _FRONT if isinstance(item.get(key), str | int) and item.get(key) not in ("", None)),
                None,
            )
            head = _head(front, item[front]) if front and not _is_long(item[front]) else ""
            lines.append(f"{pad}{number}.{head}")
            lines += _fields({key: value for key, value in item.items() if not head or key != front}, depth + 1)
        elif isinstance(item, list):
            lines.append(f"{pad}- " + " · ".join(_value(part) for part in item))
        else:
            lines += _bullet(f"{pad}-", item, depth)
    return lines


def _head(key: str, value: Any) -> str:
    """What an item is headed by: a title speaks for itself, an id does not say of what kind it is."""
    return f" {_value(value)}" if key in ("title", "name") else f" **{_label(key)}:** {_value(value)}"


def _fields(record: Mapping[str, Any], depth: int) -> list[str]:
    return [line for key, value in record.items() for line in _field(key, value, depth)]


def _field(key: str, value: Any, depth: int) -> list[str]:
    head = f"{'  ' * depth}- **{_label(key)}:**"
    if isinstance(value, Mapping):
        if compact := _compact(value):
            return [f"{head} {compact}"]
        return [head, *_fields(value, depth + 1)] if value else [f"{head} none"]
    if isinstance(value, list):
        if not value:
            return [f"{head} none"]
        if all(_is_leaf(part) and not _is_long(part) for part in value):
            return [f"{head} " + "; ".join(_value(part) for part in value)]
        return [head, *items(value, depth + 1)]
    return _bullet(head, value, depth)


def _compact(record: Mapping[str, Any]) -> str:
    """A record of few short values on one line; "" where it is none."""
    parts: list[str] = []
    for key, value in record.items():
        if isinstance(value, list) and all(_is_leaf(part) and not _is_long(part) for part in value):
            shown = "; ".join(_value(part) for part in value) or "none"
        elif _is_leaf(value) and not _is_long(value):
            shown = _value(value)
        else:
            return ""
        parts.append(f"**{_label(key)}:** {shown}")
    line = " · ".join(parts)
    return line if len(line) <= COMPACT else ""


def _bullet(head: str, value: Any, depth: int) -> list[str]:
    if isinstance(value, str) and _is_long(value):
        pad = "  " * (depth + 1)
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", value)), default=0))
        return [head, f"{pad}{fence}text", *(pad + line for line in value.splitlines()), pad + fence]
    return [f"{head} {_value(value)}"]


def _is_leaf(value: Any) -> bool:
    return not isinstance(value, Mapping | list)


def _is_long(value: Any) -> bool:
    return isinstance(value, str) and (len(value) > INLINE or "\n" in value)


def _value(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return inline(value) if isinstance(value, str) else str(value)


def inline(text: str) -> str:
    """A string on one line that cannot act as Markdown: as it is where it is harmless, else in a code span."""
    text = " ".join(text.split("\n")).strip()
    if not text:
        return '""'
    if _LINK.fullmatch(text) or not _ACTIVE.search(text):
        return text
    fence = "`" * (1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _label(key: str) -> str:
    return inline(str(key)) if _ACTIVE.search(str(key)) else str(key).replace("_", " ")


def _provenance(provenance: Mapping[str, Any]) -> list[str]:
    run = f" · run `{provenance['run_id']}`" if provenance.get("run_id") else ""
    versions = ", ".join(f"{name} {version}" for name, version in provenance.get("versions", {}).items())
    lines = [
        f"_Provenance: {inline(provenance['tool'])}{run} · {versions}_"
        if versions
        else f"_Provenance: {inline(provenance['tool'])}{run}_"
    ]
    for source in provenance.get("sources", ()):
        said = [
            source["source"],
            source.get("retrieved_at", ""),
            f"HTTP {source['http_status']}" if source.get("http_status") else "no answer",
        ]
        said += ["from cache"] * bool(source.get("from_cache")) + [source.get("fault", "")]
        said += [f"sha256 {digest[:16]}…"] if (digest := source.get("content_sha256")) else []
        lines.append("- " + " · ".join(part for part in said if part) + f" · {inline(source['resolved_url'])}")
    if more := provenance.get("more_sources"):
        lines.append(f"- and {more} more, all in `run:{provenance.get('run_id', '')}`")
    return lines
