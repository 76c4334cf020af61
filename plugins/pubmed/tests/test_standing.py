"""A record that is retracted, of concern or withdrawn is named in a warning by every tool that shows or knows it."""

from typing import Any

import pytest
from vouched.testing.emulator import Emulator

pytestmark = pytest.mark.anyio
RETRACTED, SOUND = "99900009", "99900001"


def warned(result: Any) -> list[str]:
    return [line for line in result.structured.get("warnings", []) if line.startswith(("Retracted", "Of concern"))]


@pytest.mark.parametrize("view", ["brief", "standard", "full"])
async def test_p82_a_fetched_record_that_is_retracted_is_warned_of(view: str, call: Any) -> None:
    result = await call("fetch_articles", ids=[SOUND, RETRACTED], view=view)
    (line,) = warned(result)
    assert RETRACTED in line
    assert SOUND not in line
    assert line in result.text
    assert not warned(await call("fetch_articles", ids=[SOUND]))


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_articles", {"query": "fictol", "summaries": True, "limit": 50}),
        ("search_articles", {"query": "fictol", "summaries": True, "limit": 50, "complete": True}),
        ("convert_ids", {"ids": [RETRACTED, SOUND]}),
        ("find_related", {"ids": [RETRACTED]}),
        (
            "lookup_citation",
            {"citations": [{"journal": "J Invent Res", "year": "2018", "volume": "7", "first_page": "1"}]},
        ),
    ],
)
async def test_p82_every_tool_that_knows_it_warns(tool: str, arguments: dict[str, Any], call: Any) -> None:
    if tool == "lookup_citation":
        (row,) = (await call("fetch_articles", ids=[RETRACTED])).structured["data"]["rows"]
        record = row["record"]
        one = {"journal": record["journal"], "year": record["date"][:4], "volume": record["volume"]}
        arguments = {"citations": [{**one, "first_page": record["pages"]}]}
    result = await call(tool, **arguments)
    (line,) = warned(result)
    assert RETRACTED in line


async def test_hits_without_summaries_are_said_to_be_unchecked_and_nothing_more_is_asked(
    call: Any, ncbi: Emulator
) -> None:
    result = await call("search_articles", query="fictol")
    assert result.structured["data"]["status_checked"] == "not_checked"
    assert len(ncbi.log()) == 1
    none = await call("search_articles", query="fictol", limit=0)
    assert "status_checked" not in none.structured["data"]


async def test_elements_that_are_no_ids_are_counted_in_a_warning(call: Any, ncbi: Emulator) -> None:
    result = await call("fetch_articles", ids=["foo", "bar"])
    assert any("None of these is an id" in line for line in result.structured["warnings"])
    assert ncbi.log() == []
    result = await call("fetch_articles", ids=["foo", SOUND])
    assert any("1 of the 2 elements is no id" in line for line in result.structured["warnings"])
    assert not any(
        "no id" in line for line in (await call("fetch_articles", ids=[SOUND])).structured.get("warnings", [])
    )
