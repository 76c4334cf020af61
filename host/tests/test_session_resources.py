"""Kept files and runs by address; results passed on by handle; the store replaced by a plugin."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import pytest
from vouched import faces
from vouched.api import Answer, Context, Ids, Meta, Struct, hookimpl, tool
from vouched.faults import Fault, InvalidArgument, NotFound
from vouched.host import Host
from vouched.journal import Artifact, Owner, Run, RunChange
from vouched.remote import Exchange
from vouched.settings import Providers, Settings
from vouched.testing.contracts_kit import BAD_IDS
from vouched.testing.memory_store import MemoryStore

pytestmark = pytest.mark.anyio
ME = Owner(client="desk", session_id="mine")
SOMEBODY = Owner(principal="bob", client="desk", session_id="theirs")


class Found(Struct):
    ids: list[str]


@tool
async def search(ctx: Context, query: str) -> Found:
    """Find what was planted."""
    found = ["pmid:99900001", "doi:10.99999/x"] if query == "something" else []
    ctx.note("query", query)
    ctx.note("ids", found)
    return Found(found)


@tool
async def take(ctx: Context, ids: Annotated[Ids, Meta(min_length=1, max_length=200)]) -> Found:
    """Take ids in any form."""
    return Found([str(ref.id) for ref in ids])


@tool
async def keep(ctx: Context, text: str) -> Answer[Found]:
    """Keep a list as a file."""
    await ctx.keep("found.json", text, "application/json")
    return Answer(Found([]))


class Plugin:
    @hookimpl
    def tools(self) -> list[Any]:
        return [search, take, keep]


class MemoryPlugin:
    def __init__(self) -> None:
        self.store = MemoryStore()

    @hookimpl
    def provide_session(self, settings: Settings) -> MemoryStore:
        return self.store


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture(params=["sqlite", "memory"])
async def host(request: pytest.FixtureRequest, data: Path) -> AsyncIterator[Host]:
    """The same host over either store."""
    plugins: dict[str, Any] = {"test": Plugin()}
    if request.param == "memory":
        plugins["memory"] = MemoryPlugin()
    async with Host(Settings(data=data), entries=[], plugins=plugins) as host:
        assert [report.status for report in host.reports] == ["loaded"] * (len(plugins) + 1)
        yield host


async def read(host: Host, uri: str, owner: Owner = ME) -> Any:
    return await faces.read_resource(host, uri, owner)


async def test_a_plugin_replaces_the_store_without_a_change(data: Path) -> None:
    memory = MemoryPlugin()
    async with Host(Settings(data=data), entries=[], plugins={"test": Plugin(), "memory": memory}) as host:
        assert host.store is memory.store
        await host.call("test_search", {"query": "something"}, owner=ME)
        told = await host.call("read_session", {"action": "pmids"}, owner=ME)
        assert told.structured["data"]["pmids"] == ["99900001"]
    assert not data.exists()


async def test_a_named_provider_is_the_one(data: Path) -> None:
    settings = Settings(data=data, providers=Providers(session="memory"))
    async with Host(settings, entries=[], plugins={"memory": MemoryPlugin()}) as host:
        assert isinstance(host.store, MemoryStore)


async def test_a_kept_text_is_read_by_its_uri(host: Host) -> None:
    text = "β-catenin ≥ 👩‍👧\n\n\t" * 10_000
    kept = await host.store.put_artifact(ME, Artifact(name="a.md", media_type="text/markdown"), text.encode())
    content = await read(host, kept.uri)
    assert (content.text, content.media_type, content.data) == (text, "text/markdown", None)


async def test_kept_bytes_are_read_as_bytes(host: Host) -> None:
    kept = await host.store.put_artifact(ME, Artifact(name="a.png", media_type="image/png"), b"\x89PNG\xff")
    content = await read(host, kept.uri)
    assert (content.data, content.media_type) == (b"\x89PNG\xff", "image/png")


async def test_the_link_of_an_answer_leads_to_the_file(host: Host) -> None:
    result = await host.call("test_keep", {"text": '["99900001"]'}, owner=ME)
    (link,) = result.attachments
    assert (await read(host, link.uri)).text == '["99900001"]'  # type: ignore[union-attr]


async def test_a_run_is_read_whole_and_as_a_search_record(host: Host) -> None:
    sources = [Exchange("made", f"https://made.example/{number}") for number in range(50)]
    ids = [f"pmid:{99900001 + number}" for number in range(3_000)]
    await host.store.start_run(ME, Run(run_id="r1", session_id="mine", tool="t", query="sepsis"))
    await host.store.change_run(ME, "r1", RunChange(status="completed", ids=ids, sources=sources, answer={"data": 1}))
    content = await read(host, "vouched://run/r1")
    record = json.loads(content.text)
    assert (record["ids"], len(record["sources"]), content.media_type) == (ids, 50, "application/json")
    assert "answer" not in record
    content = await read(host, "vouched://run/r1/prisma")
    assert content.media_type == "text/markdown"
    assert "sepsis" in content.text
    assert "https://made.example/49" in content.text


async def test_nothing_of_another_principal_is_read(host: Host) -> None:
    kept = await host.store.put_artifact(SOMEBODY, Artifact(name="a.txt"), b"secret")
    await host.store.start_run(SOMEBODY, Run(run_id="r1", session_id="theirs", tool="t"))
    for uri in (kept.uri, "vouched://run/r1", "vouched://run/r1/prisma"):
        with pytest.raises(NotFound):
            await read(host, uri)


@pytest.mark.parametrize("bad", BAD_IDS, ids=range(len(BAD_IDS)))
async def test_p104_no_address_leads_out_of_the_store(host: Host, tmp_path: Path, bad: str) -> None:
    (tmp_path / "secret").write_text("top secret")
    kept = await host.store.put_artifact(ME, Artifact(name="a.txt"), b"x")
    for uri in (
        f"vouched://artifact/mine/{bad}",
        f"vouched://artifact/{bad}/{kept.artifact_id}",
        f"vouched://run/{bad}",
        f"vouched://run/{bad}/prisma",
        f"vouched://artifact/{bad}",
    ):
        with pytest.raises((NotFound, InvalidArgument)) as caught:
            await read(host, uri)
        fault: Fault = caught.value
        assert "secret" not in fault.message + fault.hint
        assert str(tmp_path) not in fault.message + fault.hint


async def test_reading_resources_makes_nothing(data: Path) -> None:
    async with Host(Settings(data=data), entries=[]) as host:
        for uri in ("vouched://artifact/mine/a1", "vouched://run/r1", "vouched://run/r1/prisma"):
            with pytest.raises(NotFound):
                await read(host, uri)
        assert await faces.complete(host, "resource", "vouched://run/{id}", "id", "", ME) == []
    assert not data.exists()


async def test_ids_are_completed_from_ones_own(host: Host) -> None:
    await host.store.start_run(ME, Run(run_id="abc1", session_id="mine", tool="t"))
    await host.store.start_run(ME, Run(run_id="xyz2", session_id="mine", tool="t"))
    await host.store.start_run(SOMEBODY, Run(run_id="abc9", session_id="theirs", tool="t"))
    kept = await host.store.put_artifact(ME, Artifact(name="a.txt"), b"x")

    async def complete(template: str, variable: str, prefix: str) -> list[str]:
        return list(await faces.complete(host, "resource", template, variable, prefix, ME))

    assert await complete("vouched://run/{id}", "id", "a") == ["abc1"]
    assert await complete("vouched://run/{id}/prisma", "id", "") == ["xyz2", "abc1"]
    assert await complete("vouched://artifact/{session}/{id}", "session", "m") == ["mine"]
    assert await complete("vouched://artifact/{session}/{id}", "id", "") == [kept.artifact_id]


async def test_w17_a_result_is_passed_on_by_handle(host: Host) -> None:
    """`last`, `run:ID` and `artifact:ID` stand for the ids that a search found or a file holds."""
    found = await host.call("test_search", {"query": "something"}, owner=ME)
    await host.call("test_search", {"query": "nothing"}, owner=ME)
    run_id = found.structured["provenance"]["run_id"]
    kept = await host.store.put_artifact(ME, Artifact(name="ids.json"), b'["99900001", "10.99999/x"]')
    for handle in ("last", f"run:{run_id}", f"artifact:{kept.artifact_id}"):
        result = await host.call("test_take", {"ids": handle}, owner=ME)
        assert result.structured["data"] == {"ids": ["pmid:99900001", "doi:10.99999/x"]}, result.text


async def test_last_without_a_search_says_how_to_make_one(host: Host) -> None:
    await host.call("test_search", {"query": "nothing"}, owner=ME)
    result = await host.call("test_take", {"ids": "last"}, owner=ME)
    error = result.structured["error"]
    assert error["code"] == "invalid_argument"
    assert "search" in error["hint"].lower()


def test_the_resources_are_described() -> None:
    from vouched.builtin_session import resources

    described = [SimpleNamespace(uri=resource.uri_template, said=resource.description) for resource in resources()]
    assert [resource.uri for resource in described] == [
        "vouched://artifact/{session}/{id}",
        "vouched://run/{id}",
        "vouched://run/{id}/prisma",
    ]
    assert all(resource.said for resource in described)
