"""One run's record in the journal. What goes wrong here never costs the answer; it is said in it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal

from vouched.answer import Result
from vouched.context import Context
from vouched.defects import log_defect
from vouched.faults import Fault
from vouched.journal import Event, Run, RunChange, RunStatus, SessionStore

__all__ = ["GIVEN", "Logbook"]

# A store that hangs (a database elsewhere) delays an answer by this much at most.
PATIENCE_SECONDS = 5.0
STATUS: Mapping[str, RunStatus] = {"error": "failed", "partial": "partial"}
LEVEL: Mapping[str, Literal["info", "warning", "error"]] = {"failed": "error", "partial": "warning"}
FACTS = ("query", "translation", "total", "ids", "source_versions")
# Under this name a run notes the records that it was given.
GIVEN = "given_ids"
ANSWER = ("status", "data", "warnings", "error", "restriction", "outline")
log = logging.getLogger("vouched.journal")


class Logbook:
    """Writes the run of one call, step by step.

    Args:
        finds: whether what the tool notes as ids was found; else it was given, and `last` passes this run by.
        said: warnings that belong to the caller's spelling of the arguments (`last` is run:…), not to the answer: a
            replay, whose arguments are the normalised ones, does not have them.
    """

    def __init__(self, store: SessionStore, context: Context, said: list[str], *, finds: bool) -> None:
        self._store = store
        self._context = context
        self._finds = finds
        self._said = said
        self._refused = False

    async def start(self, arguments: dict[str, Any]) -> None:
        """Record that the run began."""
        context = self._context
        run = Run(
            run_id=context.run_id,
            session_id=context.owner.session_id,
            tool=context.tool,
            arguments=arguments,
            status="running",
        )
        await self._attempt(self._store.start_run, run)

    async def cancel(self) -> None:
        """Record that the caller went away."""
        context = self._context
        change = RunChange(status="cancelled", sources=list(context.exchanges))
        await self._attempt(self._store.change_run, context.run_id, change)

    async def finish(self, result: Result, notes: Mapping[str, Any]) -> bool:
        """Record what came of it; whether that succeeded.

        Args:
            notes: what the tool noted, free of secrets.
        """
        context, told = self._context, result.structured
        if not self._finds and "ids" in notes:
            notes = {**{key: value for key, value in notes.items() if key != "ids"}, GIVEN: notes["ids"]}
        status: RunStatus = STATUS.get(told["status"], "completed")
        change = RunChange(
            status=status,
            sources=list(context.exchanges),
            warnings=list(told.get("warnings", ())),
            error=told.get("error"),
            answer=self._archived(told) if context.settings.archive else None,
            notes={key: value for key, value in notes.items() if key not in FACTS} or None,
            **{key: notes.get(key) for key in FACTS},
        )
        event = Event(
            kind=context.tool,
            level=LEVEL.get(status, "info"),
            message=told["error"]["message"] if "error" in told else status,
            run_id=context.run_id,
        )
        changed = await self._attempt(self._store.change_run, context.run_id, change)
        return changed and await self._attempt(self._store.add_event, event)

    def _archived(self, told: Mapping[str, Any]) -> dict[str, Any]:
        kept = {key: told[key] for key in ANSWER if key in told}
        if "warnings" in kept:
            kept["warnings"] = [warning for warning in kept["warnings"] if warning not in self._said]
        return kept

    async def _attempt(self, step: Callable[..., Awaitable[None]], *what: Any) -> bool:
        if self._refused:
            return False
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await step(self._context.owner, *what)
        except Fault as fault:
            # A run that was never begun has nothing to change; under its id another one may stand.
            self._refused = True
            self._context.warn(f"This run could not be written to the journal: {fault.message}")
        except Exception as error:
            log_defect(log, self._context.settings, "the journal could not be written", error)
            self._context.warn(f"This run could not be written to the journal ({type(error).__name__}).")
        else:
            return True
        return False
