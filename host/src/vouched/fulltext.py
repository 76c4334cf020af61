"""The neutral full text: sections, tables, figures, references, in reading order."""

from typing import Literal

import msgspec

from vouched.access import Access, Decision
from vouched.article import Author, Missing

__all__ = ["Block", "Figure", "FullText", "Reference", "Section", "Table", "TextAnswer"]


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
        id: stable id; path: titles from the top ("Methods", "Step 1"); kind: abstract, body, back, floats.
    """

    id: str
    path: list[str]
    blocks: list[Block] = []
    kind: Literal["abstract", "body", "back", "floats"] = "body"


class Table(msgspec.Struct, omit_defaults=True, frozen=True):
    """Attributes: id, label ("Table 1"), caption, header rows, rows (cells as text), notes, path of its section."""

    id: str
    label: str = ""
    caption: str = ""
    header: list[list[str]] = []
    rows: list[list[str]] = []
    notes: list[str] = []
    path: list[str] = []


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
        sections: in reading order, flat, each with its path; abstracts first, back matter last.
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
