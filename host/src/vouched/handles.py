"""`last`, `run:ID` and `artifact:ID` in arguments: turned into the ids that they stand for, before the tool runs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from vouched import ids
from vouched.expecting import check_count
from vouched.faults import InvalidArgument, NotFound
from vouched.journal import Owner, Run, SessionStore
from vouched.logbook import GIVEN
from vouched.schema import Parameter

__all__ = ["Handles"]


class Handles:
    """Turns `ids` arguments into parsed references.

    Attributes:
        said: what the handles meant, one sentence each, for the reader of the answer.
    """

    def __init__(self, store: Callable[[], SessionStore], owner: Owner, schemes: Sequence[ids.Scheme]) -> None:
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
                check_count(len(elements), parameter)
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
        if handle.kind == "artifact":
            members = await self._of_artifact(handle.key, path)
        else:
            run = await self._last(path) if handle.kind == "last" else await self._found(handle.key, path)
            members = [_spelling(id_) for id_ in run.ids or run.notes.get(GIVEN, ())]
            said = f"`{spelt}` is run:{run.run_id} ({run.tool}, {run.created_at}): {run.query[:200] or 'no query'}"
            self.said += [said] if said not in self.said else []
        window = members[handle.start : handle.stop]
        if not window:
            raise InvalidArgument(f"`{spelt}` holds no ids.", path=path, hint=f"It has {len(members)} in all.")
        return window

    async def _last(self, path: str) -> Run:
        run = await self._store().last(self._owner)
        if run is None:
            raise InvalidArgument(
                "There is no run in this session that found something, so `last` means nothing yet.",
                path=path,
                hint="Run a search first; the records of its answer are then `last`.",
            )
        return run

    async def _found(self, run_id: str, path: str) -> Run:
        try:
            run = await self._store().run(self._owner, run_id)
        except NotFound:
            raise InvalidArgument(
                "There is no such run in your sessions.",
                path=path,
                hint="vouched_read_session with action search_runs lists them.",
            ) from None
        if not run.ids and not run.notes.get(GIVEN):
            raise InvalidArgument("That run found nothing.", path=path)
        return run

    async def _of_artifact(self, artifact_id: str, path: str) -> list[str]:
        try:
            content = await self._store().read_artifact(self._owner, artifact_id)
            rows = msgspec.json.decode(content)
        except NotFound:
            raise InvalidArgument(
                "There is no such artifact in your sessions.",
                path=path,
                hint="vouched_read_session with action list_artifacts lists them.",
            ) from None
        except (msgspec.DecodeError, UnicodeError, RecursionError):
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
        keys = ("ids", "pmids", "articles", "records", "rows", "results")
        rows = next((rows[key] for key in keys if isinstance(rows.get(key), list)), [])
    found: list[str] = []
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, str | int) and not isinstance(row, bool):
            found.append(_spelling(str(row)))
        elif isinstance(row, dict):
            found += _id_of(row)
    return found


def _id_of(row: Mapping[str, Any]) -> list[str]:
    """The best id of one record: its PMID where it has one."""
    inner = row.get("ids")
    own = inner if isinstance(inner, dict) else row
    keys = ("pmid", "pmcid", "doi", "ppr", "nbk", "id")
    return next(([own[key]] for key in keys if isinstance(own.get(key), str) and own[key]), [])
