"""Runs categories over one host and one set of services, and writes the report."""

import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import vouched_europepmc
from vouched.host import Host
from vouched.settings import Limits, Settings, SourceSettings

from tests import emulator
from tests.emulator import Emulator
from tests.evals.case import Category, Outcome, World, run

__all__ = ["report", "run_all"]

SOURCES = ("europepmc", "annotations")


async def run_all(categories: Sequence[Category], corpus: Path) -> list[Outcome]:
    """Run them in order over the corpus, the invented papers, and what the categories prepare."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made"
        for category in categories:
            for name, value in category.prepare(corpus).items():
                path = made / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps(value), "utf-8")
        with emulator.start(made, emulator.JOINED, corpus) as server:
            return [
                await _run(category, server, corpus, Path(folder) / f"data{number}")
                for number, category in enumerate(categories)
            ]


async def _run(category: Category, server: Emulator, corpus: Path, data: Path) -> Outcome:
    """A host of its own for each: nothing is cached, or cooling down, from the one before."""
    settings = Settings(
        data=data,
        sources={name: SourceSettings(url=server.url(name), rate=1000.0) for name in SOURCES},
        limits=Limits(retry_wait=0.01, retry_wait_max=0.05),
    )
    async with Host(settings, entries=[], plugins={"europepmc": vouched_europepmc}) as host:
        return await run(category, World(host, server, corpus))


def report(outcomes: Sequence[Outcome], *, failures: bool = False) -> str:
    """A table, one line a category, below it why cases failed on purpose; with `failures` each failed case, too."""
    lines = [f"{'category':<20} {'passed':>11} {'not run':>8} {'requests':>9} {'seconds':>8}  gold"]
    for one in outcomes:
        passed = f"{one.passed} of {one.total}"
        lines.append(
            f"{one.category.name:<20} {passed:>11} {one.not_run:>8} {one.requests:>9} {one.seconds:>8.2f}  "
            f"{one.category.gold}"
        )
        lines += _on_purpose(one)
        if failures:
            lines += [f"    failed: {case.name} -> {case.note}" for case in one.cases if case.passed is False]
    passed = f"{sum(one.passed for one in outcomes)} of {sum(one.total for one in outcomes)}"
    missing, requests = sum(one.not_run for one in outcomes), sum(one.requests for one in outcomes)
    lines.append(f"{'all':<20} {passed:>11} {missing:>8} {requests:>9} {sum(one.seconds for one in outcomes):>8.2f}")
    return "\n".join(lines)


def _on_purpose(outcome: Outcome) -> list[str]:
    """How many of a category's failures are departures from its gold, and why; a reader shall not have to ask."""
    reasons = Counter(case.on_purpose for case in outcome.cases if case.passed is False and case.on_purpose)
    return [f"    {count} failed on purpose: {reason}" for reason, count in reasons.items()]
