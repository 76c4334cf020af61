"""Fixtures for tests of whole tools: a host of a test's own settings, and E-utilities that answer what a test says."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
import vouched_pubmed
from vouched.api import Settings
from vouched.testing import emulator as engine
from vouched.testing.emulator import Emulator
from vouched.testing.exchange import Asked, Reply, Service

if TYPE_CHECKING:
    from vouched.host import Host


@pytest.fixture
def invented(ncbi: Emulator) -> Emulator:
    """The emulated services over the twenty invented records."""
    return ncbi


@pytest.fixture
def host(vouched_host: "Callable[..., Host]") -> "Callable[..., Host]":
    """`async with host(server) as asked: await asked.call("pubmed_…", {…})`: a host with this plugin alone.

    Keywords are limits (`attempts=1`). It waits a hundredth of what users wait between two tries.
    """

    def make(server: Emulator, **changed: Any) -> "Host":
        quick = {"retry_wait": 0.005, "retry_wait_max": 0.02}
        limits = msgspec.structs.replace(Settings(data=Path()).limits, **{**quick, **changed})
        urls = {name: server.url(name) for name in server.services if name in ("eutils", "idconv")}
        return vouched_host({"pubmed": vouched_pubmed}, urls=urls, limits=limits)

    return make


@pytest.fixture
def scripted() -> Callable[[Callable[[Asked], Reply]], AbstractContextManager[Emulator]]:
    """`with scripted(answer) as server`: E-utilities that answer what a function says."""
    return lambda answer: engine.start([Service("eutils", "/eutils/", answer)])
