"""Sentences in which terms occur together, from the strongest kind of evidence to the weakest. No model, no verdict.

relation: an annotated relation whose words hold all terms. entity: a sentence in which a term is an annotated entity
whose tag agrees. sentence: a sentence of the licensed full text. abstract: a sentence of title or abstract. substring:
the words around an annotation that could not be placed.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from vouched_europepmc import sentences
from vouched_europepmc.anchors import Anchor, Passage, TextIndex
from vouched_europepmc.annotations import Annotation
from vouched_europepmc.cues import cues, labels
from vouched_europepmc.evidence_rows import Cue, MatchedTerm
from vouched_europepmc.matching import TermHit, Terms
from vouched_europepmc.snippets import Snippet, anchor, rebuild

__all__ = ["TIERS", "Candidate", "candidates"]

TIERS = ("relation", "entity", "sentence", "abstract", "substring")
RANK: Mapping[str, int] = {tier: rank for rank, tier in enumerate(TIERS)}
Span = tuple[int, int]


class Candidate(msgspec.Struct):
    """One piece of candidate evidence.

    Attributes:
        tier: see the module; text: the words; passage, start, end: where (None for what could not be placed).
        spans: how many sentences it covers; withheld: its words may not go out.
        annotation: what made it a relation, an entity or a substring.
    """

    tier: str
    text: str
    terms: list[MatchedTerm]
    passage: Passage | None = None
    start: int = 0
    end: int = 0
    spans: int = 1
    annotation: Annotation | None = None
    withheld: bool = False
    order: int = 0

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()

    def judged(self) -> tuple[list[str], list[Cue]]:
        """(labels, cues) over all its sentences; offsets in `text`."""
        places: dict[str, list[Span]] = {}
        for term in self.terms:
            places.setdefault(term.role, []).append((term.start, term.end))
        found: list[Cue] = []
        for low, high in sentences.split(self.text):
            inside = {role: [(s - low, e - low) for s, e in of if low <= s < high] for role, of in places.items()}
            found += [_shifted(cue, low) for cue in cues(self.text[low:high], inside)]
        return labels(found), found


def _shifted(cue: Cue, by: int) -> Cue:
    return Cue(
        cue.kind, cue.text, cue.start + by, cue.end + by, cue.scope_start + by, cue.scope_end + by, list(cue.covers)
    )


def candidates(
    passages: Sequence[Passage], annotations: Sequence[Annotation], roles: Sequence[Terms], body_is_open: bool
) -> list[Candidate]:
    """All candidates of one article, strongest first, then in reading order; one for each stretch of text.

    Args:
        passages: title, abstract and, where the licence lets it be read, the full text.
        annotations: of the article, filtered by the caller.
        roles: what must occur together.
        body_is_open: words of annotations from the body may go out.
    """
    found: dict[tuple[str, int, int], Candidate] = {}
    loose: dict[tuple[str, str], Candidate] = {}
    for number, passage in enumerate(passages):
        for one in _in_passage(passage, roles):
            one.order = number
            _keep(found, one)
    numbers = {passage.block: number for number, passage in enumerate(passages)}
    index: TextIndex | None = None
    for annotation in annotations:
        snippet = rebuild(annotation.prefix, annotation.exact, annotation.postfix, annotation.provider)
        if not any(role.found_in(snippet.text) or annotation.is_relation for role in roles):
            continue
        index = index or TextIndex(passages)
        place, _ = anchor(snippet, index, annotation.section)
        if place is None:
            if loosely := _unplaced(snippet, annotation, roles, body_is_open):
                loose.setdefault((loosely.tier, loosely.text or str(annotation.position)), loosely)
            continue
        for one in _placed(place, annotation, roles):
            one.order = numbers[place.passage.block]
            _keep(found, one)
    _drop_covered(found)
    placed = sorted(found.values(), key=lambda c: (RANK[c.tier], c.order, c.start))
    return sorted([*placed, *loose.values()], key=lambda c: RANK[c.tier])


def _keep(found: dict[tuple[str, int, int], Candidate], one: Candidate) -> None:
    key = (one.passage.block if one.passage else "", one.start, one.end)
    held = found.get(key)
    if held is None or RANK[one.tier] < RANK[held.tier]:
        found[key] = one


def _drop_covered(found: dict[tuple[str, int, int], Candidate]) -> None:
    """A relation of one sentence stands for that sentence."""
    relations = [key for key, one in found.items() if one.tier == "relation" and one.spans == 1]
    for block, start, end in relations:
        for key in [k for k in found if k[0] == block and k != (block, start, end)]:
            if key[1] <= start and end <= key[2] and found[key].tier != "relation":
                del found[key]


def _in_passage(passage: Passage, roles: Sequence[Terms]) -> Iterator[Candidate]:
    hits = [role.hits(passage.text) for role in roles]
    if not all(hits):
        return
    tier = "sentence" if passage.where == "full_text" else "abstract"
    for low, high in sentences.split(passage.text):
        inside = _terms(roles, hits, low, high)
        if inside:
            yield Candidate(tier, passage.text[low:high], inside, passage, low, high)


def _terms(roles: Sequence[Terms], hits: Sequence[Sequence[TermHit]], low: int, high: int) -> list[MatchedTerm]:
    """Occurrences between two offsets, as offsets from the first; empty unless every role has one."""
    matched: list[MatchedTerm] = []
    for role, of in zip(roles, hits, strict=True):
        own = [
            MatchedTerm(role.role, h.term, h.start - low, h.end - low) for h in of if low <= h.start and h.end <= high
        ]
        if not own:
            return []
        matched += own
    return matched


def _placed(place: Anchor, annotation: Annotation, roles: Sequence[Terms]) -> Iterator[Candidate]:
    passage = place.passage
    hits = [role.hits(passage.text) for role in roles]
    bounds = [(low, high) for low, high in sentences.split(passage.text) if low < place.end and place.start < high] or [
        (place.start, place.end)
    ]
    if annotation.is_relation:
        low, high = bounds[0][0], bounds[-1][1]
        if terms := _terms(roles, hits, low, high):
            yield Candidate("relation", passage.text[low:high], terms, passage, low, high, len(bounds), annotation)
        return
    low, high = bounds[0]
    terms = _terms(roles, hits, low, high)
    touched = {
        role.role
        for role, of in zip(roles, hits, strict=True)
        if any(h.start < place.end and place.start < h.end for h in of)
    }
    if terms and any(role.role in touched and _agrees(annotation, role) for role in roles):
        yield Candidate("entity", passage.text[low:high], terms, passage, low, high, 1, annotation)


def _agrees(annotation: Annotation, role: Terms) -> bool:
    return any(role.found_in(name) for name, _ in annotation.tags)


def _unplaced(snippet: Snippet, annotation: Annotation, roles: Sequence[Terms], body_is_open: bool) -> Candidate | None:
    text = snippet.text
    terms = _terms(roles, [role.hits(text) for role in roles], 0, len(text))
    if not terms:
        return None
    entity = any(_agrees(annotation, role) for role in roles)
    tier = "relation" if annotation.is_relation else "entity" if entity else "substring"
    spans = len(sentences.split(text)) if annotation.is_relation else 1
    withheld = not (body_is_open or annotation.in_abstract)
    return Candidate(tier, "" if withheld else text, terms, spans=spans, annotation=annotation, withheld=withheld)
