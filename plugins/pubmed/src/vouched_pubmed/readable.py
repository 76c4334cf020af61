"""Resources of this plugin: one record by its PMID, and PubMed's search fields."""

from collections.abc import Sequence

import msgspec
from vouched.api import Article, Content, Context, Fault, InvalidArgument, NotFound, Resource, canonical

__all__ = ["RESOURCES"]

MOST_SUGGESTIONS = 20


async def _read_article(ctx: Context, pmid: str) -> Content:
    """The neutral record as JSON.

    Raises:
        InvalidArgument: for what is no PMID; NotFound: where PubMed has none; Fault: where it could not be asked.
    """
    known = canonical("pmid", pmid)
    if known is None:
        raise InvalidArgument("This is no PMID.", path="pmid", expected="digits", example="18276894")
    (record,) = await ctx.articles.get([known])
    if isinstance(record, Article):
        return Content(msgspec.json.format(msgspec.json.encode(record), indent=1).decode(), "application/json")
    if record.state == "failed":
        raise Fault(record.reason or "PubMed could not be asked.", retryable=record.retryable, source=record.source)
    raise NotFound(record.reason or f"PubMed has no record {known.value}.")


async def _suggest(ctx: Context, variable: str, prefix: str) -> Sequence[str]:
    """PMIDs of the last run that found something and begin like `prefix`."""
    run = await ctx.session.last()
    pmids = [value for id_ in (run.ids if run else ()) if (value := id_.removeprefix("pmid:")) != id_]
    return [pmid for pmid in pmids if pmid.startswith(prefix)][:MOST_SUGGESTIONS]


async def _read_fields(ctx: Context) -> Content:
    from vouched_pubmed.fields import fields_table

    text = (
        '# PubMed\'s search fields\n\nA tag stands in brackets: `asthma[ti]`, `"heart failure"[tiab]`. '
        "AND, OR and NOT in capitals are read from left to right; `*` truncates after four letters; "
        '`"word other"[tiab:~3]` finds words near each other. Dates take ranges: `2020/01:2020/06[dp]`.\n\n'
    )
    return Content(text + fields_table() + "\n")


RESOURCES: Sequence[Resource] = (
    Resource(
        "vouched://pubmed/article/{pmid}",
        "PubMed record",
        _read_article,
        "Everything PubMed says of one article, as the neutral record in JSON.",
        "application/json",
        _suggest,
    ),
    Resource(
        "vouched://pubmed/fields",
        "PubMed search fields",
        _read_fields,
        "Field tags of PubMed's query language and what they search.",
    ),
)
