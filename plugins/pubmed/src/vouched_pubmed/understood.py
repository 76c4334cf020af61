"""What PubMed made of a query, in the form that answers carry: translation, and what it dropped."""

import re

from vouched.api import Context, Fault

from vouched_pubmed.client import Found, einfo
from vouched_pubmed.fields import nearest_tag
from vouched_pubmed.search_articles import Ignored, Translation

__all__ = ["ignored", "note_build", "note_version", "say_ignored", "translations"]

MOST_TRANSLATIONS = 30


def ignored(found: Found) -> Ignored:
    """What `found` says was dropped."""
    fields = []
    for tag in found.fields_not_found:
        near = nearest_tag(tag)
        fields.append(f"[{tag}] (did you mean [{near}]?)" if near not in ("", tag.lower()) else f"[{tag}]")
    return Ignored(fields, found.phrases_not_found, found.phrases_ignored, found.quoted_not_found)


def translations(found: Found) -> list[Translation]:
    """The mappings, at most 30."""
    return [Translation(given, became) for given, became in found.translations[:MOST_TRANSLATIONS]]


def say_ignored(ctx: Context, dropped: Ignored, found: Found, place: str = "") -> None:
    """Warn, so that it stands beside the count in both faces.

    PubMed names what it has no item for. Whether the rest was searched without it is known only where hits are counted
    and the term stands in the translation no more.
    """
    translated = found.translation.casefold()

    def counted(terms: list[str]) -> str:
        bare = [re.sub(r"(?<=.)\[[^\]]*\]$", "", term).strip('"').casefold() for term in terms]
        gone = found.total and translated and not any(term in translated for term in bare)
        return f": the {found.total:,} hits are those of the rest of the query" if gone else ""

    if dropped.fields:
        known = counted([f"[{tag}]" for tag in found.fields_not_found])
        ctx.warn(f"{place}PubMed reports that it does not know the field tag {', '.join(dropped.fields)}{known}.")
    if dropped.phrases:
        ctx.warn(f"{place}PubMed reports no item for {', '.join(dropped.phrases)}{counted(dropped.phrases)}.")
    if dropped.stopped:
        ctx.warn(f"{place}PubMed never searches {', '.join(dropped.stopped)}.")
    if dropped.unquoted:
        ctx.warn(f"{place}PubMed reports no such phrase as {', '.join(dropped.unquoted)}.")


def note_version(ctx: Context, found: Found) -> None:
    """Put into the run record which version of the utility answered: a page of hits tells no more."""
    if found.version:
        ctx.note("source_versions", {"eutils": f"ESearch {found.version}"})


async def note_build(ctx: Context) -> None:
    """Put the build of PubMed into the record of a search that is to be reported; costs a request."""
    try:
        ctx.note("source_versions", {"eutils": f"PubMed {await einfo(ctx)}"})
    except Fault as fault:
        ctx.warn(f"PubMed's build could not be asked, so the record of this search does not name it: {fault.message}")
