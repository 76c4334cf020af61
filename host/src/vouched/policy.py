"""The seam of the licence gate: the policy that decides, and the card that tells people what they may do."""

from collections.abc import Iterable
from typing import Literal, Protocol, runtime_checkable

import msgspec

from vouched.access import Access, Decision, Tier, Uses
from vouched.faults import InvalidArgument

__all__ = ["USES", "LicencePolicy", "PartCard", "ReuseCard", "may"]

USES: tuple[str, ...] = Uses.__struct_fields__


@runtime_checkable
class LicencePolicy(Protocol):
    """Decides what may be done with a text from neutral facts. One that raises denies everything."""

    def decide(self, access: Access | None) -> Decision: ...


class PartCard(msgspec.Struct, omit_defaults=True, frozen=True):
    """A figure, table, data set or sub-article whose own rights statement says otherwise than the article's.

    Attributes:
        object: its id in the text ("data" for the article's data); place: what it is ("body": a sub-article, a box).
        uses, conditions, licence, spdx, decided_by: as for the article.
    """

    object: str
    place: Literal["figure", "table", "data", "body"]
    uses: Uses
    conditions: list[str] = []
    licence: str = ""
    spdx: str = ""
    decided_by: str = ""


class ReuseCard(msgspec.Struct, omit_defaults=True, frozen=True):
    """What may be done with an article, and the line to print when doing it.

    Attributes:
        uses, conditions, licence, spdx, tier, rule, decided_by, needed: the decision (see `Decision`).
        attribution: title, authors, journal, year, DOI, licence with its address, and the copyright line if any.
        parts: figures, tables, data and sub-articles that have other terms; known only where the full text was read.
    """

    uses: Uses
    attribution: str
    conditions: list[str] = []
    licence: str = "not_checked"
    spdx: str = ""
    tier: Tier = "NOT_CHECKED"
    rule: str = ""
    decided_by: str = ""
    needed: str = ""
    parts: list[PartCard] = []


def may(decision: Decision, uses: Iterable[str]) -> bool:
    """Whether every one of `uses` is answered with yes. None asked for: True.

    Raises:
        InvalidArgument: a use that does not exist.
    """
    for name in uses:
        if name not in USES:
            raise InvalidArgument(f"{name!r} is no use.", path="may", expected=f"some of {', '.join(USES)}")
        if getattr(decision.uses, name) != "yes":
            return False
    return True
