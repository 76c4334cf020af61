"""Fixtures of the iCite plugin's tests."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
import vouched_icite
from vouched.api import Article, Context, Id, Missing, RecordStatus, Settings, UpstreamUnreachable, hookimpl
from vouched.testing import emulator as engine
from vouched.testing.emulator import Emulator
from vouched.testing.exchange import Asked, Reply, Service

from tests import emulator

if TYPE_CHECKING:
    from vouched.host import Host


@pytest.fixture(scope="module")
def icite() -> Iterator[Emulator]:
    """The emulated services over the invented records; iCite in its shape since July 2025."""
    with emulator.start(corpus=False) as server:
        yield server


@pytest.fixture
def host(vouched_host: "Callable[..., Host]") -> "Callable[..., Host]":
    """`async with host(server) as asked: …`: a host with this plugin, and whatever `others` names beside it.

    Keywords are limits (`attempts=1`). It waits a hundredth of what users wait between two tries.
    """

    def make(server: Emulator, others: dict[str, Any] | None = None, **changed: Any) -> "Host":
        quick = {"retry_wait": 0.005, "retry_wait_max": 0.02}
        limits = msgspec.structs.replace(Settings(data=Path()).limits, **{**quick, **changed})
        return vouched_host(
            {"icite": vouched_icite, **(others or {})}, urls={"icite": server.url("icite")}, limits=limits
        )

    return make


@pytest.fixture
def scripted() -> Callable[[Callable[[Asked], Reply]], AbstractContextManager[Emulator]]:
    """`with scripted(answer) as server`: an iCite that answers what a function says."""
    return lambda answer: engine.start([Service("icite", "/icite/api/", answer)])


class Records:
    """A plugin that resolves PMIDs: what `standing` has, nothing else; it fails when there is no standing at all."""

    schemes = ("pmid",)
    rank = 10

    def __init__(self, standing: Mapping[str, RecordStatus] | None) -> None:
        self.standing = standing
        self.asked: list[str] = []

    @hookimpl
    def resolvers(self) -> "list[Records]":
        return [self]

    async def resolve(self, ctx: Context, ids: Sequence[Id]) -> dict[Id, Article | Missing]:
        self.asked += [id_.value for id_ in ids]
        if self.standing is None:
            raise UpstreamUnreachable("The records are out of reach.")
        return {
            id_: Article(ids={"pmid": id_.value}, status=self.standing[id_.value])
            if id_.value in self.standing
            else Missing("not_found")
            for id_ in ids
        }


@pytest.fixture
def records() -> Callable[[Mapping[str, RecordStatus] | None], Records]:
    """`others={"records": records({"1": RecordStatus("retracted")})}`."""
    return Records
