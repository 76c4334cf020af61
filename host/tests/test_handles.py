"""`last`, `run:ID` and `artifact:ID` stand for ids; the answer says which, and what stands for nothing is refused."""

from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any

import msgspec
import pytest
from vouched.api import Context, Ids, Meta, Struct, tool
from vouched.host import Host
from vouched.journal import Artifact, Owner, Run, RunChange

from host.tests.made import plugin

pytestmark = pytest.mark.anyio
ME = Owner(client="test", session_id="mine")
OTHER = Owner(client="test", session_id="other")
BOB = Owner(principal="bob", client="test", session_id="mine")


class Given(Struct):
    inputs: list[str]
    ids: list[str | None]


@tool
async def take(ctx: Context, ids: Annotated[Ids, Meta(min_length=1, max_length=5)]) -> Given:
    """Say which ids arrived."""
    return Given([ref.input for ref in ids], [str(ref.id) if ref.id else None for ref in ids])


@tool
async def maybe(
    ctx: Context,
    inner: Annotated[Ids, Meta(min_length=2, max_length=3)] | None = None,
    outer: Annotated[Ids | None, Meta(min_length=2, max_length=3)] = None,
    free: Ids | None = None,
) -> Given:
    """Take ids or none."""
    refs = [ref for given in (inner, outer, free) for ref in given or []]
    return Given([ref.input for ref in refs], [str(ref.id) if ref.id else None for ref in refs])


@pytest.fixture
async def host(vouched_host: Callable[..., Host]) -> AsyncIterator[Host]:
    async with vouched_host({"made": plugin(tools=[take, maybe])}) as host:
        yield host


async def ran(host: Host, run_id: str, ids: list[str], owner: Owner = ME) -> None:
    await host.store.start_run(owner, Run(run_id=run_id, session_id=owner.session_id, tool="made_search"))
    await host.store.change_run(owner, run_id, RunChange(status="completed", ids=ids, query=f"query of {run_id}"))


async def took(host: Host, ids: Any, owner: Owner = ME) -> dict[str, Any]:
    result = await host.call("made_take", {"ids": ids}, owner=owner)
    assert not result.is_error, result.text
    return result.structured


async def refused(host: Host, ids: Any, owner: Owner = ME) -> dict[str, Any]:
    error: dict[str, Any] = (await host.call("made_take", {"ids": ids}, owner=owner)).structured["error"]
    assert (error["code"], error["path"]) == ("invalid_argument", "ids")
    return error


FIVE = ["pmid:99900001", "doi:10.99999/jir.1", "pmcid:PMC99900003", "ppr:PPR4", "nbk:NBK5"]


async def test_last_is_the_last_run_that_found_something(host: Host) -> None:
    await ran(host, "old", ["pmid:1"])
    await ran(host, "new", FIVE)
    await ran(host, "empty", [])
    told = await took(host, "last")
    assert told["data"]["inputs"] == ["99900001", "10.99999/jir.1", "PMC99900003", "PPR4", "NBK5"]
    assert None not in told["data"]["ids"]


async def test_the_answer_names_run_tool_query_and_time(host: Host) -> None:
    await ran(host, "new", FIVE)
    told = await took(host, "last")
    (said,) = told["warnings"]
    assert "`last` is run:new (made_search, " in said
    assert "query of new" in said
    assert told["provenance"]["query_params"]["ids"][0] == "99900001"


@pytest.mark.parametrize(
    ("handle", "shown"),
    [
        ("last[0:2]", ["99900001", "10.99999/jir.1"]),
        ("run:new[3:]", ["PPR4", "NBK5"]),
        ("LAST[:1]", ["99900001"]),
        (["run:new[0:1]", "7"], ["99900001", "7"]),
        ("7, last[4:9]", ["7", "NBK5"]),
    ],
)
async def test_windows_take_a_part(host: Host, handle: Any, shown: list[str]) -> None:
    await ran(host, "new", FIVE)
    assert (await took(host, handle))["data"]["inputs"] == shown


async def test_a_window_beyond_the_end_says_how_many_there_are(host: Host) -> None:
    await ran(host, "new", FIVE)
    assert "5 in all" in (await refused(host, "last[5:]"))["hint"]


async def test_more_than_the_tool_takes_is_refused_with_the_way_to_parts(host: Host) -> None:
    await ran(host, "new", [f"pmid:{number}" for number in range(1, 10)])
    error = await refused(host, "last")
    assert "9 elements" in error["message"]
    assert "1 to 5" in error["expected"]
    assert "last[0:100]" in error["hint"]


@pytest.mark.parametrize("field", ["inner", "outer"])
@pytest.mark.parametrize("spelt", ["last", "run:new", "artifact:", "last[0:4]", "last[0:1]", ["7", "last[0:3]"]])
async def test_bounds_of_optional_ids_count_what_the_handles_stand_for(host: Host, field: str, spelt: Any) -> None:
    await ran(host, "new", FIVE)
    kept = await host.store.put_artifact(ME, Artifact(name="list.json"), msgspec.json.encode(FIVE))
    spelt = f"artifact:{kept.artifact_id}" if spelt == "artifact:" else spelt
    error = (await host.call("made_maybe", {field: spelt}, owner=ME)).structured["error"]
    assert (error["code"], error["path"], error["expected"]) == ("invalid_argument", field, "2 to 3 elements")
    assert "element" in error["message"]


@pytest.mark.parametrize("field", ["inner", "outer"])
async def test_optional_ids_within_their_bounds_or_left_out_are_taken(host: Host, field: str) -> None:
    await ran(host, "new", FIVE)
    for spelt, shown in [("last[1:3]", ["10.99999/jir.1", "PMC99900003"]), (None, []), ("", [])]:
        told = (await host.call("made_maybe", {field: spelt}, owner=ME)).structured
        assert told["data"]["inputs"] == shown
    told = (await host.call("made_maybe", {"free": "last"}, owner=ME)).structured
    assert len(told["data"]["inputs"]) == 5


async def test_last_means_nothing_before_anything_was_found(host: Host) -> None:
    assert "Run a search first" in (await refused(host, "last"))["hint"]
    await ran(host, "elsewhere", FIVE, OTHER)
    await refused(host, "last")


@pytest.mark.parametrize("handle", ["run:nothing", "artifact:nothing"])
async def test_what_does_not_exist_is_refused_with_where_to_look(host: Host, handle: str) -> None:
    assert "vouched_read_session" in (await refused(host, handle))["hint"]


async def test_a_run_that_found_nothing_stands_for_nothing(host: Host) -> None:
    await ran(host, "empty", [])
    assert "found nothing" in (await refused(host, "run:empty"))["message"]


async def test_another_session_of_ones_own_may_be_named_and_nobody_elses(host: Host) -> None:
    await ran(host, "elsewhere", FIVE, OTHER)
    assert len((await took(host, "run:elsewhere"))["data"]["inputs"]) == 5
    await refused(host, "run:elsewhere", BOB)


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (["99900001", "pmid:2"], ["99900001", "2"]),
        ([1, 2], ["1", "2"]),
        ({"pmids": ["1"]}, ["1"]),
        ({"rows": [{"ids": {"doi": "10.99999/a", "pmid": "3"}}]}, ["3"]),
        ({"articles": [{"pmid": "", "doi": "10.99999/b"}, {"title": "none"}]}, ["10.99999/b"]),
    ],
)
async def test_a_kept_list_stands_for_its_ids(host: Host, content: Any, shown: list[str]) -> None:
    kept = await host.store.put_artifact(ME, Artifact(name="list.json"), msgspec.json.encode(content))
    assert (await took(host, f"artifact:{kept.artifact_id}"))["data"]["inputs"] == shown


@pytest.mark.parametrize("content", [b"no json", b"\xff", b"[]", b"{}", b"[true]", b'"text"', b"7", b"[" * 9999])
async def test_a_file_without_ids_is_refused(host: Host, content: bytes) -> None:
    kept = await host.store.put_artifact(ME, Artifact(name="list.json"), content)
    assert "no list of records" in (await refused(host, f"artifact:{kept.artifact_id}"))["message"]


async def test_a_cursor_made_with_last_goes_on_with_what_last_was_then(host: Host) -> None:
    """The fingerprint is of the ids, so that a search made in between makes the cursor another one's."""
    await ran(host, "new", FIVE)
    first = (await took(host, "last"))["provenance"]["query_params"]
    await ran(host, "newer", ["pmid:7"])
    assert (await took(host, "run:new"))["provenance"]["query_params"] == first


async def test_p87_several_kinds_of_bad_elements_are_rows_of_their_own(host: Host) -> None:
    told = await took(host, ["99900001", "no id", {"a": 1}, None, 7])
    assert told["data"]["inputs"] == ["99900001", "no id", '{"a":1}', "", "7"]
    assert told["data"]["ids"] == ["pmid:99900001", None, None, None, "pmid:7"]
