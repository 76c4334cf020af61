"""The parts of a record that need more than one line to read: each puts what it reads into the draft."""

from typing import TYPE_CHECKING

from vouched.api import ELocation

from vouched_pubmed.efetch_abstracts import read_abstract
from vouched_pubmed.efetch_authors import read_authors
from vouched_pubmed.efetch_books import read_book
from vouched_pubmed.efetch_dates import read_date
from vouched_pubmed.efetch_draft import Draft, Reader, dated, each, into
from vouched_pubmed.efetch_lists import (
    read_history,
    read_ids,
    read_references,
    read_type,
)
from vouched_pubmed.efetch_walk import children
from vouched_pubmed.markup import plain, rich
from vouched_pubmed.notices import read_links

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = [
    "put_abstract",
    "put_article_date",
    "put_author_list",
    "put_book",
    "put_e_location",
    "put_history",
    "put_ids",
    "put_journal",
    "put_journal_info",
    "put_legacy_affiliation",
    "put_links",
    "put_other_id",
    "put_pagination",
    "put_pmid",
    "put_references",
    "put_sections",
    "put_title",
    "put_type",
    "put_types",
]


_ISSUE: dict[str, Reader] = {"Volume": into("volume"), "Issue": into("issue"), "PubDate": dated("date")}


def put_pmid(node: "_Element", draft: Draft) -> None:
    """PMID, with its version where that says something."""
    draft.pmid = (node.text or "").strip()
    version = node.get("Version", "")
    if version and version != "1":
        draft.fields["version"] = version


def put_title(node: "_Element", draft: Draft) -> None:
    """ArticleTitle."""
    text, markup, formula = rich(node)
    draft.fields["title"] = text
    if markup:
        draft.fields["title_markup"] = markup
    if formula:
        draft.extend("flattened", ["title"])


def put_abstract(node: "_Element", draft: Draft) -> None:
    """Abstract."""
    parts, copyright_, formula = read_abstract(node)
    if parts:
        draft.fields["abstract"] = parts
    if copyright_:
        draft.fields["copyright"] = copyright_
    if formula:
        draft.extend("flattened", ["abstract"])


def put_author_list(node: "_Element", draft: Draft) -> None:
    """AuthorList of authors or of editors."""
    draft.extend("editors" if node.get("Type") == "editors" else "authors", read_authors(node))
    if node.get("CompleteYN") == "N":
        draft.fields["authors_complete"] = False


def put_pagination(node: "_Element", draft: Draft) -> None:
    """MedlinePgn, StartPage, EndPage."""
    for child in children(node):
        text = child.text
        if text:
            tag = child.tag
            place = 0 if tag == "MedlinePgn" else 1 if tag == "StartPage" else 2
            draft.pages[place] = text.strip()


def put_e_location(node: "_Element", draft: Draft) -> None:
    """ELocationID; a valid one is also an id of the record."""
    kind, value, valid = node.get("EIdType", ""), (node.text or "").strip(), node.get("ValidYN") != "N"
    if value:
        draft.extend("e_locations", [ELocation(kind, value, valid)])
        if valid:
            draft.pairs.append((kind, value))


def put_article_date(node: "_Element", draft: Draft) -> None:
    """ArticleDate: of electronic publication."""
    draft.set_date("electronic_date", read_date(node))


def put_journal(node: "_Element", draft: Draft) -> None:
    """Journal with its issue."""
    journal = draft.fields.setdefault("journal", {})
    for child in children(node):
        tag = child.tag
        if tag == "ISSN":
            issn = (child.text or "").strip()
            journal["issn"] = issn
            if (kind := child.get("IssnType")) in ("Print", "Electronic"):
                journal["issn_print" if kind == "Print" else "issn_electronic"] = issn
        elif tag == "JournalIssue":
            each(child, draft, _ISSUE)
        elif tag == "Title":
            journal["title"] = plain(child)
        elif tag == "ISOAbbreviation":
            journal["iso_abbreviation"] = plain(child)


_JOURNAL_INFO = {
    "Country": "country",
    "MedlineTA": "abbreviation",
    "NlmUniqueID": "nlm_id",
    "ISSNLinking": "issn_linking",
}


def put_journal_info(node: "_Element", draft: Draft) -> None:
    """MedlineJournalInfo."""
    journal = draft.fields.setdefault("journal", {})
    for child in children(node):
        name = _JOURNAL_INFO.get(child.tag)
        if name and child.text:
            journal[name] = child.text.strip()


def put_type(node: "_Element", draft: Draft) -> None:
    """PublicationType."""
    draft.extend("types", [read_type(node)])


def put_types(node: "_Element", draft: Draft) -> None:
    """PublicationTypeList."""
    draft.extend("types", [read_type(child) for child in children(node)])


def put_legacy_affiliation(node: "_Element", draft: Draft) -> None:
    """Affiliation directly under Article, before 2015."""
    draft.first_affiliation = plain(node)


def put_links(node: "_Element", draft: Draft) -> None:
    """CommentsCorrectionsList."""
    notices, cited = read_links(node)
    if notices:
        draft.extend("notices", notices)
    if cited:
        draft.extend("cited_references", cited)


def put_other_id(node: "_Element", draft: Draft) -> None:
    """OtherID, a PMCID or a manuscript number among them."""
    source, value = node.get("Source", "other").lower(), plain(node)
    # `NLM` holds PMCIDs and manuscript numbers of old records, sometimes with words behind them.
    first = value.partition(" ")[0]
    if source == "nlm":
        source = "pmcid" if first.startswith("PMC") else "mid" if first.startswith("NIHMS") else source
        value = first if source != "nlm" else value
    draft.pairs.append((source, value))


def put_ids(node: "_Element", draft: Draft) -> None:
    """ArticleIdList of the record itself."""
    draft.pairs.extend(read_ids(node))


def put_history(node: "_Element", draft: Draft) -> None:
    """History."""
    placeholders: list[str] = []
    draft.extend("history", read_history(node, placeholders))
    for name in placeholders:
        draft.dates[f"placeholder {name}"] = "1900-01-01"


def put_references(node: "_Element", draft: Draft) -> None:
    """ReferenceList."""
    draft.extend("cited_references", read_references(node))


def put_book(node: "_Element", draft: Draft) -> None:
    """Book, and editors of it."""
    read = read_book(node)
    draft.fields["book"] = read.book
    if read.editors:
        draft.extend("editors", read.editors)
    for place in read.e_locations:
        if place.get("ValidYN") != "N":
            draft.pairs.append((f"book_{place.get('EIdType', '')}", (place.text or "").strip()))


def put_sections(node: "_Element", draft: Draft) -> None:
    """Sections: their titles."""
    titles = [plain(title) for title in node.iter("SectionTitle")]
    if titles:
        draft.extend("general_notes", ["Sections: " + "; ".join(titles)])
