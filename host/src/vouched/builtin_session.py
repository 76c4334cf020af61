"""`vouched_read_session`: what this session asked, found and kept; the same as resources. Reading writes nothing."""

from collections.abc import Sequence
from typing import Annotated

from vouched.context import Context
from vouched.extensions import Resource
from vouched.journal import RunStatus
from vouched.session_asked import Action, Asked, Locator, check
from vouched.session_told import Told
from vouched.tooling import Answer, Cursor, Meta, tool

__all__ = ["read_session", "resources"]

Few = Annotated[int, Meta(ge=1, le=100)]
_OF_RECORDS = {"id": "pmid", "ids": "pmid", "pmids": "pmid", "uri": "artifact_uri", "file": "artifact_file"}


@tool(
    aliases=("read_session",),
    synonyms=_OF_RECORDS,
    serves="past runs, artifacts",
    title="Read the session",
    open_world=False,
    journal="none",
)
async def read_session(
    ctx: Context,
    action: Action,
    search_index: Annotated[int, Meta(ge=-100_000, le=100_000, description="-1 newest, 0 oldest")] | None = None,
    query_filter: Annotated[str, Meta(max_length=500)] | None = None,
    pmid: str | None = None,
    include_history: bool | None = None,
    history_limit: Few | None = None,
    event_limit: Annotated[int, Meta(ge=1, le=500)] | None = None,
    kind: str | None = None,
    tool: str | None = None,
    status: RunStatus | None = None,
    limit: Few | None = None,
    cursor: Cursor = None,
    run_id: str | None = None,
    artifact_id: str | None = None,
    artifact_uri: str | None = None,
    locator: Locator | None = None,
    artifact_file: str | None = None,
    offset: Annotated[int, Meta(ge=0, description="characters")] | None = None,
    max_chars: Annotated[int, Meta(ge=1, le=200_000, description="default 15000")] | None = None,
    include_local_paths: bool | None = None,
    session_id: Annotated[str, Meta(description="another of yours")] | None = None,
) -> Answer[Told]:
    """Read back what this session searched, fetched and kept. Asks no service, changes nothing.

    Use it to reread large answers, list past searches, page through kept files; other tools fetch records, and their
    `ids` take `last`, `run:ID` and `artifact:ID` directly. Returns the newest first. Actions (arguments):
    pmids (search_index or query_filter, cursor): ids a search found
    article (pmid or other id): a fetched record
    summary (include_history, history_limit): counts, notices, own sessions
    log (event_limit, kind, include_history, history_limit, cursor)
    list_artifacts (tool, kind, limit, cursor, include_local_paths)
    artifact (one of artifact_id, artifact_uri, locator; artifact_file, offset, max_chars, include_local_paths)
    search_runs (status, limit, cursor): past calls
    search_run (run_id, cursor): one in full
    replay_search (run_id): its arguments, not executed
    All but article: session_id.
    """
    from vouched.session_actions import ACTIONS

    asked = check(
        Asked(
            action=action,
            search_index=search_index,
            query_filter=query_filter,
            pmid=pmid,
            include_history=include_history,
            history_limit=history_limit,
            event_limit=event_limit,
            kind=kind,
            tool=tool,
            status=status,
            limit=limit,
            cursor=cursor,
            run_id=run_id,
            artifact_id=artifact_id,
            artifact_uri=artifact_uri,
            locator=locator,
            artifact_file=artifact_file,
            offset=offset,
            max_chars=max_chars,
            include_local_paths=include_local_paths,
            session_id=session_id,
        )
    )
    return await ACTIONS[action](ctx, asked)


def resources() -> Sequence[Resource]:
    """Kept files, runs, and runs as search records."""
    from vouched import session_resources

    return session_resources.RESOURCES
