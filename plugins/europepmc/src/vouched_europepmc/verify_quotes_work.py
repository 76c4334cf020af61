"""Answers verify_quotes: holds each quotation against the title, abstract and licensed text of its paper."""

import asyncio
from collections.abc import Sequence

from vouched.api import Answer, Article, Context, Missing, TextAnswer, parse_id

from vouched_europepmc.anchors import Passage, passages
from vouched_europepmc.lookup import canonical_id, look_up
from vouched_europepmc.quotes import Finding, Printed, check
from vouched_europepmc.rows import shortened, signals
from vouched_europepmc.service import some_at_once
from vouched_europepmc.verify_quotes import CheckedQuote, CheckedQuotes, QuoteAsked, QuotedPaper

__all__ = ["answer"]

# Characters of each quotation that its row repeats.
ECHOED = 80


async def answer(ctx: Context, quotes: Sequence[QuoteAsked]) -> Answer[CheckedQuotes]:
    """One row a quotation."""
    refs = [parse_id(quote.id) for quote in quotes]
    articles = await look_up(ctx, refs)
    ids = [canonical_id(article) if isinstance(article, Article) else "" for article in articles]
    distinct = {id_: article for id_, article in zip(ids, articles, strict=True) if isinstance(article, Article)}
    texts = dict(zip(distinct, await some_at_once(ctx.text, distinct.values()), strict=True))
    whole = {id_: passages(article, texts[id_].text) for id_, article in distinct.items()}
    printed = {id_: Printed(of) for id_, of in whole.items()}
    rows: list[CheckedQuote] = []
    for position, (quote, ref, article, id_) in enumerate(zip(quotes, refs, articles, ids, strict=True), start=1):
        if isinstance(article, Missing):
            reason = f"{article.state}: {article.reason}"
            quoted = shortened(quote.text, ECHOED)[0]
            rows.append(CheckedQuote(position, str(ref.id or quote.id), "not_checkable", quoted, reason))
            continue
        within = _within(ctx, quote, whole[id_], position)
        against = printed[id_] if within is None else Printed(within)
        finding = await asyncio.to_thread(check, quote.text, against)
        rows.append(_row(position, quote, article, texts[id_], finding, whole[id_]))
        await ctx.progress(position, len(quotes))
    outcomes: dict[str, int] = {}
    for row in rows:
        outcomes[row.outcome] = outcomes.get(row.outcome, 0) + 1
    ctx.note("ids", list(distinct))
    papers = [_paper(id_, article, texts[id_], whole[id_]) for id_, article in distinct.items()]
    unasked = any(text.state == "failed" for text in texts.values()) or any(
        isinstance(article, Missing) and article.retryable for article in articles
    )
    return Answer(CheckedQuotes(rows, outcomes, papers), "partial" if unasked else "ok")


def _within(ctx: Context, quote: QuoteAsked, of: Sequence[Passage], position: int) -> list[Passage] | None:
    """The passages of the section that the caller names; all of them (None) where it names none that exists."""
    wanted = quote.section.strip().casefold()
    if not wanted:
        return None
    found = [passage for passage in of if wanted in passage.path.casefold()]
    if not found:
        ctx.warn(f"Quotation {position}: no section is called {quote.section!r}; the whole text was searched.")
    return found or None


def _places(of: Sequence[Passage]) -> list[str]:
    return list(dict.fromkeys(passage.where for passage in of))


def _paper(id_: str, article: Article, text: TextAnswer, of: Sequence[Passage]) -> QuotedPaper:
    decision = text.decision
    return QuotedPaper(
        id_,
        article.title,
        article.status.status,
        _places(of),
        decision.uses.quote,
        decision.decided_by,
        signals(article.status),
    )


def _row(
    position: int, quote: QuoteAsked, article: Article, text: TextAnswer, found: Finding, of: Sequence[Passage]
) -> CheckedQuote:
    row = CheckedQuote(
        position,
        canonical_id(article),
        found.outcome,
        shortened(quote.text, ECHOED)[0],
        likeness=found.likeness if found.outcome in ("altered", "absent") else None,
    )
    if found.passage:
        row.path, row.block, row.start, row.end = found.passage.path, found.passage.block, found.start, found.end
        row.printed = "" if found.outcome == "exact" and not found.elided else found.text
        row.sha256, row.changes = found.sha256, found.changes
        row.places, row.elided, row.cues_outside = found.places, found.elided, found.cues_outside
    if text.text is None and found.outcome in ("absent", "altered"):
        # The true words may stand in the part that could not be read.
        row.outcome = "not_checkable"
        why = text.missing.reason if text.missing else text.decision.decided_by
        row.reason = f"the full text could not be read ({why}); searched: {', '.join(_places(of))}"
    return row
