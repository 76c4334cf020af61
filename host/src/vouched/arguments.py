"""What clients really send -> what the tool declared.

Clients send lists as JSON text, numbers as text, null for what they leave out, camelCase names, everything nested under
`request`. All that is accepted and turned towards the declared type only; afterwards msgspec checks strictly, and what is
wrong is refused with its path, what was expected and an example. Nothing is executed before everything is right.
"""

import re
import types
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from vouched import ids, schema
from vouched.faults import InvalidArgument
from vouched.schema import Parameter
from vouched.settings import FALSE, TRUE

__all__ = ["UNIVERSAL", "read"]

# Names that other servers and models use for the one vocabulary of this one.
UNIVERSAL: Mapping[str, str] = {
    "pmids": "ids",
    "pmid": "ids",
    "id": "ids",
    "identifiers": "ids",
    "pmcids": "ids",
    "dois": "ids",
    "doi": "ids",
    "max_results": "limit",
    "retmax": "limit",
    "page_size": "limit",
    "maxresults": "limit",
    "pagesize": "limit",
    "term": "query",
    "q": "query",
    "next_cursor": "cursor",
}
MAX_TEXT = 100_000
_FENCE = re.compile(r"^\s*```[\w-]*\s*\n(.*?)\n?\s*```\s*$", re.DOTALL)
_BULLET = re.compile(r"^\s*(?:[-*•]|[0-9]+[.)])\s+")


def read(tool: str, declared: Mapping[str, Parameter], raw: Any, synonyms: Mapping[str, str]) -> dict[str, Any]:
    """Arguments ready for the tool, but for identifiers, which stay lists of strings.

    Raises:
        InvalidArgument: naming path, expectation and example.
    """
    given = _unnested(raw, declared)
    named = _named(tool, given, declared, synonyms)
    values: dict[str, Any] = {}
    for name, parameter in declared.items():
        value = named.get(name)
        if value is None or value == "" or (value == [] and not parameter.required):
            if parameter.required:
                raise InvalidArgument(
                    f"`{name}` is missing." if name not in named else f"`{name}` is empty.",
                    path=name,
                    expected=expectation(parameter),
                    example=example(parameter),
                )
            values[name] = parameter.default
            continue
        values[name] = _converted(_towards(value, parameter.type, parameter.marker), parameter)
    return values


def _unnested(raw: Any, declared: Mapping[str, Parameter]) -> dict[str, Any]:
    """The arguments object itself: also from JSON text, and from under `request` where a client nests it."""
    if raw is None:
        return {}
    if isinstance(raw, str):
        raw = _json(raw)
    if isinstance(raw, Mapping) and len(raw) == 1:
        ((key, inner),) = raw.items()
        if key in ("request", "params", "arguments", "input") and key not in declared:
            inner = _json(inner) if isinstance(inner, str) else inner
            if isinstance(inner, Mapping):
                raw = inner
    if not isinstance(raw, Mapping):
        raise InvalidArgument(
            "The arguments are not an object.", path="", expected="a JSON object", example='{"query": "…"}'
        )
    return dict(raw)


def _json(text: str) -> Any:
    """JSON text, also in a code fence; the text itself where it is none."""
    fenced = _FENCE.match(text)
    try:
        return msgspec.json.decode((fenced[1] if fenced else text).strip())
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return fenced[1] if fenced else text


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip()).replace("-", "_").replace(" ", "_").lower()


def _named(
    tool: str, given: Mapping[str, Any], declared: Mapping[str, Parameter], synonyms: Mapping[str, str]
) -> dict[str, Any]:
    named: dict[str, Any] = {}
    spelt: dict[str, str] = {}
    for key, value in given.items():
        snake = _snake(str(key))
        name = key if key in declared else snake
        if name not in declared:
            name = synonyms.get(str(key)) or synonyms.get(snake) or UNIVERSAL.get(snake) or snake
        if name not in declared:
            accepted = ", ".join(declared) or "no arguments"
            raise InvalidArgument(
                f"{tool} has no argument `{str(key)[:60]}`.",
                path=str(key)[:60],
                expected=f"one of: {accepted}",
                hint=f"Accepted: {accepted}.",
            )
        if value is None or value == "":
            named.setdefault(name, value)
            continue
        if named.get(name) not in (None, "") and named[name] != value:
            raise InvalidArgument(
                f"`{spelt[name]}` and `{key}` are the same argument with different values.",
                path=name,
                hint=f"Send `{name}` once.",
            )
        named[name] = value
        spelt[name] = str(key)
    return named


def _bare(hint: Any) -> Any:
    """A type without its metadata and its None."""
    if get_origin(hint) is Annotated:
        return _bare(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType):
        rest = [part for part in get_args(hint) if part is not type(None)]
        return _bare(rest[0]) if len(rest) == 1 else hint
    return hint


def _towards(value: Any, hint: Any, marker: str = "") -> Any:
    """Turn `value` towards the declared type; what cannot be turned comes back as it is and fails the strict check."""
    bare = _bare(hint)
    origin = get_origin(bare)
    if origin is list:
        return _list(value, get_args(bare)[0], marker)
    if origin is Literal:
        return _choice(value, get_args(bare))
    if bare is str:
        return _text(value)
    if bare is bool:
        return _truth(value)
    if bare is int:
        return _integer(value)
    if bare is float:
        return _number(value)
    if isinstance(bare, type) and issubclass(bare, msgspec.Struct):
        return _record(value, bare)
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
        folded = _snake(value)
        for choice in choices:
            if isinstance(choice, str) and folded in (_snake(choice), choice.lower()):
                return choice
        if any(isinstance(choice, int) for choice in choices):
            return _integer(value)
    return value


def _record(value: Any, type_: type[msgspec.Struct]) -> Any:
    if isinstance(value, str):
        value = _json(value)
    if not isinstance(value, Mapping):
        return value
    fields = {field.name: field for field in msgspec.structs.fields(type_)}
    turned: dict[str, Any] = {}
    for key, inner in value.items():
        name = key if key in fields else _snake(str(key))
        if inner is None or (inner == "" and name in fields and not fields[name].required):
            continue
        turned[name] = _towards(inner, fields[name].type) if name in fields else inner
    return turned


def _list(value: Any, item: Any, marker: str) -> Any:
    bare = _bare(item)
    if isinstance(value, str):
        if len(value) > MAX_TEXT:
            raise InvalidArgument(
                f"The text of this list has {len(value)} characters; {MAX_TEXT} are the limit.", path=""
            )
        value = _from_text(value, bare, marker)
    elif isinstance(value, Mapping | int | float):
        value = [value]
    if not isinstance(value, list | tuple):
        return value
    if marker == "ids":
        return [part for element in value for part in _id_elements(element)]
    if get_origin(bare) is Literal:
        words = [word for element in value for word in (_words(element) if isinstance(element, str) else [element])]
        return [_choice(word, get_args(bare)) for word in words]
    return [_towards(element, item) for element in value if element is not None and element != ""]


def _from_text(text: str, item: Any, marker: str) -> Any:
    """A list out of one text: JSON, a fenced block, bullets, lines; commas and spaces only for ids and choices."""
    parsed = _json(text)
    if isinstance(parsed, list):
        return parsed
    if isinstance(parsed, Mapping):
        return [parsed]
    source = parsed if isinstance(parsed, str) else text
    if marker == "ids":
        return [source]
    if get_origin(item) is Literal:
        return _words(source)
    if isinstance(item, type) and issubclass(item, msgspec.Struct):
        return [parsed]
    lines = [_BULLET.sub("", line).strip() for line in source.splitlines() if line.strip()]
    return lines if len(lines) > 1 else [_BULLET.sub("", source).strip()]


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,;|]+", text.strip()) if word]


def _id_elements(element: Any) -> list[str]:
    """One submitted element as its identifiers; what is no text becomes an element that names its type."""
    if isinstance(element, bool) or not isinstance(element, str | int | float):
        return [] if element is None else [f"<{type(element).__name__}>"]
    text = _text(element)
    if not text.strip():
        return []
    parts = ids.split(text)
    # A text in which nothing is an identifier is one bad element, not as many as it has words.
    return parts if len(parts) > 1 and any(ids.handle(part) or ids.parse(part).id for part in parts) else [text]


def _converted(value: Any, parameter: Parameter) -> Any:
    try:
        return msgspec.convert(value, parameter.type)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at `$")
        path = parameter.name + place.rstrip("`")
        raise InvalidArgument(
            f"`{path}`: {reason[0].lower() + reason[1:]}.",
            path=path,
            expected=expectation(parameter),
            example=example(parameter),
        ) from None


def expectation(parameter: Parameter) -> str:
    """What a parameter takes, in a few words."""
    return _expected(parameter.type)


def _expected(hint: Any) -> str:
    bare, bounds = _bare(hint), _bounds(hint)
    origin = get_origin(bare)
    if origin is Literal:
        return "one of " + ", ".join(str(choice) for choice in get_args(bare))
    if origin is list:
        return f"a list of {_expected(get_args(bare)[0])}{bounds}"
    if isinstance(bare, type) and issubclass(bare, msgspec.Struct):
        return "an object with " + ", ".join(field.name for field in msgspec.structs.fields(bare))
    names = {str: "text", int: "an integer", float: "a number", bool: "true or false"}
    return f"{names.get(bare, 'a value')}{bounds}"


def _bounds(hint: Any) -> str:
    said: list[str] = []
    for meta in schema.bounds(hint):
        low = meta.ge if meta.ge is not None else meta.gt
        high = meta.le if meta.le is not None else meta.lt
        said += [f"at least {low}"] * (low is not None) + [f"at most {high}"] * (high is not None)
        said += [f"at least {meta.min_length} long"] * (meta.min_length is not None)
        said += [f"at most {meta.max_length} long"] * (meta.max_length is not None)
    return f" ({', '.join(said)})" if said else ""


def example(parameter: Parameter) -> str:
    """An example value as JSON text."""
    for meta in schema.bounds(parameter.type):
        if meta.examples:
            return msgspec.json.encode({parameter.name: meta.examples[0]}).decode()
    bare = _bare(parameter.type)
    value: Any = {str: "sepsis", int: 10, float: 0.5, bool: True}.get(bare)
    if parameter.marker == "ids":
        value = ["18276894", "PMC3531190"]
    elif get_origin(bare) is Literal:
        value = get_args(bare)[0]
    elif get_origin(bare) is list:
        value = []
    return msgspec.json.encode({parameter.name: parameter.default if parameter.default is not None else value}).decode()
