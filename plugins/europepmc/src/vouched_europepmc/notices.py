"""Links between records (`commentCorrectionList`) in NLM's words, and what they say of a record's standing."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from vouched.api import Notice, PublicationType, RecordStatus, assess

__all__ = ["PREPRINT_SERVERS", "counterparts", "read_notices", "scheme_of", "standing"]

# Europe PMC's sources -> the scheme under which a record's id is kept.
SCHEMES = {"MED": "pmid", "PMC": "pmcid", "PPR": "ppr", "NBK": "nbk"}
PREPRINT_SERVERS = ("bioRxiv", "medRxiv", "Research Square", "arXiv", "SSRN", "ChemRxiv", "PsyArXiv", "Preprints.org")

# Europe PMC's words, lower case, spaces dropped -> NLM RefType. Its own pair for preprints is an update in NLM's words.
REF_TYPES = {
    name.lower(): name
    for name in (
        "RetractionIn", "RetractionOf", "PartialRetractionIn", "PartialRetractionOf",
        "ErratumIn", "ErratumFor", "ExpressionOfConcernIn", "ExpressionOfConcernFor",
        "CorrectedandRepublishedIn", "CorrectedandRepublishedFrom", "RetractedandRepublishedIn",
        "RetractedandRepublishedFrom", "RepublishedIn", "RepublishedFrom", "UpdateIn", "UpdateOf",
        "CommentIn", "CommentOn", "AssociatedDataset", "AssociatedPublication", "SummaryForPatientsIn",
        "OriginalReportIn", "ReprintIn", "ReprintOf", "Cites",
    )
}  # fmt: skip
REF_TYPES |= {"preprintof": "UpdateIn", "preprintin": "UpdateOf", "haspreprint": "UpdateOf", "preprintfor": "UpdateIn"}

# Article types of PMC -> the publication type of NLM that says the same.
TYPE_NAMES = {
    "correction": "Published Erratum",
    "retraction": "Retraction of Publication",
    "retraction notice": "Retraction of Publication",
    "retraction-notice": "Retraction of Publication",
    "expression-of-concern": "Expression of Concern",
}
_DOI = re.compile(r"\b(10\.\d{4,9}/[^\s\"<>]+)", re.IGNORECASE)


def scheme_of(source: str) -> str:
    """The scheme of ids of one of Europe PMC's sources: `MED` is pmid; AGR, PAT, ETH … stand for themselves."""
    return SCHEMES.get(source.upper(), source.lower())


def read_notices(listed: Sequence[Mapping[str, Any]]) -> list[Notice]:
    """The links of one record in the service's order; a kind without a name in NLM's list stays as it is."""
    ordered = sorted(listed, key=lambda one: int(one.get("orderIn") or 0))
    return [_notice(one) for one in ordered]


def _notice(one: Mapping[str, Any]) -> Notice:
    written = str(one.get("type") or "").strip()
    key = re.sub(r"[\s_-]", "", written).lower()
    type_ = REF_TYPES.get(key, written)
    reference = " ".join(str(one.get("reference") or "").split())
    ids: dict[str, str] = {}
    # Without an id the source says nothing: a bare DOI is filed under MED as well.
    if one.get("id"):
        ids[scheme_of(str(one.get("source") or ""))] = str(one["id"])
    if found := _DOI.search(reference):
        ids.setdefault("doi", found[1].rstrip(".,;)]" if "(" not in found[1] else ".,;]"))
    note = written if key in ("preprintof", "preprintin", "haspreprint", "preprintfor") else str(one.get("note") or "")
    return Notice(type_, reference, ids, note)


def standing(
    types: Sequence[PublicationType] | None, notices: Sequence[Notice], title: str, checked_at: str, is_preprint: bool
) -> RecordStatus:
    """The status of a record as the host judges it, from type names (Europe PMC gives no UIs) and links."""
    named = None if types is None else [(TYPE_NAMES.get(type_.name.lower(), type_.name), type_.ui) for type_ in types]
    return assess(named, notices, title, source="europepmc", checked_at=checked_at, is_preprint=is_preprint)


def counterparts(notices: Sequence[Notice], is_preprint: bool) -> tuple[list[Notice], list[Notice]]:
    """(published versions, preprints) of a record, from links that have a preprint on one side.

    A side is a preprint by its own type or source, or because its citation names a preprint server; a DOI prefix proves
    nothing, so that other updates stay updates.
    """
    published = [n for n in notices if is_preprint and n.type == "UpdateIn"]
    preprints = [n for n in notices if not is_preprint and n.type == "UpdateOf" and _names_preprint(n)]
    return published, preprints


def _names_preprint(notice: Notice) -> bool:
    names = "|".join(re.escape(server) for server in PREPRINT_SERVERS)
    return "ppr" in notice.ids or "preprint" in notice.note.lower() or bool(re.match(rf"(?:{names})\b", notice.source))
