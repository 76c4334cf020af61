"""What every store must do with articles, events and kept files."""

import hashlib

import pytest

from vouched.article import Article
from vouched.journal import Artifact, Event, SessionStore
from vouched.testing.contracts_kit import ME, MY_OTHER, article

__all__ = ["KeptContract"]

# A name as a tool may give it, from ids and titles -> nothing that some system forbids or takes for another name.
BAD_NAMES = (
    "10.1000/abc:def;1",
    "CON",
    "con.txt",
    "x" * 300,
    "dot.",
    "..",
    "",
    "a\x00b",
    "a/b",
    "a\\b",
    " ",
    "\ud800",
    "😀" * 200,
)


@pytest.mark.anyio
class KeptContract:
    """Articles, events and kept files: one rule a test."""

    async def test_an_article_is_found_by_any_of_its_ids(self, store: SessionStore) -> None:
        await store.keep_articles(ME, [article(99900001), article(99900002)])
        by_pmid, by_doi = await store.article(ME, "pmid:99900002"), await store.article(ME, "doi:10.99999/99900002")
        assert by_pmid == by_doi == article(99900002)
        assert (await store.info(ME)).articles == 2

    async def test_the_newest_record_of_a_source_replaces_its_older_one(self, store: SessionStore) -> None:
        await store.keep_articles(ME, [article(99900001)])
        newer = Article(ids={"pmid": "99900001"}, title="Corrected title", abstract_state="none", source="invented")
        await store.keep_articles(ME, [newer])
        assert await store.article(ME, "pmid:99900001") == newer
        assert (await store.info(ME)).articles == 1

    async def test_a_listing_does_not_hide_the_full_record_but_a_warning_does(self, store: SessionStore) -> None:
        await store.keep_articles(ME, [article(99900001)])
        await store.keep_articles(ME, [article(99900001, full=False), article(99900001, source="other", full=False)])
        kept = await store.article(ME, "pmid:99900001")
        assert kept is not None
        assert kept.abstract_state == "present"
        await store.keep_articles(ME, [article(99900001, source="other", full=False, status="retracted")])
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
            kind="refs",
            run_id="r1",
            media_type="application/x-ris",
            details={"n": 2},
        )
        kept = await store.put_artifact(ME, given, content)
        assert (kept.session_id, kept.size, kept.sha256) == ("one", len(content), hashlib.sha256(content).hexdigest())
        assert (kept.name, kept.tool, kept.kind, kept.run_id, kept.details) == (
            "refs.ris",
            "t",
            "refs",
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

    @pytest.mark.parametrize("name", BAD_NAMES, ids=range(len(BAD_NAMES)))
    async def test_p103_names_are_safe_on_every_system_and_the_original_is_told(
        self, store: SessionStore, name: str
    ) -> None:
        kept = await store.put_artifact(ME, Artifact(name=name), b"x")
        assert 0 < len(kept.name.encode()) <= 255
        assert not set(kept.name) & set('<>:"/\\|?*;\x00')
        assert kept.name.partition(".")[0].upper() not in ("CON", "NUL")
        assert not kept.name.endswith((".", " "))
        assert kept.original == name.encode("utf-8", "replace").decode()

    async def test_p103_an_original_that_was_given_is_kept(self, store: SessionStore) -> None:
        kept = await store.put_artifact(ME, Artifact(name="a:b.txt", original="10.1000/abc:def;1"), b"x")
        assert kept.original == "10.1000/abc:def;1"

    async def test_p103_names_that_some_systems_take_for_one_are_told_apart(self, store: SessionStore) -> None:
        given = [Artifact(name=name) for name in ("Refs.ris", "refs.RIS", "Refs.ris")]
        names = [(await store.put_artifact(ME, artifact, b"x")).name for artifact in given]
        assert len({name.casefold() for name in names}) == 3
