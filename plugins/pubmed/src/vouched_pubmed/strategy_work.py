"""Answers pubmed_test_strategy: counts every line and asks each for the known papers."""

import asyncio
from collections.abc import Sequence

from vouched.api import Answer, Context, Fault, Ref

from vouched_pubmed.client import Found, esearch
from vouched_pubmed.query_filters import check_query
from vouched_pubmed.query_hints import hints
from vouched_pubmed.strategy import KnownPaper, LineResult, StrategyResult
from vouched_pubmed.strategy_lines import Line, parse
from vouched_pubmed.understood import ignored

__all__ = ["answer"]

AT_ONCE = 4


async def answer(ctx: Context, strategy: str, known: Sequence[Ref]) -> Answer[StrategyResult]:
    """Every line with its count, every known paper with the lines that find it."""
    lines = parse(strategy)
    for line in lines:
        check_query(line.query)
    papers = list(known)
    pmids = list(dict.fromkeys(ref.id.value for ref in papers if ref.id and ref.id.scheme == "pmid"))
    counted, faults = await _all(ctx, [(line.query, 0) for line in lines])
    results = [_result(line, found) for line, found in zip(lines, counted, strict=True)]
    rows: list[KnownPaper] = []
    if papers:
        rows, more = await _known(ctx, lines, results, papers, pmids)
        faults += more
    for fault in dict.fromkeys(fault.message for fault in faults):
        ctx.warn(f"Not every line could be asked: {fault}")
    dropped = [str(row.number) for row in results if row.ignored]
    if dropped:
        ctx.warn(f"PubMed reports parts of line {', '.join(dropped)} as unknown: see `ignored` beside their counts.")
    ctx.note("query", lines[-1].query)
    ctx.note("translation", results[-1].translation)
    ctx.note("total", results[-1].total)
    ctx.note("strategy", [{"number": row.number, "query": row.query, "total": row.total} for row in results])
    return Answer(StrategyResult(results[-1].total, results, rows), "partial" if faults else "ok")


async def _all(ctx: Context, searches: Sequence[tuple[str, int]]) -> tuple[list[Found | None], list[Fault]]:
    """Answers in order, None where one failed.

    Raises:
        Fault: where every one of them failed.
    """
    answers: list[Found | None] = []
    faults: list[Fault] = []
    for first in range(0, len(searches), AT_ONCE):
        batch = searches[first : first + AT_ONCE]
        asked = await asyncio.gather(*(esearch(ctx, query, size=size) for query, size in batch), return_exceptions=True)
        for answer in asked:
            if isinstance(answer, BaseException) and not isinstance(answer, Fault):
                raise answer
            answers.append(None if isinstance(answer, BaseException) else answer)
            if isinstance(answer, Fault):
                faults.append(answer)
        await ctx.progress(len(answers), len(searches), "lines asked")
    if faults and len(faults) == len(answers):
        raise faults[0]
    return answers, faults


def _result(line: Line, found: Found | None) -> LineResult:
    if found is None:
        return LineResult(line.number, line.text, None, combines=line.references, problem="it could not be asked")
    dropped = ignored(found)
    return LineResult(
        line.number,
        line.text,
        found.total,
        dropped if dropped.any() else None,
        hints(line.text),
        found.translation,
        line.references,
    )


async def _known(
    ctx: Context, lines: Sequence[Line], results: Sequence[LineResult], papers: Sequence[Ref], pmids: Sequence[str]
) -> tuple[list[KnownPaper], list[Fault]]:
    """Ask each line for the known papers alone, and PubMed whether it has them at all."""
    only = " OR ".join(f"{pmid}[uid]" for pmid in pmids)
    asked: list[Found | None] = [None] * (len(lines) + 1)
    faults: list[Fault] = []
    # A line without hits finds none of them; joined to the ids by AND, PubMed would drop its words and find all.
    with_hits = [number for number, row in enumerate(results) if row.total]
    if pmids:
        searches = [(only, len(pmids))]
        searches += [(f"({lines[number].query}) AND ({only})", len(pmids)) for number in with_hits]
        answers, faults = await _all(ctx, searches)
        asked[0] = answers[0]
        for number, row in enumerate(results):
            asked[number + 1] = Found(0, []) if row.total == 0 else None
        for number, answer in zip(with_hits, answers[1:], strict=True):
            asked[number + 1] = answer
    there, found = asked[0], asked[1:]
    for row, hits in zip(results, found, strict=True):
        row.known_found = None if hits is None else len(set(hits.ids) & set(pmids))
    return [_paper(ref, there, lines, found) for ref in papers], faults


def _paper(ref: Ref, there: Found | None, lines: Sequence[Line], found: Sequence[Found | None]) -> KnownPaper:
    if ref.id is None or ref.id.scheme != "pmid":
        return KnownPaper(
            ref.input, "invalid", problem=ref.problem or "It is no PMID; pubmed_convert_ids makes one of it."
        )
    pmid = ref.id.value
    if there is not None and pmid not in there.ids:
        return KnownPaper(ref.input, "not_in_pubmed", pmid)
    by = [line.number for line, hits in zip(lines, found, strict=True) if hits and pmid in hits.ids]
    missed = [line.number for line, hits in zip(lines, found, strict=True) if hits and pmid not in hits.ids]
    last = found[-1]
    state = "not_checked" if last is None else "found" if pmid in last.ids else "missed"
    return KnownPaper(ref.input, state, pmid, by, missed)
