"""Exceptions out of the code of plugins: which of them concern the host, where they stand, and what the log keeps."""

import contextlib
import inspect
import logging
import signal
import sysconfig
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from vouched.services.redact import Redactor
from vouched.settings import Settings

__all__ = ["interrupts", "is_own", "log_defect", "place", "reason"]

HOST = str(Path(__file__).parent)
# Between the host and a plugin's code stand these; whoever wrote the plugin looks for his own lines.
BETWEEN = ("<frozen", "/pluggy/", "/msgspec/", "/importlib/", "\\pluggy\\", "\\msgspec\\", "\\importlib\\")


def is_own(error: BaseException) -> bool:
    """Whether what came out of a plugin's code must go on: this task was cancelled, or the process is to end.

    Anything else is a defect of the plugin: a `SystemExit`, a cancellation that nobody asked for, and a
    `KeyboardInterrupt` or `GeneratorExit` that its code raises.
    """
    if isinstance(error, KeyboardInterrupt):
        return _is_interrupt(error)
    if not isinstance(error, GeneratorExit) and type(error).__name__ != "CancelledError":
        return False
    import asyncio

    try:
        task = asyncio.current_task()
    except RuntimeError:
        # Outside a loop nothing can be cancelled, but a coroutine can be closed.
        return isinstance(error, GeneratorExit)
    if isinstance(error, GeneratorExit):
        return task is None
    return isinstance(error, asyncio.CancelledError) and (task is None or task.cancelling() > 0)


def _is_interrupt(error: KeyboardInterrupt) -> bool:
    """Whether Ctrl-C was pressed. Under asyncio's runner it comes up in the runner's own handler.

    With Python's own handler it may come up in any line, so that nobody can tell, and the process must end.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        return threading.current_thread() is threading.main_thread()
    return _raised_in(error, "_on_sigint")


def _raised_in(error: BaseException, function: str) -> bool:
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and frames[-1].name == function


def _pressed(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextlib.contextmanager
def interrupts() -> Iterator[None]:
    """Within, a Ctrl-C ends the process, and a `KeyboardInterrupt` that a plugin raises is a defect like any other."""
    here = threading.current_thread() is threading.main_thread()
    if not here or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    # Raised in a place of our own, a real one can be told from the plugin's.
    before = signal.signal(signal.SIGINT, _pressed)
    try:
        yield
    except KeyboardInterrupt as error:
        if _raised_in(error, _pressed.__name__):
            raise
        raise RuntimeError("raised KeyboardInterrupt") from error
    finally:
        signal.signal(signal.SIGINT, before)


def reason(error: BaseException) -> str:
    """Kind and text of an exception in one line, and the line of the plugin's own code where it came up."""
    said = " ".join(str(error).split()) or "no message"
    where = _own_line(error.__cause__ or error)
    return f"{type(error).__name__}: {said}{f' ({where})' if where and where not in said else ''}"


def _own_line(error: BaseException) -> str:
    if isinstance(error, SyntaxError) and error.filename:
        return f"{_short(error.filename)}:{error.lineno}"
    library = sysconfig.get_path("stdlib")
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        name = frame.filename
        installed = "site-packages" in name or "dist-packages" in name
        if name.startswith(HOST) or any(part in name for part in BETWEEN):
            continue
        if not name.startswith(library) or installed:
            return f"{_short(name)}:{frame.lineno}"
    return ""


def place(function: Callable[..., Any]) -> str:
    """File and line of a function, "" where it has none."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return f"{_short(code.co_filename)}:{code.co_firstlineno}" if code else ""


def _short(filename: str) -> str:
    """The file and its folder: enough for its author, and nothing of the machine."""
    return "/".join(Path(filename).parts[-2:])


def log_defect(log: logging.Logger, settings: Settings, what: str, error: BaseException) -> None:
    """Log `what` with the traceback of `error`. The text of an exception may hold an address with a key in it, so it is
    struck here, whatever handlers the program that embeds the host has."""
    log.error("%s\n%s", what, Redactor(settings).text("".join(traceback.format_exception(error))).rstrip())
