"""One call's view of the services: what a tool, resolver, text source, resource or check gets as its first argument."""

import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from vouched.access import Access, Decision
from vouched.article import Article, Missing
from vouched.extensions import Style
from vouched.faults import DeadlineExceeded, Fault, InvalidArgument
from vouched.fulltext import FullText, TextAnswer
from vouched.ids import Id, Ref
from vouched.journal import Artifact, Owner, Page, Run, SessionStore
from vouched.policy import ReuseCard
from vouched.remote import Http, Source, titled
from vouched.settings import Settings
from vouched.tooling import Image, Link

__all__ = ["Articles", "Context", "Deadline", "Fitted", "Licences", "SessionView"]

T = TypeVar("T")
State = Any
# A store that hangs delays an answer by this much at most.
PATIENCE_SECONDS = 5.0
log = logging.getLogger("vouched.context")


class Deadline:
    """When a call must have answered, on the monotonic clock."""

    def __init__(self, seconds: float) -> None:
        self.at = time.monotonic() + seconds

    def remaining(self) -> float:
        """Seconds left, 0.0 when it has passed."""
        return max(0.0, self.at - time.monotonic())

    def check(self) -> None:
        """Raise `DeadlineExceeded` once it has passed."""
        if self.remaining() <= 0:
            raise DeadlineExceeded("The call's time is over.", hint="Ask for less at once, or raise limits.deadline.")


class Fitted(msgspec.Struct, Generic[T], frozen=True):
    """What `ctx.fit` kept: whole rows, the cursor for the rest, and how many rows it holds back."""

    rows: list[T]
    next_cursor: str | None
    held_back: int


class Articles(Protocol):
    """Ids to articles, through whichever resolvers are installed."""

    @property
    def available(self) -> bool:
        """Whether any resolver is installed."""

    async def get(self, ids: Sequence[Ref | Id]) -> list[Article | Missing]:
        """One entry per element, in order; an element without an id becomes `Missing("invalid", …)`.

        Equal ids are asked once. Everything found is kept in the session.
        """


class Licences(Protocol):
    """The licence gate."""

    def decide(self, access: Access | None) -> Decision:
        """What may be done; None means that nobody was asked (`not_checked`). A policy that fails denies everything."""

    def card(self, article: Article, text: FullText | None = None) -> ReuseCard:
        """Uses, conditions and a ready attribution line; with the full text also the parts that have other terms."""


class SessionView:
    """The session store bound to the owner of this call."""

    def __init__(self, store: SessionStore, context: "Context") -> None:
        self.store = store
        self.owner = context.owner
        self._context = context

    async def keep_articles(self, articles: Sequence[Article]) -> None:
        """Remember articles, so that `vouched_read_session` and later tools have them without asking upstream.

        A store that fails costs a warning, never the records.
        """
        import asyncio

        from vouched.defects import log_defect

        if not articles:
            return
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self.store.keep_articles(self.owner, list(articles))
        except Fault as fault:
            self._context.warn(f"The records could not be kept in the session: {fault.message}")
        except Exception as error:
            log_defect(log, self._context.settings, "the records could not be kept in the session", error)
            self._context.warn(f"The records could not be kept in the session ({type(error).__name__}).")

    async def article(self, id_: Id) -> Article | None:
        """A kept article, or None."""
        return await self.store.article(self.owner, str(id_))

    async def last(self) -> Run | None:
        """The last run of this session that found something."""
        return await self.store.last(self.owner)

    async def run(self, run_id: str) -> Run:
        """One run; `NotFound` where there is none."""
        return await self.store.run(self.owner, run_id)

    async def runs(self, limit: int = 10) -> Page[Run]:
        """The newest runs."""
        return await self.store.runs(self.owner, limit=limit)

    async def artifact(self, artifact_id: str) -> tuple[Artifact, bytes]:
        """A kept file, checked against its sha256."""
        store, owner = self.store, self.owner
        return await store.artifact(owner, artifact_id), await store.read_artifact(owner, artifact_id)


class Services(Protocol):
    """What the host gives a context to work with; made once per host."""

    @property
    def settings(self) -> Settings: ...

    @property
    def styles(self) -> Mapping[str, Style]: ...

    @property
    def sources(self) -> Mapping[str, Source]: ...

    @property
    def licence(self) -> Licences: ...

    @property
    def store(self) -> SessionStore: ...

    def http(self, source: str, context: "Context") -> Http: ...

    def articles(self, context: "Context") -> Articles: ...

    async def text(self, context: "Context", article: Article) -> TextAnswer: ...


class Context:
    """One call's view of the services.

    Attributes:
        articles: ids to articles; licence: the gate; session: this session's store; styles: installed citation styles.
        settings; deadline; tool: full name of the running tool; plugin: its plugin's name.
        run_id: of the journal, "" where the call is not recorded; owner: whose call it is.
        warnings: so far; notes: facts for the run record (query, translation, total, ids, source_versions).
        attachments: images and links so far; sources: all that plugins declare, by name.
    """

    def __init__(
        self,
        services: Services,
        owner: Owner,
        *,
        tool: str = "",
        plugin: str = "",
        run_id: str = "",
        deadline: Deadline | None = None,
        fingerprint: str = "",
        state: State = None,
        report: Callable[[float, float | None, str], Awaitable[None]] | None = None,
    ) -> None:
        self._services = services
        self.owner = owner
        self.tool = tool
        self.plugin = plugin
        self.run_id = run_id
        self.deadline = deadline or Deadline(services.settings.limits.deadline)
        self.settings = services.settings
        self.licence = services.licence
        self.styles = services.styles
        self.sources = services.sources
        self.session = SessionView(services.store, self)
        self.articles = services.articles(self)
        self.warnings: list[str] = []
        self._said: set[str] = set()
        self.notes: dict[str, Any] = {}
        self.attachments: list[Image | Link] = []
        self.exchanges: list[Any] = []
        self._fingerprint = fingerprint
        self._state = state
        self._report = report

    def http(self, source: str) -> Http:
        """The client of `source`, bound to this call's deadline and provenance."""
        return self._services.http(source, self)

    async def text(self, article: Article) -> TextAnswer:
        """The full text of `article` where a source has it and the licence lets it be read."""
        return await self._services.text(self, article)

    def warn(self, text: str) -> None:
        """Say something the reader must know; it stands in both faces of the answer, once.

        Of more than 50 the first and the last are shown, and the others counted.
        """
        if not isinstance(text, str):
            raise TypeError(f"a warning is text, not {type(text).__name__}")
        if text not in self._said:
            self._said.add(text)
            self.warnings.append(text)

    def note(self, key: str, value: Any) -> None:
        """Record a fact of this run: `query`, `translation`, `total`, `ids` (found, "pmid:1"), `source_versions`, or
        any other JSON value under a name of your own."""
        self.notes[key] = value

    def state(self, type_: type[T]) -> T | None:
        """What the cursor of this call holds, as `type_`; None on a first page."""
        if self._state is None:
            return None
        try:
            return msgspec.convert(self._state, type_)
        except msgspec.ValidationError:
            raise InvalidArgument(
                "This cursor does not hold what this tool put into its cursors.",
                path="cursor",
                hint="Leave `cursor` out to begin again.",
            ) from None

    def cursor(self, state: State) -> str:
        """A cursor that brings `state` back to this tool with these arguments, and is refused elsewhere."""
        from vouched.answer import make_cursor

        return make_cursor(self.tool, self._fingerprint, msgspec.to_builtins(state))

    def fit(self, rows: Sequence[T], state: Callable[[int], State] | None = None, *, reserve: int = 2_000) -> Fitted[T]:
        """Keep as many whole rows as fit into the answer and make the cursor for the rest.

        Args:
            rows: this page's rows, in order.
            state: number of rows kept -> what the next page needs to know, or None when nothing is left.
            reserve: characters left for what stands beside the rows, a few exchanges included.
        """
        from vouched.answer import page

        kept = page(rows, self.settings.limits.answer_chars - reserve, self.exchanges)
        following = state(kept) if state else None
        return Fitted(list(rows[:kept]), None if following is None else self.cursor(following), len(rows) - kept)

    async def keep(
        self,
        name: str,
        data: bytes | str,
        media_type: str,
        *,
        kind: str = "file",
        original: str = "",
        source_notice: str = "",
        retrieved_at: str = "",
        details: Mapping[str, Any] | None = None,
    ) -> Artifact:
        """Keep `data` as an artifact of this session and attach its link to the answer.

        Where it does not say where it comes from and of when it is, the manifest says whom this call asked, and when.
        """
        notice, at = self._origin()
        artifact = await self.session.store.put_artifact(
            self.owner,
            Artifact(
                name=name,
                media_type=media_type,
                kind=kind,
                tool=self.tool,
                run_id=self.run_id,
                original=original,
                source_notice=source_notice or notice,
                retrieved_at=retrieved_at or at,
                details=dict(details or {}),
            ),
            data.encode() if isinstance(data, str) else data,
        )
        self.attachments.append(Link(artifact.uri, artifact.name, media_type, artifact.kind, artifact.size))
        return artifact

    def _origin(self) -> tuple[str, str]:
        """Whom this call asked, and when the last answer came; both empty where it has asked nobody."""
        answered = [exchange for exchange in self.exchanges if exchange.content_sha256]
        asked = ", ".join(dict.fromkeys(titled(self.sources, exchange.source) for exchange in answered))
        return f"From {asked}" if asked else "", max((exchange.retrieved_at for exchange in answered), default="")

    async def progress(self, done: float, total: float | None = None, text: str = "") -> None:
        """Tell the client how far this call is; a no-op where the client did not ask."""
        if self._report:
            await self._report(done, total, text)
