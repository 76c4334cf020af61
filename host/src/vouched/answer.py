"""The envelope of every answer, its size, and cursors."""

import base64
import binascii
import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from vouched.faults import Fault, InvalidArgument
from vouched.remote import Exchange
from vouched.tooling import Image, Link, OutlineEntry, Restriction

__all__ = [
    "Envelope",
    "ErrorInfo",
    "Provenance",
    "Result",
    "echoed",
    "error_info",
    "fingerprint",
    "fitting",
    "make_cursor",
    "open_cursor",
    "page",
]

MAX_EXCHANGES = 20
MAX_URL = 300
MAX_ECHO = 4_000
# Characters of exchanges that what is reserved beside the rows of an answer covers: some four.
FEW_EXCHANGES = 1_500
CURSOR_VERSION = 1


class ErrorInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """A failure as the caller sees it; see `vouched.faults.Fault` for the fields."""

    code: str
    message: str
    retryable: bool
    hint: str = ""
    retry_after: float | None = None
    source: str = ""
    path: str = ""
    expected: str = ""
    example: str = ""


class Provenance(msgspec.Struct, omit_defaults=True, frozen=True, kw_only=True):
    """Where an answer comes from.

    Attributes:
        tool; query_params: arguments after normalisation, long ones cut; versions of host and plugins that took part.
        run_id: under which the journal has the whole of it.
        sources: at most 20 exchanges; more_sources: how many there were beyond.
    """

    tool: str
    query_params: dict[str, Any] = {}
    versions: dict[str, str] = {}
    run_id: str = ""
    sources: list[Exchange] = []
    more_sources: int = 0


class Envelope(msgspec.Struct, omit_defaults=True, frozen=True, kw_only=True):
    """The same for every tool; only `status` is always there."""

    status: Literal["ok", "partial", "restricted", "outline", "error"]
    data: Any = None
    restriction: Restriction | None = None
    outline: list[OutlineEntry] = []
    error: ErrorInfo | None = None
    warnings: list[str] = []
    next_cursor: str | None = None
    provenance: Provenance | None = None


class Result(msgspec.Struct, omit_defaults=True, frozen=True):
    """A finished call: the envelope as plain JSON data, the same as text, and what is attached."""

    structured: dict[str, Any]
    text: str
    attachments: list[Image | Link] = []

    @property
    def is_error(self) -> bool:
        """Whether the call failed."""
        return bool(self.structured["status"] == "error")


def _length(value: Any) -> int:
    return len(msgspec.json.encode(value).decode(errors="replace"))


def error_info(fault: Fault) -> ErrorInfo:
    """A fault as part of an answer."""
    return ErrorInfo(
        fault.code,
        fault.message,
        fault.retryable,
        fault.hint,
        fault.retry_after,
        fault.source,
        fault.path,
        fault.expected,
        fault.example,
    )


def shortened(exchanges: Sequence[Exchange]) -> tuple[list[Exchange], int]:
    """The exchanges that stand in an answer, long URLs cut, and how many more there were."""
    kept = [
        msgspec.structs.replace(e, resolved_url=e.resolved_url[: MAX_URL - 1] + "…", form={})
        if len(e.resolved_url) > MAX_URL
        else msgspec.structs.replace(e, form={})
        if len(msgspec.json.encode(e.form)) > MAX_URL
        else e
        for e in exchanges[:MAX_EXCHANGES]
    ]
    return kept, max(0, len(exchanges) - MAX_EXCHANGES)


def echoed(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments as an answer repeats them: the run has them whole, so that long ones are cut here."""
    return {name: _cut(value) for name, value in arguments.items()} if _length(arguments) > MAX_ECHO else {**arguments}


def _cut(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= MAX_URL else value[: MAX_URL - 1] + "…"
    if isinstance(value, dict):
        return {name: _cut(inner) for name, inner in value.items()}
    if not isinstance(value, list):
        return value
    kept: list[Any] = []
    used = 0
    for element in map(_cut, value):
        used += _length(element) + 1
        if used > MAX_ECHO // 2:
            return [*kept, f"… {len(value) - len(kept)} more"]
        kept.append(element)
    return kept


def fitting(rows: Sequence[Any], room: int, measure: Callable[[Any], int] = _length) -> int:
    """How many whole rows fit into `room` characters of JSON; at least one, so that every page moves on.

    Args:
        measure: characters that a row takes, where not those of its JSON.
    """
    used = 0
    for count, row in enumerate(rows):
        used += measure(row) + 1
        if used > room and count:
            return count
    return len(rows)


def page(rows: Sequence[Any], room: int, exchanges: Sequence[Exchange]) -> int:
    """How many whole rows fit into `room` characters of each face of an answer, with what they came from."""
    beside = sum(_length(exchange) for exchange in shortened(exchanges)[0])
    return fitting(rows, room - max(0, beside - FEW_EXCHANGES), _in_both_faces)


def _in_both_faces(row: Any) -> int:
    """Characters that a row takes in the larger of the two faces: its JSON, and its Markdown in a list."""
    from vouched.render import items

    as_text = items([msgspec.to_builtins(row)], 0)
    return max(_length(row), sum(map(len, as_text)) + len(as_text))


def fingerprint(tool: str, arguments: Mapping[str, Any]) -> str:
    """What a cursor is bound to: the tool and its arguments, but for the cursor itself and the form of the text."""
    bound = {
        key: value for key, value in arguments.items() if key not in ("cursor", "output_format") and value is not None
    }
    return hashlib.sha256(msgspec.json.encode([tool, bound], order="sorted")).hexdigest()[:16]


def make_cursor(tool: str, bound_to: str, state: Any) -> str:
    """An opaque, url-safe cursor."""
    token = msgspec.json.encode({"v": CURSOR_VERSION, "t": tool, "f": bound_to, "s": state})
    check = hashlib.sha256(token).digest()[:6]
    return base64.urlsafe_b64encode(check + token).rstrip(b"=").decode()


def open_cursor(cursor: str, tool: str, bound_to: str) -> Any:
    """What `make_cursor` put in.

    Raises:
        InvalidArgument: for anything that is not a cursor, or one of another tool or other arguments.
    """
    hint = "Pass `next_cursor` of the answer before, with the same tool and arguments, or leave it out to begin again."
    try:
        raw = base64.urlsafe_b64decode(cursor.strip() + "=" * (-len(cursor.strip()) % 4))
        check, token = raw[:6], raw[6:]
        content = msgspec.json.decode(token)
        if hashlib.sha256(token).digest()[:6] != check or content["v"] != CURSOR_VERSION:
            raise ValueError
    except (ValueError, TypeError, KeyError, binascii.Error, msgspec.MsgspecError):
        raise InvalidArgument("This is not a cursor of this server.", path="cursor", hint=hint) from None
    if content["t"] != tool or content["f"] != bound_to:
        raise InvalidArgument("This cursor belongs to another tool or to other arguments.", path="cursor", hint=hint)
    return content["s"]
