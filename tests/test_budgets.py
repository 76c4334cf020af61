"""What the catalogue costs a model before its first question, and what every published schema keeps to."""

import json
import re
from collections.abc import Callable

import jsonschema
import pytest
from vouched import faces
from vouched.host import Host
from vouched.registry import BoundTool

TOOL_TOKENS = 600
ALL_TOKENS = 5_500
REFUSED = ("$ref", "$defs", "oneOf", "anyOf", "allOf", "const", "exclusiveMinimum", "exclusiveMaximum", "not")


@pytest.fixture
def tools(vouched_host: Callable[..., Host]) -> list[BoundTool]:
    """Every tool that ships."""
    host = vouched_host(installed=True)
    assert [report.name for report in host.reports if report.status != "loaded"] == []
    return host.registry.listed(host.settings)


def tokens(tool: BoundTool) -> float:
    """Bytes of name, description and input schema, divided by four."""
    shown = {"name": tool.name, "description": tool.tool.description, "inputSchema": tool.input_schema}
    return len(json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()) / 4


def test_all_tools_that_the_issues_name_are_there(tools: list[BoundTool]) -> None:
    assert {tool.name for tool in tools} == {
        "citeformat_format_citations", "citeformat_parse_bibliography",
        "europepmc_build_evidence_table", "europepmc_fetch_article", "europepmc_get_annotations",
        "europepmc_get_citation_network", "europepmc_get_database_links", "europepmc_search_literature",
        "europepmc_verify_quotes", "icite_get_citation_metrics",
        "pubmed_check_references", "pubmed_check_spelling", "pubmed_convert_ids", "pubmed_fetch_articles",
        "pubmed_find_related", "pubmed_lookup_citation", "pubmed_lookup_mesh", "pubmed_search_articles",
        "pubmed_test_strategy", "vouched_read_session",
    }  # fmt: skip


def test_p93_one_tool_costs_at_most_600_tokens_and_all_5500(tools: list[BoundTool]) -> None:
    costs = {tool.name: round(tokens(tool)) for tool in tools}
    print("\n".join(f"{cost:5} {name}" for name, cost in sorted(costs.items(), key=lambda item: -item[1])))
    assert {name: cost for name, cost in costs.items() if cost > TOOL_TOKENS} == {}
    assert sum(costs.values()) <= ALL_TOKENS


def test_every_source_that_ships_has_a_title_for_search_records(vouched_host: Callable[..., Host]) -> None:
    titles = {source.name: source.title for source in vouched_host(installed=True).sources.values()}
    assert titles["eutils"] == "PubMed (NCBI E-utilities)"
    assert [name for name, title in titles.items() if title in ("", name)] == []


def test_the_instructions_stay_under_a_kilobyte_and_name_every_plugin(vouched_host: Callable[..., Host]) -> None:
    host = vouched_host(installed=True)
    text = faces.instructions(host)
    assert len(text.encode()) < 1_000
    for report in host.reports:
        assert f"{report.name}_" in text


def test_every_published_schema_is_a_schema(tools: list[BoundTool]) -> None:
    for tool in tools:
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)


def walk(node: object) -> list[dict[str, object]]:
    found = []
    if isinstance(node, dict):
        found.append(node)
        for key, value in node.items():
            found += walk(value) if key != "enum" else []
    elif isinstance(node, list):
        for part in node:
            found += walk(part)
    return found


def test_p90_p91_every_published_schema_is_plain(tools: list[BoundTool]) -> None:
    for tool in tools:
        assert tool.input_schema["type"] == "object"
        for node in walk({key: value for key, value in tool.input_schema.items() if key != "properties"}):
            assert not set(REFUSED) & set(node), tool.name
        for name, schema in tool.input_schema["properties"].items():
            for node in walk(schema):
                assert not set(REFUSED) & set(node) - {"properties"}, f"{tool.name}.{name}"
                assert not isinstance(node.get("type"), list), f"{tool.name}.{name}"
                assert node.get("type") != "array" or node["items"], f"{tool.name}.{name}"
        assert tool.output_schema["type"] == "object"
        assert not {"anyOf", "oneOf", "allOf"} & set(tool.output_schema)
        assert "$ref" not in json.dumps(tool.output_schema)


def test_p92_names_fit_every_client(tools: list[BoundTool]) -> None:
    for tool in tools:
        assert re.fullmatch(r"[a-z0-9_]{1,40}", tool.name)


def test_descriptions_say_what_when_which_instead_and_what_comes_back(tools: list[BoundTool]) -> None:
    """A first sentence that carries the meaning; a sibling or an alternative; what is returned."""
    for tool in tools:
        text = " ".join(tool.tool.description.split())
        assert len(text.split(". ")) >= 3, f"{tool.name}: {text}"
        assert re.search(r"\b(Returns?|Answers?|Gives?|Result|Comes? back|comes back|rows?)\b", text), (
            f"{tool.name}: {text}"
        )
        assert re.search(r"\b(use|Use|instead|for|For|when|When)\b", text), f"{tool.name}: {text}"


def test_aliases_of_other_servers_are_callable(vouched_host: Callable[..., Host]) -> None:
    host = vouched_host(installed=True)
    for alias in (
        "search_literature", "fetch_article", "get_citation_metrics", "pubmed_format_citations", "read_session",
        "pubmed_spell_check", "get_annotations", "get_citation_network", "get_database_links", "build_evidence_table",
    ):  # fmt: skip
        assert host.registry.tool(alias) is not None, alias
        assert alias not in {tool.name for tool in host.registry.listed(host.settings)}
