"""The SQLite store as such: made late, closed cleanly, usable from any loop, bounded, forgiving to what it reads."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from vouched.article import Article
from vouched.faults import InvalidArgument, ProviderFailed
from vouched.journal import Artifact, Event, Owner, Run, RunChange, SessionStore
from vouched.services.session import open_store
from vouched.services.store import events
from vouched.services.store.database import transaction
from vouched.settings import SessionSettings, Settings

ME = Owner(client="desk")


def article(number: int) -> Article:
    return Article(ids={"pmid": str(99900001 + number)}, title=f"Invented {number}", source="made")


async def ran(store: SessionStore, run_id: str, owner: Owner = ME) -> None:
    await store.start_run(owner, Run(run_id=run_id, session_id="default", tool="t", status="running"))
    await store.change_run(owner, run_id, RunChange(status="completed", ids=["pmid:99900001"]))


def change(data: Path, statement: str, *values: Any) -> None:
    """What another version, or an accident, does to the file."""
    with sqlite3.connect(data / "sessions.sqlite3") as connection:
        connection.execute(statement, values)
    connection.close()


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.anyio
async def test_nothing_is_made_before_something_is_written(store: SessionStore, data: Path) -> None:
    await store.info(ME)
    await store.last(ME)
    await store.notices(ME)
    assert await store.prune(ME, older_than_days=0) == 0
    assert not data.exists()
    await ran(store, "r1")
    assert (data / "sessions.sqlite3").exists()


@pytest.mark.anyio
async def test_reading_a_closed_store_changes_no_byte(store: SessionStore, data: Path) -> None:
    await ran(store, "r1")
    await store.put_artifact(ME, Artifact(name="a.txt"), b"x")
    await store.aclose()
    before = snapshot(data)
    reader = open_store(Settings(data=data))
    (kept,) = (await reader.artifacts(ME)).items
    await reader.read_artifact(ME, kept.artifact_id)
    for step in (reader.info(ME), reader.last(ME), reader.runs(ME), reader.events(ME), reader.sessions(ME)):
        await step
    await reader.aclose()
    assert snapshot(data) == before


def test_opening_imports_and_starts_nothing() -> None:
    code = (
        "import sys, threading; from pathlib import Path; from vouched.settings import Settings;"
        "from vouched.services.session import open_store; open_store(Settings(data=Path('nowhere')));"
        "assert threading.active_count() == 1; assert not Path('nowhere').exists();"
        "assert not {'httpx', 'mcp', 'lxml'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_p105_one_store_serves_two_event_loops_one_after_the_other(data: Path) -> None:
    store = open_store(Settings(data=data))
    asyncio.run(ran(store, "r1"))
    asyncio.run(ran(store, "r2"))
    last = asyncio.run(store.last(ME))
    assert last is not None
    assert last.run_id == "r2"
    asyncio.run(store.aclose())


def test_two_loops_in_two_threads_at_once(data: Path) -> None:
    store = open_store(Settings(data=data))
    failed: list[BaseException] = []

    def work(name: str) -> None:
        async def many() -> None:
            await asyncio.gather(*(ran(store, f"{name}-{number}") for number in range(30)))

        try:
            asyncio.run(many())
        except BaseException as error:  # told in the main thread
            failed.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert asyncio.run(store.info(ME)).runs == 60
    asyncio.run(store.aclose())


def test_a_store_nobody_holds_any_more_ends_its_thread(data: Path) -> None:
    store = open_store(Settings(data=data))
    asyncio.run(ran(store, "r1"))
    (thread,) = [thread for thread in threading.enumerate() if thread.name == "vouched-session"]
    del store
    thread.join(5)
    assert not thread.is_alive()


@pytest.mark.anyio
async def test_a_closed_store_opens_again(store: SessionStore) -> None:
    await ran(store, "r1")
    await store.aclose()
    await ran(store, "r2")
    assert (await store.info(ME)).runs == 2


@pytest.mark.anyio
async def test_what_a_process_leaves_unfinished_is_interrupted_when_it_closes(store: SessionStore) -> None:
    await store.start_run(ME, Run(run_id="r1", session_id="default", tool="t", status="running"))
    await store.aclose()
    assert (await store.run(ME, "r1")).status == "interrupted"
    # Written down, not only told: nobody will look for that process again.
    [event] = (await store.events(ME, kind="interrupted")).items
    assert event.run_id == "r1"


@pytest.mark.anyio
async def test_the_event_loop_goes_on_while_another_process_holds_the_file(store: SessionStore, data: Path) -> None:
    await ran(store, "r1")
    other = sqlite3.connect(data / "sessions.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waiting = asyncio.ensure_future(ran(store, "r2"))
    started, longest = time.monotonic(), 0.0
    while time.monotonic() < started + 1.0:
        before = time.monotonic()
        await asyncio.sleep(0.005)
        longest = max(longest, time.monotonic() - before)
    assert not waiting.done()
    other.execute("COMMIT")
    other.close()
    await waiting
    assert longest < 0.6
    assert (await store.info(ME)).runs == 2


@pytest.mark.anyio
async def test_a_file_that_stays_busy_is_a_retryable_fault_and_costs_no_run(
    store: SessionStore, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vouched.services.store.database.BUSY_SECONDS", 0.1)
    await ran(store, "r1")
    other = sqlite3.connect(data / "sessions.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(ProviderFailed) as caught:
        await ran(store, "r2")
    assert caught.value.retryable
    # Reading goes on beside a writer.
    assert (await store.info(ME)).runs == 1
    other.execute("COMMIT")
    other.close()
    await ran(store, "r2")
    assert (await store.info(ME)).runs == 2


@pytest.mark.anyio
async def test_work_that_waits_together_is_committed_together(
    store: SessionStore, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commits: list[sqlite3.Connection] = []

    def counted(connection: sqlite3.Connection) -> AbstractContextManager[None]:
        commits.append(connection)
        return transaction(connection)

    await ran(store, "r0")
    monkeypatch.setattr("vouched.services.store.worker.transaction", counted)
    other = sqlite3.connect(data / "sessions.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    blocked = asyncio.ensure_future(store.add_event(ME, Event(kind="x", message="first")))
    while not commits:
        await asyncio.sleep(0.01)
    rest = [asyncio.ensure_future(store.add_event(ME, Event(kind="x", message=str(n)))) for n in range(50)]
    await asyncio.sleep(0.05)
    other.execute("COMMIT")
    other.close()
    await asyncio.gather(blocked, *rest)
    assert len(commits) == 2
    assert (await store.events(ME)).total == 51


@pytest.mark.anyio
async def test_work_that_fails_half_way_leaves_nothing_of_itself(store: SessionStore) -> None:
    """It had made its session already when what it was to write turned out to be no text."""
    await ran(store, "r0")
    nobody = Owner(client="nobody", session_id="fresh")
    results = await asyncio.gather(
        store.add_event(nobody, Event(kind="x", details={"lone": "\ud800"})),
        ran(store, "r1"),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [InvalidArgument, type(None)]
    assert (await store.info(nobody)).created_at == ""
    assert (await store.info(ME)).runs == 2


@pytest.mark.anyio
async def test_one_bad_piece_of_work_does_not_cost_the_others_in_its_group(store: SessionStore) -> None:
    await ran(store, "taken")
    results = await asyncio.gather(
        ran(store, "good-1"),
        store.start_run(ME, Run(run_id="taken", session_id="default", tool="t")),
        store.add_event(ME, Event(kind="x", details={"lone": "\ud800"})),
        ran(store, "good-2"),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [type(None), InvalidArgument, InvalidArgument, type(None)]
    assert (await store.info(ME)).runs == 3


@pytest.mark.anyio
async def test_lone_surrogates_in_a_query_cost_no_run(store: SessionStore) -> None:
    await store.start_run(ME, Run(run_id="r1", session_id="default", tool="t", query="a\ud800b"))
    assert (await store.run(ME, "r1")).query == "a?b"


@pytest.mark.anyio
async def test_articles_are_bounded_the_oldest_go(data: Path) -> None:
    store = open_store(Settings(data=data, session=SessionSettings(articles=10)))
    for number in range(0, 24, 4):
        await store.keep_articles(ME, [article(number + k) for k in range(4)])
    await store.keep_articles(ME, [article(14)])
    kept = [await store.article(ME, f"pmid:{99900001 + number}") is not None for number in range(24)]
    # 14 was fetched again, so it is among the newest; the ten newest stay.
    assert [number for number, there in enumerate(kept) if there] == [14, 15, 16, 17, 18, 19, 20, 21, 22, 23]
    assert (await store.info(ME)).articles == 10
    await store.aclose()


@pytest.mark.anyio
async def test_events_are_bounded(store: SessionStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "KEPT", 5)
    for number in range(8):
        await store.add_event(ME, Event(kind="x", message=str(number)))
    page = await store.events(ME)
    assert ([event.message for event in page.items], page.total) == (["7", "6", "5", "4", "3"], 5)


@pytest.mark.anyio
async def test_what_is_past_its_retention_goes_when_the_store_is_next_written(data: Path) -> None:
    store = open_store(Settings(data=data))
    await ran(store, "old")
    kept = await store.put_artifact(ME, Artifact(name="a.txt"), b"old bytes")
    await store.aclose()
    for table in ("runs", "artifacts", "events", "articles"):
        change(data, f"UPDATE {table} SET touched = ?", time.time() - 10 * 86_400)
    keeper = open_store(Settings(data=data, session=SessionSettings(retention_days=7)))
    assert (await keeper.info(ME)).runs == 1
    await ran(keeper, "new")
    assert [run.run_id for run in (await keeper.runs(ME)).items] == ["new"]
    assert (await keeper.artifacts(ME)).total == 0
    assert not (data / "artifacts" / kept.sha256[:2] / kept.sha256).exists()
    await keeper.aclose()


@pytest.mark.anyio
async def test_the_unfinished_run_of_a_living_process_is_never_pruned(store: SessionStore, data: Path) -> None:
    await store.start_run(ME, Run(run_id="going", session_id="default", tool="t", status="running"))
    change(data, "UPDATE runs SET touched = 0")
    assert await store.prune(ME, older_than_days=1) == 0
    await store.change_run(ME, "going", RunChange(status="completed"))
    change(data, "UPDATE runs SET touched = 0")
    assert await store.prune(ME, older_than_days=1) == 1


@pytest.mark.anyio
async def test_sessions_that_hold_nothing_any_more_are_forgotten(store: SessionStore, data: Path) -> None:
    await ran(store, "r1")
    change(data, "UPDATE runs SET touched = 0")
    change(data, "UPDATE sessions SET updated_at = '2020-01-01T00:00:00Z'")
    await store.prune(ME, older_than_days=1)
    assert (await store.sessions(ME)).total == 0


@pytest.mark.anyio
async def test_fields_of_another_version_are_passed_over(store: SessionStore, data: Path) -> None:
    """One unknown key must not cost a session, as it did elsewhere."""
    await ran(store, "r1")
    await store.keep_articles(ME, [article(0)])
    change(
        data,
        "UPDATE runs SET sources = ?, notes = ?",
        '[{"source": "made", "resolved_url": "https://made.example/", "of_version_9": {"deep": [1]}}]',
        '{"of_version_9": 1}',
    )
    change(data, "UPDATE articles SET body = json_set(body, '$.of_version_9', 1, '$.journal', json('{\"new\": 2}'))")
    run = await store.run(ME, "r1")
    assert (run.sources[0].source, run.notes) == ("made", {"of_version_9": 1})
    kept = await store.article(ME, "pmid:99900001")
    assert kept is not None
    assert kept.title == "Invented 0"


@pytest.mark.anyio
@pytest.mark.parametrize("broken", ["{", '"text"', "[1]", '{"source": 3}', ""])
async def test_a_column_that_cannot_be_read_costs_neither_the_run_nor_the_list(
    store: SessionStore, data: Path, broken: str
) -> None:
    await ran(store, "r1")
    await ran(store, "r2")
    change(data, "UPDATE runs SET sources = ? WHERE run_id = 'r1'", broken)
    run = await store.run(ME, "r1")
    assert (run.status, run.ids, run.sources) == ("completed", ["pmid:99900001"], [])
    assert run.notes["unreadable"] == ["sources"]
    assert [run.run_id for run in (await store.runs(ME)).items] == ["r2", "r1"]


@pytest.mark.anyio
async def test_an_article_that_cannot_be_read_is_as_good_as_not_fetched(store: SessionStore, data: Path) -> None:
    await store.keep_articles(ME, [article(0)])
    change(data, "UPDATE articles SET body = '{\"ids\": 3}'")
    assert await store.article(ME, "pmid:99900001") is None
    await store.keep_articles(ME, [article(0)])
    assert await store.article(ME, "pmid:99900001") == article(0)


@pytest.mark.anyio
@pytest.mark.skipif(sys.platform == "win32", reason="an open folder cannot be moved on Windows")
async def test_a_data_folder_moved_under_a_running_store_is_followed(store: SessionStore, data: Path) -> None:
    await ran(store, "r1")
    data.rename(data.with_name("moved"))
    await ran(store, "r2")
    assert [run.run_id for run in (await store.runs(ME)).items] == ["r2"]
    moved = open_store(Settings(data=data.with_name("moved")))
    assert [run.run_id for run in (await moved.runs(ME)).items] == ["r1"]
    await moved.aclose()


@pytest.mark.anyio
@pytest.mark.skipif(sys.platform == "win32", reason="an open folder cannot be moved on Windows")
async def test_after_a_move_the_process_is_still_known_to_live(store: SessionStore, data: Path) -> None:
    """Its lock went with the folder; others who look under the old name must find one, or they end its runs."""
    await ran(store, "r1")
    data.rename(data.with_name("moved"))
    await store.start_run(ME, Run(run_id="r2", session_id="one", tool="t", status="running"))
    other = open_store(Settings(data=data))
    assert (await other.run(ME, "r2")).status == "running"
    await ran(other, "r3")
    assert (await store.run(ME, "r2")).status == "running"
    await other.aclose()


@pytest.mark.anyio
@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="needs permissions that hold")
async def test_a_folder_that_cannot_be_written_is_a_fault_without_its_path(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    store = open_store(Settings(data=tmp_path / "data"))
    try:
        with pytest.raises(ProviderFailed) as caught:
            await ran(store, "r1")
        assert str(tmp_path) not in f"{caught.value.message}{caught.value.hint}"
    finally:
        tmp_path.chmod(0o700)
        await store.aclose()


@pytest.mark.anyio
async def test_a_file_where_the_folder_should_be_is_a_fault_without_its_path(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    store = open_store(Settings(data=tmp_path / "data"))
    with pytest.raises(ProviderFailed) as caught:
        await ran(store, "r1")
    assert str(tmp_path) not in f"{caught.value.message}{caught.value.hint}"
    await store.aclose()
