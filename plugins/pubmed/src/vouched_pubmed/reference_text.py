"""A citation as one string to ids and fields: as far as common styles let them be told, and nothing invented."""

import re

from vouched.api import ParsedReference, canonical

from vouched_pubmed.reference_authors import QUOTED, all_names, behind_names, split_authors, split_names
from vouched_pubmed.reference_places import MOST_NAME_WORDS, STOP, find_place

__all__ = ["ids_in_text", "parse_reference"]

_PMID = re.compile(r"\bPMID\s*[:#]?\s*(\d{1,9})\b|pubmed(?:\.ncbi\.nlm\.nih\.gov|/)/?(\d{1,9})", re.IGNORECASE)
_PMCID = re.compile(r"\b(PMC\d{3,9})\b", re.IGNORECASE)
_DOI = re.compile(r"\b(10\.\d{4,9}/[^\s\"<>]+)", re.IGNORECASE)
_NOISE = re.compile(
    r"https?://\S+|\bdoi\s*:?\s*10\.\S+|\bPMC?ID\s*:?\s*(?:PMC)?\d+|\bEpub\b[^.]*\.|\[(?:Internet|Preprint)\]"
    r"|\b(?:Accessed|Retrieved|Cited)\b[^.;]{0,24}\d{4}\b|\bAvailable from:?|</?(?:i|b|em|strong|sub|sup)>",
    re.IGNORECASE,
)
_NUMBERING = re.compile(r"^\s*(?:\[\d{1,4}\]|\(\d{1,3}\)|\d{1,4}[.)])\s+")
# A journal in small letters has rarely more words.
LONGEST_LOWER = 4
_YEAR = re.compile(r"(?<![\d-])((?:1[89]|20)\d\d)(?![\d-])")


def ids_in_text(text: str) -> dict[str, str]:
    """PMID, PMCID and DOI that a text names."""
    ids: dict[str, str] = {}
    if found := _PMID.search(text):
        ids["pmid"] = found[1] or found[2]
    if found := _PMCID.search(text):
        ids["pmcid"] = found[1].upper()
    if found := _DOI.search(text):
        doi = found[1].rstrip(".,;:")
        doi = doi.rstrip("}") if doi.count("}") > doi.count("{") else doi
        while doi[-1] in ")]" and doi.count("(") + doi.count("[") < doi.count(")") + doi.count("]"):
            doi = doi[:-1].rstrip(".,;:")
        ids["doi"] = doi
    return {scheme: value for scheme, value in ids.items() if canonical(scheme, value)}


def _title(rest: str) -> str:
    quoted = QUOTED.match(rest.lstrip())
    if quoted:
        return quoted[1].strip(" .,")
    title = STOP.split(rest.strip(), maxsplit=1)[0].strip(" .,*_")
    return title if len(title) >= 8 else ""


def _is_prose(text: str) -> bool:
    """Whether it has more small words than names have."""
    return sum(word.islower() and len(word) > 3 for word in text.split()) > 1


def parse_reference(text: str, position: int = 0) -> ParsedReference:
    """Read a citation string: ids anywhere in it; year, volume, issue, pages, journal, title and first author where the
    style shows them, of its first characters. What cannot be told stays out."""
    plain = _NUMBERING.sub("", " ".join(text.split()))
    said = " ".join(_NOISE.sub(" ", plain).split())
    fields: dict[str, str] = {}
    head = split_authors(said)
    place = find_place(head.rest)
    if place:
        fields |= place.fields
    if "year" not in fields:
        years = set(_YEAR.findall(said))
        fields["year"] = head.year or (years.pop() if len(years) == 1 else "")
    fields["title"] = _title(head.rest[: place.title_end] if place else head.rest)
    fields["authors"] = head.authors
    if all_names(fields["title"]) and _is_prose(head.raw):
        # `A title of some words. Doe J, Roe RB. J Invent Res`: the names come second.
        fields |= {"authors": split_names(fields["title"]), "title": head.raw.strip(" .")}
    if not fields["title"]:
        names, fields["title"] = behind_names(head.raw)
        fields["authors"] = split_names(names) if fields["title"] else fields["authors"]
    elif not head.raw and place and place.run_on:
        # No stop parts anything: only initials tell names from what follows.
        names, title = behind_names(fields["title"])
        if title or len(names.split()) <= MOST_NAME_WORDS:
            fields |= {"authors": split_names(names), "title": title}
    if not fields["title"]:
        # No part was left for a title: what stands where authors do is it, where it can be no name.
        fields["title"] = head.raw.strip(" .") if len(head.raw.split()) > 4 and "," not in head.raw else ""
        fields["authors"] = "" if fields["title"] else fields["authors"]
    journal = fields.get("journal", "")
    if not head.raw and not fields["title"] and len(journal.split()) > LONGEST_LOWER and _is_prose(journal):
        # All that stands before the numbers, and no capital or stop tells title from journal.
        fields["journal"] = ""
    kept = {name: value for name, value in fields.items() if value}
    if set(kept) <= {"authors", "title"} and "year" not in kept:
        kept = {"title": text.strip()} if len(plain.split()) >= 4 else {}
    return ParsedReference(ids_in_text(plain), kept, position=position, text=text.strip())
