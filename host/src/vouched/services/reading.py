"""From a response to a value or a typed fault."""

import asyncio
import logging
from collections.abc import Callable, Container
from typing import Any

import msgspec

from vouched.faults import Fault, NotFound, UpstreamInvalid, UpstreamRejected
from vouched.remote import Response
from vouched.services import classify
from vouched.services.address import Question
from vouched.services.redact import Redactor

__all__ = ["Read", "complete", "read_body", "understand"]

Read = Callable[[bytes], Any]
# What parsers raise over a body that is not what it should be; anything else is a defect of the reader.
UNREADABLE = (ValueError, SyntaxError, LookupError, EOFError, OverflowError, RecursionError, msgspec.MsgspecError)
log = logging.getLogger("vouched.http")


class Unreadable(UpstreamInvalid):
    """A parser gave up, as against a reader that knows what it has before it."""


async def read_body(response: Response, question: Question, read: Read | None) -> Any:
    """What the reader makes of a body, in a worker thread; the response itself without a reader.

    Raises:
        Fault: whatever the reader raises; `UpstreamInvalid` where a parser gives up.
    """
    name = question.source.name
    try:
        if read is not None:
            return await asyncio.to_thread(_read, read, response.body)
        if "json" in question.media and response.body:
            await asyncio.to_thread(msgspec.json.decode, response.body, type=msgspec.Raw)
        return response
    except UNREADABLE as error:
        # The error's text may quote the body, so it stays out.
        kind = type(error).__name__
    log.debug("%s %s: unreadable (%s)", name, question.path, kind)
    raise Unreadable(
        f"The answer of {name} is cut off, or not of the form that was asked for ({kind}).",
        status=response.status,
        hint=classify.LATER,
    )


def _read(read: Read, body: bytes) -> Any:
    """What `read` makes of a body, in the worker thread."""
    try:
        return read(body)
    except (StopIteration, StopAsyncIteration):
        # No future takes these, so that nobody would ever hear of it. Readers meet them where a part is missing.
        raise LookupError("nothing there") from None
    except Exception:
        raise
    except BaseException as error:
        # A task that meets SystemExit ends the event loop, and all calls with it.
        raise RuntimeError(f"a reader raised {type(error).__name__}") from error


async def understand(response: Response, question: Question, read: Read | None, answered: Container[int]) -> Any:
    """The value of an answer; None for a status that is an answer by itself.

    A refusal is shown to the reader too: some services send their outages as HTTP 400, and only the reader of that
    service knows. A fault that it raises counts, a value does not; that it makes nothing of the body says no more than
    the status does, and a refusal stays one.

    Raises:
        Fault: what status, body and reader say it is.
    """
    if response.status in answered:
        return None
    name = question.source.name
    fault = classify.disguised(response, question.media, name) or classify.fault_of(response, name)
    if fault is None:
        return await read_body(response, question, read)
    if isinstance(fault, UpstreamRejected | NotFound) and read is not None and not classify.is_page(response.body):
        try:
            await read_body(response, question, read)
        except Unreadable:
            log.debug("%s: the reader cannot read a refusal", name)
        except UpstreamInvalid as unknown:
            fault.message = f"{fault.message} {unknown.message}"
    raise fault


def complete(fault: Fault, source: str, status: int, redactor: Redactor) -> None:
    """Fill in what a fault of a reader or transport does not say, and strike what it must not say."""
    fault.message, fault.hint = redactor.text(fault.message), redactor.text(fault.hint)
    fault.args = (fault.message,)
    fault.source = fault.source or source
    fault.status = fault.status or status
