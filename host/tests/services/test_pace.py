"""Start gaps, queue and shared row, within one process."""

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from vouched.faults import Blocked, DeadlineExceeded, Fault, QueueFull
from vouched.remote import Source
from vouched.services.pace import PRIVATE_FACTOR, Pacer, SharedSlots
from vouched.services.slots import Slots
from vouched.settings import Settings
from vouched.testing.emulator import Emulator

from host.tests.services.support import (
    KEY,
    LIB,
    QUICK,
    context_for,
    exchanges,
    rated,
    serving,
    settings_for,
)

pytestmark = pytest.mark.anyio
OTHER = Source("other", "https://lib.example.org/other/", rate=1000)


@contextlib.asynccontextmanager
async def shared(path: Path) -> AsyncIterator[SharedSlots]:
    slots = SharedSlots(Slots(path))
    try:
        yield slots
    finally:
        await slots.close()


async def starts(pacer: Pacer, count: int, gap: float, gate: asyncio.Semaphore | None = None) -> list[float]:
    began: list[float] = []
    gate = gate or asyncio.Semaphore(100)

    async def one() -> None:
        async with pacer.turn(gap, gate, lambda: 30.0, again=False):
            began.append(time.monotonic())

    await asyncio.gather(*(one() for _ in range(count)))
    return began


def paced(since: float, began: list[float], gap: float) -> bool:
    """Whether none came before its slot. On a busy machine starts come late, two of them closer than their slots."""
    return all(start >= since + number * gap - 0.001 for number, start in enumerate(sorted(began)))


async def test_starts_keep_their_gap_in_the_order_of_arrival(tmp_path: Path) -> None:
    async with shared(tmp_path / "pace.sqlite3") as slots:
        pacer = Pacer("b", slots, 100)
        since = time.monotonic()
        began = await starts(pacer, 6, 0.05)
    assert began == sorted(began)
    assert paced(since, began, 0.05)
    assert began[-1] - since < 1.0


async def test_two_pacers_on_one_file_share_the_budget(tmp_path: Path) -> None:
    """Two plugins' sources, two event loops, two processes: the row is the same."""
    path = tmp_path / "pace.sqlite3"
    since = time.monotonic()
    async with shared(path) as one, shared(path) as two:
        pairs = await asyncio.gather(starts(Pacer("b", one, 100), 5, 0.06), starts(Pacer("b", two, 100), 5, 0.06))
        elsewhere = await starts(Pacer("c", one, 100), 1, 0.06)
    assert paced(since, [*pairs[0], *pairs[1]], 0.06)
    # Neither had to wait until the other was done.
    assert min(pairs[1]) < max(pairs[0])
    assert min(pairs[0]) < max(pairs[1])
    assert len(elsewhere) == 1


async def test_the_pace_outlives_a_restart(tmp_path: Path) -> None:
    """P48: a restart must not begin with a burst."""
    path = tmp_path / "pace.sqlite3"
    async with shared(path) as slots:
        await starts(Pacer("b", slots, 100), 1, 0.3)
    began = time.monotonic()
    async with shared(path) as slots:
        await starts(Pacer("b", slots, 100), 1, 0.3)
    assert time.monotonic() - began > 0.2


async def test_a_cool_down_holds_other_processes_back_too(tmp_path: Path) -> None:
    path = tmp_path / "pace.sqlite3"
    async with shared(path) as one, shared(path) as two:
        waiting = asyncio.ensure_future(starts(Pacer("b", two, 100), 3, 0.4))
        await asyncio.sleep(0.05)
        cooled = time.monotonic()
        await Pacer("b", one, 100).cool(0.8)
        began = await waiting
    # The first had started already; the start that was in hand is void.
    assert paced(cooled + 0.8, began[1:], 0.4)


async def test_p50_a_block_stops_other_processes_too(tmp_path: Path) -> None:
    path = tmp_path / "pace.sqlite3"
    async with shared(path) as one, shared(path) as two:
        await Pacer("lib key 1234", one, 100).block(60)
        with pytest.raises(Blocked, match=r"lib has blocked this address.*\b(59|60) s"):
            await starts(Pacer("lib key 1234", two, 100), 1, 0.01)
        await starts(Pacer("other", two, 100), 1, 0.01)


async def test_a_waiter_that_leaves_costs_no_start(tmp_path: Path) -> None:
    async with shared(tmp_path / "pace.sqlite3") as slots:
        pacer = Pacer("b", slots, 100)
        since = time.monotonic()
        await starts(pacer, 1, 0.5)
        leaver = asyncio.ensure_future(starts(pacer, 1, 0.5))
        await asyncio.sleep(0.05)
        stayer = asyncio.ensure_future(starts(pacer, 1, 0.5))
        await asyncio.sleep(0.01)
        leaver.cancel()
        [start] = await stayer
        assert 0.5 <= start - since < 1.0
        assert pacer.waiting == 0


async def test_too_many_waiters_are_shed_at_once(tmp_path: Path) -> None:
    async with shared(tmp_path / "pace.sqlite3") as slots:
        pacer = Pacer("lib key 1234", slots, 3)
        waiting = asyncio.ensure_future(starts(pacer, 3, 0.1))
        await asyncio.sleep(0)
        with pytest.raises(QueueFull, match="requests wait for lib already") as caught:
            await starts(pacer, 1, 0.1)
        assert caught.value.retry_after
        assert caught.value.retryable
        assert len(await waiting) == 3
        await starts(pacer, 1, 0.01)


async def test_a_start_known_to_come_too_late_is_shed_at_once(tmp_path: Path) -> None:
    async with shared(tmp_path / "pace.sqlite3") as slots:
        pacer = Pacer("b", slots, 100)
        waiting = asyncio.ensure_future(starts(pacer, 6, 0.1))
        await asyncio.sleep(0.02)
        with pytest.raises(QueueFull, match="was not sent") as caught:
            async with pacer.turn(0.1, asyncio.Semaphore(1), lambda: 0.3, again=False):
                pytest.fail("it must not start")
        assert 0.4 < (caught.value.retry_after or 0) <= 0.6
        waiting.cancel()


async def test_a_start_that_others_took_is_known_at_once(tmp_path: Path) -> None:
    """This process has nobody in its queue, and still its start would come too late: others spend the budget."""
    others = Slots(tmp_path / "pace.sqlite3")
    others.reserve("b", 30.0)
    others.close()
    async with shared(tmp_path / "pace.sqlite3") as slots:
        pacer = Pacer("b", slots, 100)
        began = time.monotonic()
        with pytest.raises(QueueFull, match="was not sent") as caught:
            async with pacer.turn(0.1, asyncio.Semaphore(1), lambda: 10.0, again=False):
                pytest.fail("it must not start")
        assert time.monotonic() - began < 5.0
        assert 20 < (caught.value.retry_after or 0) <= 30
        # The start in hand is left to somebody with more time.
        assert pacer.waiting == 0


async def test_a_start_that_is_used_late_is_taken_anew(tmp_path: Path) -> None:
    """Else it would share its second with the one after it."""
    path = tmp_path / "pace.sqlite3"
    async with shared(path) as slots:
        pacer = Pacer("b", slots, 100)
        await starts(pacer, 1, 0.2)
        waiting = asyncio.ensure_future(starts(pacer, 1, 0.2))
        await asyncio.sleep(0.05)
        # Something holds the event loop up until well after the start that is in hand.
        time.sleep(0.5)
        [late] = await waiting
        others = Slots(path)
        following, _ = others.reserve("b", 0.2)
        others.close()
    assert following.at >= late + 0.2 - 0.05


async def test_a_late_start_costs_the_time_it_is_late_and_no_start(tmp_path: Path) -> None:
    """On a busy machine every start may come late: losing a whole one each time, a full queue misses its deadline."""
    async with shared(tmp_path / "pace.sqlite3") as slots:
        pacer = Pacer("b", slots, 100)
        [first] = await starts(pacer, 1, 1.5)
        waiting = asyncio.ensure_future(starts(pacer, 1, 1.5))
        while time.monotonic() < first + 1.4:
            await asyncio.sleep(0.01)
        time.sleep(max(0.0, first + 1.65 - time.monotonic()))
        [late] = await waiting
    assert first + 1.65 <= late < first + 3.0 - 0.1


async def test_a_late_start_goes_behind_those_that_others_took_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "pace.sqlite3"
    others = Slots(path)
    async with shared(path) as slots:
        pacer = Pacer("b", slots, 100)
        await starts(pacer, 1, 0.3)
        waiting = asyncio.ensure_future(starts(pacer, 1, 0.3))
        await asyncio.sleep(0.1)
        theirs, _ = others.reserve("b", 0.3)
        time.sleep(max(0.0, theirs.at - 0.1 - time.monotonic()))
        [late] = await waiting
    others.close()
    assert late >= theirs.next - 0.001


async def test_when_the_row_is_lost_the_next_start_keeps_its_gap(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with shared(folder / "pace.sqlite3") as slots:
        pacer = Pacer("b", slots, 100)
        [first] = await starts(pacer, 1, 0.4)
        folder.rename(tmp_path / "moved")
        folder.write_text("a file in the way")
        [second] = await starts(pacer, 1, 0.4)
        assert slots.trouble
    assert second >= first + 0.4 - 0.05


async def test_without_the_row_the_pace_is_slower_and_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "pace.sqlite3"
    path.mkdir()
    async with shared(path) as slots:
        since = time.monotonic()
        began = await starts(Pacer("b", slots, 100), 4, 0.03)
        assert "unable to open" in slots.trouble
        pacer = Pacer("b", slots, 100)
        await pacer.cool(0.2)
        cooled = time.monotonic()
        later = await starts(pacer, 2, 0.03)
    assert paced(since, began, 0.03 * PRIVATE_FACTOR)
    assert paced(cooled + 0.2, later, 0.03 * PRIVATE_FACTOR)


async def test_a_row_that_somebody_holds_is_gone_around(tmp_path: Path) -> None:
    path = tmp_path / "pace.sqlite3"
    async with shared(path) as slots:
        await starts(Pacer("b", slots, 100), 1, 0.01)
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        await starts(Pacer("b", slots, 100), 2, 0.01)
        assert time.monotonic() - began < 3.0
        assert "locked" in slots.trouble
        holder.execute("COMMIT")
        holder.close()


async def test_a_damaged_file_is_begun_anew(tmp_path: Path) -> None:
    """It holds nothing that outlives a pause: better shared from now on than slow for ever."""
    path = tmp_path / "pace.sqlite3"
    path.write_text("no database " * 50)
    since = time.monotonic()
    async with shared(path) as one, shared(path) as two:
        first = await starts(Pacer("b", one, 100), 1, 0.05)
        began = await asyncio.gather(*(starts(Pacer("b", slots, 100), 4, 0.05) for slots in (one, two)))
        assert (one.trouble, two.trouble) == ("", "")
    assert paced(since, [*first, *began[0], *began[1]], 0.05)


async def test_a_file_that_was_deleted_or_replaced_is_followed(tmp_path: Path) -> None:
    """Else a process that opened it before and one that opened it after would each spend the whole budget."""
    folder = tmp_path / "data"
    async with shared(folder / "pace.sqlite3") as one, shared(folder / "pace.sqlite3") as two:
        await starts(Pacer("b", one, 100), 1, 0.01)
        folder.rename(tmp_path / "moved")
        since = time.monotonic()
        pacers = [Pacer("b", slots, 100) for slots in (one, two)]
        began = await asyncio.gather(*(starts(pacer, 4, 0.05) for pacer in pacers))
        await pacers[0].cool(0.3)
        cooled = time.monotonic()
        later = await starts(pacers[1], 1, 0.05)
    assert paced(since, [*began[0], *began[1]], 0.05)
    assert paced(cooled + 0.3, later, 0.05)


def test_a_row_from_before_the_machine_started_is_not_believed(tmp_path: Path) -> None:
    slots = Slots(tmp_path / "pace.sqlite3")
    slots.reserve("b", 0.1)
    future = time.monotonic() + 3600
    with sqlite3.connect(tmp_path / "pace.sqlite3") as db:
        db.execute("UPDATE pace SET next_start = ?, cool_until = ?, written = ?", (future, future, future))
    db.close()
    start, pause = slots.reserve("b", 0.1)
    assert start.at <= time.monotonic() + 0.01
    assert pause.cool_until == 0.0
    slots.close()


async def test_a_clock_that_is_set_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "pace.sqlite3"
    since = time.monotonic()
    async with shared(path) as one, shared(path) as two:
        asking = asyncio.gather(*(starts(Pacer("b", slots, 100), 5, 0.05) for slots in (one, two)))
        for now in (0.0, 4e9, 1.7e9):
            await asyncio.sleep(0.1)
            monkeypatch.setattr(time, "time", lambda now=now: now)
        began = [start for each in await asking for start in each]
        await Pacer("b", one, 100).cool(0.3)
        cooled = time.monotonic()
        monkeypatch.setattr(time, "time", lambda: 4e9)
        later = await starts(Pacer("b", two, 100), 1, 0.05)
    assert paced(since, began, 0.05)
    assert paced(cooled + 0.3, later, 0.05)


def test_longer_pauses_stay(tmp_path: Path) -> None:
    slots = Slots(tmp_path / "pace.sqlite3")
    slots.pause("b", cool=5)
    slots.pause("b", cool=1)
    slots.pause("b", block=2)
    pause = slots.look("b")
    assert 4.5 < pause.cool_until - time.monotonic() < 5.1
    assert 1.5 < pause.blocked_until - time.monotonic() < 2.1
    assert slots.look("c").cool_until == 0.0
    slots.close()


# Through the clients


async def test_p47_twelve_calls_of_two_plugins_share_one_budget(settings: Settings, emulator: Emulator) -> None:
    """No second holds more starts than the limit, retries included; every call gets its answer."""
    emulator.settle("lib", limit=None)
    emulator.misbehave("lib", "rate_limited", times=2, skip=3, retry_after=None)
    emulator.misbehave("other", "status", times=1, status=503)
    async with serving(rated(settings, lib=10, other=10), LIB, OTHER) as service:
        asked = [context_for(service).http(("lib", "other")[n % 2]).get(f"x{n}") for n in range(14)]
        answers = await asyncio.gather(*asked)
    assert len(answers) == 14
    assert len(emulator.log("lib", "other")) == 17
    assert emulator.peak("lib", "other") <= 10


async def test_p47_at_the_pace_of_ncbi_nothing_is_refused(settings: Settings, emulator: Emulator) -> None:
    emulator.settle("lib", limit=3)
    async with serving(rated(settings, lib=3)) as service:
        await asyncio.gather(*(context_for(service, 20).http("lib").get(f"x{n}") for n in range(4)))
    assert [entry.status for entry in emulator.log("lib")] == [200] * 4
    assert emulator.peak("lib") <= 3


async def test_the_gap_is_a_little_longer_than_the_rate_says(tmp_path: Path, emulator: Emulator) -> None:
    """A gap of exactly 1 / rate lets one too many into some seconds."""
    source = msgspec.structs.replace(LIB, rate=3, keyed_rate=10)
    for env, gap in (({}, 1.15 / 3), ({"LIB_KEY": KEY}, 1.15 / 10)):
        async with serving(settings_for(tmp_path, emulator, env=env), source) as service:
            assert service.lanes["lib"].gap == pytest.approx(gap)
    async with serving(rated(settings_for(tmp_path, emulator), lib=2), source) as service:
        assert service.lanes["lib"].gap == pytest.approx(1.15 / 2)


async def test_a_key_has_a_budget_and_a_pace_of_its_own(tmp_path: Path, emulator: Emulator) -> None:
    source = msgspec.structs.replace(LIB, rate=2, keyed_rate=50)
    keyed = settings_for(tmp_path, emulator, env={"LIB_KEY": KEY})
    async with serving(settings_for(tmp_path, emulator), source) as plain, serving(keyed, source) as fast:
        assert plain.lanes["lib"].budget == "lib.example.org"
        assert fast.lanes["lib"].budget.startswith("lib.example.org key ")
        assert KEY not in fast.lanes["lib"].budget
        began = time.monotonic()
        await asyncio.gather(*(context_for(fast).http("lib").get(f"x{n}") for n in range(5)))
        assert time.monotonic() - began < 2
        assert fast.status()["sources"]["lib"]["budget"] == "lib.example.org"


async def test_no_more_in_flight_than_declared(settings: Settings, emulator: Emulator) -> None:
    emulator.settle("lib", latency=0.1)
    async with serving(settings, msgspec.structs.replace(LIB, in_flight=3)) as service:
        await asyncio.gather(*(context_for(service).http("lib").get(f"x{n}") for n in range(9)))
    log = emulator.log("lib")
    open_at = [sum(e.started <= entry.started < (e.ended or 0) for e in log) for entry in log]
    assert max(open_at) == 3


async def test_sources_of_one_budget_share_their_places_in_flight(settings: Settings, emulator: Emulator) -> None:
    """Each keeps its own limit, and together they have no more open than the one that may have most."""
    emulator.settle("lib", latency=0.15)
    emulator.settle("other", latency=0.15)
    small = msgspec.structs.replace(LIB, in_flight=2)
    large = msgspec.structs.replace(OTHER, in_flight=4)
    async with serving(settings, small, large) as service:
        asked = [context_for(service).http(name).get(f"x{n}") for n in range(8) for name in ("lib", "other")]
        await asyncio.gather(*asked)
    assert emulator.in_flight("lib") == 2
    assert emulator.in_flight("lib", "other") == 4


async def test_sources_of_two_budgets_do_not_wait_for_each_other(settings: Settings, emulator: Emulator) -> None:
    emulator.settle("lib", latency=0.3)
    emulator.settle("other", latency=0.3)
    sources = [msgspec.structs.replace(source, in_flight=2, budget=source.name) for source in (LIB, OTHER)]
    async with serving(settings, *sources) as service:
        asked = [context_for(service).http(name).get(f"x{n}") for n in range(4) for name in ("lib", "other")]
        await asyncio.gather(*asked)
    assert emulator.in_flight("lib", "other") == 4


async def test_a_source_whose_key_was_rejected_shares_the_places_of_its_new_budget(
    tmp_path: Path, emulator: Emulator
) -> None:
    emulator.settle("lib", latency=0.1)
    emulator.settle("other", latency=0.1)
    emulator.misbehave("lib", "body", status=400, body={"error": "API key invalid"}, match={"api_key": KEY}, times=None)
    settings = settings_for(tmp_path, emulator, env={"LIB_KEY": KEY})
    sources = [msgspec.structs.replace(source, in_flight=2) for source in (LIB, OTHER)]
    async with serving(settings, *sources) as service:
        await context_for(service).http("lib").get("first")
        emulator.clear()
        asked = [context_for(service).http(name).get(f"x{n}") for n in range(4) for name in ("lib", "other")]
        await asyncio.gather(*asked)
    assert emulator.in_flight("lib", "other") == 2


async def test_p53_thirty_calls_against_a_slow_service_end_by_their_deadline(
    settings: Settings, emulator: Emulator
) -> None:
    """Those that cannot start in time are shed at once, others end at the deadline; what was not sent stays unsent."""
    emulator.settle("lib", latency=20)
    async with serving(rated(settings, lib=20)) as service:
        contexts = [context_for(service, 1.0) for _ in range(30)]
        began = time.monotonic()

        async def ask(number: int, context: Any) -> tuple[Fault, float]:
            with pytest.raises(Fault) as caught:
                await context.http("lib").get(f"x{number}")
            return caught.value, time.monotonic() - began

        ends = await asyncio.gather(*(ask(n, context) for n, context in enumerate(contexts)))
    assert all(seconds < 3 for _, seconds in ends)
    shed = [seconds for fault, seconds in ends if isinstance(fault, QueueFull)]
    late = [seconds for fault, seconds in ends if isinstance(fault, DeadlineExceeded)]
    assert len(shed) + len(late) == 30
    assert shed
    assert max(shed) < 1.0
    # in_flight allows four; the rest never left, and has no exchange.
    assert len(emulator.log("lib")) == LIB.in_flight
    assert sum(len(exchanges(context)) for context in contexts) == LIB.in_flight


async def test_at_default_depth_answers_and_shed_calls_add_up(tmp_path: Path, emulator: Emulator) -> None:
    settings = rated(settings_for(tmp_path, emulator, limits=msgspec.structs.replace(QUICK, deadline=45.0)), lib=150)
    async with serving(settings) as service:
        asked = [context_for(service).http("lib").get(f"x{n}") for n in range(200)]
        ends = await asyncio.gather(*asked, return_exceptions=True)
    shed = [end for end in ends if isinstance(end, QueueFull)]
    assert len(shed) == 100
    assert len(ends) - len(shed) == len(emulator.log("lib")) == 100
