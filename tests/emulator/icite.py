"""iCite's API over the rows that the emulator holds."""

from typing import Any

from vouched.testing.exchange import Asked, Reply

from tests.emulator.index import Index

OLD_ONLY = {"last_modified": "02/25/2024, 09:52:59"}


class Icite:
    """answer() is the service. shape: `new` (since July 2025) or `old`. most: PMIDs in one request.

    The service's older page allows 1,000 PMIDs, its newer one 200.
    """

    def __init__(self, index: Index, shape: str = "new") -> None:
        self.index, self.shape, self.most = index, shape, 1000

    def answer(self, asked: Asked) -> Reply:
        match asked.segments:
            case ("pubs",):
                return self.pubs(asked)
            case ("pubs", pmid):
                return self.one(pmid)
        return Reply.json({"error": "Not Found"}, 404)

    def pubs(self, asked: Asked) -> Reply:
        fields = [name for name in asked.get("fl").split(",") if name]
        if asked.get("pmids"):
            words = asked.get("pmids").split(",")
            if not all(word.strip().isdigit() for word in words) or len(words) > self.most:
                return Reply.json({"error": "Bad Request"}, 400)
            wanted = {int(word) for word in words}
        else:
            offset, limit = int(asked.get("offset", "0") or 0), min(int(asked.get("limit", "200") or 200), self.most)
            year = asked.get("year")
            rows = [p for p, r in sorted(self.index.icite.items()) if p > offset and year in ("", str(r.get("year")))]
            wanted = set(rows[:limit])
        # The order follows the service's own index, not the request.
        found = sorted(wanted & self.index.icite.keys(), key=lambda pmid: (pmid * 2654435761) % 4093)
        rows_out = [self._row(pmid, fields) for pmid in found]
        return Reply.json(self._wrapped(rows_out, asked, fields))

    def one(self, pmid: str) -> Reply:
        if not pmid.isdigit() or int(pmid) not in self.index.icite:
            return Reply.json({"error": "Not Found"}, 404)
        row = self._row(int(pmid), [])
        return Reply.json({"data": [row]} if self.shape == "new" else row)

    def _wrapped(self, rows: list[dict[str, Any]], asked: Asked, fields: list[str]) -> dict[str, Any]:
        if self.shape == "new":
            return {"data": rows}
        meta: dict[str, Any] = {"pmids": asked.get("pmids")} | ({"fl": ",".join(fields)} if fields else {})
        links = {} if fields else {"links": {"self": "https://icite.od.nih.gov/api/" + asked.target.rpartition("/")[2]}}
        return {"meta": meta, **links, "data": rows}

    def _row(self, pmid: int, fields: list[str]) -> dict[str, Any]:
        row = (_new if self.shape == "new" else _old)(self.index.icite[pmid])
        return {name: row[name] for name in fields if name in row} if fields else row


def _names(row: dict[str, Any]) -> list[str]:
    """Authors as `First Last`, from whichever form the row has."""
    authors = row.get("authors") or []
    if isinstance(authors, str):
        return authors.split(", ")
    return [f"{a['firstName']} {a['lastName']}" if isinstance(a, dict) else a for a in authors]


def _new(row: dict[str, Any]) -> dict[str, Any]:
    people = [name.rpartition(" ") for name in _names(row)]
    authors = [{"lastName": last, "fullName": f"{last}, {first}", "firstName": first} for first, _, last in people]
    clinical = row.get("cited_by_clin") or []
    years = row.get("citedByPmidsByYear") or []
    made = {"_id": str(row["pmid"]), **row, "authors": authors}
    made |= {"citedByClinicalArticle": bool(clinical), "citedByPmidsByYear": years}
    made.pop("last_modified", None)
    return made


def _old(row: dict[str, Any]) -> dict[str, Any]:
    made = {name: value for name, value in row.items() if name not in ("citedByPmidsByYear", "citedByClinicalArticle")}
    made["authors"] = ", ".join(_names(row))
    for name in ("is_research_article", "is_clinical", "provisional"):
        if name in made:
            made[name] = "Yes" if made[name] else "No"
    made["cited_by_clin"] = made.get("cited_by_clin") or None
    return made | OLD_ONLY
