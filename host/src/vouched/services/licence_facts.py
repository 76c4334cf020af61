"""What somebody stated of a text, and where: the facts that a licence decision rests on."""

from collections.abc import Iterable

import msgspec

from vouched.access import Uses
from vouched.services.licence_names import Reading
from vouched.services.licence_table import KINDS

__all__ = ["LEVELS", "Fact", "fact_of", "strictest"]

LEVELS = ("no", "unknown", "yes")


class Fact(msgspec.Struct, frozen=True):
    """One licence or set of terms that somebody stated, where, and why it opens nothing by itself ("" if it does)."""

    name: str
    written: str
    where: str
    uses: Uses
    conditions: tuple[str, ...] = ()
    spdx: str = ""
    kind: str = ""
    doubt: str = ""
    voice: str = ""

    def __str__(self) -> str:
        said = f": “{self.written}”" if self.written not in ("", self.name) else ""
        doubt = f" (opens nothing by itself: {self.doubt})" if self.doubt else ""
        return f"{self.name} in {self.where}{said}{doubt}"


def fact_of(reading: Reading, where: str, written: str = "") -> Fact:
    row = KINDS[reading.kind]
    written = written or reading.written
    return Fact(
        reading.name, written, where, row.uses, row.conditions, reading.spdx, reading.kind, reading.doubt, reading.voice
    )


def strictest(found: Iterable[Uses]) -> Uses:
    levels = [msgspec.structs.astuple(uses) for uses in found]
    return Uses(*(min(column, key=LEVELS.index) for column in zip(*levels, strict=True)))
