"""A run as a search record after PRISMA-S (Rethlefsen et al. 2021, Syst Rev 10:39): what was asked, of whom, when, with
what count. Only what was recorded stands in it; items that people alone can fill are named, not guessed."""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec

from vouched.journal import Run
from vouched.logbook import GIVEN
from vouched.remote import NOTHING, Exchange, Source, titled
from vouched.render import inline
from vouched.text import clean

__all__ = ["prisma"]

# Arguments that say how an answer is shown, or what stands under another item.
_SHOWN = ("query", "strategy", "known", "cursor", "limit", "output_format")
_OPEN_ITEMS = (
    "2 (several databases on one platform), 3 (study registries), 5 (citation searching), 7 (other methods), "
    "10 (published search filters), 11 (earlier searches used), 12 (updates), 14 (peer review), 16 (deduplication)"
)


def prisma(run: Run, sources: Mapping[str, Source] = NOTHING) -> str:
    """The search record of `run` as Markdown, numbered by the PRISMA-S items.

    Args:
        sources: declared ones by name; whoever is among them is called by its title.
    """
    parts = [
        ["# Search record (PRISMA-S)", *_head(run)],
        ["## Item 1: database and platform", *_databases(run, sources)],
        ["## Item 8: full search strategy", *_strategy(run)],
        ["## Item 9: limits and restrictions", *_limits(run)],
        ["## Item 13: dates of searches", *_dates(run)],
        ["## Item 15: records found", *_counts(run)],
        ["## Requests as sent", *_requests(run.sources)],
        ["## Not recorded by software", f"To be added by the searcher: items {_OPEN_ITEMS}."],
    ]
    return "\n\n".join("\n\n".join(part) for part in parts) + "\n"


def _head(run: Run) -> list[str]:
    lines = [f"Run `{run.run_id}` of {inline(run.tool)}, status: {run.status}."]
    if run.status != "completed":
        reason = str((run.error or {}).get("message", ""))
        lines.append(
            f"**This search did not complete ({run.status}); its counts are not final.**"
            + (f" {inline(clean(reason))}" if reason else "")
        )
    lines += [f"Note: {inline(clean(warning))}" for warning in run.warnings]
    return lines


def _databases(run: Run, sources: Mapping[str, Source]) -> list[str]:
    """Each service once, with the version that it states of itself."""
    hosts: dict[str, str] = {}
    for exchange in run.sources:
        hosts.setdefault(exchange.source, urlsplit(exchange.resolved_url).hostname or "")
    for source in run.source_versions:
        hosts.setdefault(source, "")
    if not hosts:
        return ["No service was asked."]
    lines = []
    for source, host in hosts.items():
        version = run.source_versions.get(source)
        said = f"version as the service states it: {inline(clean(version))}" if version else "version: not stated"
        lines.append(f"- {inline(clean(titled(sources, source)))}{f', at {inline(host)}' if host else ''}; {said}")
    return ["\n".join(lines)]


def _strategy(run: Run) -> list[str]:
    query = run.query or str(run.arguments.get("query", ""))
    lines = ["Query as given:", _fence(query) if query else "No query: records were asked for by their ids."]
    if rows := [row for row in run.notes.get("strategy", ()) if isinstance(row, dict)]:
        lines = ["Lines as given, with their counts:", _fence("\n".join(map(_line, rows))), *lines]
    lines += ["Query as the service understood it:", _fence(run.translation)] if run.translation else []
    return lines if run.translation or not query else [*lines, "The service did not say how it understood the query."]


def _line(row: Mapping[str, Any]) -> str:
    """One line of a numbered strategy, as a tool notes them under `strategy`: number, query, total."""
    total = row.get("total")
    count = f"{total:,}" if isinstance(total, int) else "not counted"
    return f"{row.get('number', '')}. {row.get('query', '')} ({count})"


def _limits(run: Run) -> list[str]:
    # What a tool noted under an argument's name is what it did: another order than the one asked for, say.
    noted = {name: value for name, value in run.notes.items() if name in run.arguments}
    limits = {
        name: value
        for name, value in (run.arguments | noted).items()
        if name not in _SHOWN and value is not False and value not in (None, "", [], {})
    }
    if not limits:
        return ["None were given beside the query."]
    rows = (f"- {inline(name)}: {inline(clean(_plain(value)))}" for name, value in limits.items())
    return ["\n".join(rows)]


def _plain(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _dates(run: Run) -> list[str]:
    lines = [f"- Run: {run.created_at} (UTC)"]
    times = sorted({exchange.retrieved_at for exchange in run.sources if exchange.retrieved_at})
    if times:
        span = times[0] if len(times) == 1 else f"{times[0]} to {times[-1]}"
        lines.append(f"- Answers of the services: {span} (UTC)")
    cached = sum(exchange.from_cache for exchange in run.sources)
    if cached:
        lines.append(f"- {cached} of {len(run.sources)} answers came from the cache and are as old as their time says.")
    return ["\n".join(lines)]


def _counts(run: Run) -> list[str]:
    total = f"{run.total:,}" if run.total is not None else "not stated"
    return [f"- Records that the service counts: {total}\n- Records in this run: {_kept(run)}"]


def _kept(run: Run) -> str:
    """How many records the run brought; a run that noted no ids has not found none."""
    if found := run.returned or len(run.ids):
        return f"{found:,}"
    if isinstance(given := run.notes.get(GIVEN), list) and given:
        return f"{len(given):,}, which were given, not found"
    return "0" if run.total == 0 else "not counted"


def _requests(sources: Sequence[Exchange]) -> list[str]:
    if not sources:
        return ["None."]
    lines = []
    for number, exchange in enumerate(sources, 1):
        said = [exchange.retrieved_at, f"HTTP {exchange.http_status}" if exchange.http_status else "no answer"]
        said += ["from cache"] * exchange.from_cache + [exchange.fault] * bool(exchange.fault)
        said += [f"sha256 {exchange.content_sha256}"] * bool(exchange.content_sha256)
        lines.append(f"{number}. {inline(exchange.source)}: {inline(exchange.resolved_url)}")
        if exchange.form:
            lines.append(f"   - form: {inline(clean(_plain(exchange.form)))}")
        lines.append("   - " + ", ".join(part for part in said if part))
    return ["\n".join(lines)]


def _fence(text: str) -> str:
    """Verbatim, in a fence that the text cannot close."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{clean(text)}\n{fence}"
