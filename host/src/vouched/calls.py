"""Around one tool call: handles expanded before it, the journal kept beside it."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from vouched import ids, schema
from vouched.answer import Result
from vouched.context import Context
from vouched.faults import Fault, InvalidArgument, NotFound
from vouched.journal import Event, Owner, Run, RunChange, RunStatus, SessionStore
from vouched.schema import Parameter

__all__ = ["Handles", "Journal"]

log = logging.getLogger("vouched.calls")


class Handles:
    """Turns `ids` arguments into parsed references; `last`, `run:ID` and `artifact:ID` into what they stand for."""

    def __init__(self, store: SessionStore | None, owner: Owner, schemes: Sequence[ids.Scheme]) -> None:
        self._store = store
        self._owner = owner
        self._schemes = schemes
        self.said: list[str] = []

    async def expand(
        self, values: Mapping[str, Any], declared: Mapping[str, Parameter]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """(arguments for the tool, the same as plain data for provenance and cursors)."""
        ready, plain = dict(values), {}
        for name, parameter in declared.items():
            if parameter.marker == "ids" and values[name] is not None:
                elements = await self._elements(values[name], name)
                _check_count(len(elements), parameter)
                ready[name] = [ids.parse(element, self._schemes) for element in elements]
                plain[name] = elements
            elif values[name] is not None:
                plain[name] = msgspec.to_builtins(values[name])
        return ready, plain

    async def _elements(self, elements: Sequence[str], path: str) -> list[str]:
        expanded: list[str] = []
        for element in elements:
            handle = ids.handle(element)
            expanded += [element] if handle is None else await self._members(handle, element, path)
        return expanded

    async def _members(self, handle: ids.Handle, spelt: str, path: str) -> list[str]:
        assert self._store is not None
        if handle.kind == "artifact":
            members = await self._of_artifact(handle.key, path)
        else:
            run = await self._store.last(self._owner) if handle.kind == "last" else await self._found(handle.key, path)
            if run is None:
                raise InvalidArgument(
                    "There is no run in this session that found something, so `last` means nothing yet.",
                    path=path,
                    hint="Search first, for example with pubmed_search_articles; its answer's records are then `last`.",
                )
            members = [_spelling(id_) for id_ in run.ids]
            self.said.append(
                f"`{spelt}` is run:{run.run_id} ({run.tool}, {run.created_at}): {run.query[:200] or 'no query'}"
            )
        window = members[handle.start : handle.stop]
        if not window:
            raise InvalidArgument(f"`{spelt}` holds no ids.", path=path, hint=f"It has {len(members)} in all.")
        return window

    async def _found(self, run_id: str, path: str) -> Run:
        assert self._store is not None
        try:
            run = await self._store.run(self._owner, run_id)
        except NotFound:
            raise InvalidArgument(
                "There is no such run in your sessions.",
                path=path,
                hint="vouched_read_session with action search_runs lists them.",
            ) from None
        if not run.ids:
            raise InvalidArgument("That run found nothing.", path=path)
        return run

    async def _of_artifact(self, artifact_id: str, path: str) -> list[str]:
        assert self._store is not None
        try:
            content = await self._store.read_artifact(self._owner, artifact_id)
            rows = msgspec.json.decode(content)
        except NotFound:
            raise InvalidArgument(
                "There is no such artifact in your sessions.",
                path=path,
                hint="vouched_read_session with action list_artifacts lists them.",
            ) from None
        except (msgspec.DecodeError, UnicodeError):
            rows = None
        members = _ids_in(rows)
        if not members:
            raise InvalidArgument("That artifact is no list of records with ids.", path=path)
        return members


def _spelling(id_: str) -> str:
    """A stored "pmid:1" as people write it."""
    scheme, _, value = id_.partition(":")
    return value if scheme in ("pmid", "pmcid", "doi", "ppr", "nbk") else id_


def _ids_in(rows: Any) -> list[str]:
    """Ids of a kept list: strings, or objects with `ids`, `pmid` or `id`; also under `ids` or `pmids` of an object."""
    if isinstance(rows, dict):
        rows = next(
            (
                rows[key]
                for key in ("ids", "pmids", "articles", "records", "results")
                if isinstance(rows.get(key), list)
            ),
            [],
        )
    found: list[str] = []
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, str | int):
            found.append(_spelling(str(row)))
        elif isinstance(row, dict):
            inner = row.get("ids")
            own: dict[str, Any] = inner if isinstance(inner, dict) else row
            value = next(
                (own[key] for key in ("pmid", "pmcid", "doi", "ppr", "nbk", "id") if isinstance(own.get(key), str)),
                None,
            )
            found += [value] if value else []
    return found


def _check_count(count: int, parameter: Parameter) -> None:
    for meta in schema.bounds(parameter.type):
        low, high = getattr(meta, "min_length", None), getattr(meta, "max_length", None)
        if (low is not None and count < low) or (high is not None and count > high):
            raise InvalidArgument(
                f"`{parameter.name}` has {count} elements.",
                path=parameter.name,
                expected=f"{low or 0} to {high} elements" if high is not None else f"at least {low} elements",
                hint="Send fewer at once; `last[0:100]` and `run:ID[100:200]` name parts of a run."
                if high and count > high
                else "",
            )


class Journal:
    """One run's record. A journal that cannot be written does not cost the answer; it is said in it."""

    def __init__(self, store: SessionStore, context: Context) -> None:
        self._store = store
        self._context = context

    async def start(self, params: dict[str, Any]) -> None:
        """Record that the run began."""
        context = self._context
        run = Run(
            run_id=context.run_id,
            session_id=context.owner.session_id,
            tool=context.tool,
            arguments=params,
            status="running",
        )
        await self._attempt(self._store.start_run(context.owner, run))

    async def cancel(self) -> None:
        """The caller went away."""
        await self._attempt(
            self._store.change_run(
                self._context.owner,
                self._context.run_id,
                RunChange(status="cancelled", sources=list(self._context.exchanges)),
            )
        )

    async def finish(self, result: Result) -> None:
        """Record what came of it."""
        context, told = self._context, result.structured
        notes = dict(context.notes)
        kept = {key: notes.pop(key, None) for key in ("query", "translation", "total", "ids", "source_versions")}
        status: RunStatus = {"error": "failed", "partial": "partial"}.get(told["status"], "completed")  # type: ignore[assignment]
        answer: dict[str, Any] | None = None
        if context.settings.archive:
            answer = {
                str(key): told[key]
                for key in ("status", "data", "warnings", "error", "restriction", "outline")
                if key in told
            }
        change = RunChange(
            status=status,
            sources=list(context.exchanges),
            warnings=list(context.warnings),
            error=told.get("error"),
            answer=answer,
            notes=notes or None,
            **kept,
        )
        await self._attempt(self._store.change_run(context.owner, context.run_id, change))
        level: Literal["info", "warning", "error"] = (
            "error" if status == "failed" else "warning" if status == "partial" else "info"
        )
        message = told["error"]["message"] if "error" in told else status
        await self._attempt(
            self._store.add_event(
                context.owner,
                Event(
                    kind=context.tool,
                    level=level,
                    message=message,
                    run_id=context.run_id,
                ),
            )
        )

    async def _attempt(self, step: Any) -> None:
        try:
            await step
        except Fault:
            raise
        except Exception as error:
            log.exception("the journal could not be written")
            self._context.warn(f"This run could not be written to the journal ({type(error).__name__}).")
