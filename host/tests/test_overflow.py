"""P94: an answer beyond its budget keeps whole rows, says what is left out, and keeps the whole."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vouched import overflow
from vouched.api import Answer, Context, Cursor, ProviderFailed, Struct, tool
from vouched.host import Host
from vouched.journal import Owner
from vouched.overflow import size
from vouched.remote import Exchange
from vouched.settings import Limits

from host.tests.made import failing_store, plugin

MakeHost = Callable[..., Host]
ME = Owner(client="test", session_id="mine")
BUDGET = 3_000


class Row(Struct):
    name: str
    parts: list[str] = []


class Found(Struct):
    total: int
    returned: int
    rows: list[Row]
    others: list[str] = []
    text: str = ""
    deep: dict[str, list[Row]] = {}


def rows(count: int, width: int = 80) -> list[Row]:
    return [Row(f"row {number} " + "x" * width) for number in range(count)]


SHAPES: dict[str, Found] = {
    "rows": Found(200, 200, rows(200)),
    "two lists": Found(1, 1, rows(20), others=["y" * 50] * 400),
    "one huge row": Found(1, 1, [Row("x" * 50_000)]),
    "one row of many parts": Found(1, 1, [Row("one", ["part " + "z" * 60] * 500)]),
    "a long text": Found(0, 0, [], text="word " * 10_000),
    "deep": Found(0, 0, [], deep={"a": rows(100), "b": rows(3)}),
    "all of it": Found(200, 200, rows(200, 900), others=["y" * 500] * 40, text="word " * 4_000),
}


@tool
async def answer(ctx: Context, shape: str) -> Found:
    """Answer in a shape."""
    return SHAPES[shape]


def make(vouched_host: MakeHost, **plugins: Any) -> Host:
    return vouched_host({"made": plugin(tools=[answer]), **plugins}, limits=Limits(answer_chars=BUDGET))


@pytest.mark.anyio
@pytest.mark.parametrize("shape", SHAPES)
async def test_p94_any_shape_fits_and_the_whole_is_kept(shape: str, vouched_host: MakeHost) -> None:
    async with make(vouched_host) as host:
        result = await host.call("made_answer", {"shape": shape}, owner=ME)
        told = result.structured
        assert told["status"] == "ok", result.text
        assert size(told["data"]) <= BUDGET
        (warning,) = told["warnings"]
        (link,) = result.attachments
        assert link.uri.rsplit("/", 1)[1] in warning
        whole = msgspec.json.decode(await host.store.read_artifact(ME, link.uri.rsplit("/", 1)[1]))
    assert whole == msgspec.to_builtins(SHAPES[shape])
    # What is there still is what the schema says.
    msgspec.convert(told["data"], Found)


@pytest.mark.anyio
async def test_rows_are_whole_counted_and_named(vouched_host: MakeHost) -> None:
    async with make(vouched_host) as host:
        told = (await host.call("made_answer", {"shape": "rows"}, owner=ME)).structured
    shown = told["data"]["rows"]
    assert shown == msgspec.to_builtins(SHAPES["rows"].rows)[: len(shown)]
    assert told["data"]["returned"] == len(shown)
    assert told["data"]["total"] == 200
    assert f"{len(shown)} of 200 rows are shown" in told["warnings"][0]


@pytest.mark.anyio
async def test_a_small_answer_is_left_alone(vouched_host: MakeHost) -> None:
    SHAPES["small"] = Found(1, 1, rows(1))
    async with make(vouched_host) as host:
        result = await host.call("made_answer", {"shape": "small"}, owner=ME)
    assert result.structured["data"] == msgspec.to_builtins(SHAPES.pop("small"))
    assert result.attachments == []
    assert "warnings" not in result.structured


@pytest.mark.anyio
@pytest.mark.parametrize("error", [OSError("disk"), ProviderFailed("The disk is full.")])
async def test_a_store_that_fails_costs_the_rest_not_the_first_part(error: Exception, vouched_host: MakeHost) -> None:
    store = plugin(provide_session=lambda settings: failing_store(put_artifact=error))
    async with make(vouched_host, store=store) as host:
        told = (await host.call("made_answer", {"shape": "rows"}, owner=ME)).structured
    assert told["status"] == "ok"
    assert told["data"]["rows"]
    assert "The whole could not be kept" in told["warnings"][0]


leaves = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=400)
data = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=12) | st.dictionaries(st.text(max_size=8), inner, max_size=6),
    max_leaves=60,
)


@given(data, st.integers(300, 3_000))
@settings(deadline=None, max_examples=150, derandomize=True)
def test_cutting_never_grows_or_breaks_what_it_cuts(value: Any, room: int) -> None:
    cut = overflow._Cut()
    kept = cut.to(value, room, "rows")
    assert size(kept) <= size(value)
    assert type(kept) is type(value)
    if size(value) <= room:
        assert kept == value
        assert cut.said == []
    if isinstance(value, dict):
        assert set(kept) == set(value)


class Narrow(Struct):
    """A row whose Markdown is longer than its JSON."""

    title: str
    places: list[list[str]]


class Page(Struct):
    rows: list[Narrow]


@tool
async def page(ctx: Context, exchanges: int, cursor: Cursor = None) -> Answer[Page]:
    """Answer by pages, after some exchanges."""
    ctx.exchanges += [Exchange("s", "https://example.org/" + "x" * 500)] * exchanges
    rows = [Narrow(f"[row] {number}", [["*"]] * 8) for number in range(3_000)]
    fitted = ctx.fit(rows, lambda kept: kept)
    return Answer(Page(fitted.rows), next_cursor=fitted.next_cursor)


@pytest.mark.anyio
@pytest.mark.parametrize("exchanges", [0, 3, 20])
async def test_p94_a_page_keeps_within_the_budget_in_both_faces_with_its_provenance(
    exchanges: int, vouched_host: MakeHost
) -> None:
    async with vouched_host({"made": plugin(tools=[page])}) as host:
        result = await host.call("made_page", {"exchanges": exchanges}, owner=ME)
    assert len(result.structured["data"]["rows"]) > 30
    assert result.structured["next_cursor"]
    assert size(result.structured) <= Limits().answer_chars
    assert len(result.text) <= Limits().answer_chars
