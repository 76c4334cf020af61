"""The tool build_evidence_table."""

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

from vouched_europepmc.evidence_rows import EvidenceRow, NoCandidate, Paper

__all__ = ["EvidenceTable", "TermsAsked", "build_evidence_table"]


class TermsAsked(Struct):
    """Spellings of the two things that must occur together; one role may stand alone."""

    subject: Annotated[list[str], Meta(max_length=8)] | None = None
    object: Annotated[list[str], Meta(max_length=8)] | None = None


class EvidenceTable(Struct, omit_defaults=True):
    """Candidates of this page, papers searched for the first time on it, ids without candidates, and the caveat."""

    claim: str
    terms: dict[str, list[str]]
    candidate_evidence: list[EvidenceRow]
    no_candidates: list[NoCandidate]
    papers: list[Paper]
    caveat: str
    searched: int
    submitted: int


@tool(serves="sentences for a claim", aliases=("build_evidence_table",))
async def build_evidence_table(
    ctx: Context,
    claim: Annotated[str, Meta(min_length=1, max_length=1_000, description="A label for the table; not searched")],
    ids: Annotated[Ids, Meta(min_length=1, max_length=200)],
    terms: Annotated[TermsAsked, Meta(description="Up to 8 spellings each; CAPITALS of 4 letters match case")],
    entity_filter: Annotated[TextList | None, Meta(description="Annotation types, as Diseases")] = None,
    use_full_text: bool = True,
    limit: Annotated[int, Meta(ge=1, le=500)] = 50,
    cursor: Cursor = None,
) -> Answer[EvidenceTable]:
    """Find sentences of given papers in which a subject and an object occur together, each checkable at its offsets.

    Deterministic. Returns rows, strongest first: annotated relation, entity, sentence of the licensed full text, of the
    abstract, words around an annotation. Each has negation and hedge cues with their scope, licence and retraction
    status; co-mention is not support. Ids without a row say why. To check quotations use europepmc_verify_quotes.
    """
    from vouched_europepmc.build_evidence_table_work import answer

    return await answer(ctx, claim, ids, terms, entity_filter or (), use_full_text, limit)
