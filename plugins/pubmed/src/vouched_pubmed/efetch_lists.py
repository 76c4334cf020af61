"""The lists of a record: headings, chemicals, keywords, grants, accession numbers, history, references, identifiers."""

from typing import TYPE_CHECKING

from vouched.api import (
    Chemical,
    CitedReference,
    DataBank,
    Grant,
    HistoryDate,
    Keyword,
    MeshHeading,
    PublicationType,
    Qualifier,
    SupplementaryConcept,
)

from vouched_pubmed.efetch_dates import is_placeholder, read_date
from vouched_pubmed.efetch_walk import children
from vouched_pubmed.markup import plain

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = [
    "ID_SCHEMES",
    "read_chemicals",
    "read_data_banks",
    "read_grants",
    "read_history",
    "read_ids",
    "read_keywords",
    "read_mesh",
    "read_references",
    "read_supplementary_mesh",
    "read_type",
]

# NLM's IdType -> scheme; types that are not named here keep their own name in lower case.
ID_SCHEMES = {
    "pubmed": "pmid",
    "pmc": "pmcid",
    "pmcid": "pmcid",
    "doi": "doi",
    "bookaccession": "nbk",
    "pii": "pii",
    "mid": "mid",
}


def read_type(node: "_Element") -> PublicationType:
    """One PublicationType."""
    return PublicationType(node.text or "", node.get("UI", ""))


def read_mesh(node: "_Element") -> list[MeshHeading]:
    """A MeshHeadingList."""
    headings: list[MeshHeading] = []
    qualifiers: list[Qualifier] = []
    for child in node.iter("DescriptorName", "QualifierName"):
        get = child.get
        major = get("MajorTopicYN") == "Y"
        if child.tag == "QualifierName":
            qualifiers.append(Qualifier(child.text or "", get("UI", ""), major))
        else:
            qualifiers = []
            headings.append(MeshHeading(child.text or "", get("UI", ""), major, qualifiers, get("Type", "")))
    return headings


def read_supplementary_mesh(node: "_Element") -> list[SupplementaryConcept]:
    """A SupplMeshList."""
    return [
        SupplementaryConcept(child.text or "", child.get("UI", ""), child.get("Type", "")) for child in children(node)
    ]


def read_chemicals(node: "_Element") -> list[Chemical]:
    """A ChemicalList."""
    chemicals = []
    for chemical in children(node):
        name = ui = number = ""
        for child in children(chemical):
            if child.tag == "RegistryNumber":
                number = child.text or ""
            else:
                name, ui = child.text or "", child.get("UI", "")
        chemicals.append(Chemical(name, ui, number))
    return chemicals


def read_keywords(node: "_Element") -> list[Keyword]:
    """A KeywordList."""
    owner = node.get("Owner", "")
    return [
        Keyword(text, child.get("MajorTopicYN") == "Y", owner) for child in children(node) if (text := plain(child))
    ]


def read_grants(node: "_Element") -> list[Grant]:
    """A GrantList."""
    grants = []
    for grant in children(node):
        parts = {child.tag: child.text or "" for child in children(grant)}
        get = parts.get
        grants.append(Grant(get("GrantID", ""), get("Acronym", ""), get("Agency", ""), get("Country", "")))
    return grants


def read_data_banks(node: "_Element") -> list[DataBank]:
    """A DataBankList."""
    banks = []
    for bank in children(node):
        name = ""
        accessions: list[str] = []
        for child in children(bank):
            if child.tag == "DataBankName":
                name = child.text or ""
            else:
                accessions.extend(number.text or "" for number in children(child))
        banks.append(DataBank(name, accessions))
    return banks


def read_history(node: "_Element", placeholders: list[str]) -> list[HistoryDate]:
    """A History; statuses whose date is a placeholder are left out and named in `placeholders`."""
    steps = []
    for child in children(node):
        date = read_date(child)
        status = child.get("PubStatus", "")
        if date.year == 1900 and is_placeholder(date):
            placeholders.append(f"history {status}")
        else:
            steps.append(HistoryDate(status, date))
    return steps


def read_ids(node: "_Element") -> list[tuple[str, str]]:
    """The (scheme, value) pairs of an ArticleIdList, in order, as written."""
    pairs = []
    for child in children(node):
        text = child.text
        if text:
            kind = child.get("IdType", "")
            pairs.append((ID_SCHEMES.get(kind) or kind.lower(), text.strip()))
    return pairs


def _other_id(kind: str, text: str) -> tuple[str, str]:
    """Scheme ("" for none) and value of what is no plain PMID.

    Live data put ECitMatch's `NOT_FOUND;INVALID_JOURNAL`, or a PMCID, where the PMID of a reference should stand.
    """
    value = text.strip()
    if kind != "pubmed":
        return ID_SCHEMES.get(kind) or kind, value
    return "pmid" if value.isdigit() else "pmcid" if value[:3] == "PMC" and value[3:].isdigit() else "", value


def read_references(node: "_Element") -> list[CitedReference]:
    """A ReferenceList with the lists nested in it, in document order; each entry has its own ids only.

    Plain text on one line stays as recorded, double blanks included: looking for them takes a fiftieth of all reading.

    References are a third of a set, so this is one flat walk over the elements that matter, with `plain` and the three
    commonest kinds of id written out; calls for each take half as long again, nested loops a tenth.
    """
    references: list[CitedReference] = []
    text = ""
    ids: dict[str, str] = {}
    begun = False
    for child in node.iter("Reference", "Citation", "ArticleId"):
        tag = child.tag
        if tag == "ArticleId":
            if value := child.text:
                kind = child.get("IdType")
                if kind == "pubmed" and value.isdigit():
                    ids["pmid"] = value
                elif kind == "doi":
                    ids.setdefault("doi", value.strip())
                elif kind == "pmc":
                    ids.setdefault("pmcid", value.strip())
                elif (pair := _other_id(kind or "", value))[0]:
                    ids.setdefault(*pair)
        elif tag == "Citation":
            text = child.text or ""
            text = plain(child) if len(child) or "\n" in text or "\t" in text or "\r" in text else text.strip(" ")
        elif begun:
            references.append(CitedReference(text, ids))
            text, ids = "", {}
        else:
            begun = True
    if begun:
        references.append(CitedReference(text, ids))
    return references
