"""What every session store must do. Subclass `StoreContract`, give it a `store` fixture, and run it:

    class TestMyStore(StoreContract):
        @pytest.fixture
        async def store(self):
            store = MyStore(…)
            yield store
            await store.aclose()

The store is empty at the start of each test. Tests need the `anyio` pytest plugin, which comes with the host.
"""

import asyncio

import pytest

from vouched.faults import InvalidArgument, NotFound
from vouched.journal import Artifact, Event, Owner, Run, RunChange, SessionStore
from vouched.testing.contracts_kept import KeptContract
from vouched.testing.contracts_kit import BAD_IDS, ME, MY_OTHER, MY_PHONE, SOMEBODY, article, ran
from vouched.testing.contracts_runs import RunContract

__all__ = ["StoreContract"]


@pytest.mark.anyio
class StoreContract(RunContract, KeptContract):
    """The whole contract, one rule a test."""

    @pytest.fixture
    def store(self) -> SessionStore:
        """The store under test: override it."""
        raise NotImplementedError("Give the class a `store` fixture of its own.")

    @pytest.fixture
    def anyio_backend(self) -> str:
        """The host runs on asyncio."""
        return "asyncio"

    async def test_it_has_every_method(self, store: SessionStore) -> None:
        assert isinstance(store, SessionStore)

    async def test_an_empty_store_answers_every_question(self, store: SessionStore) -> None:
        info = await store.info(ME)
        assert (info.session_id, info.created_at, info.runs, info.by_status) == ("one", "", 0, {})
        assert await store.last(ME) is None
        assert await store.count_found(ME) == 0
        assert await store.article(ME, "pmid:1") is None
        assert await store.notices(ME) == []
        for page in (await store.runs(ME), await store.events(ME), await store.artifacts(ME), await store.sessions(ME)):
            assert (page.items, page.total, page.next_cursor) == ([], 0, None)

    async def test_reading_makes_no_session(self, store: SessionStore) -> None:
        await store.last(ME)
        await store.runs(ME)
        assert (await store.sessions(ME)).total == 0

    @pytest.mark.parametrize("bad", BAD_IDS, ids=range(len(BAD_IDS)))
    async def test_p104_ids_that_break_their_pattern_are_refused_without_an_echo(
        self, store: SessionStore, bad: str
    ) -> None:
        owner = Owner(principal="ada", client="desk", session_id=bad)
        for attempt in (
            store.run(ME, bad),
            store.artifact(ME, bad),
            store.read_artifact(ME, bad),
            store.artifact_path(ME, bad),
            store.change_run(ME, bad, RunChange(status="completed")),
            store.start_run(ME, Run(run_id=bad, session_id="one", tool="t")),
            store.info(owner),
            store.start_run(owner, Run(run_id="r1", session_id=bad, tool="t")),
        ):
            with pytest.raises(InvalidArgument) as caught:
                await attempt
            assert len(bad) < 2 or bad not in f"{caught.value.message}{caught.value.hint}{caught.value.expected}"

    @pytest.mark.parametrize("bad", ["x", "-1", "1;drop", "9" * 30, "١"])
    async def test_a_cursor_that_the_store_did_not_make_is_refused(self, store: SessionStore, bad: str) -> None:
        await ran(store, ME, "r1", ["pmid:1"])
        for attempt in (
            store.runs(ME, cursor=bad),
            store.events(ME, cursor=bad),
            store.artifacts(ME, cursor=bad),
            store.sessions(ME, cursor=bad),
        ):
            with pytest.raises(InvalidArgument):
                await attempt

    async def test_lists_and_last_are_of_one_session(self, store: SessionStore) -> None:
        await ran(store, ME, "mine", ["pmid:1"])
        for other in (MY_OTHER, MY_PHONE, SOMEBODY):
            assert await store.last(other) is None
            assert (await store.runs(other)).total == 0
        await ran(store, MY_PHONE, "phone", ["pmid:2"])
        last = await store.last(ME)
        assert last is not None
        assert last.run_id == "mine"

    async def test_an_owner_without_a_client_means_whichever_client_has_the_session(self, store: SessionStore) -> None:
        await ran(store, MY_PHONE, "phone", ["pmid:2"])
        last = await store.last(Owner(principal="ada", session_id="one"))
        assert last is not None
        assert last.run_id == "phone"

    async def test_single_things_are_found_from_any_session_of_their_principal_only(self, store: SessionStore) -> None:
        await ran(store, ME, "mine", ["pmid:1"])
        await store.keep_articles(ME, [article(99900001)])
        artifact = await store.put_artifact(ME, Artifact(name="a.txt"), b"secret")
        for own in (MY_OTHER, MY_PHONE):
            assert (await store.run(own, "mine")).session_id == "one"
            assert await store.read_artifact(own, artifact.artifact_id) == b"secret"
            assert await store.article(own, "pmid:99900001") is not None
        for attempt in (
            store.run(SOMEBODY, "mine"),
            store.change_run(SOMEBODY, "mine", RunChange(status="failed")),
            store.artifact(SOMEBODY, artifact.artifact_id),
            store.read_artifact(SOMEBODY, artifact.artifact_id),
            store.artifact_path(SOMEBODY, artifact.artifact_id),
        ):
            with pytest.raises(NotFound):
                await attempt
        assert await store.article(SOMEBODY, "pmid:99900001") is None
        assert (await store.sessions(SOMEBODY)).total == 0
        assert (await store.run(ME, "mine")).status == "completed"

    async def test_two_principals_may_use_one_id(self, store: SessionStore) -> None:
        await ran(store, ME, "r1", ["pmid:1"])
        await ran(store, SOMEBODY, "r1", ["pmid:2"])
        assert (await store.run(ME, "r1")).ids == ["pmid:1"]
        assert (await store.run(SOMEBODY, "r1")).ids == ["pmid:2"]

    async def test_sessions_the_last_used_first_whatever_the_client(self, store: SessionStore) -> None:
        await ran(store, ME, "r1", ["pmid:1"])
        await asyncio.sleep(0.005)
        await ran(store, MY_PHONE, "r2", ["pmid:1"])
        await asyncio.sleep(0.005)
        await ran(store, MY_OTHER, "r3", ["pmid:1"])
        await asyncio.sleep(0.005)
        await store.add_event(ME, Event(kind="again"))
        page = await store.sessions(ME, limit=2)
        assert [(info.session_id, info.client, info.runs) for info in page.items] == [
            ("one", "desk", 1),
            ("two", "desk", 1),
        ]
        assert page.total == 3
        rest = await store.sessions(ME, limit=2, cursor=page.next_cursor)
        assert ([(info.session_id, info.client) for info in rest.items], rest.next_cursor) == ([("one", "phone")], None)

    async def test_prune_drops_what_is_older_and_only_the_principals_own(self, store: SessionStore) -> None:
        for owner in (ME, MY_OTHER, SOMEBODY):
            await ran(store, owner, f"{owner.principal}-{owner.session_id}", ["pmid:1"])
            await store.add_event(owner, Event(kind="x"))
            await store.put_artifact(owner, Artifact(name="a.txt"), b"same bytes")
            await store.keep_articles(owner, [article(99900001 + len(owner.session_id + owner.client))])
        assert await store.prune(ME, older_than_days=1) == 0
        await asyncio.sleep(0.01)
        # Two sessions of runs, events and artifacts; their articles were one and the same.
        assert await store.prune(ME, older_than_days=0) == 7
        assert (await store.runs(ME)).total == (await store.artifacts(ME)).total == (await store.events(ME)).total == 0
        assert await store.last(ME) is None
        (artifact,) = (await store.artifacts(SOMEBODY)).items
        assert await store.read_artifact(SOMEBODY, artifact.artifact_id) == b"same bytes"

    @pytest.mark.parametrize("days", [-1, float("nan"), float("inf")])
    async def test_an_age_that_is_none_prunes_nothing(self, store: SessionStore, days: float) -> None:
        with pytest.raises(InvalidArgument):
            await store.prune(ME, older_than_days=days)

    async def test_acknowledging_a_notice_that_is_not_there_is_not_found(self, store: SessionStore) -> None:
        with pytest.raises(NotFound):
            await store.acknowledge(ME, "damaged-1")

    async def test_closing_twice_is_no_error(self, store: SessionStore) -> None:
        await ran(store, ME, "r1", ["pmid:1"])
        await store.aclose()
        await store.aclose()
