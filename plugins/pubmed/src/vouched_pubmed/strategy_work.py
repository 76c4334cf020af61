"""Answers pubmed_test_strategy: counts every line and asks each for the known papers."""

import asyncio
from collections.abc import Sequence

from vouched.api import Answer, Context, Fault, Missing, Ref

from vouched_pubmed.client import Found, esearch
from vouched_pubmed.lookup import Resolution, resolve_ids
from vouched_pubmed.query_filters import check_query, unclosed
from vouched_pubmed.query_hints import hints
from vouched_pubmed.query_text import plain_query
from vouched_pubmed.strategy import KnownPaper, LineResult, StrategyResult
from vouched_pubmed.strategy_lines import Line, parse, strays
from vouched_pubmed.understood import ignored, note_build, note_version

__all__ = ["answer"]

AT_ONCE = 4
# States of a record that is not there -> those of a known paper; the rest could not be checked.
_STATES = {"not_found": "not_in_pubmed", "deleted": "not_in_pubmed", "invalid": "invalid", "unsupported": "invalid"}


async def answer(ctx: Context, strategy: str, known: Sequence[Ref]) -> Answer[StrategyResult]:
    """Every line with its count, every known paper with the lines that find it."""
    lines = parse(plain_query(ctx, strategy, lines=True))
    for line in lines:
        check_query(line.query, f"strategy, line {line.number}")
    counted, faults = await _all(ctx, [(line.query, 0) for line in lines])
    if faults and len(faults) == len(lines):
        raise faults[0]
    results = [_result(line, found) for line, found in zip(lines, counted, strict=True)]
    rows: list[KnownPaper] = []
    if known:
        papers, missing = await _papers(ctx, known)
        rows, more = await _known(ctx, lines, results, papers)
        faults = [*faults, *missing, *more]
    for fault in dict.fromkeys(fault.message for fault in faults):
        ctx.warn(f"Not everything could be asked: {fault}")
    dropped = [str(row.number) for row in results if row.ignored]
    if dropped:
        ctx.warn(f"PubMed reports parts of line {', '.join(dropped)} as unknown: see `ignored` beside their counts.")
    last = counted[-1]
    if last is not None:
        note_version(ctx, last)
    await note_build(ctx)
    ctx.note("query", lines[-1].query)
    ctx.note("translation", results[-1].translation)
    ctx.note("total", results[-1].total)
    ctx.note("strategy", [{"number": row.number, "query": row.query, "total": row.total} for row in results])
    return Answer(StrategyResult(results[-1].total, results, rows), "partial" if faults else "ok")


async def _all(ctx: Context, searches: Sequence[tuple[str, int]]) -> tuple[list[Found | None], list[Fault]]:
    """Answers in order, None where one failed, and the faults."""
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
        [*strays(line), *hints(line.own)],
        found.translation,
        line.references,
    )


async def _papers(ctx: Context, known: Sequence[Ref]) -> tuple[list[KnownPaper], Sequence[Fault]]:
    """A row for every known paper, with its PMID where it has one; other ids are looked up."""
    others = list(dict.fromkeys(ref.id for ref in known if ref.id and ref.id.scheme != "pmid"))
    resolution = await resolve_ids(ctx, others) if others else Resolution()
    rows = []
    for ref in known:
        record = resolution.found.get(ref.id) if ref.id else Missing("invalid", ref.problem)
        if isinstance(record, Missing):
            rows.append(KnownPaper(ref.input, _STATES.get(record.state, "not_checked"), problem=record.reason))
        else:
            pmid = record.ids["pmid"] if record else ref.id.value if ref.id else ""
            rows.append(KnownPaper(ref.input, "not_checked", pmid))
    return rows, resolution.faults


async def _known(
    ctx: Context, lines: Sequence[Line], results: Sequence[LineResult], papers: Sequence[KnownPaper]
) -> tuple[list[KnownPaper], list[Fault]]:
    """Ask each line for the known papers alone, and PubMed whether it has them at all."""
    pmids = list(dict.fromkeys(paper.pmid for paper in papers if paper.pmid))
    if not pmids:
        return list(papers), []
    only = " OR ".join(f"{pmid}[uid]" for pmid in pmids)
    # A line without hits finds none of them; joined to the ids by AND, PubMed would drop its words and find all.
    found: list[Found | None] = [Found(0, []) if row.total == 0 else None for row in results]
    to_ask = []
    for number, (line, row) in enumerate(zip(lines, results, strict=True)):
        left_open = unclosed(line.query)
        if left_open not in ("", "parentheses"):
            row.problem = row.problem or f"its {left_open} do not balance, so it could not be asked for known papers"
        elif row.total:
            to_ask.append(number)
    searches = [(only, len(pmids)), *((f"({lines[number].query}) AND ({only})", len(pmids)) for number in to_ask)]
    (there, *answers), faults = await _all(ctx, searches)
    for number, answer in zip(to_ask, answers, strict=True):
        found[number] = answer
    for row, hits in zip(results, found, strict=True):
        row.known_found = None if hits is None else len(set(hits.ids) & set(pmids))
    return [_paper(paper, there, lines, found) for paper in papers], faults


def _paper(paper: KnownPaper, there: Found | None, lines: Sequence[Line], found: Sequence[Found | None]) -> KnownPaper:
    if not paper.pmid:
        return paper
    if there is not None and paper.pmid not in there.ids:
        paper.state = "not_in_pubmed"
        return paper
    asked = [(line.number, paper.pmid in hits.ids) for line, hits in zip(lines, found, strict=True) if hits]
    paper.found_by = [number for number, has in asked if has]
    paper.missed_by = [number for number, has in asked if not has]
    if found[-1] is not None:
        paper.state = "found" if paper.pmid in found[-1].ids else "missed"
    return paper
