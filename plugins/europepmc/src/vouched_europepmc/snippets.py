"""Snippets of annotations, rebuilt from the three pieces that each provider cuts in its own way.

Europe PMC's own annotator trims the spaces around the entity and, for an entity of several words, repeats all but its
first word at the start of `postfix` ("pancreatic cancer" + "cancer was 8-plex"); it cuts pieces at 30 characters.
OntoGene and PheneBank keep the spaces. Relations have no context.
"""

import re
from collections.abc import Sequence

import msgspec
from vouched.api import flatten_html

from vouched_europepmc.anchors import Anchor, TextIndex

__all__ = ["Snippet", "anchor", "rebuild"]

TRIMMING = "Europe PMC"
_OPENS = re.compile(r"[(\[{/\-\u2010-\u2013\u201c\u2018]$")
_CLOSES = re.compile(r"^(?:[)\]}.,;:!?%/\u201d\u2019]|[-\u2010-\u2013]\w)")


class Snippet(msgspec.Struct, frozen=True):
    """A rebuilt snippet: `before + exact + after` reads as in the source, and `text[start:end]` is the entity."""

    before: str
    exact: str
    after: str

    @property
    def text(self) -> str:
        return self.before + self.exact + self.after

    @property
    def start(self) -> int:
        return len(self.before)

    @property
    def end(self) -> int:
        return len(self.before) + len(self.exact)


def rebuild(prefix: str, exact: str, postfix: str, provider: str) -> Snippet:
    """The snippet as its provider meant it, spaces restored and the repeated tail dropped."""
    middle = flatten_html(exact)
    before, after = " ".join(flatten_html(prefix).split()), " ".join(flatten_html(postfix).split())
    if provider != TRIMMING:
        return Snippet(_kept_end(prefix, before), middle, _kept_start(postfix, after))
    after = _without_tail(middle, after)
    left = before + " " if before and not _OPENS.search(before) else before
    right = " " + after if after and not _CLOSES.search(after) else after
    return Snippet(left, middle, right)


def _kept_end(raw: str, text: str) -> str:
    return text + " " if text and raw[-1:].isspace() else text


def _kept_start(raw: str, text: str) -> str:
    return " " + text if text and raw[:1].isspace() else text


def _without_tail(exact: str, after: str) -> str:
    """Drop the words of the entity that `postfix` repeats; all of it where it was cut inside them."""
    _, _, rest = exact.partition(" ")
    if not rest:
        return after
    if after.startswith(rest):
        return after[len(rest) :].strip()
    return "" if rest.startswith(after) else after


def anchor(snippet: Snippet, index: TextIndex, section: str = "") -> tuple[Anchor | None, str]:
    """(the one place where it stands, or None; why it has none).

    `section` is the annotation's own: words of a body that stand in the abstract too are not placed there. Where the
    same words stand several times, the section may leave one; else there is none.
    """
    places = index.find(snippet.before, snippet.exact, snippet.after)
    found = [one for one in places if _on_the_side_of(one, section)]
    if len(found) > 1 and section:
        found = _in_section(found, section) or found
    if len(found) == 1:
        return found[0], ""
    return None, "ambiguous" if found else "no_such_words"


def _on_the_side_of(one: Anchor, section: str) -> bool:
    if not section:
        return True
    return (one.passage.where != "full_text") == (section.casefold() in ("abstract", "title"))


def _in_section(found: Sequence[Anchor], section: str) -> list[Anchor]:
    wanted = section.casefold()[:6]
    return [one for one in found if wanted in one.passage.path.casefold()]
