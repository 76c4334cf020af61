"""Answers pubmed_lookup_citation: asks ECitMatch, compares every match with its record, and searches where asked to."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from vouched.api import Answer, Context, Fault, InvalidArgument, Struct

from vouched_pubmed.agreement import agree, first_page, verified, warnings
from vouched_pubmed.client import esearch, esummary
from vouched_pubmed.ecitmatch import Outcome, match
from vouched_pubmed.lookup_citation import Cited, Match, Matches
from vouched_pubmed.standing import warn_of_standing
from vouched_pubmed.summaries import checked_now, read_summary

__all__ = ["answer"]

MOST_CANDIDATES = 20


class Position(Struct):
    """What a cursor holds: the first citation that is still to be shown."""

    offset: int


async def answer(ctx: Context, citations: Sequence[Cited], fallback: str) -> Answer[Matches]:
    """One result a citation, in order."""
    _check(citations)
    keys = _keys(citations)
    outcomes = await match(ctx, citations)
    by_search: set[int] = set()
    if fallback == "search":
        outcomes, by_search = await _searched(ctx, citations, outcomes)
    pmids = list(dict.fromkeys(outcome.pmid for outcome in outcomes if outcome.pmid))
    documents, failed = await _documents(ctx, pmids)
    status_checked = checked_now(ctx) if documents else ""
    unasked = [outcome.fault for outcome in outcomes if outcome.fault]
    if unasked:
        ctx.warn(f"{_citations(len(unasked))} could not be asked again: {unasked[0].message}")
    rows = [
        _row(key, cited, outcome, documents.get(outcome.pmid), "search" if number in by_search else "ecitmatch")
        for number, (key, cited, outcome) in enumerate(zip(keys, citations, outcomes, strict=True))
    ]
    warned = sum(bool(row.warnings) for row in rows)
    if warned:
        differ = "differs" if warned == 1 else "differ"
        ctx.warn(f"{_citations(warned)} {differ} from the record matched; look at `warnings` before you cite.")
    ctx.note("ids", [f"pmid:{pmid}" for pmid in pmids])
    ctx.note("total", len(pmids))
    at = ctx.state(Position) or Position(0)
    left = rows[at.offset :]
    fitted = ctx.fit(left, lambda kept: Position(at.offset + kept) if kept < len(left) else None)
    warn_of_standing(ctx, ((row.pmid, row.record.status) for row in fitted.rows if row.record))
    matched = sum(row.state == "matched" for row in rows)
    result = Matches(fitted.rows, matched, warned, len(rows), status_checked)
    return Answer(result, "partial" if failed or unasked else "ok", next_cursor=fitted.next_cursor)


def _citations(number: int) -> str:
    return f"{number} citation{'' if number == 1 else 's'}"


async def _documents(ctx: Context, pmids: Sequence[str]) -> tuple[dict[str, dict[str, Any]], bool]:
    """Summaries of the matched records; a match that cannot be checked is still a match, and said to be unchecked."""
    if not pmids:
        return {}, False
    try:
        return await esummary(ctx, pmids), False
    except Fault as fault:
        ctx.warn(f"The matches could not be compared with their records, so none is verified: {fault.message}")
        return {}, True


def _check(citations: Sequence[Cited]) -> None:
    """Refuse what would shift the service's columns or cannot be matched at all, naming row and field."""
    for number, cited in enumerate(citations):
        for name in ("journal", "year", "volume", "first_page", "author_name"):
            if re.search(r"[|\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]", getattr(cited, name)):
                raise InvalidArgument(
                    f"A field of citation {number + 1} holds a bar or a line break, which separate fields and rows.",
                    path=f"citations[{number}].{name}",
                    hint="Take it out; `key` may hold anything.",
                )
        if not cited.journal.strip() and not cited.year.strip():
            raise InvalidArgument(
                f"Citation {number + 1} has neither journal nor year.",
                path=f"citations[{number}]",
                expected="at least journal or year",
                example='{"journal": "n engl j med", "year": "2020", "volume": "382", "first_page": "727"}',
            )
        if cited.year.strip() and not re.fullmatch(r"[0-9]{4}", cited.year.strip()):
            raise InvalidArgument(
                f"The year of citation {number + 1} is not four digits.",
                path=f"citations[{number}].year",
                expected="four digits",
                example="2020",
            )


def _keys(citations: Sequence[Cited]) -> list[str]:
    """The callers' keys unchanged, and a number of the row for those without, never equal to a given one."""
    given = {cited.key for cited in citations if cited.key}
    keys = []
    for number, cited in enumerate(citations, 1):
        own = str(number)
        while own in given and not cited.key:
            own = f"#{own}"
        keys.append(cited.key or own)
    return keys


def _row(key: str, cited: Cited, outcome: Outcome, document: Mapping[str, Any] | None, via: str) -> Match:
    row = Match(key, outcome.state, False, detail="" if outcome.said == outcome.pmid else outcome.said)
    row.via = via if via == "search" or outcome.state != "no_answer" else ""
    row.count, row.candidates = outcome.count, list(outcome.candidates[:MOST_CANDIDATES])
    if outcome.pmid:
        row.pmid = outcome.pmid
        row.agreement = agree(cited, document)
        row.verified = verified(row.agreement)
        row.warnings = warnings(cited, row.agreement, document)
        record = read_summary(outcome.pmid, document)
        row.record = msgspec.structs.replace(record, authors=record.authors[:3], types=[], languages=[])
    return row


async def _searched(
    ctx: Context, citations: Sequence[Cited], outcomes: Sequence[Outcome]
) -> tuple[list[Outcome], set[int]]:
    """Try a search by field for what ECitMatch did not find; the rows it answered are said."""
    found = list(outcomes)
    tried: set[int] = set()
    vain = 0
    for number, (cited, outcome) in enumerate(zip(citations, outcomes, strict=True)):
        if outcome.state in ("matched", "ambiguous"):
            continue
        query = _query(cited, with_journal=outcome.state != "invalid_journal")
        if not query:
            continue
        try:
            hits = await esearch(ctx, query, size=MOST_CANDIDATES)
        except Fault as fault:
            ctx.warn(f"The search by field stopped at citation {number + 1}: {fault.message}")
            break
        # A term that PubMed dropped makes the search say less than it seems to.
        if hits.phrases_not_found or hits.fields_not_found or not hits.total:
            vain += 1
            continue
        tried.add(number)
        if hits.total == 1:
            found[number] = Outcome("matched", hits.ids[0], said=query)
        else:
            found[number] = Outcome("ambiguous", count=hits.total, candidates=tuple(hits.ids), said=query)
    if tried:
        ctx.warn(f"Found by a field search, not by ECitMatch (`via` is search): {_citations(len(tried))}.")
    if vain:
        ctx.warn(f"{_citations(vain)} {'was' if vain == 1 else 'were'} searched by field too, without a hit.")
    return found, tried


def _query(cited: Cited, with_journal: bool) -> str:
    """All given fields joined by AND; "" where fewer than two are left, which would match by chance."""

    def plain(text: str) -> str:
        return re.sub(r'["\[\]()]', " ", text).strip()

    page = first_page(plain(cited.first_page))
    values = (
        (f'"{plain(cited.journal)}"', "ta", with_journal and plain(cited.journal)),
        (plain(cited.year), "dp", plain(cited.year)),
        (plain(cited.volume), "vi", plain(cited.volume)),
        (page, "pg", page),
        (plain(cited.author_name), "au", plain(cited.author_name)),
    )
    terms = [f"{value}[{tag}]" for value, tag, given in values if given]
    return " AND ".join(terms) if len(terms) > 1 else ""
