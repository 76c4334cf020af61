"""The tool get_citation_network."""

from typing import Annotated, Literal

from vouched.api import (
    Answer,
    Context,
    Cursor,
    Ids,
    Meta,
    Struct,
    tool,
)

from vouched_europepmc.rows import Flag, Hit, Paper

__all__ = ["CitationNetwork", "CitationRow", "CitedPaper", "get_citation_network"]


class CitedPaper(Paper, omit_defaults=True):
    """The paper asked about, in short, with its standing; `citations` is the number that its record has."""

    signals: list[Flag] = []
    citations: int | None = None
    is_notice: bool = False


class CitationRow(Struct, omit_defaults=True):
    """One citing paper or one reference, in the service's order.

    Attributes:
        position: its place in the list; cited_as: what the list itself says of it.
        status: of that paper: retracted, concern, corrected, none_found, …; not_checked where it was not asked.
        record: its record with status, access and licence; None where it was not asked or could not be (see `reason`).
        retraction: where the cited side is retracted: retracted_before_citing, retracted_after_citing, order_unknown.
    """

    position: int
    cited_as: str
    status: str
    id: str = ""
    reason: str = ""
    retraction: str = ""
    record: Hit | None = None


class CitationNetwork(Struct, omit_defaults=True):
    """One page of the list.

    Attributes:
        paper: the paper asked about, None where Europe PMC has its list and no record.
        hit_count: rows upstream; returned: rows here; seen: rows passed so far; end: nothing follows.
        coverage: what this list is and is not; without_id: rows of this page without a usable id;
        not_enriched: rows whose record could not be had; retracted: rows of this page whose paper is retracted.
    """

    paper: CitedPaper | None
    direction: str
    hit_count: int
    returned: int
    seen: int
    end: bool
    coverage: str
    rows: list[CitationRow]
    without_id: int = 0
    not_enriched: int = 0
    retracted: int = 0


@tool(finds=True, serves="citations", aliases=("get_citation_network",))
async def get_citation_network(
    ctx: Context,
    ids: Annotated[Ids, Meta(min_length=1, max_length=1)],
    direction: Literal["citations", "references"] = "citations",
    limit: Annotated[int, Meta(ge=1, le=100)] = 25,
    cursor: Cursor = None,
    enrich: Annotated[bool, Meta(description="Add status, licence and access to each row")] = True,
) -> Answer[CitationNetwork]:
    """List the papers that cite one paper, or its references, with retraction status, licence and access for each.

    Shows which papers of a reference list were retracted, and whether before or after they were cited. The counts are
    Europe PMC's own; for citation metrics use icite_get_citation_metrics. Returns a row in its place for each paper,
    also where no record is known.
    """
    from vouched_europepmc.get_citation_network_work import answer

    return await answer(ctx, ids, direction, limit, enrich)
