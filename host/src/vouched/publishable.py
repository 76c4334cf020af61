"""Whether what a tool declares can be published and called: asked of every tool when its plugin loads.

Building all schemas would cost every start tens of milliseconds. So types made of the usual parts are judged by walking
them; a schema is built only where a type holds something else, and then it is the judge.
"""

import inspect
import math
import types
import typing
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from vouched import schema
from vouched.context import Context
from vouched.tooling import Tool

__all__ = ["check"]

FORMS = ("markdown", "json", "toon")
LEAVES = frozenset({str, int, float, bool, type(None), Any})
# What a tool says of itself, beside its name and its function.
FIELDS: Mapping[str, Any] = {
    "description": str, "serves": str, "title": str | None, "deadline": float | int | None, "idempotent": bool,
    "open_world": bool, "read_only": bool, "finds": bool | None, "aliases": tuple,
}  # fmt: skip


def check(tool: Tool) -> None:
    """Refuse a tool that could not be listed, or that no call could reach.

    Raises:
        TypeError, ValueError: naming the tool and the parameter or field.
    """
    place = f"tool {tool.name!r}"
    _check_fields(tool, place)
    hints = _hints(tool, place)
    _check_signature(tool, hints, place)
    parameters = schema.parameters(tool, hints)
    for parameter in parameters.values():
        _check_parameter(parameter, f"parameter {parameter.name!r} of {place}")
    strange = sorted(str(name) for name in set(tool.synonyms.values()) - set(parameters))
    if strange:
        raise ValueError(f"{place} has synonyms for {', '.join(strange)}, which is no parameter of it")
    answer = f"the answer of {place}"
    given = schema.returns(tool, hints)
    if not _plain(given, answer, ()):
        _built(lambda: schema.output_schema(tool), answer)
    _built(lambda: msgspec.json.Decoder(given), answer)


def _check_fields(tool: Tool, place: str) -> None:
    for name, wanted in FIELDS.items():
        if not isinstance(getattr(tool, name), wanted):
            kind = type(getattr(tool, name)).__name__
            raise TypeError(f"{name} of {place} is {kind}, not {getattr(wanted, '__name__', wanted)}")
    if isinstance(tool.deadline, bool) or (tool.deadline is not None and not 0 < tool.deadline < math.inf):
        raise ValueError(f"deadline of {place} is {tool.deadline!r}, not a number of seconds above 0")
    if tool.journal not in ("run", "none"):
        raise ValueError(f"journal of {place} is {tool.journal!r}, not 'run' or 'none'")
    if not all(isinstance(alias, str) and alias for alias in tool.aliases):
        raise TypeError(f"aliases of {place} are not all names: {tool.aliases!r}")
    if not isinstance(tool.synonyms, Mapping) or not all(isinstance(name, str) for name in tool.synonyms):
        raise TypeError(f"synonyms of {place} are not a table of other spelling -> parameter")
    if not inspect.iscoroutinefunction(tool.function):
        raise TypeError(f"the function of {place} is not async")


def _hints(tool: Tool, place: str) -> dict[str, Any]:
    try:
        return typing.get_type_hints(tool.function, include_extras=True)
    except Exception as error:
        raise TypeError(f"the annotations of {place} cannot be read: {type(error).__name__}: {error}") from None


def _check_signature(tool: Tool, hints: Mapping[str, Any], place: str) -> None:
    """The host must be able to call the function: first the context, the others by name."""
    declared = list(inspect.signature(tool.function).parameters.values())
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if not declared or declared[0].kind not in by_position:
        raise TypeError(f"the first parameter of {place} must be its context (ctx: Context)")
    first, *others = declared
    if first.name in ("self", "cls"):
        raise TypeError(f"{place} is a method: its first parameter is {first.name!r}; a tool is a function of a module")
    for parameter in others:
        if parameter.kind is parameter.POSITIONAL_ONLY:
            raise TypeError(f"parameter {parameter.name!r} of {place} is positional-only; arguments come by name")
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            stars = "*" if parameter.kind is parameter.VAR_POSITIONAL else "**"
            raise TypeError(f"{place} takes {stars}{parameter.name}; each argument needs a name and a type of its own")
        if parameter.annotation is parameter.empty:
            raise TypeError(f"parameter {parameter.name!r} of {place} has no annotation")
    if hints.get(first.name, Context) not in (Context, Any):
        raise TypeError(f"the first parameter of {place} is {first.name!r}, which must be its Context")


def _check_parameter(parameter: schema.Parameter, place: str) -> None:
    if (parameter.name == "cursor") is not (parameter.marker == "cursor"):
        raise TypeError(
            f"{place}: a continuation is written `cursor: Cursor = None`, and nothing else is called cursor"
        )
    if parameter.name == "output_format":
        _check_forms(parameter.type, place)
    if not _plain(parameter.type, place, ()):
        _built(lambda: _refuse_combinators(schema.published(parameter), place), place)
    _built(lambda: msgspec.json.Decoder(parameter.type), place)
    if parameter.required:
        return
    try:
        msgspec.convert(parameter.default, parameter.type)
    except (msgspec.ValidationError, TypeError) as error:
        raise ValueError(f"{place} has the default {parameter.default!r}, which it does not take: {error}") from None


def _check_forms(hint: Any, place: str) -> None:
    parts = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    choices = [get_args(part) for part in parts if part is not type(None)]
    if not all(choice and set(choice) <= set(FORMS) for choice in choices):
        raise TypeError(f"{place}: the host reads this name; its type is Literal[{', '.join(map(repr, FORMS))}]")


def _built(build: Any, place: str) -> None:
    try:
        build()
    except Exception as error:
        raise TypeError(f"{place} cannot be published: {error}") from None


def _refuse_combinators(node: Any, place: str) -> None:
    """MCP clients differ in what they take of JSON Schema; all take its plain part."""
    if isinstance(node, list):
        for part in node:
            _refuse_combinators(part, place)
    elif isinstance(node, dict):
        for key in ("$ref", "oneOf", "anyOf", "allOf", "not", "const"):
            if key in node:
                raise TypeError(f"its schema has {key}, which many MCP clients refuse")
        for key, part in node.items():
            _refuse_combinators(list(part.values()) if key == "properties" else part, place)


def _plain(hint: Any, place: str, above: tuple[Any, ...]) -> bool:
    """Whether a type is made of parts whose schema is known to be plain.

    Raises:
        TypeError: for a union, or a record that holds itself.
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in LEAVES if origin is None else False:
        return True
    if origin is Annotated:
        usual = all(not isinstance(extra, msgspec.Meta) or not extra.extra_json_schema for extra in hint.__metadata__)
        return _plain(arguments[0], place, above) and usual
    if origin in (Union, types.UnionType):
        # An unset field is left out; it has no value of its own.
        rest = [part for part in arguments if part not in (type(None), msgspec.UnsetType)]
        if len(rest) > 1:
            raise TypeError(f"{place} is a union of {len(rest)} types; MCP clients take one.")
        return _plain(rest[0], place, above)
    if origin is Literal:
        return all(isinstance(choice, str) for choice in arguments)
    if origin in (list, dict):
        judged = [_plain(part, place, above) for part in arguments]
        return all(judged)
    if inspect.isclass(hint) and issubclass(hint, msgspec.Struct):
        if hint in above:
            raise TypeError(f"{place} is recursive: {hint.__name__} holds itself.")
        fields = typing.get_type_hints(hint, include_extras=True).items()
        judged = [_plain(type_, f"{place}, field {hint.__name__}.{name}", (*above, hint)) for name, type_ in fields]
        return all(judged)
    return False
