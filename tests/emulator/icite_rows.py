"""iCite rows of JSON answers and CSV files, all brought to one form."""

import csv
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.emulator.index import Index

NUMERIC = (
    "citation_count field_citation_rate expected_citations_per_year citations_per_year relative_citation_ratio "
    "nih_percentile human animal molecular_cellular x_coord y_coord apt year pmid"
)
NUMBERS = NUMERIC.split()
FLAGS = ("is_research_article", "is_clinical", "provisional")
LISTS = ("cited_by_clin", "cited_by", "references")


def fill(index: "Index") -> None:
    """Read rows into index.icite by PMID; a row with more fields replaces one with fewer."""
    for _, document in index.documents("icite"):
        rows = document.get("data", [document]) if isinstance(document, dict) else []
        for row in rows:
            _keep(index, row)
    for path in index.files("icite", ".csv"):
        with path.open(newline="", encoding="utf-8-sig") as lines:
            for line in csv.DictReader(lines):
                _keep(index, _from_csv(line))


def _keep(index: "Index", row: dict[str, Any]) -> None:
    if not str(row.get("pmid", "")).isdigit():
        return
    made = {name: value for name, value in row.items() if name != "_id"}
    for name in FLAGS:
        if name in made:
            made[name] = str(made[name]).lower() in ("true", "yes")
    for name in LISTS:
        if name in made:
            made[name] = made[name] or []
    pmid = int(made["pmid"])
    made["pmid"] = pmid
    if len(made) > len(index.icite.get(pmid, {})):
        index.icite[pmid] = made


def _from_csv(line: dict[str, str]) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, value in line.items():
        if name in LISTS:
            row[name] = [int(pmid) for pmid in value.split()]
        elif name in NUMBERS:
            # Whole numbers stay whole: 16, not 16.0.
            row[name] = json.loads(value) if value else None
        else:
            row[name] = value
    return row
