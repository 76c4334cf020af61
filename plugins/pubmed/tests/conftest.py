"""Fixtures of the PubMed plugin's tests."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import vouched_pubmed
from vouched.settings import Limits
from vouched.testing import emulator as engine
from vouched.testing.emulator import Emulator
from vouched.testing.exchange import Asked, Reply, Service

from tests import emulator

if TYPE_CHECKING:
    from vouched.host import Host

sys.path.insert(0, str(Path(__file__).parent))

import corpus


@pytest.fixture(scope="session")
def real_records() -> Sequence[corpus.Real]:
    """Every record of the corpus, read by itself; skips where the corpus is missing."""
    if corpus.folder() is None:
        pytest.skip("the corpus is missing (VOUCHED_SHARED)")
    return corpus.load()


@pytest.fixture(scope="module")
def invented() -> Iterator[Emulator]:
    """The emulated services over the twenty invented records."""
    with emulator.start(corpus=False) as server:
        yield server


@pytest.fixture
def host(vouched_host: "Callable[..., Host]") -> "Callable[..., Host]":
    """`async with host(server) as asked: await asked.call("pubmed_…", {…})`: a host with this plugin alone.

    It waits a hundredth of what users wait between two tries.
    """

    def make(server: Emulator, **settings: Any) -> "Host":
        settings.setdefault("limits", Limits(retry_wait=0.005, retry_wait_max=0.02))
        urls = {name: server.url(name) for name in server.services if name in ("eutils", "idconv")}
        return vouched_host({"pubmed": vouched_pubmed}, urls=urls, **settings)

    return make


@pytest.fixture
def scripted() -> Callable[[Callable[[Asked], Reply]], AbstractContextManager[Emulator]]:
    """`with scripted(answer) as server`: E-utilities that answer what a function says."""
    return lambda answer: engine.start([Service("eutils", "/eutils/", answer)])
