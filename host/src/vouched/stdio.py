"""The process side of stdio: a clean stream before the transport takes it, and an end when the client is gone."""

import asyncio
import contextlib
import os
import select
import signal
import sys
from collections.abc import Awaitable, Callable

__all__ = ["StdoutGuard", "leave_when_alone"]

CHECK_SECONDS = 0.5
CLOSE_SECONDS = 2.0


class StdoutGuard:
    """Sends file descriptor 1 to stderr while plugins load: what they print must not enter the protocol stream.

    Attributes:
        watched: a duplicate of the wire, to see whether anybody still reads it.
        parent: the process that started this one. Asked before the slow imports: one that dies meanwhile is replaced by
            an ancestor that never does.
    """

    def __init__(self) -> None:
        self.parent = os.getppid()
        sys.stdout.flush()
        self.watched = os.dup(1)
        os.dup2(2, 1)
        self._held = True

    def release(self) -> None:
        """Give stdout back, empty, to the transport."""
        if self._held:
            sys.stdout.flush()
            os.dup2(self.watched, 1)
            self._held = False


async def leave_when_alone(watched: int, parent: int, close: Callable[[], Awaitable[None]]) -> None:
    """End the process once its parent has died, nobody reads its answers any more, or it is told to (SIGTERM).

    The transport's reader sits in a thread on stdin, which may stay open in somebody else's hands: only leaving the
    process ends it. Stores are closed before.
    """
    told = asyncio.Event()
    with contextlib.suppress(NotImplementedError):
        # Windows has no such signal.
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, told.set)
    while os.getppid() == parent and not _unread(watched) and not told.is_set():
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(told.wait(), CHECK_SECONDS)
    try:
        await asyncio.wait_for(close(), CLOSE_SECONDS)
    finally:
        os._exit(0)


def _unread(descriptor: int) -> bool:
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    # Nothing asked for: errors and hang-ups are reported all the same.
    poll.register(descriptor, 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))
