"""One emulator per module over the invented records, one over the corpus as well."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests import emulator
from tests.emulator import Emulator


class Caller:
    """Asks a running emulator by source and path."""

    def __init__(self, server: Emulator) -> None:
        self.server = server
        self.client = httpx.Client(timeout=10)

    def get(self, source: str, path: str = "", headers: Any = None, **params: Any) -> httpx.Response:
        return self.client.get(self.server.url(source) + path, params=params, headers=headers)

    def post(self, source: str, path: str, **fields: str) -> httpx.Response:
        return self.client.post(self.server.url(source) + path, data=fields)


def _caller(server: Emulator) -> Iterator[Caller]:
    caller = Caller(server)
    with caller.client:
        yield caller


@pytest.fixture(scope="module")
def joined() -> Iterator[Caller]:
    with emulator.start(corpus=False) as server:
        yield from _caller(server)


@pytest.fixture(scope="module")
def whole() -> Iterator[Caller]:
    if emulator.corpus_folder() is None:
        pytest.skip("the corpus of upstream responses (VOUCHED_SHARED) is missing")
    with emulator.start() as server:
        yield from _caller(server)
