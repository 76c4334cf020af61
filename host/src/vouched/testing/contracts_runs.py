"""What every store must do with runs."""

import asyncio

import pytest

from vouched.faults import InvalidArgument, NotFound
from vouched.journal import Run, RunChange, SessionStore
from vouched.remote import Exchange
from vouched.testing.contracts_kit import ME, ran

__all__ = ["RunContract"]


@pytest.mark.anyio
class RunContract:
    """Runs: one rule a test."""

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
        await ran(store, ME, "r1", ["pmid:1"], translation="as understood")
        await store.change_run(ME, "r1", RunChange(warnings=["late"]))
        kept = await store.run(ME, "r1")
        assert (kept.status, kept.ids, kept.translation, kept.warnings) == (
            "completed",
            ["pmid:1"],
            "as understood",
            ["late"],
        )

    async def test_a_run_id_is_used_once(self, store: SessionStore) -> None:
        await ran(store, ME, "r1", ["pmid:1"])
        with pytest.raises(InvalidArgument):
            await store.start_run(ME, Run(run_id="r1", session_id="one", tool="other"))
        assert (await store.run(ME, "r1")).tool == "test_search"

    async def test_changing_a_run_that_is_not_there_is_not_found(self, store: SessionStore) -> None:
        with pytest.raises(NotFound):
            await store.change_run(ME, "r1", RunChange(status="completed"))

    async def test_runs_are_listed_newest_first_with_an_honest_total_and_paging_that_ends(
        self, store: SessionStore
    ) -> None:
        for number in range(7):
            await ran(store, ME, f"r{number}", [f"pmid:{number + 1}"])
        seen: list[str] = []
        cursor: str | None = None
        while True:
            page = await store.runs(ME, limit=3, cursor=cursor)
            assert page.total == 7 + (cursor is not None)
            seen += [run.run_id for run in page.items]
            if cursor is None:
                # A run that comes between two pages shifts neither.
                await ran(store, ME, "late", ["pmid:99"])
            cursor = page.next_cursor
            if cursor is None:
                break
        assert seen == [f"r{number}" for number in reversed(range(7))]

    async def test_listed_runs_carry_counts_instead_of_ids(self, store: SessionStore) -> None:
        await ran(store, ME, "r1", ["pmid:1", "pmid:2"], answer={"status": "ok"})
        (run,) = (await store.runs(ME)).items
        assert (run.returned, run.ids, run.answer) == (2, [], None)

    async def test_runs_by_status(self, store: SessionStore) -> None:
        await ran(store, ME, "r1", ["pmid:1"])
        await ran(store, ME, "r2", [], status="failed")
        await ran(store, ME, "r3", ["pmid:1"])
        page = await store.runs(ME, status="completed")
        assert ([run.run_id for run in page.items], page.total) == (["r3", "r1"], 2)
        assert (await store.runs(ME, status="cancelled")).total == 0
        assert (await store.info(ME)).by_status == {"completed": 2, "failed": 1}

    async def test_last_is_the_last_run_that_found_something(self, store: SessionStore) -> None:
        await ran(store, ME, "good", ["doi:10.99999/only", "pmid:99900001"])
        await ran(store, ME, "none", [])
        await ran(store, ME, "failed", ["pmid:2"], status="failed")
        await store.start_run(ME, Run(run_id="going", session_id="one", tool="t", status="running"))
        last = await store.last(ME)
        assert last is not None
        # Hits without a PMID are part of it.
        assert (last.run_id, last.ids) == ("good", ["doi:10.99999/only", "pmid:99900001"])

    async def test_last_counts_like_python(self, store: SessionStore) -> None:
        for number in range(3):
            await ran(store, ME, f"r{number}", [f"pmid:{number + 1}"])
            await ran(store, ME, f"empty{number}", [])
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
        await ran(store, ME, "old", ["pmid:1"], query="Straße 50% of ÉTUDES")
        await ran(store, ME, "new", ["pmid:2"], query="another études")
        for words, expected in (("ÉTUDES", "new"), ("50%", "old"), ("strasse", "old"), ("%", "old"), ("_", None)):
            run = await store.last(ME, query_filter=words)
            assert (run and run.run_id) == expected, words

    async def test_things_at_once_are_all_kept(self, store: SessionStore) -> None:
        await asyncio.gather(*(ran(store, ME, f"r{number}", [f"pmid:{number + 1}"]) for number in range(60)))
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
