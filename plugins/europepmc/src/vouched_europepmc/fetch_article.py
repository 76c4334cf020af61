"""The tool fetch_article."""

from typing import Annotated, Literal

from vouched.api import (
    Answer,
    Article,
    Block,
    Context,
    Cursor,
    Ids,
    Meta,
    OutlineEntry,
    Reference,
    ReuseCard,
    Span,
    Struct,
    TextList,
    tool,
)

__all__ = ["Fetched", "FetchedRow", "Part", "fetch_article"]


class Part(Struct, omit_defaults=True):
    """One section, table, figure or stretch of the reference list.

    Attributes:
        id: stable id for quoting; path: titles from the top, "Methods > Step 1".
        blocks: of a section, each with its id and kind; header, rows, notes, spans: of a table, cells as text.
    """

    id: str
    path: str
    kind: Literal["section", "table", "figure", "references"] = "section"
    label: str = ""
    caption: str = ""
    blocks: list[Block] = []
    header: list[list[str]] = []
    rows: list[list[str]] = []
    notes: list[str] = []
    spans: list[Span] = []
    references: list[Reference] = []


class FetchedRow(Struct, omit_defaults=True):
    """One submitted id.

    Attributes:
        state: ok, restricted, outline, no_such_section, not_found, invalid, failed, not_checked, …
        reason: for every state but ok; reason_code: not_in_pmc, not_open, no_text_served, format_not_served, no_body, …
        record: the whole record; reuse: what may be done with the text, and the fact that decided.
        text: parts of the full text in reading order; text_source: where it is from, with its sha256.
        outline: section paths with their characters, where the text is too large or no section matched.
        continued: the rest of a row that began on the page before.
    """

    input: str
    state: str
    id: str = ""
    reason: str = ""
    reason_code: str = ""
    record: Article | None = None
    reuse: ReuseCard | None = None
    available: list[str] = []
    text: list[Part] = []
    text_source: dict[str, str] = {}
    outline: list[OutlineEntry] = []
    continued: bool = False


class Fetched(Struct):
    """One row for each submitted id, in order."""

    rows: list[FetchedRow]


@tool(serves="licensed full text", aliases=("fetch_article",), synonyms={"full_text": "include_full_text"})
async def fetch_article(
    ctx: Context,
    ids: Annotated[Ids, Meta(min_length=1, max_length=10)],
    include_full_text: bool = False,
    sections: Annotated[TextList | None, Meta(description="Parts of titles, or tables, figures, references")] = None,
    max_chars: Annotated[int, Meta(ge=500, le=200_000, description="Text characters per page")] | None = None,
    cursor: Cursor = None,
) -> Answer[Fetched]:
    """Fetch Europe PMC records with a reuse card, and their full text where the licence lets it be read.

    Takes PMID, PMCID, DOI or PPR ids. For many records without text use europepmc_search_literature; for sentences
    about a claim use europepmc_build_evidence_table. Returns one row per id. Text that may not be read is `restricted`
    with the fact that decided; text that is too large is an `outline`: ask for `sections`, or set `max_chars` and
    follow the cursor.
    """
    from vouched_europepmc.fetch_article_work import answer

    return await answer(ctx, ids, include_full_text, sections or (), max_chars)
