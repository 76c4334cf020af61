"""What PubMed made of a query, in the form that answers carry: translation, and what it dropped."""

from vouched.api import Context

from vouched_pubmed.client import Found
from vouched_pubmed.fields import nearest_tag
from vouched_pubmed.search_articles import Ignored, Translation

__all__ = ["ignored", "say_ignored", "translations"]

MOST_TRANSLATIONS = 30


def ignored(found: Found) -> Ignored:
    """What `found` says was dropped."""
    fields = []
    for tag in found.fields_not_found:
        near = nearest_tag(tag)
        fields.append(f"[{tag}] (did you mean [{near}]?)" if near else f"[{tag}]")
    return Ignored(fields, found.phrases_not_found, found.phrases_ignored, found.quoted_not_found)


def translations(found: Found) -> list[Translation]:
    """The mappings, at most 30."""
    return [Translation(given, became) for given, became in found.translations[:MOST_TRANSLATIONS]]


def say_ignored(ctx: Context, dropped: Ignored, total: int, place: str = "") -> None:
    """Warn, so that it stands beside the count in both faces."""
    counted = f"{place}the {total:,} hits are those of the rest of the query"
    if dropped.fields:
        ctx.warn(f"PubMed does not know the field tag {', '.join(dropped.fields)} and ignored it: {counted}.")
    if dropped.phrases:
        ctx.warn(f"PubMed found nothing for {', '.join(dropped.phrases)} and left it out: {counted}.")
    if dropped.stopped:
        ctx.warn(f"{place}PubMed never searches {', '.join(dropped.stopped)}.")
    if dropped.unquoted:
        ctx.warn(f"{place}PubMed has no such phrase as {', '.join(dropped.unquoted)} and searched its words.")
