"""Logging of the command line: to stderr, without keys, e-mail addresses and query strings, whoever logs."""

import contextlib
import logging
import sys
from collections.abc import Iterator

from vouched.configuration import load
from vouched.faults import Fault
from vouched.services.redact import Redactor
from vouched.text import clean

__all__ = ["logging_to_stderr"]

FORMAT = "%(levelname)s %(name)s: %(message)s"


class _Struck(logging.Formatter):
    """Strikes the finished line, tracebacks included: exceptions of any library may quote an address with a key, or
    hold characters that act on a terminal."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__(FORMAT)
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        return clean(self._redactor.text(super().format(record)))


@contextlib.contextmanager
def logging_to_stderr(*, without: str = "") -> Iterator[None]:
    """Show warnings and errors while a command runs.

    Args:
        without: a logger that is left out, since the command shows the same itself.
    """
    try:
        settings = load()
    except Fault:
        # The command reads the settings itself and says what is wrong with them.
        yield
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.WARNING)
    handler.setFormatter(_Struck(Redactor(settings)))
    handler.addFilter(lambda record: record.name != without)
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
