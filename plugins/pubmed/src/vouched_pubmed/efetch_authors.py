"""Authors, editors, investigators and personal subjects, as recorded: never swapped, never completed."""

import re
from typing import TYPE_CHECKING, Any

from vouched.api import Author

from vouched_pubmed.markup import plain

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["read_author", "read_authors"]

_ORCID = re.compile(r"(\d{4})-?(\d{4})-?(\d{4})-?(\d{3}[\dXx])")
_NAME_FIELDS = {"LastName": "family", "ForeName": "given", "FirstName": "given", "Initials": "initials"}


def _orcid(text: str) -> str:
    found = _ORCID.search(text)
    return "-".join(found.groups()).upper() if found else ""


def _affiliation(node: "_Element", into: list[str]) -> None:
    # Identifiers of the institution (ROR, ISNI, GRID) stand beside the text and are never joined to it.
    for child in node:
        if child.tag == "Affiliation":
            text = plain(child)
            if text:
                into.append(text)


def read_author(node: "_Element") -> Author:
    """One Author, Investigator or PersonalNameSubject."""
    fields: dict[str, Any] = {}
    affiliations: list[str] = []
    for child in node:
        tag = child.tag
        name = _NAME_FIELDS.get(tag)
        if name is not None:
            fields[name] = plain(child)
        elif tag == "AffiliationInfo":
            _affiliation(child, affiliations)
        elif tag == "CollectiveName":
            fields["collective"] = plain(child)
        elif tag == "Suffix":
            fields["suffix"] = plain(child)
        elif tag == "Identifier":
            if child.get("Source") == "ORCID":
                fields["orcid"] = _orcid(child.text or "")
        elif tag == "Affiliation":
            # Before 2015 the affiliation stood directly under its author.
            affiliations.append(plain(child))
    if affiliations:
        fields["affiliations"] = affiliations
    attributes = node.attrib
    if attributes.get("EqualContrib") == "Y":
        fields["equal_contribution"] = True
    if attributes.get("ValidYN") == "N":
        fields["valid"] = False
    return Author(**fields)


def read_authors(node: "_Element") -> list[Author]:
    """All of an AuthorList or InvestigatorList, in order."""
    return [read_author(child) for child in node]
