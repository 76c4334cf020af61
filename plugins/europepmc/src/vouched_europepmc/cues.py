"""Which words of a sentence negate or hedge, and how far they reach. Labels, not verdicts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

from vouched_europepmc.cue_lists import CUES, ENDS, INNER, PHRASAL, Direction
from vouched_europepmc.evidence_rows import Cue, Kind

__all__ = ["cues", "labels"]

Span = tuple[int, int]
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|do|did|can|could|may|might|will|would|should|must|cannot)\b|\b\w{3,}ed\b"
)
_PHRASE_ENDS = re.compile(rf",|{_FINITE.pattern}")
_BREAKS = re.compile(r"[;\u2014]|:(?=\s)|\s[\u2013-]\s")
_RELATIVE = re.compile(r",\s+(?:in\s+|of\s+|for\s+)?(?:which|who|whom|whose|where)\b", re.IGNORECASE)
# "in patients who did not smoke": what is denied of them is not denied of what stands before.
_OF_PEOPLE = re.compile(r"\swho\s+(?:\w+ly\s+)?$", re.IGNORECASE)
# "Fictol, but not rest, helped": one thing is left out, up to the comma.
_LEFT_OUT = re.compile(r"\bbut\s+$", re.IGNORECASE)
_JOINED = re.compile(
    r",\s+(?:and|or|so|yet|still|then)\b|(?<=\w)\s+and\s+(?=(?:it|they|we|this|these|those|there)\b)", re.IGNORECASE
)
_FIRST = re.compile(
    r"\W*(?:although|while|whereas|though|because|if|when|despite|in spite of|unlike|in contrast (?:to|with)|since|"
    r"after|before|during|as|in)\b",
    re.IGNORECASE,
)
# "suggest, but do not prove, that …": the statement goes on behind the aside.
_ASIDE = re.compile(
    r",\s+(?:but|although|though|albeit|while|yet|however|even if)\b[^,;]*,\s+(?=(?:that|to|whether)\b)", re.IGNORECASE
)
_ROUND = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
# "No. 5" counts, "NO" is nitric oxide, "May 2020" is a month, "not-for-profit" is one word.
_VERBS = (
    *("is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could", "would", "should"),
    *("may", "might", "will", "must"),
)
_VERB = rf"(?:(?:{'|'.join(_VERBS)})\s+)?"
# A word as phrases begin with: "cannot", "didn't", "r/o", "gram-negative".
_WORD = re.compile(r"(?<![\w-])[A-Za-z]+(?:['\u2019/-][A-Za-z]+)*")
_VERB_LENGTH = 20
_NUMBER = re.compile(r"\.?\s*\d")


@cache
def _phrases() -> Mapping[str, Sequence[tuple[str, "re.Pattern[str]"]]]:
    """First word of a phrase -> (phrase, pattern), the longest first: few words of a sentence begin one."""
    found: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    for phrase in sorted(_kinds(), key=_precedence, reverse=True):
        pattern = re.compile(_flexible(phrase) + r"(?![\w-])", re.IGNORECASE)
        firsts = [phrase.split(" ")[0], *(_VERBS if _takes_verb(phrase) else ())]
        for word in firsts:
            found.setdefault(word, []).append((phrase, pattern))
    return found


@cache
def _kinds() -> Mapping[str, Sequence[tuple[Kind, Direction]]]:
    table: dict[str, list[tuple[Kind, Direction]]] = {}
    for phrase, kind, direction in CUES:
        table.setdefault(phrase, []).append((kind, direction))
    return table


def _matches(sentence: str) -> Iterator[tuple[str, "re.Match[str]"]]:
    """The phrases that stand in a sentence, left to right, none overlapping, the longest at each place."""
    table, taken = _phrases(), 0
    for word in _WORD.finditer(sentence):
        if word.start() < taken:
            continue
        for phrase, pattern in table.get(word[0].lower().replace("\u2019", "'"), ()):
            if found := pattern.match(sentence, word.start()):
                taken = found.end()
                yield phrase, found
                break


def _precedence(phrase: str) -> int:
    # "Not uncommon" comes before "was not", however "was not uncommon" is spelt.
    return len(phrase) + (_VERB_LENGTH if _takes_verb(phrase) else 0)


def _takes_verb(phrase: str) -> bool:
    return phrase.startswith("not ") and phrase != "not yet"


def _flexible(phrase: str) -> str:
    words = [re.escape(word).replace("'", "['\u2019]") for word in phrase.split(" ") if word != "~"]
    gap = r"\s+(?:(?:\w+ly|yet|thus|however|also)\s+)?" if "~" in phrase else r"\s+"
    return (_VERB if _takes_verb(phrase) else "") + gap.join(words)


@cache
def _ends() -> "re.Pattern[str]":
    words = "|".join(re.sub(r"\s", r"\\s+", word) for word in sorted(ENDS, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)


def clauses(sentence: str, taken: Sequence[Span] = ()) -> list[Span]:
    """Where scopes end: the clauses of a sentence; `taken` are its cues, whose own words end nothing ("not yet")."""
    flat = _ROUND.sub(lambda m: "(" + "_" * (len(m[0]) - 2) + ")", sentence)
    cuts = {0, len(flat)}
    cuts.update(end.start() for end in _ends().finditer(flat) if not _around(end.span(), taken))
    cuts.update(found.start() for found in _BREAKS.finditer(flat))
    for found in _RELATIVE.finditer(flat):
        cuts.add(found.start())
        if (comma := flat.find(",", found.end())) >= 0:
            cuts.add(comma)
    for found in _JOINED.finditer(flat):
        ahead = " ".join(re.split(r"[,;]", flat[found.end() :])[0].split()[:6])
        if not found[0].startswith(",") or _FINITE.search(ahead):
            cuts.add(found.start())
    if _FIRST.match(flat) and (comma := flat.find(", ")) >= 0:
        cuts.add(comma)
    ordered = sorted(cuts)
    return list(pairwise(ordered))


def cues(sentence: str, terms: Mapping[str, Sequence[Span]] | None = None) -> list[Cue]:
    """The cues of a sentence in order, each with the roles of `terms` (role -> spans) that lie in its scope."""
    matches = list(_matches(sentence))
    spans = clauses(sentence, [match.span() for _, match in matches]) if matches else []
    brackets = [found.span() for found in _ROUND.finditer(sentence)]
    asides = [found.span() for found in _ASIDE.finditer(sentence)] if matches else []
    found: list[Cue] = []
    for phrase, match in matches:
        if _is_other_word(match, sentence):
            continue
        clause = _around(match.span(), brackets) or _beyond(match.span(), spans, asides) or (0, len(sentence))
        for kind, direction in _kinds()[phrase]:
            if kind != "none":
                start, end = _scope(sentence, match.span(), clause, phrase, direction)
                covered = [
                    role for role, places in (terms or {}).items() if any(s < end and e > start for s, e in places)
                ]
                found.append(Cue(kind, match[0], match.start(), match.end(), start, end, covered))
    return found


def _is_other_word(match: "re.Match[str]", sentence: str) -> bool:
    word, after = match[0], sentence[match.end() : match.end() + 6]
    if word == "NO" or (word in ("No", "no") and _NUMBER.match(after)):
        return not sentence.isupper()
    return word == "May" and (match.start() > 0) and bool(re.match(r"\s+\d", after))


def _around(span: Span, spans: Sequence[Span]) -> Span | None:
    return next(((start, end) for start, end in spans if start <= span[0] and span[0] < end), None)


def _beyond(cue: Span, spans: Sequence[Span], asides: Sequence[Span]) -> Span | None:
    """The clause of a cue, and what follows an aside that cut it."""
    clause = _around(cue, spans)
    for start, end in asides:
        if clause and cue[1] <= start <= clause[1] <= end:
            resumed = _around((end, end), spans)
            return clause[0], resumed[1] if resumed else clause[1]
    return clause


def _scope(sentence: str, cue: Span, clause: Span, phrase: str, direction: Direction) -> Span:
    of_people = _OF_PEOPLE.search(sentence, clause[0], cue[0])
    start = cue[1] if direction == "forward" else of_people.start() if of_people else clause[0]
    end = clause[1] if direction != "backward" else cue[0]
    if phrase == "not" and _LEFT_OUT.search(sentence, 0, cue[0]):
        comma = sentence.find(",", cue[1], end)
        end = comma if comma >= 0 else end
    elif phrase in PHRASAL and (stop := _PHRASE_ENDS.search(sentence, cue[1], end)):
        end = stop.start()
    return start, max(start, end)


def labels(found: Sequence[Cue]) -> list[str]:
    """What the cues say of the terms: negated, hedged, double_negation; else cue_out_of_scope or no_cue_found.

    None of them says that a sentence supports anything.
    """
    if not found:
        return ["no_cue_found"]
    covering = [cue for cue in found if cue.covers]
    said: list[str] = []
    if turned := set(_turned_round(covering)):
        said.append("double_negation")
    if any(cue.kind == "double_negation" for cue in covering) and "double_negation" not in said:
        said.append("double_negation")
    if any(cue.kind == "negation" and id(cue) not in turned for cue in covering):
        said.append("negated")
    if any(cue.kind == "hedge" for cue in covering):
        said.append("hedged")
    return said or ["cue_out_of_scope"]


def _turned_round(covering: Sequence[Cue]) -> Iterator[int]:
    """Ids of negations that cancel each other: "without" and its like inside another one's scope, over one role."""
    negations = [cue for cue in covering if cue.kind == "negation"]
    for outer in negations:
        for inner in negations:
            inside = outer.end <= inner.start < outer.scope_end
            if inside and inner.text.lower() in INNER and set(inner.covers) & set(outer.covers):
                yield from (id(outer), id(inner))
