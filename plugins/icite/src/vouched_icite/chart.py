"""A chart of Relative Citation Ratios by year of publication, as PNG and SVG (extra `vouched-icite[plot]`).

Pillow draws the PNG: one wheel of 7 MB without dependencies, kept up for decades, with a font built in; the SVG is
written by hand from the same calls, so both show the same.
"""

import importlib.util
import itertools
import math
from collections.abc import Mapping, Sequence

import msgspec
from vouched.api import Image, InvalidArgument

from vouched_icite.canvas import Canvas, Png, Svg
from vouched_icite.metrics import Metrics
from vouched_icite.standing import RETRACTED, known

__all__ = ["Picture", "draw", "require"]

WIDTH, HEIGHT = 800, 480
LEFT, RIGHT, TOP, BOTTOM = 70, 30, 64, 90
INK, GREY, PALE, BLUE, RED = "#222222", "#666666", "#dddddd", "#1f5fa8", "#b3261e"
# Below this an RCR stands on the lowest line: a logarithmic axis has no zero. None ever came near the highest.
LOWEST, HIGHEST = 0.0625, 2.0**20
LABELLED = 5
MOST_LINES = 12


class Picture(msgspec.Struct, frozen=True):
    """The chart in both formats."""

    image: Image
    svg: str


class Point(msgspec.Struct, frozen=True):
    """A paper with all that is drawn of it."""

    pmid: str
    year: int
    ratio: float
    provisional: bool
    retracted: bool


def require() -> None:
    """Refuse where the extra is not installed.

    Raises:
        InvalidArgument: with the line that installs it.
    """
    if importlib.util.find_spec("PIL") is None:
        raise InvalidArgument(
            "`plot` needs the extra that draws charts, and it is not installed.",
            path="plot",
            hint="Install it with: pip install 'vouched-icite[plot]', or leave `plot` out.",
        )


def draw(papers: Sequence[Metrics], retrieved_at: str = "", standing: Mapping[str, str] | None = None) -> Picture:
    """The chart of the papers that have an RCR and a year; the others are counted below it.

    Args:
        retrieved_at: when iCite gave the numbers, ISO 8601; its day stands in the chart.
        standing: PMID -> status, of the papers that were asked about; a retracted one is crossed out.
    """
    standing = standing or {}
    day = retrieved_at[:10]
    points = sorted(
        (
            Point(
                paper.pmid,
                paper.year,
                paper.relative_citation_ratio,
                bool(paper.provisional),
                standing.get(paper.pmid) in RETRACTED,
            )
            for paper in papers
            if paper.relative_citation_ratio is not None and paper.year is not None
        ),
        key=lambda point: (point.year, point.ratio, int(point.pmid)),
    )
    source = f"Source: NIH iCite{f', retrieved {day}' if day else ''}."
    svg, png = Svg(WIDTH, HEIGHT, "Relative Citation Ratio by year of publication", source), Png(WIDTH, HEIGHT)
    notes = (_standing_note(papers, standing), _note(papers, f", {day}" if day else ""))
    for canvas in (svg, png):
        _paint(canvas, points, notes)
    alt = (
        f"Relative Citation Ratio by year of publication for {len(points)} papers; 1.0 is the median NIH-funded paper. "
        f"{notes[0]}"
    )
    return Picture(Image(png.finish(), "image/png", alt), svg.finish())


def _note(papers: Sequence[Metrics], day: str) -> str:
    ratios = sum(paper.relative_citation_ratio is not None for paper in papers)
    undated = sum(paper.relative_citation_ratio is not None and paper.year is None for paper in papers)
    without = [f"{len(papers) - ratios} without one"] if ratios < len(papers) else []
    without += [f"{undated} without a year"] if undated else []
    left_out = f"; {' and '.join(without)} are not drawn" if without else ""
    return f"{ratios} of {len(papers)} indexed papers have an RCR{left_out}. Source: NIH iCite{day}. Logarithmic axis."


def _standing_note(papers: Sequence[Metrics], standing: Mapping[str, str]) -> str:
    statuses = known(standing[paper.pmid] for paper in papers if paper.pmid in standing)
    if not statuses:
        return "Whether any of them was retracted is not known."
    retracted = sum(status in RETRACTED for status in statuses)
    of = "all" if len(statuses) == len(papers) else f"{len(statuses)} of {len(papers)}"
    return f"Standing known of {of}: {retracted or 'none'} retracted, {statuses.count('concern') or 'none'} of concern."


def _paint(canvas: Canvas, points: Sequence[Point], notes: Sequence[str]) -> None:
    canvas.text(LEFT, 22, "Relative Citation Ratio by year of publication", 17, INK)
    canvas.dot(LEFT + 5, 46, 4.5, BLUE, filled=True)
    canvas.text(LEFT + 16, 46, "settled", 12, GREY)
    canvas.dot(LEFT + 85, 46, 4.5, BLUE, filled=False)
    canvas.text(LEFT + 96, 46, "provisional", 12, GREY)
    canvas.line(LEFT + 190, 46, LEFT + 220, 46, RED, 1.5, dash=6)
    canvas.text(LEFT + 228, 46, "1.0: the median NIH-funded paper of the same field and year", 12, GREY)
    if any(point.retracted for point in points):
        _cross(canvas, LEFT + 610, 46)
        canvas.text(LEFT + 621, 46, "retracted", 12, GREY)
    for above, note in enumerate(reversed(notes)):
        canvas.text(LEFT, HEIGHT - 16 - 17 * above, note, 12, GREY)
    if not points:
        canvas.text(WIDTH / 2, HEIGHT / 2, "No paper of this set has an RCR.", 15, GREY, "middle")
        return
    low, high = _range(points)
    _axes(canvas, points, low, high)
    places = [(point, *_place(points, index, low, high)) for index, point in enumerate(points)]
    for point, x, y in places:
        canvas.dot(x, y, 4.5, BLUE, filled=not point.provisional)
        if point.retracted:
            _cross(canvas, x, y)
    _labels(canvas, places, (_y(1.0, low, high), HEIGHT - BOTTOM))


def _cross(canvas: Canvas, x: float, y: float) -> None:
    for rise in (-6, 6):
        canvas.line(x - 6, y - rise, x + 6, y + rise, RED, 2)


def _range(points: Sequence[Point]) -> tuple[int, int]:
    """Lowest and highest power of two on the axis; 1.0 is always on it."""
    ratios = [min(max(point.ratio, LOWEST), HIGHEST) for point in points]
    return min(-1, math.floor(math.log2(min(ratios)))), max(1, math.ceil(math.log2(max(ratios))))


def _years(points: Sequence[Point]) -> tuple[int, int]:
    return points[0].year, points[-1].year


def _x(points: Sequence[Point], year: float) -> float:
    first, last = _years(points)
    return LEFT + (year - first + 0.5) / (last - first + 1) * (WIDTH - LEFT - RIGHT)


def _y(ratio: float, low: int, high: int) -> float:
    share = (math.log2(min(max(ratio, LOWEST), HIGHEST)) - low) / (high - low)
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def _axes(canvas: Canvas, points: Sequence[Point], low: int, high: int) -> None:
    apart = math.ceil((high - low) / MOST_LINES)
    for power in range(low, high + 1):
        # The line of 1 is always among those that are drawn.
        if power % apart:
            continue
        y = _y(2.0**power, low, high)
        canvas.line(LEFT, y, WIDTH - RIGHT, y, PALE)
        label = "0 to 0.06" if 2.0**power <= LOWEST else f"{2.0**power:,.0f}" if power > 0 else f"{2.0**power:g}"
        canvas.text(LEFT - 8, y, label, 12, GREY, "end")
    median = _y(1.0, low, high)
    canvas.line(LEFT, median, WIDTH - RIGHT, median, RED, 1.5, dash=6)
    first, last = _years(points)
    step = max(1, math.ceil((last - first + 1) / 14))
    for year in range(first, last + 1, step):
        canvas.text(_x(points, year), HEIGHT - BOTTOM + 16, str(year), 12, GREY, "middle")
    canvas.line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, GREY)
    for year in range(first, last + 2):
        edge = _x(points, year - 0.5)
        canvas.line(edge, HEIGHT - BOTTOM, edge, HEIGHT - BOTTOM + 6, GREY)
    middle = (LEFT + WIDTH - RIGHT) / 2
    said = "year of publication (papers of one year side by side)"
    canvas.text(middle, HEIGHT - BOTTOM + 34, said, 12, GREY, "middle")


def _place(points: Sequence[Point], index: int, low: int, high: int) -> tuple[float, float]:
    """Papers of one year stand side by side within its column, so that equal ratios do not hide each other."""
    point = points[index]
    alike = [other for other in points if other.year == point.year]
    # Steps of the golden ratio mix them: in the order of their ratios they would look like a rise within the year.
    mixed = sorted(range(len(alike)), key=lambda rank: rank * 0.618034 % 1)
    aside = ((mixed.index(alike.index(point)) + 0.5) / len(alike) - 0.5) * 0.7
    return _x(points, point.year + aside), _y(point.ratio, low, high)


def _labels(canvas: Canvas, places: Sequence[tuple[Point, float, float]], lines: Sequence[float]) -> None:
    """PMIDs of the highest ratios, beside their dots or a little above, where no dot, line or other label is in the
    way."""
    taken = [(x - 5, x + 5, y) for _, x, y in places]
    for point, x, y in sorted(places, key=lambda place: (-place[0].ratio, int(place[0].pmid)))[:LABELLED]:
        text = f"PMID {point.pmid}"
        width = 6.2 * len(text)
        for start, at in itertools.product((x + 9, x - 9 - width), (y, y - 9)):
            end = start + width
            clear = not any(start < right and end > left and abs(at - other) < 12 for left, right, other in taken)
            clear = clear and all(abs(at - line) >= 6 for line in lines)
            if clear and start >= LEFT and end <= WIDTH - RIGHT:
                canvas.text(start if start > x else x - 9, at, text, 11, INK, "start" if start > x else "end")
                taken.append((start, end, at))
                break
