"""pubmed_check_references: does what a reference list says agree with PubMed, and does it still stand?"""

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

from vouched_pubmed.lookup_citation import Grade
from vouched_pubmed.records import NoticeRow, RecordView

__all__ = ["CheckResult", "CheckRow", "Difference", "Given", "ReferenceAgreement", "check_references"]

MOST = 200


class Given(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A reference by fields; `authors` separated by semicolons, `key` the caller's own name for it."""

    title: str = ""
    authors: str = ""
    journal: str = ""
    year: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    doi: str = ""
    pmid: str = ""
    pmcid: str = ""
    key: str = ""


class Difference(Struct, omit_defaults=True):
    """A field whose value in the reference is not the record's; belongs_to: the record that a given id leads to."""

    field: str
    given: str
    found: str
    belongs_to: str = ""


class ReferenceAgreement(Struct):
    """Each field: same, differs, not_given (by the reference, or not readable in it), not_comparable (the record has
    none, or a form that cannot be compared)."""

    title: Grade
    author: Grade
    journal: Grade
    year: Grade
    volume: Grade
    issue: Grade
    first_page: Grade
    last_page: Grade
    doi: Grade
    pmid: Grade
    pmcid: Grade


class CheckRow(Struct, omit_defaults=True):
    """One reference.

    Attributes:
        position: 1-based; input: id, string, key or title as given.
        verdict: matches, differs, not_found, ambiguous, unsupported, invalid or failed.
        status: standing of the record found (retracted, concern, corrected … none_found); signals: all of them.
        differs: fields whose value is not the record's; record: the right record; agreement: field by field, where
            more than an id was given.
        notices: of retraction, concern, correction, update; found_by: id, ecitmatch or title.
        candidates: PMIDs of an ambiguous one.
    """

    position: int
    input: str
    verdict: str
    status: str = ""
    signals: list[str] = []
    is_notice: bool = False
    differs: list[Difference] = []
    agreement: ReferenceAgreement | None = None
    record: RecordView | None = None
    notices: list[NoticeRow] = []
    found_by: str = ""
    candidates: list[str] = []
    reason: str = ""
    retryable: bool = False


class CheckResult(Struct, omit_defaults=True):
    """A page of rows.

    Attributes:
        total: references submitted; returned: rows here, from `offset` on; remaining: rows left for the cursor.
        counts: verdicts and standings of the references checked together, at most 200.
    """

    total: int
    returned: int
    rows: list[CheckRow]
    counts: dict[str, int] = {}
    offset: int = 0
    remaining: int = 0
    status_checked: str = ""


@tool(
    aliases=("check_references", "verify_reference_list", "verify_references"),
    synonyms={"texts": "references"},
    serves="check references",
)
async def check_references(
    ctx: Context,
    ids: Annotated[Ids | None, Meta(max_length=MOST)] = None,
    references: Annotated[TextList | None, Meta(max_length=MOST, description="citation strings")] = None,
    citations: Annotated[list[Given] | None, Meta(max_length=MOST)] = None,
    artifact: Annotated[str, Meta(description="of a parsed bibliography")] = "",
    cursor: Cursor = None,
) -> Answer[CheckResult]:
    """Check a reference list against PubMed: does each entry exist, is it described right, has it been retracted,
    corrected or put in doubt? Give exactly one of ids, references, citations or artifact. To find PMIDs only, use
    pubmed_lookup_citation. Returns one row each: matches, differs (which field), not_found, with standing and record.
    """
    from vouched_pubmed.check_references_work import answer

    return await answer(ctx, ids, references, citations, artifact)
