"""The tool fetch_article."""

from typing import Annotated, Literal

from vouched.api import (
    AbstractPart,
    Answer,
    Author,
    Block,
    Book,
    Context,
    Cursor,
    Ids,
    Meta,
    Notice,
    OutlineEntry,
    Reference,
    ReuseCard,
    Span,
    Struct,
    TextList,
    tool,
)

from vouched_europepmc.rows import Flag

__all__ = ["Fetched", "FetchedRow", "Part", "Record", "fetch_article"]


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


class Record(Struct, omit_defaults=True):
    """What Europe PMC says of a record, once each.

    Attributes:
        issued: date of the issue as recorded; published: first publication; electronic, revised: ISO dates.
        abstract_state: present, none (the source has none) or not_fetched.
        mesh: as PubMed writes it, an asterisk for a major topic; grants: agency, acronym, number.
        links: comments and other links that `signals` of the row do not tell.
        affiliations: each once, with its people.
    """

    title: str
    ids: dict[str, str]
    kind: str = "article"
    authors: list[Author] = []
    journal: dict[str, str] = {}
    book: Book | None = None
    year: int | None = None
    issued: str = ""
    published: str = ""
    electronic: str = ""
    revised: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    preprint_server: str = ""
    preprint_version: str = ""
    types: list[str] = []
    languages: list[str] = []
    citation_count: int | None = None
    abstract: list[AbstractPart] = []
    abstract_state: str = "not_fetched"
    mesh: list[str] = []
    chemicals: list[str] = []
    keywords: list[str] = []
    grants: list[str] = []
    links: list[Notice] = []
    title_markup: str = ""
    affiliations: dict[str, list[str]] = {}
    publication_status: str = ""
    publication_model: str = ""
    subsets: list[str] = []


class FetchedRow(Struct, omit_defaults=True):
    """One submitted id.

    Attributes:
        state: ok, restricted, outline, no_such_section, not_found, invalid, failed, not_checked, …
        status: retracted, retracted_and_republished, concern, corrected, withdrawn_heuristic, none_found, not_checked;
            signals: with their notices; checked: who was asked and when.
        published_as, preprints: the other versions, the choice is the caller's.
        reason: for every state but ok; reason_code: not_in_pmc, not_open, no_text_served, format_not_served, no_body, …
        reuse: what may be done with the text, its tier and licence, and the fact that decided; record: all the rest.
        text: parts of the full text in reading order; text_source: where it is from, with its sha256.
        outline: sections, tables, figures and references with their characters, where the text is too large or no
            section matched.
        continued: the rest of a row that began on the page before.
    """

    input: str
    state: str
    status: str
    signals: list[Flag] = []
    is_notice: bool = False
    id: str = ""
    published_as: list[str] = []
    preprints: list[str] = []
    checked: list[str] = []
    reason: str = ""
    reason_code: str = ""
    available: list[str] = []
    reuse: ReuseCard | None = None
    record: Record | None = None
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
