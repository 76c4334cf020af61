"""The rows of an evidence table: candidates, papers searched, ids without candidates."""

from vouched.api import Struct

from vouched_europepmc.cues import Cue
from vouched_europepmc.evidence import Candidate, MatchedTerm
from vouched_europepmc.rows import Flag

__all__ = ["EvidenceRow", "NoCandidate", "Paper", "evidence_row"]


class EvidenceRow(Struct, omit_defaults=True):
    """One piece of candidate evidence.

    Attributes:
        match_type: relation, entity, sentence, abstract, substring (strongest first); see the tool.
        sentence: the words as printed, `block text[start:end]`; sha256: of them as UTF-8; sentences: how many they are.
        anchored: False for words around an annotation that could not be placed; withheld: words the licence keeps back.
        matched: terms with offsets in `sentence`; labels: negated, hedged, double_negation, cue_out_of_scope,
            no_cue_found (never support), withheld; cues: with their scope in `sentence` and the roles inside it.
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


class NoCandidate(Struct, omit_defaults=True):
    """An id without a row.

    `reason` is no_match, not_annotated, not_open, not_found, upstream_error, invalid, not_checked or duplicate.
    """

    input: str
    reason: str
    id: str = ""
    detail: str = ""


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


def evidence_row(one: Candidate, paper: Paper) -> EvidenceRow:
    """A candidate with what the licence says of its paper, and with the standing of it."""
    labels, found = (["withheld"], []) if one.withheld else one.judged()
    row = EvidenceRow(
        id=paper.id,
        match_type=one.tier,
        path=one.passage.path if one.passage else one.annotation.section if one.annotation else "",
        sentence=one.text,
        labels=labels,
        access_tier=paper.access_tier,
        licence=paper.licence,
        quote=paper.quote,
        status=paper.status,
        matched=[] if one.withheld else one.terms,
        cues=found,
        sentences=one.spans,
        anchored=one.passage is not None,
        withheld=one.withheld,
    )
    if one.passage:
        row.block, row.start, row.end = one.passage.block, one.start, one.end
    if one.annotation:
        row.entity_type, row.provider = one.annotation.type, one.annotation.provider
        row.annotation_id = one.annotation.id
        row.tags = [f"{name} <{uri}>" if uri else name for name, uri in one.annotation.tags]
    if not one.withheld:
        row.sha256 = one.sha256
    return row
