"""Keeps file descriptor 1 clean until the transport takes it."""

import os
import sys

__all__ = ["StdoutGuard"]


class StdoutGuard:
    """Sends file descriptor 1 to stderr while plugins load: what they print must not enter the protocol stream."""

    def __init__(self) -> None:
        sys.stdout.flush()
        self._wire: int | None = os.dup(1)
        os.dup2(2, 1)

    def release(self) -> None:
        """Give stdout back, empty, to the transport."""
        if self._wire is not None:
            sys.stdout.flush()
            os.dup2(self._wire, 1)
            os.close(self._wire)
            self._wire = None
