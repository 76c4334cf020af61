"""The tool get_annotations."""

from typing import Annotated

from vouched.api import (
    Answer,
    Context,
    Cursor,
    Ids,
    Meta,
    Struct,
    TextList,
    tool,
)

__all__ = ["AnnotatedArticle", "AnnotatedArticles", "Mention", "get_annotations"]


class Mention(Struct, omit_defaults=True):
    """One annotation.

    Attributes:
        anchor: anchored (words at exact offsets of a block), unanchored (with the reason), withheld (the licence gate).
        text: the words, `text[entity_start:entity_end]` the entity; from the place itself where anchored.
        path, block, start, end: where the entity stands in that block; sha256: of `text` as UTF-8.
        tags: as the provider has them, "name <URI>"; wrong ones are common.
    """

    type: str
    provider: str
    anchor: str
    section: str = ""
    text: str = ""
    entity_start: int | None = None
    entity_end: int | None = None
    tags: list[str] = []
    path: str = ""
    block: str = ""
    start: int | None = None
    end: int | None = None
    sha256: str = ""
    reason: str = ""
    frequency: int | None = None
    annotation_id: str = ""


class AnnotatedArticle(Struct, omit_defaults=True):
    """One submitted id.

    Attributes:
        state: ok, not_annotated (the service was asked and has none), no_match (none passes the filters), not_found,
            invalid, failed, not_checked.
        has: for no_match, the types, sections and providers that it does have.
        total: annotations that pass the filters; by_type, by_section, by_provider count them.
        quote, because: what the licence answers to quoting from the full text, and the fact that decided.
        status: of the paper: retracted, concern, corrected, none_found, … not_checked; is_notice: it is a notice about
            another paper.
    """

    input: str
    state: str
    status: str
    id: str = ""
    reason: str = ""
    has: dict[str, list[str]] = {}
    total: int = 0
    by_type: dict[str, int] = {}
    by_section: dict[str, int] = {}
    by_provider: dict[str, int] = {}
    quote: str = ""
    because: str = ""
    annotations: list[Mention] = []
    is_notice: bool = False


class AnnotatedArticles(Struct):
    """One row for each submitted id, in order, over all pages; a row that goes on from the page before has no counts.

    Attributes:
        total: annotations over all ids; states: how many of the ids submitted have each state.
    """

    articles: list[AnnotatedArticle]
    total: int
    states: dict[str, int]


@tool(serves="entities", aliases=("get_annotations",), synonyms={"annotation_types": "types"})
async def get_annotations(
    ctx: Context,
    ids: Annotated[Ids, Meta(min_length=1, max_length=200)],
    types: Annotated[TextList | None, Meta(description="Diseases, Chemicals, Gene_Proteins, Organisms, …")] = None,
    sections: Annotated[TextList | None, Meta(description="Abstract, Methods, Results, …")] = None,
    providers: TextList | None = None,
    limit: Annotated[int, Meta(ge=1, le=500)] | None = None,
    cursor: Cursor = None,
) -> Answer[AnnotatedArticles]:
    """List the entities and relations that text mining found in papers: genes, diseases, chemicals, accession numbers.

    Returns snippets, each placed at exact offsets of the abstract or licensed full text, or said to have no place. Many
    annotations come as counts per article: narrow by `types` or `sections`, or set `limit` to page. For sentences about
    a claim use europepmc_build_evidence_table. Tags are machine-made: judge by the words.
    """
    from vouched_europepmc.get_annotations_work import answer

    return await answer(ctx, ids, types, sections, providers, limit)
