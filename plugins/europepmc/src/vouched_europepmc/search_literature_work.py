"""Answers search_literature: composes the query, asks one page, and judges what the licence of each hit allows."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial

import msgspec
from vouched.api import Access, Answer, Article, Context, InvalidArgument, standing_line

from vouched_europepmc import search
from vouched_europepmc.lookup import canonical_id
from vouched_europepmc.queries import compose, date_range
from vouched_europepmc.query_hints import hints
from vouched_europepmc.rows import Hit, allowed, hit, warn_notices
from vouched_europepmc.search_literature import From, SearchResult, Use

__all__ = ["answer"]

SORTS = {"relevance": "", "date": "P_PDATE_D desc", "citations": "CITED desc"}
# Licence strings of Europe PMC; which of them allow a use is the policy's to say.
LICENCES = ("cc0", "cc by", "cc by-sa", "cc by-nd", "cc by-nc", "cc by-nc-sa", "cc by-nc-nd")
MANUSCRIPTS = "AUTH_MAN:Y OR EPMC_AUTH_MAN:Y OR NIH_AUTH_MAN:Y"


class _Place(msgspec.Struct, frozen=True):
    """Where a page begins: the service's cursor mark, rows of its page already given, hits passed before its page."""

    mark: str
    skip: int
    seen: int
    licensed: bool


async def answer(
    ctx: Context,
    query: str,
    synonym_expansion: bool,
    date_from: str | None,
    date_to: str | None,
    open_access_only: bool,
    include_preprints: bool,
    exclude_retracted: bool,
    sources: Sequence[From] | None,
    may: Sequence[Use],
    sort: str,
    limit: int,
    abstract: str,
) -> Answer[SearchResult]:
    """One page of hits that pass the filters."""
    place = ctx.state(_Place) or _Place(search.FIRST_MARK, 0, 0, licensed=True)
    filters = _filters(date_from, date_to, open_access_only, include_preprints, exclude_retracted, sources)
    ask = partial(search.ask, ctx, size=limit, mark=place.mark, sort=SORTS[sort], synonym=synonym_expansion)
    sent, hits, licensed = await _asked(ctx, ask, query, filters, _licence_filters(ctx, may), place)
    articles = _ordered(ctx, hits.articles, sort, sources)
    rows, suppressed = _rows(ctx, articles, abstract, may, include_preprints, exclude_retracted)
    # The rest of a page that began in the answer before: that one has counted what is left out of it.
    suppressed = {} if place.skip else suppressed
    _warn(ctx, query if place.seen + place.skip == 0 else "", suppressed, len(articles))
    seen = place.seen + len(articles)
    following = _Place(hits.next_mark, 0, seen, licensed) if hits.next_mark else None
    fitted = ctx.fit(
        rows[place.skip :],
        lambda kept: (
            _Place(place.mark, place.skip + kept, place.seen, licensed) if place.skip + kept < len(rows) else following
        ),
    )
    await ctx.session.keep_articles(list(articles))
    _warn_standing(ctx, fitted.rows, articles)
    _note(ctx, query, sent, hits, fitted.rows)
    end = fitted.next_cursor is None
    if end and seen < hits.total:
        ctx.warn(f"Europe PMC ended its list after {seen:,} of {hits.total:,} hits.")
    found = SearchResult(
        query=sent,
        synonym_expansion=synonym_expansion,
        hit_count=hits.total,
        returned=len(fitted.rows),
        seen=seen - fitted.held_back,
        end=end,
        records=fitted.rows,
        suppressed=suppressed,
    )
    return Answer(found, next_cursor=fitted.next_cursor)


async def _asked(
    ctx: Context,
    ask: Callable[[str], Awaitable[search.Hits]],
    query: str,
    filters: Sequence[str],
    licences: Sequence[str],
    place: _Place,
) -> tuple[str, search.Hits, bool]:
    """What was sent, its page of hits, and whether the service filtered by licence."""
    if place.licensed and licences:
        sent = compose(query, [*filters, *licences])
        hits = await ask(sent)
        if hits.total or place.mark != search.FIRST_MARK:
            return sent, hits, True
        # A service that knows its licence field by other words must not look like one that has nothing.
        ctx.warn("The licence filter found nothing upstream; hits were filtered here by their licence instead.")
    sent = compose(query, filters)
    return sent, await ask(sent), False


def _filters(
    date_from: str | None,
    date_to: str | None,
    open_access_only: bool,
    include_preprints: bool,
    exclude_retracted: bool,
    sources: Sequence[str] | None,
) -> list[str]:
    if sources and set(sources) == {"PPR"} and not include_preprints:
        raise InvalidArgument(
            "`sources` asks for preprints alone and `include_preprints` leaves them out.",
            path="include_preprints",
            hint="Leave one of the two out.",
        )
    filters = [date_range(date_from, date_to)]
    if open_access_only:
        filters.append("OPEN_ACCESS:Y")
    if sources:
        filters.append("(" + " OR ".join(f"SRC:{source}" for source in dict.fromkeys(sources)) + ")")
    if not include_preprints:
        # PubMed holds preprints of its own: they have another source, and the type.
        filters += ["NOT SRC:PPR", 'NOT PUB_TYPE:"Preprint"']
    if exclude_retracted:
        filters.append('NOT PUB_TYPE:"Retracted Publication"')
    return [part for part in filters if part]


def _licence_filters(ctx: Context, may: Sequence[str]) -> list[str]:
    """What of `may` the service can filter itself: open access, a licence where one is needed, and author manuscripts
    where what may be done with those is enough."""
    if not may:
        return []

    def enough(access: Access) -> bool:
        return set(may) <= set(allowed(ctx.licence.decide(access)))

    plain = Access(open=True, in_archive=True, licence="", source="europepmc")
    named = [name for name in LICENCES if enough(msgspec.structs.replace(plain, licence=name))]
    licences = " OR ".join(f'LICENSE:"{name}"' for name in named)
    filters = ["OPEN_ACCESS:Y"] if enough(plain) or not named else ["OPEN_ACCESS:Y", f"({licences})"]
    if enough(msgspec.structs.replace(plain, open=False, manuscript=True)):
        return [f"(({' AND '.join(filters)}) OR {MANUSCRIPTS})"]
    return filters


def _ordered(ctx: Context, articles: Sequence[Article], sort: str, sources: Sequence[str] | None) -> Sequence[Article]:
    """Europe PMC takes a date sort of preprints and does not follow it."""
    if sort != "date" or not sources or set(sources) != {"PPR"}:
        return articles
    dates = [article.dates_recorded.get("firstPublicationDate", "") for article in articles]
    if dates == sorted(dates, reverse=True):
        return articles
    ctx.warn("Europe PMC does not sort preprints by date; each page is sorted here by first publication date.")
    return sorted(articles, key=lambda a: a.dates_recorded.get("firstPublicationDate", ""), reverse=True)


def _rows(
    ctx: Context,
    articles: Sequence[Article],
    abstract: str,
    may: Sequence[str],
    include_preprints: bool,
    exclude_retracted: bool,
) -> tuple[list[Hit], dict[str, int]]:
    """The hits that pass what the service was asked to filter, and how many do not, by reason."""
    rows: list[Hit] = []
    suppressed: dict[str, int] = {}
    for article in articles:
        row = hit(ctx, article, abstract)
        if exclude_retracted and row.status == "retracted":
            reason = "retracted"
        elif row.is_preprint and not include_preprints:
            reason = "preprint"
        elif not set(may) <= set(row.may):
            reason = "licence"
        else:
            rows.append(row)
            continue
        suppressed[reason] = suppressed.get(reason, 0) + 1
    return rows, suppressed


def _warn(ctx: Context, query: str, suppressed: Mapping[str, int], hits: int) -> None:
    """Of what the service may have understood otherwise, and of hits that are left out."""
    for hint in hints(query):
        ctx.warn(hint)
    if suppressed:
        left = sum(suppressed.values())
        ctx.warn(
            f"{left} of this page's {hits} hit{' is' if hits == 1 else 's are'} left out "
            f"({', '.join(f'{count} by {reason}' for reason, count in suppressed.items())}); hit_count counts them."
        )


def _warn_standing(ctx: Context, rows: Sequence[Hit], articles: Sequence[Article]) -> None:
    """One line for what is retracted and one for what is a notice, of the rows shown."""
    if line := standing_line({row.id: row.status for row in rows}):
        ctx.warn(line)
    shown = {row.id for row in rows}
    warn_notices(ctx, {id_: one for one in articles if (id_ := canonical_id(one)) in shown})


def _note(ctx: Context, query: str, sent: str, hits: search.Hits, rows: Sequence[Hit]) -> None:
    """A search record has the query as it was given; with its filters it is what was sent."""
    ctx.note("query", query)
    ctx.note("sent", sent)
    ctx.note("translation", hits.read_as)
    ctx.note("total", hits.total)
    ctx.note("ids", [row.id for row in rows])
    if hits.total:
        return
    ctx.warn("Europe PMC has no hit for this query.")
