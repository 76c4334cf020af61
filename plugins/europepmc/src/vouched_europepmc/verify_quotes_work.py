"""Answers verify_quotes: holds each quotation against the title, abstract and licensed text of its paper."""

import asyncio
from collections.abc import Sequence

import msgspec
from vouched.api import Answer, Article, Context, Missing, TextAnswer, parse_id

from vouched_europepmc.anchors import Passage
from vouched_europepmc.anchors import printed as all_printed
from vouched_europepmc.lookup import canonical_id, look_up
from vouched_europepmc.names import is_part, listed
from vouched_europepmc.quotes import Finding, Printed, check
from vouched_europepmc.rows import shortened, signals, warn_standing
from vouched_europepmc.service import some_at_once
from vouched_europepmc.verify_quotes import CheckedQuote, CheckedQuotes, QuoteAsked, QuotedPaper

__all__ = ["answer"]

# Characters of each quotation that its row repeats.
ECHOED = 80
# What stands beside rows and papers.
BESIDE = 500
CLOSEST = ("absent", "altered", "whitespace_only", "exact")


async def answer(ctx: Context, quotes: Sequence[QuoteAsked]) -> Answer[CheckedQuotes]:
    """One row a quotation."""
    refs = [parse_id(quote.id) for quote in quotes]
    articles = await look_up(ctx, refs)
    ids = [canonical_id(article) if isinstance(article, Article) else "" for article in articles]
    distinct = {id_: article for id_, article in zip(ids, articles, strict=True) if isinstance(article, Article)}
    warn_standing(ctx, distinct.values())
    texts = dict(zip(distinct, await some_at_once(ctx.text, distinct.values()), strict=True))
    whole = {id_: all_printed(article, texts[id_].text) for id_, article in distinct.items()}
    printed = {id_: Printed(of) for id_, of in whole.items()}
    rows: list[CheckedQuote] = []
    for position, (quote, ref, article, id_) in enumerate(zip(quotes, refs, articles, ids, strict=True), start=1):
        if isinstance(article, Missing):
            reason = f"{article.state}: {article.reason}"
            quoted = shortened(quote.text, ECHOED)[0]
            rows.append(CheckedQuote(position, str(ref.id or quote.id), "not_checkable", quoted, reason))
            continue
        finding, mismatch = await asyncio.to_thread(_held, quote, printed[id_], texts[id_].text is None)
        row = _row(position, quote, article, texts[id_], finding, whole[id_])
        if mismatch:
            _say_mismatch(ctx, row, mismatch, quote.section.strip(), whole[id_])
        rows.append(row)
        await ctx.progress(position, len(quotes))
    outcomes: dict[str, int] = {}
    for row in rows:
        outcomes[row.outcome] = outcomes.get(row.outcome, 0) + 1
    ctx.note("ids", list(distinct))
    papers = [_paper(id_, article, texts[id_], whole[id_]) for id_, article in distinct.items()]
    unasked = any(text.state == "failed" for text in texts.values()) or any(
        isinstance(article, Missing) and article.retryable for article in articles
    )
    _fit(ctx, rows, papers)
    return Answer(CheckedQuotes(rows, outcomes, papers), "partial" if unasked else "ok")


def _fit(ctx: Context, rows: Sequence[CheckedQuote], papers: Sequence[QuotedPaper]) -> None:
    """Every quotation keeps its row; the printed words are cut where there are too many of them."""
    room = ctx.settings.limits.answer_chars - BESIDE - _size(papers)
    if _size(rows) <= room:
        return
    bare = _size([msgspec.structs.replace(row, printed="") for row in rows])
    # A share of what is left, less the field's own name.
    share = max(0, (room - bare) // len(rows) - len('"printed":"…",'))
    for row in rows:
        row.printed = shortened(row.printed, share)[0] if share else ""
        row.quoted = row.quoted if share else shortened(row.quoted, ECHOED // 4)[0]
    ctx.warn("Printed words are cut: they stand whole at `block text[start:end]`, and `sha256` is of the whole.")


def _size(rows: object) -> int:
    return len(msgspec.json.encode(rows).decode())


def _held(quote: QuoteAsked, printed: Printed, unread: bool) -> tuple[Finding, str]:
    """What was found, and how the section that the caller names is wrong.

    The section is searched first and the rest as well, unless the section has the very words: a wrong section must not
    make a true quotation absent, nor a near miss hide the sentence that was meant.
    """
    if not quote.section.strip():
        return check(quote.text, printed), ""
    within = [passage for passage in printed.passages if is_part(quote.section, passage.path)]
    inside = check(quote.text, Printed(within)) if within else None
    if inside and inside.outcome == "exact":
        return inside, ""
    anywhere = check(quote.text, printed)
    if inside and _closeness(inside) >= _closeness(anywhere):
        return inside, ""
    if inside and anywhere.outcome == "absent":
        return anywhere, ""
    return anywhere, "section_not_read" if unread else "section_differs" if inside else "no_such_section"


def _closeness(found: Finding) -> tuple[int, float]:
    return CLOSEST.index(found.outcome), found.likeness


def _say_mismatch(ctx: Context, row: CheckedQuote, mismatch: str, section: str, of: Sequence[Passage]) -> None:
    """In the row and as a warning, each with where the words do stand, or with the sections that there are."""
    named = listed(passage.path for passage in of)
    place = f"it stands in {row.path!r}" if row.path else "it stands nowhere in what was searched"
    said = {
        "section_differs": f"not in a section called {section!r}; {place}",
        "no_such_section": f"no section is called {section!r}, the whole text was searched: {place}. Sections: {named}",
        "section_not_read": f"the full text could not be read, so that {section!r} was not searched as such; {place}",
    }[mismatch]
    row.mismatch, row.reason = mismatch, "; ".join(part for part in (row.reason, said) if part)
    ctx.warn(f"Quotation {row.position}: {said}.")


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
        article.status.is_notice,
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
    if text.text is None and (found.outcome == "absent" or any(c.kind != "formatting" for c in found.changes)):
        # The true words may stand in the part that could not be read.
        row.outcome = "not_checkable"
        why = text.missing.reason if text.missing else text.decision.decided_by
        row.reason = f"the full text could not be read ({why}); searched: {', '.join(_places(of))}"
    return row
