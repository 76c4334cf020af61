"""Records in Europe PMC's format for papers that nobody wrote."""

from collections.abc import Sequence
from typing import Any

__all__ = ["record", "search_answer"]


def record(pmid: int, **fields: Any) -> dict[str, Any]:
    """A core record of an open paper; keywords add or replace fields."""
    return {
        "id": str(pmid),
        "source": "MED",
        "pmid": str(pmid),
        "title": "An invented paper.",
        "authorString": "Nobody A.",
        "pubYear": "2024",
        "language": "eng",
        "pubModel": "Print",
        "pubTypeList": {"pubType": ["Journal Article"]},
        "isOpenAccess": "N",
        "inEPMC": "N",
        "inPMC": "N",
        "citedByCount": 0,
        "firstPublicationDate": "2024-01-01",
    } | fields


def search_answer(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A search answer that holds them."""
    request = {"queryString": "invented", "resultType": "core", "cursorMark": "*", "pageSize": len(rows)}
    return {"version": "6.9", "hitCount": len(rows), "request": request, "resultList": {"result": list(rows)}}
