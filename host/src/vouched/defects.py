"""Exceptions out of the code of plugins: which of them concern the host, and what the others leave in the log."""

import logging
import traceback

from vouched.services.redact import Redactor
from vouched.settings import Settings

__all__ = ["is_own", "log_defect"]


def is_own(error: BaseException) -> bool:
    """Whether what came out of a plugin's code must go on: this task was cancelled, or the process is to end.

    Anything else is a defect of the plugin, a `SystemExit` and a cancellation that nobody asked for included.
    """
    import asyncio

    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        return task is None or task.cancelling() > 0
    return isinstance(error, KeyboardInterrupt | GeneratorExit)


def log_defect(log: logging.Logger, settings: Settings, what: str, error: BaseException) -> None:
    """Log `what` with the traceback of `error`. The text of an exception may hold an address with a key in it, so it is
    struck here, whatever handlers the program that embeds the host has."""
    log.error("%s\n%s", what, Redactor(settings).text("".join(traceback.format_exception(error))).rstrip())
