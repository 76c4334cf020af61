"""A numbered search strategy as text: lines, their numbers, and lines that combine others (`#1 AND #2`, `or/1-3`)."""

import re
from collections.abc import Sequence

import msgspec
from vouched.api import InvalidArgument

from vouched_pubmed.query_filters import unclosed

__all__ = ["MOST_LINES", "Line", "parse", "strays"]

MOST_LINES = 50
LONGEST = 100_000
_LABEL = re.compile(r"\s*(?:#?([0-9]{1,3})\s*[.):]\s+|#([0-9]{1,3})\s+(?!(?:AND|OR|NOT)\b))(.+)", re.DOTALL)
# Labels that could be text count only where they are the next number: `2019 virus`, `1.5 mg`, `5.HT`.
_NEXT = re.compile(r"\s*([0-9]{1,3})(?:\s+|[.):](?![0-9]))(.+)", re.DOTALL)
_COMMENT = re.compile(r"\s*#\s+[^\s#0-9]")
# Quoted text and tags as they are; else `#1-#3` or `#1`, but never with a tag behind, as in `#1[something]`.
_REFERENCE = re.compile(r'"[^"]*"|\[[^\]]*\]|#([0-9]{1,3})(?:\s*[-–]\s*#?([0-9]{1,3}))?\b(?!\s*\[)')
_PART = r"[0-9]{1,3}(?:\s*[-–]\s*[0-9]{1,3})?"
_OVID = re.compile(rf"\s*(and|or)\s*/\s*({_PART}(?:\s*,\s*{_PART})*)\s*", re.IGNORECASE)
_NUMBERS = re.compile(r"[\s()]*[0-9]{1,3}(?:[\s()]+(?:AND|OR|NOT)[\s()]+[0-9]{1,3})+[\s()]*", re.IGNORECASE)
_JOINED = re.compile(r"(?:[\s()]|\b(?:AND|OR|NOT)\b)*", re.IGNORECASE)
_OPERAND = re.compile(r"(?:^|\(|\b(?:AND|OR|NOT)\b)\s*(S?)([0-9]{1,3})\s*(?=$|\)|\b(?:AND|OR|NOT)\b)", re.IGNORECASE)


class Line(msgspec.Struct, frozen=True):
    """Attributes: number; text as written; query with every reference replaced by what it stands for; references; own:
    what the line itself says, the operators in capitals where it only combines."""

    number: int
    text: str
    query: str
    references: list[int]
    own: str


def parse(strategy: str) -> list[Line]:
    """Read a strategy; lines without a number are numbered on, and in a numbered one they go on the line before.

    Lines that begin with `# ` and a word are comments and left out.

    Raises:
        InvalidArgument: for no line or more than 50, a number twice, a reference to no earlier line or to one that
            would draw what stands behind it into itself.
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
        known[number] = _Expansion(number, known).line(text)
    return list(known.values())


def strays(line: Line) -> list[str]:
    """Numbers in `line` that stand where a reference would, and that PubMed searches as words."""
    text = re.sub(r'"[^"]*"|\[[^\]]*\]', " ", line.text)
    if _combines(line.text):
        return []
    found = [(mark, int(number)) for mark, number in _OPERAND.findall(text)]
    return [
        f"`{mark}{number}` is searched as a word here; write #{number} for line {number}."
        for mark, number in dict.fromkeys(found)
        if 0 < number < line.number
    ]


def _numbered(strategy: str) -> list[tuple[int, str]]:
    lines: list[tuple[int, str]] = []
    labelled = False
    for written in strategy.splitlines():
        if not written.strip() or _COMMENT.match(written):
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
    bare = _NEXT.fullmatch(written)
    if bare and int(bare[1]) == expected and not _NUMBERS.fullmatch(written):
        return expected, bare[2].strip()
    return None, written.strip()


def _combines(text: str) -> bool:
    """Whether a line holds references and operators only: then these are meant as such, however they are written."""
    rest = _REFERENCE.sub(lambda found: " " if found[1] else found[0], text)
    return bool(_OVID.fullmatch(text) or _NUMBERS.fullmatch(text) or _JOINED.fullmatch(rest))


class _Expansion:
    """Puts the lines before in the place of the references to them."""

    def __init__(self, number: int, known: dict[int, Line]) -> None:
        self.number, self.known = number, known
        self.references: list[int] = []

    def line(self, text: str) -> Line:
        own = self._operators(text) if _combines(text) else text
        ovid = _OVID.fullmatch(text)
        if ovid:
            parts = re.split(r"\s*,\s*", ovid[2])
            query = f" {ovid[1].upper()} ".join(self._one(each) for part in parts for each in self._range(part))
        elif _NUMBERS.fullmatch(text):
            query = re.sub(r"[0-9]+", lambda found: self._one(int(found[0])), own)
        else:
            query = _REFERENCE.sub(self._marked, own)
        if len(query) > LONGEST:
            raise self._refused(f"Line {self.number} grows to {len(query)} characters.")
        return Line(self.number, text, query, list(dict.fromkeys(self.references)), own)

    def _refused(self, said: str, hint: str = "") -> InvalidArgument:
        return InvalidArgument(said, path=f"strategy, line {self.number}", hint=hint)

    def _operators(self, text: str) -> str:
        return re.sub(r"[A-Za-z]+", lambda found: found[0].upper(), text)

    def _one(self, reference: int) -> str:
        if reference not in self.known:
            hint = f"Lines before it: {', '.join(f'#{n}' for n in self.known) or 'none'}."
            raise self._refused(f"Line {self.number} refers to #{reference}, which is no line before it.", hint)
        query = self.known[reference].query
        if left_open := unclosed(query):
            raise self._refused(
                f"Line {self.number} refers to #{reference}, whose {left_open} do not balance.",
                f"Close them in line {reference}: what stands behind would become part of it.",
            )
        self.references.append(reference)
        return f"({query})"

    def _range(self, written: str) -> Sequence[int]:
        first, _, last = (end.strip(" #") for end in re.sub("–", "-", written).partition("-"))
        if last and int(last) < int(first):
            raise self._refused(f"Line {self.number} refers to #{first}-#{last}, which runs backwards.")
        return range(int(first), int(last or first) + 1)

    def _marked(self, found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0]
        joined = " OR ".join(self._one(each) for each in self._range(found[0]))
        return f"({joined})" if found[2] else joined
