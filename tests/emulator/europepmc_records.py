"""Europe PMC records: gathered from search answers, completed where only one of core and lite is at hand."""

import json
import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lxml import etree

from tests.emulator.words import fold, padded

if TYPE_CHECKING:
    from tests.emulator.index import Index

LITE_ORDER = (
    "id source pmid pmcid fullTextIdList doi title authorString journalTitle issue journalVolume pubYear "
    "journalIssn bookOrReportDetails versionNumber pageInfo pubType isOpenAccess inEPMC inPMC hasPDF hasBook "
    "hasSuppl citedByCount hasReferences hasTextMinedTerms hasDbCrossReferences hasLabsLinks "
    "hasTMAccessionNumbers tmAccessionTypeList firstIndexDate firstPublicationDate"
)
LITE = LITE_ORDER.split()
ARTICLE = re.compile(rb"<article(?=[\s>]).*?</article>", re.S)


class Article:
    """One record. core: as resultType=core gives it; lite: as resultType=lite gives it."""

    def __init__(self, core: dict[str, Any], lite: dict[str, Any]) -> None:
        self.core, self.lite = core, lite
        self.source, self.id = core["source"], core["id"]
        self.pmcid = core.get("pmcid", self.id if self.source == "PMC" else "").upper()

    @cached_property
    def types(self) -> set[str]:
        return {fold(kind) for kind in self.core.get("pubTypeList", {}).get("pubType", [])}

    @cached_property
    def texts(self) -> dict[str, str]:
        """Padded texts by the names that `europepmc_query` uses."""
        core = self.core
        journal = core.get("journalInfo", {}).get("journal", {})
        authors = core.get("authorList", {}).get("author", [])
        names = [a.get("fullName", a.get("collectiveName", "")) for a in authors] or [core.get("authorString", "")]
        names += [f"{a.get('lastName', '')} {a.get('firstName', '')}" for a in authors]
        headings = [h.get("descriptorName", "") for h in core.get("meshHeadingList", {}).get("meshHeading", [])]
        found = {
            "title": padded(core.get("title", "")),
            "abstract": padded(re.sub(r"</?[a-z][a-z0-9]*>", " ", core.get("abstractText", ""))),
            "authors": padded(*names),
            "journal": padded(*(journal.get(n, "") for n in ("title", "medlineAbbreviation", "isoabbreviation"))),
            "issn": padded(journal.get("issn", ""), journal.get("essn", "")),
            "keywords": padded(*core.get("keywordList", {}).get("keyword", []), *headings),
            "language": padded(core.get("language", "")),
            "affiliations": padded(core.get("affiliation", "")),
            "grants": padded(*(g.get("agency", "") for g in core.get("grantsList", {}).get("grant", []))),
        }
        found["all"] = "".join(found.values()) + padded(self.id, core.get("doi", ""))
        return found


def fill(index: "Index") -> None:
    """Read records and full texts into the index."""
    best: dict[tuple[str, str], dict[bool, tuple[str, dict[str, Any]]]] = {}
    for version, row in _rows(index):
        whole = "journalTitle" not in row and "pubType" not in row
        versions = best.setdefault((row["source"], row["id"]), {})
        if whole not in versions or versions[whole][0] < version:
            versions[whole] = (version, row)
    for key, kept in best.items():
        core = kept[True][1] if True in kept else raised(kept[False][1])
        lite = kept[False][1] if False in kept else lowered(core)
        index.articles[key] = Article(core, lite)
    _read_fulltexts(index)
    held = {article.pmcid for article in index.articles.values()}
    for pmcid, raw in index.fulltexts.items():
        if pmcid not in held and not pmcid.startswith("PPR"):
            made = _from_front(pmcid, raw)
            index.articles[made.source, made.id] = made


def _rows(index: "Index") -> Iterator[tuple[str, dict[str, Any]]]:
    for kind in ("epmc-search", "europepmc-evidence"):
        for _, document in index.documents(kind):
            if isinstance(document, dict) and isinstance(document.get("body"), str) and "url" in document:
                document = json.loads(document["body"])
            if not isinstance(document, dict):
                continue
            version = str(document.get("version", ""))
            rows = document.get("resultList", {}).get("result", [])
            if isinstance(document.get("result"), dict):
                rows = [document["result"]]
            if "source" in document and "title" in document:
                rows = [document]
            # idlist rows know too little to be records.
            yield from ((version, row) for row in rows if "title" in row)


def lowered(core: dict[str, Any]) -> dict[str, Any]:
    """A core record -> the lite one."""
    info = core.get("journalInfo", {})
    journal = info.get("journal", {})
    issns = [journal.get("issn", ""), journal.get("essn", "").lower()]
    extra = {
        "journalTitle": journal.get("medlineAbbreviation") or journal.get("title"),
        "issue": info.get("issue"),
        "journalVolume": info.get("volume"),
        "journalIssn": "".join(f"{issn}; " for issn in issns if issn) or None,
        "pubType": "; ".join(kind.lower() for kind in core.get("pubTypeList", {}).get("pubType", [])),
    }
    merged = core | {name: value for name, value in extra.items() if value}
    return {name: merged[name] for name in LITE if name in merged}


def raised(lite: dict[str, Any]) -> dict[str, Any]:
    """A lite record -> a core one with what it tells: no abstract, licence, dates of issue or affiliations."""
    core = {
        n: v for n, v in lite.items() if n not in ("journalTitle", "issue", "journalVolume", "journalIssn", "pubType")
    }
    names = [name for name in lite.get("authorString", "").rstrip(".").split(", ") if name]
    if names:
        core["authorList"] = {"author": [{"fullName": name} for name in names]}
    if "journalTitle" in lite:
        issns = [issn for issn in lite.get("journalIssn", "").replace(" ", "").split(";") if issn]
        journal = {"title": lite["journalTitle"], "medlineAbbreviation": lite["journalTitle"]}
        journal |= dict(zip(("issn", "essn"), issns, strict=False))
        year = int(lite.get("pubYear", 0) or 0)
        core["journalInfo"] = {
            "issue": lite.get("issue"),
            "volume": lite.get("journalVolume"),
            "yearOfPublication": year,
        }
        core["journalInfo"] = {n: v for n, v in core["journalInfo"].items() if v is not None} | {"journal": journal}
    core["pubTypeList"] = {"pubType": [k for k in lite.get("pubType", "").split("; ") if k]}
    return core


def _read_fulltexts(index: "Index") -> None:
    for kind in ("epmc-fulltext", "pmc-jats"):
        for path in index.files(kind, ".xml"):
            data = path.read_bytes()
            articles = ARTICLE.findall(data)
            for raw in articles:
                key = path.stem if re.fullmatch(r"PPR\d+", path.stem) else pmcid_of(raw)
                if key:
                    # A file with one article is served whole, prolog and DOCTYPE included.
                    whole = len(articles) == 1 and b"<pmc-articleset" not in data
                    index.fulltexts.setdefault(key, data if whole else raw)


def pmcid_of(raw: bytes) -> str:
    """The PMCID of a JATS article with its prefix, "" when it has none."""
    front = raw.partition(b"</article-meta>")[0]
    found = re.search(rb'<article-id[^>]*pub-id-type="pmc(?:id)?"[^>]*>\s*(?:PMC)?(\d+)', front)
    return f"PMC{found.group(1).decode()}" if found else ""


def _from_front(pmcid: str, raw: bytes) -> Article:
    """A record for a full text that came without one, from its own front matter: open if its permissions say so."""
    parser = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True)
    meta: Any = next(etree.fromstring(raw, parser).iter("article-meta"))
    ids = {e.get("pub-id-type"): e.text for e in meta.findall("article-id")}
    licence = _licence(etree.tostring(meta.find("permissions")) if meta.find("permissions") is not None else b"")
    pmid = ids.get("pmid")
    core: dict[str, Any] = {"id": pmid or pmcid, "source": "MED" if pmid else "PMC", "pmcid": pmcid}
    core |= {"pmid": pmid} if pmid else {}
    core |= {"doi": ids["doi"]} if ids.get("doi") else {}
    core |= {"title": " ".join("".join(meta.find("title-group/article-title").itertext()).split())}
    names = [f"{e.findtext('surname')} {(e.findtext('given-names') or '')[:1]}".strip() for e in meta.iter("name")]
    core |= {"authorString": ", ".join(names) + ".", "authorList": {"author": [{"fullName": name} for name in names]}}
    core |= {"fullTextIdList": {"fullTextId": [pmcid]}, "pubTypeList": {"pubType": ["research-article"]}}
    core |= {"isOpenAccess": "Y" if licence else "N", "inEPMC": "Y", "inPMC": "Y", "citedByCount": 0}
    core |= {"license": licence} if licence else {}
    return Article(core, lowered(core))


def _licence(permissions: bytes) -> str:
    """Europe PMC's word for the Creative Commons link in a permissions element, "" without one."""
    found = re.search(rb"creativecommons\.org/(?:licenses/(by[a-z-]*)|publicdomain/(zero))", permissions)
    if not found:
        return ""
    return f"cc {found.group(1).decode()}" if found.group(1) else "cc0"
