"""A citation as one string to ids and fields: as far as common styles let them be told, and nothing invented."""

import re

from vouched.api import ParsedReference, canonical

__all__ = ["ids_in_text", "parse_reference"]

_PMID = re.compile(r"\bPMID\s*[:#]?\s*(\d{1,9})\b|pubmed(?:\.ncbi\.nlm\.nih\.gov|/)/?(\d{1,9})", re.IGNORECASE)
_PMCID = re.compile(r"\b(PMC\d{3,9})\b", re.IGNORECASE)
_DOI = re.compile(r"\b(10\.\d{4,9}/[^\s\"<>]+)", re.IGNORECASE)
_NOISE = re.compile(
    r"https?://\S+|\bdoi\s*:?\s*10\.\S+|\bPMC?ID\s*:?\s*(?:PMC)?\d+|\bEpub\b[^.]*\.|\[(?:Internet|Preprint)\]"
    r"|\bAvailable from:?|</?(?:i|b|em|strong|sub|sup)>",
    re.IGNORECASE,
)
_PAGES = r"[A-Za-z]{0,6}\d[\w.]*(?:\s?[-–]\s?[A-Za-z]{0,2}\d[\w.]*)?|[ivxlcdm]+\s?[-–]\s?[ivxlcdm]+"
# Where year, volume, issue and pages stand: `2016 Nov 10;375(19):1834-44` (NLM, Vancouver), `vol. 375, no. 19, Nov.
# 2016, pp. 1834–44` (MLA), `375(19), 1834–1844` (APA, Elsevier).
_PLACES = (
    re.compile(
        r"\b(?P<year>(?:1[89]|20)\d\d)\b[^;:.]{0,24};\s*"
        rf"(?P<volume>[A-Za-z0-9 -]{{1,20}}?)\s*(?:\((?P<issue>[^()]{{1,20}})\))?(?:\s*:\s*(?P<pages>{_PAGES})|(?=\.))"
    ),
    re.compile(
        r",\s*vol\.\s*(?P<volume>[\w-]+)(?:,\s*nos?\.\s*(?P<issue>[^,]+))?,[^;]{0,40}?(?P<year>(?:1[89]|20)\d\d)"
        rf"(?:,\s*pp?\.\s*(?P<pages>{_PAGES}))?",
        re.IGNORECASE,
    ),
    re.compile(
        r",\s*\*?(?P<volume>\d{1,4}(?:[-–]\d{1,4})?)\*?\s*(?:\((?P<issue>[^()]{1,20})\))?"
        rf"(?:\s*[,:]\s*(?:p{{1,2}}\.\s*|Article\s+|art\.\s*(?:no\.\s*)?)?(?P<pages>{_PAGES})|\.?\s*$)"
    ),
)
_NUMBERING = re.compile(r"^\s*(?:\[\d{1,4}\]|\d{1,4}[.)])\s+")
_QUOTED = re.compile(r"[“\"]([^”\"]{3,}?[.,]|.{12,}?)[.,]?[”\"](?=\s|$)")
_YEAR = re.compile(r"(?<![\d-])((?:1[89]|20)\d\d)(?![\d-])")
# `Family IN` or a group, again and again, up to the stop before the title.
_NAME = r"[^\W\d_][^\s,;.-]*(?:[ -][^\W\d_][^\s,;.-]*){0,4}"
# A capital of any alphabet, as near as a character class gets.
_CAPITAL = r"[^\W\d_a-z]"
_PERSON = re.compile(rf"{_NAME} {_CAPITAL}[A-Za-z]?{_CAPITAL}{{0,2}}(?:-{_CAPITAL})?(?: (?:Jr|Sr|2nd|3rd|I{{1,3}}))?")
# A part of a list of authors that is no person: a group.
LONGEST_NAME = 80
_APA_AUTHORS = re.compile(
    r"(?P<names>[^()]{2,}?)\.?\s*\((?P<year>(?:1[89]|20)\d\d)[a-z]?(?:[,–-][^)]*)?\)\.?\s*(?P<rest>\S.*)"
)
# A stop that ends a sentence: not one within an abbreviation or after an initial.
_STOP = re.compile(r"(?<=[^\W_]{3}[.?!])\s+|(?<=[)\]”\"’'?!][.?!])\s+|(?<=[?!])\s+|(?<=[A-Z\d]{2}\.)\s+|(?<=\d\.)\s+")


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


def _first_author(names: str) -> str:
    """`Marso SP, Bain SC` to `Marso SP`; `Marso, S. P., & Bain, S. C.` to `Marso, S. P.`; `Marso, Steven P., et al.`"""
    parts = [name.strip() for name in re.split(r";|,|\band\b|&", names) if name.strip()]
    if not parts:
        return ""
    given = len(parts) > 1 and re.fullmatch(r"(?:[^\W\d_]\.?[\s-]*){1,4}|[^\W\d_][^\s.]+(?: [A-Z]\.?)*", parts[1])
    if given and parts[1] != "et al" and not re.search(rf" {_CAPITAL}{{1,3}}$", parts[0]):
        return f"{parts[0]}, {parts[1]}"
    return parts[0]


def _authors(names: str) -> str:
    """All of a list in which each is `Family IN`, separated by semicolons; else the first."""
    parts = _parts(names)
    if all(len(part) <= LONGEST_NAME and _PERSON.fullmatch(part) for part in parts):
        return "; ".join(parts)
    return _first_author(names)


def _nlm_authors(said: str) -> tuple[str, str] | None:
    """(authors, the rest) where the text begins with `Family IN, Family IN.`; groups may stand among them."""
    end = re.search(r"\.\s+(?=\S)", said)
    if end is None or "." in (head := said[: end.start()]):
        return None
    head = re.sub(r",? et al$", "", head)
    parts = _parts(head)
    if not parts or any(len(part) > LONGEST_NAME for part in parts) or not _PERSON.fullmatch(parts[0]):
        return None
    return head, said[end.end() :]


def _parts(names: str) -> list[str]:
    return [part.strip() for part in re.split(r"[,;]", names) if part.strip()]


def _split(said: str) -> tuple[str, str, str]:
    """(authors, year where it follows them, the rest)."""
    found = _APA_AUTHORS.match(said)
    if found:
        return found["names"], found["year"], found["rest"]
    if nlm := _nlm_authors(said):
        return nlm[0], "", nlm[1]
    quoted = _QUOTED.search(said)
    if quoted:
        return said[: quoted.start()].strip(" ."), "", said[quoted.start() :]
    head, _, rest = said.partition(". ")
    return (head, "", rest) if rest and len(head) < 200 else ("", "", said)


def _title(rest: str) -> str:
    quoted = _QUOTED.match(rest.lstrip())
    if quoted:
        return quoted[1].strip(" .,")
    title = _STOP.split(rest.strip(), maxsplit=1)[0].strip(" .*_")
    return title if len(title) >= 8 else ""


def _journal(text: str) -> str:
    """What stands right before year or volume, back to the sentence before."""
    before = re.sub(r"[\s,(*_]+$", "", text)
    part = re.split(r"[”\"]\s*", _STOP.split(before)[-1])[-1].strip(" .,*_")
    return part if 2 <= len(part) <= 120 else ""


def parse_reference(text: str, position: int = 0) -> ParsedReference:
    """Read a citation string: ids anywhere in it; year, volume, issue, pages, journal, title and first author where the
    style shows them, of its first characters. What cannot be told stays out."""
    plain = _NUMBERING.sub("", " ".join(text.split()))
    said = " ".join(_NOISE.sub(" ", plain).split())
    fields: dict[str, str] = {}
    authors, year, rest = _split(said)
    place = next((found for pattern in _PLACES if (found := pattern.search(rest))), None)
    if place:
        fields |= {name: value.strip(" .*") for name, value in place.groupdict().items() if value}
        fields["journal"] = _journal(rest[: place.start()])
    if "year" not in fields:
        years = set(_YEAR.findall(said))
        fields["year"] = year or (years.pop() if len(years) == 1 else "")
    fields["title"] = _title(rest)
    fields["authors"] = _authors(authors)
    journal = fields.get("journal", "")
    if not fields["title"] or (journal and fields["title"].startswith(journal)):
        # No part was left for a title: what stands where authors do is it, where it can be no name.
        fields["title"] = authors.strip(" .") if len(authors.split()) > 4 and "," not in authors else ""
        fields["authors"] = "" if fields["title"] else fields["authors"]
    kept = {name: value for name, value in fields.items() if value}
    if set(kept) <= {"authors", "title"} and "year" not in kept:
        kept = {"title": text.strip()} if len(plain.split()) >= 4 else {}
    return ParsedReference(ids_in_text(plain), kept, position=position, text=text.strip())
