"""pubmed_lookup_mesh: MeSH descriptors, supplementary records and qualifiers, the exact heading first."""

from typing import Annotated, Literal

from vouched.api import Answer, Context, Cursor, Meta, Struct, tool

__all__ = ["Heading", "MeshResult", "lookup_mesh"]

Kind = Literal["descriptor", "supplementary_record", "qualifier", "other"]
MatchedBy = Literal["heading", "entry_term", "words"]


class Heading(Struct, omit_defaults=True):
    """One MeSH record.

    Attributes:
        ui: MeSH unique id (D, C or Q with digits), "" where not known; kind; name: the preferred heading.
        search_term: the heading as a clause of a PubMed query.
        matched_by: how it answers the query: it is the heading, one of its entry terms, or words in it.
        tree_numbers; scope_note; entry_terms: at most 40, entry_term_count has all; qualifiers allowed with it.
        mapped_to: headings that a supplementary record is mapped to; see_also; introduced: year.
    """

    ui: str
    kind: Kind
    name: str
    search_term: str
    matched_by: MatchedBy = "words"
    tree_numbers: list[str] = []
    scope_note: str = ""
    entry_terms: list[str] = []
    entry_term_count: int = 0
    qualifiers: list[str] = []
    mapped_to: list[str] = []
    pharmacological_actions: list[str] = []
    see_also: list[str] = []
    previous_indexing: list[str] = []
    introduced: str = ""
    uid: str = ""


class MeshResult(Struct):
    """Attributes: total: records that the words are found in; returned; results: the exact heading first, then records
    with the query as an entry term, then the rest in NCBI's order."""

    total: int
    returned: int
    results: list[Heading]


@tool(aliases=("lookup_mesh", "pubmed_mesh_lookup"), serves="MeSH terms")
async def lookup_mesh(
    ctx: Context,
    query: Annotated[str, Meta(min_length=1, description="a term or a MeSH UI")],
    limit: Annotated[int, Meta(ge=1, le=50)] = 5,
    cursor: Cursor = None,
) -> Answer[MeshResult]:
    """Look up MeSH: descriptors, supplementary records and qualifiers with tree numbers, scope note, entry terms,
    allowed qualifiers and a ready search clause. Use it to find the heading behind a word before
    pubmed_search_articles or pubmed_test_strategy. Returns the record whose heading is the query first.
    """
    from vouched_pubmed.lookup_mesh_work import answer

    return await answer(ctx, query, limit)
