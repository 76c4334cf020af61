"""The stores that ship keep the contract that any store must keep."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from vouched.journal import SessionStore
from vouched.services.session import open_store
from vouched.settings import Settings
from vouched.testing.contracts_store import StoreContract
from vouched.testing.memory_store import MemoryStore


class TestSqliteStore(StoreContract):
    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[SessionStore]:  # type: ignore[override]
        store = open_store(Settings(data=tmp_path / "data"))
        yield store
        await store.aclose()


class TestMemoryStore(StoreContract):
    @pytest.fixture
    def store(self) -> SessionStore:
        return MemoryStore()
