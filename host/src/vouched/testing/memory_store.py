"""A session store in memory: the shortest that keeps the contract, for tests and as a pattern for stores elsewhere."""

import hashlib
import itertools
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from vouched.article import Article
from vouched.faults import InvalidArgument, NotFound
from vouched.journal import Artifact, Event, Owner, Page, Run, RunChange, SessionInfo, StoreNotice
from vouched.names import check_id, new_id, now, position, safe_name, text

__all__ = ["MemoryStore"]


class _Kept(msgspec.Struct):
    number: int
    owner: Owner
    item: Any
    touched: float


class MemoryStore:
    """`vouched.journal.SessionStore` that forgets everything with its process."""

    def __init__(self, articles: int = 50_000) -> None:
        self._articles_kept = articles
        self._numbers = itertools.count(1)
        self._sessions: dict[Owner, _Kept] = {}
        self._runs: list[_Kept] = []
        self._events: list[_Kept] = []
        self._artifacts: list[_Kept] = []
        self._articles: list[_Kept] = []
        self._bytes: dict[str, bytes] = {}

    async def aclose(self) -> None:
        """Nothing is open."""

    async def start_run(self, owner: Owner, run: Run) -> None:
        check_id("run_id", run.run_id)
        if self._find(self._runs, owner, "run_id", run.run_id):
            raise InvalidArgument("A run with this id is there already.", path="run_id")
        at = run.created_at or now()
        self._add(
            self._runs, owner, msgspec.structs.replace(run, session_id=owner.session_id, created_at=at, updated_at=at)
        )

    async def change_run(self, owner: Owner, run_id: str, change: RunChange) -> None:
        kept = self._one(self._runs, owner, "run_id", run_id)
        given = {name: getattr(change, name) for name in change.__struct_fields__}
        fields = {name: value for name, value in given.items() if value is not None}
        if "ids" in fields:
            fields["returned"] = len(fields["ids"])
        kept.item = msgspec.structs.replace(kept.item, **fields, updated_at=now())
        kept.touched = time.time()

    async def run(self, owner: Owner, run_id: str) -> Run:
        run: Run = self._one(self._runs, owner, "run_id", run_id).item
        return run

    async def runs(self, owner: Owner, *, status: str = "", limit: int = 10, cursor: str | None = None) -> Page[Run]:
        page = self._page(self._runs, owner, lambda run: not status or run.status == status, limit, cursor)
        return Page(
            [msgspec.structs.replace(run, ids=[], answer=None) for run in page.items], page.total, page.next_cursor
        )

    async def last(self, owner: Owner, *, index: int = -1, query_filter: str = "") -> Run | None:
        found = self._found(owner)
        if query_filter:
            matching = [run for run in found if query_filter.casefold() in run.query.casefold()]
            return matching[-1] if matching else None
        return found[index] if -len(found) <= index < len(found) else None

    async def count_found(self, owner: Owner) -> int:
        return len(self._found(owner))

    async def keep_articles(self, owner: Owner, articles: list[Article]) -> None:
        for article in articles:
            ids = article.known_ids()
            self._articles = [
                kept
                for kept in self._articles
                if kept.owner.principal != owner.principal
                or _shelf(kept.item) != _shelf(article)
                or not kept.item.known_ids() & ids
            ]
            if ids:
                self._add(self._articles, owner, article)
        self._articles = self._articles[max(0, len(self._articles) - self._articles_kept) :]

    async def article(self, owner: Owner, id_: str) -> Article | None:
        found = [
            kept
            for kept in self._articles
            if kept.owner.principal == owner.principal and id_ in {str(known) for known in kept.item.known_ids()}
        ]
        best = max(found, key=lambda kept: (_rank(kept.item), kept.number), default=None)
        return best.item if best else None

    async def add_event(self, owner: Owner, event: Event) -> None:
        number = next(self._numbers)
        self._add(
            self._events,
            owner,
            msgspec.structs.replace(event, event_id=number, session_id=owner.session_id, at=event.at or now()),
        )

    async def events(self, owner: Owner, *, kind: str = "", limit: int = 50, cursor: str | None = None) -> Page[Event]:
        return self._page(self._events, owner, lambda event: kind in ("", event.kind), limit, cursor)

    async def put_artifact(self, owner: Owner, artifact: Artifact, content: bytes) -> Artifact:
        artifact_id = check_id("artifact_id", artifact.artifact_id) if artifact.artifact_id else new_id()
        if self._find(self._artifacts, owner, "artifact_id", artifact_id):
            raise InvalidArgument("An artifact with this id is there already.", path="artifact_id")
        name = safe_name(artifact.name)
        if any(kept.item.name.casefold() == name.casefold() for kept in self._own(self._artifacts, owner)):
            name = f"{artifact_id[:8]}-{name}"
        kept = msgspec.structs.replace(
            artifact,
            artifact_id=artifact_id,
            session_id=owner.session_id,
            name=name,
            original=text(artifact.original or (artifact.name if name != artifact.name else "")),
            size=len(content),
            sha256=hashlib.sha256(content).hexdigest(),
            created_at=artifact.created_at or now(),
        )
        self._bytes[kept.sha256] = content
        self._add(self._artifacts, owner, kept)
        return kept

    async def artifact(self, owner: Owner, artifact_id: str) -> Artifact:
        artifact: Artifact = self._one(self._artifacts, owner, "artifact_id", artifact_id).item
        return artifact

    async def read_artifact(self, owner: Owner, artifact_id: str) -> bytes:
        return self._bytes[(await self.artifact(owner, artifact_id)).sha256]

    async def artifact_path(self, owner: Owner, artifact_id: str) -> str:
        await self.artifact(owner, artifact_id)
        return ""

    async def artifacts(
        self, owner: Owner, *, tool: str = "", kind: str = "", limit: int = 10, cursor: str | None = None
    ) -> Page[Artifact]:
        def wanted(artifact: Artifact) -> bool:
            return tool in ("", artifact.tool) and kind in ("", artifact.kind)

        return self._page(self._artifacts, owner, wanted, limit, cursor)

    async def info(self, owner: Owner) -> SessionInfo:
        session = self._session(owner)
        if session is None:
            return SessionInfo(session_id=owner.session_id, client=owner.client)
        return self._info(session)

    async def sessions(self, owner: Owner, *, limit: int = 10, cursor: str | None = None) -> Page[SessionInfo]:
        own = [kept for kept in self._sessions.values() if kept.owner.principal == owner.principal]
        own.sort(key=lambda kept: kept.number, reverse=True)
        before = position(cursor)
        rest = own if before is None else [kept for kept in own if kept.number < before]
        following = str(rest[limit - 1].number) if len(rest) > limit else None
        return Page([self._info(kept) for kept in rest[:limit]], len(own), following)

    async def notices(self, owner: Owner) -> list[StoreNotice]:
        return []

    async def acknowledge(self, owner: Owner, notice_id: str) -> None:
        raise NotFound("There is no such notice.")

    async def prune(self, owner: Owner, *, older_than_days: float) -> int:
        if not 0 <= older_than_days < 1e6:
            raise InvalidArgument("This is no age in days.", path="older_than_days", expected="0 to 1,000,000")
        before, gone = time.time() - older_than_days * 86_400, 0
        for name in ("_runs", "_events", "_artifacts", "_articles"):
            rows: list[_Kept] = getattr(self, name)
            stay = [kept for kept in rows if kept.owner.principal != owner.principal or kept.touched >= before]
            gone += len(rows) - len(stay)
            setattr(self, name, stay)
        return gone

    def _add(self, rows: list[_Kept], owner: Owner, item: Any) -> None:
        session = self._session(owner)
        named = session.owner if session else owner
        created = session.item if session else now()
        # A session's number grows with every use: the last used has the highest.
        self._sessions[named] = _Kept(next(self._numbers), named, created, time.time())
        rows.append(_Kept(next(self._numbers), named, item, time.time()))

    def _session(self, owner: Owner) -> _Kept | None:
        check_id("session_id", owner.session_id)
        if owner in self._sessions or owner.client:
            return self._sessions.get(owner)
        same = [
            kept
            for named, kept in self._sessions.items()
            if (named.principal, named.session_id) == (owner.principal, owner.session_id)
        ]
        return max(same, key=lambda kept: kept.number, default=None)

    def _own(self, rows: Sequence[_Kept], owner: Owner) -> list[_Kept]:
        session = self._session(owner)
        return [kept for kept in rows if session is not None and kept.owner == session.owner]

    def _found(self, owner: Owner) -> list[Run]:
        runs = (kept.item for kept in self._own(self._runs, owner))
        return [run for run in runs if run.status in ("completed", "partial") and run.ids]

    def _find(self, rows: Sequence[_Kept], owner: Owner, field: str, value: str) -> _Kept | None:
        return next((k for k in rows if k.owner.principal == owner.principal and getattr(k.item, field) == value), None)

    def _one(self, rows: Sequence[_Kept], owner: Owner, field: str, value: str) -> _Kept:
        found = self._find(rows, owner, field, check_id(field, value))
        if found is None:
            raise NotFound("There is no such thing of yours.")
        return found

    def _page(
        self, rows: Sequence[_Kept], owner: Owner, wanted: Callable[[Any], bool], limit: int, cursor: str | None
    ) -> Page[Any]:
        below = position(cursor)
        own = [kept for kept in reversed(self._own(rows, owner)) if wanted(kept.item)]
        rest = own if below is None else [kept for kept in own if kept.number < below]
        following = str(rest[limit - 1].number) if len(rest) > limit else None
        return Page([kept.item for kept in rest[:limit]], len(own), following)

    def _info(self, session: _Kept) -> SessionInfo:
        runs = [kept.item for kept in self._runs if kept.owner == session.owner]
        events = [kept.item for kept in self._events if kept.owner == session.owner]
        return SessionInfo(
            session_id=session.owner.session_id,
            client=session.owner.client,
            created_at=session.item,
            updated_at=now(),
            runs=len(runs),
            articles=sum(kept.owner == session.owner for kept in self._articles),
            artifacts=sum(kept.owner == session.owner for kept in self._artifacts),
            events=len(events),
            by_status=_counted(run.status for run in runs),
            by_kind=_counted(event.kind for event in events),
        )


def _counted(names: Any) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return counts


def _shelf(article: Article) -> tuple[str, bool]:
    return article.source, article.abstract_state == "not_fetched"


def _rank(article: Article) -> tuple[bool, bool]:
    warns = article.status.status in ("retracted", "retracted_and_republished", "concern")
    return warns, article.abstract_state != "not_fetched"
