"""The neutral full text: sections, tables, figures, references, in reading order."""

from typing import Literal

import msgspec

from vouched.access import Access, Decision
from vouched.article import Missing
from vouched.article_parts import Author

__all__ = ["Block", "Figure", "FullText", "Reference", "Section", "Span", "Table", "TextAnswer"]


class Block(msgspec.Struct, omit_defaults=True, frozen=True):
    """One paragraph-like piece.

    Attributes:
        id: stable within this version of the text (the document's own id, else built from position), for quoting.
        kind: p, list_item, quote, formula, boxed, code, definition, footnote, heading, caption, other.
        text: plain, white space collapsed; citation numbers stand apart from words (`plasma [3]`), numbers never fused.
    """

    id: str
    text: str
    kind: str = "p"


class Section(msgspec.Struct, omit_defaults=True, frozen=True):
    """A section with its own blocks; nested sections follow as entries of their own with a longer path.

    Attributes:
        id: stable id; path: titles with their labels from the top ("2. Methods", "2.1. Step 1"); a section without a
            title adds nothing to it; one that goes on after a nested section has a further entry, `id-2`, same path.
        kind: abstract, body, back, floats.
    """

    id: str
    path: list[str]
    blocks: list[Block] = []
    kind: Literal["abstract", "body", "back", "floats"] = "body"


class Span(msgspec.Struct, frozen=True):
    """A cell that takes several rows or columns: `part` and `row` say where, `cell` is its index in that row's list."""

    part: Literal["header", "body"]
    row: int
    cell: int
    rows: int = 1
    columns: int = 1


class Table(msgspec.Struct, omit_defaults=True, frozen=True):
    """A table as the source has it.

    Attributes:
        id, label ("Table 1"), caption; notes one by one; path of its section.
        header, rows: cells as text, one per cell of the source: one that spans stands once, so counts can be compared.
        spans: the cells that take several rows or columns; `grid` lays the table out with them.
    """

    id: str
    label: str = ""
    caption: str = ""
    header: list[list[str]] = []
    rows: list[list[str]] = []
    notes: list[str] = []
    path: list[str] = []
    spans: list[Span] = []

    def grid(self) -> tuple[list[list[str]], list[list[str]]]:
        """Header and rows as a rectangle: a spanning cell is repeated in every place that it covers."""
        return self._lay("header", self.header), self._lay("body", self.rows)

    def _lay(self, part: str, rows: list[list[str]]) -> list[list[str]]:
        sizes = {(span.row, span.cell): span for span in self.spans if span.part == part}
        placed: dict[tuple[int, int], str] = {}
        for number, row in enumerate(rows):
            column = 0
            for index, text in enumerate(row):
                while (number, column) in placed:
                    column += 1
                span = sizes.get((number, index))
                high, wide = (min(span.rows, len(rows) - number), span.columns) if span else (1, 1)
                for down in range(high):
                    placed.update({(number + down, column + right): text for right in range(wide)})
                column += wide
        width = max((column + 1 for _, column in placed), default=0)
        return [[placed.get((number, column), "") for column in range(width)] for number in range(len(rows))]


class Figure(msgspec.Struct, omit_defaults=True, frozen=True):
    """Attributes: id, label, caption, path; access where `fig/permissions` says otherwise than the article."""

    id: str
    label: str = ""
    caption: str = ""
    path: list[str] = []
    access: Access | None = None


class Reference(msgspec.Struct, omit_defaults=True, frozen=True):
    """One entry of the reference list, exactly one per `ref`: fields separate, ids by scheme, text as fallback."""

    id: str
    label: str = ""
    authors: list[Author] = []
    title: str = ""
    source: str = ""
    year: str = ""
    volume: str = ""
    issue: str = ""
    first_page: str = ""
    last_page: str = ""
    ids: dict[str, str] = {}
    text: str = ""
    kind: str = ""


class FullText(msgspec.Struct, omit_defaults=True, frozen=True, kw_only=True):
    """A whole text as its source has it.

    Attributes:
        ids: the ids that the text itself carries, to be compared with those asked for.
        sections: in reading order, flat, each with its path; abstracts first, back matter last. With tables and figures
            they hold every word once: captions and cells stand there and not here.
        access: the record's flags together with the rights statements found in the text.
        source: name of the remote source; format: "jats", …; version where the source tells.
        sha256: of the raw body; url without secrets; retrieved_at in UTC.
    """

    ids: dict[str, str]
    title: str = ""
    sections: list[Section] = []
    tables: list[Table] = []
    figures: list[Figure] = []
    references: list[Reference] = []
    access: Access
    source: str = ""
    format: str = "jats"
    version: str = ""
    copyright: str = ""
    sha256: str = ""
    url: str = ""
    retrieved_at: str = ""


class TextAnswer(msgspec.Struct, omit_defaults=True, frozen=True):
    """What `ctx.text(article)` gives: the text only where the licence lets it be read.

    Attributes:
        state: granted, restricted (the gate refused), missing (no source has it), failed (could not be asked).
        decision: the gate's, always there.
        text: only when granted.
        missing: why not, when missing or failed.
    """

    state: Literal["granted", "restricted", "missing", "failed"]
    decision: Decision
    text: FullText | None = None
    missing: Missing | None = None
