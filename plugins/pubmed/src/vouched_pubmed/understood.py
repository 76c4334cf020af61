"""What PubMed made of a query, in the form that answers carry: translation, and what it dropped."""

from vouched.api import Context, Struct

from vouched_pubmed.client import Found
from vouched_pubmed.fields import nearest_tag

__all__ = ["Ignored", "Translation", "ignored", "say_ignored", "translations"]

MOST_TRANSLATIONS = 30


class Ignored(Struct, omit_defaults=True):
    """Parts of a query that PubMed dropped: it answers the rest, so the count is not the count of the query.

    Attributes:
        fields: tags it does not know, with the tag that may be meant; phrases: words or phrases it does not know.
        stopped: words that it never searches; unquoted: quoted phrases that it does not have, searched word by word.
    """

    fields: list[str] = []
    phrases: list[str] = []
    stopped: list[str] = []
    unquoted: list[str] = []

    def any(self) -> bool:
        """Whether anything was dropped or loosened."""
        return bool(self.fields or self.phrases or self.stopped or self.unquoted)


class Translation(Struct):
    """A word of the query and what automatic term mapping made of it."""

    given: str
    became: str


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
