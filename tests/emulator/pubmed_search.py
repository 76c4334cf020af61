"""A PubMed query over the records that the emulator holds: which match, in which order, and what was understood."""

import calendar
import datetime
import re
from collections.abc import Callable, Iterable, Mapping

import msgspec

from tests.emulator.pubmed_query import DATES, FIELDS, Pair, Parsed, Set, Term, Tree, parse
from tests.emulator.pubmed_records import Record, author_matches
from tests.emulator.words import fold, holds

WHOLE = {"pt", "la", "vi", "ip", "pg", "mh", "majr"}


class Found(msgspec.Struct):
    """pmids: in the order asked for. translations: (from, to) pairs. The lists name what was not understood."""

    pmids: list[int]
    translation: str
    translations: list[tuple[str, str]] = []
    phrases_not_found: list[str] = []
    fields_not_found: list[str] = []
    quoted_not_found: list[str] = []


class Search:
    """One query over some records.

    sets: earlier results of the history session, by key. known: what each term found before, by field and text; the
    records do not change, so a walk through thousands of them in slices need not look for its words each time.
    """

    def __init__(
        self,
        records: Mapping[int, Record],
        sets: Mapping[str, Iterable[int]],
        known: dict[tuple[str, str], frozenset[int]] | None = None,
    ) -> None:
        self.records, self.sets = records, sets
        self.known = {} if known is None else known
        self.found = Found([], "")

    def run(self, query: str, field: str = "", sort: str = "", dates: "tuple[str, int, int] | None" = None) -> Found:
        parsed = parse(query, field)
        self.found.fields_not_found = list(parsed.unknown_tags)
        matched, self.found.translation = self._matched(parsed)
        if dates is not None:
            kind, first, last = dates
            matched = {p for p in matched if any(first <= day <= last for day in self.records[p].dates[kind])}
            span = f"{_slashed(first)}:{_slashed(last)}[{FIELDS[kind][0]}]"
            self.found.translation = f"({self.found.translation}) AND {span}" if self.found.translation else span
        self.found.pmids = self._ordered(matched, sort, fold(query).split())
        return self.found

    def _matched(self, parsed: Parsed) -> tuple[set[int], str]:
        if parsed.tree is None:
            return set(), ""
        result = self._eval(parsed.tree)
        if result is None:
            # Nothing of the query is known: no hits, and the translation shows the words as they came.
            return set(), f"({' AND '.join(f'{text}[All Fields]' for text in self.found.phrases_not_found)})"
        return result

    def _eval(self, tree: Tree) -> tuple[set[int], str] | None:
        if isinstance(tree, Set):
            return set(self.sets.get(tree.key, ())), f"#{tree.key}"
        if isinstance(tree, Term):
            return self._term(tree)
        return self._pair(tree)

    def _pair(self, pair: Pair) -> tuple[set[int], str] | None:
        left, right = self._eval(pair.left), self._eval(pair.right)
        if left is None or right is None:
            # A phrase that PubMed does not know is dropped from the query, not searched as a miss.
            return left or (None if pair.operator == "NOT" else right)
        one, two = left[0], right[0]
        both = {"AND": one & two, "OR": one | two, "NOT": one - two}[pair.operator]
        other = isinstance(pair.left, Pair) and pair.left.operator != pair.operator
        return both, f"{f'({left[1]})' if other else left[1]} {pair.operator} {_grouped(pair.right, right[1])}"

    def _term(self, term: Term) -> tuple[set[int], str] | None:
        if term.field in DATES:
            return self._dated(term)
        if term.field == "uid":
            return self._numbered(term)
        field = term.field or ("filter" if fold(term.text) == "hasabstract" else "all")
        hits = self._holding(field, term.text)
        shown = f'"{fold(term.text)}"[{FIELDS[field][0]}]'
        if not hits and term.quoted and " " in fold(term.text):
            self.found.quoted_not_found.append(f'"{term.text}"')
            words = [self._holding(field, word) for word in fold(term.text).split()]
            return set.intersection(*words), " AND ".join(
                f'"{word}"[{FIELDS[field][0]}]' for word in fold(term.text).split()
            )
        if not hits:
            self.found.phrases_not_found.append(term.text if term.field is None else f"{term.text}[{FIELDS[field][0]}]")
            return None if term.field is None else (set(), shown)
        return self._mapped(term, hits, shown)

    def _mapped(self, term: Term, hits: set[int], shown: str) -> tuple[set[int], str]:
        """Automatic term mapping, of the kinds that the records let us know: MeSH headings and journals."""
        if term.field == "au":
            self.found.translations.append((f"{term.text}[author]", shown))
        if term.field is None and not term.quoted and (headed := self._holding("mh", term.text)):
            shown = f'"{fold(term.text)}"[MeSH Terms] OR {shown}'
            self.found.translations.append((term.text, shown))
            return hits | headed, f"({shown})"
        return hits, shown

    def _holding(self, field: str, text: str) -> set[int]:
        if (field, text) not in self.known:
            self.known[field, text] = frozenset(p for p, record in self.records.items() if _holds(record, field, text))
        return set(self.known[field, text])

    def _numbered(self, term: Term) -> tuple[set[int], str]:
        if term.upto:
            first, last = int(term.text), int(term.upto)
            return {p for p in self.records if first <= p <= last}, f"{first:08d}:{last:08d}[UID]"
        wanted = {int(n) for n in re.findall(r"\d+", term.text)}
        return wanted & self.records.keys(), f"{term.text}[UID]"

    def _dated(self, term: Term) -> tuple[set[int], str]:
        kind = str(term.field)
        first, last = span(term.text)[0], span(term.upto or term.text)[1]
        hits = {p for p, r in self.records.items() if any(first <= day <= last for day in r.dates[kind])}
        name = FIELDS[kind][0]
        if term.upto:
            return hits, f"{_shown(term.text, 0)}:{_shown(term.upto, 1)}[{name}]"
        return hits, f"{_shown(term.text, 0)}:{_shown(term.text, 1)}[{name}]"

    def _ordered(self, matched: set[int], sort: str, words: list[str]) -> list[int]:
        recent = sorted(matched, reverse=True)
        keys: dict[str, Callable[[int], object]] = {
            "relevance": lambda p: -sum(self.records[p].texts.get("tiab", "").count(f" {w} ") for w in words),
            "pub_date": lambda p: -max(self.records[p].dates["pdat"], default=0),
            "pub date": lambda p: -max(self.records[p].dates["pdat"], default=0),
            "author": lambda p: fold(next((a.name for a in self.records[p].authors), "")),
            "first author": lambda p: fold(next((a.name for a in self.records[p].authors), "")),
            "journalname": lambda p: fold(next(iter(self.records[p].journal), "")),
            "journal": lambda p: fold(next(iter(self.records[p].journal), "")),
        }
        key = keys.get(sort.lower().replace("+", " "))
        return sorted(recent, key=key) if key else recent  # type: ignore[arg-type]


def _grouped(tree: Tree, text: str) -> str:
    return f"({text})" if isinstance(tree, Pair) else text


def _holds(record: Record, field: str, text: str) -> bool:
    if field == "filter":
        named = fold(text)
        listed = _entry(record, "mh", text) or _entry(record, "pt", text)
        return named in record.filters or listed or (named in LANGUAGES and _holds(record, "la", text))
    if field == "au":
        return author_matches(record, text)
    if field == "tw":
        return any(holds(record.texts.get(name, ""), text) for name in ("tiab", "mh", "nm", "pt"))
    if field == "la":
        return holds(record.texts.get("la", ""), LANGUAGES.get(fold(text), text))
    if field == "mh" and "/" in text:
        return f" {fold(text)} " in record.texts.get("mh", "")
    if field in WHOLE:
        # The term must be one whole entry of the list, not a part of one.
        return _entry(record, field, text) or (text.endswith("*") and holds(record.texts.get(field, ""), text))
    if field == "all" and text.isdigit() and int(text) == record.pmid:
        return True
    return holds(record.texts.get(field, ""), text)


def _entry(record: Record, field: str, text: str) -> bool:
    return fold(text) in record.texts.get(field, "").strip().split(" | ")


LANGUAGES = {"english": "eng", "french": "fre", "german": "ger", "spanish": "spa", "russian": "rus", "japanese": "jpn"}
LANGUAGES |= {"chinese": "chi", "italian": "ita", "portuguese": "por", "polish": "pol", "dutch": "dut", "eng": "eng"}


def span(date: str) -> tuple[int, int]:
    """A written date (`2020`, `2020/3`, `2020-03-01`) -> its first and last day; a nonsense date holds nothing."""
    parts = [int(part) for part in re.split(r"[/.-]", date.strip().strip('"')) if part.isdigit()][:3]
    if not parts or not 1 <= parts[0] <= 9999:
        return (1, 0)
    year, month, day = (*parts, 0, 0)[:3]
    try:
        first = datetime.date(year, month or 1, day or 1)
        last = datetime.date(year, month or 12, day or calendar.monthrange(year, month or 12)[1])
    except ValueError:
        return (1, 0)
    return first.toordinal(), last.toordinal()


def _slashed(day: int) -> str:
    return datetime.date.fromordinal(day).strftime("%Y/%m/%d")


def _shown(date: str, end: int) -> str:
    day = span(date)[end]
    return _slashed(day) if day > 1 else date.strip('"')
