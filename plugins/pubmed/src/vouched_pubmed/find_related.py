"""pubmed_find_related: similar, citing and cited articles, each input with its own links."""

from typing import Annotated, Literal

from vouched.api import Answer, Context, Cursor, Ids, Meta, Struct, tool

from vouched_pubmed.records import RecordView

__all__ = ["RelatedResult", "RelatedRow", "find_related"]

Relation = Literal["similar", "cited_by", "references"]


class RelatedRow(Struct, omit_defaults=True):
    """Links of one submitted element.

    Attributes:
        input: the caller's spelling; pmid, status: its record and how that stands.
        state: found; none (the service has no such links for it); not_found, invalid, failed … (no record, not asked).
        total: links known; articles: the first of them; listed: references of the record, PubMed's or not.
        source: who said so; same_as: 1-based position of an earlier element with the same record.
    """

    input: str
    state: str
    status: str = ""
    pmid: str = ""
    total: int = 0
    articles: list[RecordView] = []
    listed: int = 0
    source: str = ""
    reason: str = ""
    same_as: int = 0
    retryable: bool = False


class RelatedResult(Struct, omit_defaults=True):
    """total: elements submitted; returned: rows here; coverage: what these links can and cannot tell."""

    relation: str
    total: int
    returned: int
    rows: list[RelatedRow]
    coverage: str = ""
    offset: int = 0
    remaining: int = 0
    status_checked: str = ""


@tool(
    finds=True,
    aliases=("find_related", "find_related_articles", "pubmed_related_articles"),
    synonyms={"relationship": "relation", "link_type": "relation"},
    serves="similar, citing, cited",
)
async def find_related(
    ctx: Context,
    ids: Annotated[Ids, Meta(min_length=1, max_length=20)],
    relation: Relation = "similar",
    limit: Annotated[int, Meta(ge=1, le=50, description="links for each id")] = 10,
    cursor: Cursor = None,
) -> Answer[RelatedResult]:
    """Find articles similar to given ones, citing them or cited by them, in PubMed. Use it to go on from a known paper;
    for whole citation lists use europepmc tools, for counts icite_get_citation_metrics. Returns for each id its own
    links with their standing, the number known, the source and what it covers.
    """
    from vouched_pubmed.find_related_work import answer

    return await answer(ctx, ids, relation, limit)
