"""What `vouched_read_session` may be asked: which argument belongs to which action, and what names an artifact."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from vouched.faults import InvalidArgument
from vouched.journal import RunStatus

__all__ = ["FIELDS", "Action", "Asked", "Locator", "Named", "check", "named_artifact"]

Action = Literal[
    "pmids",
    "article",
    "summary",
    "log",
    "list_artifacts",
    "artifact",
    "search_runs",
    "search_run",
    "replay_search",
]
FIELDS: Mapping[str, Sequence[str]] = {
    "pmids": ("search_index", "query_filter", "cursor", "session_id"),
    "article": ("pmid",),
    "summary": ("include_history", "history_limit", "session_id"),
    "log": ("event_limit", "kind", "include_history", "history_limit", "cursor", "session_id"),
    "list_artifacts": ("tool", "kind", "limit", "cursor", "include_local_paths", "session_id"),
    "artifact": (
        "artifact_id",
        "artifact_uri",
        "locator",
        "artifact_file",
        "offset",
        "max_chars",
        "include_local_paths",
        "session_id",
    ),
    "search_runs": ("status", "limit", "cursor", "session_id"),
    "search_run": ("run_id", "cursor", "session_id"),
    "replay_search": ("run_id", "session_id"),
}
REQUIRED: Mapping[str, str] = {"article": "pmid", "search_run": "run_id", "replay_search": "run_id"}
_EXAMPLES = {"pmid": "18276894", "run_id": "the run_id of an answer, or last"}
# `vouched://artifact/session/id`, and the `artifact://session/id` of other servers.
_URI = re.compile(r"(?:vouched://artifact|artifact:/)/([A-Za-z0-9_-]{1,64})/([A-Za-z0-9_-]{1,64})", re.ASCII)


class Locator(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """An artifact named in one object, as other servers take it."""

    kind: Literal["artifact_id", "artifact_uri"]
    value: str
    session_id: str | None = None


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One call's arguments; None for what was not sent, since a sent default is still a sent argument."""

    action: Action
    search_index: int | None = None
    query_filter: str | None = None
    pmid: str | None = None
    include_history: bool | None = None
    history_limit: int | None = None
    event_limit: int | None = None
    kind: str | None = None
    tool: str | None = None
    status: RunStatus | None = None
    limit: int | None = None
    cursor: str | None = None
    run_id: str | None = None
    artifact_id: str | None = None
    artifact_uri: str | None = None
    locator: Locator | None = None
    artifact_file: str | None = None
    offset: int | None = None
    max_chars: int | None = None
    include_local_paths: bool | None = None
    session_id: str | None = None


class Named(NamedTuple):
    """An artifact by its id, and by its session where the caller said one."""

    artifact_id: str
    session_id: str | None


def check(asked: Asked) -> Asked:
    """Refuse arguments of another action, by name, and the lack of one that the action needs."""
    action, accepted = asked.action, FIELDS[asked.action]
    for field in asked.__struct_fields__:
        if field == "action" or field in accepted or getattr(asked, field) is None:
            continue
        owners = [name for name, fields in FIELDS.items() if field in fields]
        raise InvalidArgument(
            f"`{field}` does not belong to action {action}.",
            path=field,
            expected=f"{action} takes {', '.join(accepted)}",
            hint=f"`{field}` belongs to {', '.join(owners)}.",
        )
    needed = REQUIRED.get(action)
    if needed and getattr(asked, needed) is None:
        raise InvalidArgument(
            f"Action {action} needs `{needed}`.",
            path=needed,
            expected="text",
            example=f'{{"action": "{action}", "{needed}": "{_EXAMPLES[needed]}"}}',
        )
    return asked


def named_artifact(asked: Asked) -> Named:
    """Which artifact is meant: exactly one of id, URI and locator names it."""
    given = [name for name in ("artifact_id", "artifact_uri", "locator") if getattr(asked, name) is not None]
    if len(given) != 1:
        raise InvalidArgument(
            "Action artifact needs exactly one of artifact_id, artifact_uri, locator."
            + (f" It got {', '.join(given)}." if given else ""),
            path=given[1] if given else "artifact_id",
            expected="exactly one of artifact_id, artifact_uri, locator",
            hint="Action list_artifacts shows the ids.",
        )
    locator = asked.locator or Locator(
        "artifact_uri" if asked.artifact_uri is not None else "artifact_id",
        asked.artifact_uri or asked.artifact_id or "",
    )
    return _located(locator, asked.session_id, given[0])


def _located(locator: Locator, session_id: str | None, path: str) -> Named:
    sessions = {said for said in (session_id, locator.session_id) if said}
    artifact_id = locator.value.removeprefix("artifact:") if locator.kind == "artifact_id" else ""
    if locator.kind == "artifact_uri" or "://" in locator.value:
        found = _URI.fullmatch(locator.value.strip())
        if found is None:
            # What was sent is never repeated: it may be a path that somebody probes for.
            raise InvalidArgument(
                "This is no artifact URI.", path=path, expected="vouched://artifact/SESSION/ID as an answer gave it"
            )
        sessions.add(found[1])
        artifact_id = found[2]
    if len(sessions) > 1:
        raise InvalidArgument("The session is named twice, and differently.", path="session_id")
    return Named(artifact_id.strip(), next(iter(sessions), None))
