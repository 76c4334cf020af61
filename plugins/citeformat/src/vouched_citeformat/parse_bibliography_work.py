"""Answers citeformat_parse_bibliography: reads the file and keeps the list of its references."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Literal

import msgspec
from vouched.api import Answer, Context, InvalidArgument, ParsedReference

from vouched_citeformat import read_bibtex, read_nbib, read_ris
from vouched_citeformat.parse_bibliography import Parsed
from vouched_citeformat.read_common import Format, detect

__all__ = ["answer"]

MOST = 10_000
SHOWN = 50
_READERS: dict[Format, Callable[[str], Iterator[ParsedReference]]] = {
    "ris": read_ris.read,
    "bibtex": read_bibtex.read,
    "nbib": read_nbib.read,
}


async def answer(ctx: Context, text: str, artifact: str, format: Format | Literal["auto"]) -> Answer[Parsed]:
    """What the file holds: counts, the whole list as an artifact, and its first entries."""
    content = await _content(ctx, text, artifact)
    chosen = detect(content) if format == "auto" else format
    found = await asyncio.to_thread(_read, chosen, content)
    if not any(entry.fields for entry in found):
        hint = (
            f"It looks like {chosen}, and no entry of it is whole: export the library again."
            if format == "auto"
            else "Leave `format` out to have it recognised."
        )
        raise InvalidArgument(f"No entry of {chosen} could be read.", path="text", hint=hint)
    kept = await ctx.keep(
        f"references-{chosen}.json",
        msgspec.json.encode(found),
        "application/json",
        kind="references",
        original=artifact,
    )
    unread = [entry.position for entry in found if not entry.fields and not entry.ids]
    if unread:
        stand = "it stands" if len(unread) == 1 else "they stand"
        ctx.warn(f"{len(unread)} of {len(found)} entries could not be read; {stand} in the list as text.")
    result = Parsed(
        format=chosen,
        total=len(found),
        with_pmid=sum("pmid" in entry.ids for entry in found),
        with_doi=sum("doi" in entry.ids for entry in found),
        without_id=sum(not entry.ids for entry in found),
        artifact_id=kept.artifact_id,
        uri=kept.uri,
        references=ctx.fit(found[:SHOWN]).rows,
        unread=unread[:SHOWN],
    )
    return Answer(result)


async def _content(ctx: Context, text: str, artifact: str) -> str:
    if bool(text.strip()) == bool(artifact):
        raise InvalidArgument(
            "Give exactly one of `text` and `artifact`.", path="text", expected="one of text, artifact"
        )
    if not artifact:
        return text
    # An id, `artifact:ID` or the address of the link that came with the file.
    _, data = await ctx.session.artifact(artifact.removeprefix("artifact:").rpartition("/")[2])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Old RIS exports are in the encoding of their Windows; every byte means something there.
        return data.decode("cp1252", errors="replace")


def _read(format: Format, content: str) -> list[ParsedReference]:
    found: list[ParsedReference] = []
    for entry in _READERS[format](content):
        if len(found) == MOST:
            raise InvalidArgument(f"The file has more than {MOST} entries.", path="text", hint="Send it in parts.")
        found.append(entry)
    return found
