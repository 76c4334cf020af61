"""Quotations held against the text: exact, only spaced otherwise, altered (and where), or not there."""

import hashlib
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Literal

from vouched.api import Struct

from vouched_europepmc import sentences
from vouched_europepmc.anchors import Passage
from vouched_europepmc.cues import cues
from vouched_europepmc.verify_quotes import Change
from vouched_europepmc.worddiff import Word, changes, cuts_number, window, words

__all__ = ["Finding", "Printed", "check"]

Outcome = Literal["exact", "whitespace_only", "altered", "absent"]
# A passage that shares fewer of the quotation's words than this is another sentence, not an altered one.
ALIKE = 0.6
_ELISION = re.compile(r"\s*(?:\[\s*(?:\u2026|\.\.\.)\s*\]|\u2026|(?<!\.)\.\.\.(?!\.))\s*")
# Citation marks, which printed pages set high and quotations leave out.
_MARK = r"(?:\s*\[\d[\d,;\u2013\u2212\- ]*\])"
_POINTS = ".,\u00b7"
_SIGNS = "-\u2212\u2013+\u00b1<>\u2264\u2265"


class Finding(Struct, omit_defaults=True):
    """What was found for one quotation.

    Attributes:
        outcome: exact, whitespace_only (white space, citation marks or formatting differ), altered, absent.
        elided: the quotation leaves words out and says so.
        passage, start, end: where; text: what is printed there; sha256: of `text` as UTF-8.
        changes: for altered, and of formatting; likeness: share of its words found in order, 0 to 1.
        places: how often it stands there.
        cues_outside: words around the quotation, in its sentence, that negate or hedge it.
    """

    outcome: Outcome
    passage: Passage | None = None
    start: int = 0
    end: int = 0
    text: str = ""
    sha256: str = ""
    changes: list[Change] = []
    likeness: float = 0.0
    places: int = 0
    elided: bool = False
    cues_outside: list[str] = []


class Printed:
    """The passages of one article, prepared once for many quotations."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = passages

    @cached_property
    def words(self) -> list[list[Word]]:
        """The words of each passage."""
        return [words(passage.text) for passage in self.passages]

    @cached_property
    def vocabularies(self) -> list[frozenset[str]]:
        return [frozenset(word for word, _, _ in of) for of in self.words]


def check(quotation: str, printed: Printed) -> Finding:
    """Hold one quotation against the passages of one article, in their order."""
    quoted = _unquoted(quotation)
    parts = [part for part in _ELISION.split(quoted) if part.strip()]
    if not parts:
        return Finding("absent")
    found = _spaced(" ".join(quoted.split()), printed=printed, exactly=quoted)
    if found is None and len(parts) > 1:
        found = _spaced(*parts, printed=printed, exactly="")
    found = found or _altered(quoted, printed)
    if found.passage:
        found.cues_outside = _outside(found.passage.text, found.start, found.end)
    return found


def _unquoted(text: str) -> str:
    """Without the quotation marks around it."""
    stripped = text.strip()
    pairs = {'"': '"', "\u201c": "\u201d", "\u00ab": "\u00bb", "\u2018": "\u2019"}
    if len(stripped) > 2 and pairs.get(stripped[0]) == stripped[-1]:
        return stripped[1:-1].strip()
    return stripped


def _spaced(*parts: str, printed: Printed, exactly: str) -> Finding | None:
    """The parts in order in one passage, white space and citation marks between words aside.

    A place where the quotation would cut a word or a number in two ("12 mg" in "112 mg") is none.
    """
    pieces = [rf"{_MARK}?\s+".join(map(_word_pattern, part.split())) for part in parts]
    pattern = re.compile(r".*?".join(pieces), re.DOTALL)
    places = [
        (passage, found.start(), found.end())
        for passage in printed.passages
        for found in pattern.finditer(passage.text)
        if not _cuts(passage.text, found.start(), found.end())
    ]
    if not places:
        return None
    same = [place for place in places if place[0].text[place[1] : place[2]] == exactly] if exactly else places
    outcome: Outcome = "exact" if same else "whitespace_only"
    finding = _located(outcome, *(same or places)[0])
    finding.places, finding.elided = len(same or places), len(parts) > 1
    return finding


def _word_pattern(word: str) -> str:
    stem = word.rstrip(".,;:")
    return re.escape(stem) + (f"{_MARK}?{re.escape(word[len(stem) :])}" if stem and stem != word else "")


def _cuts(text: str, start: int, end: int) -> bool:
    if cuts_number(text, start) or cuts_number(text, end):
        return True
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    first, last = text[start], text[end - 1]
    if (before[-1:].isalnum() and first.isalnum()) or (after[:1].isalnum() and last.isalnum()):
        return True
    if first.isdigit() and before and (before[-1] in _SIGNS or (before[-1] in _POINTS and before[0].isdigit())):
        return True
    return last.isdigit() and bool(after) and (after[0] == "%" or (after[0] in _POINTS and after[1:].isdigit()))


def _located(outcome: Outcome, passage: Passage, start: int, end: int) -> Finding:
    text = passage.text[start:end]
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return Finding(outcome, passage, start, end, text, sha256, likeness=1.0, places=1)


def _altered(quoted: str, printed: Printed) -> Finding:
    wanted = [word for word, _, _ in words(quoted)]
    vocabulary = set(wanted)
    best, place = 0.0, (0, 0, 0)
    for number, known in enumerate(printed.vocabularies):
        if not wanted or len(vocabulary & known) < ALIKE * len(vocabulary):
            continue
        likeness, first, last = window(wanted, [word for word, _, _ in printed.words[number]])
        if likeness > best:
            best, place = likeness, (number, first, last)
    if best < ALIKE:
        return Finding("absent", likeness=round(best, 3))
    number, first, last = place
    finding = _located(
        "altered", printed.passages[number], printed.words[number][first][1], printed.words[number][last][2]
    )
    finding.changes, finding.likeness = [*changes(quoted, finding.text)], round(best, 3)
    if all(change.kind == "formatting" for change in finding.changes):
        finding.outcome = "whitespace_only"
    return finding


def _outside(text: str, start: int, end: int) -> list[str]:
    """Cues of the sentence that stand outside the quotation and reach into it: what a quotation may have left out."""
    for first, last in sentences.split(text):
        if first <= start < last:
            inside = (max(start, first) - first, min(end, last) - first)
            found = cues(text[first:last], {"quotation": [inside]})
            return [cue.text for cue in found if cue.covers and not (inside[0] <= cue.start and cue.end <= inside[1])]
    return []
