"""An answer that is larger than its budget: the whole becomes an artifact, the first part stays in the answer."""

import logging
from collections.abc import Mapping
from typing import Any

import msgspec

from vouched.context import Context
from vouched.defects import log_defect
from vouched.faults import Fault

__all__ = ["shortened", "size"]

# A text is cut only where rows alone do not help, and to no less than this.
SHORTEST_TEXT = 200
log = logging.getLogger("vouched.overflow")


def size(value: Any) -> int:
    """Characters of `value` as JSON."""
    return len(msgspec.json.encode(value).decode())


async def shortened(data: Any, context: Context) -> Any:
    """`data` within the budget. Whole rows only; what is left out is counted, kept and linked.

    A call that is not recorded writes nothing at all; it keeps within the budget by itself.
    """
    room = context.settings.limits.answer_chars
    if not context.run_id or size(data) <= room:
        return data
    cut = _Cut()
    kept = cut.to(data, room, "rows")
    context.warn(f"The answer is too large: {'; '.join(cut.said)}. {await _kept(data, context)}")
    return kept


async def _kept(data: Any, context: Context) -> str:
    """Where the whole is; a store that fails costs the rest, not the first part."""
    content = msgspec.json.format(msgspec.json.encode(data), indent=1)
    try:
        artifact = await context.keep(f"{context.tool}-answer.json", content, "application/json", kind="answer")
    except Fault as fault:
        return f"The whole could not be kept: {fault.message} Ask for less at once."
    except Exception as error:
        log_defect(log, context.settings, "an answer could not be kept", error)
        return f"The whole could not be kept ({type(error).__name__}). Ask for less at once."
    return f"The whole is artifact:{artifact.artifact_id}; read it by pages with vouched_read_session."


class _Cut:
    """Shortens data of any shape. Attributes: said: what was left out, one phrase each."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def to(self, value: Any, room: int, name: str) -> Any:
        """`value` in about `room` characters: rows of the largest lists first, texts last."""
        if size(value) <= room:
            return value
        if isinstance(value, list):
            return self._rows(value, room, name)
        if isinstance(value, dict):
            return self._record(value, room, name)
        return self._text(value, room, name) if isinstance(value, str) else value

    def _rows(self, rows: list[Any], room: int, name: str) -> list[Any]:
        used, kept = 2, 0
        for row in rows:
            used += size(row) + 1
            if used > room and kept:
                break
            kept += 1
        if kept < len(rows):
            self.said.append(f"{kept} of {len(rows)} {name.replace('_', ' ')} are shown")
        # One row is always there, so that something is; it may be too large by itself.
        return [self.to(rows[0], room - 3, name), *rows[1:kept]] if kept == 1 else rows[:kept]

    def _record(self, record: Mapping[str, Any], room: int, name: str) -> dict[str, Any]:
        kept = dict(record)
        for key in sorted(kept, key=lambda key: (not isinstance(kept[key], list), -size(kept[key]))):
            over = size(kept) - room
            if over <= 0:
                break
            before = kept[key]
            kept[key] = self.to(before, max(0, size(before) - over), key if isinstance(before, list) else name)
            if isinstance(before, list) and kept.get("returned") == len(before):
                # What counts the rows of an answer counts those that are there.
                kept["returned"] = len(kept[key])
        return kept

    def _text(self, text: str, room: int, name: str) -> str:
        end = max(SHORTEST_TEXT, room - 40)
        if len(text) <= end + 40:
            return text
        said = f"long texts of {name.replace('_', ' ')} are cut"
        self.said += [said] if said not in self.said else []
        return f"{text[:end]}… [{len(text) - end} more characters]"
