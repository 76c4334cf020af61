"""The tool verify_quotes."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

from vouched.api import Answer, Article, Context, Meta, Missing, Struct, TextAnswer, parse_id, tool

from vouched_europepmc.anchors import Passage, passages
from vouched_europepmc.quotes import Finding, Printed, check
from vouched_europepmc.resolver import canonical_id, look_up
from vouched_europepmc.rows import Flag, shortened, signals
from vouched_europepmc.service import some_at_once
from vouched_europepmc.worddiff import Change

__all__ = ["CheckedQuote", "CheckedQuotes", "QuotedPaper", "verify_quotes"]

# Characters of each quotation that its row repeats.
ECHOED = 80


class QuoteAsked(Struct):
    """A quotation and the paper that it is said to be from."""

    id: Annotated[str, Meta(min_length=1, max_length=512, description="PMID, PMCID, DOI or PPR")]
    text: Annotated[str, Meta(min_length=3, max_length=4_000)]
    section: str = ""


class CheckedQuote(Struct, omit_defaults=True):
    """One quotation, in the order submitted.

    Attributes:
        outcome: exact; whitespace_only (white space or citation marks differ); altered, with changes word by word (kind
            number, negation, sign, typography or wording); absent (the whole text was searched); not_checkable.
        quoted: the quotation's beginning; printed: what stands there, at `block text[start:end]`, where that differs;
            for not_checkable the closest words of what could be searched; sha256: of the printed words as UTF-8.
        cues_outside: words of its sentence, outside the quotation, that negate or hedge it.
    """

    position: int
    id: str
    outcome: str
    quoted: str
    reason: str = ""
    path: str = ""
    block: str = ""
    start: int | None = None
    end: int | None = None
    printed: str = ""
    sha256: str = ""
    changes: list[Change] = []
    likeness: float | None = None
    places: int = 0
    elided: bool = False
    cues_outside: list[str] = []


class QuotedPaper(Struct, omit_defaults=True):
    """A paper that is quoted: its standing, what of it was searched, what the licence answers to quoting, and why."""

    id: str
    title: str
    status: str
    searched: list[str]
    quote: str
    because: str
    signals: list[Flag] = []


class CheckedQuotes(Struct):
    """One row for each quotation, how many have each outcome, and the papers."""

    quotes: list[CheckedQuote]
    outcomes: dict[str, int]
    papers: list[QuotedPaper]


@tool
async def verify_quotes(
    ctx: Context, quotes: Annotated[list[QuoteAsked], Meta(min_length=1, max_length=50)]
) -> Answer[CheckedQuotes]:
    """Check quotations against what papers print: exact, altered (a changed number or negation is named) or absent.

    Use it on a manuscript's or a model's quotations; to find sentences use build_evidence_table. Text that the licence
    keeps closed makes a quotation not_checkable, never absent. Each row has section, offsets and hash; each
    paper its retraction status.
    """
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
