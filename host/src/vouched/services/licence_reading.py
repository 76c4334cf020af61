"""Statements -> rows of the licence table: addresses, types, record fields and prose, clause by clause."""

import re
from collections.abc import Sequence

import msgspec

from vouched.access import Statement
from vouched.services import licence_sentences as sentences
from vouched.services.licence_addresses import addresses
from vouched.services.licence_mentions import coded, mentions
from vouched.services.licence_names import Reading, kind_of
from vouched.services.licence_phrases import ABROAD
from vouched.services.licence_table import TERMS, Terms

__all__ = ["LONGEST", "read_field", "read_statement", "terms_of"]

LONGEST = 20_000
_TOO_LONG = f"it stands in a statement of more than {LONGEST:,} characters"
_TERMS_WORD = re.compile(r"\b(?:licen[sc]es?|terms|conditions)\b", re.IGNORECASE)


class _Named(msgspec.Struct, frozen=True):
    """A licence as a clause names it, and what the clause does with it."""

    reading: Reading
    voice: str


def read_field(text: str) -> Reading | None:
    """A licence field or `license-type`: `cc by-nc-nd`, `CC0`, `ccbylicense`, an SPDX id, an address; else None.

    Where it names several, they hold together.
    """
    if len(text) > LONGEST:
        return None
    text = _tidy(text)
    return coded(text) or _together([item.reading for item in _spoken(text) if item.voice != "other"])


def read_statement(statement: Statement) -> list[Reading]:
    """Every licence that a statement names for its own object; those of data, code or pictures in it are left out.

    Only what a plain sentence, a type or an address says is without doubt. A statement of more than `LONGEST`
    characters says nothing for certain: what stands at its end might take back what stands at its beginning.
    """
    text, url, kind = (_tidy(part[:LONGEST]) for part in (statement.text, statement.url, statement.licence_type))
    spoken = _spoken(text)
    marked = [address.reading for address in addresses(url) if address.reading]
    if kind and (typed := read_field(kind)):
        marked.append(typed)
    found = [*_marked(marked, text, spoken), *(item.reading for item in spoken if item.voice != "other")]
    found += _forbidden(text, found)
    if found and {reading.kind for reading in found} <= {"us-government", "domain"} and ABROAD.search(text):
        found.append(Reading("domain-here", written=text[:120], doubt="copyright may hold in other countries"))
    if max(map(len, (statement.text, statement.url, statement.licence_type))) > LONGEST:
        found = [msgspec.structs.replace(reading, doubt=reading.doubt or _TOO_LONG) for reading in found]
    return list(dict.fromkeys(found))


def terms_of(statement: Statement) -> list[Terms]:
    """The rows of publishers' terms that a statement matches, by address, type or words."""
    parts = [text for text in (statement.url, statement.licence_type, statement.text) if text]
    return [row for row in TERMS if any(row.pattern.search(text) for text in parts)]


def _spoken(text: str) -> list[_Named]:
    """The licences of a text, clause by clause."""
    found: list[_Named] = []
    before = ""
    for clause in sentences.clauses(text):
        named = mentions(clause)
        if named:
            verdict = sentences.judge(clause, [(item.start, item.end) for item in named], before)
            found += [_Named(_in_voice(item.reading, verdict), verdict.voice) for item in named]
        elif sentences.withdraws(clause):
            found.append(_Named(Reading("cc", written=clause[:120], doubt="it is withdrawn", voice="denied"), "denied"))
        before = clause
    return found


def _in_voice(reading: Reading, verdict: sentences.Verdict) -> Reading:
    voice = verdict.voice if verdict.voice in ("said", "hedged", "denied") else "pointed"
    return msgspec.structs.replace(reading, doubt=reading.doubt or verdict.why, voice=voice)


def _marked(marked: Sequence[Reading], text: str, spoken: Sequence[_Named]) -> list[Reading]:
    """Address and type of a statement, which say no more than its words do.

    A statement of one clause gives them the sense that it has: a link in "Figure 2 is under …" is of the figure.
    """
    if not marked or not text:
        return list(marked)
    if len(list(sentences.clauses(text))) == 1:
        verdict = _single(text)
        return [] if verdict.voice == "other" else [_in_voice(reading, verdict) for reading in marked]
    said = {item.reading.kind for item in spoken if item.voice == "said"}
    elsewhere = {item.reading.kind for item in spoken if item.voice == "other"} - said
    doubt = "the words beside it give it to something else"
    return [
        msgspec.structs.replace(reading, doubt=reading.doubt or doubt) if reading.kind in elsewhere else reading
        for reading in marked
    ]


def _single(text: str) -> sentences.Verdict:
    named = mentions(text)
    if named:
        return sentences.judge(text, [(item.start, item.end) for item in named])
    word = _TERMS_WORD.search(text)
    place = word.start() if word else 0
    if not word and sentences.speaks_of_other_thing(text):
        return sentences.Verdict("other")
    return sentences.judge(text[:place], [(place, place)])


def _forbidden(text: str, found: Sequence[Reading]) -> list[Reading]:
    """What the words of a statement forbid beyond the licences that it names."""
    named = {part for reading in found for part in reading.kind.split("-")}
    kinds = {"no-commerce": "nc", "no-changes": "nd", "no-mining": ""}
    return [
        Reading(kind, written=clause[:120], doubt="words that forbid a use, no licence")
        for clause in sentences.clauses(text)
        for kind in sentences.forbidden(clause)
        if kinds[kind] not in named
    ]


def _together(found: Sequence[Reading]) -> Reading | None:
    """One licence that allows what all of them allow; the first one that is without doubt where they are the same."""
    if not found:
        return None
    denied = [reading for reading in found if reading.voice == "denied"]
    first = denied[0] if denied else next((reading for reading in found if not reading.doubt), found[0])
    kinds = {reading.kind for reading in found} - {"cc", first.kind}
    if not kinds:
        return first
    parts = {part for kind in (first.kind, *kinds) for part in kind.split("-")}
    kind = kind_of("-".join(part for part in parts if part in ("by", "nc", "nd", "sa"))) or first.kind
    return msgspec.structs.replace(first, kind=kind, version="", port="") if kind != first.kind else first


def _tidy(text: str) -> str:
    return " ".join(sentences.plain(text).split())
