"""The real EFetch records of the corpus, one by one, beside what the reader makes of them."""

import os
from dataclasses import dataclass
from pathlib import Path

from lxml import etree
from vouched.api import Article
from vouched_pubmed.efetch import read_articles

ROOT = Path(__file__).resolve().parents[3]
RECORDS = ("PubmedArticle", "PubmedBookArticle")
READ_AT = "2026-01-02T03:04:05Z"


def folder() -> Path | None:
    """The folder of real PubMed sets (VOUCHED_SHARED, by default beside the project); None when missing."""
    shared = Path(os.environ.get("VOUCHED_SHARED") or ROOT.parent / "shared")
    found = shared / "upstream" / "pubmed-efetch-xml"
    return found if found.is_dir() else None


@dataclass
class Real:
    """A record as it lies in the corpus and as it was read by itself."""

    file: str
    node: etree._Element
    raw: bytes
    article: Article

    @property
    def name(self) -> str:
        return f"{self.file} PMID {self.article.ids.get('pmid')}"

    def texts(self, path: str) -> list[str]:
        """Full texts of the elements at `path`, white space collapsed, nothing else done to them."""
        return [words(element) for element in self.node.iterfind(path)]


def words(element: etree._Element) -> str:
    return " ".join("".join(str(text) for text in element.itertext()).split())


def wrapped(*records: bytes) -> bytes:
    return b'<?xml version="1.0"?>\n<PubmedArticleSet>' + b"\n".join(records) + b"</PubmedArticleSet>"


def load() -> list[Real]:
    """Every record of the corpus, versions and duplicates included."""
    found = []
    for path in sorted((folder() or Path()).glob("*.xml")):
        root = etree.fromstring(path.read_bytes(), etree.XMLParser(resolve_entities=False, remove_pis=True))
        for node in [root] if root.tag in RECORDS else root:
            if node.tag in RECORDS:
                raw = etree.tostring(node, with_tail=False)
                (article,) = read_articles(wrapped(raw), retrieved_at=READ_AT).articles
                found.append(Real(path.name, node, raw, article))
    return found
