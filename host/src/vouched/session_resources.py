"""Kept files and runs as resources that clients read by address."""

from collections.abc import Sequence

import msgspec

from vouched.context import Context
from vouched.extensions import Content, Resource
from vouched.session_asked import Named

__all__ = ["RESOURCES"]

SUGGESTED = 100


async def read_artifact(ctx: Context, session: str, id: str) -> Content:
    """A kept file whole: as text where it is text, else as bytes."""
    from vouched.session_files import find_artifact

    manifest = await find_artifact(ctx, Named(id, session))
    content = await ctx.session.store.read_artifact(ctx.owner, manifest.artifact_id)
    try:
        return Content(content.decode(), manifest.media_type)
    except UnicodeDecodeError:
        return Content(media_type=manifest.media_type, data=content)


async def read_run(ctx: Context, id: str) -> Content:
    """A run's whole record; an archived answer stays with `vouched export`."""
    from vouched.session_paging import find_run

    run = msgspec.structs.replace(await find_run(ctx, id), answer=None)
    return Content(msgspec.json.format(msgspec.json.encode(run), indent=1).decode(), "application/json")


async def read_prisma(ctx: Context, id: str) -> Content:
    """A run as a search record."""
    from vouched.prisma import prisma
    from vouched.session_paging import find_run

    return Content(prisma(await find_run(ctx, id), ctx.sources), "text/markdown")


async def suggest_artifacts(ctx: Context, variable: str, prefix: str) -> Sequence[str]:
    """Sessions of one's own, or this session's artifacts, newest first."""
    store = ctx.session.store
    if variable == "session":
        names = [session.session_id for session in (await store.sessions(ctx.owner, limit=SUGGESTED)).items]
    else:
        names = [artifact.artifact_id for artifact in (await store.artifacts(ctx.owner, limit=SUGGESTED)).items]
    return [name for name in dict.fromkeys(names) if name.startswith(prefix)]


async def suggest_runs(ctx: Context, variable: str, prefix: str) -> Sequence[str]:
    """This session's runs, newest first."""
    page = await ctx.session.store.runs(ctx.owner, limit=SUGGESTED)
    return [run.run_id for run in page.items if run.run_id.startswith(prefix)]


RESOURCES: Sequence[Resource] = (
    Resource(
        "vouched://artifact/{session}/{id}",
        "Kept file",
        read_artifact,
        "A file that a tool kept: an export, a full text, a large answer.",
        "application/octet-stream",
        suggest_artifacts,
    ),
    Resource(
        "vouched://run/{id}",
        "Run",
        read_run,
        "One tool call: arguments, query as understood, counts, ids, every exchange with its hash.",
        "application/json",
        suggest_runs,
    ),
    Resource(
        "vouched://run/{id}/prisma",
        "Search record",
        read_prisma,
        "A search as PRISMA-S wants it reported.",
        "text/markdown",
        suggest_runs,
    ),
)
