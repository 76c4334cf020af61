"""A record as the tools of this plugin answer it: short, or with abstract and indexing."""

from collections.abc import Iterable, Sequence
from typing import Literal

from vouched.api import Article, Notice, Struct

__all__ = ["NoticeRow", "RecordView", "Summary", "checked", "grave_first", "notice_row", "view_of"]

SHOWN_AUTHORS = 3
# What decides whether a work may be cited comes first among its notices, comments last.
GRAVE_FIRST = (
    "RetractionIn",
    "RetractedandRepublishedIn",
    "PartialRetractionIn",
    "ExpressionOfConcernIn",
    "ErratumIn",
    "CorrectedandRepublishedIn",
    "UpdateIn",
    "RetractionOf",
    "ExpressionOfConcernFor",
    "ErratumFor",
)
# A trial with 3,000 authors would fill an answer alone; the count and view=full tell the rest.
MOST_AUTHORS = 100
URL = "https://pubmed.ncbi.nlm.nih.gov/{}/"


class NoticeRow(Struct, omit_defaults=True):
    """A link to a correction, retraction, comment or update: NLM's type, the citation as written, its identifiers."""

    type: str
    citation: str = ""
    pmid: str = ""
    doi: str = ""
    note: str = ""


class RecordView(Struct, omit_defaults=True):
    """One record.

    Attributes:
        status: retracted, retracted_and_republished, concern, corrected, withdrawn_heuristic, none_found, not_checked;
            signals has all, gravest first; is_notice: the record is itself a notice.
        authors: `Family IN`; author_count counts them all; editors, publisher, book: of Bookshelf records.
        date, electronic_date: of the issue and of electronic publication, as precise as recorded.
        pages: as recorded, or the article number (article_number true).
        abstract: `LABEL: text` paragraphs; abstract_state "none" means that PubMed has none.
        mesh: `Heading/qualifier`, `*` marks a major topic; formulae: where a formula was turned into text.
        references: length of the reference list; version, other_versions: where PubMed keeps several.
    """

    status: str
    pmid: str = ""
    title: str = ""
    vernacular_title: str = ""
    kind: str = "article"
    signals: list[str] = []
    is_notice: bool = False
    notices: list[NoticeRow] = []
    authors: list[str] = []
    author_count: int = 0
    editors: list[str] = []
    book: str = ""
    publisher: str = ""
    journal: str = ""
    date: str = ""
    electronic_date: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    article_number: bool = False
    doi: str = ""
    pmcid: str = ""
    nbk: str = ""
    types: list[str] = []
    languages: list[str] = []
    abstract: str = ""
    abstract_state: str = ""
    copyright: str = ""
    keywords: list[str] = []
    mesh: list[str] = []
    formulae: list[str] = []
    references: int = 0
    version: str = ""
    other_versions: list[str] = []
    url: str = ""


class Summary(Struct, omit_defaults=True):
    """A short record.

    Attributes:
        pmid; status: standing of the record by its summary (publication types and links): one vocabulary for all tools.
        title: plain; authors: the first ten as `Family IN`; author_count: of the whole list.
        journal: MEDLINE abbreviation, or the book's title for a chapter; date: as recorded; electronic_date likewise.
        types: publication types by name; signals: kinds of all signals about the record, gravest first; is_notice: the
            record is itself a notice of retraction, erratum or concern.
        problem: why there is no summary ("" where there is one).
    """

    pmid: str
    status: str
    title: str = ""
    authors: list[str] = []
    author_count: int = 0
    journal: str = ""
    date: str = ""
    electronic_date: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    doi: str = ""
    pmcid: str = ""
    types: list[str] = []
    languages: list[str] = []
    signals: list[str] = []
    is_notice: bool = False
    problem: str = ""


def grave_first(notices: Sequence[Notice]) -> list[Notice]:
    """Retraction, concern, correction and update before the rest, each kind in the record's order."""

    def rank(notice: Notice) -> int:
        if notice.type in GRAVE_FIRST:
            return GRAVE_FIRST.index(notice.type)
        return len(GRAVE_FIRST) + notice.type.startswith("Comment")

    return sorted(notices, key=rank)


def notice_row(notice: Notice) -> NoticeRow:
    """A notice for an answer."""
    return NoticeRow(notice.type, notice.source, notice.ids.get("pmid", ""), notice.ids.get("doi", ""), notice.note)


def checked(records: Iterable[object]) -> str:
    """Which source was asked for the status of these records, and when (the earliest of them)."""
    lines = [line for record in records if isinstance(record, Article) for line in record.status.checked]
    return min(lines, default="")


def _mesh(article: Article) -> list[str]:
    lines = []
    for heading in article.mesh:
        star = "*" if heading.major else ""
        lines.append("/".join([heading.name + star, *(q.name + ("*" if q.major else "") for q in heading.qualifiers)]))
    return lines


def _chapter_date(article: Article) -> str:
    return article.revision_date.iso() or article.contribution_date.iso()


def _brief(article: Article) -> RecordView:
    names = [author.display() for author in article.authors]
    book = article.book
    date = article.date
    return RecordView(
        article.status.status,
        article.ids.get("pmid", ""),
        article.title or article.vernacular_title,
        kind=article.kind,
        signals=list(dict.fromkeys(signal.kind for signal in article.status.signals)),
        is_notice=article.status.is_notice,
        authors=names[:SHOWN_AUTHORS],
        author_count=len(names),
        book=book.title if book and article.kind == "chapter" else "",
        journal=article.journal.abbreviation or article.journal.iso_abbreviation or article.journal.title,
        date=date.literal or date.iso() or _chapter_date(article),
        electronic_date=article.electronic_date.iso(),
        volume=article.volume,
        issue=article.issue,
        pages=article.locator.text,
        article_number=article.locator.kind == "article_number",
        doi=article.ids.get("doi", ""),
        pmcid=article.ids.get("pmcid", ""),
        nbk=article.ids.get("nbk", ""),
        types=[kind.name for kind in article.types],
        version=article.version if article.other_versions else "",
        other_versions=article.other_versions,
        url=URL.format(article.ids["pmid"]) if "pmid" in article.ids else "",
    )


def view_of(article: Article, view: Literal["brief", "standard"]) -> RecordView:
    """`brief`: what identifies a record, and its standing; `standard`: also abstract, indexing, all authors, links."""
    row = _brief(article)
    if view == "brief":
        return row
    row.vernacular_title = article.vernacular_title if article.title else ""
    row.authors = [author.display() for author in article.authors[:MOST_AUTHORS]]
    row.editors = [editor.display() for editor in article.editors]
    row.publisher = article.book.publisher if article.book else ""
    row.languages = article.languages
    row.abstract = article.abstract_text()
    row.abstract_state = article.abstract_state
    row.copyright = article.copyright
    row.keywords = list(dict.fromkeys(keyword.term for keyword in article.keywords))
    row.mesh = _mesh(article)
    row.notices = [notice_row(notice) for notice in grave_first(article.notices)]
    row.formulae = article.flattened
    row.references = len(article.cited_references)
    row.version = article.version
    return row
