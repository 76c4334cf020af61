"""Where in an issue an article stands: page ranges, lists, single pages, article numbers.

Rule for article numbers: no pages and a pii that is one (`e42692`, `9966`, `euae122`; never a serial item number as in
`S0167-8140(24)00644-3`, a preprint's number or a DOI), or pages that are that pii; or a single value in an electronic
record; or `e` with four digits and more; or five digits and more. `e86`, `S172`, `H337` in print issues are pages.
"""

import re
from collections.abc import Sequence

from vouched.api import ELocation, Locator

__all__ = ["read_locator"]

_PAGE = r"(?:[A-Za-z]{1,8}[:. ]?)?\d+[A-Za-z]?(?:\.[A-Za-z]?\d+)?|[ivxlcdmIVXLCDM]+"
_SEPARATOR = re.compile(r"[;,]")
_RANGE = re.compile(rf"({_PAGE})\s?[-–—]\s?({_PAGE})")
_SINGLE = re.compile(r"[A-Za-z]{0,12}\.?\d[A-Za-z0-9.:-]*|[ivxlcdmIVXLCDM]+")
# The journals of the ASM number their articles e00216-22: no range of pages.
_NUMBERED = re.compile(r"m?(?:Bio|Sphere|Systems)?e\d{5}-\d{2}", re.IGNORECASE)
_LONG = re.compile(r"e\d{4,}|(?=(?:.*\d){5})[A-Za-z]{0,8}\d{5,}", re.IGNORECASE)
_SERIAL_ITEM = re.compile(
    r"\d{4}\.\d\d\.\d\d\.|[SB]?\d{4}-?\d{3}[\dX][-(]|S\d{4}-|10\.\d{4}|.*[()/\s]|NIHMS", re.IGNORECASE
)


def _text(pages: str, start: str, end: str) -> str:
    if pages or not start:
        return pages or end
    return f"{start}-{end}" if end and end != start else start


def _is_number(text: str) -> bool:
    return len(text) <= 30 and bool(_SINGLE.fullmatch(text)) and not _SERIAL_ITEM.match(text)


def read_locator(
    pages: str, start: str, end: str, locations: Sequence[ELocation], *, model: str, publication_status: str
) -> Locator:
    """Read MedlinePgn, StartPage, EndPage and the valid pii locators; model is PubModel, status PublicationStatus."""
    text = _text(pages, start, end)
    numbers = [place.value for place in locations if place.type == "pii" and place.valid and _is_number(place.value)]
    if text in numbers or (numbers and not text):
        return Locator(text=text or numbers[0], kind="article_number", first=text or numbers[0], start=start, end=end)
    if not text:
        return Locator()
    parts = [part.strip() for part in _SEPARATOR.split(text) if part.strip()]
    head = parts[0] if parts else text
    listed = "," in text.partition(";")[0] and len(parts) > 1
    if _NUMBERED.fullmatch(head):
        return Locator(text=text, kind="article_number", first=head, start=start, end=end, guessed=True)
    range_ = _RANGE.fullmatch(head)
    if listed:
        last = parts[-1] if _SINGLE.fullmatch(parts[-1]) and "-" not in parts[-1] else ""
        return Locator(text=text, kind="list", first=range_[1] if range_ else head, last=last, start=start, end=end)
    if range_:
        return Locator(text=text, kind="range", first=range_[1], last=range_[2], start=start, end=end)
    if not _SINGLE.fullmatch(head):
        # `[34457 words; 185 paragraphs]`, `1 p following 101`: kept as recorded, understood as nothing.
        return Locator(text=text, start=start, end=end)
    electronic = publication_status == "epublish" or model.startswith("Electronic")
    if _LONG.fullmatch(head) or (electronic and head == text):
        return Locator(text=text, kind="article_number", first=head, start=start, end=end, guessed=True)
    return Locator(text=text, kind="single", first=head, start=start, end=end)
