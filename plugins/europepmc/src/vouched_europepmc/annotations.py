"""The annotations service: eight articles a question, all batches at once, absence by difference."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from vouched.api import Context, Fault, UpstreamInvalid, UpstreamRejected, clean

from vouched_europepmc.envelope import known_shape, read_json
from vouched_europepmc.service import some_at_once

__all__ = ["AT_ONCE", "RELATIONS", "Annotation", "Key", "fetch", "read_annotations"]

# The service takes between one and eight ids.
AT_ONCE = 8
RELATIONS = ("Gene Disease Relationship", "Gene Drug Relationship", "Disease Drug Relationship")
# ("MED", "123"), ("PMC", "PMC5"), ("PPR", "PPR7").
Key = tuple[str, str]
_SECTION = re.compile(r"\s*\((https?://[^()]*)\)\s*$")


class Annotation(msgspec.Struct, frozen=True):
    """One annotation as the service has it; only `exact`, `type` and `provider` are always there.

    Attributes:
        prefix, postfix: raw, each provider cuts them in its own way; section: name without its URI.
        tags: (name, URI); wrong ones are common, so the words of the text decide, not the tag.
        position: its place in the article's list, for a stable order; frequency: mentions, where it says so.
    """

    exact: str
    type: str
    provider: str
    prefix: str = ""
    postfix: str = ""
    section: str = ""
    tags: Sequence[tuple[str, str]] = ()
    id: str = ""
    sub_type: str = ""
    frequency: int | None = None
    position: int = 0

    @property
    def is_relation(self) -> bool:
        """Whether it says that two entities stand in a relation (without saying which)."""
        return self.type in RELATIONS or (not self.prefix and not self.postfix and len(self.tags) > 1)

    @property
    def in_abstract(self) -> bool:
        """Whether its words stand in what is always open: title or abstract."""
        return self.section.lower() in ("abstract", "title")


def read_annotations(body: bytes) -> dict[Key, list[Annotation]]:
    """One batch: annotations by article. Articles without any are not named by the service."""
    listed = read_json(body)
    if not isinstance(listed, list):
        raise UpstreamInvalid("The annotations service did not send a list.", source="annotations")
    with known_shape("An annotation", "annotations"):
        return _by_article(listed)


def _by_article(listed: Sequence[Mapping[str, Any]]) -> dict[Key, list[Annotation]]:
    found: dict[Key, list[Annotation]] = {}
    for article in listed:
        source, external = str(article.get("source") or ""), str(article.get("extId") or "")
        rows = [_annotation(row, position) for position, row in enumerate(article.get("annotations") or [])]
        held = found.setdefault((source, external), [])
        held += rows
        # An article asked by its PMCID comes back under its PMID; one that only PMC has may lack the prefix.
        if pmcid := str(article.get("pmcid") or (external if source == "PMC" else "")):
            found.setdefault(("PMC", "PMC" + pmcid.removeprefix("PMC")), held)
    return found


def _annotation(row: Mapping[str, Any], position: int) -> Annotation:
    frequency = row.get("frequency")
    return Annotation(
        exact=clean(str(row.get("exact") or "")),
        type=str(row.get("type") or ""),
        provider=str(row.get("provider") or ""),
        prefix=clean(str(row.get("prefix") or "")),
        postfix=clean(str(row.get("postfix") or "")),
        section=_SECTION.sub("", str(row.get("section") or "")),
        tags=[(clean(str(tag.get("name") or "")), str(tag.get("uri") or "")) for tag in row.get("tags") or []],
        id=str(row.get("id") or ""),
        sub_type=str(row.get("subType") or ""),
        frequency=frequency if isinstance(frequency, int) else None,
        position=position,
    )


async def fetch(ctx: Context, keys: Sequence[Key]) -> dict[Key, list[Annotation] | Fault]:
    """The annotations of each article: a list (empty where the service has none), or the fault that kept it unasked.

    Nothing is filtered upstream: a filter there makes articles look as if they had no annotations at all.
    """
    wanted = list(dict.fromkeys(keys))
    groups = [wanted[start : start + AT_ONCE] for start in range(0, len(wanted), AT_ONCE)]
    found: dict[Key, list[Annotation] | Fault] = {}
    for answer in await some_at_once(partial(_batch, ctx), groups):
        found.update(answer)
    return found


async def _batch(ctx: Context, keys: Sequence[Key]) -> dict[Key, list[Annotation] | Fault]:
    named = ",".join(f"{source}:{value.removeprefix('PMC') if source == 'PMC' else value}" for source, value in keys)
    try:
        answer = await ctx.http("annotations").get(
            "annotationsByArticleIds", params={"articleIds": named, "format": "JSON"}, read=read_annotations
        )
    except UpstreamRejected as fault:
        if len(keys) == 1:
            return {keys[0]: fault}
        # One id that the service refuses must not cost the others.
        found: dict[Key, list[Annotation] | Fault] = {}
        for single in await asyncio.gather(*(_batch(ctx, [key]) for key in keys)):
            found.update(single)
        return found
    except Fault as fault:
        return dict.fromkeys(keys, fault)
    return {key: answer.get(key, []) for key in keys}
