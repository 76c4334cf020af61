"""citeformat_parse_bibliography: a user's own RIS, BibTeX or NBIB file -> references that other tools can check."""

from typing import Annotated, Literal

from vouched.api import Answer, Context, Meta, ParsedReference, Struct, tool

__all__ = ["Parsed", "parse_bibliography"]


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
    serves="read .ris .bib .nbib",
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
    from vouched_citeformat.parse_bibliography_work import answer

    return await answer(ctx, text, artifact, format)
