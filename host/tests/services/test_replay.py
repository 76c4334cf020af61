"""Recording and replaying exchanges."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from vouched.faults import NotFound, OfflineFault, RateLimited, UpstreamInvalid, UpstreamRejected
from vouched.services.provenance import digest
from vouched.services.replay import Recorder, load
from vouched.settings import Settings
from vouched.testing.emulator import Emulator

from host.tests.services.support import EMAIL, KEY, LIB, context_for, exchanges, serving, settings_for

pytestmark = pytest.mark.anyio


def decode(body: bytes) -> dict[str, Any]:
    return msgspec.json.decode(body, type=dict[str, Any])


def write(folder: Path, name: str, recording: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(msgspec.json.encode(recording))
    return folder


def offline(tmp_path: Path, **fields: Any) -> Settings:
    return settings_for(tmp_path / "data", None, offline=True, **fields)


async def test_what_was_recorded_is_replayed_byte_for_byte(tmp_path: Path, emulator: Emulator) -> None:
    folder = tmp_path / "recorded"
    online = settings_for(tmp_path, emulator)
    emulator.misbehave("lib", "body", body=b"caf\xc3\xa9\r\n<x>\x01", media="text/odd", match={"q": "text"})
    emulator.misbehave("lib", "body", body=b"\xff\xfe\x00binary", media="x/y", match={"q": "bytes"})
    bodies = {}
    async with serving(online) as service:
        service.record(recorder := Recorder(folder))
        for q in ("text", "bytes", "plain"):
            got = (
                await context_for(service).http("lib").get("works/{}", "a/b", params={"q": q, "n": [1, 2]}, media="*/*")
            )
            bodies[q] = got
        assert await context_for(service).http("lib").get("missing", answers={404: None}) is None
    assert recorder.written == 4 == len(list(folder.iterdir()))
    async with serving(offline(tmp_path), recordings=[folder]) as service:
        for q, before in bodies.items():
            context = context_for(service)
            # In another order, as another plugin version might ask.
            got = await context.http("lib").get("works/{}", "a/b", params={"n": [1, 2], "q": q}, media="*/*")
            assert (got.status, got.body, got.media) == (200, before.body, before.media)
            [noted] = exchanges(context)
            assert noted.content_sha256 == digest(before.body)
            assert noted.retrieved_at.startswith("20")
        assert await context_for(service).http("lib").get("missing", answers={404: None}) is None
    assert len(emulator.log("lib")) == 4


async def test_p52_recordings_hold_no_key_no_address_no_cookie(tmp_path: Path, emulator: Emulator) -> None:
    online = settings_for(tmp_path, emulator, env={"LIB_KEY": KEY, "NCBI_EMAIL": EMAIL})
    async with serving(online) as service:
        service.record(Recorder(tmp_path / "recorded"))
        await context_for(service).http("lib").get("x", params={"q": 1})
    [path] = (tmp_path / "recorded").iterdir()
    content = path.read_text("utf-8")
    assert KEY not in content
    assert EMAIL not in content
    recording = msgspec.json.decode(content)
    assert recording["params"] == {"q": "1"}
    assert {"set-cookie", "headers", "date"}.isdisjoint(recording)
    assert ["api_key", "REDACTED"] in msgspec.json.decode(recording["body"])["fields"]


async def test_faults_are_never_recorded(settings: Settings, emulator: Emulator, tmp_path: Path) -> None:
    def read(body: bytes) -> dict[str, Any]:
        if "ERROR" in (value := decode(body)):
            raise UpstreamRejected("no")
        return value

    emulator.misbehave("lib", "html")
    emulator.misbehave("lib", "rate_limited", retry_after=None)
    async with serving(settings) as service:
        service.record(recorder := Recorder(tmp_path / "recorded"))
        await context_for(service).http("lib").get("x", read=decode)
        emulator.misbehave("lib", "body", body={"ERROR": "x"})
        with pytest.raises(UpstreamRejected):
            await context_for(service).http("lib").get("y", read=read)
        with pytest.raises(NotFound):
            await context_for(service).http("lib").get("missing", read=read)
    assert [decode(path.read_bytes())["path"] for path in recorder.paths] == ["x"]


async def test_a_recording_that_cannot_be_written_costs_no_answer(tmp_path: Path, emulator: Emulator) -> None:
    (tmp_path / "recorded").write_text("a file in the way")
    async with serving(settings_for(tmp_path, emulator)) as service:
        service.record(recorder := Recorder(tmp_path / "recorded"))
        context = context_for(service)
        assert (await context.http("lib").get("x", read=decode))["path"] == "x"
    assert recorder.written == 0
    assert len(context.warnings) == 1
    assert "could not be recorded" in context.warnings[0]


async def test_recording_passes_the_cache_by(tmp_path: Path, emulator: Emulator) -> None:
    source = msgspec.structs.replace(LIB, ttl=60.0)
    async with serving(settings_for(tmp_path, emulator), source) as service:
        await context_for(service).http("lib").get("x")
        service.record(recorder := Recorder(tmp_path / "recorded"))
        await context_for(service).http("lib").get("x")
        await context_for(service).http("lib").get("x")
    assert recorder.written == 1
    assert len(emulator.log("lib")) == 3


async def test_a_request_that_was_not_recorded_names_itself(tmp_path: Path) -> None:
    async with serving(offline(tmp_path)) as service:
        context = context_for(service)
        with pytest.raises(OfflineFault) as caught:
            await context.http("lib").get("works/{}", "w1", params={"query": "secret words", "api_key": "k", "page": 2})
    assert "lib works/w1 (page, query)" in caught.value.message
    assert "secret" not in caught.value.message + caught.value.hint
    assert caught.value.source == "lib"
    assert exchanges(context) == []


async def test_offline_neither_transport_nor_cache_is_asked(tmp_path: Path, emulator: Emulator) -> None:
    source = msgspec.structs.replace(LIB, ttl=60.0)
    async with serving(settings_for(tmp_path / "data", emulator), source) as service:
        await context_for(service).http("lib").get("x")

    def refuse(*_: Any) -> None:
        pytest.fail("no transport is made offline")

    async with serving(offline(tmp_path), source, transport=refuse) as service:
        with pytest.raises(OfflineFault):
            await context_for(service).http("lib").get("x")


async def test_recordings_written_by_hand(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", "one.json", {"source": "lib", "path": "a", "params": {"q": "1"}, "body": {"n": [1]}})
    write(folder, "two.json", [{"source": "lib", "path": "b", "body_file": "b.xml", "content_type": "text/xml"}])
    write(folder, "elsewhere.json", {"source": "nobody", "path": "a", "body": "x"})
    write(folder, "demo.json", {"calls": []})
    (folder / "b.xml").write_bytes(b"<b/>")
    async with serving(offline(tmp_path), recordings=[folder]) as service:
        http = context_for(service).http("lib")
        assert (await http.get("a", params={"q": 1})).body == b'{"n":[1]}'
        assert (await http.get("b", media="application/xml")).body == b"<b/>"


async def test_a_later_folder_replaces_and_one_folder_goes_on(tmp_path: Path) -> None:
    plugin, own = tmp_path / "plugin", tmp_path / "own"
    for name, word in (("1.json", "first"), ("2.json", "second")):
        write(plugin, name, {"source": "lib", "path": "a", "body": word, "content_type": "text/plain"})
    async with serving(offline(tmp_path), recordings=[plugin]) as service:
        http = context_for(service).http("lib")
        assert [(await http.get("a", media="text/plain")).body for _ in range(3)] == [b"first", b"second", b"second"]
    write(own, "x.json", {"source": "lib", "path": "a", "body": "own", "content_type": "text/plain"})
    async with serving(offline(tmp_path), recordings=[plugin, own]) as service:
        assert (await context_for(service).http("lib").get("a", media="text/plain")).body == b"own"


async def test_the_form_of_an_answer_is_chosen_by_what_is_asked(tmp_path: Path) -> None:
    for accept, body in (("application/json", "{}"), ("text/plain", "words")):
        write(tmp_path / "r", f"{accept[:4]}.json", {"source": "lib", "path": "a", "accept": accept, "body": body})
    async with serving(offline(tmp_path), recordings=[tmp_path / "r"]) as service:
        http = context_for(service).http("lib")
        assert (await http.get("a", media="text/plain")).body == b"words"
        assert (await http.get("a")).body == b"{}"


async def test_a_question_posted_or_not_is_the_same(tmp_path: Path) -> None:
    write(tmp_path / "r", "a.json", {"source": "lib", "path": "search", "params": {"q": "x"}, "body": {"n": 1}})
    async with serving(offline(tmp_path), recordings=[tmp_path / "r"]) as service:
        http = context_for(service).http("lib")
        assert await http.post("searchPOST", params={"q": "x"}, read=decode) == {"n": 1}


@pytest.mark.parametrize(
    ("recording", "fault"),
    [
        ({"status": 429, "body": {"error": "API rate limit exceeded"}}, RateLimited),
        ({"body": "<html><body>Maintenance</body></html>"}, UpstreamInvalid),
        ({"body": '{"cut": '}, UpstreamInvalid),
        ({"status": 404, "body": "{}"}, NotFound),
    ],
)
async def test_a_fault_written_by_hand_is_one_at_once(tmp_path: Path, recording: dict[str, Any], fault: type) -> None:
    write(tmp_path / "r", "a.json", {"source": "lib", "path": "a", **recording})
    async with serving(offline(tmp_path), recordings=[tmp_path / "r"]) as service:
        context = context_for(service)
        async with asyncio.timeout(2):
            with pytest.raises(fault) as caught:
                await context.http("lib").get("a", read=decode)
    assert caught.value.source == "lib"
    assert exchanges(context)[0].fault == caught.value.code


def test_recordings_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "folder.json").mkdir()
    write(tmp_path, "unknown.json", {"source": "lib", "path": "a", "wrong": 1})
    write(tmp_path, "outside.json", {"source": "lib", "path": "a", "body_file": "../x"})
    write(tmp_path, "good.json", {"source": "lib", "path": "a"})
    replay = load([tmp_path, tmp_path / "missing"], {"lib": LIB})
    unread = ["broken.json", "deep.json", "folder.json", "outside.json", "unknown.json"]
    assert [text.partition(":")[0] for text in replay.unread] == unread
    assert not [text for text in replay.unread if str(tmp_path) in text]
    from vouched.services.address import ask

    with pytest.raises(OfflineFault, match=r"none|never") as caught:
        replay.answer(ask(LIB, "GET", "zzz", (), {}, ""))
    assert "broken.json" in caught.value.hint
