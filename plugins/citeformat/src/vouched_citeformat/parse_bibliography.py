"""citeformat_parse_bibliography: a user's own RIS, BibTeX or NBIB file -> references that other tools can check."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Annotated, Literal

import msgspec
from vouched.api import Answer, Context, InvalidArgument, Meta, ParsedReference, Struct, tool

from vouched_citeformat import read_bibtex, read_nbib, read_ris
from vouched_citeformat.read_common import Format, detect

__all__ = ["parse_bibliography"]

MOST = 10_000
SHOWN = 50
_READERS: dict[Format, Callable[[str], Iterator[ParsedReference]]] = {
    "ris": read_ris.read,
    "bibtex": read_bibtex.read,
    "nbib": read_nbib.read,
}


class Parsed(Struct, omit_defaults=True):
    """What a file held.

    Attributes:
        format: as it was read; total: entries; with_pmid, with_doi, without_id: how many of them.
        artifact_id: the whole list, to pass on as `artifact:ID`; uri: the same as a resource.
        references: the first entries; unread: positions of entries that could not be read.
    """

    format: str
    total: int
    with_pmid: int
    with_doi: int
    without_id: int
    artifact_id: str
    uri: str
    references: list[ParsedReference]
    unread: list[int] = []


@tool(
    synonyms={"bibliography": "text", "file": "artifact", "artifact_id": "artifact"},
    title="Read a bibliography",
    open_world=False,
)
async def parse_bibliography(
    ctx: Context,
    text: Annotated[str, Meta(max_length=5_000_000, description="the file's content")] = "",
    artifact: Annotated[str, Meta(max_length=200, description="id of a kept file, instead of text")] = "",
    format: Literal["auto", "ris", "bibtex", "nbib"] = "auto",
) -> Answer[Parsed]:
    """Read somebody's bibliography in RIS, BibTeX or NBIB into a list of references with their ids and fields. Use it
    before pubmed_check_references, which takes the list as `artifact:ID`; to write a bibliography use
    citeformat_format_citations. Returns counts, the list's artifact and its first entries; nothing is looked up.
    Exactly one of text and artifact.
    """
    content = await _content(ctx, text, artifact)
    chosen = detect(content) if format == "auto" else format
    found = await asyncio.to_thread(_read, chosen, content)
    if not any(entry.fields for entry in found):
        raise InvalidArgument(
            f"No entry of {chosen} could be read.", path="text", hint="Leave `format` out to have it recognised."
        )
    kept = await ctx.keep(
        f"references-{chosen}.json",
        msgspec.json.encode(found),
        "application/json",
        kind="references",
        original=artifact,
    )
    unread = [entry.position for entry in found if not entry.fields and not entry.ids]
    if unread:
        ctx.warn(f"{len(unread)} of {len(found)} entries could not be read; they stand in the list as text.")
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
