"""The tool get_database_links."""

from typing import Annotated

from vouched.api import Answer, Context, Ids, Meta, Struct, TextList, tool

from vouched_europepmc.rows import Flag

__all__ = ["DatabaseLink", "DatabaseLinks", "LinkedPaper", "get_database_links"]


class DatabaseLink(Struct, omit_defaults=True):
    """One link. `obtained_by` tm_accession is text mining, which may be wrong; submission, ext_links were supplied."""

    accession: str
    title: str = ""
    url: str = ""
    category: str = ""
    obtained_by: str = ""
    relation: str = ""
    publisher: str = ""
    frequency: int | None = None


class LinkedPaper(Struct, omit_defaults=True):
    """One submitted id.

    Attributes:
        state: ok, none, no_match (no link of the databases asked for), not_found, failed, …
        status: of the paper: retracted, concern, corrected, none_found, … not_checked; signals: with the notices;
            is_notice: it is itself a notice about another paper.
        has: where `databases` left links out, all databases that it has links to, with their number.
        total, counts: of its links that pass; left_out: how many of them are not in this answer for want of room.
    """

    input: str
    state: str
    status: str
    id: str = ""
    reason: str = ""
    signals: list[Flag] = []
    has: dict[str, int] = {}
    total: int = 0
    counts: dict[str, int] = {}
    databases: dict[str, list[DatabaseLink]] = {}
    left_out: int = 0
    is_notice: bool = False


class DatabaseLinks(Struct):
    """One row for each submitted id, in order; `handoff`: scheme -> the kind of server that knows its accessions."""

    papers: list[LinkedPaper]
    handoff: dict[str, str]


@tool(serves="data links", aliases=("get_database_links",))
async def get_database_links(
    ctx: Context,
    ids: Annotated[Ids, Meta(min_length=1, max_length=20)],
    databases: Annotated[TextList | None, Meta(description="Schemes, as UniProt, ENA, PDB, ChEMBL, DOI")] = None,
) -> Answer[DatabaseLinks]:
    """List accession numbers and data sets linked to papers, by database: proteins, sequences, structures, trials.

    Returns links with category and how each was obtained; accessions that text mining found may be wrong. Look them up
    in servers for those databases (`handoff`); for entities in the text use europepmc_get_annotations.
    """
    from vouched_europepmc.get_database_links_work import answer

    return await answer(ctx, ids, databases or ())
