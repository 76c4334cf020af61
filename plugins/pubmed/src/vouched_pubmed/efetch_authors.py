"""Authors, editors, investigators and personal subjects, as recorded: never swapped, never completed."""

import re
from typing import TYPE_CHECKING

from vouched.api import Author

from vouched_pubmed.markup import plain

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["read_authors"]

_ORCID = re.compile(r"(\d{4})-?(\d{4})-?(\d{4})-?(\d{3}[\dXx])")
# The attributes of nearly every author; comparing them at once takes less than asking for two by name.
_USUAL = [("ValidYN", "Y")]
_PEOPLE = frozenset({"Author", "Investigator", "PersonalNameSubject"})


def _orcid(text: str) -> str:
    found = _ORCID.search(text)
    return "-".join(found.groups()).upper() if found else ""


def read_authors(node: "_Element") -> list[Author]:
    """All people of an AuthorList, InvestigatorList or PersonalNameSubjectList, in order; `node` may be one of them.

    One flat walk, as in `efetch_lists.read_references`; what has no name here, inline tags included, is passed by. A
    name is never wrapped; calls for each of three names a person take a twentieth longer. Neighbours share most
    affiliations of a record, which are long: each is cleaned and kept once.
    """
    people: list[Author] = []
    begun = equal = False
    valid = True
    family = given = initials = suffix = collective = orcid = ""
    affiliations: list[str] = []
    known: dict[str, str] = {}
    for child in node.iter():
        tag = child.tag
        if tag == "LastName":
            family = text.strip() if (text := child.text) and not len(child) else plain(child)
        elif tag == "ForeName" or tag == "FirstName":
            given = text.strip() if (text := child.text) and not len(child) else plain(child)
        elif tag == "Initials":
            initials = text.strip() if (text := child.text) and not len(child) else plain(child)
        elif tag == "AffiliationInfo":
            pass
        elif tag == "Affiliation":
            # In its AffiliationInfo, or, before 2015, directly under its author.
            raw = child.text
            if raw is None or len(child):
                text = plain(child)
            else:
                text = known.get(raw)
                if text is None:
                    text = known[raw] = plain(child)
            if text:
                affiliations.append(text)
        elif tag in _PEOPLE:
            if begun:
                people.append(Author(family, given, initials, suffix, collective, orcid, affiliations, equal, valid))
                family = given = initials = suffix = collective = orcid = ""
                affiliations = []
            begun = True
            equal, valid = False, True
            if child.items() != _USUAL:
                equal, valid = child.get("EqualContrib") == "Y", child.get("ValidYN") != "N"
        elif tag == "Identifier":
            # Identifiers of institutions (ROR, ISNI, GRID) stand beside affiliations and are never joined to them.
            if child.get("Source") == "ORCID":
                orcid = _orcid(child.text or "")
        elif tag == "Suffix":
            suffix = plain(child)
        elif tag == "CollectiveName":
            collective = plain(child)
    if begun:
        people.append(Author(family, given, initials, suffix, collective, orcid, affiliations, equal, valid))
    return people
