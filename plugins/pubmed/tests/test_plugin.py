"""What the plugin contributes."""

import json
import pkgutil
from collections.abc import Callable
from typing import Any

import pytest
import vouched_pubmed
from vouched.api import Fault, InvalidArgument, NotFound, Owner
from vouched.testing.emulator import Emulator

ARTICLE = "vouched://pubmed/article/{pmid}"


def resource(asked: Any, template: str) -> Any:
    return next(found for _, found in asked.registry.resources if found.uri_template == template)


def test_a_tool_costs_at_most_600_tokens(invented: Emulator, host: Callable[..., Any]) -> None:
    tools = [bound for bound in host(invented).registry.tools.values() if bound.plugin.name == "pubmed"]
    assert len(tools) == len(list(vouched_pubmed.tools()))
    for bound in tools:
        published = {"name": bound.name, "description": bound.tool.description, "inputSchema": bound.input_schema}
        assert len(json.dumps(published, separators=(",", ":"), ensure_ascii=False).encode()) <= 2_400, bound.name


def test_no_module_takes_the_name_of_a_hook() -> None:
    """An imported submodule becomes an attribute of its package and would replace the hook function."""
    modules = {module.name for module in pkgutil.iter_modules(vouched_pubmed.__path__)}
    assert not modules & set(vouched_pubmed.__all__)


@pytest.mark.anyio
async def test_a_record_can_be_read_by_its_address(invented: Emulator, host: Callable[..., Any]) -> None:
    async with host(invented) as asked:
        read = resource(asked, ARTICLE).read
        content = await read(asked.context(), pmid="99900001")
        record = json.loads(content.text)
        assert content.media_type == "application/json"
        assert record["ids"]["pmid"] == "99900001"
        assert record["abstract"]
        with pytest.raises(NotFound):
            await read(asked.context(), pmid="1")
        with pytest.raises(InvalidArgument):
            await read(asked.context(), pmid="abc")


@pytest.mark.anyio
async def test_p106_a_record_that_could_not_be_asked_for_is_not_said_to_be_missing(
    invented: Emulator, host: Callable[..., Any]
) -> None:
    invented.misbehave("efetch.fcgi", "status", times=None, status=503)
    async with host(invented, attempts=1) as asked:
        with pytest.raises(Fault) as raised:
            await resource(asked, ARTICLE).read(asked.context(), pmid="99900001")
    assert not isinstance(raised.value, NotFound)
    assert raised.value.retryable


@pytest.mark.anyio
async def test_pmids_of_the_last_search_are_suggested(invented: Emulator, host: Callable[..., Any]) -> None:
    async with host(invented) as asked:
        complete = resource(asked, ARTICLE).complete
        context = asked.context(Owner(client="python"))
        assert await complete(context, "pmid", "999") == []
        found = await asked.call("pubmed_search_articles", {"query": "fictol[tiab]"})
        suggested = await complete(context, "pmid", "9990000")
    assert suggested
    assert set(suggested) <= set(found.structured["data"]["pmids"])


@pytest.mark.anyio
async def test_the_fields_can_be_read(invented: Emulator, host: Callable[..., Any]) -> None:
    async with host(invented) as asked:
        content = await resource(asked, "vouched://pubmed/fields").read(asked.context())
    assert "| `[tiab]` | Title/Abstract |" in content.text


@pytest.mark.anyio
async def test_the_prompt_takes_a_question_to_a_tested_search(invented: Emulator, host: Callable[..., Any]) -> None:
    async with host(invented) as asked:
        _, prompt = asked.registry.prompts["systematic_search"]
        (message,) = prompt.render({"question": "Does {fictol} help?", "known": "99900001"})
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
