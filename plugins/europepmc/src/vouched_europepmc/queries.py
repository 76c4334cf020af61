"""Queries in Europe PMC's language: identifiers, filters that cannot be escaped, dates."""

import calendar
import re
from collections.abc import Iterable, Sequence

from vouched.api import Id, InvalidArgument, clean

__all__ = ["REST_SOURCES", "batches", "compose", "date_range", "id_term", "own_source"]

# Schemes that are Europe PMC's own sources; the value is how `SRC:` names them.
REST_SOURCES = {
    "pmid": "MED",
    "ppr": "PPR",
    "nbk": "NBK",
    "agr": "AGR",
    "cba": "CBA",
    "ctx": "CTX",
    "eth": "ETH",
    "hir": "HIR",
    "pat": "PAT",
}
# Large OR queries lose records that single ones find, and a query may have 1,500 characters at most.
TERMS_AT_ONCE = 25
CHARACTERS_AT_ONCE = 1_400
OPERATORS = frozenset(("AND", "OR", "NOT", "TO"))
# A field with nothing after it ("TITLE:", `AUTH:""`) is no word.
_FIELD = re.compile(r"\b[A-Za-z_]+:(?=[\s)\"*]|\(|$)")
_APART = re.compile(r"[\s()\[\]\"]+")
_WORD = re.compile(r"[^\W_]")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
# AND, OR or NOT with nothing after it, AND or OR with nothing before it.
_DANGLING = re.compile(r"\b(?:AND|OR|NOT)\s*(?=$|\))|(?:^|\()\s*(?:AND|OR)\b|\b(?:AND|OR|NOT)\s+(?:AND|OR)\b")
_EMPTY_GROUP = re.compile(r"(?:^|[\s(:])\(\s*\)(?=$|[\s)])")
_DATE = re.compile(r"(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?")


def own_source(id_: Id) -> str:
    """`SRC:` of an id that names a record of one source; "" for PMCIDs and DOIs, which name it wherever it is kept."""
    return REST_SOURCES.get(id_.scheme, "")


def id_term(id_: Id) -> str:
    """The query that finds one record.

    EXT_ID stands unquoted (a quoted one finds nothing together with SRC). A PMCID is asked as such, because a paper
    that is in PubMed too is filed under MED. A DOI is quoted, for the sake of its parentheses.
    """
    if id_.scheme == "pmcid":
        return f"PMCID:{id_.value}"
    if id_.scheme == "doi":
        escaped = id_.value.replace("\\", "\\\\").replace('"', '\\"')
        return f'DOI:"{escaped}"'
    return f"(EXT_ID:{id_.value} AND SRC:{REST_SOURCES[id_.scheme]})"


def batches(ids: Iterable[Id]) -> list[list[Id]]:
    """Groups of ids whose OR query the service takes."""
    groups: list[list[Id]] = []
    size = 0
    for id_ in ids:
        length = len(id_term(id_)) + 4
        if not groups or len(groups[-1]) >= TERMS_AT_ONCE or size + length > CHARACTERS_AT_ONCE:
            groups.append([])
            size = 0
        groups[-1].append(id_)
        size += length
    return groups


def compose(query: str, filters: Sequence[str]) -> str:
    """The caller's query with every filter joined to the whole of it.

    Raises:
        InvalidArgument: where a parenthesis, bracket or quote would end the query early and so escape the filters, and
            where it has no word to look for: the service answers such a query with everything that it has.
    """
    text = " ".join(clean(query).split())
    _says_something(text)
    _balanced(text)
    return " AND ".join([f"({text})", *filters])


def _says_something(text: str) -> None:
    bare, unquoted = _FIELD.sub(" ", text), _QUOTED.sub('""', text)
    if not any(_WORD.search(word) and word.upper() not in OPERATORS for word in _APART.split(bare)):
        what = "has no word to look for" if text else "is blank"
    elif _EMPTY_GROUP.search(unquoted):
        what = "has parentheses with nothing in them"
    elif dangling := _DANGLING.search(unquoted):
        what = f"has an operator that joins nothing ({dangling[0].strip('( ')!r})"
    else:
        return
    raise InvalidArgument(
        f"The query {what}.",
        path="query",
        expected="words, phrases or fields with a value",
        hint="Operators, parentheses, `*` and field names alone find nothing in particular.",
        example='TITLE:"heart failure" AND statin',
    )


def _balanced(text: str) -> None:
    closing = {")": "(", "]": "["}
    opened: list[tuple[str, int]] = []
    quoted_at: int | None = None
    escaped = False
    for position, character in enumerate(text, start=1):
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == '"':
            quoted_at = None if quoted_at is not None else position
        elif quoted_at is None and character in "([":
            opened.append((character, position))
        elif quoted_at is None and character in closing and (not opened or opened.pop()[0] != closing[character]):
            raise _unbalanced(f"the {character!r} at character {position} closes nothing")
    if quoted_at is not None:
        raise _unbalanced(f"the quote at character {quoted_at} is never closed")
    if opened:
        raise _unbalanced(f"the {opened[-1][0]!r} at character {opened[-1][1]} is never closed")
    if escaped:
        raise _unbalanced("it ends in a backslash")


def _unbalanced(what: str) -> InvalidArgument:
    return InvalidArgument(
        f"The query is not balanced: {what}, so its filters could not be applied to the whole of it.",
        path="query",
        hint="Balance parentheses and quotes, or put a backslash before one that is meant literally.",
        example='(TITLE:"heart failure" OR cardiomyopathy) AND statin',
    )


def date_range(first: str | None, last: str | None) -> str:
    """`FIRST_PDATE:[a TO b]` from ISO dates of any precision, "" for none; one end may stay open."""
    if not first and not last:
        return ""
    low = _date(first, "date_from", first_day=True) if first else "1500-01-01"
    high = _date(last, "date_to", first_day=False) if last else "3000-12-31"
    if low > high:
        raise InvalidArgument(
            f"date_from ({low}) lies after date_to ({high}).", path="date_from", hint="Swap the two dates."
        )
    return f"FIRST_PDATE:[{low} TO {high}]"


def _date(text: str, path: str, *, first_day: bool) -> str:
    found = _DATE.fullmatch(text.strip())
    if found:
        year, month = int(found[1]), int(found[2]) if found[2] else (1 if first_day else 12)
        if 1 <= month <= 12 and year >= 1000:
            days = calendar.monthrange(year, month)[1]
            day = int(found[3]) if found[3] else (1 if first_day else days)
            if 1 <= day <= days:
                return f"{year:04d}-{month:02d}-{day:02d}"
    raise InvalidArgument(
        f"{text!r} is not a date.", path=path, expected="YYYY, YYYY-MM or YYYY-MM-DD", example="2024-05-31"
    )
