"""NIH iCite for Vouched: citation metrics that say what they mean."""

from collections.abc import Iterable

from vouched.api import Source, Tool, hookimpl

__all__ = ["sources", "tools"]


@hookimpl
def sources() -> Iterable[Source]:
    return [
        Source(
            "icite",
            "https://icite.od.nih.gov/api/",
            rate=2,
            in_flight=3,
            # iCite is updated once a month.
            ttl=21_600,
            terms="https://icite.od.nih.gov/user_guide?page_id=ug_data",
            title="NIH iCite",
        )
    ]


@hookimpl
def tools() -> Iterable[Tool]:
    from vouched_icite.get_citation_metrics import get_citation_metrics

    return [get_citation_metrics]
