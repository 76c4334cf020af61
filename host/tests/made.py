"""Plugins, tools and stores made for one test."""

import asyncio
import types
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from vouched.api import Article, Id, Missing, Struct, hookimpl
from vouched.testing.memory_store import MemoryStore


class Said(Struct):
    """What most tools of these tests answer."""

    said: str


def plugin(name: str = "made", **hooks: Any) -> types.ModuleType:
    """A plugin whose hooks give what stands here; a function is the hook itself."""
    module = types.ModuleType(name)
    for hook, given in hooks.items():
        function = given if isinstance(given, types.FunctionType) else _giving(given)
        setattr(module, hook, hookimpl(function))
    return module


def _giving(given: Any) -> Callable[[], Any]:
    def hook() -> Any:
        return given

    return hook


class Records:
    """A resolver that answers from a table, or raises it."""

    def __init__(self, answers: Any, *, rank: int = 10, schemes: Sequence[Any] = ("pmid",)) -> None:
        self.answers = answers
        self.rank = rank
        self.schemes = schemes
        self.asked: list[list[str]] = []

    async def resolve(self, ctx: Any, ids: Sequence[Id]) -> Mapping[Id, Article | Missing]:
        self.asked.append([str(id_) for id_ in ids])
        if isinstance(self.answers, BaseException):
            raise self.answers
        return {id_: self.answers[str(id_)] for id_ in ids if str(id_) in self.answers}


def article(pmid: str, source: str = "first", **fields: Any) -> Article:
    """An invented record."""
    return Article(ids={"pmid": pmid}, title=f"Invented {pmid}", source=source, **fields)


def failing_store(**failing: BaseException | None) -> MemoryStore:
    """A store whose named operations raise, as on a full disk, or hang (None), as a database elsewhere may."""
    store = MemoryStore()
    for name, error in failing.items():
        setattr(store, name, _failing(error))
    return store


def _failing(error: BaseException | None) -> Callable[..., Any]:
    async def operation(*_: Any, **__: Any) -> None:
        if error is None:
            await asyncio.sleep(3600)
        else:
            raise error

    return operation


def files_hold(folder: Path, *secrets: str) -> list[str]:
    """Which files of a folder hold one of the texts, also as bytes of a database."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            body = path.read_bytes()
            found += [f"{path.name}: {secret}" for secret in secrets if secret.encode() in body]
    return found
