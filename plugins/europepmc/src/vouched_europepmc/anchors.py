"""Where a snippet stands: exact offsets in the blocks of an abstract or a full text, or nowhere. Never a guess.

Snippets and texts differ in white space and citation marks, so both are compared without them; the offsets found are
those of the text as it is delivered.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

import msgspec
from vouched.api import Article, Figure, FullText, Table

__all__ = ["Anchor", "Passage", "TextIndex", "passages"]

_WORD = re.compile(r"\S+")
# Citation marks that the reader of full texts sets apart: "plasma [3, 5]".
_CITED = re.compile(r"\[\d[\d,;\u2013\u2212\- ]*\]")
# Fewer characters than this, spaces not counted, do not place a snippet.
LEAST = 12
_BREAK = "\x00"


class Passage(msgspec.Struct, frozen=True):
    """One block that can be quoted.

    Attributes:
        where: title, abstract or full_text; path: "Methods > Step 1"; block: its id; text: as delivered.
    """

    where: str
    path: str
    block: str
    text: str


class Anchor(msgspec.Struct, frozen=True):
    """A stretch of a passage: `passage.text[start:end]`."""

    passage: Passage
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.passage.text[self.start : self.end]


def passages(article: Article, text: FullText | None = None) -> list[Passage]:
    """Title, parts of the abstract, then blocks and captions of the full text; its own abstract only where the record
    has none."""
    found = [Passage("title", "Title", "title", article.title)] if article.title else []
    for position, part in enumerate(article.abstract, start=1):
        path = f"Abstract > {part.label}" if part.label else "Abstract"
        found.append(Passage("abstract", path, f"abstract.{position}", part.text))
    for section in text.sections if text else ():
        if section.kind == "abstract" and article.abstract:
            continue
        where = "abstract" if section.kind == "abstract" else "full_text"
        found += [Passage(where, " > ".join(section.path), block.id, block.text) for block in section.blocks]
    captioned: list[Table | Figure] = [*text.tables, *text.figures] if text else []
    for one in captioned:
        if one.caption:
            found.append(Passage("full_text", " > ".join(one.path) or one.label, one.id, one.caption))
    return found


class TextIndex:
    """Passages without white space and citation marks, with the way back to their offsets."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = passages
        pieces: list[str] = []
        self._starts: list[int] = []
        self._origins: list[tuple[int, int]] = []
        at = 0
        for number, passage in enumerate(passages):
            for begin, piece in _pieces(passage.text):
                self._starts.append(at)
                self._origins.append((number, begin))
                pieces.append(piece)
                at += len(piece)
            pieces.append(_BREAK)
            at += 1
        self._joined = "".join(pieces)

    def find(self, before: str, exact: str, after: str) -> list[Anchor]:
        """Every place where `exact` stands between `before` and `after`; none where the context is too short."""
        left, middle, right = squeezed(before), squeezed(exact), squeezed(after)
        wanted = left + middle + right
        if not middle or len(wanted) < LEAST or (wanted == middle and len(middle) < 2 * LEAST):
            return []
        found: list[Anchor] = []
        at = self._joined.find(wanted)
        while at >= 0:
            found.append(self._anchor(at + len(left), at + len(left) + len(middle)))
            at = self._joined.find(wanted, at + 1)
        return found

    def _anchor(self, start: int, end: int) -> Anchor:
        number, begin = self._origin(start)
        _, last = self._origin(end - 1)
        return Anchor(self.passages[number], begin, last + 1)

    def _origin(self, at: int) -> tuple[int, int]:
        piece = bisect_right(self._starts, at) - 1
        number, begin = self._origins[piece]
        return number, begin + at - self._starts[piece]


def squeezed(text: str) -> str:
    """Without white space and citation marks."""
    return "".join(piece for _, piece in _pieces(text))


def _pieces(text: str) -> Iterable[tuple[int, str]]:
    at = 0
    spans = [*((m.start(), m.end()) for m in _CITED.finditer(text))] if "[" in text else []
    for start, end in [*spans, (len(text), len(text))]:
        for found in _WORD.finditer(text, at, start):
            yield found.start(), found[0]
        at = end
