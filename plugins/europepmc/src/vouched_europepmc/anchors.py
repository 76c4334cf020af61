"""Where a snippet stands: exact offsets in the blocks of an abstract or a full text, or nowhere. Never a guess.

Snippets and texts differ in white space and citation marks, so both are compared without them; the offsets found are
those of the text as it is delivered.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence

import msgspec
from vouched.api import Article, Figure, FullText, Table

__all__ = ["Anchor", "Passage", "TextIndex", "passages", "printed"]

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
    """Title, parts of the abstract, then blocks and captions of the full text; of its own abstracts what the record's
    does not say."""
    found = [Passage("title", "Title", "title", article.title)] if article.title else []
    for position, part in enumerate(article.abstract, start=1):
        path = f"Abstract > {part.label}" if part.label else "Abstract"
        found.append(Passage("abstract", path, f"abstract.{position}", part.text))
    held = _shingles(" ".join(part.text for part in article.abstract))
    for section in text.sections if text else ():
        where = "abstract" if section.kind == "abstract" else "full_text"
        found += [
            Passage(where, " > ".join(section.path), block.id, block.text)
            for block in section.blocks
            if where == "full_text" or not held or not _is_said(block.text, held)
        ]
    captioned: list[Table | Figure] = [*text.tables, *text.figures] if text else []
    for one in captioned:
        if one.caption:
            found.append(Passage("full_text", " > ".join(one.path) or one.label, one.id, one.caption))
    return found


def printed(article: Article, text: FullText | None = None) -> list[Passage]:
    """Everything that can be quoted: `passages`, then rows and notes of tables, and the references.

    A row of a table is its cells with a tab between them. Its block is `ID.head1` or `ID.row1` …, a note's `ID.note1`.
    """
    found = passages(article, text)
    for table in text.tables if text else ():
        path = " > ".join(part for part in (*table.path, table.label) if part)
        for name, rows in (("head", table.header), ("row", table.rows), ("note", [[note] for note in table.notes])):
            found += [
                Passage("full_text", path, f"{table.id}.{name}{number}", line)
                for number, cells in enumerate(rows, start=1)
                if (line := "\t".join(cell for cell in cells if cell))
            ]
    for one in text.references if text else ():
        authors = ", ".join(author.display() for author in one.authors)
        numbers = (
            one.volume + (f"({one.issue})" if one.issue else "") + (f":{one.first_page}" if one.first_page else "")
        )
        fields = ". ".join(part.rstrip(".") for part in (authors, one.title, one.source, one.year, numbers) if part)
        found.append(Passage("full_text", "References", one.id, one.text or fields))
    return found


def _shingles(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.casefold())
    return set(zip(words, words[1:], words[2:], strict=False))


def _is_said(text: str, held: set[tuple[str, ...]]) -> bool:
    """Whether an abstract's words are those of the record's, as far as two services write one abstract alike."""
    own = _shingles(text)
    return not own or len(own & held) > len(own) / 2


class TextIndex:
    """Passages without white space and citation marks; the way back to offsets is made where it is needed."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = passages
        self._origins: dict[int, list[int]] = {}
        self._starts: list[int] = []
        pieces: list[str] = []
        at = 0
        for passage in passages:
            self._starts.append(at)
            piece = squeezed(passage.text)
            pieces.append(piece)
            at += len(piece) + 1
        self._joined = _BREAK.join(pieces)

    def find(self, before: str, exact: str, after: str) -> list[Anchor]:
        """Every place where `exact` stands between `before` and `after`; none where the context is too short."""
        left, middle, right = squeezed(before), squeezed(exact), squeezed(after)
        wanted = left + middle + right
        if not middle or len(wanted) < LEAST or (wanted == middle and len(middle) < 2 * LEAST):
            return []
        found: list[Anchor] = []
        at = self._joined.find(wanted)
        while at >= 0:
            found.append(self._anchor(at + len(left), len(middle)))
            at = self._joined.find(wanted, at + 1)
        return found

    def _anchor(self, at: int, length: int) -> Anchor:
        number = bisect_right(self._starts, at) - 1
        if number not in self._origins:
            self._origins[number] = _offsets(self.passages[number].text)
        origins, first = self._origins[number], at - self._starts[number]
        return Anchor(self.passages[number], origins[first], origins[first + length - 1] + 1)


def squeezed(text: str) -> str:
    """Without white space and citation marks."""
    return "".join((_CITED.sub("", text) if "[" in text else text).split())


def _offsets(text: str) -> list[int]:
    """For each character that `squeezed` keeps, where it stands in `text`."""
    marked = _CITED.sub(lambda found: " " * len(found[0]), text) if "[" in text else text
    return [offset for offset, character in enumerate(marked) if not character.isspace()]
