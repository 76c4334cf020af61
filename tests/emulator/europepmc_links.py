"""What hangs on Europe PMC records: citations, references, data links, annotations."""

from typing import TYPE_CHECKING, Any

from tests.emulator.europepmc_records import Article

if TYPE_CHECKING:
    from tests.emulator.index import Index

Key = tuple[str, str]
Rows = list[dict[str, Any]]


class Links:
    """citations, references: rows by the record they belong to, in the service's order. datalinks: categories.

    annotations: the article object of the annotations API, its rows included. What was recorded is held as it was;
    for other records citations and references are derived from the reference lists that the index knows.
    """

    def __init__(self, index: "Index") -> None:
        self.index = index
        self.citations: dict[Key, Rows] = {}
        self.references: dict[Key, Rows] = {}
        self.datalinks: dict[Key, Rows] = {}
        self.annotations: dict[Key, dict[str, Any]] = {}
        for kind in ("epmc-citations", "epmc-references", "epmc-links", "epmc-annotations", "europepmc-evidence"):
            for _, document in index.documents(kind):
                self._take(document)
        self._cited_by: dict[Key, list[Key]] | None = None

    def _take(self, document: Any) -> None:
        if isinstance(document, list):
            for article in document:
                key = (article["source"], article["extId"])
                if len(article["annotations"]) > len(self.annotations.get(key, {"annotations": []})["annotations"]):
                    self.annotations[key] = article
            return
        request = document.get("request")
        if not isinstance(request, dict) or "source" not in request:
            return
        key = (request["source"], str(request["id"]))
        for wrapper, inner, into in (
            ("citationList", "citation", self.citations),
            ("referenceList", "reference", self.references),
            ("dataLinkList", "Category", self.datalinks),
        ):
            if wrapper in document:
                _merge(into.setdefault(key, []), document[wrapper].get(inner, []))

    def cited_by(self, key: Key) -> Rows:
        if key in self.citations:
            return self.citations[key]
        return [_citation(self.index.articles[other]) for other in self._citing().get(key, [])]

    def cites(self, key: Key) -> Rows:
        if key in self.references:
            return self.references[key]
        others = [self.index.articles.get(other) for other in self._cited(key)]
        return [_reference(other, order) for order, other in enumerate((o for o in others if o), 1)]

    def _cited(self, key: Key) -> list[Key]:
        """The records that a record cites, as its Europe PMC or its PubMed reference list says."""
        if key in self.references:
            return [(row["source"], row["id"]) for row in self.references[key] if "id" in row and "source" in row]
        record = self.index.pubmed.get(int(key[1])) if key[0] == "MED" and key[1].isdigit() else None
        return [("MED", str(pmid)) for pmid in record.references] if record else []

    def _citing(self) -> dict[Key, list[Key]]:
        if self._cited_by is None:
            self._cited_by = {}
            for key in self.index.articles:
                for other in self._cited(key):
                    self._cited_by.setdefault(other, []).append(key)
        return self._cited_by


def _merge(rows: Rows, more: Rows) -> None:
    """Pages of one list come from several files; a row is one only once."""
    seen = {(row.get("source"), row.get("id"), row.get("title"), row.get("Name")) for row in rows}
    rows += [row for row in more if (row.get("source"), row.get("id"), row.get("title"), row.get("Name")) not in seen]


def _shared(article: Article) -> dict[str, Any]:
    lite = article.lite
    row: dict[str, Any] = {"source": article.source, "id": article.id}
    row["citationType"] = lite.get("pubType", "journal article")
    row["title"] = lite.get("title", "")
    names = {"authorString": "authorString", "journalAbbreviation": "journalTitle", "volume": "journalVolume"}
    names |= {"issue": "issue", "pageInfo": "pageInfo"}
    row |= {name: lite[key] for name, key in names.items() if key in lite}
    if str(lite.get("pubYear", "")).isdigit():
        row["pubYear"] = int(lite["pubYear"])
    return row


def _citation(article: Article) -> dict[str, Any]:
    return _shared(article) | {"citedByCount": article.lite.get("citedByCount", 0)}


def _reference(article: Article, order: int) -> dict[str, Any]:
    return _shared(article) | {"citationType": "JOURNAL ARTICLE", "citedOrder": order, "match": "Y"}
