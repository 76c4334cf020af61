"""Europe PMC for Vouched: search, records, licensed full text, annotations, citations, data links and evidence."""

from collections.abc import Sequence
from importlib import metadata

from vouched.api import Check, Resolver, Source, TextSource, Tool, hookimpl

__all__ = ["checks", "resolvers", "sources", "texts", "tools"]

__version__ = metadata.version("vouched-europepmc")


@hookimpl
def sources() -> Sequence[Source]:
    from vouched_europepmc.service import SOURCES

    return SOURCES


@hookimpl
def tools() -> Sequence[Tool]:
    from vouched_europepmc.fetch_article import fetch_article
    from vouched_europepmc.get_annotations import get_annotations
    from vouched_europepmc.search_literature import search_literature

    return [search_literature, fetch_article, get_annotations]


@hookimpl
def resolvers() -> Sequence[Resolver]:
    from vouched_europepmc.resolver import RESOLVER

    return [RESOLVER]


@hookimpl
def texts() -> Sequence[TextSource]:
    from vouched_europepmc.fulltexts import TEXTS

    return [TEXTS]


@hookimpl
def checks() -> Sequence[Check]:
    from vouched_europepmc.checks import CHECKS

    return CHECKS
