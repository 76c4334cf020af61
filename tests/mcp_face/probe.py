"""A plugin that answers with every status, prints where it should not, and can be watched from outside."""

import asyncio
import os
import time
import warnings
from pathlib import Path
from typing import Annotated, Literal

from vouched.api import (
    Answer,
    Argument,
    Content,
    Context,
    Image,
    Message,
    Meta,
    OutlineEntry,
    Prompt,
    RateLimited,
    Resource,
    Restriction,
    Struct,
    hookimpl,
    tool,
)

print("ready")
os.write(1, b"ready at the descriptor\n")
with warnings.catch_warnings():
    warnings.simplefilter("always")
    warnings.warn("old", DeprecationWarning, stacklevel=1)


class Row(Struct):
    """One row."""

    name: str
    score: float | None = None


class Rows(Struct):
    """Rows."""

    total: int
    returned: int
    rows: list[Row]


ROWS = Rows(2, 2, [Row("β-catenin ≥ Đ ✓", 0.5), Row("# heading", None)])


@tool(serves="see statuses", title="Statuses")
async def statuses(
    ctx: Context, status: Literal["ok", "partial", "restricted", "outline", "error", "defect"] = "ok"
) -> Answer[Rows]:
    """Answer with a status. For tests; nothing is asked of anybody. Returns rows."""
    if status == "error":
        raise RateLimited("The service asks to wait.", retry_after=7.0, source="probe", hint="Wait.")
    if status == "defect":
        raise ZeroDivisionError("secret internals")
    if status == "restricted":
        return Answer(None, status, restriction=Restriction("FREE_TO_READ", "none", "Not open.", ["abstract"], ROWS))
    if status == "outline":
        return Answer(None, status, outline=[OutlineEntry("Methods > Step 1", 5000)])
    ctx.warn("One thing to know.")
    return Answer(ROWS, "partial" if status == "partial" else "ok", attachments=[Image(b"\x89PNG", "image/png")])


@tool
async def echo(ctx: Context, text: Annotated[str, Meta(min_length=1)]) -> Row:
    """Say it again."""
    return Row(text)


@tool
async def wait(ctx: Context, seconds: float = 5.0, marker: str = "") -> Row:
    """Wait with progress; a marker file says how it ended."""
    try:
        for step in range(101):
            await ctx.progress(step, 100, f"step {step}")
            await ctx.progress(step, 100, "again")
            await asyncio.sleep(seconds / 100)
    except asyncio.CancelledError:
        if marker:
            Path(marker).write_text("cancelled", "utf-8")
        raise
    return Row("done")


@tool
async def blocked(ctx: Context, seconds: float = 1.0) -> Row:
    """Do blocking work where it belongs, in a thread."""
    await asyncio.to_thread(time.sleep, seconds)
    return Row("done")


@tool
async def big(ctx: Context, rows: int = 2000) -> Rows:
    """Answer far beyond the budget."""
    return Rows(rows, rows, [Row(f"row {number} " + "x" * 80, number) for number in range(rows)])


async def _thing(ctx: Context, name: str) -> Content:
    return Content(f"thing {name}", "text/plain")


async def _complete(ctx: Context, variable: str, prefix: str) -> list[str]:
    return [word for word in ("alpha", "beta") if word.startswith(prefix)]


@hookimpl
def tools():  # type: ignore[no-untyped-def]
    """All of them."""
    return [statuses, echo, wait, blocked, big]


@hookimpl
def resources():  # type: ignore[no-untyped-def]
    """One template."""
    return [Resource("vouched://probe/{name}", "Thing", _thing, complete=_complete)]


@hookimpl
def prompts():  # type: ignore[no-untyped-def]
    """One prompt."""
    return [
        Prompt(
            "plan",
            "Plan something.",
            lambda values: [Message("user", f"Plan {values['goal']}")],
            [Argument("goal", "what for", True)],
        )
    ]
