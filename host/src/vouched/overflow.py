"""An answer that is larger than its budget: the whole becomes an artifact, the first part stays in the answer."""

from typing import Any

import msgspec

from vouched.context import Context

__all__ = ["shortened", "size"]

LONGEST_TEXT = 4_000


def size(value: Any) -> int:
    """Characters of `value` as JSON."""
    return len(msgspec.json.encode(value).decode())


async def shortened(data: Any, context: Context) -> Any:
    """`data` within the budget. Whole rows only; what is left out is counted, kept and linked."""
    room = context.settings.limits.answer_chars
    if size(data) <= room:
        return data
    name = f"{context.tool}-answer.json"
    artifact = await context.keep(
        name, msgspec.json.format(msgspec.json.encode(data), indent=1), "application/json", kind="answer"
    )
    said: list[str] = []
    kept = _cut(data, room, said)
    context.warn(
        f"The answer is too large: {'; '.join(said) or 'long texts are cut'}. The whole is artifact:{artifact.artifact_id} "
        f"({artifact.size:,} bytes), read it by pages with vouched_read_session."
    )
    return kept


def _cut(data: Any, room: int, said: list[str]) -> Any:
    """Shorten the largest list by whole rows, again and again, then cut what long texts remain."""
    if isinstance(data, list):
        rows = _rows(data, room)
        said.append(f"{len(rows)} of {len(data)} rows are shown")
        return rows
    if not isinstance(data, dict):
        return data
    kept = dict(data)
    for _ in range(len(kept)):
        over = size(kept) - room
        lists = {key: size(value) for key, value in kept.items() if isinstance(value, list) and len(value) > 1}
        if over <= 0 or not lists:
            break
        key = max(lists, key=lambda name: lists[name])
        rows = _rows(kept[key], max(0, lists[key] - over))
        said.append(f"{len(rows)} of {len(kept[key])} {key.replace('_', ' ')} are shown")
        if len(rows) == len(kept[key]):
            break
        kept[key] = rows
    return kept if size(kept) <= room else _shorter_texts(kept)


def _rows(rows: list[Any], room: int) -> list[Any]:
    used = 2
    kept: list[Any] = []
    for row in rows:
        used += size(row) + 1
        if used > room and kept:
            break
        kept.append(row)
    return kept


def _shorter_texts(value: Any) -> Any:
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return value[:LONGEST_TEXT] + f"… [{len(value) - LONGEST_TEXT} more characters in the artifact]"
    if isinstance(value, list):
        return [_shorter_texts(part) for part in value]
    if isinstance(value, dict):
        return {key: _shorter_texts(part) for key, part in value.items()}
    return value
