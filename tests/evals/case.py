"""What a category yields, and what it works with."""

import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from vouched.host import Host
from vouched.testing.emulator import Emulator

__all__ = ["Case", "Category", "Made", "Outcome", "World", "run"]

Made = Mapping[str, Any]


class Case(msgspec.Struct, frozen=True):
    """One case: `passed` is None where it could not be run, with the reason in `note`.

    `on_purpose` says why the plugin departs from the gold; the case has failed all the same.
    """

    name: str
    passed: bool | None
    note: str = ""
    on_purpose: str = ""


class World:
    """The host under test and the services that it asks.

    corpus: the folder of real answers. host: with the plugin alone. server: the emulator's log and misbehaviour.
    made: folder of the invented records and annotations that categories prepared.
    """

    def __init__(self, host: Host, server: Emulator, corpus: Path) -> None:
        self.host = host
        self.server = server
        self.corpus = corpus
        self.earlier = 0

    def fresh(self) -> None:
        """Misbehave no more; requests so far still count."""
        self.earlier += len(self.server.log())
        self.server.reset()

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured answer of one tool."""
        return (await self.host.call(f"europepmc_{tool}", arguments)).structured

    def json(self, *path: str) -> Any:
        """A JSON file of the corpus."""
        return json.loads(self.corpus.joinpath(*path).read_bytes())


class Category(msgspec.Struct, frozen=True):
    """A set of cases.

    Attributes:
        name; gold: where the right answers come from; judge: runs the cases.
        prepare: invented files that the services must hold, path below the emulator's folder -> JSON value.
        least: cases that passed when this was last looked at; fewer is a regression.
    """

    name: str
    gold: str
    judge: Callable[[World], Awaitable[Sequence[Case]]]
    least: int
    prepare: Callable[[Path], Made] = lambda corpus: {}


class Outcome(msgspec.Struct, frozen=True):
    """A category that was run."""

    category: Category
    cases: Sequence[Case]
    requests: int
    seconds: float

    @property
    def passed(self) -> int:
        return sum(case.passed is True for case in self.cases)

    @property
    def total(self) -> int:
        return sum(case.passed is not None for case in self.cases)

    @property
    def not_run(self) -> int:
        return sum(case.passed is None for case in self.cases)


async def run(category: Category, world: World) -> Outcome:
    """Run one category over a fresh log."""
    world.server.reset()
    start = time.perf_counter()
    cases = await category.judge(world)
    seconds = time.perf_counter() - start
    world.fresh()
    return Outcome(category, cases, world.earlier, seconds)
