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
import hashlib

import pytest

from vouched.article import AbstractPart, Article
from vouched.faults import InvalidArgument, NotFound
from vouched.journal import Artifact, Event, Owner, Run, RunChange, SessionStore
from vouched.remote import Exchange
from vouched.status import RecordStatus

__all__ = ["BAD_IDS", "StoreContract"]

ME = Owner(principal="ada", client="desk", session_id="one")
MY_OTHER = Owner(principal="ada", client="desk", session_id="two")
MY_PHONE = Owner(principal="ada", client="phone", session_id="one")
SOMEBODY = Owner(principal="bob", client="desk", session_id="one")
BAD_IDS = (
    "",
    "../../secret",
    "..\\secret",
    "..%2f",
    "/etc/passwd",
    "C:\\x",
    "a/b",
    "a\x00b",
    "a b",
    "ä",
    "\ud800",
    "١",
    "a\n",
    "x" * 10_000,
)


def _article(pmid: int, *, source: str = "invented", full: bool = True, status: str = "none_found") -> Article:
    return Article(
        ids={"pmid": str(pmid), "doi": f"10.99999/{pmid}"},
        title=f"Invented result {pmid}",
        abstract=[AbstractPart("It was invented.")] if full else [],
        abstract_state="present" if full else "not_fetched",
        status=RecordStatus(status),  # type: ignore[arg-type]
        source=source,
    )


async def _ran(store: SessionStore, owner: Owner, run_id: str, ids: list[str], **fields: object) -> None:
    """A run from start to end."""
    query = str(fields.pop("query", f"query {run_id}"))
    run = Run(run_id=run_id, session_id=owner.session_id, tool="test_search", status="running", query=query)
    await store.start_run(owner, run)
    change: dict[str, object] = {"status": "completed", "ids": ids, "total": len(ids), **fields}
    await store.change_run(owner, run_id, RunChange(**change))  # type: ignore[arg-type]


@pytest.mark.anyio
class StoreContract:
    """The contract, one rule a test."""

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

    async def test_a_run_comes_back_as_it_was_told(self, store: SessionStore) -> None:
        exchange = Exchange("invented", "https://invented.example/search?q=sepsis", "ab" * 32, http_status=200)
        run = Run(
            run_id="r1",
            session_id="one",
            tool="test_search",
            arguments={"query": "β-catenin ≥ Đ", "limit": 5, "deep": {"list": [1, None, "x"]}},
            status="started",
        )
        await store.start_run(ME, run)
        await store.change_run(ME, "r1", RunChange(status="planned", query="β-catenin ≥ Đ", translation="β[All]"))
        await store.change_run(
            ME,
            "r1",
            RunChange(
                status="partial",
                total=2**40,
                ids=["pmid:99900001", "doi:10.99999/x"],
                source_versions={"invented": "2026.1"},
                sources=[exchange],
                warnings=["one part could not be asked"],
                error={"code": "upstream_timeout"},
                answer={"status": "partial", "data": {"rows": [1, 2]}},
                notes={"own": [1.5, True]},
            ),
        )
        kept = await store.run(ME, "r1")
        assert kept.created_at
        assert kept.updated_at >= kept.created_at
        assert (kept.session_id, kept.tool, kept.arguments, kept.status) == (
            "one",
            "test_search",
            run.arguments,
            "partial",
        )
        assert (kept.query, kept.translation, kept.total, kept.returned) == ("β-catenin ≥ Đ", "β[All]", 2**40, 2)
        assert kept.ids == ["pmid:99900001", "doi:10.99999/x"]
        assert (kept.source_versions, kept.sources) == ({"invented": "2026.1"}, [exchange])
        assert (kept.warnings, kept.error) == (["one part could not be asked"], {"code": "upstream_timeout"})
        assert (kept.answer, kept.notes) == ({"status": "partial", "data": {"rows": [1, 2]}}, {"own": [1.5, True]})

    async def test_a_change_leaves_what_it_does_not_name(self, store: SessionStore) -> None:
        await _ran(store, ME, "r1", ["pmid:1"], translation="as understood")
        await store.change_run(ME, "r1", RunChange(warnings=["late"]))
        kept = await store.run(ME, "r1")
        assert (kept.status, kept.ids, kept.translation, kept.warnings) == (
            "completed",
            ["pmid:1"],
            "as understood",
            ["late"],
        )

    async def test_a_run_id_is_used_once(self, store: SessionStore) -> None:
        await _ran(store, ME, "r1", ["pmid:1"])
        with pytest.raises(InvalidArgument):
            await store.start_run(ME, Run(run_id="r1", session_id="one", tool="other"))
        assert (await store.run(ME, "r1")).tool == "test_search"

    async def test_changing_a_run_that_is_not_there_is_not_found(self, store: SessionStore) -> None:
        with pytest.raises(NotFound):
            await store.change_run(ME, "r1", RunChange(status="completed"))

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
        await _ran(store, ME, "r1", ["pmid:1"])
        for attempt in (
            store.runs(ME, cursor=bad),
            store.events(ME, cursor=bad),
            store.artifacts(ME, cursor=bad),
            store.sessions(ME, cursor=bad),
        ):
            with pytest.raises(InvalidArgument):
                await attempt

    async def test_runs_are_listed_newest_first_with_an_honest_total_and_paging_that_ends(
        self, store: SessionStore
    ) -> None:
        for number in range(7):
            await _ran(store, ME, f"r{number}", [f"pmid:{number + 1}"])
        seen: list[str] = []
        cursor: str | None = None
        while True:
            page = await store.runs(ME, limit=3, cursor=cursor)
            assert page.total == 7 + (cursor is not None)
            seen += [run.run_id for run in page.items]
            if cursor is None:
                # A run that comes between two pages shifts neither.
                await _ran(store, ME, "late", ["pmid:99"])
            cursor = page.next_cursor
            if cursor is None:
                break
        assert seen == [f"r{number}" for number in reversed(range(7))]

    async def test_listed_runs_carry_counts_instead_of_ids(self, store: SessionStore) -> None:
        await _ran(store, ME, "r1", ["pmid:1", "pmid:2"], answer={"status": "ok"})
        (run,) = (await store.runs(ME)).items
        assert (run.returned, run.ids, run.answer) == (2, [], None)

    async def test_runs_by_status(self, store: SessionStore) -> None:
        await _ran(store, ME, "r1", ["pmid:1"])
        await _ran(store, ME, "r2", [], status="failed")
        await _ran(store, ME, "r3", ["pmid:1"])
        page = await store.runs(ME, status="completed")
        assert ([run.run_id for run in page.items], page.total) == (["r3", "r1"], 2)
        assert (await store.runs(ME, status="cancelled")).total == 0
        assert (await store.info(ME)).by_status == {"completed": 2, "failed": 1}

    async def test_last_is_the_last_run_that_found_something(self, store: SessionStore) -> None:
        await _ran(store, ME, "good", ["doi:10.99999/only", "pmid:99900001"])
        await _ran(store, ME, "none", [])
        await _ran(store, ME, "failed", ["pmid:2"], status="failed")
        await store.start_run(ME, Run(run_id="going", session_id="one", tool="t", status="running"))
        last = await store.last(ME)
        assert last is not None
        # Hits without a PMID are part of it.
        assert (last.run_id, last.ids) == ("good", ["doi:10.99999/only", "pmid:99900001"])

    async def test_last_counts_like_python(self, store: SessionStore) -> None:
        for number in range(3):
            await _ran(store, ME, f"r{number}", [f"pmid:{number + 1}"])
            await _ran(store, ME, f"empty{number}", [])
        found = {index: await store.last(ME, index=index) for index in (-4, -3, -1, 0, 2, 3)}
        assert {index: run and run.run_id for index, run in found.items()} == {
            -4: None,
            -3: "r0",
            -1: "r2",
            0: "r0",
            2: "r2",
            3: None,
        }
        assert await store.count_found(ME) == 3

    async def test_last_by_words_of_the_query_in_any_case_taken_literally(self, store: SessionStore) -> None:
        await _ran(store, ME, "old", ["pmid:1"], query="Straße 50% of ÉTUDES")
        await _ran(store, ME, "new", ["pmid:2"], query="another études")
        for words, expected in (("ÉTUDES", "new"), ("50%", "old"), ("strasse", "old"), ("%", "old"), ("_", None)):
            run = await store.last(ME, query_filter=words)
            assert (run and run.run_id) == expected, words

    async def test_lists_and_last_are_of_one_session(self, store: SessionStore) -> None:
        await _ran(store, ME, "mine", ["pmid:1"])
        for other in (MY_OTHER, MY_PHONE, SOMEBODY):
            assert await store.last(other) is None
            assert (await store.runs(other)).total == 0
        await _ran(store, MY_PHONE, "phone", ["pmid:2"])
        last = await store.last(ME)
        assert last is not None
        assert last.run_id == "mine"

    async def test_an_owner_without_a_client_means_whichever_client_has_the_session(self, store: SessionStore) -> None:
        await _ran(store, MY_PHONE, "phone", ["pmid:2"])
        last = await store.last(Owner(principal="ada", session_id="one"))
        assert last is not None
        assert last.run_id == "phone"

    async def test_single_things_are_found_from_any_session_of_their_principal_only(self, store: SessionStore) -> None:
        await _ran(store, ME, "mine", ["pmid:1"])
        await store.keep_articles(ME, [_article(99900001)])
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
        await _ran(store, ME, "r1", ["pmid:1"])
        await _ran(store, SOMEBODY, "r1", ["pmid:2"])
        assert (await store.run(ME, "r1")).ids == ["pmid:1"]
        assert (await store.run(SOMEBODY, "r1")).ids == ["pmid:2"]

    async def test_an_article_is_found_by_any_of_its_ids(self, store: SessionStore) -> None:
        await store.keep_articles(ME, [_article(99900001), _article(99900002)])
        by_pmid, by_doi = await store.article(ME, "pmid:99900002"), await store.article(ME, "doi:10.99999/99900002")
        assert by_pmid == by_doi == _article(99900002)
        assert (await store.info(ME)).articles == 2

    async def test_the_newest_record_of_a_source_replaces_its_older_one(self, store: SessionStore) -> None:
        await store.keep_articles(ME, [_article(99900001)])
        newer = Article(ids={"pmid": "99900001"}, title="Corrected title", abstract_state="none", source="invented")
        await store.keep_articles(ME, [newer])
        assert await store.article(ME, "pmid:99900001") == newer
        assert (await store.info(ME)).articles == 1

    async def test_a_listing_does_not_hide_the_full_record_but_a_warning_does(self, store: SessionStore) -> None:
        await store.keep_articles(ME, [_article(99900001)])
        await store.keep_articles(ME, [_article(99900001, full=False), _article(99900001, source="other", full=False)])
        kept = await store.article(ME, "pmid:99900001")
        assert kept is not None
        assert kept.abstract_state == "present"
        await store.keep_articles(ME, [_article(99900001, source="other", full=False, status="retracted")])
        kept = await store.article(ME, "pmid:99900001")
        assert kept is not None
        assert kept.status.status == "retracted"

    async def test_events_newest_first_by_kind(self, store: SessionStore) -> None:
        for number in range(5):
            event = Event(kind="search" if number % 2 else "fetch", message=f"line {number}", details={"n": number})
            await store.add_event(ME, event)
        page = await store.events(ME, limit=2)
        assert ([event.message for event in page.items], page.total) == (["line 4", "line 3"], 5)
        rest = await store.events(ME, limit=10, cursor=page.next_cursor)
        assert ([event.details["n"] for event in rest.items], rest.next_cursor) == ([2, 1, 0], None)
        searches = await store.events(ME, kind="search")
        assert ([event.message for event in searches.items], searches.total) == (["line 3", "line 1"], 2)
        assert (await store.info(ME)).by_kind == {"search": 2, "fetch": 3}
        assert (await store.events(MY_OTHER)).total == 0

    async def test_an_artifact_comes_back_with_its_manifest_completed(self, store: SessionStore) -> None:
        content = "β-catenin\r\n\x00\ufeff".encode() * 100
        given = Artifact(
            name="refs.ris",
            tool="t",
            kind="bibliography",
            run_id="r1",
            media_type="application/x-ris",
            details={"n": 2},
        )
        kept = await store.put_artifact(ME, given, content)
        assert (kept.session_id, kept.size, kept.sha256) == ("one", len(content), hashlib.sha256(content).hexdigest())
        assert (kept.name, kept.tool, kept.kind, kept.run_id, kept.details) == (
            "refs.ris",
            "t",
            "bibliography",
            "r1",
            {"n": 2},
        )
        assert kept.created_at
        assert kept.uri == f"vouched://artifact/one/{kept.artifact_id}"
        assert await store.artifact(ME, kept.artifact_id) == kept
        assert await store.read_artifact(ME, kept.artifact_id) == content

    @pytest.mark.parametrize("content", [b"", b"\xff\x00\xfe"])
    async def test_an_artifact_may_be_empty_or_binary(self, store: SessionStore, content: bytes) -> None:
        kept = await store.put_artifact(ME, Artifact(name="x.bin", media_type="application/octet-stream"), content)
        assert await store.read_artifact(ME, kept.artifact_id) == content

    async def test_artifacts_newest_first_by_tool_and_kind(self, store: SessionStore) -> None:
        for number in range(5):
            manifest = Artifact(
                name=f"{number}.txt", tool="a" if number % 2 else "b", kind="plot" if number > 2 else "x"
            )
            await store.put_artifact(ME, manifest, b"same bytes")
        page = await store.artifacts(ME, limit=3)
        assert ([artifact.name for artifact in page.items], page.total) == (["4.txt", "3.txt", "2.txt"], 5)
        rest = await store.artifacts(ME, limit=3, cursor=page.next_cursor)
        assert ([artifact.name for artifact in rest.items], rest.next_cursor) == (["1.txt", "0.txt"], None)
        chosen = await store.artifacts(ME, tool="a", kind="plot")
        assert ([artifact.name for artifact in chosen.items], chosen.total) == (["3.txt"], 1)

    async def test_sessions_the_last_used_first_whatever_the_client(self, store: SessionStore) -> None:
        await _ran(store, ME, "r1", ["pmid:1"])
        await asyncio.sleep(0.005)
        await _ran(store, MY_PHONE, "r2", ["pmid:1"])
        await asyncio.sleep(0.005)
        await _ran(store, MY_OTHER, "r3", ["pmid:1"])
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

    async def test_things_at_once_are_all_kept(self, store: SessionStore) -> None:
        await asyncio.gather(*(_ran(store, ME, f"r{number}", [f"pmid:{number + 1}"]) for number in range(60)))
        page = await store.runs(ME, limit=100)
        assert {run.run_id for run in page.items} == {f"r{number}" for number in range(60)}
        assert {run.status for run in page.items} == {"completed"}

    async def test_a_cancelled_caller_does_not_take_back_what_it_handed_over(self, store: SessionStore) -> None:
        await store.start_run(ME, Run(run_id="r1", session_id="one", tool="t", status="running"))
        task = asyncio.ensure_future(store.change_run(ME, "r1", RunChange(status="cancelled")))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert (await store.run(ME, "r1")).status == "cancelled"

    async def test_prune_drops_what_is_older_and_only_the_principals_own(self, store: SessionStore) -> None:
        for owner in (ME, MY_OTHER, SOMEBODY):
            await _ran(store, owner, f"{owner.principal}-{owner.session_id}", ["pmid:1"])
            await store.add_event(owner, Event(kind="x"))
            await store.put_artifact(owner, Artifact(name="a.txt"), b"same bytes")
            await store.keep_articles(owner, [_article(99900001 + len(owner.session_id + owner.client))])
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
        await _ran(store, ME, "r1", ["pmid:1"])
        await store.aclose()
        await store.aclose()
