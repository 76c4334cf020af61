"""A store written by every earlier version opens, with all that it held.

`version_1` builds a file as version 1 wrote it; its statements are a copy on purpose, so that nobody changes what was
released without a test that notices.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from vouched.journal import Owner, Run, RunChange, SessionStore
from vouched.services.store import migrations, schema

ME = Owner(client="desk")

VERSION_1 = """
CREATE TABLE processes (process TEXT PRIMARY KEY, pid INTEGER NOT NULL, started_at TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sessions (session INTEGER PRIMARY KEY AUTOINCREMENT, principal TEXT NOT NULL, client TEXT NOT NULL,
    session_id TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    UNIQUE (principal, client, session_id));
CREATE INDEX sessions_recent ON sessions (principal, updated_at, session);
CREATE TABLE runs (seq INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE, principal TEXT NOT NULL, run_id TEXT NOT NULL,
    process TEXT NOT NULL, tool TEXT NOT NULL, status TEXT NOT NULL, query TEXT NOT NULL DEFAULT '',
    translation TEXT NOT NULL DEFAULT '', total INTEGER, returned INTEGER NOT NULL DEFAULT 0,
    replay_of TEXT NOT NULL DEFAULT '', created_at TEXT NOT NULL, updated_at TEXT NOT NULL, touched REAL NOT NULL,
    arguments TEXT, source_versions TEXT, sources TEXT, warnings TEXT, error TEXT, notes TEXT, ids TEXT, answer TEXT,
    UNIQUE (principal, run_id));
CREATE INDEX runs_session ON runs (session, seq);
CREATE INDEX runs_status ON runs (session, status, seq);
CREATE INDEX runs_open ON runs (session, process) WHERE status IN ('started', 'planned', 'running');
CREATE TABLE events (event_id INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE, at TEXT NOT NULL, touched REAL NOT NULL,
    kind TEXT NOT NULL, level TEXT NOT NULL, message TEXT NOT NULL, run_id TEXT NOT NULL, details TEXT);
CREATE INDEX events_session ON events (session, event_id);
CREATE INDEX events_kind ON events (session, kind, event_id);
CREATE TABLE artifacts (seq INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE, principal TEXT NOT NULL, artifact_id TEXT NOT NULL,
    run_id TEXT NOT NULL, tool TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, folded TEXT NOT NULL,
    original TEXT NOT NULL, media_type TEXT NOT NULL, size INTEGER NOT NULL, sha256 TEXT NOT NULL,
    source_notice TEXT NOT NULL, retrieved_at TEXT NOT NULL, created_at TEXT NOT NULL, touched REAL NOT NULL,
    details TEXT, UNIQUE (principal, artifact_id));
CREATE INDEX artifacts_session ON artifacts (session, seq);
CREATE INDEX artifacts_name ON artifacts (session, folded);
CREATE INDEX artifacts_content ON artifacts (sha256);
CREATE TABLE articles (seq INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER NOT NULL REFERENCES sessions,
    rank INTEGER NOT NULL, touched REAL NOT NULL, body TEXT NOT NULL);
CREATE INDEX articles_session ON articles (session);
CREATE TABLE article_ids (principal TEXT NOT NULL, id TEXT NOT NULL, source TEXT NOT NULL,
    seq INTEGER NOT NULL REFERENCES articles ON DELETE CASCADE, PRIMARY KEY (principal, id, source)) WITHOUT ROWID;
CREATE INDEX article_ids_seq ON article_ids (seq);

INSERT INTO sessions VALUES (1, '', 'desk', 'default', '2025-01-01T00:00:00Z', '2025-01-03T00:00:00Z');
INSERT INTO sessions VALUES (2, 'bob', 'desk', 'default', '2025-01-01T00:00:00Z', '2025-01-02T00:00:00Z');
INSERT INTO runs (session, principal, run_id, process, tool, status, query, total, returned, created_at, updated_at,
    touched, arguments, ids) VALUES
    (1, '', 'r1', 'gone', 'test_search', 'completed', 'sepsis', 40, 2, '2025-01-01T00:00:00Z', '2025-01-01T00:00:01Z',
        1735689600, '{"query":"sepsis"}', '["pmid:99900001","doi:10.99999/x"]'),
    (1, '', 'r2', 'gone', 'test_search', 'failed', 'nothing', NULL, 0, '2025-01-02T00:00:00Z', '2025-01-02T00:00:01Z',
        1735689600, NULL, NULL),
    (1, '', 'r3', 'gone', 'test_search', 'partial', 'broken', NULL, 0, '2025-01-02T00:00:00Z', '2025-01-02T00:00:01Z',
        1735689600, NULL, '{'),
    (1, '', 'r4', 'gone', 'test_search', 'running', 'cut short', NULL, 0, '2025-01-03T00:00:00Z',
        '2025-01-03T00:00:00Z', 1735689600, NULL, NULL),
    (2, 'bob', 'r1', 'gone', 'test_search', 'completed', 'theirs', 1, 1, '2025-01-01T00:00:00Z',
        '2025-01-01T00:00:01Z', 1735689600, NULL, '["pmid:99900009"]');
INSERT INTO processes VALUES ('gone', 4242, '2025-01-01T00:00:00Z');
INSERT INTO events (session, at, touched, kind, level, message, run_id) VALUES
    (1, '2025-01-01T00:00:00Z', 1735689600, 'search', 'info', 'done', 'r1'),
    (1, '2025-01-02T00:00:00Z', 1735689600, 'fault', 'error', 'failed', 'r2');
INSERT INTO articles VALUES (1, 1, 1, 1735689600,
    '{"ids":{"pmid":"99900001","doi":"10.99999/1"},"title":"Invented","source":"made"}');
INSERT INTO article_ids VALUES ('', 'pmid:99900001', 'made', 1), ('', 'doi:10.99999/1', 'made', 1);
INSERT INTO artifacts (session, principal, artifact_id, run_id, tool, kind, name, folded, original, media_type, size,
    sha256, source_notice, retrieved_at, created_at, touched) VALUES (1, '', 'a1', 'r1', 'test_search', 'file', 'a.txt',
    'a.txt', '', 'text/plain', 4, 'f47d01f8b504a10256193bc29148a28b86794cec0b71aed0a27de1532b1d9320', '', '',
    '2025-01-01T00:00:00Z', 1735689600);
PRAGMA application_id = 1450145123;
PRAGMA user_version = 1;
"""


def version_1(data: Path) -> None:
    """A store as version 1 left it, killed in mid-run, with a kept file."""
    data.mkdir()
    connection = sqlite3.connect(data / "sessions.sqlite3")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(VERSION_1)
    connection.close()
    kept = data / "artifacts" / "f4" / "f47d01f8b504a10256193bc29148a28b86794cec0b71aed0a27de1532b1d9320"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"alic")


BUILDERS: dict[int, Callable[[Path], None]] = {1: version_1}


def test_every_earlier_version_has_a_builder() -> None:
    assert sorted(BUILDERS) == list(range(1, schema.VERSION))
    assert len(migrations.STEPS) == schema.VERSION


@pytest.mark.anyio
@pytest.mark.parametrize("version", sorted(BUILDERS))
async def test_an_earlier_version_opens_with_all_that_it_held(store: SessionStore, data: Path, version: int) -> None:
    BUILDERS[version](data)
    last = await store.last(ME)
    assert last is not None
    assert (last.run_id, last.query, last.ids) == ("r1", "sepsis", ["pmid:99900001", "doi:10.99999/x"])
    info = await store.info(ME)
    assert (info.runs, info.events, info.artifacts, info.articles) == (4, 2, 1, 1)
    assert info.by_status == {"completed": 1, "failed": 1, "partial": 1, "interrupted": 1}
    assert info.by_kind == {"search": 1, "fault": 1}
    assert await store.count_found(ME) == 1
    article = await store.article(ME, "doi:10.99999/1")
    assert article is not None
    assert article.title == "Invented"
    assert await store.read_artifact(ME, "a1") == b"alic"
    assert (await store.info(Owner("bob", "desk"))).by_status == {"completed": 1}


@pytest.mark.anyio
async def test_after_migrating_the_counts_go_on(store: SessionStore, data: Path) -> None:
    version_1(data)
    await store.start_run(ME, Run(run_id="r5", session_id="default", tool="t", status="running"))
    await store.change_run(ME, "r5", RunChange(status="completed", ids=["pmid:1"]))
    info = await store.info(ME)
    assert info.by_status == {"completed": 2, "failed": 1, "partial": 1, "interrupted": 1}
    assert await store.count_found(ME) == 2


def test_a_migrated_file_has_the_same_tables_as_a_new_one(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new.sqlite3"
    version_1(old)
    with sqlite3.connect(old / "sessions.sqlite3", isolation_level=None) as migrated:
        migrations.upgrade(migrated)
        with sqlite3.connect(new, isolation_level=None) as fresh:
            migrations.create(fresh)
            assert shape(migrated) == shape(fresh)
        fresh.close()
    migrated.close()


def shape(connection: sqlite3.Connection) -> dict[str, object]:
    """Columns of every table, and every index and trigger, whatever their spacing."""
    found: dict[str, object] = {}
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master"):
        if kind == "table":
            found[name] = connection.execute(f"PRAGMA table_info({name})").fetchall()
        else:
            found[name] = " ".join((sql or "").split())
    return found


def test_a_step_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    version_1(tmp_path / "data")

    def half(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE runs ADD COLUMN half INTEGER")
        raise RuntimeError("in the middle")

    monkeypatch.setattr(migrations, "STEPS", (migrations.STEPS[0], half))
    connection = sqlite3.connect(tmp_path / "data" / "sessions.sqlite3", isolation_level=None)
    before = shape(connection)
    with pytest.raises(RuntimeError):
        migrations.upgrade(connection)
    assert shape(connection) == before
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    connection.close()
