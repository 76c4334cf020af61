"""Damaged files are set aside visibly; files of later versions are refused; unclean ends are looked into."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from vouched.faults import NotFound, ProviderFailed
from vouched.journal import Artifact, Owner, Run, RunChange, SessionStore
from vouched.services.session import open_store
from vouched.services.store.database import Database
from vouched.services.store.failures import Damaged
from vouched.settings import SessionSettings, Settings

ME = Owner(client="desk")
SCRIPT = Path(__file__).with_name("session_process.py")

pytestmark = pytest.mark.anyio


async def ran(store: SessionStore, run_id: str) -> None:
    await store.start_run(ME, Run(run_id=run_id, session_id="default", tool="t", status="running"))
    await store.change_run(ME, run_id, RunChange(status="completed", ids=["pmid:99900001"]))


def file(data: Path) -> Path:
    """The store's file now."""
    (path,) = [path for path in data.glob("sessions*.sqlite3") if "damaged" not in path.name]
    return path


async def filled(data: Path) -> str:
    """A store with a few hundred rows, closed; the id of its kept file."""
    store = open_store(Settings(data=data))
    for number in range(30):
        await ran(store, f"r{number}")
    artifact = await store.put_artifact(ME, Artifact(name="a.txt"), b"kept")
    await store.aclose()
    return artifact.sha256


async def test_a_file_that_is_no_database_is_set_aside_and_told_until_acknowledged(
    store: SessionStore, data: Path
) -> None:
    digest = await filled(data)
    damaged = b"not a database at all" * 100
    file(data).write_bytes(damaged)
    assert (await store.info(ME)).runs == 0
    (notice,) = await store.notices(ME)
    (aside,) = data.glob("sessions.damaged-*.sqlite3")
    assert aside.read_bytes() == damaged
    assert aside.name in notice.text
    assert str(data) not in notice.text
    # It goes on with a new file, restarts do not lose the notice, and kept bytes stay.
    await ran(store, "new")
    await store.aclose()
    again = open_store(Settings(data=data))
    assert [run.run_id for run in (await again.runs(ME)).items] == ["new"]
    assert await again.notices(ME) == [notice]
    assert (data / "artifacts" / digest[:2] / digest).read_bytes() == b"kept"
    await again.acknowledge(ME, notice.notice_id)
    assert await again.notices(ME) == []
    with pytest.raises(NotFound):
        await again.acknowledge(ME, notice.notice_id)
    assert aside.exists()
    await again.aclose()


@pytest.mark.parametrize("size", [0, 100, 5000])
async def test_a_file_that_was_cut_is_set_aside(store: SessionStore, data: Path, size: int) -> None:
    await filled(data)
    whole = file(data).read_bytes()
    file(data).write_bytes(whole[:size])
    await ran(store, "new")
    assert [run.run_id for run in (await store.runs(ME)).items] == ["new"]
    assert len(await store.notices(ME)) == 1


async def test_damage_met_while_working_is_set_aside_and_the_work_is_done(store: SessionStore, data: Path) -> None:
    await filled(data)
    content = bytearray(file(data).read_bytes())
    # The pages behind the first: it opens, and breaks when it is read.
    content[4096:] = b"\xde\xad" * ((len(content) - 4096) // 2)
    file(data).write_bytes(content)
    await ran(store, "new")
    assert [run.run_id for run in (await store.runs(ME)).items] == ["new"]
    assert len(await store.notices(ME)) == 1


async def test_two_files_damaged_in_one_second_keep_two_names(store: SessionStore, data: Path) -> None:
    for _ in range(2):
        await filled(data)
        file(data).write_bytes(b"broken " * 500)
        await store.info(ME)
    assert len(list(data.glob("sessions*.damaged-*.sqlite3"))) == 2
    assert len(await store.notices(ME)) == 2


async def test_a_database_of_somebody_else_is_set_aside_unharmed(store: SessionStore, data: Path) -> None:
    data.mkdir()
    with sqlite3.connect(data / "sessions.sqlite3") as connection:
        connection.execute("CREATE TABLE theirs (x)")
        connection.execute("INSERT INTO theirs VALUES (42)")
    connection.close()
    await ran(store, "new")
    (aside,) = data.glob("sessions.damaged-*.sqlite3")
    with sqlite3.connect(aside) as connection:
        assert connection.execute("SELECT x FROM theirs").fetchone() == (42,)
    connection.close()


async def test_a_newer_file_is_refused_with_a_clear_text_and_left_alone(store: SessionStore, data: Path) -> None:
    await filled(data)
    with sqlite3.connect(file(data)) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = file(data).read_bytes()
    for attempt in (store.info(ME), ran(store, "new"), store.last(ME)):
        with pytest.raises(ProviderFailed, match=r"newer Vouched .*version 99") as caught:
            await attempt
        assert "VOUCHED_DATA" in caught.value.hint
    assert file(data).read_bytes() == before
    assert list(data.glob("*damaged*")) == []


async def test_damage_is_looked_for_after_an_unclean_end_only(store: SessionStore, data: Path) -> None:
    """A page that no query reads is broken: a clean start does not pay for looking, one after a kill finds it."""
    await filled(data)
    spoil_unread_page(file(data))
    assert (await store.info(ME)).runs == 30
    await store.aclose()
    end_uncleanly(data)
    assert (await store.info(ME)).runs == 0
    (notice,) = await store.notices(ME)
    assert "damaged" in notice.text


def end_uncleanly(data: Path) -> None:
    """What a killed process leaves: its entry, without its lock."""
    with sqlite3.connect(file(data)) as connection:
        connection.execute("INSERT INTO processes VALUES ('dead', 1, '2026-01-01T00:00:00Z')")
    connection.close()


def spoil_unread_page(path: Path) -> None:
    """Break the page of the article index, which nothing here asks."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'articles_session'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    content = bytearray(path.read_bytes())
    content[(page - 1) * size : (page - 1) * size + 200] = b"\xff" * 200
    path.write_bytes(content)


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be renamed on Windows")
async def test_a_process_follows_when_another_sets_the_file_aside_and_takes_nothing_with_it(
    store: SessionStore, data: Path
) -> None:
    """The end of a connection to the old file must not delete the new one's log."""
    await ran(store, "before")
    other = open_store(Settings(data=data))
    await ran(other, "too")
    set_aside(data)
    await ran(other, "after-1")
    # This one still has the old file open; it lets go of it now, and closes it.
    await ran(store, "after-2")
    await ran(other, "after-3")
    await store.aclose()
    for reader in (other, open_store(Settings(data=data))):
        assert [run.run_id for run in (await reader.runs(ME)).items] == ["after-3", "after-2", "after-1"]
        assert len(await reader.notices(ME)) == 1
        await reader.aclose()


def set_aside(data: Path) -> None:
    """What a third process does that finds the file damaged."""
    database = Database(data, SessionSettings())
    database.reading()
    database.set_aside(Damaged("for a test"))
    database.close()


async def test_the_log_of_a_deleted_file_is_not_played_into_the_next(store: SessionStore, data: Path) -> None:
    await ran(store, "before")
    for path in data.glob("sessions.sqlite3*"):
        if not path.name.endswith("-wal"):
            path.unlink()
    assert (data / "sessions.sqlite3-wal").stat().st_size > 0
    await ran(store, "after")
    assert [run.run_id for run in (await store.runs(ME)).items] == ["after"]


async def test_half_a_notice_is_still_a_notice(store: SessionStore, data: Path) -> None:
    (data / "notices").mkdir(parents=True)
    (data / "notices" / "damaged-x.json").write_text("{")
    (notice,) = await store.notices(ME)
    await store.acknowledge(ME, notice.notice_id)
    assert await store.notices(ME) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
async def test_the_entry_and_lock_of_a_dead_process_are_cleared(store: SessionStore, data: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, SCRIPT, "hold", data, "a"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    while process.stdout.readline() != "held\n":
        pass
    process.kill()
    process.communicate()
    assert len(list((data / "processes").iterdir())) == 1
    await ran(store, "r1")
    await store.aclose()
    assert list((data / "processes").iterdir()) == []
