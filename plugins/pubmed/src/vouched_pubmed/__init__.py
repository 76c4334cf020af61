"""PubMed for Vouched: search, full records, citation matching, MeSH, spelling, reference checks, search strategies."""

from collections.abc import Iterable

from vouched.api import Source, Tool, hookimpl

__all__ = ["sources", "tools"]


@hookimpl
def sources() -> Iterable[Source]:
    from vouched_pubmed.sources import SOURCES

    return SOURCES


@hookimpl
def tools() -> Iterable[Tool]:
    from vouched_pubmed.search_articles import search_articles

    return [search_articles]
