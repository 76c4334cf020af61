"""Corrections, concerns and retractions: which of them a citation must show, and in which words."""

import re
from collections.abc import Iterator

from vouched.api import Article, Notice

from vouched_citeformat.journals import title_of_abbreviation
from vouched_citeformat.markup import line

__all__ = ["PHRASES", "RETRACTIONS", "SHOWN", "medline_lines", "retracted", "retraction_parts", "shown", "subjects"]

# What speaks about the standing of the article itself, in the result of every format.
SHOWN = (
    "RetractionIn",
    "RetractedandRepublishedIn",
    "ExpressionOfConcernIn",
    "ErratumIn",
    "CorrectedandRepublishedIn",
)
RETRACTIONS = ("RetractionIn", "RetractedandRepublishedIn")
# NLM's own words for a linked notice in a citation.
PHRASES = {
    "RetractionIn": "Retraction in",
    "RetractedandRepublishedIn": "Retracted and republished in",
    "PartialRetractionIn": "Partial retraction in",
    "ExpressionOfConcernIn": "Expression of concern in",
    "ErratumIn": "Erratum in",
    "CorrectedandRepublishedIn": "Corrected and republished in",
    "UpdateIn": "Update in",
    "RepublishedIn": "Republished in",
    "RetractionOf": "Retraction of",
    "PartialRetractionOf": "Partial retraction of",
    "ExpressionOfConcernFor": "Expression of concern for",
    "ErratumFor": "Erratum for",
    "UpdateOf": "Update of",
    "RepublishedFrom": "Republished from",
    "CorrectedandRepublishedFrom": "Corrected and republished from",
    "RetractedandRepublishedFrom": "Retracted and republished from",
}
_NO_VOLUME = re.compile(r"((?:1[89]|20)\d\d(?: [^;:]*)?);:(?=\s*\w)")
# `Rowe CE. Biochem J. 1977 Apr 15;164(1):287-8`: an author may stand before the journal, which has no stop inside.
_SOURCE = re.compile(
    r"(?P<head>.*?)\.?\s+(?P<year>(?:1[89]|20)\d\d)\b[^;:]*"
    r"(?:;\s*(?P<volume>[^(:;.]*)(?:\((?P<issue>[^)]*)\))?)?(?::\s*(?P<pages>[^.;]*))?"
)


def shown(article: Article) -> list[Notice]:
    """The notices about the article, in the source's order."""
    return [notice for notice in article.notices if notice.type in SHOWN]


def retracted(article: Article) -> bool:
    """Whether the record says that it is retracted: by a linked notice, its publication type or its status."""
    return article.status.status in ("retracted", "retracted_and_republished") or any(
        notice.type in RETRACTIONS for notice in article.notices
    )


def medline_lines(article: Article) -> Iterator[str]:
    """`Retraction in: …`, `Erratum in: …`: one sentence a notice, the citation as NLM writes it.

    A retracted article without a linked notice says so all the same.
    """
    said = False
    for notice in article.notices:
        phrase = PHRASES.get(notice.type)
        source = _tidy(line(notice.source)) or _from_ids(notice)
        if phrase and source:
            said = said or notice.type in RETRACTIONS
            yield f"{phrase}: {source if source.endswith('.') else source + '.'}"
    if retracted(article) and not said:
        yield "Retracted."


def subjects(article: Article) -> Iterator[tuple[str, str]]:
    """What a notice is about: (`Retraction of`, PMID, DOI or citation of the paper)."""
    for notice in article.notices:
        if notice.type in ("RetractionOf", "PartialRetractionOf", "ExpressionOfConcernFor", "ErratumFor"):
            yield PHRASES[notice.type], _from_ids(notice) or _tidy(line(notice.source))


def _tidy(source: str) -> str:
    """Without the signs that NLM leaves where volume or pages are not known yet: `2021 Jun 6;:1` and `2021 Jun 7;:`."""
    return _NO_VOLUME.sub(r"\1:", source, count=1).rstrip(" ;:,") if ";:" in source or source[-1:] in ";:," else source


def _from_ids(notice: Notice) -> str:
    ids = notice.ids
    return f"PMID: {ids['pmid']}" if "pmid" in ids else f"doi: {ids['doi']}" if "doi" in ids else ""


def retraction_parts(article: Article) -> list[tuple[str, str, str, str, str]]:
    """(year, journal, volume, issue, pages) of each retraction notice, read from its citation; unknown parts are ""."""
    found: list[tuple[str, str, str, str, str]] = []
    for notice in article.notices:
        if notice.type in RETRACTIONS:
            found.append(_read(article, line(notice.source)))
    return found


def _read(article: Article, source: str) -> tuple[str, str, str, str, str]:
    match = _SOURCE.match(source)
    if not match:
        return ("", "", "", "", "")
    journal = match["head"].split(". ")[-1].strip()
    volume, issue, pages = (part.strip() if part else "" for part in match.group("volume", "issue", "pages"))
    return (match["year"], title_of_abbreviation(article, journal), volume, issue, pages)
