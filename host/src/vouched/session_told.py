"""What `vouched_read_session` answers, and how records of the store become rows of it."""

from typing import Any

from vouched.journal import Artifact, Event, Run, SessionInfo, StoreNotice
from vouched.struct import Struct

__all__ = ["Told", "artifact_row", "event_row", "notice_row", "run_row", "session_row"]

QUERY_CHARS = 300


class RunRow(Struct, omit_defaults=True):
    """A run in a list."""

    run_id: str
    tool: str
    status: str
    created_at: str
    query: str = ""
    returned: int | None = None
    total: int | None = None
    exchanges: int = 0
    error: str = ""


class SessionRow(Struct, omit_defaults=True):
    """A session in numbers."""

    session_id: str
    client: str = ""
    current: bool = False
    created_at: str = ""
    updated_at: str = ""
    runs: int | None = None
    articles: int | None = None
    artifacts: int | None = None
    events: int | None = None


class EventRow(Struct, omit_defaults=True):
    """A line of the journal."""

    at: str
    kind: str
    level: str
    message: str = ""
    run_id: str = ""
    details: dict[str, Any] = {}


class ArtifactRow(Struct, omit_defaults=True):
    """A kept file; never where it lies, unless both argument and setting allow it."""

    artifact_id: str
    name: str
    media_type: str
    size: int
    sha256: str
    kind: str = ""
    tool: str = ""
    run_id: str = ""
    created_at: str = ""
    uri: str = ""
    original: str = ""
    source_notice: str = ""
    retrieved_at: str = ""
    local_path: str = ""


class NoticeRow(Struct):
    """What `vouched session acknowledge ID` takes off the list."""

    notice_id: str
    text: str
    at: str


class Replay(Struct):
    """A call that can be made again: by whoever reads it, never by itself."""

    tool: str
    arguments: dict[str, Any]
    replay_of: str
    previous_status: str
    automatic_execution: bool = False


class Told(Struct, omit_defaults=True, kw_only=True):
    """The answer of any action; each fills the fields that are its own."""

    action: str
    total: int | None = None
    returned: int | None = None
    searches_with_hits: int | None = None
    search_index: int | None = None
    total_pmids: int | None = None
    pmids: list[str] = []
    other_ids: list[str] = []
    ids: list[str] = []
    run: RunRow | None = None
    session: SessionRow | None = None
    by_status: dict[str, int] = {}
    by_kind: dict[str, int] = {}
    last: RunRow | None = None
    notices: list[NoticeRow] = []
    sessions: list[SessionRow] = []
    events: list[EventRow] = []
    runs: list[RunRow] = []
    artifacts: list[ArtifactRow] = []
    total_chars: int | None = None
    offset: int | None = None
    next_offset: int | None = None
    file: ArtifactRow | None = None
    content: str | None = None
    article: dict[str, Any] | None = None
    record: dict[str, Any] | None = None
    exchanges: list[dict[str, Any]] = []
    replay: Replay | None = None


def run_row(run: Run) -> RunRow:
    """A run for a list: its query cut, its ids and exchanges counted."""
    cut = len(run.query) > QUERY_CHARS
    return RunRow(
        run_id=run.run_id,
        tool=run.tool,
        status=run.status,
        created_at=run.created_at,
        query=run.query[: QUERY_CHARS - 1] + "…" if cut else run.query,
        returned=run.returned,
        total=run.total,
        exchanges=len(run.sources),
        error=str((run.error or {}).get("code", "")),
    )


def session_row(info: SessionInfo, current: str) -> SessionRow:
    """A session for a list; `current` is the caller's own."""
    return SessionRow(
        session_id=info.session_id,
        client=info.client,
        current=info.session_id == current,
        created_at=info.created_at,
        updated_at=info.updated_at,
        runs=info.runs,
        articles=info.articles,
        artifacts=info.artifacts,
        events=info.events,
    )


def event_row(event: Event) -> EventRow:
    """A line of the journal, without what the list says already."""
    return EventRow(event.at, event.kind, event.level, event.message, event.run_id, event.details)


def artifact_row(artifact: Artifact, *, short: bool = False, local_path: str = "") -> ArtifactRow:
    """A manifest; `short` for a page of content, whose reader has seen the rest."""
    row = ArtifactRow(
        artifact_id=artifact.artifact_id,
        name=artifact.name,
        media_type=artifact.media_type,
        size=artifact.size,
        sha256=artifact.sha256,
        local_path=local_path,
    )
    if not short:
        for field in ("kind", "tool", "run_id", "created_at", "uri", "original", "source_notice", "retrieved_at"):
            setattr(row, field, getattr(artifact, field))
    return row


def notice_row(notice: StoreNotice) -> NoticeRow:
    """A notice that nobody acknowledged yet."""
    return NoticeRow(notice.notice_id, notice.text, notice.at)
