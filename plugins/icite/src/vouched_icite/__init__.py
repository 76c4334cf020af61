"""NIH iCite for Vouched: citation metrics that say what they mean."""

from collections.abc import Iterable

from vouched.api import Source, Tool, hookimpl

__all__ = ["sources", "tools"]


@hookimpl
def sources() -> Iterable[Source]:
    from vouched_icite.client import ICITE

    return [ICITE]


@hookimpl
def tools() -> Iterable[Tool]:
    from vouched_icite.get_citation_metrics import get_citation_metrics

    return [get_citation_metrics]
