"""What is known about the access to a text, and what a licence policy decides from it. Facts only, no rules."""

from typing import Literal

import msgspec

__all__ = ["Access", "Decision", "Statement", "Tier", "Use", "Uses"]

Use = Literal["yes", "no", "unknown"]
Tier = Literal["OPEN_ACCESS", "FREE_TO_READ", "ABSTRACT_ONLY", "NOT_CHECKED"]


class Statement(msgspec.Struct, omit_defaults=True, frozen=True):
    """One sentence, link or attribute about rights, as the document has it.

    Attributes:
        text: the words, white space collapsed ("" where there is only a link).
        url: the link or identifier (href of `license`, `ali:license_ref`, a link inside the licence paragraph).
        licence_type: JATS `license-type` or `content-type`, as written.
        place: where it stands: only `permissions` and `copyright` of the article itself speak for the article.
        object: "article", or the id of the figure, table or data set that it speaks of.
        line: line in the source file, 0 where unknown.
    """

    text: str = ""
    url: str = ""
    licence_type: str = ""
    place: Literal["permissions", "copyright", "figure", "table", "body", "back", "data"] = "permissions"
    object: str = "article"
    line: int = 0


class Access(msgspec.Struct, omit_defaults=True, frozen=True):
    """Neutral facts about one text; plugins map the flags of their source to it.

    Attributes:
        open: flagged open access by the source; None where it was not asked.
        in_archive: the full text lies in a public archive (PMC, Europe PMC).
        link_free: a full-text link is marked open or free.
        preprint: the record is a preprint.
        manuscript: an author manuscript in an archive.
        licence: the licence field of the record, as written ("" = asked, none given; None = not asked).
        statements: the rights statements found in the full text itself.
        source: who says so.
        bronze: free at the publisher without a licence.
        published: date of first publication, `2024-05-01` or a beginning of it, "" where unknown: embargoes end by it.
    """

    open: bool | None = None
    in_archive: bool = False
    link_free: bool = False
    preprint: bool = False
    manuscript: bool = False
    licence: str | None = None
    statements: list[Statement] = []
    source: str = ""
    bronze: bool = False
    published: str = ""


class Uses(msgspec.Struct, frozen=True):
    """What may be done with a text: each yes, no or unknown."""

    read: Use = "unknown"
    quote: Use = "unknown"
    mine: Use = "unknown"
    redistribute: Use = "unknown"
    commercial: Use = "unknown"
    derive: Use = "unknown"


class Decision(msgspec.Struct, omit_defaults=True, frozen=True):
    """What a licence policy decided, and why.

    Attributes:
        uses: what may be done.
        conditions: of attribution, share_alike, non_commercial, no_derivatives.
        tier: how the text can be reached.
        licence: as written, "not_checked" where nobody asked, "none" where there is none.
        spdx: SPDX identifier where one exists, as in "CC-BY-4.0".
        rule: the rule that decided, as in "a", "b" … or "policy_failed".
        decided_by: the fact that decided, in words with its place.
        needed: what would be needed for more.
        also: further facts that were seen and did not decide (a contradicting statement, a flag).
    """

    uses: Uses
    conditions: list[str] = []
    tier: Tier = "NOT_CHECKED"
    licence: str = "not_checked"
    spdx: str = ""
    rule: str = ""
    decided_by: str = ""
    needed: str = ""
    also: list[str] = []
