"""One PubmedArticle or PubmedBookArticle to an `Article`: every child is visited once and dispatched by its name.

Not carried over, because no tool or format uses them: identifiers of institutions, CitedMedium, IndexingMethod,
completeness marks of grant and data-bank lists, ObjectList.
"""

from typing import TYPE_CHECKING

from vouched.api import Article, Journal, Notice, assess

from vouched_pubmed.efetch_abstracts import read_other_abstract
from vouched_pubmed.efetch_authors import read_authors
from vouched_pubmed.efetch_draft import Draft, Reader, append, dated, each, extend, into, labelled, recorded
from vouched_pubmed.efetch_finish import finish_affiliation, finish_book, finish_preprint, gather_ids, is_preprint
from vouched_pubmed.efetch_lists import (
    read_chemicals,
    read_data_banks,
    read_grants,
    read_keywords,
    read_mesh,
    read_supplementary_mesh,
)
from vouched_pubmed.efetch_parts import (
    put_abstract,
    put_article_date,
    put_author_list,
    put_book,
    put_e_location,
    put_history,
    put_ids,
    put_journal,
    put_journal_info,
    put_legacy_affiliation,
    put_links,
    put_other_id,
    put_pagination,
    put_pmid,
    put_references,
    put_sections,
    put_title,
    put_type,
    put_types,
)
from vouched_pubmed.markup import plain
from vouched_pubmed.pages import read_locator

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["SOURCE", "read_record"]

SOURCE = "eutils"


def _article(node: "_Element", draft: Draft) -> None:
    model = node.get("PubModel")
    if model:
        draft.fields["publication_model"] = model
    each(node, draft, _ARTICLE)


def _citation(node: "_Element", draft: Draft) -> None:
    attributes = node.attrib
    draft.fields["indexing_status"] = attributes.get("Status", "")
    draft.fields["owner"] = attributes.get("Owner", "")
    if "VersionDate" in attributes:
        draft.dates["version"] = node.get("VersionDate", "").replace("/", "-")
    if "VersionID" in attributes:
        draft.fields["version"] = node.get("VersionID", "")
    each(node, draft, _CITATION)


def _pubmed_data(node: "_Element", draft: Draft) -> None:
    each(node, draft, _DATA)


_ARTICLE: dict[str, Reader] = {
    "Journal": put_journal,
    "ArticleTitle": put_title,
    "Pagination": put_pagination,
    "ELocationID": put_e_location,
    "Abstract": put_abstract,
    "AuthorList": put_author_list,
    "Language": append("languages", plain),
    "DataBankList": extend("data_banks", read_data_banks),
    "GrantList": extend("grants", read_grants),
    "PublicationTypeList": put_types,
    "VernacularTitle": into("vernacular_title"),
    "ArticleDate": put_article_date,
    "Affiliation": put_legacy_affiliation,
}
_CITATION: dict[str, Reader] = {
    "PMID": put_pmid,
    "DateCreated": recorded("created"),
    "DateCompleted": recorded("completed"),
    "DateRevised": recorded("revised"),
    "Article": _article,
    "MedlineJournalInfo": put_journal_info,
    "ChemicalList": extend("chemicals", read_chemicals),
    "SupplMeshList": extend("supplementary_mesh", read_supplementary_mesh),
    "CitationSubset": append("citation_subsets", plain),
    "CommentsCorrectionsList": put_links,
    "GeneSymbolList": extend("gene_symbols", lambda node: [plain(child) for child in node]),
    "MeshHeadingList": extend("mesh", read_mesh),
    "NumberOfReferences": labelled("Number of references"),
    "PersonalNameSubjectList": extend("personal_subjects", read_authors),
    "OtherID": put_other_id,
    "OtherAbstract": append("other_abstracts", read_other_abstract),
    "KeywordList": extend("keywords", read_keywords),
    "CoiStatement": into("conflict_of_interest"),
    "SpaceFlightMission": labelled("Space flight mission"),
    "InvestigatorList": extend("investigators", read_authors),
    "GeneralNote": append("general_notes", plain),
}
_DATA: dict[str, Reader] = {
    "History": put_history,
    "PublicationStatus": into("publication_status"),
    "ArticleIdList": put_ids,
    "ReferenceList": put_references,
}
_BOOK_DOCUMENT: dict[str, Reader] = {
    "PMID": put_pmid,
    "ArticleIdList": put_ids,
    "Book": put_book,
    "LocationLabel": labelled("Location"),
    "ArticleTitle": put_title,
    "VernacularTitle": into("vernacular_title"),
    "Pagination": put_pagination,
    "Language": append("languages", plain),
    "AuthorList": put_author_list,
    "Author": extend("authors", read_authors),
    "InvestigatorList": extend("investigators", read_authors),
    "PublicationType": put_type,
    "Abstract": put_abstract,
    "Sections": put_sections,
    "KeywordList": extend("keywords", read_keywords),
    "ContributionDate": dated("contribution_date"),
    "DateRevised": dated("revision_date"),
    "CitationString": labelled("Citation"),
    "GrantList": extend("grants", read_grants),
    "ReferenceList": put_references,
}
_TOP: dict[str, Reader] = {
    "MedlineCitation": _citation,
    "PubmedData": _pubmed_data,
    "BookDocument": lambda node, draft: each(node, draft, _BOOK_DOCUMENT),
    "PubmedBookData": _pubmed_data,
}


def read_record(node: "_Element", retrieved_at: str = "") -> Article:
    """Read one record.

    Args:
        node: a PubmedArticle or PubmedBookArticle element.
        retrieved_at: UTC, ISO 8601; also stands in the record's status.
    """
    draft = Draft()
    each(node, draft, _TOP)
    fields = draft.fields
    ids, also = gather_ids(draft)
    if "book" in fields:
        finish_book(draft, ids, also)
    elif is_preprint(draft):
        finish_preprint(draft, ids)
    finish_affiliation(draft)
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
    types = [(kind.name, kind.ui) for kind in fields.get("types", ())]
    fields["status"] = assess(types, notices, fields.get("title", ""), source=SOURCE, checked_at=retrieved_at)
    return Article(ids=ids, source=SOURCE, retrieved_at=retrieved_at, **fields)
