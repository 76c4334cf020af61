"""Answers build_evidence_table: reads a group of papers and lays out the candidates found in them."""

import asyncio
from collections.abc import Mapping, Sequence

import msgspec
from vouched.api import (
    Answer,
    Article,
    Context,
    Fault,
    Missing,
    Ref,
    TextAnswer,
)

from vouched_europepmc import annotations
from vouched_europepmc.anchors import passages
from vouched_europepmc.annotations import Annotation
from vouched_europepmc.build_evidence_table import EvidenceTable, TermsAsked
from vouched_europepmc.evidence import RANK, Candidate, candidates
from vouched_europepmc.evidence_rows import EvidenceRow, NoCandidate, Paper
from vouched_europepmc.lookup import canonical_id, look_up, source_and_id
from vouched_europepmc.matching import Terms, read_terms, too_short
from vouched_europepmc.names import Wanted, listed
from vouched_europepmc.rows import notice_of, signals, warn_standing

__all__ = ["answer"]

# Articles whose full texts one call reads.
AT_ONCE = 20
CAVEAT = (
    "Candidates, not support: terms that occur together in a sentence need not be related, a sentence without a cue is "
    "not thereby affirmed, annotated relations carry no polarity, and tags are machine-made. Read each sentence in its "
    "paper before citing it."
)


class _At(msgspec.Struct, frozen=True):
    """The first id of the group that is being searched, and its rows already given."""

    first: int
    done: int


class _Read(msgspec.Struct, frozen=True):
    """One submitted id with all that was asked for it."""

    ref: Ref
    article: Article | Missing
    text: TextAnswer | None = None
    annotations: list[Annotation] | Fault | None = None


class _Searched(msgspec.Struct, frozen=True):
    """What came of one submitted id; `unasked`: something of it could not be asked."""

    paper: Paper | None = None
    rows: Sequence[EvidenceRow] = ()
    none: NoCandidate | None = None
    unasked: bool = False


async def answer(
    ctx: Context,
    claim: str,
    ids: Sequence[Ref],
    terms: TermsAsked,
    entity_filter: Sequence[str],
    use_full_text: bool,
    limit: int,
) -> Answer[EvidenceTable]:
    """One page of the table."""
    roles = read_terms({"subject": terms.subject, "object": terms.object})
    if short := too_short(roles):
        ctx.warn(f"{', '.join(map(repr, short))}: one letter matches far more than is meant; give whole words.")
    at = ctx.state(_At) or _At(0, 0)
    await ctx.progress(at.first, len(ids), "reading papers")
    before = await _before(ctx, ids, at.first)
    read = _without_repeats(await _read(ctx, ids[at.first : at.first + AT_ONCE], use_full_text), before)
    wanted = Wanted.of(entity_filter)
    _warn_unknown(ctx, read, wanted)
    # Hundreds of kilobytes are searched: not in the event loop.
    found = await asyncio.to_thread(lambda: [_searched(ctx, one, roles, wanted) for one in read])
    # A stable sort: papers stay in the order of the ids.
    if at.done == 0:
        warn_standing(ctx, [one.article for one in read if isinstance(one.article, Article)])
    rows = sorted((row for one in found for row in one.rows), key=lambda row: (row.is_notice, RANK[row.match_type]))
    page = rows[at.done : at.done + limit]
    fitted = ctx.fit(page, lambda kept: _next(at, kept, len(rows), len(ids)), reserve=_reserve(found, at))
    ctx.note("ids", [one.paper.id for one in found if one.paper and one.rows])
    table = EvidenceTable(
        claim=claim,
        terms={role.role: role.alternatives for role in roles},
        candidate_evidence=fitted.rows,
        no_candidates=[one.none for one in found if one.none and at.done == 0],
        papers=[one.paper for one in found if one.paper and at.done == 0],
        caveat=CAVEAT,
        searched=min(at.first + AT_ONCE, len(ids)),
        submitted=len(ids),
    )
    return Answer(table, "partial" if any(one.unasked for one in found) else "ok", fitted.next_cursor)


def _warn_unknown(ctx: Context, read: Sequence[_Read], wanted: Wanted) -> None:
    there = {a.type for one in read if isinstance(one.annotations, list) for a in one.annotations}
    if there and (unknown := wanted.unknown(there)):
        names = " or ".join(map(repr, unknown))
        ctx.warn(f"No annotation of these papers is of type {names}; there are {listed(sorted(there))}.")


def _next(at: _At, kept: int, rows: int, ids: int) -> _At | None:
    if at.done + kept < rows:
        return _At(at.first, at.done + kept)
    return _At(at.first + AT_ONCE, 0) if at.first + AT_ONCE < ids else None


def _reserve(found: Sequence[_Searched], at: _At) -> int:
    """What stands beside the rows: papers and reasons on the first page of a group."""
    beside = [part for one in found for part in (one.paper, one.none) if part] if at.done == 0 else []
    return 3_000 + len(msgspec.json.encode(beside))


async def _read(ctx: Context, group: Sequence[Ref], use_full_text: bool) -> list[_Read]:
    """Records first, then annotations and texts of all of them at once."""
    articles = await look_up(ctx, group)
    keys = [source_and_id(article) if isinstance(article, Article) else None for article in articles]

    async def text(article: Article | Missing) -> TextAnswer | None:
        return await ctx.text(article) if use_full_text and isinstance(article, Article) else None

    annotated, texts = await asyncio.gather(
        annotations.fetch(ctx, [key for key in keys if key]), asyncio.gather(*(text(article) for article in articles))
    )
    return [
        _Read(ref, article, answer, annotated.get(key) if key else None)
        for ref, article, key, answer in zip(group, articles, keys, texts, strict=True)
    ]


async def _before(ctx: Context, ids: Sequence[Ref], first: int) -> dict[str, str]:
    """The papers of the groups before, by the id that answers name them by, with the spelling submitted.

    Where all ids are of one scheme, equal papers have equal ids. Else the groups are looked up again, as they were on
    the pages before: their answers are kept for hours.
    """
    earlier = ids[:first]
    if len({ref.id.scheme for ref in ids if ref.id}) <= 1:
        return {str(ref.id): ref.input for ref in reversed(earlier) if ref.id}
    found: dict[str, str] = {}
    for start in range(0, first, AT_ONCE):
        group = earlier[start : start + AT_ONCE]
        for ref, article in zip(group, await look_up(ctx, group), strict=True):
            if isinstance(article, Article):
                found.setdefault(canonical_id(article), ref.input)
    return found


def _without_repeats(read: Sequence[_Read], before: Mapping[str, str]) -> list[_Read]:
    """A paper that was submitted twice is searched once; its other spellings say so."""
    seen = dict(before)
    found: list[_Read] = []
    for one in read:
        name = canonical_id(one.article) if isinstance(one.article, Article) else ""
        first = seen.get(name, seen.get(str(one.ref.id))) if name else None
        if first is not None:
            missing = Missing("duplicate", f"It is the paper that was submitted as {first}; its rows stand there.")
            found.append(_Read(one.ref, missing))
            continue
        seen[name] = one.ref.input
        found.append(one)
    return found


def _searched(ctx: Context, one: _Read, roles: Sequence[Terms], wanted: Wanted) -> _Searched:
    if isinstance(one.article, Missing):
        reason = "upstream_error" if one.article.state == "failed" else one.article.state
        missing = NoCandidate(one.ref.input, reason, str(one.ref.id or ""), one.article.reason)
        return _Searched(none=missing, unasked=reason in ("upstream_error", "not_checked"))
    article = one.article
    decision = one.text.decision if one.text else ctx.licence.decide(article.access)
    text = one.text.text if one.text else None
    listed = one.annotations if isinstance(one.annotations, list) else []
    kept = [a for a in listed if wanted.passes(a.type)]
    found = candidates(passages(article, text), kept, roles, decision.uses.read == "yes")
    paper = Paper(
        input=one.ref.input,
        id=canonical_id(article),
        title=article.title,
        searched=_places(one, article),
        access_tier=decision.tier,
        licence=decision.licence,
        quote=decision.uses.quote,
        because=decision.decided_by,
        status=article.status.status,
        candidates=len(found),
        year=article.year(),
        signals=signals(article.status),
        is_notice=article.status.is_notice,
        notice_of=notice_of(article.status) if article.status.is_notice else [],
    )
    rows = [_evidence_row(candidate, paper) for candidate in found]
    none = None if rows else NoCandidate(one.ref.input, *_reason(one, paper), paper.searched)
    unasked = isinstance(one.annotations, Fault) or (one.text is not None and one.text.state == "failed")
    return _Searched(paper, rows, none, unasked)


def _places(one: _Read, article: Article) -> list[str]:
    places = ["title", *(["abstract"] if article.abstract else [])]
    if one.text and one.text.text:
        places.append("full_text")
    return [*places, "annotations"] if isinstance(one.annotations, list) and one.annotations else places


def _reason(one: _Read, paper: Paper) -> tuple[str, str, str]:
    """(code, id, detail): what could not be asked outranks what could not be read, and that what was not there."""
    places = ", ".join(paper.searched)
    if isinstance(one.annotations, Fault):
        return "upstream_error", paper.id, f"annotations: {one.annotations.message}"
    if one.text and one.text.state == "failed":
        return "upstream_error", paper.id, f"full text: {one.text.missing.reason if one.text.missing else ''}"
    if one.text and one.text.text is None:
        why = one.text.missing.reason if one.text.missing else one.text.decision.decided_by
        return "not_open", paper.id, f"only {places} could be searched: {why}"
    if not one.annotations and paper.searched == ["title"]:
        return "not_annotated", paper.id, "no annotations and no abstract; its title does not have the terms"
    said = f"no sentence of {places} has the terms"
    return "no_match", paper.id, said if one.annotations else f"{said}; it has no annotations"


def _evidence_row(one: Candidate, paper: Paper) -> EvidenceRow:
    """A candidate with what the licence says of its paper, and with the standing of it."""
    labels, found = (["withheld"], []) if one.withheld else one.judged()
    if paper.is_notice:
        # The sentence is another paper's, quoted to take it back or to correct it.
        labels = ["notice", *(label for label in labels if label != "no_cue_found")]
    row = EvidenceRow(
        id=paper.id,
        match_type=one.tier,
        path=one.passage.path if one.passage else one.annotation.section if one.annotation else "",
        sentence=one.text,
        labels=labels,
        access_tier=paper.access_tier,
        licence=paper.licence,
        quote=paper.quote,
        status=paper.status,
        matched=[] if one.withheld else one.terms,
        cues=found,
        sentences=one.spans,
        anchored=one.passage is not None,
        withheld=one.withheld,
        is_notice=paper.is_notice,
        notice_of=paper.notice_of,
    )
    if one.passage:
        row.block, row.start, row.end = one.passage.block, one.start, one.end
    if one.annotation:
        row.entity_type, row.provider = one.annotation.type, one.annotation.provider
        row.annotation_id = one.annotation.id
        row.tags = [f"{name} <{uri}>" if uri else name for name, uri in one.annotation.tags]
    if not one.withheld:
        row.sha256 = one.sha256
    return row
