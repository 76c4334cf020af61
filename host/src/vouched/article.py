"""The neutral bibliographic record: all that PubMed, Europe PMC and Bookshelf say of one publication.

Every source maps to it and every tool reads it; it holds facts as recorded and knows no source.

The parts that a record has by the hundred are `gc=False`: they hold text, numbers and each other, can never stand in a
cycle, and so need no search for one.
"""

from typing import Literal

import msgspec

from vouched.access import Access
from vouched.faults import CLASSES, Fault, UpstreamUnreachable
from vouched.ids import Id, canonical
from vouched.status import Notice, RecordStatus

__all__ = [
    "AbstractPart",
    "Article",
    "Author",
    "Book",
    "Chemical",
    "DataBank",
    "Date",
    "ELocation",
    "Grant",
    "HistoryDate",
    "Journal",
    "Keyword",
    "Locator",
    "MeshHeading",
    "Missing",
    "OtherAbstract",
    "PublicationType",
    "Qualifier",
    "SupplementaryConcept",
]

Precision = Literal["year", "season", "month", "day", "range"]
Kind = Literal["article", "preprint", "chapter", "book", "other"]


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


class Missing(msgspec.Struct, omit_defaults=True, frozen=True):
    """Why there is no record or text for an id.

    Attributes:
        state: not_found, not_in_pmc, deleted, merged, unavailable_now, failed, invalid, not_checked, …: an open list.
        reason: one sentence; only what the source said.
        merged_into: the PMID that took its place, where the source named it.
        retryable: whether asking again may help.
        code, hint: of the fault that kept the source from being asked, where there was one.
    """

    state: str
    reason: str = ""
    merged_into: str = ""
    retryable: bool = False
    source: str = ""
    code: str = ""
    hint: str = ""

    @classmethod
    def of(cls, fault: Fault, source: str = "") -> "Missing":
        """`failed`, with all that the fault says; `source` where the fault names none."""
        return cls(
            "failed",
            fault.message,
            retryable=fault.retryable,
            source=fault.source or source,
            code=fault.code,
            hint=fault.hint,
        )

    def fault(self) -> Fault:
        """The fault that it came from, for a call that has nothing else to answer; else that nobody answered."""
        kind = CLASSES.get(self.code, UpstreamUnreachable)
        return kind(self.reason, hint=self.hint, retryable=self.retryable, source=self.source)


class Article(msgspec.Struct, omit_defaults=True, frozen=True, kw_only=True):
    """One publication.

    Attributes:
        ids: scheme -> value as the source displays it ("pmid", "pmcid", "doi", "ppr", "nbk", "pii" …): an open set.
        also_ids: further values of a scheme that the same record carries (two DOIs that differ).
        kind: article, preprint, chapter, book, other.
        title: plain text, as recorded, final full stop included; title_markup: the same with `<i> <b> <sub> <sup>` and
            `& < >` escaped, "" where that equals the plain title.
        vernacular_title: in the original language; a bracketed `title` is then a translation.
        flattened: places where a formula was turned into linear text ("title", "abstract").
        authors_complete: False where the source says that the list is cut.
        investigators: collaborators listed apart; never authors.
        locator, e_locations, volume, issue: as recorded; text stays text.
        date: of the issue; electronic_date: of electronic publication; dates of two events are never mixed.
        publication_status: NLM's (ppublish, epublish, aheadofprint); publication_model: PubModel (Print-Electronic …).
        abstract, abstract_state: parts in order; "none" means the source has none, "not_fetched" that nobody asked.
        notices: links to corrections, retractions, comments, updates, in both directions.
        status: what these say together (see `vouched.status`).
        access: facts for the licence gate; None where the source was not asked.
        indexing_status: MEDLINE, PubMed-not-MEDLINE, Publisher, In-Process, …
        version, other_versions: of the record itself, where a source keeps several.
        cited_references: the reference list's texts with their ids, where the source carries it and it was asked for.
        preprint_server, preprint_version: of a preprint.
        citation_count: as this source counts; None where it does not.
        source: name of the remote source; retrieved_at: UTC, ISO 8601.
    """

    ids: dict[str, str]
    also_ids: dict[str, list[str]] = {}
    kind: Kind = "article"
    title: str = ""
    title_markup: str = ""
    vernacular_title: str = ""
    flattened: list[str] = []
    authors: list[Author] = []
    authors_complete: bool = True
    editors: list[Author] = []
    investigators: list[Author] = []
    journal: Journal = Journal()
    book: Book | None = None
    volume: str = ""
    issue: str = ""
    locator: Locator = Locator()
    e_locations: list[ELocation] = []
    date: Date = Date()
    electronic_date: Date = Date()
    contribution_date: Date = Date()
    revision_date: Date = Date()
    history: list[HistoryDate] = []
    publication_status: str = ""
    publication_model: str = ""
    languages: list[str] = []
    types: list[PublicationType] = []
    abstract: list[AbstractPart] = []
    abstract_state: Literal["present", "none", "not_fetched"] = "not_fetched"
    other_abstracts: list[OtherAbstract] = []
    mesh: list[MeshHeading] = []
    supplementary_mesh: list[SupplementaryConcept] = []
    chemicals: list[Chemical] = []
    gene_symbols: list[str] = []
    keywords: list[Keyword] = []
    grants: list[Grant] = []
    data_banks: list[DataBank] = []
    conflict_of_interest: str = ""
    copyright: str = ""
    notices: list[Notice] = []
    status: RecordStatus = RecordStatus()
    access: Access | None = None
    indexing_status: str = ""
    owner: str = ""
    citation_subsets: list[str] = []
    personal_subjects: list[Author] = []
    general_notes: list[str] = []
    version: str = ""
    other_versions: list[str] = []
    cited_references: list["CitedReference"] = []
    preprint_server: str = ""
    preprint_version: str = ""
    citation_count: int | None = None
    dates_recorded: dict[str, str] = {}
    source: str = ""
    retrieved_at: str = ""

    def known_ids(self) -> set[Id]:
        """Its identifiers in canonical form, for comparing and joining."""
        return {found for scheme, value in self.ids.items() if (found := canonical(scheme, value))}

    def year(self) -> int | None:
        """Year of the issue, else of electronic publication, else of the last revision of a chapter."""
        for date in (self.date, self.electronic_date, self.revision_date, self.contribution_date):
            if date.year is not None:
                return date.year
        return None

    def abstract_text(self) -> str:
        """The abstract as one text, `LABEL: text` paragraphs separated by blank lines."""
        return "\n\n".join(f"{part.label}: {part.text}" if part.label else part.text for part in self.abstract)


class CitedReference(msgspec.Struct, omit_defaults=True, frozen=True, gc=False):
    """One entry of a reference list: the citation as text, and ids by scheme."""

    text: str = ""
    ids: dict[str, str] = {}
