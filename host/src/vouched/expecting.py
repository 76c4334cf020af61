"""What an argument takes, in words and by example: what an error says so that the next try is right."""

from typing import Any, Literal, get_args, get_origin

import msgspec

from vouched import schema
from vouched.coercion import bare
from vouched.faults import InvalidArgument
from vouched.schema import Parameter

__all__ = ["check_count", "example", "expectation"]


def expectation(parameter: Parameter) -> str:
    """What a parameter takes, in a few words."""
    return _expected(parameter.type)


def _expected(hint: Any) -> str:
    wanted, bounds = bare(hint), _bounds(hint)
    origin = get_origin(wanted)
    if origin is Literal:
        return "one of " + ", ".join(str(choice) for choice in get_args(wanted))
    if origin is list:
        counted = f", {elements}" if (elements := _elements(*_counts(hint))) else ""
        return f"a list of {_expected(get_args(wanted)[0])}{counted}"
    if isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
        return "an object with " + ", ".join(field.name for field in msgspec.structs.fields(wanted))
    names = {str: "text", int: "an integer", float: "a number", bool: "true or false"}
    return f"{names.get(wanted, 'a value')}{bounds}"


def _counts(hint: Any) -> tuple[int, int | None]:
    """The least and the most elements that a list may have."""
    found = schema.bounds(hint)
    lows, highs = [m.min_length for m in found if m.min_length], [m.max_length for m in found if m.max_length]
    return max(lows, default=0), min(highs, default=None)


def _elements(low: int, high: int | None) -> str:
    if high is not None:
        return f"{low} to {high} elements"
    return f"at least {low} element{'s' if low > 1 else ''}" if low else ""


def check_count(count: int, parameter: Parameter) -> None:
    """Refuse a list that is too short or too long; one handle may stand for more than the tool takes.

    Raises:
        InvalidArgument: with the bounds, and the way to parts of a run.
    """
    low, high = _counts(parameter.type)
    if low <= count and (high is None or count <= high):
        return
    many = high is not None and count > high
    parts = " `last[0:100]` and `run:ID[100:200]` name parts of a run." if many and parameter.marker == "ids" else ""
    raise InvalidArgument(
        f"`{parameter.name}` has {count} element{'' if count == 1 else 's'}.",
        path=parameter.name,
        expected=_elements(low, high),
        example=example(parameter),
        hint=f"Send fewer at once.{parts}" if many else "",
    )


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
    value = parameter.default if parameter.default else _sample(parameter.type, parameter.marker)
    return msgspec.json.encode({parameter.name: value}).decode()


def _sample(hint: Any, marker: str = "") -> Any:
    """A small value that the type takes: what is required of an object, one element of a list."""
    for meta in schema.bounds(hint):
        if meta.examples:
            return meta.examples[0]
    wanted = bare(hint)
    if marker == "ids":
        return ["18276894", "PMC3531190"]
    if get_origin(wanted) is Literal:
        return get_args(wanted)[0]
    if get_origin(wanted) is list:
        return [_sample(get_args(wanted)[0])]
    if isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
        fields = msgspec.structs.fields(wanted)
        needed = [field for field in fields if field.required] or list(fields[:2])
        return {field.name: _sample(field.type) for field in needed}
    low = max((meta.ge for meta in schema.bounds(hint) if meta.ge is not None), default=1)
    return {str: "…", int: max(1, int(low)), float: max(0.5, float(low)), bool: True}.get(wanted)
