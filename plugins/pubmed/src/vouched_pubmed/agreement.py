"""A matched citation against the record behind its PMID, field by field.

ECitMatch lets journal, volume and page outweigh author and year, so a match says little about those two. Only a real
difference warns: what cannot be compared is said to be so.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from vouched.api import clean, fold

from vouched_pubmed.author_match import compare_author
from vouched_pubmed.lookup_citation import Agreement, Cited, Grade
from vouched_pubmed.summaries import author_names

__all__ = ["agree", "verified", "warnings"]

_SMALL = re.compile(r"an?|and|de|der|des|di|du|e|et|for|fur|in|la|les?|of|on|the|und|y")


def agree(cited: Cited, document: Mapping[str, Any] | None) -> Agreement:
    """Compare with a document summary; all is not_comparable where there is none."""
    if document is None or document.get("error"):
        fields = (cited.author_name, cited.year, cited.journal, cited.volume, cited.first_page)
        grades: list[Grade] = ["not_comparable" if field.strip() else "not_given" for field in fields]
        return Agreement(*grades)

    def text(name: str) -> str:
        return clean(str(document.get(name) or ""))

    dates = [text(name) for name in ("pubdate", "epubdate", "printpubdate", "docdate", "srcdate")]
    names = [text(name) for name in ("source", "fulljournalname", "issn", "essn", "nlmuniqueid", "booktitle")]
    # A pii stands for a page only where it is an article number; a serial item number is none.
    pages = [text("pages"), *re.findall(r"pii:\s*([A-Za-z]{0,4}\d{1,9})(?=[.\s]|$)", text("elocationid"))]
    return Agreement(
        compare_author(cited.author_name, author_names(document)),
        _year(cited.year, dates),
        _journal(cited.journal, names),
        _volume(cited.volume, text("volume")),
        _page(cited.first_page, pages),
    )


def _year(cited: str, dates: Sequence[str]) -> Grade:
    """Print and electronic year both count, and every year of a range such as `1998 Dec-1999 Jan`."""
    if not cited.strip():
        return "not_given"
    years: set[int] = set()
    for date in dates:
        found = [int(year) for year in re.findall(r"(?<!\d)(?:1[5-9]|20|21)\d\d(?!\d)", date)]
        years |= set(range(min(found), max(found) + 1)) if found else set()
    if not years or not re.fullmatch(r"\d{4}", cited.strip()):
        return "not_comparable"
    return "same" if int(cited) in years else "differs"


def _words(name: str) -> list[str]:
    return [word for word in fold(name).split() if not _SMALL.fullmatch(word)]


def _abbreviates(short: Sequence[str], long: Sequence[str]) -> bool:
    return len(short) == len(long) and all(b.startswith(a) or a.startswith(b) for a, b in zip(short, long, strict=True))


def _journal(cited: str, names: Sequence[str]) -> Grade:
    """Titles word by word, each side may abbreviate; an acronym or a half-alike title cannot be compared."""
    if not cited.strip():
        return "not_given"
    known = [words for name in names if (words := _words(name))]
    words = _words(cited)
    if not known or not words:
        return "not_comparable"
    plain = re.sub(r"\(.*?\)", " ", cited)
    if any(_abbreviates(form, other) for form in (words, _words(plain)) if form for other in known):
        return "same"
    if any(re.sub(r"\W", "", cited.casefold()) == re.sub(r"\W", "", name.casefold()) for name in names if name):
        return "same"
    initials = {"".join(word[0] for word in other) for other in known}
    if len(words) == 1 and len(words[0]) > 2 and any(letters.startswith(words[0]) for letters in initials):
        return "same"
    alike = any(a[:3] == b[:3] for a in words for other in known for b in other)
    return "not_comparable" if alike or (len(words) == 1 and len(words[0]) <= 6) else "differs"


def _volume(cited: str, own: str) -> Grade:
    """By number, where both have one: `92 Suppl 1` is volume 92."""
    if not cited.strip():
        return "not_given"
    if not own.strip():
        return "not_comparable"
    a, b = re.search(r"\d+", cited), re.search(r"\d+", own)
    if a and b:
        return "same" if int(a[0]) == int(b[0]) else "differs"
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

    starts = [re.split(r"[-–]", part)[0] for page in pages for part in re.split(r"[,;]", page)]
    starts = [re.sub(r"(?i)^.*:|^\s*suppl[a-z]*\.?\s*", "", start).strip() for start in starts if start.strip()]
    if not starts or not any(re.search(r"\d", start) for start in starts):
        return "not_comparable"
    wanted = re.split(r"[-–,;]", cited)[0].strip()
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
