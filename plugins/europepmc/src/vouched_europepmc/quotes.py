"""Quotations held against the text: exact, only spaced otherwise, altered (and where), or not there."""

import hashlib
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Literal

from vouched.api import Struct, clean

from vouched_europepmc import sentences
from vouched_europepmc.anchors import Passage
from vouched_europepmc.cues import cues
from vouched_europepmc.evidence_rows import Cue
from vouched_europepmc.verify_quotes import Change
from vouched_europepmc.worddiff import Word, changes, cuts_number, unmarked, window, words

__all__ = ["Finding", "Printed", "check"]

Outcome = Literal["exact", "whitespace_only", "altered", "absent"]
# A passage that shares fewer of the quotation's words than this is another sentence, not an altered one.
ALIKE = 0.6
_ELISION = re.compile(r"\s*(?:\[\s*(?:\u2026|\.\.\.)\s*\]|\u2026|(?<!\.)\.\.\.(?!\.))\s*")
# Citation marks, which printed pages set high and quotations leave out.
_MARK = r"(?:\s*\[\d[\d,;\u2013\u2212\- ]*\])"
# A word broken at the end of a line of a printed page.
_BROKEN = re.compile(r"([^\W\d_]+)[-\u2010]\s+([^\W\d_]+)")
_POINTS = ".,\u00b7"
_SIGNS = "-\u2212\u2013+\u00b1<>\u2264\u2265"
_GLUED_BEFORE = re.compile(rf"[\d{_POINTS}+\u00b1<>\u2264\u2265\u2212\u2013-]+$")
_GLUED_AFTER = re.compile(rf"[\d{_POINTS}]*[\d%]")


class Finding(Struct, omit_defaults=True):
    """What was found for one quotation.

    Attributes:
        outcome: exact, whitespace_only (white space, citation marks or the printing of a sign differ), altered, absent.
        elided: the quotation leaves words out and says so; a negation among them makes it altered.
        passage, start, end: where; text: what is printed there; sha256: of `text` as UTF-8.
        changes: for altered, and of formatting; likeness: share of its words found in order, 0 to 1.
        places: how often it stands there.
        cues_outside: words around the quotation, or left out of it, in its sentences, that negate or hedge it.
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
    def unmarked_words(self) -> list[list[Word]]:
        """The same without citation marks, for quotations that have none."""
        return [
            words(plain) if (plain := unmarked(passage.text, "")) is not passage.text else of
            for passage, of in zip(self.passages, self.words, strict=True)
        ]

    @cached_property
    def vocabularies(self) -> list[frozenset[str]]:
        return [frozenset(word for word, _, _ in of) for of in self.words]

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Of all passages."""
        return frozenset().union(*self.vocabularies)


def check(quotation: str, printed: Printed) -> Finding:
    """Hold one quotation against the passages of one article, in their order."""
    quoted = _unquoted(quotation)
    plain = _rejoined(clean(quoted), printed)
    parts = [part for part in _ELISION.split(plain) if part.strip()]
    if not parts:
        return Finding("absent")
    found = _spaced(" ".join(plain.split()), printed=printed, exactly=quoted)
    if found is None and len(parts) > 1:
        found = _spaced(*parts, printed=printed, exactly="")
    return found or _altered(plain, printed)


def _rejoined(quoted: str, printed: Printed) -> str:
    """Words broken at line ends in one piece, as the text prints them: without the hyphen, or with it."""

    def whole(found: "re.Match[str]") -> str:
        forms = (found[1] + found[2], f"{found[1]}-{found[2]}")
        known = (form for form in forms if words(form)[0][0] in printed.vocabulary)
        return next(known, found[0])

    return _BROKEN.sub(whole, quoted)


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
    pieces = ["(" + rf"{_MARK}?\s+".join(map(_word_pattern, part.split())) + ")" for part in parts]
    pattern = re.compile(r".*?".join(pieces), re.DOTALL)
    places = [
        (passage, found)
        for passage in printed.passages
        for found in pattern.finditer(passage.text)
        if not _cuts(passage.text, found.start(), found.end())
    ]
    if not places:
        return None
    same = [place for place in places if place[1][0] == exactly] if exactly else places
    passage, found = (same or places)[0]
    finding = _located("exact" if same else "whitespace_only", passage, found.start(), found.end())
    finding.places, finding.elided = len(same or places), len(parts) > 1
    spans = [found.span(number) for number in range(1, len(parts) + 1)]
    outside = _outside(passage.text, spans)
    finding.cues_outside = [cue.text for cue in outside]
    for cue in outside:
        if cue.kind == "negation" and found.start() < cue.end and cue.start < found.end():
            # Dots in the place of a "not" turn the sentence round.
            finding.outcome = "altered"
            finding.changes.append(Change("negation", "\u2026", cue.text))
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
    listed = printed.words if unmarked(quoted, "") != quoted else printed.unmarked_words
    best, place = 0.0, (0, 0, 0)
    for number, known in enumerate(printed.vocabularies):
        if not wanted or len(vocabulary & known) < ALIKE * len(vocabulary):
            continue
        likeness, first, last = window(wanted, [word for word, _, _ in listed[number]])
        if likeness > best:
            best, place = likeness, (number, first, last)
    if best < ALIKE:
        return Finding("absent", likeness=round(best, 3))
    number, first, last = place
    passage = printed.passages[number]
    start, end = _uncut(passage.text, listed[number][first][1], listed[number][last][2])
    finding = _located("altered", passage, start, end)
    finding.changes, finding.likeness = [*changes(quoted, finding.text)], round(best, 3)
    if all(change.kind == "formatting" and not _regrouped(change) for change in finding.changes):
        finding.outcome = "whitespace_only"
    finding.cues_outside = [cue.text for cue in _outside(passage.text, [(start, end)])]
    return finding


def _regrouped(change: Change) -> bool:
    """Whether commas were set into a number or taken out: it is the same number, and more than white space differs."""
    return change.quoted.count(",") != change.printed.count(",")


def _uncut(text: str, start: int, end: int) -> tuple[int, int]:
    """With the sign, and the rest of the number, that a quotation may have left off."""
    if text[start].isdigit() and (before := _GLUED_BEFORE.search(text[:start])):
        start = before.start()
    if text[end - 1].isdigit() and (after := _GLUED_AFTER.match(text, end)):
        end = after.end()
    return start, end


def _outside(text: str, spans: Sequence[tuple[int, int]]) -> list[Cue]:
    """Cues of the quotation's sentences that do not stand in what is quoted (`spans`) and reach into it: what a
    quotation may have left out."""
    found: list[Cue] = []
    for first, last in sentences.split(text):
        inside = [(max(s, first) - first, min(e, last) - first) for s, e in spans if s < last and e > first]
        for cue in cues(text[first:last], {"quotation": inside}) if inside else ():
            if cue.covers and not any(s <= cue.start and cue.end <= e for s, e in inside):
                found.append(_moved(cue, first))
    return found


def _moved(cue: Cue, by: int) -> Cue:
    return Cue(cue.kind, cue.text, cue.start + by, cue.end + by, cue.scope_start + by, cue.scope_end + by, cue.covers)
