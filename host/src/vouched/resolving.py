"""Ids to articles, and articles to licensed texts, through whatever plugins are installed."""

import logging
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from vouched.access import Decision
from vouched.article import Article, Missing
from vouched.defects import is_own, log_defect
from vouched.extensions import Resolver, TextSource
from vouched.faults import Fault
from vouched.fulltext import FullText, TextAnswer
from vouched.ids import Id, Ref, Scheme, canonical

if TYPE_CHECKING:
    from vouched.context import Context

__all__ = ["ArticleService", "find_text", "schemes"]

# So many ids are named where a sentence speaks of many.
NAMED = 3
# id() of a contribution -> the name of its plugin.
Owners: TypeAlias = Mapping[int, str]
NOBODY: Owners = MappingProxyType({})
log = logging.getLogger("vouched.resolving")


def _names(resolver: Resolver) -> set[str]:
    return {scheme if isinstance(scheme, str) else scheme.name for scheme in resolver.schemes}


def _called(contribution: Resolver | TextSource, owners: Owners) -> str:
    """Its class, and the plugin to ask about it."""
    kind, owner = type(contribution).__name__, owners.get(id(contribution), "")
    return f"{kind} of plugin {owner}" if owner else kind


def schemes(resolvers: Sequence[Resolver]) -> list[Scheme]:
    """The kinds of id that resolvers bring beside the built-in ones."""
    return [scheme for resolver in resolvers for scheme in resolver.schemes if isinstance(scheme, Scheme)]


class ArticleService:
    """`ctx.articles` of one call."""

    def __init__(self, resolvers: Sequence[Resolver], context: "Context", owners: Owners = NOBODY) -> None:
        self._resolvers = resolvers
        self._owners = owners
        self._context = context

    @property
    def available(self) -> bool:
        """Whether any resolver is installed."""
        return bool(self._resolvers)

    async def get(self, ids: Sequence[Ref | Id]) -> list[Article | Missing]:
        """See `vouched.context.Articles`."""
        wanted = [element if isinstance(element, Id) else element.id for element in ids]
        found = await self._resolve(list(dict.fromkeys(id_ for id_ in wanted if id_)))
        articles = {id(record): record for record in found.values() if isinstance(record, Article)}
        await self._context.session.keep_articles(list(articles.values()))
        return [
            found[id_] if id_ else Missing("invalid", getattr(element, "problem", ""))
            for element, id_ in zip(ids, wanted, strict=True)
        ]

    async def _resolve(self, ids: Sequence[Id]) -> dict[Id, Article | Missing]:
        found: dict[Id, Article | Missing] = {}
        misses: dict[Id, list[Missing]] = {id_: [] for id_ in ids}
        for resolver in self._resolvers:
            asked = [id_ for id_ in ids if id_ not in found and id_.scheme in _names(resolver)]
            if not asked:
                continue
            for id_, record in (await self._ask(resolver, asked)).items():
                if isinstance(record, Article):
                    found[id_] = record
                else:
                    misses[id_].append(record)
        self._say_second_choices({id_: r for id_, r in found.items() if isinstance(r, Article)}, misses)
        for id_ in ids:
            if id_ not in found:
                found[id_] = _gravest(id_, misses[id_])
        return found

    async def _ask(self, resolver: Resolver, ids: Sequence[Id]) -> Mapping[Id, Article | Missing]:
        """One entry for every id asked, whatever the resolver does."""
        name = _called(resolver, self._owners)
        try:
            records = await resolver.resolve(self._context, ids)
            # An id that a resolver forgot was not answered: that is its failure, not a missing article.
            silent = Missing("failed", f"{name} gave no answer for this id.")
            given = {id_: records.get(id_) for id_ in ids}
            return {id_: r if isinstance(r, Article | Missing) else silent for id_, r in given.items()}
        except Fault as fault:
            failed = Missing.of(fault)
        except BaseException as error:
            if is_own(error):
                raise
            log_defect(log, self._context.settings, f"resolver {name} failed", error)
            failed = Missing("failed", f"{name} failed: {type(error).__name__}.")
        return dict.fromkeys(ids, failed)

    def _say_second_choices(self, found: Mapping[Id, Article], misses: Mapping[Id, Sequence[Missing]]) -> None:
        """Records that come from another source because the first could not be asked: said once for each such pair."""
        pairs: dict[tuple[str, str], list[Id]] = {}
        for id_, article in found.items():
            for miss in misses[id_]:
                if miss.state == "failed":
                    pairs.setdefault((article.source, miss.source or "another source"), []).append(id_)
        for (source, failed), ids in pairs.items():
            named = ", ".join(str(id_) for id_ in ids[:NAMED])
            more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
            come = "comes" if len(ids) == 1 else "come"
            self._context.warn(f"{named}{more} {come} from {source}; {failed} could not be asked.")


def _gravest(id_: Id, misses: Sequence[Missing]) -> Missing:
    """A failure outranks a `not_found` elsewhere: what could not be asked may have it."""
    if not misses:
        return Missing("not_checked", f"No installed plugin resolves a {id_.scheme}.")
    named = [miss for miss in misses if miss.state not in ("failed", "not_found")]
    failed = [miss for miss in misses if miss.state == "failed"]
    return (named or failed or list(misses))[0]


async def find_text(
    sources: Sequence[TextSource], context: "Context", article: Article, owners: Owners = NOBODY
) -> TextAnswer:
    """The text of an article from the first source that has it, through the licence gate."""
    before = context.licence.decide(article.access)
    if article.access is not None and article.access.open is False and not article.access.manuscript:
        # The flags decide (rules d and e): a text that may not be read is not fetched either. A manuscript may carry a
        # licence of its own (rule a), which only the text can tell.
        return TextAnswer("restricted", before)
    misses: list[Missing] = []
    for source in sources:
        text = await _found_by(source, context, article, owners)
        if isinstance(text, FullText):
            return _gated(context.licence.decide(text.access), text)
        misses.append(text)
    failed = [miss for miss in misses if miss.state == "failed"]
    if failed:
        return TextAnswer("failed", before, missing=failed[0])
    reason = "No installed plugin gives full texts." if not sources else "No source has the full text."
    return TextAnswer("missing", before, missing=misses[0] if misses else Missing("not_found", reason))


async def _found_by(source: TextSource, context: "Context", article: Article, owners: Owners) -> FullText | Missing:
    name = _called(source, owners)
    try:
        text = await source.find(context, article)
    except Fault as fault:
        return Missing.of(fault)
    except BaseException as error:
        if is_own(error):
            raise
        log_defect(log, context.settings, f"text source {name} failed", error)
        return Missing("failed", f"{name} failed: {type(error).__name__}.")
    if isinstance(text, FullText):
        return _mismatch(article, text) or text
    return text if isinstance(text, Missing) else Missing("failed", f"{name} gave neither text nor reason.")


def _gated(decision: Decision, text: FullText) -> TextAnswer:
    if decision.uses.read == "yes":
        return TextAnswer("granted", decision, text)
    return TextAnswer("restricted", decision)


def _mismatch(article: Article, text: FullText) -> Missing | None:
    """A text that carries another id than the article of the same scheme is another paper, or another version."""
    for scheme in ("pmid", "pmcid", "doi"):
        asked, got = article.ids.get(scheme), text.ids.get(scheme)
        if asked and got and canonical(scheme, asked) != canonical(scheme, got):
            return Missing(
                "identity_mismatch", f"The text that came back is of {scheme} {got}, not {asked}.", source=text.source
            )
    return None
