"""Where journal, year, volume, issue and pages stand in a citation string."""

import re

import msgspec

__all__ = ["MOST_NAME_WORDS", "STOP", "Place", "find_place"]

# A stop that ends a sentence: not one within an abbreviation or after an initial.
STOP = re.compile(r"(?<=[^\W_]{3}[.?!])\s+|(?<=[)\]”\"’'?!][.?!])\s+|(?<=[?!])\s+|(?<=[A-Z\d]{2}\.)\s+|(?<=\d\.)\s+")
_PAGES = r"[A-Za-z]{0,6}\d[\w.]*(?:\s?[-–−]\s?[A-Za-z]{0,2}\d[\w.]*)?|[ivxlcdm]+\s?[-–]\s?[ivxlcdm]+"
_YEAR = r"(?P<year>(?:1[89]|20)\d\d)"
_ISSUE = r"(?P<issue>[^()]{1,20})"
# What follows must be the end, or words without a number: else a title's numbers would do.
_END = r"(?=\D*$)"
# `375 (19) (2016) 1834–1844` (Elsevier), `375.19 (2016): 1834-44` (MLA 7), `375, no. 19 (2016): 1834–44` (Chicago).
_ELSEVIER = re.compile(
    r"\s(?P<volume>\d{1,4})(?:(?:\.|\s?\(|,?\s*no\.\s*)(?P<issue>[\w/–-]{1,12})\)?)?\s*"
    rf"\({_YEAR}\)\s*[:,]?\s*(?:pp?\.\s*)?(?P<pages>{_PAGES}){_END}"
)
_PLACES = (
    # `2016 Nov 10;375(19):1834-44` (NLM, Vancouver).
    re.compile(
        rf"\b{_YEAR}\b[^;:.]{{0,24}};\s*"
        rf"(?P<volume>[A-Za-z0-9 -]{{1,20}}?)\s*(?:\({_ISSUE}\))?(?:\s*:\s*(?P<pages>{_PAGES})|(?=\.))"
    ),
    # `vol. 375, no. 19, pp. 1834–44, Nov. 2016` (IEEE), then with the year before the pages (MLA).
    re.compile(
        r",\s*vol\.\s*(?P<volume>[\w-]+)(?:,\s*nos?\.\s*(?P<issue>[^,]+))?"
        rf",\s*pp?\.\s*(?P<pages>{_PAGES})\s*,[^;]{{0,20}}?{_YEAR}",
        re.IGNORECASE,
    ),
    re.compile(
        rf",\s*vol\.\s*(?P<volume>[\w-]+)(?:,\s*nos?\.\s*(?P<issue>[^,]+))?,[^;]{{0,40}}?{_YEAR}"
        rf"(?:,\s*pp?\.\s*(?P<pages>{_PAGES}))?",
        re.IGNORECASE,
    ),
    # `375(19), 1834–1844 (2016)` (Nature, Science).
    re.compile(
        rf"(?<=[\w.)])\s\*?(?P<volume>\d{{1,4}}[A-Z]?)\*?\s?(?:\({_ISSUE}\))?,\s*(?:pp?\.\s*)?(?P<pages>{_PAGES})\s*"
        rf"\({_YEAR}\){_END}"
    ),
    _ELSEVIER,
    # `2016, 375 (19), 1834–1844` (ACS, MDPI), `2016, 375(19):1834-44` (BioMed Central).
    re.compile(
        rf"\b{_YEAR},\s*\*?(?P<volume>\d{{1,4}})\*?\s*(?:\({_ISSUE}\))?\s*[,:]\s*(?:pp?\.\s*)?(?P<pages>{_PAGES}){_END}"
    ),
    # `375(19), 1834–1844` (APA), `375(19):1834–1844` (Springer).
    re.compile(
        rf",\s*\*?(?P<volume>\d{{1,4}}(?:[-–]\d{{1,4}})?)\*?\s*(?:\({_ISSUE}\))?"
        rf"(?:\s*[,:]\s*(?:p{{1,2}}\.\s*|Article\s+|art\.\s*(?:no\.\s*)?)?(?P<pages>{_PAGES})|\.?\s*$)"
    ),
    re.compile(rf"(?<=[\w.)])\s\*?(?P<volume>\d{{1,4}})\*?\s?(?:\({_ISSUE}\))?\s*:\s*(?P<pages>{_PAGES}){_END}"),
)
# An abbreviated word of a journal's name; a word all in capitals with a stop ends a sentence.
_ABBREVIATED = re.compile(r"[^\W\d_a-z](?:[^\W\d_A-Z][\w'’-]{0,8})?\.")
_SMALL = frozenset(("of", "the", "and", "&", "in", "for", "on", "de", "et", "la", "del", "und", "der", "für", "di"))
MOST_WORDS = 12
MOST_NAME_WORDS = 2
# More words than this are a title with the journal behind it.
LONG = 8


class Place(msgspec.Struct, frozen=True):
    """Attributes: fields read; title_end: where the part before journal, year and volume ends; run_on: no stop parts
    the journal from what stands before it."""

    fields: dict[str, str]
    title_end: int
    run_on: bool = False


def find_place(rest: str) -> Place | None:
    """The first form that is there; None where no style is known by its numbers."""
    found = next((found for pattern in _PLACES if (found := pattern.search(rest))), None)
    if found is None:
        return None
    fields = {name: value.strip(" .*").replace("−", "–") for name, value in found.groupdict().items() if value}
    # Elsevier's journals print the title up to a comma.
    journal = _journal(rest[: found.start()], behind_comma=found.re is _ELSEVIER)
    fields["journal"] = journal.strip(" .,*_")
    at = rest.rfind(journal, 0, found.start() + 1) if journal else -1
    before = rest[: found.start()].strip(" ,(*_.")
    return Place(fields, at if at >= 0 else found.start(), bool(before) and STOP.split(before)[-1] == before)


def _journal(text: str, *, behind_comma: bool) -> str:
    """What stands right before year or volume, back to the sentence before."""
    before = re.sub(r"[\s,(*_.]+$", "", text)
    part = _dotted(before, behind_comma=behind_comma)
    if not part:
        part = re.split(r"[”\"]\s*", STOP.split(before)[-1])[-1].strip(" *_")
        part = re.split(r"[,.]\s", part)[-1] if behind_comma or len(part.split()) > LONG else part
        name, _, behind = part.partition(", ")
        # `Doe, J Invent Res 2023`: nothing but a name stands before the journal.
        part = behind if part == before and behind and len(name.split()) <= MOST_NAME_WORDS else part
        part = _capitals(part) if part == before and len(part.split()) > LONG else part
    return part if 2 <= len(part) <= 120 else ""


def _capitals(text: str) -> str:
    """The capitalised words at the end of a text without a stop: `a title of some words J Invent Res`; "" for all."""
    words = text.split()
    place = len(words)
    while place and (words[place - 1][:1].isupper() or words[place - 1] in _SMALL):
        place -= 1
    while place < len(words) and words[place] in _SMALL:
        place += 1
    return " ".join(words[place:]) if place and len(words) - place < MOST_WORDS else ""


def _dotted(before: str, *, behind_comma: bool) -> str:
    """`J. Invent. Res` at the end of a text: back over abbreviated and capitalised words to the end of a sentence.

    Where a title in capitals leaves no such end, the first stop that may be one counts. "" where the last word but one
    is not abbreviated: a stop before that ends a title.
    """
    words = before.split(" ")
    place = len(words) - 1
    if place < 1 or not _ABBREVIATED.fullmatch(words[-2]):
        return ""
    starts: list[int] = []
    while place > 0 and len(words) - place < MOST_WORDS:
        word = words[place - 1]
        if _ABBREVIATED.fullmatch(word):
            starts.append(place)
        elif re.search(r"[.?!:;”\"]$", word) or (behind_comma and word.endswith(",")):
            starts = [place]
            break
        elif word not in _SMALL and not word[:1].isupper():
            break
        place -= 1
    found = words[starts[-1] :] if starts else []
    return " ".join(found) if any(_ABBREVIATED.fullmatch(word) for word in found) else ""
