"""Identical requests in flight, and the cache."""

import asyncio
import sqlite3
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from vouched.faults import DeadlineExceeded, RateLimited, UpstreamInvalid, UpstreamRejected
from vouched.remote import Response
from vouched.services.cache import Cache, Kept
from vouched.services.provenance import digest, now
from vouched.services.sealed import Seal
from vouched.settings import Settings
from vouched.testing.emulator import Emulator

from host.tests.services.support import EMAIL, KEY, LIB, QUICK, arrived, context_for, exchanges, serving, settings_for

pytestmark = pytest.mark.anyio
KEPT = msgspec.structs.replace(LIB, ttl=60.0)


def decode(body: bytes) -> dict[str, Any]:
    return msgspec.json.decode(body, type=dict[str, Any])


async def gone(emulator: Emulator) -> None:
    for _ in range(200):
        if all(entry.outcome != "running" for entry in emulator.log("lib")):
            return
        await asyncio.sleep(0.01)


async def test_identical_requests_are_sent_once_and_share_nothing_that_changes(
    settings: Settings, emulator: Emulator
) -> None:
    emulator.settle("lib", latency=0.1)
    async with serving(settings) as service:
        contexts = [context_for(service) for _ in range(5)]
        # Readers of their own, as closures are.
        values = await asyncio.gather(
            *(
                context.http("lib").get("x", params={"a": 1, "b": 2}, read=lambda b: decode(b))
                for context in contexts[:3]
            ),
            *(context.http("lib").get("x", params={"b": 2, "a": 1}, read=decode) for context in contexts[3:]),
        )
    assert len(emulator.log("lib")) == 1
    assert all(value == values[0] for value in values)
    assert len({id(value) for value in values}) == 5
    assert [len(exchanges(context)) for context in contexts] == [1] * 5


async def test_different_questions_are_not_shared(settings: Settings, emulator: Emulator) -> None:
    emulator.settle("lib", latency=0.05)
    async with serving(settings) as service:
        http = context_for(service).http("lib")
        await asyncio.gather(
            http.get("x"), http.get("y"), http.get("x", params={"a": 1}), http.get("x", media="text/plain")
        )
    assert len(emulator.log("lib")) == 4


async def test_it_survives_the_cancellation_of_whoever_asked_first(settings: Settings, emulator: Emulator) -> None:
    emulator.settle("lib", latency=0.5)
    async with serving(settings) as service:
        first = asyncio.ensure_future(context_for(service).http("lib").get("x", read=decode))
        await arrived(emulator)
        second = asyncio.ensure_future(context_for(service).http("lib").get("x", read=decode))
        await asyncio.sleep(0.02)
        first.cancel()
        assert (await second)["path"] == "x"
        with pytest.raises(asyncio.CancelledError):
            await first
    assert len(emulator.log("lib")) == 1


async def test_it_ends_with_its_last_waiter(settings: Settings, emulator: Emulator) -> None:
    emulator.settle("lib", latency=5)
    async with serving(settings) as service:
        waiters = [asyncio.ensure_future(context_for(service).http("lib").get("x")) for _ in range(2)]
        await arrived(emulator)
        for waiter in waiters:
            waiter.cancel()
        await asyncio.gather(*waiters, return_exceptions=True)
        await gone(emulator)
        assert [entry.outcome for entry in emulator.log("lib")] == ["gone"]
        emulator.settle("lib", latency=0)
        assert (await context_for(service).http("lib").get("x", read=decode))["path"] == "x"


async def test_each_waiter_keeps_its_own_deadline(settings: Settings, emulator: Emulator) -> None:
    emulator.settle("lib", latency=1.0)
    async with serving(settings) as service:
        patient = asyncio.ensure_future(context_for(service, 5).http("lib").get("x", read=decode))
        await asyncio.sleep(0)
        began = time.monotonic()
        with pytest.raises(DeadlineExceeded):
            await context_for(service, 0.1).http("lib").get("x", read=decode)
        assert time.monotonic() - began < 0.9
        assert (await patient)["path"] == "x"
    assert len(emulator.log("lib")) == 1


async def test_a_joiner_with_more_time_keeps_the_request_going(settings: Settings, emulator: Emulator) -> None:
    emulator.settle("lib", latency=0.8)
    async with serving(settings) as service:
        hasty = asyncio.ensure_future(context_for(service, 0.4).http("lib").get("x", read=decode))
        await asyncio.sleep(0)
        assert (await context_for(service, 5).http("lib").get("x", read=decode))["path"] == "x"
        with pytest.raises(DeadlineExceeded):
            await hasty
    assert len(emulator.log("lib")) == 1


async def test_a_joiner_with_more_time_is_waited_for_longer(settings: Settings, emulator: Emulator) -> None:
    """Whether another try still makes sense is a question of whoever waits longest, not of whoever came first."""
    emulator.misbehave("lib", "rate_limited", retry_after="0.4")
    emulator.settle("lib", latency=0.1)
    async with serving(settings) as service:
        hasty = asyncio.ensure_future(context_for(service, 0.3).http("lib").get("x", read=decode))
        await asyncio.sleep(0)
        assert (await context_for(service, 5).http("lib").get("x", read=decode))["path"] == "x"
        with pytest.raises(DeadlineExceeded):
            await hasty
    assert len(emulator.log("lib")) == 2


async def test_a_fault_reaches_every_waiter_as_its_own(settings: Settings, emulator: Emulator) -> None:
    emulator.settle("lib", latency=0.05)
    emulator.misbehave("lib", "status", status=400, body=b"{}", times=None)
    async with serving(settings) as service:
        asked = (context_for(service).http("lib").get("x", read=decode) for _ in range(3))
        faults = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(fault) for fault in faults] == [UpstreamRejected] * 3
    assert len({id(fault) for fault in faults}) == 3


async def test_a_reader_that_wants_more_asks_for_itself(settings: Settings, emulator: Emulator) -> None:
    """The one who asked first accepts any JSON; the other finds a stub, and gets what it wants by asking again."""

    def strict(body: bytes) -> dict[str, Any]:
        value = decode(body)
        if "path" not in value:
            raise UpstreamInvalid("a stub")
        return value

    emulator.settle("lib", latency=0.1)
    emulator.misbehave("lib", "body", body={"version": "1"})
    async with serving(settings) as service:
        loose, wanted = await asyncio.gather(
            context_for(service).http("lib").get("x", read=decode),
            context_for(service).http("lib").get("x", read=strict),
        )
    assert loose == {"version": "1"}
    assert wanted["path"] == "x"


@pytest.mark.parametrize("error", [UpstreamRejected("not for me"), TypeError("a defect"), UpstreamInvalid("a stub")])
async def test_what_one_reader_refuses_another_may_take(
    settings: Settings, emulator: Emulator, error: Exception
) -> None:
    """The flight is another plugin's: its reader's word, and its reader's defects, bind nobody else."""

    def refusing(body: bytes) -> None:
        raise error

    emulator.settle("lib", latency=0.1)
    async with serving(settings) as service:
        contexts = [context_for(service) for _ in range(3)]
        readers = [refusing, decode, refusing]
        asked = (c.http("lib").get("x", read=read) for c, read in zip(contexts, readers, strict=True))
        first, second, third = await asyncio.gather(*asked, return_exceptions=True)
    assert type(first) is type(third) is type(error)
    assert isinstance(second, dict)
    assert second["path"] == "x"
    code = getattr(error, "code", "internal")
    assert [exchanges(context)[0].fault for context in contexts] == [code, "", code]
    assert len(emulator.log("lib")) == (settings.limits.attempts if getattr(error, "retryable", False) else 1)


async def test_a_fault_that_all_readers_find_is_not_asked_for_again(settings: Settings, emulator: Emulator) -> None:
    """Each call has a reader of its own, as closures are; together they still ask only as often as one."""
    emulator.settle("lib", latency=0.05)
    emulator.misbehave("lib", "rate_limited", retry_after=100, times=None)
    async with serving(settings) as service:
        asked = (context_for(service).http("lib").get("x", read=lambda body: decode(body)) for _ in range(5))
        faults = await asyncio.gather(*asked, return_exceptions=True)
    assert [(type(fault), fault.retry_after) for fault in faults] == [(RateLimited, 100.0)] * 5  # type: ignore[union-attr]
    assert len(emulator.log("lib")) == 1


async def test_the_cache_serves_a_repeat_and_says_so(settings: Settings, emulator: Emulator) -> None:
    async with serving(settings, KEPT) as service:
        first, second = context_for(service), context_for(service)
        one = await first.http("lib").get("x", params={"a": 1, "b": 2}, read=decode)
        two = await second.http("lib").get("x", params={"b": 2, "a": 1}, read=decode)
    assert one == two
    assert one is not two
    assert len(emulator.log("lib")) == 1
    [fresh], [kept] = exchanges(first), exchanges(second)
    assert (kept.from_cache, kept.attempts, kept.http_status) == (True, 0, 200)
    assert (kept.retrieved_at, kept.content_sha256) == (fresh.retrieved_at, fresh.content_sha256)


async def test_the_cache_outlives_the_process_and_is_bound_to_what_was_asked(
    tmp_path: Path, emulator: Emulator
) -> None:
    for key in ("", KEY):
        settings = settings_for(tmp_path, emulator, env={"LIB_KEY": key, "NCBI_EMAIL": EMAIL if key else ""})
        async with serving(settings, KEPT) as service:
            await context_for(service).http("lib").get("x", read=decode)
    # Key and e-mail play no part; the media type does.
    assert len(emulator.log("lib")) == 1
    async with serving(settings, KEPT) as service:
        await context_for(service).http("lib").get("x", media="text/plain")
    assert len(emulator.log("lib")) == 2


async def test_refresh_passes_the_cache_by_and_renews_it(settings: Settings, emulator: Emulator) -> None:
    async with serving(settings, KEPT) as service:
        http = context_for(service).http("lib")
        await http.get("x", read=decode)
        emulator.misbehave("lib", "body", body={"new": True})
        assert await http.get("x", read=decode, refresh=True) == {"new": True}
        assert await http.get("x", read=decode) == {"new": True}
    assert len(emulator.log("lib")) == 2


async def test_p55_an_error_is_never_kept(settings: Settings, emulator: Emulator) -> None:
    def read(body: bytes) -> dict[str, Any]:
        value = decode(body)
        if "ERROR" in value:
            raise UpstreamRejected("no")
        return value

    emulator.misbehave("lib", "body", body={"ERROR": "no"})
    async with serving(settings, KEPT) as service:
        http = context_for(service).http("lib")
        with pytest.raises(UpstreamRejected):
            await http.get("x", read=read)
        assert (await http.get("x", read=read))["path"] == "x"
        # Neither is a status that only this caller takes for an answer.
        assert await http.get("missing", answers={404: None}) is None
        assert await http.get("missing", answers={404: None}) is None
    assert [entry.path.rpartition("/")[2] for entry in emulator.log("lib")] == ["x", "x", "missing", "missing"]


async def test_an_answer_that_its_reader_refuses_is_asked_again(settings: Settings, emulator: Emulator) -> None:
    def later(body: bytes) -> dict[str, Any]:
        if b"path" not in body:
            raise UpstreamInvalid("not for this version")
        return decode(body)

    emulator.misbehave("lib", "body", body={"old": True})
    async with serving(settings, KEPT) as service:
        http = context_for(service).http("lib")
        await http.get("x", read=decode)
        assert (await http.get("x", read=later))["path"] == "x"


async def test_settings_turn_the_cache_off(tmp_path: Path, emulator: Emulator) -> None:
    settings = settings_for(tmp_path, emulator)
    own = msgspec.structs.replace(settings.sources["lib"], ttl=0.0)
    async with serving(msgspec.structs.replace(settings, sources={"lib": own}), KEPT) as service:
        await context_for(service).http("lib").get("x")
        await context_for(service).http("lib").get("x")
    assert len(emulator.log("lib")) == 2
    assert not (tmp_path / "cache.sqlite3").exists()


def answer(size: int, fill: int = 0) -> Kept:
    # Bytes that cannot be compressed, so that sizes are what they say.
    import random

    body = random.Random(fill).randbytes(size)
    return Kept(Response(200, {"content-type": "x/y"}, body), digest(body), now())


async def test_the_least_recently_used_goes_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache.sqlite3", 1_000_000)
    for number in range(120):
        await cache.put(f"k{number}", answer(10_000, number))
        assert await cache.get("k0", 60) == answer_like(await cache.get("k0", 60))
    present = [number for number in range(120) if await cache.get(f"k{number}", 60) is not None]
    assert present == [0, *range(120 - len(present) + 1, 120)]
    assert 70 < len(present) < 100
    await cache.put("big", answer(1_000_001, 9))
    assert await cache.get("big", 60) is None
    assert await cache.get("k0", 60) is not None
    await cache.close()


def answer_like(kept: Kept | None) -> Kept:
    assert kept is not None
    assert digest(kept.response.body) == kept.sha256
    return kept


@pytest.mark.parametrize("size", [100, 2_100, 20_000])
async def test_the_file_stays_bounded(tmp_path: Path, size: int) -> None:
    """The file itself, whatever the answers' size: small ones leave much of a page empty."""
    path = tmp_path / "cache.sqlite3"
    cache = Cache(path, 400_000)
    for number in range(1_600_000 // max(size, 4_000)):
        await cache.put(f"k{number}", answer(size, number))
    await cache.close()
    assert path.stat().st_size <= 400_000
    assert await cache.get(f"k{number}", 60) is not None
    await cache.close()


async def test_a_lower_bound_gives_space_back(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    for bound in (2_000_000, 200_000):
        cache = Cache(path, bound)
        for number in range(100):
            await cache.put(f"k{number}", answer(20_000, number))
        await cache.close()
        assert path.stat().st_size <= bound


async def test_a_bound_of_nothing_keeps_nothing(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache.sqlite3", 100)
    await cache.put("k", answer(50))
    assert await cache.get("k", 60) is None
    assert cache.trouble == ""
    await cache.close()


async def test_a_folder_that_was_moved_is_followed(tmp_path: Path) -> None:
    """Two processes, one of which opened the file before the folder went."""
    one, two = (Cache(tmp_path / "data" / "cache.sqlite3", 1_000_000) for _ in range(2))
    await one.put("k", answer(50))
    (tmp_path / "data").rename(tmp_path / "elsewhere")
    assert await one.get("k", 60) is None
    await one.put("k", answer(60))
    assert await two.get("k", 60) == answer_like(await one.get("k", 60))
    await one.close()
    await two.close()


async def test_what_is_too_old_is_gone(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache.sqlite3", 100_000)
    await cache.put("k", answer(10))
    await asyncio.sleep(0.05)
    assert await cache.get("k", 0.01) is None
    assert await cache.get("k", 60) is None
    await cache.close()


@pytest.mark.parametrize("damage", ["not a database at all, just words " * 100, ""])
async def test_a_damaged_file_is_dropped(settings: Settings, emulator: Emulator, damage: str) -> None:
    settings.data.mkdir(exist_ok=True)
    (settings.data / "cache.sqlite3").write_text(damage)
    async with serving(settings, KEPT) as service:
        http = context_for(service).http("lib")
        await http.get("x", read=decode)
        await http.get("x", read=decode)
    assert len(emulator.log("lib")) == 1


async def test_a_damaged_page_is_dropped_while_in_use(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    cache = Cache(path, 10_000_000)
    for number in range(20):
        await cache.put(f"k{number}", answer(20_000, number))
    await cache.close()
    content = bytearray(path.read_bytes())
    content[4096 : 4096 * 40] = b"\xff" * (4096 * 39)
    path.write_bytes(bytes(content))
    cache = Cache(path, 10_000_000)
    assert await cache.get("k3", 60) is None
    await cache.put("k3", answer(100, 3))
    assert await cache.get("k3", 60) == answer_like(await cache.get("k3", 60))
    await cache.close()


async def test_a_body_that_changed_on_disk_is_not_served(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    cache = Cache(path, 100_000)
    await cache.put("k", answer(10))
    await cache.close()
    with sqlite3.connect(path) as db:
        import zlib

        db.execute("UPDATE answer SET body = ?", (zlib.compress(b"other words"),))
    db.close()
    assert await cache.get("k", 60) is None
    await cache.close()


async def test_without_a_writable_folder_there_is_no_cache_and_no_failure(
    settings: Settings, emulator: Emulator, caplog: pytest.LogCaptureFixture
) -> None:
    """Said once in the log, and in the status for as long as it lasts."""
    blocked = msgspec.structs.replace(settings, data=settings.data / "file" / "below")
    (settings.data / "file").write_text("a file where a folder should be")
    async with serving(blocked, KEPT) as service:
        for _ in range(2):
            await context_for(service).http("lib").get("x", read=decode)
        status = service.status()
        said = [record for record in caplog.records if record.name == "vouched.cache"]
        (settings.data / "file").unlink()
        await context_for(service).http("lib").get("x", read=decode)
        assert service.status()["cache"]["trouble"] == ""
    assert status["cache"]["trouble"]
    assert status["pace"]["trouble"]
    assert len(said) == 1
    assert len(emulator.log("lib")) == 3


async def test_a_cache_of_another_version_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    cache = Cache(path, 100_000)
    await cache.put("k", answer(10))
    assert await cache.get("k", 60) is not None
    await cache.close()


def test_default_bound() -> None:
    assert QUICK.cache_bytes == 256_000_000


async def test_a_question_that_holds_a_secret_is_found_again_and_stands_in_no_file(tmp_path: Path) -> None:
    path, key = tmp_path / "cache.sqlite3", "https://x.example/ text/xml term=someone@example.org[ad]"
    cache = Cache(path, 1_000_000, Seal({"email": ["someone@example.org"]}))
    body = b"of someone@example.org"
    await cache.put(key, Kept(Response(200, {}, body), digest(body), now()))
    found = await cache.get(key, 60.0)
    assert found is not None
    assert found.response.body == body
    assert all(b"someone" not in file.read_bytes() for file in tmp_path.iterdir())
    await cache.drop(key)
    assert await cache.get(key, 60.0) is None
    await cache.close()
