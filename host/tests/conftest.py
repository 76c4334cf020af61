"""What the host's tests share."""

import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from vouched.journal import SessionStore
from vouched.services.session import open_store
from vouched.settings import Settings


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
async def store(data: Path) -> AsyncIterator[SessionStore]:
    """An empty session store."""
    store = open_store(Settings(data=data))
    yield store
    await store.aclose()


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C works in this process, even where whoever started the tests ignores it, as for a job in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
