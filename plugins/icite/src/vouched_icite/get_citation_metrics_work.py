"""Answers icite_get_citation_metrics: asks iCite, sorts and filters, and accounts for every input."""

import datetime
import hashlib
from collections.abc import Mapping, Sequence

import msgspec
from vouched.api import Answer, Context, InvalidArgument, Ref, Struct

from vouched_icite import chart
from vouched_icite.client import Collected, collect
from vouched_icite.get_citation_metrics import Counts, Links, MetricsResult, Row, SortBy
from vouched_icite.metrics import Metrics
from vouched_icite.rows import MEANING, MOST_CHECKED, SHOWN_LINKS, add_status, make_row
from vouched_icite.selection import Selected, select, summarise
from vouched_icite.standing import warn_standing, with_standing

__all__ = ["answer"]

# Beside the rows stand summary, meaning and counts; PMIDs in lists take eleven characters each.
BESIDE = 4_000
SOURCE = "icite"
# Elements that a refusal names.
NAMED = 20
CONVERTED = frozenset(("doi", "pmcid"))


class Position(Struct):
    """What a cursor holds: the next row and a digest of the order that it counts in."""

    offset: int
    digest: str


async def answer(
    ctx: Context,
    ids: Sequence[Ref],
    sort_by: SortBy,
    thresholds: Mapping[str, float | None],
    include: Sequence[Links],
    plot: bool,
    limit: int,
) -> Answer[MetricsResult]:
    """The page of rows that is asked for. `thresholds`: metric -> lowest value, None for any."""
    places = _places(ids)
    if plot:
        chart.require()
    links = tuple(dict.fromkeys(include))
    collected = await collect(ctx, list(places), links)
    _warn_failed(ctx, collected)
    papers = list(collected.papers.values())
    chosen = select(papers, sort_by, thresholds)
    rows, following = _page(ctx, chosen.shown, places, ids, limit, _beside(collected), links)
    standing = await add_status(ctx, rows, collected.not_indexed)
    if plot:
        await _plot(ctx, papers, {row.pmid: row.status for row in rows})
    summary = with_standing(summarise(len(places), papers), rows)
    warn_standing(ctx, rows, summary)
    result = MetricsResult(
        _counts(len(ids), places, rows, chosen, collected),
        summary,
        dict(MEANING),
        rows,
        collected.not_indexed,
        standing.others,
        collected.failed,
        sort_by,
        standing.checked,
    )
    await _keep_links(ctx, links, [collected.papers[row.pmid] for row in rows])
    ctx.note("ids", [f"pmid:{paper.pmid}" for paper in chosen.shown])
    ctx.note("total", len(chosen.shown))
    return Answer(result, "partial" if collected.failed or standing.unanswered else "ok", next_cursor=following)


def _warn_failed(ctx: Context, collected: Collected) -> None:
    many = len(collected.failed)
    which = "1 PMID is in `failed`; whether iCite has it" if many == 1 else ""
    which = which or f"{many} PMIDs are in `failed`; whether iCite has them"
    for reason in collected.reasons:
        ctx.warn(f"{which} is not known: {reason}")


def _places(ids: Sequence[Ref]) -> dict[str, list[int]]:
    """PMID -> 1-based positions. One element that is no PMID refuses the whole batch, before anything is asked."""
    places: dict[str, list[int]] = {}
    bad: dict[int, Ref] = {}
    for position, ref in enumerate(ids, 1):
        if ref.id is None or ref.id.scheme != "pmid":
            bad[position] = ref
        else:
            places.setdefault(ref.id.value, []).append(position)
    if bad:
        raise _refused(bad)
    return places


def _refused(bad: Mapping[int, Ref]) -> InvalidArgument:
    """Every element that is no PMID, by its position, so that one more try is enough."""
    said = [
        f"{position}: {ref.input[:60]!r} ({f'a {ref.id.scheme.upper()}' if ref.id else ref.problem.rstrip('.')})"
        for position, ref in list(bad.items())[:NAMED]
    ]
    more = f"; and {len(bad) - NAMED} more" if len(bad) > NAMED else ""
    schemes = {ref.id.scheme if ref.id else "" for ref in bad.values()}
    hints = [
        "pubmed_convert_ids turns DOIs and PMCIDs into PMIDs." if schemes & CONVERTED else "",
        "Leave out or correct what is no identifier of an article." if schemes - CONVERTED else "",
    ]
    return InvalidArgument(
        f"Elements of `ids` that are no PMIDs ({len(bad)}), by position: {'; '.join(said)}{more}. "
        "Nothing was executed.",
        path=f"ids[{min(bad) - 1}]",
        expected="PMIDs",
        example="18276894",
        hint=" ".join(filter(None, hints)),
    )


def _beside(collected: Collected) -> int:
    asked = min(len(collected.not_indexed), MOST_CHECKED)
    return BESIDE + 12 * (len(collected.not_indexed) + len(collected.failed)) + 26 * asked


def _page(
    ctx: Context,
    shown: Sequence[Metrics],
    places: dict[str, list[int]],
    ids: Sequence[Ref],
    limit: int,
    beside: int,
    links: Sequence[str],
) -> tuple[list[Row], str | None]:
    """This page's rows and the cursor for what is left."""
    order = hashlib.sha256(",".join(paper.pmid for paper in shown).encode()).hexdigest()[:12]
    at = ctx.state(Position) or Position(0, order)
    if at.digest != order:
        ctx.warn("iCite's numbers changed since the page before, and with them the order.")
    today = datetime.datetime.now(datetime.UTC).date()
    rows = [
        make_row(paper, places[paper.pmid], ids[places[paper.pmid][0] - 1].input, today, links)
        for paper in shown[at.offset : at.offset + limit]
    ]

    def following(kept: int) -> Position | None:
        reached = at.offset + kept
        return Position(reached, order) if reached < len(shown) else None

    fitted = ctx.fit(rows, following, reserve=min(beside, ctx.settings.limits.answer_chars // 2))
    return fitted.rows, fitted.next_cursor


def _counts(
    inputs: int, places: dict[str, list[int]], rows: Sequence[Row], chosen: Selected, collected: Collected
) -> Counts:
    def submitted(pmids: Sequence[str]) -> int:
        return sum(len(places[pmid]) for pmid in pmids)

    shown = submitted([row.pmid for row in rows])
    return Counts(
        inputs,
        shown,
        submitted(chosen.below_threshold),
        submitted(chosen.no_value),
        submitted(collected.not_indexed),
        submitted(collected.failed),
        submitted([paper.pmid for paper in chosen.shown]) - shown,
    )


def _retrieved_at(ctx: Context) -> str:
    """When the oldest of iCite's answers came: they may be of the cache."""
    return min((one.retrieved_at for one in ctx.exchanges if one.source == SOURCE and one.retrieved_at), default="")


async def _plot(ctx: Context, papers: Sequence[Metrics], standing: Mapping[str, str]) -> None:
    retrieved_at = _retrieved_at(ctx)
    picture = chart.draw(papers, retrieved_at, standing)
    ctx.attachments.append(picture.image)
    await ctx.keep(
        "icite-rcr.svg",
        picture.svg,
        "image/svg+xml",
        kind="plot",
        source_notice="NIH iCite",
        retrieved_at=retrieved_at,
    )


async def _keep_links(ctx: Context, links: Sequence[str], papers: Sequence[Metrics]) -> None:
    """Lists too long for a row go whole into an artifact."""
    lists = {paper.pmid: {name: list(getattr(paper, name) or ()) for name in links} for paper in papers}
    long = [pmid for pmid, both in lists.items() if any(len(pmids) > SHOWN_LINKS for pmids in both.values())]
    if long:
        artifact = await ctx.keep(
            "icite-links.json",
            msgspec.json.encode(lists),
            "application/json",
            kind="links",
            source_notice="NIH iCite",
            retrieved_at=_retrieved_at(ctx),
        )
        ctx.warn(
            f"Lists of more than {SHOWN_LINKS} PMIDs are cut in {len(long)} row{'' if len(long) == 1 else 's'}; "
            f"artifact:{artifact.artifact_id} has "
            "them whole."
        )
