"""One PubmedArticle or PubmedBookArticle to an `Article`: every child is visited once and dispatched by its name.

Not carried over, because no tool or format uses them: identifiers of institutions, CitedMedium, IndexingMethod,
completeness marks of grant and data-bank lists, ObjectList.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from vouched.api import Article, CitedReference, Date, ELocation, Journal, Notice, assess, canonical
from vouched_pubmed.efetch_abstracts import read_abstract, read_other_abstract
from vouched_pubmed.efetch_authors import read_author, read_authors
from vouched_pubmed.efetch_books import read_book
from vouched_pubmed.efetch_dates import is_placeholder, read_date
from vouched_pubmed.efetch_lists import (
    read_chemicals,
    read_data_banks,
    read_grants,
    read_history,
    read_ids,
    read_keywords,
    read_mesh,
    read_references,
    read_supplementary_mesh,
    read_type,
)
from vouched_pubmed.markup import plain, rich
from vouched_pubmed.notices import read_links
from vouched_pubmed.pages import read_locator

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["SOURCE", "read_record"]

# What answers and records call this source: the database, not the interface to it.
SOURCE = "pubmed"
PREPRINT_UI = "D000076942"
_PREPRINT_VERSION = re.compile(r"[/.]v(\d{1,3})$", re.IGNORECASE)


class Draft:
    """A record while it is read."""

    __slots__ = ("dates", "dois", "fields", "first_affiliation", "notes", "pages", "pairs", "pmid", "types")

    def __init__(self) -> None:
        self.fields: dict[str, Any] = {}
        self.pmid = ""
        self.pairs: list[tuple[str, str]] = []
        self.dois: list[str] = []
        self.types: list[tuple[str, str]] = []
        self.pages = ["", "", ""]
        self.dates: dict[str, str] = {}
        self.notes: list[str] = []
        self.first_affiliation = ""

    def extend(self, name: str, values: list[Any]) -> None:
        """Append to a list field that several elements feed."""
        held = self.fields.get(name)
        if held is None:
            self.fields[name] = values
        else:
            held.extend(values)

    def set_date(self, name: str, date: Date) -> None:
        """A date field, unless it is a placeholder, which is only noted."""
        if is_placeholder(date):
            self.dates[f"placeholder {name}"] = date.iso()
        else:
            self.fields.setdefault(name, date)


Reader = Callable[["_Element", Draft], None]


def _each(node: "_Element", draft: Draft, readers: dict[str, Reader]) -> None:
    """Hand every child to the reader of its name; unknown elements are passed by."""
    for child in node:
        reader = readers.get(child.tag)
        if reader is not None:
            reader(child, draft)


def _into(name: str) -> Reader:
    def read(node: "_Element", draft: Draft) -> None:
        draft.fields[name] = plain(node)

    return read


def _append(name: str, function: Callable[["_Element"], Any]) -> Reader:
    def read(node: "_Element", draft: Draft) -> None:
        draft.extend(name, [function(node)])

    return read


def _extend(name: str, function: Callable[["_Element"], list[Any]]) -> Reader:
    def read(node: "_Element", draft: Draft) -> None:
        draft.extend(name, function(node))

    return read


def _labelled(label: str) -> Reader:
    def read(node: "_Element", draft: Draft) -> None:
        draft.extend("general_notes", [f"{label}: {plain(node)}"])

    return read


def _recorded(name: str) -> Reader:
    def read(node: "_Element", draft: Draft) -> None:
        draft.dates[name] = read_date(node).iso()

    return read


def _dated(name: str) -> Reader:
    def read(node: "_Element", draft: Draft) -> None:
        draft.set_date(name, read_date(node))

    return read


def _pmid(node: "_Element", draft: Draft) -> None:
    draft.pmid = (node.text or "").strip()
    version = node.get("Version", "")
    if version and version != "1":
        draft.fields["version"] = version


def _title(node: "_Element", draft: Draft) -> None:
    text, markup, formula = rich(node)
    draft.fields["title"] = text
    if markup:
        draft.fields["title_markup"] = markup
    if formula:
        draft.extend("flattened", ["title"])


def _abstract(node: "_Element", draft: Draft) -> None:
    parts, copyright_, formula = read_abstract(node)
    if parts:
        draft.fields["abstract"] = parts
    if copyright_:
        draft.fields["copyright"] = copyright_
    if formula:
        draft.extend("flattened", ["abstract"])


def _author_list(node: "_Element", draft: Draft) -> None:
    draft.extend("editors" if node.get("Type") == "editors" else "authors", read_authors(node))
    if node.get("CompleteYN") == "N":
        draft.fields["authors_complete"] = False


def _pagination(node: "_Element", draft: Draft) -> None:
    for child in node:
        text = child.text
        if text:
            tag = child.tag
            place = 0 if tag == "MedlinePgn" else 1 if tag == "StartPage" else 2
            draft.pages[place] = text.strip()


def _e_location(node: "_Element", draft: Draft) -> None:
    kind, value, valid = node.get("EIdType", ""), (node.text or "").strip(), node.get("ValidYN") != "N"
    if value:
        draft.extend("e_locations", [ELocation(kind, value, valid)])
        if valid:
            draft.pairs.append((kind, value))


def _article_date(node: "_Element", draft: Draft) -> None:
    draft.set_date("electronic_date", read_date(node))


def _journal(node: "_Element", draft: Draft) -> None:
    journal = draft.fields.setdefault("journal", {})
    for child in node:
        tag = child.tag
        if tag == "ISSN":
            issn = (child.text or "").strip()
            journal["issn"] = issn
            if (kind := child.get("IssnType")) in ("Print", "Electronic"):
                journal["issn_print" if kind == "Print" else "issn_electronic"] = issn
        elif tag == "JournalIssue":
            _each(child, draft, _ISSUE)
        elif tag == "Title":
            journal["title"] = plain(child)
        elif tag == "ISOAbbreviation":
            journal["iso_abbreviation"] = plain(child)


_JOURNAL_INFO = {"Country": "country", "MedlineTA": "abbreviation", "NlmUniqueID": "nlm_id", "ISSNLinking": "issn_linking"}


def _journal_info(node: "_Element", draft: Draft) -> None:
    journal = draft.fields.setdefault("journal", {})
    for child in node:
        name = _JOURNAL_INFO.get(child.tag)
        if name and child.text:
            journal[name] = child.text.strip()


def _type(node: "_Element", draft: Draft) -> None:
    kind = read_type(node)
    draft.types.append((kind.name, kind.ui))
    draft.extend("types", [kind])


def _types(node: "_Element", draft: Draft) -> None:
    for child in node:
        _type(child, draft)


def _article(node: "_Element", draft: Draft) -> None:
    model = node.get("PubModel")
    if model:
        draft.fields["publication_model"] = model
    _each(node, draft, _ARTICLE)


def _legacy_affiliation(node: "_Element", draft: Draft) -> None:
    draft.first_affiliation = plain(node)


def _links(node: "_Element", draft: Draft) -> None:
    notices, cited = read_links(node)
    if notices:
        draft.extend("notices", notices)
    if cited:
        draft.extend("cited_references", cited)


def _other_id(node: "_Element", draft: Draft) -> None:
    source, value = node.get("Source", "other").lower(), plain(node)
    # `NLM` holds PMCIDs and manuscript numbers of old records, sometimes with words behind them.
    first = value.partition(" ")[0]
    if source == "nlm":
        source = "pmcid" if first.startswith("PMC") else "mid" if first.startswith("NIHMS") else source
        value = first if source != "nlm" else value
    draft.pairs.append((source, value))


def _ids(node: "_Element", draft: Draft) -> None:
    draft.pairs.extend(read_ids(node))


def _history(node: "_Element", draft: Draft) -> None:
    placeholders: list[str] = []
    draft.extend("history", read_history(node, placeholders))
    for name in placeholders:
        draft.dates[f"placeholder {name}"] = "1900-01-01"


def _references(node: "_Element", draft: Draft) -> None:
    found: list[CitedReference] = []
    read_references(node, found)
    draft.extend("cited_references", found)


def _citation(node: "_Element", draft: Draft) -> None:
    attributes = node.attrib
    draft.fields["indexing_status"] = attributes.get("Status", "")
    draft.fields["owner"] = attributes.get("Owner", "")
    if "VersionDate" in attributes:
        draft.dates["version"] = attributes["VersionDate"].replace("/", "-")
    if "VersionID" in attributes:
        draft.fields["version"] = attributes["VersionID"]
    _each(node, draft, _CITATION)


def _pubmed_data(node: "_Element", draft: Draft) -> None:
    _each(node, draft, _DATA)


def _book(node: "_Element", draft: Draft) -> None:
    read = read_book(node)
    draft.fields["book"] = read.book
    if read.editors:
        draft.extend("editors", read.editors)
    for place in read.e_locations:
        if place.get("ValidYN") != "N":
            draft.pairs.append((f"book_{place.get('EIdType', '')}", (place.text or "").strip()))


def _sections(node: "_Element", draft: Draft) -> None:
    titles = [plain(title) for title in node.iter("SectionTitle")]
    if titles:
        draft.extend("general_notes", ["Sections: " + "; ".join(titles)])


_ISSUE: dict[str, Reader] = {"Volume": _into("volume"), "Issue": _into("issue"), "PubDate": _dated("date")}
_ARTICLE: dict[str, Reader] = {
    "Journal": _journal,
    "ArticleTitle": _title,
    "Pagination": _pagination,
    "ELocationID": _e_location,
    "Abstract": _abstract,
    "AuthorList": _author_list,
    "Language": _append("languages", plain),
    "DataBankList": _extend("data_banks", read_data_banks),
    "GrantList": _extend("grants", read_grants),
    "PublicationTypeList": _types,
    "VernacularTitle": _into("vernacular_title"),
    "ArticleDate": _article_date,
    "Affiliation": _legacy_affiliation,
}
_CITATION: dict[str, Reader] = {
    "PMID": _pmid,
    "DateCreated": _recorded("created"),
    "DateCompleted": _recorded("completed"),
    "DateRevised": _recorded("revised"),
    "Article": _article,
    "MedlineJournalInfo": _journal_info,
    "ChemicalList": _extend("chemicals", read_chemicals),
    "SupplMeshList": _extend("supplementary_mesh", read_supplementary_mesh),
    "CitationSubset": _append("citation_subsets", plain),
    "CommentsCorrectionsList": _links,
    "GeneSymbolList": _extend("gene_symbols", lambda node: [plain(child) for child in node]),
    "MeshHeadingList": _extend("mesh", read_mesh),
    "NumberOfReferences": _labelled("Number of references"),
    "PersonalNameSubjectList": _extend("personal_subjects", read_authors),
    "OtherID": _other_id,
    "OtherAbstract": _append("other_abstracts", read_other_abstract),
    "KeywordList": _extend("keywords", read_keywords),
    "CoiStatement": _into("conflict_of_interest"),
    "SpaceFlightMission": _labelled("Space flight mission"),
    "InvestigatorList": _extend("investigators", read_authors),
    "GeneralNote": _append("general_notes", plain),
}
_DATA: dict[str, Reader] = {
    "History": _history,
    "PublicationStatus": _into("publication_status"),
    "ArticleIdList": _ids,
    "ReferenceList": _references,
}
_BOOK_DOCUMENT: dict[str, Reader] = {
    "PMID": _pmid,
    "ArticleIdList": _ids,
    "Book": _book,
    "LocationLabel": _labelled("Location"),
    "ArticleTitle": _title,
    "VernacularTitle": _into("vernacular_title"),
    "Pagination": _pagination,
    "Language": _append("languages", plain),
    "AuthorList": _author_list,
    "Author": _append("authors", read_author),
    "InvestigatorList": _extend("investigators", read_authors),
    "PublicationType": _type,
    "Abstract": _abstract,
    "Sections": _sections,
    "KeywordList": _extend("keywords", read_keywords),
    "ContributionDate": _dated("contribution_date"),
    "DateRevised": _dated("revision_date"),
    "CitationString": _labelled("Citation"),
    "GrantList": _extend("grants", read_grants),
    "ReferenceList": _references,
}
_TOP: dict[str, Reader] = {
    "MedlineCitation": _citation,
    "PubmedData": _pubmed_data,
    "BookDocument": lambda node, draft: _each(node, draft, _BOOK_DOCUMENT),
    "PubmedBookData": _pubmed_data,
}


def _same(scheme: str, one: str, other: str) -> bool:
    return one == other or (scheme == "doi" and one.lower() == other.lower())


def _gather_ids(draft: Draft) -> tuple[dict[str, str], dict[str, list[str]]]:
    """The first value of every scheme, and further ones that differ. PMCIDs are normalised, empty values dropped."""
    ids: dict[str, str] = {"pmid": draft.pmid} if draft.pmid else {}
    also: dict[str, list[str]] = {}
    for scheme, written in draft.pairs:
        value = written
        if scheme in ("pmid", "pmcid", "nbk"):
            known = canonical(scheme, written)
            value = known.value if known else ""
        if not value:
            continue
        if scheme not in ids:
            ids[scheme] = value
        elif not _same(scheme, ids[scheme], value) and value not in also.get(scheme, ()):
            also.setdefault(scheme, []).append(value)
    return ids, also


def _finish_book(draft: Draft, ids: dict[str, str], also: dict[str, list[str]]) -> None:
    fields = draft.fields
    book = fields["book"]
    if fields.get("title"):
        fields["kind"] = "chapter"
    else:
        fields["kind"] = "book"
        fields["title"], fields["title_markup"], fields["date"] = book.title, book.title_markup, book.date
        if not fields.get("authors"):
            fields["authors"] = book.authors
    for scheme in [name for name in ids if name.startswith("book_")]:
        # A chapter never borrows the identifier of its book.
        values = [ids.pop(scheme), *also.pop(scheme, [])]
        if fields["kind"] == "book" and scheme[5:] not in ids:
            ids[scheme[5:]] = values.pop(0)
        if values:
            also[scheme] = values


def _finish_preprint(draft: Draft, ids: dict[str, str]) -> None:
    journal = draft.fields.get("journal", {})
    draft.fields["kind"] = "preprint"
    draft.fields["preprint_server"] = journal.get("abbreviation") or journal.get("title", "")
    version = _PREPRINT_VERSION.search(ids.get("doi", ""))
    if version:
        draft.fields["preprint_version"] = version[1]


def _finish_affiliation(draft: Draft) -> None:
    # Before 2015 the record had one affiliation, the first author's.
    authors = draft.fields.get("authors")
    if draft.first_affiliation and authors and not authors[0].affiliations:
        authors[0] = _with_affiliation(authors[0], draft.first_affiliation)


def _with_affiliation(author: Any, affiliation: str) -> Any:
    import msgspec

    return msgspec.structs.replace(author, affiliations=[affiliation])


def read_record(node: "_Element", retrieved_at: str = "") -> Article:
    """Read one record.

    Args:
        node: a PubmedArticle or PubmedBookArticle element.
        retrieved_at: UTC, ISO 8601; also stands in the record's status.
    """
    draft = Draft()
    _each(node, draft, _TOP)
    fields = draft.fields
    ids, also = _gather_ids(draft)
    if "book" in fields:
        _finish_book(draft, ids, also)
    elif any(ui == PREPRINT_UI or (not ui and name == "Preprint") for name, ui in draft.types):
        _finish_preprint(draft, ids)
    _finish_affiliation(draft)
    if "journal" in fields:
        fields["journal"] = Journal(**fields["journal"])
    if also:
        fields["also_ids"] = also
    if draft.dates:
        fields["dates_recorded"] = draft.dates
    pages, start, end = draft.pages
    fields["locator"] = read_locator(
        pages,
        start,
        end,
        fields.get("e_locations", ()),
        model=fields.get("publication_model", ""),
        publication_status=fields.get("publication_status", ""),
    )
    fields["abstract_state"] = "present" if "abstract" in fields else "none"
    notices: list[Notice] = fields.get("notices", [])
    fields["status"] = assess(
        draft.types, notices, fields.get("title", ""), source=SOURCE, checked_at=retrieved_at
    )
    return Article(ids=ids, source=SOURCE, retrieved_at=retrieved_at, **fields)
