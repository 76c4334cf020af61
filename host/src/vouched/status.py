"""What corrections, retractions and updates say about a record: one vocabulary for every tool.

Signals come from publication-type UIs (NLM: D016441 "Retracted Publication", D016440 "Retraction of Publication"),
from the exact type name where a service gives no UI, and from the types of linked notices (NLM `RefType`). Only
`withdrawn_heuristic` reads the title, and says so by its name.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

__all__ = ["NOTICE_TYPES", "Notice", "RecordStatus", "Signal", "assess", "standing_line"]

StatusName = Literal[
    "retracted", "retracted_and_republished", "concern", "corrected", "withdrawn_heuristic", "none_found", "not_checked"
]


class Notice(msgspec.Struct, omit_defaults=True, frozen=True):
    """A link between this record and another one about it.

    Attributes:
        type: NLM's RefType: RetractionIn, RetractionOf, ErratumIn, ErratumFor, ExpressionOfConcernIn,
            ExpressionOfConcernFor, CorrectedandRepublishedIn, CorrectedandRepublishedFrom, RetractedandRepublishedIn,
            RetractedandRepublishedFrom, RepublishedIn, RepublishedFrom, UpdateIn, UpdateOf, CommentIn, CommentOn, …
        source: the citation as the source writes it.
        ids: of the other record, where given.
        note: free text of the source.
    """

    type: str
    source: str = ""
    ids: dict[str, str] = {}
    note: str = ""


class Signal(msgspec.Struct, omit_defaults=True, frozen=True):
    """One thing that speaks about the standing of a record.

    Attributes:
        kind: retracted, retracted_and_republished, concern, corrected, partial_retraction, withdrawn_heuristic,
            updated, republished, preprint_of, published_as, retraction_notice, concern_notice, erratum_notice.
        evidence: what says so ("publication type D016441", "RetractionIn", "title").
        source: the notice's citation; ids: its identifiers.
    """

    kind: str
    evidence: str
    source: str = ""
    ids: dict[str, str] = {}


class RecordStatus(msgspec.Struct, omit_defaults=True, frozen=True):
    """The standing of a record.

    Attributes:
        status: the most serious signal; `none_found` means that the named source was asked and had none.
        signals: all of them, most serious first.
        is_notice: the record is itself a notice (of retraction, erratum, concern); a notice can be retracted too.
        checked: the sources that were asked, each with the time (UTC).
    """

    status: StatusName = "not_checked"
    signals: list[Signal] = []
    is_notice: bool = False
    checked: list[str] = []


SERIOUSNESS: Sequence[StatusName] = (
    "retracted",
    "retracted_and_republished",
    "concern",
    "corrected",
    "withdrawn_heuristic",
)
_ORDER: dict[str, int] = {kind: rank for rank, kind in enumerate(SERIOUSNESS)}

# NLM RefType -> what it says of the record that carries it.
NOTICE_TYPES: dict[str, str] = {
    "RetractionIn": "retracted",
    "RetractedandRepublishedIn": "retracted_and_republished",
    "ExpressionOfConcernIn": "concern",
    "ErratumIn": "corrected",
    "CorrectedandRepublishedIn": "corrected",
    "UpdateIn": "updated",
    "UpdateOf": "update_of",
    "RepublishedIn": "republished",
    "RepublishedFrom": "republished_from",
    "CorrectedandRepublishedFrom": "republished_from",
    "RetractedandRepublishedFrom": "republished_from",
    "RetractionOf": "retraction_notice",
    "PartialRetractionOf": "retraction_notice",
    "PartialRetractionIn": "partial_retraction",
    "ExpressionOfConcernFor": "concern_notice",
    "ErratumFor": "erratum_notice",
}
# A type is known by its MeSH UI or, where there is none, by its exact name.
_RETRACTED_TYPE = frozenset(("D016441", "retracted publication"))
_NOTICE_TYPES = frozenset(
    (
        *("D016440", "retraction of publication"),
        *("D016425", "published erratum"),
        *("D000075742", "expression of concern"),
    )
)
_PREPRINT_TYPE = frozenset(("D000076942", "preprint"))
_PARTIAL = re.compile(r"\bpartial(?:ly)?\b.{0,20}\bretract", re.IGNORECASE)
# A label before the title ("WITHDRAWN: …", "[Retracted] …", "Retracted Article: …"), not its first word ("Withdrawal of
# steroids in …").
_WITHDRAWN = re.compile(
    r"^\W*(?:withdrawn|withdrawal|retracted)(?:\s+(?:article|paper|chapter|preprint|manuscript|publication))?"
    r"\s*(?:[:\])\u2013\u2014]|\.\s|-\s|\s-)",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"^\W*(?:WITHDRAWN|RETRACTED)(?:\s+ARTICLE)?\s+(?=.*[a-z])")
_NOTICE_SIGNALS = {"retraction_notice", "concern_notice", "erratum_notice"}
# What a reader must know before using a paper; a correction alone stands in its row.
_GRAVE = frozenset(SERIOUSNESS) - {"corrected"}
# So many records are named in one line.
_NAMED = 10


def standing_line(standings: Mapping[str, str]) -> str:
    """One sentence that names the retracted, withdrawn or concerning records of an answer, "" where there are none.

    Args:
        standings: id of each record shown -> its status.
    """
    grave = [f"{id_} ({status})" for id_, status in standings.items() if status in _GRAVE]
    more = f" and {len(grave) - _NAMED} more" if len(grave) > _NAMED else ""
    return f"Retracted, withdrawn or of concern: {', '.join(grave[:_NAMED])}{more}." if grave else ""


def _from_notices(notices: Iterable[Notice], is_preprint: bool) -> Iterable[Signal]:
    for notice in notices:
        kind = NOTICE_TYPES.get(notice.type)
        if kind is None:
            continue
        if kind == "updated" and is_preprint:
            # A preprint's own type makes the pair; the other side's DOI prefix never does.
            kind = "published_as"
        if kind == "partial_retraction":
            # The least that a partial retraction is; without it the record would pass for one with nothing found.
            yield Signal("corrected", notice.type, notice.source, notice.ids)
        if kind == "corrected" and _PARTIAL.search(f"{notice.source} {notice.note}"):
            yield Signal(
                "partial_retraction", f"{notice.type} that speaks of a partial retraction", notice.source, notice.ids
            )
        yield Signal(kind, notice.type, notice.source, notice.ids)


def assess(
    types: Sequence[tuple[str, str]] | None,
    notices: Sequence[Notice],
    title: str,
    *,
    source: str,
    checked_at: str = "",
    is_preprint: bool = False,
) -> RecordStatus:
    """Judge a record.

    Args:
        types: (name, MeSH UI or "") of its publication types; None where the source gave no types at all, which makes
            a record without notices `not_checked`.
        notices: its links, in the source's order.
        title: plain title; read only for the heuristic.
        source, checked_at: who was asked and when (UTC, ISO 8601).
        is_preprint: the record is a preprint by type D000076942, source PPR or a named server.
    """
    known = {ui or name.strip().lower() for name, ui in types or ()}
    signals = list(_from_notices(notices, is_preprint or not known.isdisjoint(_PREPRINT_TYPE))) if notices else []
    kinds = {signal.kind for signal in signals}
    if "retracted" not in kinds and not known.isdisjoint(_RETRACTED_TYPE):
        signals.append(Signal("retracted", "publication type Retracted Publication"))
        kinds.add("retracted")
    is_notice = not (known.isdisjoint(_NOTICE_TYPES) and kinds.isdisjoint(_NOTICE_SIGNALS))
    if not is_notice and "retracted" not in kinds and (_WITHDRAWN.match(title) or _LABELLED.match(title)):
        signals.append(Signal("withdrawn_heuristic", "title begins with WITHDRAWN or RETRACTED"))
        kinds.add("withdrawn_heuristic")
    checked = [f"{source} {checked_at}".strip()] if source else []
    if signals:
        signals.sort(key=lambda signal: _ORDER.get(signal.kind, len(_ORDER)))
        gravest = next((kind for kind in SERIOUSNESS if kind in kinds), None)
        if gravest:
            return RecordStatus(gravest, signals, is_notice, checked)
    if types is None:
        return RecordStatus("not_checked", signals, is_notice, [])
    return RecordStatus("none_found", signals, is_notice, checked)
