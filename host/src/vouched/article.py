"""The neutral bibliographic record: all that PubMed, Europe PMC and Bookshelf say of one publication.

Every source maps to it and every tool reads it; it holds facts as recorded and knows no source.
"""

from typing import Literal

import msgspec

from vouched.access import Access
from vouched.article_parts import (
    AbstractPart,
    Author,
    Book,
    Chemical,
    CitedReference,
    DataBank,
    Date,
    ELocation,
    Grant,
    HistoryDate,
    Journal,
    Keyword,
    Locator,
    MeshHeading,
    OtherAbstract,
    PublicationType,
    SupplementaryConcept,
)
from vouched.faults import CLASSES, Fault, UpstreamUnreachable
from vouched.ids import Id, canonical
from vouched.status import Notice, RecordStatus

__all__ = ["Article", "Missing"]

Kind = Literal["article", "preprint", "chapter", "book", "other"]


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
