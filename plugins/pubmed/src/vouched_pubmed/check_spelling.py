"""pubmed_check_spelling: NCBI's spelling suggestion for a query."""

from typing import Annotated

from vouched.api import Context, InvalidArgument, Meta, Struct, tool

__all__ = ["check_spelling"]


class Spelling(Struct):
    """Attributes: query as given; corrected: the suggestion, "" where there is none; has_suggestion."""

    query: str
    corrected: str
    has_suggestion: bool


@tool(aliases=("pubmed_spell_check", "spell_check"), serves="spelling")
async def check_spelling(
    ctx: Context, query: Annotated[str, Meta(min_length=2, description="words, without field tags")]
) -> Spelling:
    """Ask NCBI for a corrected spelling of search words (ESpell). Use it when a search finds oddly little; it knows
    words, not meanings, and lower-cases them. Nothing is searched: pass the correction to pubmed_search_articles
    yourself. Returns `corrected`, empty where NCBI has nothing to suggest.
    """
    from vouched_pubmed.client import espell
    from vouched_pubmed.query_text import plain_query

    query = plain_query(ctx, query)
    if not any(map(str.isalnum, query)):
        raise InvalidArgument("The query has no word in it.", path="query", expected="words", example="asthmaa")
    found = await espell(ctx, query)
    suggestion = found.corrected if found.corrected.casefold() != query.strip().casefold() else ""
    ctx.note("query", query)
    return Spelling(query, suggestion, bool(suggestion))
