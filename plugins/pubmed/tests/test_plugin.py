"""What the plugin contributes."""

import json
import pkgutil
from collections.abc import Callable
from typing import Any

import pytest
import vouched_pubmed
from vouched import schema
from vouched.api import Owner
from vouched.faces import complete, prompt, read_resource
from vouched.faults import Fault, InvalidArgument, NotFound
from vouched.settings import Limits
from vouched.testing.emulator import Emulator

OWNER = Owner(client="python")


@pytest.mark.parametrize("tool", vouched_pubmed.tools(), ids=lambda tool: tool.name)
def test_a_tool_costs_at_most_600_tokens(tool: Any) -> None:
    published = {"name": f"pubmed_{tool.name}", "description": tool.description, "input": schema.input_schema(tool)}
    assert len(json.dumps(published, separators=(",", ":"), ensure_ascii=False).encode()) <= 2_400


def test_no_module_takes_the_name_of_a_hook() -> None:
    """An imported submodule becomes an attribute of its package and would replace the hook function."""
    modules = {module.name for module in pkgutil.iter_modules(vouched_pubmed.__path__)}
    assert not modules & set(vouched_pubmed.__all__)


@pytest.mark.anyio
async def test_a_record_can_be_read_by_its_address(invented: Emulator, host: Callable[..., Any]) -> None:
    async with host(invented) as asked:
        content = await read_resource(asked, "vouched://pubmed/article/99900001", OWNER)
        record = json.loads(content.text)
        assert content.media_type == "application/json"
        assert record["ids"]["pmid"] == "99900001"
        assert record["abstract"]
        with pytest.raises(NotFound):
            await read_resource(asked, "vouched://pubmed/article/1", OWNER)
        with pytest.raises(InvalidArgument):
            await read_resource(asked, "vouched://pubmed/article/abc", OWNER)


@pytest.mark.anyio
async def test_p106_a_record_that_could_not_be_asked_for_is_not_said_to_be_missing(
    invented: Emulator, host: Callable[..., Any]
) -> None:
    invented.misbehave("efetch.fcgi", "status", times=None, status=503)
    async with host(invented, limits=Limits(attempts=1)) as asked:
        with pytest.raises(Fault) as raised:
            await read_resource(asked, "vouched://pubmed/article/99900001", OWNER)
    assert not isinstance(raised.value, NotFound)
    assert raised.value.retryable


@pytest.mark.anyio
async def test_pmids_of_the_last_search_are_suggested(invented: Emulator, host: Callable[..., Any]) -> None:
    async with host(invented) as asked:
        template = "vouched://pubmed/article/{pmid}"
        assert await complete(asked, "resource", template, "pmid", "999", OWNER) == []
        found = await asked.call("pubmed_search_articles", {"query": "fictol[tiab]"})
        suggested = await complete(asked, "resource", template, "pmid", "9990000", OWNER)
    assert suggested
    assert set(suggested) <= set(found.structured["data"]["pmids"])


@pytest.mark.anyio
async def test_the_fields_can_be_read(invented: Emulator, host: Callable[..., Any]) -> None:
    async with host(invented) as asked:
        content = await read_resource(asked, "vouched://pubmed/fields", OWNER)
    assert "| `[tiab]` | Title/Abstract |" in content.text


@pytest.mark.anyio
async def test_the_prompt_takes_a_question_to_a_tested_search(invented: Emulator, host: Callable[..., Any]) -> None:
    async with host(invented) as asked:
        (message,) = prompt(asked, "systematic_search", {"question": "Does {fictol} help?", "known": "99900001"})
        with pytest.raises(InvalidArgument):
            prompt(asked, "systematic_search", {"question": " "})
        tools = set(asked.registry.tools)
    assert "Question: Does {fictol} help?" in message.text
    assert "with known = 99900001" in message.text
    named = {word.strip("`.,;") for word in message.text.split() if word.startswith("pubmed_")}
    assert {name for name in named if name.isidentifier()} <= tools


@pytest.mark.anyio
async def test_doctor_says_whether_pubmed_answers_and_how_fast_it_may_be_asked(
    invented: Emulator, host: Callable[..., Any]
) -> None:
    async with host(invented) as asked:
        lines = [line for _, check in asked.registry.checks for line in await check.run(asked.context())]
    assert any("3 requests a second" in line.text for line in lines)
    assert any("PubMed answers" in line.text for line in lines)
