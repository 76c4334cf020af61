"""What `vouched session` prints, and its exit codes."""

from pathlib import Path

import pytest
from vouched import cli_session
from vouched.journal import Artifact, Owner, Run, RunChange, SessionStore

pytestmark = pytest.mark.anyio
ME = Owner(client="vouched", session_id="command-line")


async def ran(store: SessionStore, run_id: str, owner: Owner = ME) -> None:
    await store.start_run(owner, Run(run_id=run_id, session_id=owner.session_id, tool="t", status="running"))
    await store.change_run(owner, run_id, RunChange(status="completed", ids=["pmid:99900001"]))


async def test_an_empty_store_is_said_and_made_nowhere(store: SessionStore, data: Path) -> None:
    assert await cli_session.list_sessions(store, ME) == ("No sessions yet.\n", 0)
    assert not data.exists()


async def test_sessions_of_every_client_are_listed(store: SessionStore) -> None:
    await ran(store, "r1", Owner(client="A Client 2.0\x1b[31m", session_id="stdio-1"))
    await ran(store, "r2")
    text, code = await cli_session.list_sessions(store, ME)
    head, first, second = text.splitlines()
    assert code == 0
    assert head.split() == ["SESSION", "CLIENT", "LAST", "USED", "RUNS", "ARTICLES", "FILES"]
    assert first.split()[:2] == ["command-line", "vouched"]
    assert second.startswith("stdio-1")
    # A client's name is its own invention and must not colour the terminal.
    assert "\x1b" not in text


async def test_what_the_limit_leaves_out_is_counted(store: SessionStore) -> None:
    for number in range(3):
        await ran(store, f"r{number}", Owner(client="c", session_id=f"s{number}"))
    text, _ = await cli_session.list_sessions(store, ME, limit=2)
    assert text.endswith("1 older sessions are not shown; --limit 3 shows all.\n")


async def test_notices_come_first_with_the_way_to_close_them(store: SessionStore, data: Path) -> None:
    await ran(store, "r1")
    await store.aclose()
    (data / "sessions.sqlite3").write_bytes(b"broken" * 1000)
    text, code = await cli_session.list_sessions(store, ME)
    (notice,) = await store.notices(ME)
    assert code == 0
    assert text.startswith(f"Notice {notice.notice_id}")
    assert f"vouched session acknowledge {notice.notice_id}" in text
    assert await cli_session.acknowledge(store, ME, notice_id=notice.notice_id) == (
        f"{notice.notice_id} is acknowledged.\n",
        0,
    )
    text, _ = await cli_session.list_sessions(store, ME)
    assert "Notice" not in text


@pytest.mark.parametrize("notice_id", ["damaged-never", "../../secret", ""])
async def test_acknowledging_what_is_not_there_fails(store: SessionStore, notice_id: str) -> None:
    text, code = await cli_session.acknowledge(store, ME, notice_id=notice_id)
    assert code == 1
    assert "secret" not in text


async def test_prune_says_how_much_went(store: SessionStore) -> None:
    await ran(store, "r1")
    await store.put_artifact(ME, Artifact(name="a.txt"), b"x")
    assert (await cli_session.prune(store, ME, days=1))[0].startswith("0 runs")
    assert await cli_session.prune(store, ME, days=0) == (
        "2 runs, events, articles and files older than 0 days were dropped.\n",
        0,
    )


@pytest.mark.parametrize("days", [-1, float("nan")])
async def test_an_age_that_is_none_is_a_usage_error(store: SessionStore, days: float) -> None:
    _, code = await cli_session.prune(store, ME, days=days)
    assert code == 2
