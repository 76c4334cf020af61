"""Citations and references of one record: one page, read strictly."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from vouched.api import Context, Date, Id, UpstreamInvalid, canonical

from vouched_europepmc.dates import issue_date
from vouched_europepmc.envelope import known_shape, read_envelope
from vouched_europepmc.markup import plain
from vouched_europepmc.notices import scheme_of

__all__ = ["Entry", "Listed", "ask", "compare", "date_of"]

Direction = Literal["citations", "references"]
_LISTS = {"citations": ("citationList", "citation"), "references": ("referenceList", "reference")}
_DATED = re.compile(r"\b((?:1[89]|20)\d{2}(?:\s+[A-Z][a-z]{2}[a-z]*)?(?:\s+\d{1,2})?)\b")


class Entry(msgspec.Struct, frozen=True):
    """One row as the service has it; `id` is None where Europe PMC could not match the reference to a record, or named
    one (`named`, "MED:1") that is none of that source."""

    position: int
    id: Id | None
    title: str
    authors: str
    journal: str
    year: int | None
    volume: str
    issue: str
    pages: str
    citations: int | None
    named: str = ""


class Listed(msgspec.Struct, frozen=True):
    """One page: total as the service counts, and the rows of this page. `none`: it has no list for this record."""

    total: int
    entries: Sequence[Entry]
    version: str = ""
    none: bool = False


async def ask(ctx: Context, key: tuple[str, str], direction: Direction, *, page: int, size: int) -> Listed:
    """One page (from 1). A 404 means that the service has no list: none, or no such record; the record tells which."""

    def read(body: bytes) -> Listed:
        return _read(body, direction, (page - 1) * size)

    return await ctx.http("europepmc").get(
        "{}/{}/" + direction,
        *key,
        params={"format": "json", "page": page, "pageSize": size},
        read=read,
        answers={404: Listed(0, [], none=True)},
    )


def _read(body: bytes, direction: Direction, before: int) -> Listed:
    outer, inner = _LISTS[direction]
    found = read_envelope(body, "hitCount", outer)
    with known_shape("A row"):
        rows = (found.get(outer) or {}).get(inner) or []
        entries = [_entry(row, before + number) for number, row in enumerate(rows, start=1)]
    total = found.get("hitCount")
    if isinstance(total, int) and total > before and not rows:
        raise UpstreamInvalid(f"Europe PMC counts {total:,} {direction} and lists none of them.", source="europepmc")
    return Listed(total if isinstance(total, int) else before + len(rows), entries, str(found.get("version") or ""))


def _entry(row: Mapping[str, Any], position: int) -> Entry:
    def text(name: str) -> str:
        return plain(str(row.get(name) or ""))

    source, own = text("source"), text("id")
    year = row.get("pubYear")
    count = row.get("citedByCount")
    order = row.get("citedOrder")
    return Entry(
        position=order if isinstance(order, int) and order > 0 else position,
        id=canonical(scheme_of(source), own) if source and own else None,
        title=text("title"),
        authors=text("authorString"),
        journal=text("journalAbbreviation"),
        # Numbers here, texts elsewhere; 0 is its way to say unknown.
        year=int(year) if year and str(year).isdigit() else None,
        volume=text("volume"),
        issue=text("issue"),
        pages=text("pageInfo"),
        citations=count if isinstance(count, int) else None,
        named=f"{source}:{own}" if source and own else "",
    )


def date_of(citation: str) -> Date:
    """The date in a notice's citation: "PLoS One. 2026 Apr 6;21(4)"."""
    found = _DATED.search(citation)
    return issue_date(found[1], None, None) if found else Date()


def compare(one: Date, other: Date) -> Literal["before", "after", "unknown"]:
    """Whether `one` lies before or after `other`, as far as both are known; the same month or year says nothing."""
    ours, theirs = (one.year, one.month, one.day), (other.year, other.month, other.day)
    for mine, his in zip(ours, theirs, strict=True):
        if mine is None or his is None:
            return "unknown"
        if mine != his:
            return "before" if mine < his else "after"
    return "unknown"
