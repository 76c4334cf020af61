"""pubmed_convert_ids: PMID, PMCID, DOI and Bookshelf number of a record, from any of them."""

from typing import Annotated, Literal

from vouched.api import Answer, Context, Cursor, Ids, Meta, Struct, tool

__all__ = ["ConversionResult", "ConversionRow", "convert_ids"]


class ConversionRow(Struct, omit_defaults=True):
    """One submitted element.

    Attributes:
        input: the caller's spelling; state: found; not_in_pmc (a record of PubMed that PMC does not have, so no PMCID);
            not_found; conflict (the services contradict each other); ambiguous; unsupported; invalid; failed.
        status: standing of the PubMed record (retracted, concern, … none_found), where it was read for this; where it
            could not be, the answer is partial, and a warning names the rows.
        confirmed: the PubMed record itself says the same of every id given here.
        conflicts: what contradicts what; such ids are never confirmed.
    """

    input: str
    state: str
    status: str = ""
    pmid: str = ""
    pmcid: str = ""
    doi: str = ""
    nbk: str = ""
    confirmed: bool = False
    reason: str = ""
    conflicts: list[str] = []
    retryable: bool = False


class ConversionResult(Struct, omit_defaults=True):
    """total: elements submitted; returned: rows here, from `offset` on."""

    total: int
    returned: int
    rows: list[ConversionRow]
    offset: int = 0
    remaining: int = 0


@tool(
    aliases=("convert_ids", "convert_article_ids", "pubmed_article_id_converter"),
    synonyms={"idtype": "id_type"},
    serves="PMID, PMCID, DOI",
)
async def convert_ids(
    ctx: Context,
    ids: Annotated[Ids, Meta(min_length=1, max_length=200)],
    id_type: Annotated[Literal["pmid", "pmcid", "doi"], Meta(description="what bare numbers are")] = "pmid",
    cursor: Cursor = None,
) -> Answer[ConversionResult]:
    """Convert between PMID, PMCID, DOI and NBK, any mix. Use it to find an article's other identifiers; to read the
    record itself use pubmed_fetch_articles. Returns one row for each element, in order: not_in_pmc means that the
    record exists but PMC has no copy; conflicting identifiers are named.
    """
    from vouched_pubmed.convert_ids_work import answer

    return await answer(ctx, ids, id_type)
