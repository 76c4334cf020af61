"""Where in the issue an article stands: pages, several ranges of pages, or an article number.

The kind is concluded here for every source alike, from what was recorded and how, so that one article gives one
citation wherever its record came from.
"""

import re
from functools import lru_cache

import msgspec
from vouched.api import Article

from vouched_citeformat.markup import line

__all__ = ["Place", "Span", "place", "read", "shortened"]

_ROMAN = r"[ivxlcdmIVXLCDM]{1,8}"
_PAGE = r"[A-Za-z]{0,5}\d+(?:\.[A-Za-z]{0,2}\d+)?[A-Za-z]?"
_RANGE = re.compile(rf"({_PAGE}|{_ROMAN})\s*[-\u2010-\u2014]\s*({_PAGE}|{_ROMAN})")
_SINGLE = re.compile(rf"{_PAGE}|{_ROMAN}")
_SPLIT = re.compile(r"\s*[;,]\s*")
_NUMBER = re.compile(r"([A-Za-z]{0,5})(\d+)")
# An article number in a pii locator: `e42692`, `9966`, `euae122`; an Elsevier pii (`S0167…`) or an accession is none.
_PII = re.compile(r"(?!S\d{13})[A-Za-z]{0,6}\d{1,10}[A-Za-z]?")
_NUMBERED = re.compile(r"[eE]\d{4,}|[A-Za-z]{0,5}\d{5,}")
# The journals of the ASM number their articles `e00216-22`: no range of pages.
_ASM = re.compile(r"(?:mBio|mSphere|mSystems)?\.?e\d{5}-\d{2}", re.IGNORECASE)


class Span(msgspec.Struct, frozen=True):
    """One page or one range; `last` is "" for one page and expanded for a range (`737-8` -> 737, 738)."""

    first: str
    last: str = ""


class Place(msgspec.Struct, frozen=True):
    """Attributes: text as recorded (NLM form); kind; spans in order; guessed: article number concluded from its form;
    rest: the text holds more than the spans (`e1-e10; discussion 3`).

    A kind "text" is a form that is not understood: it is printed as recorded and never taken apart.
    """

    text: str = ""
    kind: str = ""
    spans: tuple[Span, ...] = ()
    guessed: bool = False
    rest: bool = False

    @property
    def first(self) -> str:
        """First page or the article number."""
        return self.spans[0].first if self.spans else self.text

    @property
    def last(self) -> str:
        """Last page of the first range, "" where there is none."""
        return self.spans[0].last if self.spans else ""

    def join(self, dash: str, separator: str = ", ") -> str:
        """All spans with `dash` in ranges; the recorded text where the form is not understood."""
        if not self.spans:
            return self.text
        return separator.join(f"{span.first}{dash}{span.last}" if span.last else span.first for span in self.spans)


def place(article: Article) -> Place:
    """What `article` records of its place; `Place()` where it records none."""
    piis = [line(e.value) for e in article.e_locations if e.type == "pii" and e.valid]
    recorded = _recorded(article, piis)
    electronic = article.publication_status == "epublish" or article.publication_model.startswith("Electronic")
    if recorded:
        return read(recorded, electronic, recorded in piis)
    for pii in piis:
        if _PII.fullmatch(pii):
            return Place(pii, "article", (Span(pii),))
    # Ahead of print NLM puts the publisher's item id where the pages will be.
    if piis and not article.volume and not article.issue:
        return Place(piis[0], "item")
    return Place()


def _recorded(article: Article, piis: list[str]) -> str:
    locator = article.locator
    text = line(locator.text)
    if text in piis and locator.kind == "article_number" and not locator.start:
        return ""
    if text or not locator.start:
        return text
    start, end = line(locator.start), line(locator.end)
    return f"{start}-{end}" if end and end != start else start


@lru_cache(maxsize=4096)
def read(text: str, electronic: bool = False, named: bool = False) -> Place:
    """Read a locator.

    Args:
        electronic: the article appeared only electronically, so that a single number is no page.
        named: the source itself names this value as an electronic locator.
    """
    if _ASM.fullmatch(text):
        return Place(text, "article", (Span(text),), guessed=not named)
    every = _SPLIT.split(text)
    parts = [part for part in every if _RANGE.fullmatch(part) or _SINGLE.fullmatch(part)]
    rest = len(parts) < len(every)
    spans = tuple(span for part in parts if (span := _span(part)))
    if not spans or len(spans) < len(parts):
        whole = electronic and " " not in text and any(c.isdigit() for c in text)
        return Place(text, "article", (Span(text),), guessed=not named) if whole else Place(text, "text")
    if len(spans) > 1:
        return Place(text, "list", spans, rest=rest)
    if spans[0].last:
        return Place(text, "range", spans, rest=rest)
    if electronic or named or _NUMBERED.fullmatch(spans[0].first):
        return Place(text, "article", spans, guessed=not named)
    return Place(text, "single", spans, rest=rest)


def _span(part: str) -> Span | None:
    found = _RANGE.fullmatch(part)
    if not found:
        return Span(part)
    last = _expand(found[1], found[2])
    return Span(found[1], last) if last else None


def _expand(first: str, last: str) -> str:
    """`132`, `42` -> `142`; `S123`, `9` -> `S129`; a range that would run backwards is not understood: ""."""
    one, two = _NUMBER.fullmatch(first), _NUMBER.fullmatch(last)
    if not one or not two:
        return last
    if two[1] and two[1].lower() != one[1].lower():
        return last
    # `S12-S9` names its last page whole, so it runs backwards; `S123-9` is short for S129.
    short = not (one[1] and two[1]) and len(two[2]) < len(one[2])
    digits = one[2][: len(one[2]) - len(two[2])] + two[2] if short else two[2]
    return one[1] + digits if int(digits) >= int(one[2]) else ""


def shortened(span: Span, keep: int) -> str:
    """The last page without the digits it shares with the first, `keep` digits at least (MLA 2, Vancouver 1).

    `1116`, `1122` -> `22`; only numbers of one length and one prefix are shortened, so 1-14 stays 14.
    """
    one, two = _NUMBER.fullmatch(span.first), _NUMBER.fullmatch(span.last)
    if not one or not two or one[1] != two[1] or len(one[2]) != len(two[2]):
        return span.last
    first, last = one[2], two[2]
    same = 0
    while same < len(last) - keep and first[same] == last[same]:
        same += 1
    return last[same:] if one[1] or same else last
