"""A matched citation against the record behind its PMID, field by field.

ECitMatch lets journal, volume and page outweigh author and year, so a match says little about those two. Only a real
difference warns: what cannot be compared is said to be so.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from vouched.api import clean, fold

from vouched_pubmed.author_match import compare_author
from vouched_pubmed.journal_match import compare_journal
from vouched_pubmed.lookup_citation import Agreement, Cited, Grade
from vouched_pubmed.summaries import author_names

__all__ = ["agree", "compare_issue", "first_page", "verified", "warnings"]

# `p. 101`, `pages 101`, `Article 101`; a letter that stands right before the number belongs to it.
_PAGE_WORD = re.compile(
    r"^(?:pp?\.|pp?\s|pp(?=\d)|pages?\b\.?|art(?:icle\b|\.)\s*(?:no\.?|number)?)\s*(?=\S)", re.IGNORECASE
)
_DASH = re.compile(r"(?<=[\divxlc])\s*[-‐‑–—−]\s*(?=\w)")


# What names the journal in a document summary, or in `reference_compare.document_of`.
NAMES = (
    "source",
    "fulljournalname",
    "iso",
    "issn",
    "essn",
    "issn_print",
    "issn_linking",
    "nlmuniqueid",
    "booktitle",
)


def agree(cited: Cited, document: Mapping[str, Any] | None) -> Agreement:
    """Compare with a document summary; all is not_comparable where there is none."""
    if document is None or document.get("error"):
        fields = (cited.author_name, cited.year, cited.journal, cited.volume, cited.first_page)
        grades: list[Grade] = ["not_comparable" if field.strip() else "not_given" for field in fields]
        return Agreement(*grades)

    def text(name: str) -> str:
        return clean(str(document.get(name) or ""))

    dates = [text(name) for name in ("pubdate", "epubdate", "printpubdate", "docdate", "srcdate")]
    names = [text(name) for name in NAMES]
    # A pii stands for a page only where it is an article number; a serial item number is none.
    pages = [text("pages"), *re.findall(r"pii:\s*([A-Za-z]{0,4}\d{1,9})(?=[.\s]|$)", text("elocationid"))]
    return Agreement(
        compare_author(cited.author_name, author_names(document)),
        _year(cited.year, dates),
        compare_journal(cited.journal, names),
        _volume(cited.volume, text("volume")),
        _page(cited.first_page, pages),
    )


def _year(cited: str, dates: Sequence[str]) -> Grade:
    """Print and electronic year both count, and every year of a range such as `1998 Dec-1999 Jan`."""
    if not cited.strip():
        return "not_given"
    years: set[int] = set()
    for date in dates:
        # `1998-99` and `1998/99` are ranges, `1998-12-01` is a day.
        whole = re.sub(r"\b(\d\d)(\d\d)([-–/])(\d\d)(?![\d/-])", _second_year, date)
        found = [int(year) for year in re.findall(r"(?<!\d)(?:1[5-9]|20|21)\d\d(?!\d)", whole)]
        years |= set(range(min(found), max(found) + 1)) if found else set()
    if not years or not re.fullmatch(r"\d{4}", cited.strip()):
        return "not_comparable"
    return "same" if int(cited) in years else "differs"


def _second_year(found: re.Match[str]) -> str:
    """`1998-99` as `1998-1999`; `2008-12` may be a month and stays."""
    century, first, sign, last = found.groups()
    return f"{century}{first}{sign}{century}{last}" if int(last) > max(12, int(first)) else found[0]


def first_page(pages: str) -> str:
    """The first page of pages as somebody writes them: `pp. 101-12` is 101."""
    first = re.split(r"[,;]", _PAGE_WORD.sub("", pages.strip()))[0]
    return _DASH.split(first)[0].strip()


def _leading(text: str) -> tuple[int, int] | None:
    """The first number, or the ends of the range that begins with it."""
    found = re.search(r"(\d{1,9})(?:\s?[-–/]\s?(\d{1,9}))?", text)
    if not found:
        return None
    first, last = int(found[1]), int(found[2] or found[1])
    return (first, last) if last >= first else (first, first)


def compare_issue(cited: str, own: str) -> Grade:
    """By numbers: `1-2` holds issue 2, `5 Suppl` is `Suppl 5`; words alone cannot be compared."""
    if not cited.strip():
        return "not_given"
    if fold(cited) == fold(own):
        return "same"
    a, b = _numbers(cited), _numbers(own)
    if not a or not b:
        return "not_comparable"
    return "same" if a & b else "differs"


def _numbers(text: str) -> set[int]:
    found = {int(number) for number in re.findall(r"\d{1,9}", text)}
    ends = re.search(r"(\d{1,4})\s?[-–/]\s?(\d{1,4})", text)
    return found | set(range(int(ends[1]), int(ends[2]) + 1)) if ends else found


def _volume(cited: str, own: str) -> Grade:
    """By number, where both have one: `92 Suppl 1` is volume 92, and `12-13` both of its numbers."""
    if not cited.strip():
        return "not_given"
    if not own.strip():
        return "not_comparable"
    a, b = _leading(cited), _leading(own)
    if a and b:
        return "same" if a[0] <= b[1] and b[0] <= a[1] else "differs"
    return "same" if fold(cited) == fold(own) else "not_comparable"


def _page(cited: str, pages: Sequence[str]) -> Grade:
    """The first page of any range of the record; `e0182390` and `182390` are one article number."""
    if not cited.strip():
        return "not_given"

    def normal(page: str) -> str:
        letters = re.fullmatch(r"([a-z]*)0*(\d+)([a-z]*)", fold(page).replace(" ", ""))
        return "".join(letters.groups()) if letters else fold(page)

    def number(page: str) -> str:
        return normal(page).lstrip("e")

    starts = [first_page(part) for page in pages for part in re.split(r"[,;]", page)]
    starts = [re.sub(r"(?i)^.*:|^\s*suppl[a-z]*\.?\s*", "", start).strip() for start in starts if start.strip()]
    wanted = first_page(cited)
    if fold(wanted) in {fold(start) for start in starts} - {""}:
        return "same"
    # `[34457 words]` counts words and names no page.
    if any(start.startswith("[") for start in starts) or not any(re.search(r"\d", start) for start in starts):
        return "not_comparable"
    return "same" if number(wanted) in {number(start) for start in starts} else "differs"


def verified(agreement: Agreement) -> bool:
    """Nothing differs, and author or year is the same: the match itself rests on the other three fields."""
    grades = (agreement.author, agreement.year, agreement.journal, agreement.volume, agreement.first_page)
    return "differs" not in grades and "same" in (agreement.author, agreement.year)


def warnings(cited: Cited, agreement: Agreement, document: Mapping[str, Any] | None) -> list[str]:
    """A sentence for each field that differs, with both sides."""
    document = document or {}
    roster = author_names(document)
    own = {
        "author": ", ".join(name for name, _ in roster[:5])
        + (f" and {len(roster) - 5} more" if len(roster) > 5 else ""),
        "year": " / ".join(dict.fromkeys(str(document[n]) for n in ("pubdate", "epubdate") if document.get(n))),
        "journal": str(document.get("source") or document.get("booktitle") or ""),
        "volume": str(document.get("volume") or ""),
        "first_page": str(document.get("pages") or ""),
    }
    given = {
        "author": cited.author_name,
        "year": cited.year,
        "journal": cited.journal,
        "volume": cited.volume,
        "first_page": cited.first_page,
    }
    return [
        f"{name}_mismatch: cited {given[name]!r}, the record has {clean(own[name])!r}"
        for name in ("author", "year", "journal", "volume", "first_page")
        if getattr(agreement, name) == "differs"
    ]
