"""An emulated service for every module, clean for every test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from vouched.settings import Settings
from vouched.testing.emulator import Emulator

from host.tests.services.support import emulated, settings_for


@pytest.fixture(scope="module")
def running() -> Iterator[Emulator]:
    with emulated() as emulator:
        yield emulator


@pytest.fixture
def emulator(running: Emulator) -> Emulator:
    """Services `lib` and `other`, with empty log and no misbehaviour."""
    running.reset()
    return running


@pytest.fixture
def settings(tmp_path: Path, emulator: Emulator) -> Settings:
    return settings_for(tmp_path, emulator)
