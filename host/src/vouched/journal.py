"""The seam of the session store: who asks, and the records it keeps. Stores keep what is described here, no more."""

from typing import Any, Generic, Literal, Protocol, TypeVar, runtime_checkable

import msgspec

from vouched.article import Article
from vouched.remote import Exchange

__all__ = [
    "Artifact",
    "Event",
    "Owner",
    "Page",
    "Run",
    "RunChange",
    "RunStatus",
    "SessionInfo",
    "SessionStore",
    "StoreNotice",
]

T = TypeVar("T")
RunStatus = Literal["started", "planned", "running", "completed", "partial", "failed", "cancelled", "interrupted"]


class Owner(msgspec.Struct, frozen=True):
    """Whose session it is.

    Attributes:
        principal: the person, "" the local user. The boundary: nothing of one principal is ever shown to another, and
            single runs, articles and artifacts are found in whichever of the principal's sessions they were made.
        client: the program that asks. Two clients that use one session id have two sessions; "" means whichever of the
            principal's clients has it.
        session_id: `[A-Za-z0-9_-]{1,64}`; `last`, lists and counts are this session's own.
    """

    principal: str = ""
    client: str = ""
    session_id: str = "default"


class Run(msgspec.Struct, omit_defaults=True, frozen=True, kw_only=True):
    """One tool call that asked for something.

    Attributes:
        run_id: `[A-Za-z0-9_-]{1,64}`, unique; session_id; tool; arguments after normalisation, without credentials.
        status: started, planned, running, completed, partial, failed, cancelled, interrupted (found unfinished later).
        query, translation: as given, and as the service understood it.
        total: hits the service counts; returned: ids kept.
        ids: found, in order, "pmid:1", "doi:10.1/x"; hits without a PMID are listed like the others.
        source_versions: service -> version or update date as it states it.
        sources: exchanges; warnings, error (envelope form) and summary data needed to compare a replay.
        answer: status, data, warnings, error of the answer for `vouched verify`; None unless archived.
        created_at, updated_at: UTC, ISO 8601.
    """

    run_id: str
    session_id: str
    tool: str
    arguments: dict[str, Any] = {}
    status: RunStatus = "started"
    query: str = ""
    translation: str = ""
    total: int | None = None
    returned: int = 0
    ids: list[str] = []
    source_versions: dict[str, str] = {}
    sources: list[Exchange] = []
    warnings: list[str] = []
    error: dict[str, Any] | None = None
    answer: dict[str, Any] | None = None
    notes: dict[str, Any] = {}
    replay_of: str = ""
    created_at: str = ""
    updated_at: str = ""


class RunChange(msgspec.Struct, omit_defaults=True, frozen=True, kw_only=True):
    """What to change of a run; None leaves a field as it is."""

    status: RunStatus | None = None
    query: str | None = None
    translation: str | None = None
    total: int | None = None
    ids: list[str] | None = None
    source_versions: dict[str, str] | None = None
    sources: list[Exchange] | None = None
    warnings: list[str] | None = None
    error: dict[str, Any] | None = None
    answer: dict[str, Any] | None = None
    notes: dict[str, Any] | None = None


class Event(msgspec.Struct, omit_defaults=True, frozen=True, kw_only=True):
    """One line of the journal: `kind` as in search, fetch, artifact, fault; `level` info, warning or error."""

    event_id: int = 0
    at: str = ""
    session_id: str = ""
    kind: str
    level: Literal["info", "warning", "error"] = "info"
    message: str = ""
    run_id: str = ""
    details: dict[str, Any] = {}


class Artifact(msgspec.Struct, omit_defaults=True, frozen=True, kw_only=True):
    """A kept file: its manifest, never its path.

    Attributes:
        artifact_id: `[A-Za-z0-9_-]{1,64}`; session_id, run_id, tool.
        kind: bibliography, answer, fulltext, prisma, plot, …
        name: shown to people and safe on every system; original: the id or title that it was made from.
        media_type, size (bytes), sha256 of the bytes; source_notice and retrieved_at for exports; created_at UTC.
    """

    artifact_id: str = ""
    session_id: str = ""
    run_id: str = ""
    tool: str = ""
    kind: str = "file"
    name: str
    original: str = ""
    media_type: str = "text/plain"
    size: int = 0
    sha256: str = ""
    source_notice: str = ""
    retrieved_at: str = ""
    created_at: str = ""
    details: dict[str, Any] = {}

    @property
    def uri(self) -> str:
        """`vouched://artifact/<session>/<id>`: what a client reads it by."""
        return f"vouched://artifact/{self.session_id}/{self.artifact_id}"


class Page(msgspec.Struct, Generic[T], omit_defaults=True, frozen=True):
    """A page, newest first: its items, how many there are in all, and the cursor while there is more.

    A cursor is the store's own, any text. Rows that come between two pages shift neither, and the pages end.
    """

    items: list[T]
    total: int
    next_cursor: str | None = None


class SessionInfo(msgspec.Struct, omit_defaults=True, frozen=True, kw_only=True):
    """One session of an owner and its counts; `created_at` "" and zeros where nothing was ever kept.

    `articles` counts those that this session was the last to fetch; `by_status` its runs, `by_kind` its events.
    """

    session_id: str
    client: str = ""
    created_at: str = ""
    updated_at: str = ""
    runs: int = 0
    articles: int = 0
    artifacts: int = 0
    events: int = 0
    by_status: dict[str, int] = {}
    by_kind: dict[str, int] = {}


class StoreNotice(msgspec.Struct, frozen=True):
    """Something the user must see until acknowledged, as a damaged file set aside: id, text, time.

    Without an id it cannot be acknowledged, and stays as long as its cause: nothing can be kept.
    """

    notice_id: str
    text: str
    at: str


@runtime_checkable
class SessionStore(Protocol):
    """Keeps runs, articles, events and artifacts.

    Every call is async and takes the owner. What does not exist, or belongs to another principal, is `NotFound`; an id,
    cursor or age that breaks its form is `InvalidArgument`, which never repeats what was sent; a store that cannot be
    reached or written is `ProviderFailed`, retryable where waiting helps. Reading creates nothing, no session either.
    A write is durable when its call returns, and is done even if the caller is cancelled while it waits.

    A store may be used from several event loops, one after the other or at once, and from several processes. It opens
    when first used, not when it is made, and after `aclose` it opens again. Records that it is handed are not changed
    afterwards. Stored JSON of another version is read as far as it is understood.

    `vouched.testing.contracts_store` holds the tests that any store must pass.
    """

    async def aclose(self) -> None:
        """End cleanly; runs that this process left unfinished become `interrupted`."""

    async def start_run(self, owner: Owner, run: Run) -> None:
        """Record that a run began. Should its process end before the run does, whoever reads it later, in any process,
        is told `interrupted`; the unfinished runs of living processes are left alone."""

    async def change_run(self, owner: Owner, run_id: str, change: RunChange) -> None:
        """Set the fields that `change` names, all at once; `returned` follows `ids`."""

    async def run(self, owner: Owner, run_id: str) -> Run:
        """One run, whole, from whichever session of the principal."""

    async def runs(self, owner: Owner, *, status: str = "", limit: int = 10, cursor: str | None = None) -> Page[Run]:
        """This session's runs, without `ids` and `answer`; `returned` counts the ids."""

    async def last(self, owner: Owner, *, index: int = -1, query_filter: str = "") -> Run | None:
        """A run of this session that found something: status completed or partial, with ids.

        `index` counts as in Python, -1 the last begun, 0 the first. With `query_filter` it is the last whose query
        holds these words, in any case, taken literally; the index does not matter then. None where there is none.
        """

    async def count_found(self, owner: Owner) -> int:
        """How many runs `last` can reach."""

    async def keep_articles(self, owner: Owner, articles: list[Article]) -> None:
        """Remember fetched articles, `settings.session.articles` in all; the longest unfetched go first.

        Records are never merged: a newer one of the same source replaces the older that shares an id with it, but a
        listing (`abstract_state` not_fetched) stands beside the full record.
        """

    async def article(self, owner: Owner, id_: str) -> Article | None:
        """A kept article by any of its ids, as in "pmid:1"; None where it was never fetched.

        Of several records one that warns (retracted, concern) is served before one that does not, a full one before a
        listing, a newer before an older.
        """

    async def add_event(self, owner: Owner, event: Event) -> None:
        """Add a line to this session's journal; the oldest may go when there are very many."""

    async def events(self, owner: Owner, *, kind: str = "", limit: int = 50, cursor: str | None = None) -> Page[Event]:
        """This session's lines."""

    async def put_artifact(self, owner: Owner, artifact: Artifact, content: bytes) -> Artifact:
        """Keep a file. Returns its manifest completed with id (where none is given), session, size, sha256 and time.

        The name is made safe (`safe_name`) and unlike the session's others; the one that was given becomes `original`.
        """

    async def artifact(self, owner: Owner, artifact_id: str) -> Artifact:
        """A manifest, from whichever session of the principal."""

    async def read_artifact(self, owner: Owner, artifact_id: str) -> bytes:
        """The bytes, checked against the manifest's sha256: `InternalFault` when they do not match, `NotFound` when
        they are gone."""

    async def artifact_path(self, owner: Owner, artifact_id: str) -> str:
        """Where the bytes lie on this machine, "" for a store that has no such place."""

    async def artifacts(
        self, owner: Owner, *, tool: str = "", kind: str = "", limit: int = 10, cursor: str | None = None
    ) -> Page[Artifact]:
        """This session's manifests."""

    async def info(self, owner: Owner) -> SessionInfo:
        """This session in numbers, whatever their size at the same cost."""

    async def sessions(self, owner: Owner, *, limit: int = 10, cursor: str | None = None) -> Page[SessionInfo]:
        """All sessions of the owner's principal, whatever their client, the last used first."""

    async def notices(self, owner: Owner) -> list[StoreNotice]:
        """What the store's users must be told until somebody acknowledges it."""

    async def acknowledge(self, owner: Owner, notice_id: str) -> None:
        """Take a notice off the list."""

    async def prune(self, owner: Owner, *, older_than_days: float) -> int:
        """Drop the principal's runs, events, articles and artifacts that were not touched for so long; how many went.

        Unfinished runs of living processes stay. `settings.session.retention_days` is the store's own to keep, for all
        principals.
        """
