"""The rows of an evidence table: candidates, papers searched, ids without candidates."""

from typing import Literal

from vouched.api import Struct

from vouched_europepmc.rows import Flag

__all__ = ["Cue", "EvidenceRow", "Kind", "MatchedTerm", "NoCandidate", "Paper"]

Kind = Literal["negation", "hedge", "double_negation", "none"]


class Cue(Struct):
    """One cue: its words, where they stand, how far they reach (offsets in the sentence), and the roles inside."""

    kind: Kind
    text: str
    start: int
    end: int
    scope_start: int
    scope_end: int
    covers: list[str] = []


class MatchedTerm(Struct):
    """One occurrence of a term: its role, the alternative that matched, offsets in the sentence."""

    role: str
    term: str
    start: int
    end: int


class EvidenceRow(Struct, omit_defaults=True):
    """One piece of candidate evidence.

    Attributes:
        match_type: relation, entity, sentence, abstract, substring (strongest first); see the tool.
        sentence: the words as printed, `block text[start:end]`; sha256: of them as UTF-8; sentences: how many they are.
        anchored: False for words around an annotation that could not be placed; withheld: words the licence keeps back.
        matched: terms with offsets in `sentence`; labels: negated, hedged, double_negation, cue_out_of_scope,
            no_cue_found (never support), withheld, notice; cues: with their scope in `sentence` and the roles inside.
        is_notice: the paper is a notice of retraction, erratum or concern, which repeats the claim of another paper
            (`notice_of`) and finds nothing; such rows come last.
        quote: whether the licence answers quoting with yes; status: of the paper (retracted, concern, …).
    """

    id: str
    match_type: str
    path: str
    sentence: str
    labels: list[str]
    access_tier: str
    licence: str
    quote: str
    status: str
    matched: list[MatchedTerm] = []
    cues: list[Cue] = []
    block: str = ""
    start: int | None = None
    end: int | None = None
    sha256: str = ""
    sentences: int = 1
    anchored: bool = True
    withheld: bool = False
    entity_type: str = ""
    tags: list[str] = []
    provider: str = ""
    annotation_id: str = ""
    is_notice: bool = False
    notice_of: list[str] = []


class NoCandidate(Struct, omit_defaults=True):
    """An id without a row.

    `reason` is no_match (`searched` in vain), not_annotated (there was only a title to search), not_open, not_found,
    upstream_error, invalid, not_checked or duplicate. `searched`: title, abstract, full_text, annotations.
    """

    input: str
    reason: str
    id: str = ""
    detail: str = ""
    searched: list[str] = []


class Paper(Struct, omit_defaults=True):
    """A paper that was searched: what was searched in it, what the licence allows and why, and its standing."""

    input: str
    id: str
    title: str
    searched: list[str]
    access_tier: str
    licence: str
    quote: str
    because: str
    status: str
    candidates: int
    year: int | None = None
    signals: list[Flag] = []
    is_notice: bool = False
    notice_of: list[str] = []
