"""The tables, one step a version. A new file takes every step, an old one those that it lacks.

Steps that were released are never edited; a change is a new step with its function in `migrations`.

Times: `*_at` is UTC text for people, `touched` unix seconds for retention. `seq` numbers are never used again, so they
order rows and make page cursors that stay right while rows come and go.
"""

__all__ = ["APPLICATION_ID", "FIRST", "OPEN", "SECOND", "VERSION"]

APPLICATION_ID = 0x566F7563  # "Vouc": tells our file from anybody else's
VERSION = 2

OPEN = "('started', 'planned', 'running')"

FIRST = f"""
CREATE TABLE processes (
    process TEXT PRIMARY KEY,
    pid INTEGER NOT NULL,
    started_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE sessions (
    session INTEGER PRIMARY KEY AUTOINCREMENT,
    principal TEXT NOT NULL,
    client TEXT NOT NULL,
    session_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (principal, client, session_id)
);
CREATE INDEX sessions_recent ON sessions (principal, updated_at, session);

CREATE TABLE runs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    principal TEXT NOT NULL,
    run_id TEXT NOT NULL,
    process TEXT NOT NULL,
    tool TEXT NOT NULL,
    status TEXT NOT NULL,
    query TEXT NOT NULL DEFAULT '',
    translation TEXT NOT NULL DEFAULT '',
    total INTEGER,
    returned INTEGER NOT NULL DEFAULT 0,
    replay_of TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    touched REAL NOT NULL,
    arguments TEXT,
    source_versions TEXT,
    sources TEXT,
    warnings TEXT,
    error TEXT,
    notes TEXT,
    ids TEXT,
    answer TEXT,
    UNIQUE (principal, run_id)
);
CREATE INDEX runs_session ON runs (session, seq);
CREATE INDEX runs_status ON runs (session, status, seq);
CREATE INDEX runs_open ON runs (session, process) WHERE status IN {OPEN};

CREATE TABLE events (
    event_id INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    at TEXT NOT NULL,
    touched REAL NOT NULL,
    kind TEXT NOT NULL,
    level TEXT NOT NULL,
    message TEXT NOT NULL,
    run_id TEXT NOT NULL,
    details TEXT
);
CREATE INDEX events_session ON events (session, event_id);
CREATE INDEX events_kind ON events (session, kind, event_id);

CREATE TABLE artifacts (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    principal TEXT NOT NULL,
    artifact_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    tool TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    original TEXT NOT NULL,
    media_type TEXT NOT NULL,
    size INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    source_notice TEXT NOT NULL,
    retrieved_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    touched REAL NOT NULL,
    details TEXT,
    UNIQUE (principal, artifact_id)
);
CREATE INDEX artifacts_session ON artifacts (session, seq);
CREATE INDEX artifacts_name ON artifacts (session, folded);
CREATE INDEX artifacts_content ON artifacts (sha256);

CREATE TABLE articles (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL REFERENCES sessions,
    rank INTEGER NOT NULL,
    touched REAL NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX articles_session ON articles (session);
CREATE TABLE article_ids (
    principal TEXT NOT NULL,
    id TEXT NOT NULL,
    source TEXT NOT NULL,
    seq INTEGER NOT NULL REFERENCES articles ON DELETE CASCADE,
    PRIMARY KEY (principal, id, source)
) WITHOUT ROWID;
CREATE INDEX article_ids_seq ON article_ids (seq);
"""

# Counting rows costs more the more there are; triggers keep the counts, so that a summary costs the same on the last
# day as on the first.
SECOND = """
ALTER TABLE sessions ADD COLUMN runs INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN found INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN events INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN artifacts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN articles INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN found INTEGER NOT NULL DEFAULT 0;
CREATE INDEX runs_found ON runs (session, seq) WHERE found = 1;

CREATE TABLE tallies (
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    what TEXT NOT NULL,
    name TEXT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (session, what, name)
) WITHOUT ROWID;
CREATE TABLE totals (name TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO totals VALUES ('articles', 0);

CREATE TRIGGER run_added AFTER INSERT ON runs BEGIN
    UPDATE sessions SET runs = runs + 1, found = found + NEW.found WHERE session = NEW.session;
    INSERT INTO tallies VALUES (NEW.session, 'status', NEW.status, 1)
    ON CONFLICT (session, what, name) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER run_changed AFTER UPDATE OF status, found ON runs
WHEN NEW.status <> OLD.status OR NEW.found <> OLD.found BEGIN
    UPDATE sessions SET found = found + NEW.found - OLD.found WHERE session = NEW.session;
    UPDATE tallies SET n = n - 1 WHERE session = OLD.session AND what = 'status' AND name = OLD.status;
    INSERT INTO tallies VALUES (NEW.session, 'status', NEW.status, 1)
    ON CONFLICT (session, what, name) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER run_dropped AFTER DELETE ON runs BEGIN
    UPDATE sessions SET runs = runs - 1, found = found - OLD.found WHERE session = OLD.session;
    UPDATE tallies SET n = n - 1 WHERE session = OLD.session AND what = 'status' AND name = OLD.status;
END;
CREATE TRIGGER event_added AFTER INSERT ON events BEGIN
    UPDATE sessions SET events = events + 1 WHERE session = NEW.session;
    INSERT INTO tallies VALUES (NEW.session, 'kind', NEW.kind, 1)
    ON CONFLICT (session, what, name) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER event_dropped AFTER DELETE ON events BEGIN
    UPDATE sessions SET events = events - 1 WHERE session = OLD.session;
    UPDATE tallies SET n = n - 1 WHERE session = OLD.session AND what = 'kind' AND name = OLD.kind;
END;
CREATE TRIGGER artifact_added AFTER INSERT ON artifacts BEGIN
    UPDATE sessions SET artifacts = artifacts + 1 WHERE session = NEW.session;
END;
CREATE TRIGGER artifact_dropped AFTER DELETE ON artifacts BEGIN
    UPDATE sessions SET artifacts = artifacts - 1 WHERE session = OLD.session;
END;
CREATE TRIGGER article_added AFTER INSERT ON articles BEGIN
    UPDATE sessions SET articles = articles + 1 WHERE session = NEW.session;
    UPDATE totals SET n = n + 1 WHERE name = 'articles';
END;
CREATE TRIGGER article_dropped AFTER DELETE ON articles BEGIN
    UPDATE sessions SET articles = articles - 1 WHERE session = OLD.session;
    UPDATE totals SET n = n - 1 WHERE name = 'articles';
END;
"""
