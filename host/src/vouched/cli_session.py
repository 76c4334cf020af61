"""`vouched session list|prune|acknowledge`: what is printed, and the exit code."""

from vouched.faults import InvalidArgument, NotFound
from vouched.journal import Owner, SessionInfo, SessionStore

__all__ = ["acknowledge", "list_sessions", "prune"]


async def list_sessions(store: SessionStore, owner: Owner, *, limit: int = 10) -> tuple[str, int]:
    """The owner's sessions, the last used first; open notices before them. Always 0: a notice is no failure of this."""
    page = await store.sessions(owner, limit=limit)
    lines = [
        f"Notice {notice.notice_id} ({notice.at}): {notice.text}\n"
        f"  Seen? Then: vouched session acknowledge {notice.notice_id}"
        if notice.notice_id
        else f"Notice: {notice.text}"
        for notice in await store.notices(owner)
    ]
    if not page.items:
        return "\n".join([*lines, "No sessions yet."]) + "\n", 0
    rows = [("SESSION", "CLIENT", "LAST USED", "RUNS", "ARTICLES", "FILES"), *(_row(info) for info in page.items)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines += ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    if page.total > len(page.items):
        lines.append(f"{page.total - len(page.items)} older sessions are not shown; --limit {page.total} shows all.")
    return "\n".join(lines) + "\n", 0


def _row(info: SessionInfo) -> tuple[str, ...]:
    counts = (info.runs, info.articles, info.artifacts)
    # A client names itself: what it says must not act on the terminal.
    client = "".join(c if c.isprintable() else "?" for c in info.client[:40]) or "-"
    return (info.session_id, client, info.updated_at[:19], *(str(count) for count in counts))


async def prune(store: SessionStore, owner: Owner, *, days: float) -> tuple[str, int]:
    """Drop what is older than `days`; 2 for an age that is none."""
    try:
        gone = await store.prune(owner, older_than_days=days)
    except InvalidArgument as fault:
        return f"{fault.message} Expected: {fault.expected}.\n", 2
    return f"{gone} runs, events, articles and files older than {days:g} days were dropped.\n", 0


async def acknowledge(store: SessionStore, owner: Owner, *, notice_id: str) -> tuple[str, int]:
    """Take a notice off the list; 1 when there is none of that name."""
    try:
        await store.acknowledge(owner, notice_id)
    except (InvalidArgument, NotFound) as fault:
        return f"{fault.message} {fault.hint}".rstrip() + "\n", 1
    return f"{notice_id} is acknowledged.\n", 0
