"""The parts of a bibliographic record: people, dates, journal, headings, grants, references, as recorded.

Those that a record has by the hundred are `gc=False`: they hold text, numbers and each other, can never stand in a
cycle, and so need no search for one.
"""

from typing import Literal

import msgspec

__all__ = [
    "AbstractPart",
    "Author",
    "Book",
    "Chemical",
    "CitedReference",
    "DataBank",
    "Date",
    "ELocation",
    "Grant",
    "HistoryDate",
    "Journal",
    "Keyword",
    "Locator",
    "MeshHeading",
    "OtherAbstract",
    "PublicationType",
    "Qualifier",
    "SupplementaryConcept",
]

Precision = Literal["year", "season", "month", "day", "range"]


class Date(msgspec.Struct, omit_defaults=True, frozen=True, gc=False):
    """A date as precise as it was recorded; nothing is filled in.

    Attributes:
        literal: as recorded ("1998 Dec-1999 Jan", "2017 Winter"), "" where only parts were given.
        year, month, day: start, integers (month 1 to 12) or None.
        end_year, end_month, end_day: end of a range.
        season: "Spring", "Winter-Spring" … as recorded.
        precision: how much is known; None for no date at all.
    """

    literal: str = ""
    year: int | None = None
    month: int | None = None
    day: int | None = None
    end_year: int | None = None
    end_month: int | None = None
    end_day: int | None = None
    season: str = ""
    precision: Precision | None = None

    def iso(self) -> str:
        """`2024`, `2024-05` or `2024-05-23`: the start, as far as it is known; "" without a year."""
        if self.year is None:
            return ""
        parts = [f"{self.year:04d}"]
        if self.month is not None:
            parts.append(f"{self.month:02d}")
            if self.day is not None:
                parts.append(f"{self.day:02d}")
        return "-".join(parts)


class Author(msgspec.Struct, omit_defaults=True, frozen=True, gc=False):
    """A person or, with `collective` set, a group. Names as recorded, never swapped or completed.

    Attributes:
        family: with its particles; may stand alone (mononym).
        given: fore names as recorded ("Jean-Baptiste", "F W").
        initials: as the source has them ("JB"), "" where it has none.
        suffix: "Jr", "3rd", "III" as recorded.
        collective: the group's name.
        orcid: 0000-0000-0000-0000 form, "" where none.
        affiliations: one text each.
        valid: False where the source marks the spelling as superseded.
    """

    family: str = ""
    given: str = ""
    initials: str = ""
    suffix: str = ""
    collective: str = ""
    orcid: str = ""
    affiliations: list[str] = []
    equal_contribution: bool = False
    valid: bool = True

    def display(self) -> str:
        """`Family IN Suffix`, or the group's name: the form of PubMed's author lists."""
        if self.collective:
            return self.collective
        initials = self.initials or "".join(word[:1].upper() for word in self.given.replace("-", " ").split())
        return " ".join(part for part in (self.family, initials, self.suffix) if part)


class Journal(msgspec.Struct, omit_defaults=True, frozen=True):
    """Attributes: title as recorded; abbreviation (MEDLINE TA); iso_abbreviation; ISSNs; NLM id; country."""

    title: str = ""
    abbreviation: str = ""
    iso_abbreviation: str = ""
    issn: str = ""
    issn_print: str = ""
    issn_electronic: str = ""
    issn_linking: str = ""
    nlm_id: str = ""
    country: str = ""


class Book(msgspec.Struct, omit_defaults=True, frozen=True):
    """The book that a chapter stands in, or that a record is.

    Attributes:
        title, title_markup: as for `Article`.
        authors: of the whole book; editors stand in `Article.editors`.
        begin_date: first date of a continuously published book; end_date: its last.
    """

    title: str = ""
    title_markup: str = ""
    authors: list[Author] = []
    publisher: str = ""
    place: str = ""
    edition: str = ""
    isbn: list[str] = []
    collection: str = ""
    medium: str = ""
    volume: str = ""
    volume_title: str = ""
    report_number: str = ""
    date: Date = Date()
    begin_date: Date = Date()
    end_date: Date = Date()


class Locator(msgspec.Struct, omit_defaults=True, frozen=True):
    """Where in the issue an article stands.

    Attributes:
        text: as recorded ("188-91", "e0182390", "15, 20", "E174; discussion E174").
        kind: range, list, single, or article_number (no pages: taken from an ELocationID or by its form).
        first, last: ends as recorded, not expanded; "" where there is none.
        start, end: `StartPage` and `EndPage` where the source records them apart.
        guessed: True where `article_number` was concluded from the form, not named by the source.
    """

    text: str = ""
    kind: Literal["range", "list", "single", "article_number"] | None = None
    first: str = ""
    last: str = ""
    start: str = ""
    end: str = ""
    guessed: bool = False


class ELocation(msgspec.Struct, omit_defaults=True, frozen=True):
    """An electronic locator: type "doi" or "pii", value as recorded, valid False for ValidYN="N"."""

    type: str
    value: str
    valid: bool = True


class HistoryDate(msgspec.Struct, frozen=True, gc=False):
    """A step of the article's life: `status` as NLM names it (received, accepted, pubmed, medline, entrez …)."""

    status: str
    date: Date


class PublicationType(msgspec.Struct, omit_defaults=True, frozen=True, gc=False):
    """A publication type with its MeSH UI where the source gives one ("" for sources that give names only)."""

    name: str
    ui: str = ""


class AbstractPart(msgspec.Struct, omit_defaults=True, frozen=True, gc=False):
    """One part of an abstract: `label` as printed ("" for none or UNLABELLED), `category` NLM's, `text` plain."""

    text: str
    label: str = ""
    category: str = ""


class OtherAbstract(msgspec.Struct, omit_defaults=True, frozen=True):
    """An abstract of another language or kind (Publisher, plain-language-summary …)."""

    parts: list[AbstractPart]
    type: str = ""
    language: str = ""
    copyright: str = ""


class Qualifier(msgspec.Struct, omit_defaults=True, frozen=True, gc=False):
    """A MeSH subheading."""

    name: str
    ui: str = ""
    major: bool = False


class MeshHeading(msgspec.Struct, omit_defaults=True, frozen=True, gc=False):
    """A MeSH descriptor with its qualifiers; `major` marks a major topic."""

    name: str
    ui: str = ""
    major: bool = False
    qualifiers: list[Qualifier] = []
    type: str = ""


class SupplementaryConcept(msgspec.Struct, omit_defaults=True, frozen=True):
    """A MeSH supplementary concept; `type` as in Disease, Protocol, Organism."""

    name: str
    ui: str = ""
    type: str = ""


class Chemical(msgspec.Struct, omit_defaults=True, frozen=True, gc=False):
    """A substance: MeSH name and UI, CAS or EC number or UNII ("0" as recorded means none)."""

    name: str
    ui: str = ""
    registry_number: str = ""


class Keyword(msgspec.Struct, omit_defaults=True, frozen=True, gc=False):
    """An author's or indexer's keyword; `owner` as recorded (NOTNLM, NLM, NASA …)."""

    term: str
    major: bool = False
    owner: str = ""


class Grant(msgspec.Struct, omit_defaults=True, frozen=True, gc=False):
    """Attributes: number, acronym, agency, country as recorded."""

    number: str = ""
    acronym: str = ""
    agency: str = ""
    country: str = ""


class DataBank(msgspec.Struct, omit_defaults=True, frozen=True):
    """Accession numbers in one data bank or trial registry (`ClinicalTrials.gov`, `ISRCTN`, `GENBANK` …)."""

    name: str
    accessions: list[str] = []


class CitedReference(msgspec.Struct, omit_defaults=True, frozen=True, gc=False):
    """One entry of a reference list: the citation as text, and ids by scheme."""

    text: str = ""
    ids: dict[str, str] = {}
