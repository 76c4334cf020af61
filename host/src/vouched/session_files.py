"""The actions of `vouched_read_session` on kept files."""

from collections.abc import Awaitable

from vouched.context import Context
from vouched.faults import InvalidArgument, NotFound
from vouched.journal import Artifact, Page
from vouched.session_asked import Asked, Named, named_artifact
from vouched.session_paging import RESERVE, owner_of, paged, size
from vouched.session_told import Told, artifact_row
from vouched.tooling import Answer

__all__ = ["artifact", "find_artifact", "list_artifacts"]

PAGE_CHARS = 15_000


async def find_artifact(ctx: Context, named: Named) -> Artifact:
    """A manifest by id; in the given session where one is given."""
    artifact = await ctx.session.store.artifact(ctx.owner, named.artifact_id)
    if named.session_id is not None and artifact.session_id != named.session_id:
        raise NotFound("There is no such artifact in that session.", path="session_id")
    return artifact


async def list_artifacts(ctx: Context, asked: Asked) -> Answer[Told]:
    """Kept files: manifests, not contents."""
    owner = await owner_of(ctx, asked.session_id)

    def fetch(limit: int, cursor: str | None) -> Awaitable[Page[Artifact]]:
        return ctx.session.store.artifacts(
            owner, tool=asked.tool or "", kind=asked.kind or "", limit=limit, cursor=cursor
        )

    page, rows, cursor = await paged(ctx, fetch, artifact_row, asked.limit or 10, 0)
    if _may_show_paths(ctx, asked):
        for row in rows:
            row.local_path = await ctx.session.store.artifact_path(owner, row.artifact_id)
    told = Told(action="list_artifacts", total=page.total, returned=len(rows), artifacts=rows)
    return Answer(told, next_cursor=cursor)


def _may_show_paths(ctx: Context, asked: Asked) -> bool:
    if asked.include_local_paths and not ctx.settings.session.local_paths:
        ctx.warn("Local paths are not shown: the setting session.local_paths is off.")
    return bool(asked.include_local_paths) and ctx.settings.session.local_paths


async def artifact(ctx: Context, asked: Asked) -> Answer[Told]:
    """A page of a kept text, cut between characters, its sha256 checked."""
    manifest = await find_artifact(ctx, named_artifact(asked))
    if asked.artifact_file not in (None, manifest.name, manifest.original):
        raise NotFound(
            "This artifact has no such file.", path="artifact_file", expected=manifest.name, hint="Leave it out."
        )
    store = ctx.session.store
    path = await store.artifact_path(ctx.owner, manifest.artifact_id) if _may_show_paths(ctx, asked) else ""
    told = Told(action="artifact", file=artifact_row(manifest, short=True, local_path=path))
    try:
        text = (await store.read_artifact(ctx.owner, manifest.artifact_id)).decode()
    except UnicodeDecodeError:
        ctx.warn(f"This file is no text; read it as the resource {manifest.uri}.")
        return Answer(told)
    offset = asked.offset or 0
    if offset > len(text):
        raise InvalidArgument("The offset lies behind the end.", path="offset", expected=f"0 to {len(text)} characters")
    told.total_chars, told.offset = len(text), offset
    told.content = text[offset : offset + (asked.max_chars or PAGE_CHARS)]
    if asked.max_chars is None:
        told.content = _fitting_text(told.content, ctx.settings.limits.answer_chars - RESERVE)
    end = offset + len(told.content)
    if end < len(text) and told.content[1:].endswith("\r") and text[end] == "\n":
        # Line ends are made one in an answer; cut in two they would become two lines.
        told.content, end = told.content[:-1], end - 1
    told.next_offset = end if end < len(text) else None
    return Answer(told)


def _fitting_text(text: str, room: int) -> str:
    """The longest beginning of `text`, at least a character, that takes `room` characters as JSON."""
    low, high = min(1, len(text)), len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if size(text[:middle]) <= room else (low, middle - 1)
    return text[:low]
