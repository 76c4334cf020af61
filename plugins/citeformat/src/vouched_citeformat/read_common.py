"""What the readers of bibliographies share: identifiers found in text, names, and which format a text is in."""

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from vouched.api import InvalidArgument, ParsedReference, canonical

__all__ = ["Format", "detect", "ids_in", "reference"]

Format = Literal["ris", "bibtex", "nbib"]

_RIS = re.compile(r"^\ufeff?\s*TY[ \t]*-[ \t]?\S", re.MULTILINE)
_NBIB = re.compile(r"^\ufeff?(?:PMID|FAU|TI|PT) {0,2}- ?\S", re.MULTILINE)
_BIBTEX = re.compile(r"@\s*[A-Za-z]+\s*[{(]")
_DOI = re.compile(r"\b10\.\d{4,9}(?:\.\d+)*/[^\s\"|]+")
_PMID = re.compile(
    r"(?:pubmed\.ncbi\.nlm\.nih\.gov/|ncbi\.nlm\.nih\.gov/pubmed/|\bPMID\s*:?\s*)(\d{1,9})\b", re.IGNORECASE
)
_PMCID = re.compile(r"\b(PMC\d{3,9})\b", re.IGNORECASE)
# What says that a list of names goes on: BibTeX's `and others`, and what people type in its place.
_MORE = re.compile(r"(?i:(?:and\s+)?others|et\.?\s*al\.?(?:,.*)?)|al\.?, et\.?")
_DOI_PREFIX = re.compile(r"^\s*(?:https?://(?:dx\.)?doi\.org/|doi\s*:?\s*)", re.IGNORECASE)


def detect(text: str) -> Format:
    """The format of `text`.

    Raises:
        InvalidArgument: when it is none of those that are read.
    """
    found = {"ris": _RIS.search(text), "nbib": _NBIB.search(text), "bibtex": _BIBTEX.search(text)}
    first = min((match.start(), name) for name, match in found.items() if match) if any(found.values()) else None
    if first is None:
        raise InvalidArgument(
            "This is no bibliography in RIS, BibTeX or NBIB.",
            path="text",
            expected="text with entries such as `TY  - JOUR`, `@article{…}` or `PMID- 1`",
            hint="Export the library in one of these formats, or send identifiers to format_citations.",
        )
    return first[1]  # type: ignore[return-value]


def ids_in(named: Mapping[str, str], texts: Iterable[str]) -> dict[str, str]:
    """Identifiers: those that stand in fields of their own (`named`), and what links and notes in `texts` hold."""
    joined = "\n".join(text for text in texts if text)
    found = {
        "pmid": named.get("pmid") or _first(_PMID, joined, 1),
        "pmcid": named.get("pmcid") or _first(_PMCID, joined, 1).upper(),
        "doi": _DOI_PREFIX.sub("", named.get("doi") or "") or _first(_DOI, joined, 0).rstrip(".,;)]}"),
    }
    return {
        scheme: id_.value if scheme != "doi" else value
        for scheme, value in found.items()
        if value and (id_ := canonical(scheme, value))
    }


def _first(pattern: re.Pattern[str], text: str, group: int) -> str:
    found = pattern.search(text)
    return found[group] if found else ""


def reference(
    position: int,
    *,
    ids: Mapping[str, str],
    fields: Mapping[str, str],
    authors: Iterable[str],
    key: str = "",
    text: str = "",
) -> ParsedReference:
    """One entry; empty fields are left out and every value is one line. "And others" is no author."""
    kept = {name: " ".join(value.split()) for name, value in fields.items() if value and value.strip()}
    names = [" ".join(author.split()) for author in authors]
    if people := "; ".join(name for name in names if name and not _MORE.fullmatch(name)):
        kept["authors"] = people
    return ParsedReference(ids=dict(ids), fields=kept, key=key, position=position, text=text)
