"""Annotations as answers show them: each snippet placed in its text, or said to have no place, or withheld."""

import hashlib

from vouched.api import TextAnswer

from vouched_europepmc.anchors import TextIndex
from vouched_europepmc.annotations import Annotation
from vouched_europepmc.get_annotations import Mention
from vouched_europepmc.snippets import anchor, rebuild

__all__ = ["mention"]


def mention(one: Annotation, index: TextIndex, text: TextAnswer | None) -> Mention:
    """Place an annotation among the passages of `index`; `text` is what the gate said of the full text."""
    shown = Mention(
        one.type,
        one.provider,
        "unanchored",
        section=one.section,
        tags=[f"{name} <{uri}>" if uri else name for name, uri in one.tags],
        frequency=one.frequency,
        annotation_id=one.id,
    )
    snippet = rebuild(one.prefix, one.exact, one.postfix, one.provider)
    place, why = anchor(snippet, index, one.section)
    open_words = one.in_abstract or (text is not None and text.decision.uses.read == "yes")
    if place is None and not open_words:
        shown.anchor = "withheld"
        shown.reason = text.decision.decided_by if text else "no record at hand tells its licence"
        return shown
    if place is None:
        shown.text, shown.entity_start, shown.entity_end = snippet.text, snippet.start, snippet.end
        shown.reason = why
    else:
        low, high = _around(place.passage.text, place.start - snippet.start, place.end + len(snippet.after))
        shown.anchor, shown.text = "anchored", place.passage.text[low:high]
        shown.entity_start, shown.entity_end = place.start - low, place.end - low
        shown.path, shown.block = place.passage.path, place.passage.block
        shown.start, shown.end = place.start, place.end
    shown.sha256 = hashlib.sha256(shown.text.encode()).hexdigest()
    return shown


def _around(text: str, low: int, high: int) -> tuple[int, int]:
    """Whole words from `low` to `high`."""
    low, high = max(0, low), min(len(text), high)
    while low > 0 and not text[low - 1].isspace():
        low -= 1
    while high < len(text) and not text[high].isspace():
        high += 1
    return low, high
