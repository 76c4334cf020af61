"""What the plugin contributes, and what its checks say."""

from typing import Any

import pytest
import vouched_europepmc
from vouched import publishable, schema
from vouched.host import Host
from vouched_europepmc.guide import PROMPTS
from vouched_europepmc.probes import CHECKS

pytestmark = pytest.mark.anyio
NAMES = (
    "search_literature",
    "fetch_article",
    "get_annotations",
    "get_citation_network",
    "get_database_links",
    "build_evidence_table",
    "verify_quotes",
)


def test_r24_seven_tools_and_the_names_other_servers_gave_six_of_them() -> None:
    tools = {tool.name: tool for tool in vouched_europepmc.tools()}
    assert tuple(tools) == NAMES
    assert [name for name in NAMES if tools[name].aliases == (name,)] == list(NAMES[:6])


@pytest.mark.parametrize("name", NAMES)
def test_r26_every_tool_has_published_schemas_and_hints(name: str) -> None:
    (tool,) = [tool for tool in vouched_europepmc.tools() if tool.name == name]
    publishable.check(tool)
    assert schema.input_schema(tool)["type"] == schema.output_schema(tool)["type"] == "object"
    assert tool.read_only
    assert tool.open_world
    assert len(tool.description) > 150


def test_r03_both_services_share_one_polite_budget() -> None:
    sources = {source.name: source for source in vouched_europepmc.sources()}
    assert set(sources) == {"europepmc", "annotations"}
    assert len({source.budget for source in sources.values()}) == 1
    assert {source.rate for source in sources.values()} == {5}
    # Together they have no more open than the one that may have most.
    assert (sources["europepmc"].in_flight, sources["annotations"].in_flight) == (3, 5)
    assert all(source.contact == {"email": "email"} for source in sources.values())


def test_r33_a_probe_for_the_live_service_names_a_known_open_paper() -> None:
    assert [check.name for check in CHECKS] == ["search", "full text"]


async def test_p77_a_dead_endpoint_is_a_failed_check_not_a_licence(host: Host, server: Any, core: Any) -> None:
    record = core(id="17299597", pmid="17299597", pmcid="PMC1790863")
    body = {"version": "6.9", "hitCount": 1, "request": {}, "resultList": {"result": [record]}}
    server.misbehave("search", "body", body=body, times=None)
    search, text = [await check.run(host.context()) for check in CHECKS]
    assert [line.ok for line in search] == [True]
    assert [line.ok for line in text] == [False]
    assert "known to be open" in text[0].text


def test_r23_the_prompt_names_the_tools_in_order() -> None:
    (prompt,) = PROMPTS
    (message,) = prompt.render({"subject": "fictol", "object": "glimmer", "scope": "adults"})
    places = [message.text.index(name) for name in ("search_literature", "build_evidence_table", "verify_quotes")]
    assert places == sorted(places)
    assert "adults" in message.text


async def test_r26_failures_are_errors_of_the_protocol(host: Host) -> None:
    result = await host.call("search_literature", {"query": "a)"})
    assert result.is_error
    assert result.structured["status"] == "error"
