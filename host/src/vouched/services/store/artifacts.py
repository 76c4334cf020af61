"""Manifests of kept files; `files` has the bytes."""

import time
from typing import Any

import msgspec

from vouched.faults import InvalidArgument, NotFound
from vouched.journal import Artifact, Owner, Page
from vouched.names import check_id, new_id, now, position, safe_name, text
from vouched.services.store import rows, sessions
from vouched.services.store.view import View

__all__ = ["add", "drop_unused", "get", "page"]

_COLUMNS = (
    "a.seq, a.artifact_id, s.session_id, a.run_id, a.tool, a.kind, a.name, a.original, a.media_type, a.size, a.sha256,"
    " a.source_notice, a.retrieved_at, a.created_at, a.details"
)
_FROM = "FROM artifacts a JOIN sessions s USING (session)"


def add(view: View, owner: Owner, artifact: Artifact, content: bytes, digest: str) -> Artifact:
    """Enter the manifest. The bytes are there already; should another process just have dropped them, again."""
    view.files.write(digest, content)
    session = sessions.ensure(view, owner)
    artifact_id = check_id("artifact_id", artifact.artifact_id) if artifact.artifact_id else new_id()
    taken = "SELECT 1 FROM artifacts WHERE principal = ? AND artifact_id = ?"
    if view.connection.execute(taken, (owner.principal, artifact_id)).fetchone():
        raise InvalidArgument("An artifact with this id is there already.", path="artifact_id")
    name = _unused(view, session, safe_name(artifact.name), artifact_id)
    kept = msgspec.structs.replace(
        artifact,
        artifact_id=artifact_id,
        session_id=owner.session_id,
        name=name,
        original=text(artifact.original or (artifact.name if name != artifact.name else "")),
        size=len(content),
        sha256=digest,
        created_at=artifact.created_at or now(),
    )
    values: dict[str, Any] = {
        "session": session,
        "principal": owner.principal,
        "folded": kept.name.casefold(),
        "touched": time.time(),
        "details": rows.encoded(kept.details),
    }
    for field in ("artifact_id", "run_id", "tool", "kind", "name", "original", "media_type", "size", "sha256"):
        values[field] = getattr(kept, field)
    for field in ("source_notice", "retrieved_at", "created_at"):
        values[field] = getattr(kept, field)
    rows.insert(view.connection, "artifacts", values)
    return kept


def _unused(view: View, session: int, name: str, artifact_id: str) -> str:
    """`name`, told apart from one of this session that some systems take for the same file."""
    taken = "SELECT 1 FROM artifacts WHERE session = ? AND folded = ?"
    if not view.connection.execute(taken, (session, name.casefold())).fetchone():
        return name
    stem, dot, suffix = name.rpartition(".")
    return f"{stem}-{artifact_id[:8]}.{suffix}" if dot and stem else f"{name}-{artifact_id[:8]}"


def get(view: View, owner: Owner, artifact_id: str) -> Artifact:
    """The manifest of one of the owner's artifacts, whichever session it was made in."""
    check_id("artifact_id", artifact_id)
    row = view.connection.execute(
        f"SELECT {_COLUMNS} {_FROM} WHERE a.principal = ? AND a.artifact_id = ?",
        (owner.principal, artifact_id),
    ).fetchone()
    if row is None:
        raise NotFound(
            "There is no such artifact of yours.", hint="vouched_read_session with action list_artifacts lists them."
        )
    return _artifact(row)


def page(view: View, owner: Owner, tool: str, kind: str, limit: int, cursor: str | None) -> Page[Artifact]:
    """A session's artifacts, newest first."""
    before = position(cursor)
    session = sessions.find(view, owner)
    if session is None:
        return Page([], 0)
    wanted = {"a.session": session, **({"a.tool": tool} if tool else {}), **({"a.kind": kind} if kind else {})}
    return rows.page(
        view.connection,
        f"SELECT {_COLUMNS} {_FROM}",
        "SELECT count(*) FROM artifacts a",
        wanted,
        ("a.seq", before, limit),
        _artifact,
    )


def drop_unused(view: View, digests: list[str]) -> None:
    """Delete bytes that no manifest names. Inside a transaction, so that nobody can come to need them meanwhile."""
    for digest in digests:
        if not view.connection.execute("SELECT 1 FROM artifacts WHERE sha256 = ? LIMIT 1", (digest,)).fetchone():
            view.files.remove(digest)


def _artifact(row: tuple[Any, ...]) -> Artifact:
    _, artifact_id, session_id, run_id, tool, kind, name, original, media_type, size, sha256, *rest = row
    source_notice, retrieved_at, created_at, details = rest
    return Artifact(
        artifact_id=artifact_id,
        session_id=session_id,
        run_id=run_id,
        tool=tool,
        kind=kind,
        name=name,
        original=original,
        media_type=media_type,
        size=size,
        sha256=sha256,
        source_notice=source_notice,
        retrieved_at=retrieved_at,
        created_at=created_at,
        details=rows.decoded(details, dict[str, Any], {}),
    )
