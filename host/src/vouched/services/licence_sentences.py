"""What a sentence does with the licence that it names: says that the article is under it, or something else."""

import html
import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from vouched.services import licence_phrases as phrases
from vouched.services import licence_words as words
from vouched.services.licence_addresses import blanked

__all__ = ["Verdict", "clauses", "forbidden", "judge", "of_itself", "plain", "speaks_of_other_thing", "withdraws"]

Voice = Literal["said", "pointed", "unclear", "hedged", "denied", "other"]

_LICENCE = re.compile(r"\bCC|creative\s*commons|\bdomain\b", re.IGNORECASE)
_IGNORABLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_TOKEN = re.compile(r"©|[^\W\d_]+(?:'[^\W\d_]+)*|\d+")
_SUBJECT = re.compile(
    r"^\W*(?:this|our|the)\s+(?:open[\s-]access\s+)?(?:article|work|paper|publication)\b|^\W*it\b", re.I
)
_OF_BEFORE = re.compile(r"^\W*(?:it|they|these|those|both|all of (?:it|them))\b|^\W*$", re.IGNORECASE)
_HEAD = re.compile(rf"^\W*(?:\w+\s+){{0,2}}?{phrases.OTHER_THING.pattern}", re.IGNORECASE)


class Verdict(msgspec.Struct, frozen=True):
    """How a clause names a licence.

    Attributes:
        voice: `said` of this article; `pointed`: only where the licence can be read; `other`: of another thing;
            `unclear`, `hedged` (some day, on a condition, once), `denied`: no grant.
        why: for the three last, in words.
    """

    voice: Voice
    why: str = ""


def plain(text: str) -> str:
    """A statement as it is read: character references resolved, invisible characters gone."""
    return _IGNORABLE.sub("", html.unescape(text))


def clauses(text: str) -> Iterator[str]:
    """The sentences of a statement, each divided where it turns to another thing."""
    for sentence in phrases.SENTENCE.split(text):
        parts = phrases.TURN.split(sentence)
        # "This article and its data are …", "Neither the figures and the article …": what stands first holds for all.
        if len(parts) > 1 and (not _LICENCE.search(parts[0]) or _unsure(parts[0])):
            parts = [sentence]
        yield from (part for part in parts if part.strip())


def _unsure(lead: str) -> str:
    """The first word of a negation or a hedge, "" where there is none."""
    folded = (token.casefold() for token in _TOKEN.findall(_essence(lead)))
    return next((word for word in folded if _negates(word) or word in words.HEDGES), "")


def _negates(word: str) -> bool:
    return word in words.NEGATIONS or word.endswith("n't")


def judge(clause: str, spans: Sequence[tuple[int, int]], before: str = "") -> Verdict:
    """What a clause says of the licence that it names first.

    Args:
        spans: the characters that name licences, in order; "Creative Commons Attribution (CC BY)" are two in a row.
        before: the clause before, which "It is licensed under …" may speak of.
    """
    start, end = spans[0]
    bare = blanked(clause, every=True)
    for other, its_end in spans[1:]:
        if other <= end or phrases.AFTER_NAME.fullmatch(bare[end:other]):
            end = max(end, its_end)
    lead, tail = _essence(bare[:start]), bare[end:]
    if _of_other_thing(lead) or phrases.OTHER_TAIL.match(tail):
        return Verdict("other")
    if before and _OF_BEFORE.match(lead) and speaks_of_other_thing(before):
        return Verdict("other")
    if not _TOKEN.search(lead):
        lead = (
            _essence(before) + lead
        )  # a licence alone is no sentence: "From Golob B. Invented doses. 2012. CC BY 4.0."
    return _before(lead) or _behind(tail) or Verdict("pointed" if phrases.POINTER.match(clause) else "said")


def speaks_of_other_thing(clause: str) -> bool:
    """Whether a clause begins with a figure, table, data set or the like, or says what applies to one."""
    lead = _essence(clause)
    return bool((_HEAD.match(lead) or re.search(r"appl\w+ to ", lead)) and _of_other_thing(lead))


def withdraws(clause: str) -> bool:
    """Whether a clause takes back a licence that another one names."""
    return bool(phrases.WITHDRAWN.search(clause))


def of_itself(text: str) -> str:
    """The words of a figure's or table's own permissions as if they were an article's: "Figure 2 is under CC BY"."""
    return phrases.REPRODUCED.sub("published", phrases.ITSELF.sub("this article", text))


def forbidden(clause: str) -> Iterator[str]:
    """What a clause forbids, whatever licence is named beside it: `no-commerce`, `no-changes`, `no-mining`."""
    if speaks_of_other_thing(clause):
        return
    bare = phrases.NON_COMMERCE.sub(" ", phrases.HARMLESS.sub(" ", clause.replace("’", "'")))
    forbids = any(_negates(word) or word in words.FORBIDS for word in map(str.casefold, _TOKEN.findall(bare)))
    only_other = phrases.NON_COMMERCE.search(clause) and not phrases.COMMERCIAL.search(clause)
    if only_other or (forbids and phrases.COMMERCE.search(clause)):
        yield "no-commerce"
    if (forbids and phrases.CHANGES.search(bare)) or phrases.VERBATIM.search(clause):
        yield "no-changes"
    if forbids and phrases.MINING.search(clause):
        yield "no-mining"


def _essence(lead: str) -> str:
    """The words before a licence without those that change nothing: exceptions, harmless negations."""
    lead = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", lead.replace("’", "'").replace("(s)", "s"))
    lead = re.sub(r"\(c\)", "©", lead, flags=re.IGNORECASE)
    for pattern in (phrases.EXCEPTION, phrases.HARMLESS, phrases.NAMES, phrases.SAME_ARTICLE):
        lead = pattern.sub(" ", lead)
    return phrases.WITH_TEXT.sub(" article ", lead)


def _of_other_thing(lead: str) -> bool:
    return bool(phrases.OTHER_THING.search(lead) or phrases.OTHER_VERSION.search(lead))


def _before(lead: str) -> Verdict | None:
    """Whether the words before the licence are no plain grant."""
    tokens = _TOKEN.findall(lead)
    folded = [token.casefold() for token in tokens]
    negation = next(filter(_negates, folded), "")
    hedge = next((word for word in folded if word in words.HEDGES), "")
    strange = _strange(tokens, words.POINTING if phrases.POINTER.match(lead) else words.PLAIN)
    if negation and (_SUBJECT.match(lead) or strange in ("", negation)):
        return Verdict("denied", f"“{negation}” stands before it")
    if hedge:
        return Verdict("hedged", f"“{hedge}” stands before it")
    if phrases.UNSETTLED.search(lead):
        return Verdict("hedged", "it may speak of other articles, or of another time")
    if strange:
        return Verdict("unclear", f"“{strange}” stands before it: it may speak of something else")
    return None


def _strange(tokens: list[str], known: frozenset[str]) -> str:
    """The first word that is neither one of a plain grant nor part of a name, "" where there is none."""
    previous, naming = "", False
    for token in tokens:
        word = token.casefold()
        if word in words.CUES and ((needed := words.CUES[word]) is None or previous in needed):
            naming = True
        elif naming and (token[0].isupper() or word in words.NAME_PARTS):
            pass
        elif word == "now":
            continue
        elif word in known:
            naming = False
        elif not token.isdigit():
            return word
        previous = word
    return ""


def _behind(tail: str) -> Verdict | None:
    """Whether the words behind the licence take it back, or make it hang on something."""
    tail = tail.replace("’", "'")
    rest = tail[phrases.AFTER_NAME.match(tail).end() :]  # type: ignore[union-attr]
    following = [token.casefold() for token in _TOKEN.findall(rest[:80])]
    first = following[0] if following else ""
    plain_on = phrases.APPLIES.match(rest) or _ends(tail[: len(tail) - len(rest)], rest)
    if first in words.TAIL_HEDGES and not plain_on:
        return Verdict("hedged", f"“{first}” stands behind it")
    if first and not plain_on:
        denied = any(map(_negates, following[:4]))
        return Verdict("denied" if denied else "unclear", f"“{first}” stands behind it")
    if paid := next((word for word in following if word in words.TAIL_PAID), ""):
        return Verdict("hedged", f"“{paid}” stands behind it")
    if later := phrases.TAIL_LATER.search(tail):
        return Verdict("hedged", f"“{later[0].strip()}” stands behind it")
    return Verdict("denied", "it is withdrawn") if phrases.WITHDRAWN.search(tail) else None


def _ends(name: str, rest: str) -> bool:
    """Whether the licence ends a thought, so that `rest` is another one or goes on with it in a plain way."""
    between = re.search(r"[\W_]*$", name)
    signs = between[0] if between else ""
    if "…" in signs or ("(" not in signs and re.search(r"[.;)]", signs)):
        return not rest or rest.split()[0].casefold() not in words.TAIL_HEDGES
    known = phrases.TAIL_APART if "(" not in signs and re.search("[,:]", signs) else phrases.TAIL
    return bool(known.match(rest))
