"""Parser libraries log what they stumble over; the answer says it already, and stderr belongs to the server."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["quiet"]


@contextmanager
def quiet(*names: str) -> Iterator[None]:
    """Drop what the loggers `names` say in this thread while the block runs; other threads' records pass."""
    own = threading.get_ident()

    def of_others(record: logging.LogRecord) -> bool:
        return threading.get_ident() != own

    loggers = [logging.getLogger(name) for name in names]
    for logger in loggers:
        logger.addFilter(of_others)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(of_others)
