"""The tool verify_quotes."""

from typing import Annotated

from vouched.api import Answer, Context, Meta, Struct, tool

from vouched_europepmc.rows import Flag

__all__ = ["Change", "CheckedQuote", "CheckedQuotes", "QuoteAsked", "QuotedPaper", "verify_quotes"]


class QuoteAsked(Struct):
    """A quotation and the paper that it is said to be from."""

    id: Annotated[str, Meta(min_length=1, max_length=512, description="PMID, PMCID, DOI or PPR")]
    text: Annotated[str, Meta(min_length=3, max_length=4_000)]
    section: str = ""


class Change(Struct, omit_defaults=True):
    """One difference: `quoted` stands in the quotation, `printed` in the text; "" for nothing, "…" for an elision.

    `kind` is number, negation, sign, wording, typography (case) or formatting (digits grouped by commas, another dash
    or quotation mark: the same number or word).
    """

    kind: str
    quoted: str
    printed: str


class CheckedQuote(Struct, omit_defaults=True):
    """One quotation, in the order submitted.

    Attributes:
        outcome: exact; whitespace_only (white space, citation marks or the printing of a sign differ); altered, with
            changes by the word (1204 for 1,204 is one of formatting alone), or a negation under its "…"; absent (the
            whole text was searched, tables and references too); not_checkable.
        mismatch: section_differs (it stands in `path`, not in the section named), no_such_section, section_not_read.
        quoted: the quotation's beginning; printed: what stands there, at `block text[start:end]`, where that differs;
            for not_checkable the closest words of what could be searched; sha256: of the printed words as UTF-8. A row
            of a table, `t1.row2`, is its cells with a tab between them.
        cues_outside: words of its sentences, around the quotation or left out of it, that negate or hedge it.
    """

    position: int
    id: str
    outcome: str
    quoted: str
    reason: str = ""
    mismatch: str = ""
    path: str = ""
    block: str = ""
    start: int | None = None
    end: int | None = None
    printed: str = ""
    sha256: str = ""
    changes: list[Change] = []
    likeness: float | None = None
    places: int = 0
    elided: bool = False
    cues_outside: list[str] = []


class QuotedPaper(Struct, omit_defaults=True):
    """A paper that is quoted: its standing, what of it was searched, what the licence answers to quoting, and why.

    `is_notice`: a notice of retraction, erratum or concern, whose words may be those of the paper that it speaks of.
    """

    id: str
    title: str
    status: str
    searched: list[str]
    quote: str
    because: str
    signals: list[Flag] = []
    is_notice: bool = False


class CheckedQuotes(Struct):
    """One row for each quotation, how many have each outcome, and the papers."""

    quotes: list[CheckedQuote]
    outcomes: dict[str, int]
    papers: list[QuotedPaper]


@tool(finds=False, serves="check quotes")
async def verify_quotes(
    ctx: Context, quotes: Annotated[list[QuoteAsked], Meta(min_length=1, max_length=50)]
) -> Answer[CheckedQuotes]:
    """Check quotations against what papers print: exact, altered (a changed number or negation is named) or absent.

    Use it on a manuscript's or a model's quotations; to find sentences use europepmc_build_evidence_table. Text that
    the licence keeps closed makes a quotation not_checkable, never absent. Returns section, offsets and hash of each
    quotation, and the retraction status of each paper.
    """
    from vouched_europepmc.verify_quotes_work import answer

    return await answer(ctx, quotes)
