"""MeSH records as NCBI's db=mesh summarises them.

No recording of db=mesh was at hand: the names of the fields (`ds_meshui`, `ds_recordtype`, `ds_meshterms`,
`ds_idxlinks` with `treenum`, `ds_scopenote`, …) follow the documented document summary. An absent field stays empty.
"""

import re
from collections.abc import Mapping
from typing import Any

from vouched.api import clean, flatten_html, fold

from vouched_pubmed.lookup_mesh import Heading, Kind, MatchedBy

__all__ = ["matched_by", "read_heading"]

MOST_TERMS = 40
_KINDS: Mapping[str, Kind] = {"D": "descriptor", "C": "supplementary_record", "Q": "qualifier"}
# First digits of a uid of db=mesh, where the summary itself does not say.
_UIDS: Mapping[str, str] = {"68": "D", "67": "C", "81": "Q"}
_TAGS: Mapping[Kind, str] = {"descriptor": "mh", "supplementary_record": "nm", "qualifier": "sh"}


def _texts(document: Mapping[str, Any], *names: str) -> list[str]:
    for name in names:
        value = document.get(name)
        if isinstance(value, list):
            return [flatten_html(str(item)) for item in value if isinstance(item, str | int) and str(item).strip()]
        if isinstance(value, str) and value.strip():
            return [flatten_html(value)]
    return []


def _ui(document: Mapping[str, Any], uid: str) -> str:
    given = clean(str(document.get("ds_meshui") or "")).strip().upper()
    if re.fullmatch(r"[A-Z][0-9]{4,}", given):
        return given
    # Older records: 68001249 is D001249. Other uids do not tell their UI.
    letter = _UIDS.get(uid[:2], "") if len(uid) == 8 else ""
    return letter + uid[2:] if letter else ""


def _trees(document: Mapping[str, Any]) -> list[str]:
    """Tree numbers; `@…` points into a hidden branch and is none."""
    links = document.get("ds_idxlinks")
    numbers = [
        clean(str(link.get("treenum") or "")).strip()
        for link in (links if isinstance(links, list) else [])
        if isinstance(link, dict)
    ]
    return list(dict.fromkeys(number for number in numbers if number and not number.startswith("@")))


def read_heading(uid: str, document: Mapping[str, Any]) -> Heading | None:
    """Read one document summary; None where it has no name (an unknown uid)."""
    terms = _texts(document, "ds_meshterms")
    if not terms:
        return None
    ui = _ui(document, uid)
    said = str(document.get("ds_recordtype") or "").lower()
    kind: Kind = _KINDS.get(ui[:1]) or (
        "supplementary_record" if said.startswith("suppl") else "qualifier" if said.startswith("qual") else "other"
    )
    return Heading(
        ui,
        kind,
        terms[0],
        f'"{terms[0]}"[{_TAGS[kind]}]' if kind in _TAGS else f'"{terms[0]}"',
        tree_numbers=_trees(document),
        scope_note=" ".join(_texts(document, "ds_scopenote")),
        entry_terms=terms[1 : MOST_TERMS + 1],
        entry_term_count=len(terms) - 1,
        qualifiers=_texts(document, "ds_subheading"),
        mapped_to=_texts(document, "ds_headingmappedto", "ds_headingmappedtolist"),
        pharmacological_actions=_texts(document, "ds_pharmacologicalaction", "ds_pharmacologicalactionlist"),
        see_also=_texts(document, "ds_seealso", "ds_seerelated"),
        previous_indexing=_texts(document, "ds_previousindexing", "ds_previousindexinglist"),
        introduced=" ".join(_texts(document, "ds_yearintroduced")),
        uid=uid,
    )


def matched_by(heading: Heading, query: str, document: Mapping[str, Any]) -> MatchedBy:
    """How `heading` answers `query`: case, accents and punctuation do not count."""
    wanted = fold(query)
    if wanted in (fold(heading.name), fold(heading.ui)):
        return "heading"
    return "entry_term" if wanted in {fold(term) for term in _texts(document, "ds_meshterms")} else "words"
