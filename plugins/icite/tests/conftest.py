"""Fixtures of the iCite plugin's tests."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import pytest
import vouched_icite
from vouched.settings import Limits
from vouched.testing import emulator as engine
from vouched.testing.emulator import Emulator
from vouched.testing.exchange import Asked, Reply, Service

from tests import emulator

if TYPE_CHECKING:
    from vouched.host import Host


@pytest.fixture(scope="module", params=["new", "old"])
def icite(request: pytest.FixtureRequest) -> Iterator[Emulator]:
    """The emulated services over the invented records, in the shape since July 2025 and in the one before."""
    with emulator.start(corpus=False, icite_shape=request.param) as server:
        yield server


@pytest.fixture
def host(vouched_host: "Callable[..., Host]") -> "Callable[..., Host]":
    """`async with host(server) as asked: …`: a host with this plugin, and whatever `others` names beside it."""

    def make(server: Emulator, others: dict[str, Any] | None = None, **settings: Any) -> "Host":
        settings.setdefault("limits", Limits(retry_wait=0.005, retry_wait_max=0.02))
        urls = {name: server.url(name) for name in server.services if name != "annotations"}
        return vouched_host({"icite": vouched_icite, **(others or {})}, urls=urls, **settings)

    return make


@pytest.fixture
def scripted() -> Callable[[Callable[[Asked], Reply]], AbstractContextManager[Emulator]]:
    """`with scripted(answer) as server`: an iCite that answers what a function says."""
    return lambda answer: engine.start([Service("icite", "/icite/api/", answer)])
