"""A whole bibliography as one file, and where its records come from."""

from collections.abc import Iterable, Sequence

from vouched.api import Article, Style

from vouched_citeformat.markup import line

__all__ = ["joined", "source_notice"]

_LABELS = {"eutils": "PubMed, U.S. National Library of Medicine", "europepmc": "Europe PMC"}


def source_notice(articles: Iterable[Article]) -> str:
    """`Records from PubMed, U.S. National Library of Medicine, retrieved 2026-11-30 …`: one sentence for all of them.

    NLM asks whoever passes its data on to say where and when they were taken and that they may no longer be current.
    """
    dates: dict[str, list[str]] = {}
    for article in articles:
        label = _LABELS.get(article.source, line(article.source)) or "an unnamed source"
        dates.setdefault(label, []).append(article.retrieved_at[:10])
    said = [f"{label}{_when(sorted(filter(None, found)))}" for label, found in dates.items()]
    return f"Records from {'; '.join(said)}. They may not be the most current ones that the source has." if said else ""


def _when(dates: Sequence[str]) -> str:
    if not dates:
        return ""
    return f", retrieved {dates[0]}" if dates[0] == dates[-1] else f", retrieved {dates[0]} to {dates[-1]}"


def joined(style: Style, citations: Sequence[str], notice: str) -> str:
    """One file: header, the notice as a comment where the format has comments, citations, footer."""
    comment = style.comment(notice) if style.comment and notice else ""
    # An XML declaration must be the very first thing in a file.
    opening = f"{style.header}{comment}" if style.header else comment
    body = style.separator.join(citations)
    tail = "" if body.endswith("\n") or style.footer.startswith("\n") else "\n"
    return f"{opening}{body}{tail}{style.footer}"
