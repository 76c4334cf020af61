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
from vouched_icite.rows import MEANING, SHOWN_LINKS, add_status, make_row
from vouched_icite.selection import Selected, select, summarise

__all__ = ["answer"]

# Beside the rows stand summary, meaning and counts; PMIDs in lists take eleven characters each.
BESIDE = 4_000


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
    for reason in collected.reasons:
        ctx.warn(f"{len(collected.failed)} PMIDs are in `failed`; whether iCite has them is not known: {reason}")
    papers = list(collected.papers.values())
    chosen = select(papers, sort_by, thresholds)
    rows, following = _page(ctx, chosen.shown, places, ids, limit, _beside(collected))
    if plot:
        picture = chart.draw(papers)
        ctx.attachments.append(picture.image)
        await ctx.keep("icite-rcr.svg", picture.svg, "image/svg+xml", kind="plot", source_notice="NIH iCite")
    result = MetricsResult(
        _counts(len(ids), places, rows, chosen, collected),
        summarise(len(places), papers),
        dict(MEANING),
        rows,
        collected.not_indexed,
        collected.failed,
        sort_by,
        await add_status(ctx, rows),
    )
    await _keep_links(ctx, links, [collected.papers[row.pmid] for row in rows])
    ctx.note("ids", [f"pmid:{paper.pmid}" for paper in chosen.shown])
    ctx.note("total", len(chosen.shown))
    return Answer(result, "partial" if collected.failed else "ok", next_cursor=following)


def _places(ids: Sequence[Ref]) -> dict[str, list[int]]:
    """PMID -> 1-based positions. One element that is no PMID refuses the whole batch, before anything is asked."""
    places: dict[str, list[int]] = {}
    for position, ref in enumerate(ids, 1):
        if ref.id is None or ref.id.scheme != "pmid":
            other = ref.id is not None and ref.id.scheme in ("doi", "pmcid")
            raise InvalidArgument(
                f"Element {position} of `ids` is no PMID: {ref.input[:80]!r}. "
                + (f"It is a {ref.id.scheme.upper()}." if ref.id else ref.problem)
                + " Nothing was executed.",
                path=f"ids[{position - 1}]",
                expected="PMIDs",
                example="18276894",
                hint="pubmed_convert_ids turns DOIs and PMCIDs into PMIDs." if other else "Leave it out or correct it.",
            )
        places.setdefault(ref.id.value, []).append(position)
    return places


def _beside(collected: Collected) -> int:
    return BESIDE + 12 * (len(collected.not_indexed) + len(collected.failed))


def _page(
    ctx: Context, shown: Sequence[Metrics], places: dict[str, list[int]], ids: Sequence[Ref], limit: int, beside: int
) -> tuple[list[Row], str | None]:
    """This page's rows and the cursor for what is left."""
    order = hashlib.sha256(",".join(paper.pmid for paper in shown).encode()).hexdigest()[:12]
    at = ctx.state(Position) or Position(0, order)
    if at.digest != order:
        ctx.warn("iCite's numbers changed since the page before, and with them the order.")
    today = datetime.datetime.now(datetime.UTC).date()
    rows = [
        make_row(paper, places[paper.pmid], ids[places[paper.pmid][0] - 1].input, today)
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


async def _keep_links(ctx: Context, links: Sequence[str], papers: Sequence[Metrics]) -> None:
    """Lists too long for a row go whole into an artifact."""
    lists = {paper.pmid: {name: list(getattr(paper, name) or ()) for name in links} for paper in papers}
    long = [pmid for pmid, both in lists.items() if any(len(pmids) > SHOWN_LINKS for pmids in both.values())]
    if long:
        artifact = await ctx.keep(
            "icite-links.json", msgspec.json.encode(lists), "application/json", kind="links", source_notice="NIH iCite"
        )
        ctx.warn(
            f"Lists of more than {SHOWN_LINKS} PMIDs are cut in {len(long)} rows; artifact:{artifact.artifact_id} has "
            "them whole."
        )
