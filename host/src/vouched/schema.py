"""msgspec types -> the plain JSON Schema that every MCP client accepts.

Input schemas: root `type: object`, no combinators, no `$ref`, no `const`, no exclusive bounds, no type arrays. Output
schemas: root `type: object`; `anyOf [T, null]` may stand on a leaf. A recursive or union type is refused.
"""

import inspect
import types
import typing
from collections.abc import Mapping
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec

from vouched.ids import Ref
from vouched.tooling import Answer, Marker, Tool

__all__ = ["Parameter", "bounds", "input_schema", "output_schema", "parameters", "published", "returns"]

# Bytes of the data part of an output schema.
MAX_OUTPUT = 4_000
_DROPPED = ("title", "default", "discriminator")


class Parameter(msgspec.Struct, frozen=True):
    """One declared argument of a tool.

    Attributes:
        name; type: its annotation, `list[Ref]` replaced by `list[str]`; marker: "ids", "texts", "cursor" or "".
        required; default: as the function has it.
        optional: None may be passed.
    """

    name: str
    type: Any
    marker: str
    required: bool
    default: Any
    optional: bool


def parameters(tool: Tool, hints: Mapping[str, Any] | None = None) -> dict[str, Parameter]:
    """The arguments of a tool, in order, without its context; `hints` where they are known already."""
    hints = hints or typing.get_type_hints(tool.function, include_extras=True)
    found: dict[str, Parameter] = {}
    for position, (name, parameter) in enumerate(inspect.signature(tool.function).parameters.items()):
        if position == 0:
            continue
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY) or name not in hints:
            raise TypeError(f"Parameter {name!r} of tool {tool.name!r} needs a name and an annotation of its own.")
        marker = _marker(hints[name])
        required = parameter.default is parameter.empty
        found[name] = Parameter(
            name,
            _as_strings(hints[name]),
            marker,
            required,
            None if required else parameter.default,
            _optional(hints[name]),
        )
    return found


def returns(tool: Tool, hints: Mapping[str, Any] | None = None) -> Any:
    """The data type of a tool's answer: `T` of `T` or `Answer[T]`."""
    hint = (hints or typing.get_type_hints(tool.function, include_extras=True)).get("return")
    if hint is None:
        raise TypeError(f"Tool {tool.name!r} says not what it returns.")
    return get_args(hint)[0] if get_origin(hint) is Answer else hint


def _marker(hint: Any) -> str:
    if get_origin(hint) is Annotated:
        for extra in hint.__metadata__:
            if isinstance(extra, Marker):
                return extra.name
    for part in get_args(hint):
        if found := _marker(part):
            return found
    return ""


def _optional(hint: Any) -> bool:
    inner = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    return get_origin(inner) in (Union, types.UnionType) and type(None) in get_args(inner)


def _as_strings(hint: Any) -> Any:
    """The same type with parsed references written as the strings that clients send."""
    if hint is Ref:
        return str
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        kept = [extra for extra in hint.__metadata__ if not isinstance(extra, Marker)]
        inner = _as_strings(arguments[0])
        return _annotated(inner, kept) if kept else inner
    if origin is list:
        return list[_as_strings(arguments[0])]  # type: ignore[misc]
    if origin in (Union, types.UnionType):
        return Union[tuple(_as_strings(part) for part in arguments)]  # noqa: UP007 (built at run time)
    return hint


def _annotated(hint: Any, extras: list[Any]) -> Any:
    """`Annotated`, with the bounds on the value itself where the type is `T | None`: msgspec takes them only there."""
    if get_origin(hint) in (Union, types.UnionType):
        parts = [part if part is type(None) else Annotated[(part, *extras)] for part in get_args(hint)]
        return Union[tuple(parts)]  # noqa: UP007 (built at run time)
    return Annotated[(hint, *extras)]


def bounds(hint: Any) -> list[msgspec.Meta]:
    """The bounds declared on a type, also on the `T` of `T | None`."""
    if get_origin(hint) is Annotated:
        return [extra for extra in hint.__metadata__ if isinstance(extra, msgspec.Meta)]
    if get_origin(hint) in (Union, types.UnionType):
        return [found for part in get_args(hint) for found in bounds(part)]
    return []


def _components(type_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    (schema,), components = msgspec.json.schema_components([type_], ref_template="{name}")
    return schema, components


def _inline(node: Any, components: Mapping[str, Any], above: tuple[str, ...] = ()) -> Any:
    if isinstance(node, list):
        return [_inline(part, components, above) for part in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        name = node["$ref"]
        if name in above:
            raise TypeError(f"{name} is recursive.")
        inlined = _inline(components[name], components, (*above, name))
        # A record's docstring is for programmers; the field's own description is for callers.
        inlined.pop("description", None)
        return {**inlined, **{key: value for key, value in node.items() if key == "description"}}
    kept: dict[str, Any] = {}
    for key, value in node.items():
        if key == "properties":
            kept[key] = {name: _inline(part, components, above) for name, part in value.items()}
        elif key == "enum":
            kept[key] = sorted(value, key=str) if all(isinstance(v, int) for v in value) else value
        elif key not in _DROPPED:
            kept[key] = _inline(value, components, above)
    if kept.get("required") == []:
        del kept["required"]
    return kept


def _plain_input(node: Any) -> Any:
    """Rewrite what some clients refuse in input schemas: null unions, exclusive bounds, const."""
    if isinstance(node, list):
        return [_plain_input(part) for part in node]
    if not isinstance(node, dict):
        return node
    if "anyOf" in node:
        (inner,) = [part for part in node["anyOf"] if part != {"type": "null"}]
        node = {**inner, **{key: value for key, value in node.items() if key != "anyOf"}}
    node = {key: _plain_input(value) for key, value in node.items()}
    if "enum" in node and "type" not in node:
        node["enum"] = [value for value in node["enum"] if value is not None]
        node["type"] = "integer" if all(isinstance(value, int) for value in node["enum"]) else "string"
    for bound, kept, step in (("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1)):
        if bound in node:
            value = node.pop(bound)
            # For numbers the open bound is stated at run time; the schema keeps the nearest closed one.
            node[kept] = value + step if node.get("type") == "integer" else value
    if "const" in node:
        node["enum"] = [node.pop("const")]
    return node


def published(parameter: Parameter) -> dict[str, Any]:
    """The plain schema of one argument."""
    schema, components = _components(parameter.type)
    described: dict[str, Any] = _plain_input(_inline(schema, components))
    return described


def input_schema(tool: Tool) -> dict[str, Any]:
    """The published input schema: defaults stand in it where they tell something."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    for parameter in parameters(tool).values():
        described = published(parameter)
        if parameter.required:
            required.append(parameter.name)
        elif isinstance(parameter.default, str | int | float) and parameter.default != "":
            described["default"] = parameter.default
        properties[parameter.name] = described
    result: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        result["required"] = required
    # Unknown fields are refused at run time, by name and with the accepted ones; the schema says so too.
    result["additionalProperties"] = False
    return result


def _shallow(data: dict[str, Any]) -> dict[str, Any]:
    """The same schema without its deepest parts, until it is short: clients load it before the first question."""
    depth = 12
    while depth and len(msgspec.json.encode(data)) > MAX_OUTPUT:
        depth -= 1
        data = _cut(data, depth)
    return data


def _cut(node: Any, depth: int) -> Any:
    if not isinstance(node, dict):
        return node
    if depth <= 0 and node.get("type") in ("object", "array"):
        return {"type": node["type"]}
    kept = dict(node)
    if "properties" in kept:
        kept["properties"] = {name: _cut(part, depth - 1) for name, part in kept["properties"].items()}
    for key in ("items", "additionalProperties"):
        if key in kept:
            kept[key] = _cut(kept[key], depth - 1)
    if "anyOf" in kept:
        kept["anyOf"] = [_cut(part, depth) for part in kept["anyOf"]]
    return kept


def output_schema(tool: Tool) -> dict[str, Any]:
    """The published schema of the envelope with this tool's data."""
    schema, components = _components(returns(tool))
    data = _shallow(_inline(schema, components))
    data.pop("description", None)
    return {
        "type": "object",
        "properties": {
            "status": {"type": "string", "enum": ["ok", "partial", "restricted", "outline", "error"]},
            "data": data,
            "restriction": {"type": "object"},
            "outline": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"path": {"type": "string"}, "chars": {"type": "integer"}},
                    "required": ["path", "chars"],
                },
            },
            "error": {
                "type": "object",
                "properties": {
                    "code": {"type": "string"},
                    "message": {"type": "string"},
                    "retryable": {"type": "boolean"},
                    "hint": {"type": "string"},
                },
                "required": ["code", "message", "retryable"],
            },
            "warnings": {"type": "array", "items": {"type": "string"}},
            "next_cursor": {"type": "string"},
            "provenance": {"type": "object"},
        },
        "required": ["status"],
    }
