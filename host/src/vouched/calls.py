"""One tool call: what a client sent -> the finished answer."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast, get_args

import msgspec

from vouched import __version__, answer, arguments, contained, overflow
from vouched.answer import Envelope, Provenance, Result
from vouched.context import Context, Deadline
from vouched.defects import is_own, log_defect
from vouched.faults import DeadlineExceeded, Fault, InternalFault
from vouched.handles import Handles
from vouched.journal import Owner
from vouched.logbook import Logbook
from vouched.plain import plain
from vouched.registry import BoundTool
from vouched.render import render
from vouched.text import clean
from vouched.tooling import Answer, Image, Link, OutlineEntry, Restriction, Status

if TYPE_CHECKING:
    from vouched.host import Host

__all__ = ["Progress", "ToolCall"]

Progress = Callable[[float, float | None, str], Awaitable[None]]
# A tool answers by its deadline on its own; this much later it is stopped from outside.
GRACE_SECONDS = 1.0
MOST_WARNINGS = 50
# What the host says itself (of a cut answer, of the journal) comes last.
LAST_WARNINGS = 10
WARNING_CHARS = 2_000
REPORT = "Please report it to the plugin's author."
log = logging.getLogger("vouched.calls")


class ToolCall:
    """One call of one tool, for one owner. Always ends in a result, unless it is cancelled."""

    def __init__(self, host: "Host", bound: BoundTool, owner: Owner, report: Progress | None) -> None:
        self._host = host
        self._bound = bound
        self._owner = owner
        self._report = report
        self._form: str = host.settings.text
        self._params: dict[str, Any] = {}
        self._said: list[str] = []
        self._context: Context | None = None

    async def run(self, raw: Any) -> Result:
        """The result of calling the tool with what a client sent."""
        try:
            values, context = await self._prepared(raw)
            return await self._recorded(values, context)
        except Fault as fault:
            return self._finished(_failed(fault))
        except BaseException as error:
            if is_own(error):
                raise
            # A defect of the host itself, or of a spelling that a plugin brings: still an answer, by the schema.
            return self._finished(self._defect(error))

    async def _prepared(self, raw: Any) -> tuple[dict[str, Any], Context]:
        host, bound = self._host, self._bound
        deadline = Deadline(bound.tool.deadline or host.settings.limits.deadline)
        values = arguments.read(bound.name, bound.parameters, raw, bound.tool.synonyms)
        self._form = values.get("output_format") or self._form
        handles = Handles(lambda: host.store, self._owner, host.schemes)
        values, self._params = await handles.expand(values, bound.parameters)
        bound_to = answer.fingerprint(bound.name, self._params)
        self._params = host.struck_wording(self._params)
        cursor = values.get("cursor") if "cursor" in bound.parameters else None
        context = self._context = Context(
            host,
            self._owner,
            tool=bound.name,
            plugin=bound.plugin.name,
            run_id=secrets.token_hex(8) if bound.tool.journal == "run" else "",
            report=self._report,
            deadline=deadline,
            fingerprint=bound_to,
            state=answer.open_cursor(cursor, bound.name, bound_to) if cursor else None,
        )
        self._said = handles.said
        for said in handles.said:
            context.warn(said)
        return values, context

    async def _recorded(self, values: Mapping[str, Any], context: Context) -> Result:
        if not context.run_id:
            return self._finished(await self._executed(values, context))
        logbook = Logbook(self._host.store, context, self._said, finds=self._bound.finds)
        try:
            await logbook.start(self._params)
            envelope = await self._executed(values, context)
            result = self._finished(envelope)
            written = await logbook.finish(result, self._host.struck_wording(plain(context.notes)))
        except asyncio.CancelledError:
            await self._host.finish_in_background(logbook.cancel())
            raise
        # What could not be written is said in the answer, which was made before that was known.
        return result if written else self._finished(envelope)

    async def _executed(self, values: Mapping[str, Any], context: Context) -> Envelope:
        tool = f"the tool {self._bound.name}"
        try:
            work = cast("Coroutine[Any, Any, Any]", self._bound.tool.function(context, **values))
            given = await contained.run(tool, work, context.deadline.remaining() + GRACE_SECONDS)
            return await self._told(given if isinstance(given, Answer) else Answer(given), context)
        except contained.Late:
            return _failed(DeadlineExceeded("The call's time is over.", hint="Ask for less at once."))
        except contained.Raised as raised:
            return _failed(raised.error) if isinstance(raised.error, Fault) else self._defect(raised.error)
        except Fault as fault:
            return _failed(fault)
        except Exception as error:
            return self._defect(error)

    async def _told(self, said: Answer[Any], context: Context) -> Envelope:
        """The answer as plain data, checked against what is published, within the budget."""
        self._check_envelope(said)
        context.attachments.extend(said.attachments)
        _check_attachments(context.attachments)
        data = None
        if said.data is not None or said.status in ("ok", "partial"):
            data = self._host.struck(plain(said.data))
            self._check(data)
        if data is not None:
            data = await overflow.shortened(data, context)
        return Envelope(
            status=said.status,
            data=data,
            next_cursor=said.next_cursor,
            outline=list(said.outline),
            restriction=self._restriction(said.restriction),
        )

    def _check_envelope(self, said: Answer[Any]) -> None:
        """What stands beside the data: nobody checks an `Answer` when it is made."""
        problem = ""
        if said.status not in get_args(Status):
            problem = f"the status {said.status!r}, which is none of {', '.join(get_args(Status))}"
        elif said.restriction is not None and not isinstance(said.restriction, Restriction):
            problem = f"{type(said.restriction).__name__} as its restriction"
        elif not all(isinstance(entry, OutlineEntry) for entry in said.outline):
            problem = "an outline of something else than OutlineEntry"
        elif said.status == "restricted" and said.restriction is None:
            problem = "the status restricted, and no restriction that says why"
        elif said.status == "outline" and not said.outline:
            problem = "the status outline, and no outline"
        elif said.next_cursor is not None and not isinstance(said.next_cursor, str):
            problem = f"{type(said.next_cursor).__name__} as its next_cursor"
        if problem:
            raise InternalFault(f"{self._bound.name} gave {problem}.", hint=REPORT)

    def _check(self, data: Any) -> None:
        """Clients refuse an answer that breaks its schema, and then show nothing of it."""
        try:
            msgspec.convert(data, self._bound.returns, str_keys=True)
        except msgspec.ValidationError as error:
            said = f"gave an answer that its schema does not allow: {error}" if data is not None else "gave no answer"
            raise InternalFault(f"{self._bound.name} {said}.", hint=REPORT) from None

    def _restriction(self, restriction: Restriction | None) -> Restriction | None:
        if restriction is None or restriction.record is None:
            return restriction
        return msgspec.structs.replace(restriction, record=self._host.struck(plain(restriction.record)))

    def _defect(self, error: BaseException) -> Envelope:
        """The defect goes to the log with its traceback; the caller learns its kind, never its internals."""
        name = self._bound.name
        log_defect(log, self._host.settings, f"tool {name} failed", error)
        hint = "Please report it; the log has the details."
        return _failed(InternalFault(f"{name} failed: {type(error).__name__}.", hint=hint))

    def _finished(self, envelope: Envelope) -> Result:
        context, host = self._context, self._host
        whole = envelope
        if context is not None:
            sources, more = answer.shortened(context.exchanges)
            provenance = Provenance(
                tool=self._bound.name,
                query_params=answer.echoed(self._params),
                versions=self._versions(context),
                run_id=context.run_id,
                sources=sources,
                more_sources=more,
            )
            warnings = [host.redactor.strike(warning) for warning in _bounded(context.warnings)]
            whole = msgspec.structs.replace(envelope, warnings=warnings, provenance=provenance)
        if envelope.error is not None:
            whole = msgspec.structs.replace(whole, error=_struck_error(envelope.error, host))
        structured = msgspec.to_builtins(whole)
        return Result(structured, render(structured, self._form), list(context.attachments) if context else [])

    def _versions(self, context: Context) -> dict[str, str]:
        """Host, the tool's plugin, and the plugins whose sources were asked."""
        took_part = {self._bound.plugin.name}
        for exchange in context.exchanges:
            took_part |= self._host.registry.askers.get(exchange.source, set())
        versions = {"vouched": __version__}
        for plugin in self._host.plugins:
            if plugin.name in took_part and plugin.name != "vouched":
                versions[plugin.report.distribution or plugin.name] = plugin.report.version
        return versions


def _check_attachments(attachments: Sequence[Any]) -> None:
    for attached in attachments:
        if not isinstance(attached, Image | Link):
            raise InternalFault(f"An attachment is {type(attached).__name__}, not Image or Link.", hint=REPORT)
        try:
            msgspec.convert(msgspec.structs.asdict(attached), type(attached))
        except msgspec.ValidationError as error:
            raise InternalFault(f"An attachment is no {type(attached).__name__}: {error}.", hint=REPORT) from None


def _bounded(warnings: Sequence[Any]) -> list[str]:
    """The warnings as texts: of very many the first and the last, and how many there were between."""
    kept = [str(warning) for warning in warnings]
    if len(kept) > MOST_WARNINGS:
        left_out = len(kept) - MOST_WARNINGS
        kept = [*kept[: MOST_WARNINGS - LAST_WARNINGS], f"… and {left_out:,} more warnings", *kept[-LAST_WARNINGS:]]
    return [text if len(text) <= WARNING_CHARS else text[: WARNING_CHARS - 1] + "…" for text in map(clean, kept)]


def _failed(fault: Fault) -> Envelope:
    return Envelope(status="error", error=answer.error_info(fault))


def _struck_error(error: answer.ErrorInfo, host: "Host") -> answer.ErrorInfo:
    return msgspec.structs.replace(
        error, message=host.redactor.text(plain(error.message)), hint=host.redactor.text(plain(error.hint))
    )
