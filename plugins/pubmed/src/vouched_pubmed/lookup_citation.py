"""pubmed_lookup_citation: citations to PMIDs through ECitMatch, each match checked against the record it names."""

from typing import Annotated, Literal

from vouched.api import Answer, Context, Cursor, Meta, Struct, tool

from vouched_pubmed.records import Summary

__all__ = ["Agreement", "Cited", "Match", "Matches", "lookup_citation"]

State = Literal["matched", "ambiguous", "not_found", "invalid_journal", "no_answer"]
Grade = Literal["same", "differs", "not_given", "not_comparable"]


class Cited(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A citation as somebody has it; every field as text, exactly as given.

    `key` is the caller's own name for it and is never sent anywhere.
    """

    journal: str = ""
    year: str = ""
    volume: str = ""
    first_page: str = ""
    author_name: str = ""
    key: str = ""


class Agreement(Struct):
    """Each field: same, differs, not_given (by the citation), not_comparable (the record has none, or a form that
    cannot be compared)."""

    author: Grade
    year: Grade
    journal: Grade
    volume: Grade
    first_page: Grade


class Match(Struct, omit_defaults=True):
    """The answer to one citation.

    Attributes:
        key: the caller's, unchanged, or the row's number; state; pmid: of a match.
        verified: it is matched, nothing differs and author or year is the same; agreement, warnings: field by field.
        via: "ecitmatch", or "search" for the fallback; count, candidates: of an ambiguous one, as far as listed.
        record: the matched record in short; detail: the service's own words, or the query of the search.
    """

    key: str
    state: State
    verified: bool
    pmid: str = ""
    agreement: Agreement | None = None
    warnings: list[str] = []
    via: str = ""
    count: int = 0
    candidates: list[str] = []
    record: Summary | None = None
    detail: str = ""


class Matches(Struct):
    """One result a citation, in order, as many as fit; the totals are of all, `total_warnings` counts matched rows with
    at least one warning; status_checked: who was asked for the standing of the records, and when."""

    results: list[Match]
    total_matched: int
    total_warnings: int
    total_submitted: int
    status_checked: str = ""


@tool(
    aliases=("lookup_citation", "pubmed_citation_match"), synonyms={"citation": "citations"}, serves="citation to PMID"
)
async def lookup_citation(
    ctx: Context,
    citations: Annotated[list[Cited], Meta(min_length=1, max_length=100)],
    fallback: Annotated[Literal["none", "search"], Meta(description="for unmatched: search by field")] = "none",
    cursor: Cursor = None,
) -> Answer[Matches]:
    """Find PMIDs of citations by journal, year, volume, first page and author (ECitMatch); at least journal or year
    each. Use it for references known by these fields; pubmed_check_references takes whole citation strings and ids.
    Returns one result each: matched, ambiguous, not_found, invalid_journal or no_answer. Every match is compared with
    its record: `verified` is false and a warning says why where author, year, journal, volume or page differ.
    """
    from vouched_pubmed.lookup_citation_work import answer

    return await answer(ctx, citations, fallback)
