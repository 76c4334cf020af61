"""ESummary's short record of an article, as the rows of search results and matched citations carry it."""

import re
from collections.abc import Mapping
from typing import Any

from vouched.api import Context, Notice, RecordStatus, Signal, assess, canonical, clean, flatten_html

from vouched_pubmed.records import Summary

__all__ = ["author_names", "checked_now", "read_summary", "status_of"]

SHOWN_AUTHORS = 10
# Named as the source of a status, because a summary says less about corrections than the whole record.
CHECKED = "eutils (summary)"


def _text(document: Mapping[str, Any], name: str) -> str:
    value = document.get(name)
    return flatten_html(str(value)) if isinstance(value, str | int) else ""


def _listed(document: Mapping[str, Any], name: str) -> list[Any]:
    value = document.get(name)
    return value if isinstance(value, list) else []


def author_names(document: Mapping[str, Any]) -> list[tuple[str, bool]]:
    """The whole roster in order: (name as recorded, whether it is a group). Editors of a book are no authors."""
    found = []
    for author in _listed(document, "authors"):
        if not isinstance(author, dict):
            continue
        kind = str(author.get("authtype", "")).strip().lower()
        name = flatten_html(str(author.get("name") or ""))
        if name and not kind.endswith("editor"):
            found.append((name, kind.startswith("collective")))
    return found


def _date(document: Mapping[str, Any]) -> str:
    """Of the issue; of a chapter its own date, not that of the day the book began."""
    names = ("docdate", "pubdate") if _text(document, "doctype") == "chapter" else ("pubdate", "docdate")
    return next((date for name in (*names, "srcdate") if (date := _text(document, name))), "")


def _ids(document: Mapping[str, Any]) -> dict[str, str]:
    """DOI and PMCID; the PMCID comes as `pmc` "PMC1" and again as `pmcid` "pmc-id: PMC1;"."""
    found: dict[str, str] = {}
    for entry in _listed(document, "articleids"):
        if not isinstance(entry, dict):
            continue
        kind, value = str(entry.get("idtype", "")).lower(), clean(str(entry.get("value") or "")).strip()
        if kind == "doi":
            found.setdefault("doi", value)
        elif kind in ("pmc", "pmcid") and (number := re.search(r"PMC[0-9]+", value)):
            known = canonical("pmcid", number[0])
            found.setdefault("pmcid", known.value if known else "")
    return found


def _notices(document: Mapping[str, Any]) -> list[Notice]:
    """`references` of a summary holds links to comments and corrections: `Erratum in` is NLM's RefType ErratumIn."""
    found = []
    for entry in _listed(document, "references"):
        if isinstance(entry, dict) and entry.get("reftype"):
            words = str(entry["reftype"]).split()
            kind = "".join(word if word == "and" else word[:1].upper() + word[1:] for word in words)
            pmid = canonical("pmid", str(entry.get("pmid") or ""))
            ids = {"pmid": pmid.value} if pmid else {}
            found.append(Notice(kind, _text(entry, "refsource"), ids, _text(entry, "note")))
    return found


def checked_now(ctx: Context) -> str:
    """Who was asked for the standing of summaries, and when: to be called right after they came."""
    return f"{CHECKED} {ctx.exchanges[-1].retrieved_at if ctx.exchanges else ''}".strip()


def status_of(document: Mapping[str, Any], checked_at: str = "") -> RecordStatus:
    """Standing from the exact names of the publication types and from the links that a summary carries.

    ESummary writes an empty list for what it does not say: a row without a type was not checked.
    """
    types = [(str(name), "") for name in _listed(document, "pubtype") if str(name).strip()]
    return assess(types or None, _notices(document), _text(document, "title"), source=CHECKED, checked_at=checked_at)


def _kinds(signals: list[Signal]) -> list[str]:
    return list(dict.fromkeys(signal.kind for signal in signals))


def read_summary(pmid: str, document: Mapping[str, Any] | None, checked_at: str = "") -> Summary:
    """One row. `document` is None or has `error` where the service had no summary for the id."""
    if document is None or document.get("error"):
        reason = clean(str((document or {}).get("error") or "PubMed gave no summary for it"))
        return Summary(pmid, "not_checked", problem=reason[:200])
    status, names, ids = status_of(document, checked_at), author_names(document), _ids(document)
    return Summary(
        pmid,
        status.status,
        _text(document, "title") or _text(document, "vernaculartitle") or _text(document, "booktitle"),
        [name for name, _ in names[:SHOWN_AUTHORS]],
        len(names),
        _text(document, "source") or _text(document, "booktitle"),
        _date(document),
        _text(document, "epubdate"),
        _text(document, "volume"),
        _text(document, "issue"),
        _text(document, "pages"),
        ids.get("doi", ""),
        ids.get("pmcid", ""),
        [clean(str(name)) for name in _listed(document, "pubtype")],
        [clean(str(name)) for name in _listed(document, "lang")],
        _kinds(status.signals),
        status.is_notice,
    )
