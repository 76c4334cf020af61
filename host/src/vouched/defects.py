"""What a defect leaves in the log: its traceback, without keys, e-mail addresses and query strings."""

import logging
import traceback

from vouched.services.redact import Redactor
from vouched.settings import Settings

__all__ = ["log_defect"]


def log_defect(log: logging.Logger, settings: Settings, what: str, error: BaseException) -> None:
    """Log `what` with the traceback of `error`. The text of an exception may hold an address with a key in it, so it is
    struck here, whatever handlers the program that embeds the host has."""
    log.error("%s\n%s", what, Redactor(settings).text("".join(traceback.format_exception(error))).rstrip())
