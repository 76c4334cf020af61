"""pubmed_fetch_articles: records by id, every id accounted for."""

from typing import Annotated, Any, Literal

from vouched.api import Answer, Context, Cursor, Ids, Meta, Struct, tool

from vouched_pubmed.records import RecordView

__all__ = ["FetchResult", "FetchRow", "fetch_articles"]

View = Literal["brief", "standard", "full"]


class FetchRow(Struct, omit_defaults=True):
    """One submitted element.

    Attributes:
        input: the caller's spelling; state: found, merged (the record of merged_into is given), not_found, deleted,
            unavailable_now, ambiguous, identity_mismatch, unsupported, invalid or failed.
        status: standing of the record (retracted, concern, corrected … none_found).
        same_as: 1-based position of an earlier element that means the same record, which is given there.
        record: views brief and standard; article: view full, the neutral record with every field PubMed gave.
        omitted: what is not shown, with its count (`authors (63 of 163)`); artifact: where the whole record is kept.
    """

    input: str
    state: str
    status: str = ""
    reason: str = ""
    retryable: bool = False
    same_as: int = 0
    merged_into: str = ""
    record: RecordView | None = None
    article: dict[str, Any] = {}
    omitted: list[str] = []
    artifact: str = ""


class FetchResult(Struct, omit_defaults=True):
    """A page of rows.

    Attributes:
        total: elements submitted; returned: rows here, from `offset` on; remaining: rows left for the cursor.
        counts: states of the elements from `offset` on; status_checked: who was asked for the standing, and when.
    """

    total: int
    returned: int
    rows: list[FetchRow]
    offset: int = 0
    remaining: int = 0
    counts: dict[str, int] = {}
    status_checked: str = ""


@tool(
    aliases=("fetch_articles", "fetch_article_details", "get_article_details"),
    synonyms={"detail": "view"},
    serves="full records",
)
async def fetch_articles(
    ctx: Context,
    ids: Annotated[Ids, Meta(min_length=1, max_length=200)],
    view: View = "standard",
    references: Annotated[bool, Meta(description="reference list too, in view full")] = False,
    cursor: Cursor = None,
) -> Answer[FetchResult]:
    """Fetch PubMed records by id: articles, preprints, books, chapters, with their standing (retracted, corrected, of
    concern). Use it for ids that you have; pubmed_search_articles finds them. View brief identifies, standard adds
    abstract, MeSH, all authors and notices, full is every field. Returns one row for each id, in order.
    """
    from vouched_pubmed.fetch_articles_work import answer

    return await answer(ctx, ids, view, references)
