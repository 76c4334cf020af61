"""Europe PMC for Vouched: search, records, licensed full text, annotations, citations, data links and evidence."""

from collections.abc import Sequence

from vouched.api import Check, Prompt, Resolver, Source, TextSource, Tool, hookimpl

__all__ = ["checks", "prompts", "resolvers", "sources", "texts", "tools"]


@hookimpl
def sources() -> Sequence[Source]:
    from vouched_europepmc.service import SOURCES

    return SOURCES


@hookimpl
def tools() -> Sequence[Tool]:
    from vouched_europepmc.build_evidence_table import build_evidence_table
    from vouched_europepmc.fetch_article import fetch_article
    from vouched_europepmc.get_annotations import get_annotations
    from vouched_europepmc.get_citation_network import get_citation_network
    from vouched_europepmc.get_database_links import get_database_links
    from vouched_europepmc.search_literature import search_literature
    from vouched_europepmc.verify_quotes import verify_quotes

    return [
        search_literature,
        fetch_article,
        get_annotations,
        get_citation_network,
        get_database_links,
        build_evidence_table,
        verify_quotes,
    ]


@hookimpl
def resolvers() -> Sequence[Resolver]:
    from vouched_europepmc.resolver import RESOLVER

    return [RESOLVER]


@hookimpl
def texts() -> Sequence[TextSource]:
    from vouched_europepmc.fulltexts import TEXTS

    return [TEXTS]


@hookimpl
def prompts() -> Sequence[Prompt]:
    from vouched_europepmc.guide import PROMPTS

    return PROMPTS


@hookimpl
def checks() -> Sequence[Check]:
    from vouched_europepmc.probes import CHECKS

    return CHECKS
