"""A resolver over invented articles, and a host with this plugin and that resolver."""

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
import vouched_citeformat
from vouched.api import Article, Context, Id, Missing, hookimpl
from vouched.host import Host

from plugins.citeformat.tests import invented


class Shelf:
    """Resolves PMIDs and DOIs of given articles; PMIDs from 99900400 on cannot be asked for."""

    schemes = ("pmid", "doi", "ppr")
    rank = 10

    def __init__(self, articles: Sequence[Article]) -> None:
        self.articles = {id_: article for article in articles for id_ in article.known_ids()}

    async def resolve(self, ctx: Context, ids: Sequence[Id]) -> Mapping[Id, Article | Missing]:
        return {id_: self.articles.get(id_) or self.missing(id_) for id_ in ids}

    def missing(self, id_: Id) -> Missing:
        if id_.value.startswith("999004"):
            return Missing("failed", "The service did not answer.", retryable=True, source="shelf")
        return Missing("not_found", "No record has this id.", source="shelf")


def shelf(articles: Sequence[Article]) -> SimpleNamespace:
    """A plugin that brings a resolver over `articles`."""

    @hookimpl
    def resolvers() -> list[Shelf]:
        return [Shelf(articles)]

    return SimpleNamespace(resolvers=resolvers)


@pytest.fixture
def cite_host(vouched_host: Callable[..., Host]) -> Callable[..., Host]:
    """`cite_host(articles, more={"name": plugin})`: this plugin, and a resolver over `articles` where there are any."""

    def make(articles: Sequence[Article] | None = None, more: Mapping[str, Any] | None = None, **settings: Any) -> Host:
        if articles is None:
            articles = [
                invented.article(),
                invented.retracted(ids={"pmid": "99900007", "doi": "10.9999/jir.2024.7"}),
                invented.chapter(),
            ]
        plugins: dict[str, Any] = {"citeformat": vouched_citeformat, **(more or {})}
        if articles:
            plugins["shelf"] = shelf(articles)
        return vouched_host(plugins, **settings)

    return make
