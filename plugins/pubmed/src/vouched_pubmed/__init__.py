"""PubMed for Vouched: search, full records, citation matching, MeSH, spelling, reference checks, search strategies."""

from collections.abc import Iterable

from vouched.api import Check, Prompt, Resolver, Resource, Source, Tool, hookimpl

# No module of this package has a hook's name: importing it would put the module in the hook function's place.
__all__ = ["checks", "prompts", "resolvers", "resources", "sources", "tools"]


@hookimpl
def sources() -> Iterable[Source]:
    from vouched_pubmed.ncbi import SOURCES

    return SOURCES


@hookimpl
def tools() -> Iterable[Tool]:
    from vouched_pubmed.check_references import check_references
    from vouched_pubmed.check_spelling import check_spelling
    from vouched_pubmed.convert_ids import convert_ids
    from vouched_pubmed.fetch_articles import fetch_articles
    from vouched_pubmed.find_related import find_related
    from vouched_pubmed.lookup_citation import lookup_citation
    from vouched_pubmed.lookup_mesh import lookup_mesh
    from vouched_pubmed.search_articles import search_articles
    from vouched_pubmed.strategy import test_strategy

    return [
        search_articles,
        fetch_articles,
        lookup_citation,
        find_related,
        lookup_mesh,
        convert_ids,
        check_spelling,
        check_references,
        test_strategy,
    ]


@hookimpl
def resolvers() -> Iterable[Resolver]:
    from vouched_pubmed.resolver import PubmedResolver

    return [PubmedResolver()]


@hookimpl
def resources() -> Iterable[Resource]:
    from vouched_pubmed.readable import RESOURCES

    return RESOURCES


@hookimpl
def prompts() -> Iterable[Prompt]:
    from vouched_pubmed.guide import SYSTEMATIC_SEARCH

    return [SYSTEMATIC_SEARCH]


@hookimpl
def checks() -> Iterable[Check]:
    from vouched_pubmed.doctor import CHECKS

    return CHECKS
