"""Fixtures of the PubMed plugin's tests."""

import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

sys.path.insert(0, str(Path(__file__).parent))

import pubmed_corpus as corpus
import vouched_pubmed
from hosts import host, invented, scripted
from vouched.testing.emulator import Emulator

__all__ = ["host", "invented", "scripted"]

Call = Callable[..., Any]


@pytest.fixture(scope="session")
def real_records() -> Sequence[corpus.Real]:
    """Every record of the corpus, read by itself; skips where the corpus is missing."""
    if corpus.folder() is None:
        pytest.skip("the corpus is missing (VOUCHED_SHARED)")
    return corpus.load()


@pytest.fixture(scope="session")
def _invented() -> Iterator[Emulator]:
    from tests import emulator

    with emulator.start(corpus=False) as server:
        yield server


@pytest.fixture(scope="session")
def _real() -> Iterator[Emulator]:
    from tests import emulator

    if emulator.corpus_folder() is None:
        pytest.skip("the corpus is missing (VOUCHED_SHARED)")
    with emulator.start() as server:
        yield server


@pytest.fixture
def ncbi(_invented: Emulator) -> Emulator:
    """The services over the 20 invented records, well behaved and with an empty log."""
    _invented.reset()
    return _invented


@pytest.fixture
def real_ncbi(_real: Emulator) -> Emulator:
    """The services over the corpus too."""
    _real.reset()
    return _real


async def _hosted(server: Emulator, vouched_host: Any, vouched_settings: Any) -> AsyncIterator[Call]:
    urls = {name: server.url(name) for name in ("eutils", "idconv")}
    # Short waits between attempts: what is tested here is what an answer says, not how long a retry takes.
    limits = msgspec.structs.replace(vouched_settings().limits, retry_wait=0.01, retry_wait_max=0.02)
    async with vouched_host({"pubmed": vouched_pubmed}, urls=urls, limits=limits) as host:

        async def call(tool: str, **arguments: Any) -> Any:
            return await host.call(f"pubmed_{tool}", arguments)

        call.host = host  # type: ignore[attr-defined]
        yield call


@pytest.fixture
async def call(ncbi: Emulator, vouched_host: Any, vouched_settings: Any) -> AsyncIterator[Call]:
    """`await call("fetch_articles", ids=…)` over the invented records: a `Result`."""
    async for ready in _hosted(ncbi, vouched_host, vouched_settings):
        yield ready


@pytest.fixture
async def real_call(real_ncbi: Emulator, vouched_host: Any, vouched_settings: Any) -> AsyncIterator[Call]:
    """The same over the corpus."""
    async for ready in _hosted(real_ncbi, vouched_host, vouched_settings):
        yield ready
