"""Fixtures of the PubMed plugin's tests."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import corpus


@pytest.fixture(scope="session")
def real_records() -> Sequence[corpus.Real]:
    """Every record of the corpus, read by itself; skips where the corpus is missing."""
    if corpus.folder() is None:
        pytest.skip("the corpus is missing (VOUCHED_SHARED)")
    return corpus.load()
