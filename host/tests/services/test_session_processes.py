"""Several processes on one data folder, and processes that die."""

import asyncio
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from vouched.journal import Owner, Run, RunChange, SessionStore
from vouched.services.session import open_store
from vouched.settings import Settings

SCRIPT = Path(__file__).with_name("session_process.py")
Spawn = Callable[..., "subprocess.Popen[str]"]

pytestmark = pytest.mark.anyio


@pytest.fixture
def spawn(data: Path) -> Iterator[Spawn]:
    started: list[subprocess.Popen[str]] = []

    def make(mode: str, name: str, count: int = 1) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, SCRIPT, mode, data, name, str(count)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        return process

    yield make
    for process in started:
        process.kill()
        process.communicate()


def go_on(process: "subprocess.Popen[str]") -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def whole(data: Path) -> bool:
    path = data / "sessions.sqlite3"
    if not path.exists():
        # Killed before it made one. Connecting would make an empty file, which is no session file.
        return True
    with sqlite3.connect(path) as connection:
        (said,) = connection.execute("PRAGMA integrity_check").fetchone()
        foreign = connection.execute("PRAGMA foreign_key_check").fetchall()
    connection.close()
    return said == "ok" and not foreign


async def all_runs(store: SessionStore, owner: Owner) -> list[Run]:
    runs: list[Run] = []
    cursor: str | None = None
    while True:
        page = await store.runs(owner, limit=100, cursor=cursor)
        runs += page.items
        cursor = page.next_cursor
        if cursor is None:
            return runs


async def test_p100_two_processes_lose_none_of_each_others_runs(spawn: Spawn, store: SessionStore, data: Path) -> None:
    """2 x 200 interleaved runs, with articles, files and events."""
    processes = [spawn("runs", name, 200) for name in ("a", "b")]
    for process in processes:
        go_on(process)
    for process in processes:
        assert await asyncio.to_thread(process.wait, 60) == 0
    for name in ("a", "b"):
        owner = Owner(client=name)
        runs = await all_runs(store, owner)
        assert {run.run_id for run in runs} == {f"{name}-{number}" for number in range(200)}
        assert {run.status for run in runs} == {"completed"}
        info = await store.info(owner)
        assert (info.runs, info.events, info.artifacts) == (200, 200, 200)
        newest = (await store.artifacts(owner, limit=1)).items[0]
        assert await store.read_artifact(owner, newest.artifact_id) == b"%s-199" % name.encode() * 50
    assert whole(data)


async def test_a_living_process_keeps_its_unfinished_run(spawn: Spawn, store: SessionStore) -> None:
    """The start of a second client must not end what the first is doing."""
    process = spawn("hold", "a")
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    await store.start_run(Owner(client="b"), Run(run_id="b-1", session_id="default", tool="t"))
    assert (await store.run(Owner(client="a"), "a-held")).status == "running"
    assert (await store.runs(Owner(client="a"), status="running")).total == 1


async def test_a_killed_processs_run_is_interrupted_at_once_for_readers_and_for_good_after_a_write(
    spawn: Spawn, store: SessionStore, data: Path
) -> None:
    process = spawn("hold", "a")
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    mine, theirs = Owner(client="b"), Owner(client="a")
    await store.start_run(mine, Run(run_id="b-1", session_id="default", tool="t", status="running"))
    process.kill()
    process.wait()
    assert (await store.run(theirs, "a-held")).status == "interrupted"
    info = await store.info(theirs)
    assert info.by_status == {"interrupted": 1}
    assert [run.run_id for run in (await store.runs(theirs, status="interrupted")).items] == ["a-held"]
    assert (await store.runs(theirs, status="running")).items == []
    other = open_store(Settings(data=data))
    await other.change_run(mine, "b-1", RunChange(status="completed"))
    assert (await other.info(theirs)).by_status == {"interrupted": 1}
    (event,) = (await other.events(theirs, kind="interrupted")).items
    assert (event.run_id, event.level) == ("a-held", "warning")
    # Our own process still lives, and its run was not touched.
    assert (await other.run(mine, "b-1")).status == "completed"
    await other.aclose()


async def test_a_program_that_never_closes_its_store_still_ends_cleanly(
    spawn: Spawn, store: SessionStore, data: Path
) -> None:
    process = spawn("leave", "a")
    assert await asyncio.to_thread(process.wait, 20) == 0
    assert (await store.run(Owner(client="a"), "a-0")).status == "completed"
    with sqlite3.connect(data / "sessions.sqlite3") as connection:
        assert connection.execute("SELECT count(*) FROM processes").fetchone() == (0,)
    connection.close()
    assert list((data / "processes").iterdir()) == []


async def kill_at_random(spawn: Spawn, store: SessionStore, data: Path, times: int) -> None:
    """Kill a busy process again and again: nothing that it called committed may be gone."""
    rng = random.Random(20260131)
    for number in range(times):
        name = f"p{number}"
        process = spawn("forever", name)
        time.sleep(rng.uniform(0.0, 0.15))
        process.send_signal(signal.SIGKILL)
        said, _ = process.communicate()
        owner = Owner(client=name)
        runs = {run.run_id: run.status for run in await all_runs(store, owner)}
        # A line that the kill cut has no newline; what it says is not claimed.
        for line in said.splitlines(keepends=True):
            if line.endswith("\n"):
                step, run_id = line.split()
                assert runs[run_id] == "completed" or step == "started", line
        assert set(runs.values()) <= {"completed", "interrupted"}
        for artifact in (await store.artifacts(owner, limit=100)).items:
            assert await store.read_artifact(owner, artifact.artifact_id) == artifact.run_id.encode() * 50
        assert whole(data)
    assert await store.notices(Owner()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
async def test_kill_in_mid_run_leaves_everything_else_whole(spawn: Spawn, store: SessionStore, data: Path) -> None:
    await kill_at_random(spawn, store, data, 5)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
async def test_fifty_kills_at_random_moments(spawn: Spawn, store: SessionStore, data: Path) -> None:
    await kill_at_random(spawn, store, data, 50)


async def test_processes_that_find_one_damaged_file_at_once_set_it_aside_once(
    spawn: Spawn, store: SessionStore, data: Path
) -> None:
    await store.start_run(Owner(client="x"), Run(run_id="r1", session_id="default", tool="t"))
    await store.aclose()
    (data / "sessions.sqlite3").write_bytes(b"broken " * 5_000)
    processes = [spawn("runs", name, 5) for name in "abc"]
    for process in processes:
        go_on(process)
    for process in processes:
        assert await asyncio.to_thread(process.wait, 30) == 0
    assert [(await store.info(Owner(client=name))).by_status for name in "abc"] == [{"completed": 5}] * 3
    assert len(await store.notices(Owner())) == 1
    assert len(list(data.glob("sessions*.damaged-*.sqlite3"))) == 1


async def test_processes_that_begin_at_once_share_one_file(spawn: Spawn, store: SessionStore, data: Path) -> None:
    processes = [spawn("runs", name, 3) for name in "abcd"]
    for process in processes:
        go_on(process)
    for process in processes:
        assert await asyncio.to_thread(process.wait, 30) == 0
    assert [(await store.info(Owner(client=name))).runs for name in "abcd"] == [3, 3, 3, 3]
    assert [path.name for path in data.glob("*.sqlite3")] == ["sessions.sqlite3"]
    assert whole(data)
