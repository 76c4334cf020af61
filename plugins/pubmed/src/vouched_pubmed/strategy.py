"""pubmed_test_strategy: a numbered search strategy, counted line by line, with the papers it must find."""

from typing import Annotated

from vouched.api import Answer, Context, Ids, Meta, Struct, tool

from vouched_pubmed.search_articles import Ignored

__all__ = ["KnownPaper", "LineResult", "StrategyResult", "test_strategy"]


class LineResult(Struct, omit_defaults=True):
    """One line.

    Attributes:
        number; query: as written; total: hits, null where it was not asked (see `problem`).
        translation: as PubMed understood it; ignored: what it dropped; hints: what it may have read otherwise.
        combines: the lines it refers to; known_found: of the known papers.
    """

    number: int
    query: str
    total: int | None
    ignored: Ignored | None = None
    hints: list[str] = []
    translation: str = ""
    combines: list[int] = []
    known_found: int | None = None
    problem: str = ""


class KnownPaper(Struct, omit_defaults=True):
    """One paper the strategy must find, in the order submitted.

    Attributes:
        input; pmid; state: found or missed by the last line, not_in_pubmed, not_checked, invalid.
        missed_by: lines that do not find it; found_by: lines that do.
    """

    input: str
    state: str
    pmid: str = ""
    found_by: list[int] = []
    missed_by: list[int] = []
    problem: str = ""


class StrategyResult(Struct, omit_defaults=True):
    """Attributes: total: hits of the last line, null where it was not asked; lines; known."""

    total: int | None
    lines: list[LineResult]
    known: list[KnownPaper] = []


@tool(
    aliases=("test_strategy",),
    synonyms={"lines": "strategy", "query": "strategy", "ids": "known", "pmids": "known", "known_pmids": "known"},
    serves="test strategy",
)
async def test_strategy(
    ctx: Context,
    strategy: Annotated[str, Meta(min_length=1, description="one search a line; lines combine as #1 AND #2 or or/1-3")],
    known: Annotated[Ids, Meta(max_length=100, description="papers to find")] | None = None,  # noqa: PT028 (no test)
) -> Answer[StrategyResult]:
    """Test a numbered PubMed search strategy line by line. Use it to build and document a systematic search;
    pubmed_search_articles then runs the final query. Returns hits, translation and ignored words of each line, and
    which `known` papers the last line finds and which lines miss the others.
    """
    from vouched_pubmed.strategy_work import answer

    return await answer(ctx, strategy, known or ())
