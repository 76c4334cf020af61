"""Folders of files -> everything that the emulator can answer from.

A folder holds sub-folders named by kind, as in the corpus: pubmed-efetch-xml, epmc-search, epmc-fulltext, pmc-jats,
epmc-annotations, epmc-links, epmc-citations, epmc-references, icite, idconv, mesh, europepmc-evidence. A folder that
is missing is no fault. Later folders do not replace what earlier ones hold, except a newer version of a PubMed record
(`pubmed_records.newer`).
"""

import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.emulator import europepmc_records, icite_rows, pubmed_records
from tests.emulator.europepmc_links import Links
from tests.emulator.europepmc_records import Article
from tests.emulator.pubmed_records import Record


class Index:
    """What the folders hold. Read only once it is made: all tests of a process share it.

    pubmed: records by PMID. articles: Europe PMC records by (source, id). fulltexts: JATS bytes by PMCID (with its
    prefix) or PPR id. links: what hangs on Europe PMC records. icite: rows by PMID. in_pmc: what the ID converter
    knows, by kind and id. folders: where it all came from.
    """

    def __init__(self, folders: tuple[Path, ...]) -> None:
        self.folders = folders
        self.pubmed: dict[int, Record] = {}
        self.articles: dict[tuple[str, str], Article] = {}
        self.fulltexts: dict[str, bytes] = {}
        self.icite: dict[int, dict[str, Any]] = {}
        self._read_pubmed()
        europepmc_records.fill(self)
        self.links = Links(self)
        icite_rows.fill(self)
        self.in_pmc: dict[tuple[str, str], dict[str, Any]] = {}
        self._read_conversions()

    def files(self, kind: str, suffix: str = "") -> Iterator[Path]:
        """The files of one kind in all folders, in a fixed order."""
        for folder in self.folders:
            place = folder / kind
            if place.is_dir():
                yield from sorted(p for p in place.rglob("*" + suffix) if p.is_file())

    def documents(self, kind: str) -> Iterator[tuple[Path, Any]]:
        """The JSON files of one kind; files that are no JSON are other things and passed over."""
        for path in self.files(kind, ".json"):
            try:
                yield path, json.loads(path.read_bytes())
            except ValueError:
                continue

    def _read_pubmed(self) -> None:
        for path in self.files("pubmed-efetch-xml", ".xml"):
            for raw in pubmed_records.slices(path.read_bytes()):
                record = pubmed_records.read(raw)
                if pubmed_records.newer(record, self.pubmed.get(record.pmid)):
                    self.pubmed[record.pmid] = record

    def _read_conversions(self) -> None:
        """Recorded conversions first, then what PubMed and Europe PMC records say of their place in PMC."""
        for _, document in self.documents("idconv"):
            for record in document.get("records", []):
                self._convertible(record)
        for pubmed in self.pubmed.values():
            self._convertible({"pmid": pubmed.pmid} | {k: v for k, v in _as_converted(pubmed.ids).items() if v})
        for article in self.articles.values():
            core = article.core
            self._convertible({name: core[name] for name in ("pmcid", "pmid", "doi") if name in core})

    def _convertible(self, record: dict[str, Any]) -> None:
        if not str(record.get("pmcid", "")).startswith("PMC"):
            return
        known = {name: str(record[name]) for name in ("pmcid", "pmid", "doi", "mid") if record.get(name)}
        for kind, value in known.items():
            folded = value.upper() if kind in ("pmcid", "mid") else value.lower()
            self.in_pmc.setdefault((kind, folded), known)


def _as_converted(ids: dict[str, str]) -> dict[str, str | None]:
    return {"pmcid": ids.get("pmc"), "doi": ids.get("doi"), "mid": ids.get("mid")}


@functools.cache
def load(folders: tuple[Path, ...]) -> Index:
    """The index of these folders, made once a process: parsing the corpus takes about half a second."""
    return Index(folders)
