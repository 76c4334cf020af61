"""`vouched_read_session`: nine actions, honest, small, and unable to write."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from vouched.answer import Result
from vouched.article import Article
from vouched.article_parts import AbstractPart, Author
from vouched.builtin_session import read_session
from vouched.host import Host
from vouched.journal import Artifact, Event, Owner, Run, RunChange
from vouched.remote import Exchange
from vouched.schema import input_schema, output_schema
from vouched.session_asked import FIELDS
from vouched.settings import SessionSettings, Settings
from vouched.testing.contracts_kit import BAD_IDS

pytestmark = pytest.mark.anyio
ME = Owner(client="desk", session_id="mine")
OTHER = Owner(client="desk", session_id="yesterday")
SOMEBODY = Owner(principal="bob", client="desk", session_id="theirs")
BUDGET = 20_000
BAD = [bad for bad in BAD_IDS if bad.strip()]


class Session:
    """A host, and short ways to fill and to read its session."""

    def __init__(self, host: Host) -> None:
        self.host = host

    async def read(self, action: str, *, owner: Owner = ME, **arguments: Any) -> Result:
        return await self.host.call("read_session", {"action": action, **arguments}, owner=owner)

    async def told(self, action: str, *, owner: Owner = ME, **arguments: Any) -> dict[str, Any]:
        result = await self.read(action, owner=owner, **arguments)
        assert not result.is_error, result.text
        data: dict[str, Any] = result.structured["data"]
        return data

    async def error(self, action: str, *, owner: Owner = ME, **arguments: Any) -> dict[str, Any]:
        result = await self.read(action, owner=owner, **arguments)
        assert result.is_error, result.text
        error: dict[str, Any] = result.structured["error"]
        return error

    async def pages(self, action: str, **arguments: Any) -> AsyncIterator[dict[str, Any]]:
        cursor: str | None = None
        while True:
            result = await self.read(action, **arguments, **({"cursor": cursor} if cursor else {}))
            assert not result.is_error, result.text
            assert size(result.structured) <= BUDGET
            yield result.structured["data"]
            cursor = result.structured.get("next_cursor")
            if cursor is None:
                return

    async def ran(self, run_id: str, ids: list[str], *, owner: Owner = ME, **change: Any) -> None:
        run = Run(
            run_id=run_id,
            session_id=owner.session_id,
            tool="test_search",
            status="running",
            arguments={"query": f"query {run_id}", "limit": 5},
            query=change.pop("query", f"query {run_id}"),
        )
        await self.host.store.start_run(owner, run)
        fields = {"status": "completed", "ids": ids, "total": 100 * len(ids), **change}
        await self.host.store.change_run(owner, run_id, RunChange(**fields))

    async def kept(self, content: str | bytes, *, owner: Owner = ME, **manifest: Any) -> Artifact:
        data = content.encode() if isinstance(content, str) else content
        return await self.host.store.put_artifact(owner, Artifact(**{"name": "kept.txt", **manifest}), data)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
async def session(data: Path) -> AsyncIterator[Session]:
    async with Host(Settings(data=data), entries=[]) as host:
        yield Session(host)


def size(value: Any) -> int:
    """Characters of `value` as it goes over the wire."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def snapshot(folder: Path) -> dict[str, bytes]:
    # The shared-memory index and its log change with every reader of a live database; they are no content.
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(("-shm", "-wal")))
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


# What is published


def test_the_definition_is_plain_and_small() -> None:
    schema = input_schema(read_session)
    definition = {"name": "vouched_read_session", "description": read_session.description, "inputSchema": schema}
    assert len(json.dumps(definition, separators=(",", ":")).encode()) <= 2_400
    for node in nodes(schema):
        assert not {"$ref", "$defs", "oneOf", "anyOf", "allOf", "const"} & set(node)
        assert isinstance(node.get("type", ""), str | dict)
    assert schema["required"] == ["action"]
    assert "$ref" not in json.dumps(output_schema(read_session))
    assert (read_session.read_only, read_session.idempotent, read_session.open_world) == (True, True, False)
    assert read_session.journal == "none"


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from nodes(value)
    elif isinstance(node, list):
        for part in node:
            yield from nodes(part)


def test_every_action_and_argument_stands_in_schema_and_description() -> None:
    properties = input_schema(read_session)["properties"]
    assert set(properties["action"]["enum"]) == set(FIELDS)
    assert set(properties) == {"action", *(field for fields in FIELDS.values() for field in fields)}
    for word in (*FIELDS, *(set(properties) - {"action"})):
        assert word in read_session.description


# Arguments

WRONG_PLACES = [
    (action, field)
    for action, fields in FIELDS.items()
    for field in sorted({field for other in FIELDS.values() for field in other} - set(fields))
]
VALUES: dict[str, Any] = {
    "search_index": -1,
    "include_history": False,
    "include_local_paths": False,
    "status": "failed",
    "locator": {"kind": "artifact_id", "value": "a1"},
    **dict.fromkeys(("history_limit", "event_limit", "limit", "offset", "max_chars"), 1),
}


@pytest.mark.parametrize(("action", "field"), WRONG_PLACES)
async def test_an_argument_of_another_action_is_refused_by_name(session: Session, action: str, field: str) -> None:
    error = await session.error(
        action, **{"pmid": "1"} if action == "article" else {}, **{field: VALUES.get(field, "x")}
    )
    assert error["code"] == "invalid_argument"
    # A cursor that nobody made is refused before the action is looked at.
    assert error["path"] == field
    assert field == "cursor" or f"`{field}`" in error["message"]


@pytest.mark.parametrize(
    ("action", "needed"), [("article", "pmid"), ("search_run", "run_id"), ("replay_search", "run_id")]
)
async def test_what_an_action_needs_is_asked_for(session: Session, action: str, needed: str) -> None:
    error = await session.error(action)
    assert (error["code"], error["path"]) == ("invalid_argument", needed)
    assert json.loads(error["example"])["action"] == action


@pytest.mark.parametrize(
    "raw",
    [
        {"action": "delete_everything"},
        {"action": 7},
        {"action": ["pmids"]},
        {"action": {"kind": "pmids"}},
        {},
        "pmids",
        [],
        None,
        {"action": "pmids", "search_index": "first"},
        {"action": "pmids", "search_index": 100_001},
        {"action": "pmids", "query_filter": "x" * 501},
        {"action": "pmids", "colour": "blue"},
        {"action": "summary", "history_limit": 0},
        {"action": "summary", "include_history": "perhaps"},
        {"action": "log", "event_limit": 501},
        {"action": "list_artifacts", "limit": 101},
        {"action": "artifact", "artifact_id": "a1", "max_chars": 200_001},
        {"action": "artifact", "artifact_id": "a1", "offset": -1},
        {"action": "artifact"},
        {"action": "artifact", "artifact_id": "a1", "artifact_uri": "vouched://artifact/mine/a1"},
        {"action": "artifact", "locator": {"kind": "path", "value": "/etc/passwd"}},
        {"action": "artifact", "locator": {"kind": "artifact_id"}},
        {"action": "artifact", "locator": {"kind": "artifact_id", "value": "a1", "path": "x"}},
        {"action": "artifact", "locator": "a1"},
        {"action": "artifact", "artifact_uri": "vouched://artifact/one/a1", "session_id": "two"},
        {"action": "search_runs", "status": "lost"},
        {"action": "article", "pmid": "not an id"},
        {"action": "article", "pmid": "0"},
        {"action": "article", "pmid": "https://evil.example/pubmed/1"},
    ],
    ids=str,
)
async def test_what_is_wrong_is_refused_before_anything_happens(session: Session, data: Path, raw: Any) -> None:
    result = await session.host.call("vouched_read_session", raw, owner=ME)
    assert result.is_error
    assert result.structured["error"]["code"] == "invalid_argument", result.text
    assert not data.exists()


@pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
async def test_p104_no_id_leads_out_of_the_store(session: Session, tmp_path: Path, bad: str) -> None:
    (tmp_path / "secret").write_text("top secret")
    await session.kept("harmless")
    attempts = [
        {"action": "artifact", "artifact_id": bad},
        {"action": "artifact", "artifact_uri": f"artifact://mine/{bad}"},
        {"action": "artifact", "artifact_uri": f"vouched://artifact/{bad}/x"},
        {"action": "artifact", "artifact_uri": bad},
        {"action": "artifact", "locator": {"kind": "artifact_id", "value": bad}},
        {"action": "artifact", "locator": {"kind": "artifact_id", "value": "a1", "session_id": bad}},
        {"action": "list_artifacts", "session_id": bad},
        {"action": "search_run", "run_id": bad},
        {"action": "replay_search", "run_id": bad},
    ]
    for arguments in attempts:
        result = await session.host.call("read_session", arguments, owner=ME)
        assert result.is_error, arguments
        assert result.structured["error"]["code"] in ("invalid_argument", "not_found")
        said = json.dumps(result.structured["error"], ensure_ascii=False)
        assert "top secret" not in said
        assert str(tmp_path) not in said
        assert bad.strip() not in said or len(bad.strip()) < 3


async def test_a_file_name_that_is_a_path_is_not_found(session: Session) -> None:
    kept = await session.kept("harmless")
    for name in ("../../secret", "/etc/passwd", "manifest.json", "..%2f", "a\x00"):
        error = await session.error("artifact", artifact_id=kept.artifact_id, artifact_file=name)
        assert (error["code"], error["path"]) == ("not_found", "artifact_file")
        assert name not in json.dumps(error)


async def test_forms_that_clients_send(session: Session) -> None:
    kept = await session.kept("the text", name="a.txt")
    uri = f"artifact://mine/{kept.artifact_id}"
    forms: list[Any] = [
        {"action": "artifact", "artifact_id": kept.artifact_id},
        {"action": "Artifact", "artifactId": f" {kept.artifact_id} "},
        {"action": "artifact", "artifact_uri": uri},
        {"action": "artifact", "artifact_uri": kept.uri, "session_id": "mine"},
        {"action": "artifact", "artifact_id": f"artifact:{kept.artifact_id}", "artifact_file": "a.txt"},
        {"request": {"action": "artifact", "locator": {"kind": "artifact_id", "value": kept.artifact_id}}},
        {"request": {"action": "artifact", "locator": {"kind": "artifact_uri", "value": uri, "session_id": "mine"}}},
        {"request": json.dumps({"action": "artifact", "artifact_id": kept.artifact_id, "session_id": None})},
        json.dumps({"action": "artifact", "artifact_id": kept.artifact_id, "offset": "0", "max_chars": "100"}),
        {"action": "artifact", "locator": json.dumps({"kind": "artifact_id", "value": kept.artifact_id})},
    ]
    for form in forms:
        result = await session.host.call("read_session", form, owner=ME)
        assert not result.is_error, (form, result.text)
        assert result.structured["data"]["content"] == "the text"


# Reading writes nothing


async def test_on_a_fresh_install_reading_makes_nothing(session: Session, data: Path) -> None:
    assert (await session.told("summary"))["session"]["runs"] == 0
    assert (await session.told("log"))["total"] == 0
    assert (await session.told("search_runs"))["total"] == 0
    assert (await session.told("list_artifacts"))["total"] == 0
    for action, arguments in (
        ("pmids", {}),
        ("article", {"pmid": "99900001"}),
        ("artifact", {"artifact_id": "a1"}),
        ("search_run", {"run_id": "r1"}),
        ("replay_search", {"run_id": "r1"}),
    ):
        assert (await session.error(action, **arguments))["code"] == "not_found"
    assert not data.exists()


async def test_no_action_changes_the_store(session: Session, data: Path) -> None:
    kept = await session.kept("x" * 50_000)
    await session.ran("r1", ["pmid:99900001"])
    await session.host.store.keep_articles(ME, [Article(ids={"pmid": "99900001"}, title="Invented", source="made")])
    before, info = snapshot(data), await session.host.store.info(ME)
    # Larger than the answer may be: other tools would keep such an answer as a file.
    assert len((await session.told("artifact", artifact_id=kept.artifact_id, max_chars=50_000))["content"]) == 50_000
    for action, arguments in (
        ("pmids", {}),
        ("article", {"pmid": "99900001"}),
        ("summary", {"include_history": True}),
        ("log", {}),
        ("list_artifacts", {}),
        ("search_runs", {}),
        ("search_run", {"run_id": "r1"}),
        ("replay_search", {"run_id": "r1"}),
    ):
        await session.told(action, **arguments)
    assert snapshot(data) == before
    assert await session.host.store.info(ME) == info


# pmids


async def test_pmids_of_the_newest_search_that_found_something(session: Session) -> None:
    await session.ran("old", ["pmid:99900001"])
    await session.ran("new", ["pmid:99900002", "doi:10.99999/x", "pmid:99900003"])
    await session.ran("empty", [])
    await session.ran("down", [], status="failed")
    told = await session.told("pmids")
    assert (told["run"]["run_id"], told["pmids"], told["other_ids"]) == (
        "new",
        ["99900002", "99900003"],
        ["doi:10.99999/x"],
    )
    assert (told["search_index"], told["searches_with_hits"], told["total_pmids"], told["total"]) == (1, 2, 2, 3)


@pytest.mark.parametrize(("index", "run_id"), [(-1, "r2"), (-3, "r0"), (0, "r0"), (2, "r2"), ("-2", "r1")])
async def test_pmids_counts_like_python(session: Session, index: Any, run_id: str) -> None:
    for number in range(3):
        await session.ran(f"r{number}", [f"pmid:{99900001 + number}"])
    told = await session.told("pmids", search_index=index)
    assert told["run"]["run_id"] == run_id
    assert told["search_index"] == int(index) % 3


@pytest.mark.parametrize("index", [3, -4, 100_000, -100_000])
async def test_an_index_out_of_range_says_what_there_is(session: Session, index: int) -> None:
    for number in range(3):
        await session.ran(f"r{number}", [f"pmid:{99900001 + number}"])
    error = await session.error("pmids", search_index=index)
    assert (error["code"], error["path"], error["expected"]) == ("not_found", "search_index", "-3 to 2")


async def test_pmids_by_words_of_the_query(session: Session) -> None:
    await session.ran("old", ["pmid:99900001"], query="Sepsis in children")
    await session.ran("new", ["pmid:99900002"], query="asthma")
    assert (await session.told("pmids", query_filter="SEPSIS"))["run"]["run_id"] == "old"
    # The words decide, whatever the index says.
    assert (await session.told("pmids", query_filter="sepsis", search_index=-1))["run"]["run_id"] == "old"
    error = await session.error("pmids", query_filter="gout")
    assert (error["code"], error["path"]) == ("not_found", "query_filter")


async def test_pages_of_a_long_search_end_and_stay_with_it(session: Session) -> None:
    ids = [f"pmid:{99900001 + number}" for number in range(5_000)] + [f"doi:10.99999/{n}" for n in range(50)]
    await session.ran("long", ids)
    found: list[str] = []
    other: list[str] = []
    async for page in session.pages("pmids"):
        found += page.get("pmids", [])
        other += page.get("other_ids", [])
        assert page["total"] == 5_050
        await session.ran(f"late-{len(found)}-{len(other)}", ["pmid:1"])
    assert [f"pmid:{pmid}" for pmid in found] + other == ids


# article


@pytest.mark.parametrize(
    "spelt", ["99900001", "PMID: 99900001", "https://pubmed.ncbi.nlm.nih.gov/99900001/", "10.99999/A"]
)
async def test_article_in_any_spelling(session: Session, spelt: str) -> None:
    article = Article(
        ids={"pmid": "99900001", "doi": "10.99999/a"},
        title="An invented result",
        abstract=[AbstractPart("It was invented.")],
        abstract_state="present",
        source="made",
        retrieved_at="2026-01-01T00:00:00Z",
    )
    await session.host.store.keep_articles(OTHER, [article])
    for name in ("pmid", "id", "pmids"):
        told = await session.told("article", **{name: spelt})
        assert told["article"]["title"] == "An invented result"
        assert told["article"]["retrieved_at"] == "2026-01-01T00:00:00Z"


async def test_an_article_that_nobody_fetched_is_not_said_not_to_exist(session: Session) -> None:
    error = await session.error("article", pmid="99900001")
    assert error["code"] == "not_found"
    assert "may well exist" in error["message"]


async def test_a_record_with_thousands_of_authors_fits_and_says_so(session: Session) -> None:
    authors = [Author(family=f"Inventor{number}", affiliations=["Institute of Invention"]) for number in range(3_000)]
    await session.host.store.keep_articles(ME, [Article(ids={"pmid": "99900001"}, authors=authors, source="made")])
    result = await session.read("article", pmid="99900001")
    assert size(result.structured) <= BUDGET
    kept = len(result.structured["data"]["article"]["authors"])
    assert result.structured["warnings"] == [f"authors: {kept} of 3000 are shown, for want of room."]
    assert kept > 100


# summary, log


async def test_summary_counts_and_lists_own_sessions_only(session: Session) -> None:
    await session.ran("r0", ["pmid:1"], owner=OTHER)
    await session.ran("r1", ["pmid:99900001"])
    await session.ran("r2", [], status="failed")
    await session.ran("x", ["pmid:2"], owner=SOMEBODY)
    await session.kept("a file")
    told = await session.told("summary")
    assert told["session"]["session_id"] == "mine"
    assert told["session"]["current"] is True
    assert (told["session"]["runs"], told["session"]["artifacts"]) == (2, 1)
    assert told["by_status"] == {"completed": 1, "failed": 1}
    assert told["last"]["run_id"] == "r1"
    assert [row["session_id"] for row in told["sessions"]] == ["mine", "yesterday"]
    assert "runs" not in told
    history = await session.told("summary", include_history=True, history_limit=1)
    assert [row["run_id"] for row in history["runs"]] == ["r2"]


async def test_summary_lists_ten_sessions_at_most(session: Session) -> None:
    for number in range(12):
        await session.ran("r1" + str(number), ["pmid:1"], owner=Owner(client="desk", session_id=f"s{number}"))
    told = await session.told("summary")
    assert (len(told["sessions"]), told["total"]) == (10, 12)


async def test_a_notice_stands_in_every_summary_until_acknowledged(session: Session, data: Path) -> None:
    await session.ran("r1", ["pmid:1"])
    await session.host.store.aclose()
    (data / "sessions.sqlite3").write_bytes(b"broken" * 1000)
    for _ in range(2):
        result = await session.read("summary")
        (notice,) = result.structured["data"]["notices"]
        assert "damaged" in result.structured["warnings"][0]
        assert notice["notice_id"] in result.text
    await session.host.store.acknowledge(ME, notice["notice_id"])
    result = await session.read("summary")
    assert "notices" not in result.structured["data"]
    assert "warnings" not in result.structured


async def test_log_by_kind_with_history_beside_it(session: Session) -> None:
    await session.ran("r1", ["pmid:1"])
    for number in range(3):
        await session.host.store.add_event(ME, Event(kind="fetch" if number else "fault", message=f"line {number}"))
    told = await session.told("log")
    assert [event["message"] for event in told["events"]] == ["line 2", "line 1", "line 0"]
    assert (told["by_kind"], told["total"]) == ({"fault": 1, "fetch": 2}, 3)
    assert [row["run_id"] for row in told["runs"]] == ["r1"]
    faults = await session.told("log", kind="fault", include_history=False)
    assert ([event["message"] for event in faults["events"]], faults["total"]) == (["line 0"], 1)
    assert "runs" not in faults


async def test_event_and_history_limits_are_their_own(session: Session) -> None:
    for number in range(5):
        await session.ran(f"r{number}", ["pmid:1"])
        await session.host.store.add_event(ME, Event(kind="x", message=str(number)))
    told = await session.told("log", event_limit=2, history_limit=3)
    assert (len(told["events"]), len(told["runs"])) == (2, 3)


async def test_p94_a_long_log_pages_within_the_budget(session: Session) -> None:
    for number in range(300):
        await session.host.store.add_event(ME, Event(kind="x", message=f"{number} " + "long " * 40))
    seen = [
        event["message"].split()[0] async for page in session.pages("log", event_limit=500) for event in page["events"]
    ]
    assert seen == [str(number) for number in reversed(range(300))]


# artifacts


async def test_list_artifacts_pages_and_filters(session: Session) -> None:
    for number in range(120):
        await session.kept(f"content {number}", name=f"{number}.txt", tool="a" if number % 2 else "b", kind="plot")
    seen = [row["name"] async for page in session.pages("list_artifacts", limit=100) for row in page["artifacts"]]
    assert seen == [f"{number}.txt" for number in reversed(range(120))]
    told = await session.told("list_artifacts", tool="a", kind="plot")
    assert (told["total"], len(told["artifacts"])) == (60, 10)
    assert (await session.told("list_artifacts", kind="none"))["total"] == 0


async def test_a_page_of_300_characters_costs_less_than_a_thousand(session: Session) -> None:
    kept = await session.kept("A sentence of an invented result. " * 1000, name="fulltext of PMC99900001.md")
    result = await session.read("artifact", artifact_id=kept.artifact_id, max_chars=300)
    assert size(result.structured) < 1_000
    assert len(result.text) < 1_000


TEXTS = [
    "plain " * 5_000,
    "β≥Đ👩‍👩‍👧‍👦é" * 1_000,
    "line\r\nline\n\n\ttab\u2028end" * 900,
    '"quoted" \\ back\\slash </script> ```fence``` ' * 500,
    "\ufeffbyte order mark",
    "",
    "x",
]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
@pytest.mark.parametrize("max_chars", [None, 1_000, 7_777, 200_000])
async def test_pages_of_a_text_join_to_the_whole(session: Session, text: str, max_chars: int | None) -> None:
    kept = await session.kept(text)
    joined, offset, pages = "", 0, 0
    while True:
        wanted = {"max_chars": max_chars} if max_chars else {}
        result = await session.read("artifact", artifact_id=kept.artifact_id, offset=offset, **wanted)
        told = result.structured["data"]
        if max_chars is None:
            assert size(result.structured) <= BUDGET
        else:
            assert len(told.get("content", "")) <= max_chars
        assert (told["total_chars"], told["offset"]) == (len(text), offset)
        assert told["file"]["sha256"] == kept.sha256
        joined, pages = joined + told["content"], pages + 1
        if "next_offset" not in told:
            break
        assert told["next_offset"] > offset
        offset = told["next_offset"]
    # What hides or reorders text is taken out of every answer; the resource gives the bytes as they are.
    assert joined == _without_hidden(text)
    assert pages <= len(text) // (max_chars or 5_000) + 1


def _without_hidden(text: str) -> str:
    from vouched.text import clean

    return clean(text)


async def test_an_offset_behind_the_end_is_refused_with_the_length(session: Session) -> None:
    kept = await session.kept("short")
    assert (await session.told("artifact", artifact_id=kept.artifact_id, offset=5))["content"] == ""
    error = await session.error("artifact", artifact_id=kept.artifact_id, offset=6)
    assert (error["path"], error["expected"]) == ("offset", "0 to 5 characters")


async def test_what_is_no_text_is_pointed_to_as_a_resource(session: Session) -> None:
    kept = await session.kept(b"\x89PNG\xff\x00", name="plot.png", media_type="image/png")
    result = await session.read("artifact", artifact_id=kept.artifact_id)
    assert "content" not in result.structured["data"]
    assert kept.uri in result.structured["warnings"][0]


async def test_a_file_that_was_changed_is_refused(session: Session, data: Path) -> None:
    kept = await session.kept("as kept")
    (data / "artifacts" / kept.sha256[:2] / kept.sha256).write_text("something else")
    error = await session.error("artifact", artifact_id=kept.artifact_id)
    assert "sha256" in error["message"]
    assert "something else" not in json.dumps(error)


@pytest.mark.parametrize("allowed", [False, True])
async def test_local_paths_need_argument_and_setting(data: Path, allowed: bool) -> None:
    settings = Settings(data=data, session=SessionSettings(local_paths=allowed))
    async with Host(settings, entries=[]) as host:
        session = Session(host)
        kept = await session.kept("x")
        for arguments in ({"action": "list_artifacts"}, {"action": "artifact", "artifact_id": kept.artifact_id}):
            without = await host.call("read_session", arguments, owner=ME)
            assert str(data) not in without.text
            asked = await host.call("read_session", {**arguments, "include_local_paths": True}, owner=ME)
            assert (str(data) in asked.text) is allowed
            assert ("warnings" in asked.structured) is not allowed


# runs


async def test_search_runs_newest_first_failed_ones_too(session: Session) -> None:
    await session.ran("r1", ["pmid:1"])
    await session.ran("r2", [], status="failed", error={"code": "rate_limited", "message": "wait"})
    told = await session.told("search_runs")
    assert [(row["run_id"], row["status"], row.get("error")) for row in told["runs"]] == [
        ("r2", "failed", "rate_limited"),
        ("r1", "completed", None),
    ]
    assert (await session.told("search_runs", status="Failed"))["total"] == 1


async def test_pages_of_runs_end_within_the_budget(session: Session) -> None:
    for number in range(130):
        await session.ran(f"r{number}", ["pmid:1"], query="long query " * 200)
    seen = [row["run_id"] async for page in session.pages("search_runs", limit=100) for row in page["runs"]]
    assert seen == [f"r{number}" for number in reversed(range(130))]


async def test_search_run_gives_the_whole_run_by_pages(session: Session) -> None:
    ids = [f"pmid:{99900001 + number}" for number in range(2_000)]
    sources = [Exchange("made", f"https://made.example/search?page={n}&q={'x' * 400}", "ab" * 32) for n in range(40)]
    await session.ran("r1", ids, sources=sources, translation="as understood", warnings=["careful"], notes={"n": 1})
    pages = [page async for page in session.pages("search_run", run_id="run:r1")]
    record = pages[0]["record"]
    assert (record["translation"], record["warnings"], record["arguments"]["limit"]) == (
        "as understood",
        ["careful"],
        5,
    )
    assert [url["resolved_url"] for page in pages for url in page.get("exchanges", [])] == [
        exchange.resolved_url for exchange in sources
    ]
    assert [id_ for page in pages for id_ in page.get("ids", [])] == ids
    assert (await session.told("search_run", run_id="last"))["record"]["run_id"] == "r1"


async def test_replay_names_the_call_and_makes_none(session: Session) -> None:
    await session.ran("r1", [], status="failed")
    told = await session.told("replay_search", run_id="r1")
    assert told["replay"] == {
        "tool": "test_search",
        "arguments": {"query": "query r1", "limit": 5},
        "replay_of": "r1",
        "previous_status": "failed",
        "automatic_execution": False,
    }
    assert (await session.told("search_runs"))["total"] == 1


# whose session


async def test_p99_w16_what_was_kept_outlives_the_session_that_kept_it(data: Path) -> None:
    """A new process has a new session; runs and files of the old one are found by id, lists by naming the session."""
    async with Host(Settings(data=data), entries=[]) as host:
        await Session(host).ran("r1", ["pmid:99900001"], owner=OTHER)
        kept = await Session(host).kept("the text", owner=OTHER)
    async with Host(Settings(data=data), entries=[]) as host:
        session = Session(host)
        assert (await session.error("pmids"))["code"] == "not_found"
        assert (await session.told("search_run", run_id="r1"))["record"]["session_id"] == "yesterday"
        assert (await session.told("artifact", artifact_uri=kept.uri))["content"] == "the text"
        assert (await session.told("pmids", session_id="yesterday"))["pmids"] == ["99900001"]
        assert (await session.told("list_artifacts", session_id="yesterday"))["total"] == 1
        assert "current" not in (await session.told("summary", session_id="yesterday"))["session"]
        assert (await session.error("search_run", run_id="r1", session_id="mine"))["code"] == "not_found"
        wrong = f"artifact://mine/{kept.artifact_id}"
        assert (await session.error("artifact", artifact_uri=wrong))["code"] == "not_found"


async def test_another_client_of_the_same_person_is_reached_by_its_session_id(session: Session) -> None:
    phone = Owner(client="phone", session_id="on-the-road")
    await session.ran("r1", ["pmid:99900001"], owner=phone)
    assert (await session.told("pmids", session_id="on-the-road"))["pmids"] == ["99900001"]


async def test_nothing_of_another_principal_can_be_read(session: Session) -> None:
    await session.ran("secret-run", ["pmid:99900001"], owner=SOMEBODY)
    kept = await session.kept("their text", owner=SOMEBODY)
    await session.host.store.keep_articles(SOMEBODY, [Article(ids={"pmid": "99900001"}, source="made")])
    for action, arguments in (
        ("pmids", {"session_id": "theirs"}),
        ("summary", {"session_id": "theirs"}),
        ("log", {"session_id": "theirs"}),
        ("list_artifacts", {"session_id": "theirs"}),
        ("search_runs", {"session_id": "theirs"}),
        ("search_run", {"run_id": "secret-run"}),
        ("search_run", {"run_id": "secret-run", "session_id": "theirs"}),
        ("replay_search", {"run_id": "secret-run"}),
        ("artifact", {"artifact_id": kept.artifact_id}),
        ("artifact", {"artifact_uri": kept.uri}),
        ("article", {"pmid": "99900001"}),
    ):
        assert (await session.error(action, **arguments))["code"] == "not_found", action
    assert "theirs" not in json.dumps(await session.told("summary"))


async def test_p100_what_one_worker_keeps_another_reads(data: Path) -> None:
    async with Host(Settings(data=data), entries=[]) as first, Host(Settings(data=data), entries=[]) as second:
        for number in range(10):
            await Session(first).ran(f"a{number}", [f"pmid:{99900001 + number}"])
            await Session(second).ran(f"b{number}", [f"pmid:{99900101 + number}"])
        kept = await Session(first).kept("the text")
        assert (await Session(second).told("artifact", artifact_id=kept.artifact_id))["content"] == "the text"
        assert (await Session(second).told("pmids"))["pmids"] == ["99900110"]
        assert (await Session(second).told("summary"))["session"]["runs"] == 20
