"""citeformat_format_citations: records to references, each with what speaks about its standing.

A tool's module holds what is published: its name, arguments, description and answer. The work is loaded with the first
call, so that a server starts without it.
"""

from typing import Annotated, Literal

from vouched.api import Answer, Context, Cursor, Ids, Meta, Struct, TextList, tool

__all__ = ["Citations", "File", "NoticeRow", "Row", "Unavailable", "format_citations"]

DEFAULT = ["apa"]


class NoticeRow(Struct, omit_defaults=True):
    """A notice about the article: NLM's RefType, the citation as NLM writes it, PMID and note where given."""

    ref_type: str
    ref_source: str = ""
    pmid: str = ""
    note: str = ""


class Row(Struct, omit_defaults=True):
    """One submitted element: `citations` by format ({} when they stand in the file only), `status` as in every tool."""

    input: str
    id: str
    title: str
    status: str
    notices: list[NoticeRow]
    warnings: list[str]
    citations: dict[str, str] = {}
    position: int = 0


class Unavailable(Struct, omit_defaults=True):
    """An element for which no record was returned, which says nothing about whether it exists."""

    input: str
    state: str
    reason: str = ""
    id: str = ""
    position: int = 0


class File(Struct):
    """A whole bibliography that was kept: read it by its `uri`, or with vouched_read_session by its id."""

    format: str
    artifact_id: str
    uri: str
    name: str
    media_type: str
    entries: int
    size: int


class Citations(Struct, omit_defaults=True):
    """Attributes: citations in input order; counts of this whole call; who has no record; files; source and date;
    notice: how the files are read, or why there is no record at all;
    csv_columns: what stands in the rows of `csv` citations, which are without the header that a file has.
    """

    citations: list[Row]
    total_submitted: int
    total_formatted: int
    unavailable: list[Unavailable]
    notice: str = ""
    files: list[File] = []
    source: str = ""
    csv_columns: str = ""


@tool(
    aliases=("pubmed_format_citations", "format_citation", "cite"),
    synonyms={"style": "format", "styles": "format", "formats": "format", "file": "as_file", "output": "markup"},
    serves="cite",
    title="Format citations",
)
async def format_citations(
    ctx: Context,
    ids: Annotated[Ids, Meta(min_length=1, max_length=200)],
    format: Annotated[
        TextList,
        Meta(
            min_length=1,
            max_length=12,
            description="one or several of apa, mla, vancouver, nlm, ama, bibtex, biblatex, ris, nbib, csl-json, "
            "endnote-xml, csv, or an installed CSL style's name",
        ),
    ] = DEFAULT,
    markup: Literal["text", "markdown", "html"] = "text",
    include_abstracts: Annotated[bool, Meta(description="in ris, nbib, csl-json, endnote-xml")] = False,
    as_file: Annotated[bool, Meta(description="the whole bibliography as one file for each format")] = False,
    cursor: Cursor = None,
) -> Answer[Citations]:
    """Format references for known articles, exactly as a style asks, from their bibliographic records. Use it for a
    bibliography or an export to a reference manager; to check that references exist use pubmed_check_references.
    Returns for each id title, citations by format, notices (retraction, concern, erratum) and warnings; ids without a
    record apart.
    """
    from vouched_citeformat.format_citations_work import answer

    return await answer(ctx, ids, format, markup, include_abstracts, as_file)
