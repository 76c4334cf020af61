"""A parsed bibliography: what one tool reads out of a user's file and another checks."""

import msgspec

__all__ = ["ParsedReference"]


class ParsedReference(msgspec.Struct, omit_defaults=True, frozen=True):
    """One entry of somebody's bibliography, as they have it. An artifact of these is a JSON list.

    Attributes:
        ids: scheme -> value as found ("pmid", "doi", "pmcid").
        fields: of title, journal, year, volume, issue, pages, authors ("Family, Given" joined by "; "), kind, …
        key: the entry's own key or number; position: 1-based place in the file.
        text: the entry as written, where no fields could be read.
    """

    ids: dict[str, str] = {}
    fields: dict[str, str] = {}
    key: str = ""
    position: int = 0
    text: str = ""
