"""pytest fixtures for plugin authors; pytest loads them wherever Vouched is installed."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from vouched.host import Host
    from vouched.settings import Settings

__all__ = ["anyio_backend", "vouched_host", "vouched_settings"]


@pytest.fixture
def anyio_backend() -> str:
    """Async tests (`@pytest.mark.anyio`) run on asyncio, as the host does."""
    return "asyncio"


@pytest.fixture
def vouched_settings(tmp_path: Path) -> "Callable[..., Settings]":
    """`vouched_settings(urls={"doaj": base_url}, offline=True, …)`: settings over a data folder of the test's own.

    Nothing of the environment is read. `urls` maps sources to the base URL of a local server; other keywords are fields
    of `vouched.api.Settings`. Waits between two tries are a hundredth of a second, unless `limits` says otherwise.
    """

    def make(urls: Mapping[str, str] | None = None, **fields: Any) -> "Settings":
        from vouched.settings import Limits, Settings, SourceSettings

        quick = Limits(retry_wait=0.01, retry_wait_max=0.05)
        sources = {name: SourceSettings(url=url, rate=1000.0) for name, url in (urls or {}).items()}
        return Settings(**{"data": tmp_path / "vouched-data", "sources": sources, "limits": quick, **fields})

    return make


@pytest.fixture
def vouched_host(vouched_settings: "Callable[..., Settings]") -> "Callable[..., Host]":
    """`async with vouched_host({"doaj": module}, urls={…}) as host: await host.call("doaj_journals", {…})`.

    Only the plugins given are loaded, beside the host's own; `installed=True` loads the installed ones too.
    """

    def make(plugins: Mapping[str, Any] | None = None, *, installed: bool = False, **settings: Any) -> "Host":
        from vouched.host import Host

        return Host(vouched_settings(**settings), entries=None if installed else [], plugins=plugins)

    return make
