"""Answers get_citation_network: one page of a list, its records, and when what was retracted."""

from collections.abc import Mapping, Sequence

import msgspec
from vouched.api import (
    Answer,
    Article,
    Context,
    Date,
    Fault,
    Id,
    InvalidArgument,
    Missing,
    NotFound,
    Ref,
    standing_line,
)

from vouched_europepmc import network
from vouched_europepmc.dates import iso_date
from vouched_europepmc.get_citation_network import CitationNetwork, CitationRow, CitedPaper
from vouched_europepmc.lookup import canonical_id, find, look_up, service_key
from vouched_europepmc.network import Direction, Entry
from vouched_europepmc.rows import hit, warn_standing

__all__ = ["answer"]


class _At(msgspec.Struct, frozen=True):
    """A page of the service and its rows already given."""

    page: int
    skip: int


async def answer(
    ctx: Context, ids: Sequence[Ref], direction: Direction, limit: int, enrich: bool
) -> Answer[CitationNetwork]:
    """One page of the list of one paper."""
    at = ctx.state(_At) or _At(1, 0)
    (article,) = await look_up(ctx, ids)
    key = service_key(article, ids[0].id)
    if key is None:
        raise _fault(article, ids[0].input)
    listed = await network.ask(ctx, key, direction, page=at.page, size=limit)
    if isinstance(article, Missing) and not listed.entries:
        raise _fault(article, ids[0].input)
    warn_standing(ctx, [article] if isinstance(article, Article) else [])
    records = await _records(ctx, listed.entries) if enrich else {}
    rows = [_row(ctx, entry, records, article, direction) for entry in listed.entries]
    before = (at.page - 1) * limit
    last = before + limit >= listed.total or not rows
    _warn_short(ctx, len(rows), min(limit, max(0, listed.total - before)))
    fitted = ctx.fit(
        rows[at.skip :],
        lambda kept: (
            _At(at.page, at.skip + kept) if at.skip + kept < len(rows) else None if last else _At(at.page + 1, 0)
        ),
    )
    if line := standing_line({row.id: row.status for row in fitted.rows}):
        ctx.warn(line)
    _note(ctx, fitted.rows, listed.total, direction)
    data = CitationNetwork(
        paper=_asked(ctx, article) if isinstance(article, Article) else None,
        direction=direction,
        hit_count=listed.total,
        returned=len(fitted.rows),
        seen=before + len(rows) - fitted.held_back,
        end=fitted.next_cursor is None,
        coverage=_coverage(direction, listed, article),
        rows=fitted.rows,
        without_id=sum(not row.id for row in fitted.rows),
        not_enriched=sum(bool(row.reason) for row in fitted.rows),
        retracted=sum(bool(row.record and row.record.status == "retracted") for row in fitted.rows),
    )
    failed = any(isinstance(one, Fault) or (isinstance(one, Missing) and one.retryable) for one in records.values())
    return Answer(data, "partial" if failed else "ok", fitted.next_cursor)


def _warn_short(ctx: Context, gave: int, due: int) -> None:
    """A page with less than it should hold: the list is not whole, and nobody else would know."""
    if gave < due:
        rows = f"{gave} row{'' if gave == 1 else 's'}"
        ctx.warn(f"Europe PMC gave {rows} where {due} were due: the list is not complete.")


def _asked(ctx: Context, article: Article) -> CitedPaper:
    whole = hit(ctx, article)
    return CitedPaper(**{name: getattr(whole, name) for name in CitedPaper.__struct_fields__})


def _fault(article: Article | Missing, spelt: str) -> Fault:
    reason = article.reason if isinstance(article, Missing) else "Europe PMC keeps no lists for this kind of record."
    kind = InvalidArgument if isinstance(article, Missing) and article.state == "invalid" else NotFound
    return kind(f"{spelt!r}: {reason}", path="ids[0]", hint="Give a PMID, PMCID, DOI or PPR id of one paper.")


async def _records(ctx: Context, entries: Sequence[Entry]) -> dict[Id, Article | Missing | Fault]:
    found = await find(ctx, [entry.id for entry in entries if entry.id])
    articles = list({id(one): one for one in found.values() if isinstance(one, Article)}.values())
    if articles:
        await ctx.session.keep_articles(articles)
    return found


def _row(
    ctx: Context,
    entry: Entry,
    records: Mapping[Id, Article | Missing | Fault],
    article: Article | Missing,
    direction: str,
) -> CitationRow:
    row = CitationRow(entry.position, _cited_as(entry), "not_checked", str(entry.id or ""))
    if entry.id is None:
        row.reason = (
            f"Europe PMC names {entry.named}, which is no id of that source"
            if entry.named
            else "Europe PMC matched it to no record"
        )
        return row
    record = records.get(entry.id)
    if isinstance(record, Article):
        row.id, row.status, row.record = canonical_id(record), record.status.status, hit(ctx, record)
        if isinstance(article, Article):
            row.retraction = _timing(*((record, article) if direction == "citations" else (article, record)))
    elif isinstance(record, Missing):
        row.reason = record.reason
    elif isinstance(record, Fault):
        row.reason = record.message
    return row


def _cited_as(entry: Entry) -> str:
    """`Authors. Title. Journal. Year;volume(issue):pages` of what is there."""
    numbers = entry.volume + (f"({entry.issue})" if entry.issue else "") + (f":{entry.pages}" if entry.pages else "")
    when = ";".join(part for part in (str(entry.year or ""), numbers) if part)
    parts = [part.rstrip(". ") for part in (entry.authors, entry.title, entry.journal, when)]
    return ". ".join(part for part in parts if part)


def _timing(citing: Article, cited: Article) -> str:
    """When a retracted paper was retracted, seen from the paper that cites it; "" where it is not retracted."""
    notice = next((signal for signal in cited.status.signals if signal.kind == "retracted"), None)
    if notice is None:
        return ""
    order = network.compare(network.date_of(notice.source), _published(citing))
    return {"before": "retracted_before_citing", "after": "retracted_after_citing"}.get(order, "order_unknown")


def _published(article: Article) -> Date:
    first = iso_date(article.dates_recorded.get("firstPublicationDate"))
    return first if first.year else article.date


def _coverage(direction: str, listed: network.Listed, article: Article | Missing) -> str:
    known = "papers that Europe PMC holds" if direction == "citations" else "the reference list as Europe PMC has it"
    said = f"{listed.total:,} {direction}: {known}; other services count others."
    counted = article.citation_count if isinstance(article, Article) else None
    if direction == "citations" and counted is not None and counted != listed.total:
        said += f" The record itself says {counted:,}."
    if listed.none or not listed.total:
        said += " None does not mean that there are none: the list may never have been supplied."
    return said


def _note(ctx: Context, rows: Sequence[CitationRow], total: int, direction: str) -> None:
    ctx.note("direction", direction)
    ctx.note("total", total)
    ctx.note("ids", [row.id for row in rows if row.id])
