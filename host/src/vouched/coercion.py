"""What a client sent, turned towards the declared type; what cannot be turned stays, and fails the strict check."""

import re
import types
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from vouched import ids
from vouched.configuration import FALSE, TRUE
from vouched.faults import InvalidArgument

__all__ = ["bare", "from_json", "snake", "towards"]

MAX_TEXT = 100_000
# Of an element that is no text at all, this much is echoed.
MAX_JUNK = 60
_FENCE = re.compile(r"^\s*```[\w-]*\s*\n(.*?)\n?\s*```\s*$", re.DOTALL)
_BULLET = re.compile(r"^\s*(?:[-*•]|[0-9]+[.)])\s+")


def from_json(text: str) -> Any:
    """JSON text, also in a code fence; the text itself where it is none."""
    fenced = _FENCE.match(text)
    try:
        return msgspec.json.decode((fenced[1] if fenced else text).strip())
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return fenced[1] if fenced else text


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip()).replace("-", "_").replace(" ", "_").lower()


def bare(hint: Any) -> Any:
    """A type without its metadata and its None."""
    if get_origin(hint) is Annotated:
        return bare(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType):
        rest = [part for part in get_args(hint) if part is not type(None)]
        return bare(rest[0]) if len(rest) == 1 else hint
    return hint


def towards(value: Any, hint: Any, marker: str = "") -> Any:
    """Turn `value` towards the declared type; what cannot be turned comes back as it is and fails the strict check."""
    wanted = bare(hint)
    origin = get_origin(wanted)
    if origin is list:
        return _list(value, get_args(wanted)[0], marker)
    if origin is Literal:
        return _choice(value, get_args(wanted))
    if wanted is str:
        return _text(value)
    if wanted is bool:
        return _truth(value)
    if wanted is int:
        return _integer(value)
    if wanted is float:
        return _number(value)
    if isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
        return _record(value, wanted)
    return value


def _text(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, dict):
        # Some clients parse text that looks like JSON; it was text.
        return msgspec.json.encode(value).decode()
    return value


def _truth(value: Any) -> Any:
    word = str(value).strip().lower() if isinstance(value, str | int) else None
    if word in TRUE or word in FALSE:
        return word in TRUE
    return value


def _integer(value: Any) -> Any:
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?[0-9]{1,18}(?:\.0+)?\s*", value):
        return int(value.strip().partition(".")[0])
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    return value


def _number(value: Any) -> Any:
    if isinstance(value, str) and re.fullmatch(
        r"\s*[+-]?[0-9]{1,18}(?:\.[0-9]{1,18})?(?:[eE][+-]?[0-9]{1,3})?\s*", value
    ):
        return float(value)
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _choice(value: Any, choices: Sequence[Any]) -> Any:
    if isinstance(value, str):
        folded = snake(value)
        for choice in choices:
            if isinstance(choice, str) and folded in (snake(choice), choice.lower()):
                return choice
        if any(isinstance(choice, int) for choice in choices):
            return _integer(value)
    return value


def _record(value: Any, type_: type[msgspec.Struct]) -> Any:
    if isinstance(value, str):
        value = from_json(value)
    if not isinstance(value, Mapping):
        return value
    fields = {field.name: field for field in msgspec.structs.fields(type_)}
    turned: dict[str, Any] = {}
    for key, inner in value.items():
        name = key if key in fields else snake(str(key))
        if inner is None or (inner == "" and name in fields and not fields[name].required):
            continue
        turned[name] = towards(inner, fields[name].type) if name in fields else inner
    return turned


def _list(value: Any, item: Any, marker: str) -> Any:
    wanted = bare(item)
    if isinstance(value, str):
        if len(value) > MAX_TEXT:
            raise InvalidArgument(f"The text of this list has {len(value)} characters; {MAX_TEXT} are the limit.")
        value = _from_text(value, wanted, marker)
        if marker == "ids" and isinstance(value, str):
            return _pasted(value)
    elif isinstance(value, Mapping | int | float):
        value = [value]
    if not isinstance(value, list | tuple):
        return value
    if all(element is None or (isinstance(element, str) and not element.strip()) for element in value):
        # Some clients fill what they leave out with one empty element.
        return []
    if marker == "ids":
        return [part for element in value for part in _id_elements(element)]
    if marker == "texts":
        # One row answers one element: an empty one keeps its place.
        return [towards("" if element is None else element, item) for element in value]
    if get_origin(wanted) is Literal:
        words = [word for element in value for word in (_words(element) if isinstance(element, str) else [element])]
        return [_choice(word, get_args(wanted)) for word in words]
    return [towards(element, item) for element in value if element is not None and element != ""]


def _from_text(text: str, item: Any, marker: str) -> Any:
    """A list out of one text: JSON, a fenced block, bullets, lines; commas and spaces only for ids and choices."""
    parsed = from_json(text)
    if isinstance(parsed, list):
        return parsed
    if isinstance(parsed, Mapping):
        return [parsed]
    source = parsed if isinstance(parsed, str) else text
    if marker == "ids":
        return source
    if get_origin(item) is Literal:
        return _words(source)
    if isinstance(item, type) and issubclass(item, msgspec.Struct):
        return [parsed]
    lines = [_BULLET.sub("", line).strip() for line in source.splitlines() if line.strip()]
    return lines if len(lines) > 1 else [_BULLET.sub("", source).strip()]


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,;|]+", text.strip()) if word]


def _pasted(text: str) -> list[str]:
    """The identifiers of one pasted text; a text in which nothing is one stays whole, as one bad element."""
    parts = ids.split(text)
    return parts if any(_means_something(part) for part in parts) else [text] if text.strip() else []


def _id_elements(element: Any) -> list[str]:
    """One element of a list: several only where each part is an identifier; what is no text is shown as JSON."""
    if element is None:
        return [""]
    if isinstance(element, bool) or not isinstance(element, str | int | float):
        return [msgspec.json.encode(element).decode()[:MAX_JUNK]]
    text = _text(element)
    if _means_something(text):
        return [text]
    parts = ids.split(text)
    # `PMID 1 (2023)` is one element: what stands in brackets beside an id is no second one.
    several = len(parts) > 1 and all(part[0] not in "([{" and _means_something(part) for part in parts)
    return parts if several else [text]


def _means_something(text: str) -> bool:
    return ids.handle(text) is not None or ids.parse(text).id is not None
