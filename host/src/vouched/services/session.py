"""The session store of the host: runs, articles, artifacts and events in SQLite under the data folder."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from vouched.article import Article
from vouched.faults import InvalidArgument
from vouched.journal import (
    Artifact,
    Event,
    Owner,
    Page,
    Run,
    RunChange,
    SessionInfo,
    SessionStore,
    StoreNotice,
)
from vouched.services.store import articles, artifacts, events, recovery, retention, runs, sessions
from vouched.services.store.failures import translate
from vouched.services.store.files import Files
from vouched.services.store.worker import Worker
from vouched.settings import Settings

__all__ = ["SqliteStore", "open_store"]

T = TypeVar("T")


def open_store(settings: Settings) -> SessionStore:
    """The store of `settings.data`. Nothing is opened or made before its first use."""
    return SqliteStore(settings)


class SqliteStore:
    """`vouched.journal.SessionStore` in one SQLite file and a folder of kept files.

    Any number of processes may have it open; so may several event loops of one process, one after the other or at once.
    """

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.data
        self._worker = Worker(settings.data, settings.session)
        self._files = Files(settings.data)

    async def aclose(self) -> None:
        await self._worker.aclose()

    async def start_run(self, owner: Owner, run: Run) -> None:
        await self._worker.write(lambda view: runs.start(view, owner, run))

    async def change_run(self, owner: Owner, run_id: str, change: RunChange) -> None:
        await self._worker.write(lambda view: runs.change(view, owner, run_id, change))

    async def run(self, owner: Owner, run_id: str) -> Run:
        return await self._worker.read(lambda view: runs.get(view, owner, run_id))

    async def runs(self, owner: Owner, *, status: str = "", limit: int = 10, cursor: str | None = None) -> Page[Run]:
        return await self._worker.read(lambda view: runs.page(view, owner, status, limit, cursor))

    async def last(self, owner: Owner, *, index: int = -1, query_filter: str = "") -> Run | None:
        return await self._worker.read(lambda view: runs.last(view, owner, index, query_filter))

    async def count_found(self, owner: Owner) -> int:
        return await self._worker.read(lambda view: runs.count_found(view, owner))

    async def keep_articles(self, owner: Owner, articles_: list[Article]) -> None:
        await self._worker.write(lambda view: articles.keep(view, owner, articles_))

    async def article(self, owner: Owner, id_: str) -> Article | None:
        return await self._worker.read(lambda view: articles.get(view, owner, id_))

    async def add_event(self, owner: Owner, event: Event) -> None:
        await self._worker.write(lambda view: events.add(view, owner, event))

    async def events(self, owner: Owner, *, kind: str = "", limit: int = 50, cursor: str | None = None) -> Page[Event]:
        return await self._worker.read(lambda view: events.page(view, owner, kind, limit, cursor))

    async def put_artifact(self, owner: Owner, artifact: Artifact, content: bytes) -> Artifact:
        # The bytes first, outside the transaction: a slow disk must not keep other processes waiting.
        digest = await _in_thread(lambda: self._files.put(content))
        return await self._worker.write(lambda view: artifacts.add(view, owner, artifact, content, digest))

    async def artifact(self, owner: Owner, artifact_id: str) -> Artifact:
        return await self._worker.read(lambda view: artifacts.get(view, owner, artifact_id))

    async def read_artifact(self, owner: Owner, artifact_id: str) -> bytes:
        manifest = await self.artifact(owner, artifact_id)
        return await _in_thread(lambda: self._files.read(manifest.sha256, manifest.size))

    async def artifact_path(self, owner: Owner, artifact_id: str) -> str:
        manifest = await self.artifact(owner, artifact_id)
        return self._files.path(manifest.sha256)

    async def artifacts(
        self, owner: Owner, *, tool: str = "", kind: str = "", limit: int = 10, cursor: str | None = None
    ) -> Page[Artifact]:
        return await self._worker.read(lambda view: artifacts.page(view, owner, tool, kind, limit, cursor))

    async def info(self, owner: Owner) -> SessionInfo:
        return await self._worker.read(lambda view: sessions.info(view, owner))

    async def sessions(self, owner: Owner, *, limit: int = 10, cursor: str | None = None) -> Page[SessionInfo]:
        return await self._worker.read(lambda view: sessions.page(view, owner, limit, cursor))

    async def notices(self, owner: Owner) -> list[StoreNotice]:
        # Asked of the thread, so that a damaged file is found before the question is answered.
        return await self._worker.read(lambda _: recovery.notices(self._folder))

    async def acknowledge(self, owner: Owner, notice_id: str) -> None:
        await self._worker.read(lambda _: recovery.acknowledge(self._folder, notice_id))

    async def prune(self, owner: Owner, *, older_than_days: float) -> int:
        if not 0 <= older_than_days < 1e6:
            raise InvalidArgument("This is no age in days.", path="older_than_days", expected="0 to 1,000,000")
        if not (await self.sessions(owner, limit=1)).total:
            # Not even a file is made where there is nothing to drop.
            return 0
        before = time.time() - older_than_days * 86_400
        gone, digests = await self._worker.write(lambda view: retention.prune(view, owner.principal, before))
        if digests:
            await self._worker.write(lambda view: artifacts.drop_unused(view, digests))
        return gone


async def _in_thread(work: Callable[[], T]) -> T:
    try:
        return await asyncio.to_thread(work)
    except OSError as error:
        raise translate(error) from None
