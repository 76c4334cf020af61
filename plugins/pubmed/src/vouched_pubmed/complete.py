"""A PubMed result past the 9,999 records that one search gives: walked by slices of create date, and added up.

Create date (`crdt`) is one per record, so slices do not overlap; publication dates (`pdat`) can be two. A day that does
not fit is split by ranges of PMIDs, and where the service does not take those, it is named as incomplete.
"""

import asyncio
import datetime
import itertools
import math
from collections.abc import Sequence

import msgspec
from vouched.api import Context, Fault, InvalidArgument, Struct

from vouched_pubmed.client import REACHABLE, Found, esearch
from vouched_pubmed.kept import kept
from vouched_pubmed.ncbi import NOTICE
from vouched_pubmed.search_articles import Reconciled, Slice

__all__ = ["CEILING", "Walked", "split_days", "walk"]

CEILING = 100_000
# Asked at the same time; the pacer spaces the starts.
AT_ONCE = 4
# A slice should hold this many: room for an uneven year.
AIM = 7_000
# PubMed gains about 4 % a year, so that a cut in the middle of the hits lies late in a long range.
GROWTH_A_DAY = 0.04 / 365
FIRST_DAY = datetime.date(1800, 1, 1)
LARGEST_UID = 4_294_967_295
# Seconds that are kept for the count at the end and for writing the artifact, of a short call a fifth.
RESERVE_SECONDS = 6.0


class Range(msgspec.Struct, frozen=True):
    """A part still to be asked: days as ordinals, both included, and PMIDs where a day is split (0 for all)."""

    first: int
    last: int
    low: int = 0
    high: int = 0


class Progress(Struct):
    """What a walk knows between two calls: kept as an artifact, named by the cursor."""

    found: Found
    pending: list[Range]
    slices: list[Slice] = []
    pmids: list[str] = []


class Resume(Struct):
    """What the cursor holds."""

    artifact_id: str


class Walked(Struct):
    """A walk's outcome: `found` is the first search; pmids newest number first; next_cursor while slices are left."""

    found: Found
    pmids: list[str]
    slices: list[Slice]
    reconciled: Reconciled
    incomplete: bool
    next_cursor: str | None = None


def split_days(first: int, last: int, parts: int) -> list[tuple[int, int]]:
    """Cut days first..last into at most `parts` ranges of about equally many records, given PubMed's growth."""
    days = last - first + 1
    parts = max(1, min(parts, days))
    grown = math.expm1(GROWTH_A_DAY * days)
    cuts = [0]
    for part in range(1, parts):
        at = round(math.log1p(grown * part / parts) / GROWTH_A_DAY)
        cuts.append(min(max(at, cuts[-1] + 1), days - (parts - part)))
    cuts.append(days)
    return [(first + start, first + end - 1) for start, end in itertools.pairwise(cuts)]


def _day(ordinal: int) -> str:
    return datetime.date.fromordinal(ordinal).strftime("%Y/%m/%d")


def _term(query: str, part: Range) -> str:
    term = f'({query}) AND ("{_day(part.first)}"[crdt] : "{_day(part.last)}"[crdt])'
    return f"{term} AND {part.low}:{part.high}[uid]" if part.high else term


async def walk(ctx: Context, query: str) -> Walked:
    """Collect every PMID of `query`, as far as the call's time goes; the cursor goes on where it stopped.

    Raises:
        InvalidArgument: for a result beyond the ceiling.
        Fault: where the service failed before anything was collected.
    """
    reserve = min(RESERVE_SECONDS, ctx.deadline.remaining() / 5)
    state = await _begun(ctx, query)
    fault: Fault | None = None
    asked_once = False
    while state.pending and fault is None and (not asked_once or ctx.deadline.remaining() > reserve):
        asked_once = True
        batch, state.pending = state.pending[:AT_ONCE], state.pending[AT_ONCE:]
        # Never out of the cache: the total that they must add up to is of now.
        asked = (esearch(ctx, _term(query, part), size=REACHABLE, refresh=True) for part in batch)
        answers = await asyncio.gather(*asked, return_exceptions=True)
        for part, answer in zip(batch, answers, strict=True):
            if isinstance(answer, Fault):
                fault = answer
                state.pending.insert(0, part)
            elif isinstance(answer, BaseException):
                raise answer
            else:
                _take(state, part, answer)
        await ctx.progress(len(state.pmids), state.found.total, f"{len(state.pmids):,} of {state.found.total:,} PMIDs")
    if fault and not state.pmids:
        raise fault
    if fault:
        ctx.warn(f"The walk stopped early: {fault.message} Go on with the cursor.")
    return await _finished(ctx, query, state)


async def _begun(ctx: Context, query: str) -> Progress:
    resume = ctx.state(Resume)
    if resume:
        return msgspec.json.decode(await kept(ctx, resume.artifact_id), type=Progress)
    found = await esearch(ctx, query, size=REACHABLE, refresh=True)
    if found.total > CEILING:
        raise InvalidArgument(
            f"The search finds {found.total:,} records; a complete walk ends at {CEILING:,}.",
            path="complete",
            hint="Narrow the query, for example by date_from and date_to, and walk the parts.",
        )
    today = datetime.datetime.now(datetime.UTC).date() + datetime.timedelta(days=1)
    progress = Progress(msgspec.structs.replace(found, ids=[]), [])
    # A result within the window is whole at once, a larger one is cut.
    _take(progress, Range(FIRST_DAY.toordinal(), today.toordinal()), found)
    return progress


def _take(state: Progress, part: Range, found: Found) -> None:
    """Put a slice's answer away: keep it, cut it into smaller ones, or name it incomplete."""
    slice_ = Slice(_day(part.first), _day(part.last), found.total, len(found.ids), part.low, part.high)
    if found.total <= REACHABLE and len(found.ids) == found.total:
        if found.total:
            state.slices.append(slice_)
            state.pmids.extend(found.ids)
        return
    if found.total > REACHABLE and part.first < part.last:
        parts = max(2, math.ceil(found.total / AIM))
        state.pending[:0] = [Range(first, last) for first, last in split_days(part.first, part.last, parts)]
        return
    if found.total > REACHABLE and (halves := _halves(part, found.ids)):
        state.pending[:0] = halves
        return
    slice_.problem = f"PubMed counts {found.total:,} and gave {len(found.ids):,}"
    state.slices.append(slice_)
    state.pmids.extend(found.ids)


def _halves(part: Range, sample: Sequence[str]) -> list[Range]:
    """Two ranges of PMIDs about the middle of a sample; none where the service did not keep to the range asked."""
    known = sorted(int(uid) for uid in sample)
    low, high = part.low or 1, part.high or LARGEST_UID
    inside = [uid for uid in known if low <= uid <= high]
    if len(inside) < len(known) or len(inside) < 2:
        return []
    middle = inside[len(inside) // 2 - 1]
    return [Range(part.first, part.last, low, middle), Range(part.first, part.last, middle + 1, high)]


async def _finished(ctx: Context, query: str, state: Progress) -> Walked:
    pmids = sorted(set(state.pmids), key=int, reverse=True)
    counted = sum(slice_.count for slice_ in state.slices)
    total = state.found.total
    if state.pending:
        artifact = await ctx.keep(
            "pubmed-walk.json", msgspec.json.encode(state), "application/json", kind="search_progress", original=query
        )
        left = ", ".join(f"{_day(part.first)} to {_day(part.last)}" for part in state.pending[:5])
        ctx.warn(f"{len(state.pending)} slices of create date are left ({left}); call again with the cursor.")
        reconciled = Reconciled(total, None, counted, len(pmids), False, artifact.artifact_id)
        cursor = ctx.cursor(Resume(artifact.artifact_id))
        return Walked(state.found, pmids, state.slices, reconciled, True, cursor)
    after = await _count_again(ctx, query)
    broken = [slice_ for slice_ in state.slices if slice_.problem]
    for slice_ in broken:
        ctx.warn(f"The slice of create date {slice_.date_from} to {slice_.date_to} is incomplete: {slice_.problem}.")
    consistent = not broken and counted == len(pmids) == total == after
    if not consistent and not broken and after is not None:
        ctx.warn(
            f"The sums do not agree: {total:,} hits before the walk, {after:,} after it, {counted:,} in the slices, "
            f"{len(pmids):,} unique PMIDs. PubMed may have changed meanwhile, or has records without a create date."
        )
    reconciled = Reconciled(total, after, counted, len(pmids), consistent)
    if pmids:
        reconciled.artifact_id = await _keep(ctx, query, pmids, state, reconciled)
    missing = len(pmids) < max(total, after or 0)
    return Walked(state.found, pmids, state.slices, reconciled, bool(broken) or missing)


async def _keep(ctx: Context, query: str, pmids: list[str], state: Progress, reconciled: Reconciled) -> str:
    content = {"query": query, "pmids": pmids, "reconciled": reconciled, "slices": state.slices}
    artifact = await ctx.keep(
        "pubmed-pmids.json",
        msgspec.json.encode(content),
        "application/json",
        kind="search_result",
        original=query,
        source_notice=NOTICE,
        retrieved_at=datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    )
    return artifact.artifact_id


async def _count_again(ctx: Context, query: str) -> int | None:
    try:
        return (await esearch(ctx, query, size=0, refresh=True)).total
    except Fault as fault:
        ctx.warn(f"The total after the walk could not be asked: {fault.message}")
        return None
