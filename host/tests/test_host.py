"""The host: one way in, its services made when needed, and nothing silently replaced."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from vouched.api import (
    Access,
    Context,
    NotFound,
    ProviderFailed,
    Request,
    Response,
    Source,
    UpstreamInvalid,
    tool,
)
from vouched.host import Host, package_folder
from vouched.settings import Providers, Settings
from vouched.testing.memory_store import MemoryStore

from host.tests.made import Said, plugin

pytestmark = pytest.mark.anyio
MakeHost = Callable[..., Host]


@tool(aliases=("speak",))
async def say(ctx: Context, text: str = "hello") -> Said:
    """Say it. Nothing is asked of anybody. Returns it."""
    return Said(text)


@tool
async def fetch(ctx: Context) -> Said:
    """Ask the one source. For tests. Returns what came."""
    return Said(await ctx.http("lib").get("thing", read=bytes.decode))


@tool
async def decide(ctx: Context) -> Said:
    """Ask the licence gate. For tests. Returns its answer."""
    open_access = Access(open=True, in_archive=True, licence="cc by", source="made")
    return Said(ctx.licence.decide(open_access).uses.read)


LIB = Source("lib", "https://lib.example.org/", rate=1000)


class Wire:
    """A transport that answers itself."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.closed = False

    async def send(self, request: Request) -> Response:
        if self.error:
            raise self.error
        return Response(200, {"content-type": "application/json"}, b"from the wire")

    async def aclose(self) -> None:
        self.closed = True


async def test_a_tool_is_called_by_name_and_by_alias(vouched_host: MakeHost) -> None:
    async with vouched_host({"made": plugin(tools=[say])}) as host:
        for name in ("made_say", "speak"):
            result = await host.call(name, {"text": "x"})
            assert (result.structured["status"], result.structured["data"]) == ("ok", {"said": "x"})


async def test_an_unknown_tool_is_named_beside_those_there_are(vouched_host: MakeHost) -> None:
    async with vouched_host({"made": plugin(tools=[say])}) as host:
        with pytest.raises(NotFound) as caught:
            await host.call("made_sing")
    assert "made_sing" in caught.value.message
    assert "made_say" in caught.value.hint


async def test_what_is_not_served_cannot_be_called_by_name_or_alias(vouched_host: MakeHost) -> None:
    async with vouched_host({"made": plugin(tools=[say, decide])}, tools=("made_d*",)) as host:
        assert [bound.name for bound in host.registry.listed(host.settings)] == ["made_decide"]
        for name in ("made_say", "speak"):
            with pytest.raises(NotFound):
                await host.call(name)


def test_p105_one_host_serves_one_event_loop_after_the_other(vouched_host: MakeHost) -> None:
    host = vouched_host({"made": plugin(tools=[say])})
    for text in ("first", "second"):
        assert asyncio.run(host.call("made_say", {"text": text})).structured["data"] == {"said": text}
    asyncio.run(host.aclose())


async def test_versions_name_host_plugin_and_whoever_declares_the_sources_asked(vouched_host: MakeHost) -> None:
    plugins = {
        "made": plugin(tools=[fetch]),
        "lib": plugin(sources=[LIB], provide_transport=lambda source, settings: Wire()),
        "idle": plugin(tools=[say]),
    }
    async with vouched_host(plugins) as host:
        for report, version in zip(host.reports, ("1", "2", "3"), strict=False):
            report.distribution, report.version = f"dist-{report.name}", version
        result = await host.call("made_fetch")
    assert set(result.structured["provenance"]["versions"]) == {"vouched", "dist-made", "dist-lib"}


async def test_everything_is_closed_and_closing_twice_is_fine(vouched_host: MakeHost) -> None:
    wire = Wire()
    plugins = {"made": plugin(tools=[fetch], sources=[LIB], provide_transport=lambda source, settings: wire)}
    host = vouched_host(plugins)
    assert (await host.call("made_fetch")).structured["data"] == {"said": "from the wire"}
    await host.aclose()
    await host.aclose()
    assert wire.closed


# Providers


def chosen(**names: str) -> dict[str, Any]:
    return {"providers": Providers(**names)}


async def test_a_provided_session_store_is_used(vouched_host: MakeHost) -> None:
    store = MemoryStore()
    plugins = {"made": plugin(tools=[say]), "store": plugin(provide_session=lambda settings: store)}
    async with vouched_host(plugins) as host:
        await host.call("made_say")
        assert host.store is store
        assert not (host.settings.data / "sessions.sqlite3").exists()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (chosen(session="elsewhere"), "elsewhere"),
        (chosen(session="made"), "made"),
        ({}, "gives str"),
    ],
)
async def test_a_store_that_cannot_be_had_is_never_replaced_by_another(
    settings: dict[str, Any], said: str, vouched_host: MakeHost
) -> None:
    plugins = {"made": plugin(tools=[say]), "store": plugin(provide_session=lambda settings: "a string")}
    async with vouched_host(plugins, **settings) as host:
        error = (await host.call("made_say")).structured["error"]
    assert error["code"] == "provider_failed"
    assert said in error["message"]


async def test_a_provider_that_fails_is_named_and_its_words_stay_in_the_log(
    vouched_host: MakeHost, caplog: pytest.LogCaptureFixture
) -> None:
    def provide_session(settings: Settings) -> Any:
        raise RuntimeError("cannot reach db://user:password@db.example.org/")

    plugins = {"made": plugin(tools=[say]), "store": plugin(provide_session=provide_session)}
    async with vouched_host(plugins) as host:
        result = await host.call("made_say")
    assert "store" in result.structured["error"]["message"]
    assert "password" not in str(result)
    assert "cannot reach" in caplog.text


async def test_a_licence_policy_that_cannot_be_had_denies_everything(vouched_host: MakeHost) -> None:
    def provide_licence(settings: Settings) -> Any:
        raise RuntimeError("no table")

    async with vouched_host({"made": plugin(tools=[decide])}) as host:
        assert (await host.call("made_decide")).structured["data"] == {"said": "yes"}
    async with vouched_host({"made": plugin(tools=[decide]), "law": plugin(provide_licence=provide_licence)}) as host:
        assert (await host.call("made_decide")).structured["data"] == {"said": "no"}


@pytest.mark.parametrize("make", [lambda: "no transport", lambda: 1 / 0])
async def test_a_transport_that_cannot_be_had_fails_the_call_by_name(
    make: Callable[[], Any], vouched_host: MakeHost
) -> None:
    plugins = {
        "made": plugin(tools=[fetch], sources=[LIB]),
        "wire": plugin(provide_transport=lambda source, settings: make()),
    }
    async with vouched_host(plugins) as host:
        error = (await host.call("made_fetch")).structured["error"]
    assert error["code"] == "provider_failed"
    assert "wire" in error["message"]


async def test_a_transport_is_asked_of_the_chosen_plugin_only(vouched_host: MakeHost) -> None:
    asked: list[str] = []

    def first(source: Source, settings: Settings) -> Any:
        asked.append("first")
        return Wire(UpstreamInvalid("the wrong wire"))

    plugins = {
        "made": plugin(tools=[fetch], sources=[LIB]),
        "first": plugin(provide_transport=first),
        "second": plugin(provide_transport=lambda source, settings: Wire()),
    }
    async with vouched_host(plugins, **chosen(transport="second")) as host:
        assert (await host.call("made_fetch")).structured["data"] == {"said": "from the wire"}
    assert asked == []


async def test_offline_no_transport_is_asked_for(vouched_host: MakeHost) -> None:
    def provide_transport(source: Source, settings: Settings) -> Any:
        raise AssertionError("asked")

    plugins = {"made": plugin(tools=[fetch], sources=[LIB], provide_transport=provide_transport)}
    async with vouched_host(plugins, offline=True) as host:
        error = (await host.call("made_fetch")).structured["error"]
    assert error["code"] == "offline"
    assert "lib" in error["message"]


async def test_a_plugin_that_is_left_out_provides_nothing(vouched_host: MakeHost) -> None:
    broken = plugin(tools=["a string"], provide_session=lambda settings: 1 / 0)
    async with vouched_host({"made": plugin(tools=[say]), "broken": broken}) as host:
        assert [loaded.name for loaded in host.plugins] == ["made", "vouched"]
        assert not (await host.call("made_say")).is_error


def test_strict_refuses_what_fails_after_its_import_too(vouched_host: MakeHost) -> None:
    with pytest.raises(ProviderFailed, match="hook tools gives str"):
        vouched_host({"broken": plugin(tools=["a string"])}, strict=True)


def test_a_selection_that_names_what_is_not_there_is_said(
    vouched_host: MakeHost, caplog: pytest.LogCaptureFixture
) -> None:
    vouched_host(plugins={}, without=("nowhere",))
    assert "nowhere, which is not installed" in caplog.text


def test_folders_of_a_package_are_found_where_they_are(tmp_path: Path, vouched_host: MakeHost) -> None:
    host = vouched_host({"made": plugin()})
    assert host.recordings() == []
    assert [package_folder(loaded, "recordings") for loaded in host.plugins] == [None, None]
    assert host.settings.data.parent == tmp_path
