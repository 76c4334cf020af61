"""A record too large for an answer: authors are shortened first, then what describes it least goes."""

from typing import Any

import msgspec

from vouched_pubmed.fetch_articles import FetchRow
from vouched_pubmed.records import RecordView

__all__ = ["fitted"]

# What a record keeps in any case.
KEPT = ("ids", "pmid", "status", "kind", "title", "authors", "author_count")
# What the standard view shows of the neutral record: it goes only after all that view full has beyond it.
_STANDARD = (
    "signals is_notice notices editors book journal date electronic_date volume issue locator types languages "
    "vernacular_title abstract abstract_state copyright keywords mesh flattened version other_versions"
)
STANDARD = frozenset(_STANDARD.split())
# Authors shown, (first, last), the more the better.
SHOWN = ((97, 3), (20, 3), (3, 1))


def fitted(row: FetchRow, room: int) -> FetchRow:
    """`row` within `room` characters; everything that it lost stands in `omitted` with its count."""
    content = dict(row.article) if row.article else msgspec.to_builtins(row.record)
    before = row.omitted
    lost: dict[str, str] = {}

    def fits() -> bool:
        row.omitted = [*(text for text in before if text.partition(" ")[0] not in lost), *lost.values()]
        if row.article:
            row.article = content
        else:
            row.record = msgspec.convert(content, RecordView)
        return len(msgspec.json.encode(row)) <= room

    if row.article and not fits() and (count := _without_affiliations(content)):
        lost["affiliations"] = f"affiliations ({count})"
    total = int(content.get("author_count") or len(content.get("authors", ())))
    everyone = content.get("authors", [])
    for first, last in SHOWN:
        if fits() or len(everyone) <= first + last:
            continue
        content["authors"] = [*everyone[:first], *everyone[-last:]]
        lost["authors"] = f"authors ({total - first - last} of {total}, between the first {first} and the last {last})"
    while not fits():
        name = _next(content, neutral=bool(row.article))
        if not name:
            break
        lost[name] = f"{name} ({_count(content.pop(name))})"
    return row


def _without_affiliations(content: dict[str, Any]) -> int:
    """Take the affiliations off authors and investigators; returns how many there were."""
    count = 0
    for name in ("authors", "investigators"):
        people = content.get(name, [])
        count += sum(len(person.get("affiliations", ())) for person in people)
        if people:
            content[name] = [{key: value for key, value in one.items() if key != "affiliations"} for one in people]
    return count


def _next(content: dict[str, Any], *, neutral: bool) -> str:
    """The field to go next: the largest that the standard view has not, then the largest of all."""
    sizes = {name: len(msgspec.json.encode(value)) for name, value in content.items() if name not in KEPT}
    beyond = {name: size for name, size in sizes.items() if neutral and name not in STANDARD}
    # Small fields bring nothing and may matter.
    chosen = {name: size for name, size in beyond.items() if size > 200} or sizes
    return max(chosen, key=lambda name: chosen[name]) if chosen else ""


def _count(value: Any) -> str:
    if isinstance(value, str):
        return f"{len(value):,} characters"
    return f"{len(value):,}" if isinstance(value, list | dict) else "1"
