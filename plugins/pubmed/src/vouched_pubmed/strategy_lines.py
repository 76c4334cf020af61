"""A numbered search strategy as text: lines, their numbers, and lines that combine others (`#1 AND #2`, `or/1-3`)."""

import re

import msgspec
from vouched.api import InvalidArgument

__all__ = ["MOST_LINES", "Line", "parse"]

MOST_LINES = 50
LONGEST = 100_000
_LABEL = re.compile(r"\s*(?:#?([0-9]{1,3})\s*[.):]\s+|#([0-9]{1,3})\s+(?!(?:AND|OR|NOT)\b))(.+)", re.DOTALL)
_BARE = re.compile(r"\s*([0-9]{1,3})\s+(.+)", re.DOTALL)
# `#1-#3` or `#1`; never the tag of `#1[something]`.
_REFERENCE = re.compile(r"#([0-9]{1,3})(?:\s*[-–]\s*#?([0-9]{1,3}))?\b(?!\s*\[)")
_OVID = re.compile(r"\s*(and|or)\s*/\s*([0-9]{1,3})\s*[-–]\s*([0-9]{1,3})\s*", re.IGNORECASE)
_NUMBERS = re.compile(r"[\s()]*[0-9]{1,3}(?:[\s()]+(?:AND|OR|NOT)[\s()]+[0-9]{1,3})+[\s()]*", re.IGNORECASE)


class Line(msgspec.Struct, frozen=True):
    """Attributes: number; text as written; query with every reference replaced by what it stands for; references."""

    number: int
    text: str
    query: str
    references: list[int]


def parse(strategy: str) -> list[Line]:
    """Read a strategy; lines without a number are numbered on, and in a numbered one they go on the line before.

    Raises:
        InvalidArgument: for no line or more than 50, a number twice, a reference to no earlier line.
    """
    numbered = _numbered(strategy)
    if not 1 <= len(numbered) <= MOST_LINES:
        raise InvalidArgument(
            f"The strategy has {len(numbered)} lines.",
            path="strategy",
            expected=f"1 to {MOST_LINES} lines",
            example="1. asthma[mh]\n2. child[mh]\n3. #1 AND #2",
        )
    known: dict[int, Line] = {}
    for number, text in numbered:
        if number in known:
            raise InvalidArgument(f"Line {number} is there twice.", path="strategy")
        query, references = _expanded(number, text, known)
        known[number] = Line(number, text, query, references)
    return list(known.values())


def _numbered(strategy: str) -> list[tuple[int, str]]:
    lines: list[tuple[int, str]] = []
    labelled = False
    for written in strategy.splitlines():
        if not written.strip():
            continue
        number, text = _label(written, lines[-1][0] + 1 if lines else 1)
        labelled = labelled or number is not None
        if number is None and labelled and lines:
            lines[-1] = (lines[-1][0], f"{lines[-1][1]} {text}")
        else:
            lines.append((number or (lines[-1][0] + 1 if lines else 1), text))
    return lines


def _label(written: str, expected: int) -> tuple[int | None, str]:
    """The number before a line, and the rest. A bare one counts only where it is the next: `2019 virus` is text."""
    found = _LABEL.fullmatch(written)
    if found:
        return int(found[1] or found[2]), found[3].strip()
    bare = _BARE.fullmatch(written)
    if bare and int(bare[1]) == expected and not _NUMBERS.fullmatch(written):
        return expected, bare[2].strip()
    return None, written.strip()


def _expanded(number: int, text: str, known: dict[int, Line]) -> tuple[str, list[int]]:
    references: list[int] = []

    def stands_for(reference: int) -> str:
        if reference not in known:
            raise InvalidArgument(
                f"Line {number} refers to #{reference}, which is no line before it.",
                path=f"strategy, line {number}",
                hint=f"Lines before it: {', '.join(f'#{n}' for n in known) or 'none'}.",
            )
        references.append(reference)
        return f"({known[reference].query})"

    def span(first: int, last: int, operator: str) -> str:
        return f" {operator} ".join(stands_for(each) for each in range(first, last + 1))

    def plain(found: re.Match[str]) -> str:
        return stands_for(int(found[0])) if found[0].isdigit() else found[0].upper()

    def marked(found: re.Match[str]) -> str:
        return f"({span(int(found[1]), int(found[2]), 'OR')})" if found[2] else stands_for(int(found[1]))

    ovid = _OVID.fullmatch(text)
    if ovid:
        query = span(int(ovid[2]), int(ovid[3]), ovid[1].upper())
    elif _NUMBERS.fullmatch(text):
        # `1 and 2` combines lines and nothing else, so its operators are meant as such.
        query = re.sub(r"[0-9]+|[A-Za-z]+", plain, text)
    else:
        query = _REFERENCE.sub(marked, text)
    if len(query) > LONGEST:
        raise InvalidArgument(f"Line {number} grows to {len(query)} characters.", path=f"strategy, line {number}")
    return query, list(dict.fromkeys(references))
