"""Published schemas keep to what every client accepts."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
import pytest
from vouched import publishable, schema
from vouched.api import Answer, Context, Cursor, Ids, Meta, Struct, tool

REFUSED_INPUT = {"$ref", "$defs", "oneOf", "anyOf", "allOf", "not", "const", "exclusiveMinimum", "exclusiveMaximum"}


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for key, value in node.items():
            yield from nodes(value) if key != "enum" else iter(())
    elif isinstance(node, list):
        for part in node:
            yield from nodes(part)


class Item(Struct):
    """Not for callers."""

    name: str
    size: Annotated[int, Meta(gt=0)] = 1


class Found(Struct):
    rows: list[Item]
    best: float | None = None
    extra: dict[str, str] = {}


@tool
async def find(
    ctx: Context,
    ids: Annotated[Ids, Meta(min_length=1, max_length=10)],
    items: list[Item] | None = None,
    size: Annotated[int, Meta(gt=0, lt=9)] | None = None,
    mode: Literal["one"] = "one",
    kinds: list[Literal["a", "b"]] | None = None,
    cursor: Cursor = None,
) -> Answer[Found]:
    """Find."""
    return Answer(Found([]))


class Loop(Struct):
    inner: "list[Loop]"


@tool
async def loops(ctx: Context) -> Loop:
    """Loop."""
    return Loop([])


@tool
async def unions(ctx: Context, value: int | str) -> Found:
    """Union."""
    return Found([])


def test_p90_p91_input_schemas_are_plain() -> None:
    published = schema.input_schema(find)
    assert published["type"] == "object"
    for node in nodes(published):
        assert not REFUSED_INPUT & set(node)
        assert not isinstance(node.get("type"), list)
        if node.get("type") == "array":
            assert node["items"]
    assert published["properties"]["size"] == {"type": "integer", "minimum": 1, "maximum": 8}
    assert published["properties"]["ids"] == {
        "type": "array",
        "items": {"type": "string"},
        "minItems": 1,
        "maxItems": 10,
    }
    assert published["properties"]["items"]["items"]["properties"]["size"]["minimum"] == 1
    assert published["properties"]["mode"]["enum"] == ["one"]
    assert published["required"] == ["ids"]


def test_output_schemas_have_an_object_at_the_root_and_no_references() -> None:
    published = schema.output_schema(find)
    assert published["type"] == "object"
    assert not {"anyOf", "oneOf", "allOf"} & set(published)
    assert all("$ref" not in node and "oneOf" not in node for node in nodes(published))
    assert published["properties"]["data"]["properties"]["best"]["anyOf"] == [{"type": "number"}, {"type": "null"}]


def test_recursive_types_are_refused_when_a_plugin_loads() -> None:
    with pytest.raises(TypeError, match="recursive"):
        publishable.check(loops)


def test_unions_are_refused_when_a_plugin_loads() -> None:
    with pytest.raises(TypeError, match="union"):
        publishable.check(unions)


def test_a_field_that_may_be_left_out_is_no_union() -> None:
    class Sparse(Struct):
        links: list[str] | msgspec.UnsetType | None = msgspec.UNSET

    async def sparse(ctx: Context) -> Answer[Any]:
        """Say little."""
        return Answer(Sparse())

    sparse.__annotations__["return"] = Sparse
    publishable.check(tool(sparse))
    data = schema.output_schema(tool(sparse))["properties"]["data"]
    assert data["properties"]["links"]["anyOf"] == [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]


def test_docstrings_of_records_are_not_published() -> None:
    assert "Not for callers" not in str(schema.input_schema(find))
