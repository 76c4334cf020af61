"""A host with every installed plugin over the emulator, quick to give up and to try again."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from vouched.host import Host
from vouched.settings import Limits, Secrets, SourceSettings

from tests import emulator
from tests.emulator import Emulator

KEY, EMAIL = "SECRET123", "reader@example.org"
SOURCES = ("eutils", "idconv", "europepmc", "annotations", "icite")
# The proportions of the defaults, in milliseconds.
QUICK = Limits(retry_wait=0.005, retry_wait_max=0.05, deadline=15.0, request_timeout=10.0, retry_after_max=0.5)


@pytest.fixture(scope="session")
def _emulated() -> Iterator[Emulator]:
    with emulator.start(corpus=False) as server:
        yield server


@pytest.fixture
def server(_emulated: Emulator) -> Emulator:
    """The services over the 20 invented records, well behaved and with an empty log."""
    _emulated.reset()
    return _emulated


MakeHost = Callable[..., Host]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "vouched-data"


@pytest.fixture
def host_over(vouched_host: MakeHost, server: Emulator) -> MakeHost:
    """`host_over(limits={…}, rate=20.0, secret=True, plugins={…})`: all installed plugins, over the emulator."""

    def make(*, rate: float | None = 1000.0, secret: bool = False, ttl: float | None = None, **settings: Any) -> Host:
        limits = msgspec.structs.replace(QUICK, **settings.pop("limits", {}))
        sources = {name: SourceSettings(url=server.url(name), rate=rate, ttl=ttl) for name in SOURCES}
        sources |= settings.pop("sources", {})
        if secret:
            settings |= {"secrets": Secrets({"NCBI_API_KEY": KEY, "NCBI_EMAIL": EMAIL}), "email": EMAIL}
        return vouched_host(settings.pop("plugins", None), installed=True, limits=limits, sources=sources, **settings)

    return make
