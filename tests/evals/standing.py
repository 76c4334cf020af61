"""Retracted, corrected, withdrawn; notices; preprints: as the records' own links and types say, listed by hand."""

from collections.abc import Sequence
from typing import Any

from tests.evals.case import Case, World

__all__ = ["standing"]

# id -> (status, is a notice, id of the notice or "" where the record gives none).
RECORDS = {
    "37751445": ("retracted", False, "pmid:41941409"),
    "22384025": ("retracted", False, "pmid:41915623"),
    "27657916": ("retracted", False, "pmid:41926352"),
    "40632709": ("retracted", False, "pmid:41926345"),
    "38032923": ("retracted", False, "pmid:41941403"),
    "42550576": ("retracted", False, "pmid:42715445"),
    # Titled WITHDRAWN, typed Retracted Publication; the notice is a bare DOI.
    "42251884": ("retracted", False, "doi:10.1016/j.jse.2026.06.002"),
    # Corrected by a paper that the record names without an id.
    "21645374": ("corrected", False, ""),
    "39709208": ("none_found", True, "pmid:39293462"),
    "40377773": ("none_found", True, "pmid:39971854"),
    "22338609": ("none_found", False, ""),
    "24073682": ("none_found", False, ""),
    "10808977": ("none_found", False, ""),
    "99900001": ("corrected", False, "pmid:99900012"),
    "99900009": ("retracted", False, "pmid:99900010"),
    "99900010": ("none_found", True, "pmid:99900009"),
    "99900011": ("concern", False, "doi:10.99999/jir.2022.0801"),
    "99900012": ("none_found", True, "pmid:99900001"),
    "99900018": ("none_found", False, ""),
    "99900019": ("withdrawn_heuristic", False, ""),
}
# preprint -> published, both ways.
VERSIONS = {"99900007": ("preprints", "ppr:PPR990008"), "PPR990008": ("published_as", "pmid:99900007")}


async def standing(world: World) -> Sequence[Case]:
    """Each record in a search: its status, whether it is a notice, and the record that its notice is."""
    cases: list[Case] = []
    for id_, (status, notice, named) in RECORDS.items():
        row = await _row(world, id_)
        flags = row.get("signals", [])
        first = flags[0].get("notice_id", "") if flags else ""
        said = (row["status"], row.get("is_notice", False), first if named else "")
        cases.append(Case(id_, said == (status, notice, named), str(said)))
    for id_, (field, other) in VERSIONS.items():
        row = await _row(world, id_)
        cases.append(Case(f"{id_} {field}", other in row.get(field, []), str(row.get(field))))
    return cases


async def _row(world: World, id_: str) -> dict[str, Any]:
    answer = await world.call("search_literature", query=f"EXT_ID:{id_}", limit=5)
    row: dict[str, Any] = next(row for row in answer["data"]["records"] if row["id"].endswith(f":{id_}"))
    return row
