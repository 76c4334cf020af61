"""What a person sees: text on stdout, as wide as the terminal, with bold and dim instead of Markdown's marks there."""

import contextlib
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from vouched.text import clean

__all__ = ["columns", "only_stderr", "say", "shown", "stand_in"]

WIDEST = 110
BOLD, DIM, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"
# A code span, or bold: in this order, since what stands in a code span is data.
_MARK = re.compile(r"(?P<ticks>`+) ?(?P<code>.+?) ?(?P=ticks)|\*\*(?P<bold>.+?)\*\*")


def stand_in() -> set[str]:
    """Put the null device where the process was started without a standard stream; returns which of them it was.

    Else the next file or connection that is opened gets the stream's number, and what is meant for people ends there.
    """
    missing: set[str] = set()
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        try:
            os.fstat(number)
        except OSError:
            # The lowest number that is free: this very one.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
            missing.add(name)
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 (open to the end)
            missing.add(name)
    return missing


@contextlib.contextmanager
def only_stderr() -> Iterator[None]:
    """Within, what is written to stdout or straight to its descriptor goes to stderr: plugins that load may print."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def say(text: str) -> None:
    """Print."""
    sys.stdout.write(text)


def _is_terminal() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def shown(markdown: str) -> str:
    """The text face of an answer: as it is in a pipe; in a terminal with its marks turned into bold and dim.

    Answers hold no control characters of their own, so what comes out here is all that acts on the terminal.
    """
    if not _is_terminal():
        return markdown
    lines: list[str] = []
    fence = ""
    for line in markdown.splitlines():
        mark = re.match(r"\s*(`{3,})", line)
        if fence or mark:
            # Inside a fence every line is data; the fence itself is not shown.
            opened = "" if fence else (mark[1] if mark else "")
            closed = bool(fence) and line.strip() == fence
            if fence and not closed:
                lines.append(line)
            fence = opened or ("" if closed else fence)
        elif heading := re.match(r"#+ (.*)", line):
            lines.append(f"{BOLD}{heading[1]}{PLAIN}")
        elif re.fullmatch(r"_.*_", line):
            lines.append(f"{DIM}{line[1:-1].replace('`', '')}{PLAIN}")
        else:
            lines.append(_MARK.sub(lambda m: m["code"] or f"{BOLD}{m['bold']}{PLAIN}", line))
    return "\n".join(lines) + "\n"


def columns(left: str, right: str, width: int) -> str:
    """`left`, padded to `width`, and `right` beside it, wrapped to the terminal, without characters that act on it."""
    room = max(min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns), width + 30)
    pad = " " * (width + 2)
    left, right = clean(left), clean(right)
    lines = textwrap.wrap(right, room - len(pad), break_long_words=False, break_on_hyphens=False) or [""]
    first = f"{left:<{width}}  {lines[0]}".rstrip()
    return "\n".join([first, *(pad + line for line in lines[1:])]) + "\n"
