"""The records that round trips use: every gold item, and the corpus's PubMed records through the EFetch reader."""

import os
from functools import cache
from pathlib import Path

import pytest
from vouched.api import Article, Author, Fault
from vouched_citeformat.markup import line
from vouched_citeformat.names import named

from plugins.citeformat.tests import gold

__all__ = ["corpus", "gold_articles", "names", "people_of"]


@cache
def gold_articles() -> tuple[Article, ...]:
    """The gold items as articles."""
    return tuple(gold.article(item["record"]) for item in gold.load("citations.json"))


@cache
def _corpus() -> tuple[Article, ...]:
    efetch = pytest.importorskip("vouched_pubmed.efetch")
    shared = Path(os.environ.get("VOUCHED_SHARED") or Path(__file__).parents[3] / "shared")
    found: dict[str, Article] = {}
    for path in sorted((shared / "upstream" / "pubmed-efetch-xml").glob("*.xml")):
        try:
            read = efetch.read_articles(path.read_bytes(), retrieved_at="2026-11-30T00:00:00Z")
        except Fault:
            # Some files of the corpus are errors and damaged answers, kept for the tests of the reader.
            continue
        found.update({article.ids["pmid"]: article for article in read.articles})
    return tuple(found.values())


def corpus() -> tuple[Article, ...]:
    """The corpus's PubMed records, each PMID once; a skip where there are none."""
    found = _corpus()
    if not found:
        pytest.skip("the corpus is not here (VOUCHED_SHARED)")
    return found


def people_of(article: Article) -> list[Author]:
    """Who an export names as authors: a book without authors of its own has its book's."""
    people = article.authors or (article.book.authors if article.kind == "book" and article.book else [])
    return named(people)


def names(article: Article) -> list[str]:
    """What identifies each author when read back: the family name or the group's name, one line each."""
    return [line(person.collective or person.family or person.given) for person in people_of(article)]
