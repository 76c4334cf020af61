"""PubMed records: cut out of EFetch sets as raw bytes, and what the search fields see of each."""

import calendar
import datetime
import re
from collections.abc import Iterator
from typing import Any

import msgspec
from lxml import etree

from tests.emulator.words import fold, padded

# lxml's stubs make every child optional; these records are walked with their DTD in mind.
Element = Any
RECORD = re.compile(rb"<(PubmedArticle|PubmedBookArticle)(?=[\s>]).*?</\1>", re.S)
MONTHS = {name.lower(): n for n, name in enumerate(calendar.month_abbr) if name}
SEASONS = {"winter": 1, "spring": 3, "summer": 6, "fall": 9, "autumn": 9}


class Author(msgspec.Struct, frozen=True):
    last: str = ""
    fore: str = ""
    initials: str = ""
    suffix: str = ""
    collective: str = ""

    @property
    def name(self) -> str:
        """As ESummary writes it: `Hambrick GW Jr`."""
        return self.collective or " ".join(part for part in (self.last, self.initials, self.suffix) if part)


class Record(msgspec.Struct):
    """One PubMed record as the search sees it.

    raw: its element as it stood in the file. texts: padded field texts by field. dates: by date type, days since
    year 1; pdat has the print and the electronic date. ids: doi, pmc, pii, mid, bookaccession, the record's own only.
    references: PMIDs it cites, in order. revised and version: which of two copies is newer.
    """

    pmid: int
    raw: bytes
    version: int = 1
    revised: int = 0
    title: str = ""
    authors: tuple[Author, ...] = ()
    journal: tuple[str, ...] = ()
    volume: str = ""
    issue: str = ""
    pages: str = ""
    year: str = ""
    texts: dict[str, str] = {}
    dates: dict[str, tuple[int, ...]] = {}
    ids: dict[str, str] = {}
    references: tuple[int, ...] = ()
    filters: frozenset[str] = frozenset()


def slices(data: bytes) -> Iterator[bytes]:
    """The record elements of a file, byte for byte."""
    return (match.group(0) for match in RECORD.finditer(data))


def read(raw: bytes) -> Record:
    """One record element -> what the search needs of it."""
    root: Element = etree.fromstring(raw, etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True))
    book = root.tag == "PubmedBookArticle"
    citation = root.find("BookDocument" if book else "MedlineCitation")
    article = citation if book else citation.find("Article")
    data = root.find("PubmedBookData" if book else "PubmedData")
    pmid = citation.find("PMID")
    ids = _ids(citation, article, data)
    authors = tuple(_author(a) for a in article.findall("AuthorList/Author"))
    dates = _dates(citation, article, data)
    record = Record(
        pmid=int(pmid.text),
        raw=raw,
        version=int(pmid.get("Version", "1")),
        revised=max(dates["mdat"], default=0),
        title=text(article.find("ArticleTitle")) or text(article.find("Book/BookTitle")),
        authors=authors,
        journal=_journal(citation, article),
        volume=article.findtext("Journal/JournalIssue/Volume", ""),
        issue=article.findtext("Journal/JournalIssue/Issue", ""),
        pages=pages(article),
        year=_year(article),
        dates=dates,
        ids=ids,
        references=_references(data),
        filters=_filters(citation, article, ids),
    )
    record.texts = _texts(record, citation, article)
    return record


def text(element: Element) -> str:
    """All text of an element with whitespace collapsed; "" for none."""
    return "" if element is None else " ".join("".join(element.itertext()).split())


def pages(article: Element) -> str:
    medline: str | None = article.findtext("Pagination/MedlinePgn")
    if medline:
        return medline
    first: str = article.findtext("Pagination/StartPage", "")
    last: str = article.findtext("Pagination/EndPage", "")
    return f"{first}-{last}" if first and last else first


def _author(element: Element) -> Author:
    get = element.findtext
    return Author(
        get("LastName", ""),
        get("ForeName", ""),
        get("Initials", ""),
        get("Suffix", ""),
        text(element.find("CollectiveName")),
    )


def _journal(citation: Element, article: Element) -> tuple[str, ...]:
    names = [article.findtext("Journal/Title"), article.findtext("Journal/ISOAbbreviation")]
    names += [citation.findtext("MedlineJournalInfo/MedlineTA"), citation.findtext("MedlineJournalInfo/NlmUniqueID")]
    names += [issn.text for issn in article.findall("Journal/ISSN")] + [
        citation.findtext("MedlineJournalInfo/ISSNLinking")
    ]
    return tuple(dict.fromkeys(name for name in names if name))


def _ids(citation: Element, article: Element, data: Element) -> dict[str, str]:
    found: dict[str, str] = {}
    lists = [citation.find("ArticleIdList"), None if data is None else data.find("ArticleIdList")]
    for element in (e for group in lists if group is not None for e in group.findall("ArticleId")):
        if element.text and element.get("IdType") != "pubmed":
            found.setdefault(element.get("IdType", "pubmed"), element.text.strip())
    for element in article.findall("ELocationID"):
        if element.text and element.get("ValidYN", "Y") == "Y":
            found.setdefault(element.get("EIdType", "pii"), element.text.strip())
    return found


def _references(data: Element) -> tuple[int, ...]:
    if data is None:
        return ()
    cited = data.findall(".//ReferenceList//ArticleId[@IdType='pubmed']")
    return tuple(dict.fromkeys(int(e.text) for e in cited if e.text and e.text.strip().isdigit()))


def _filters(citation: Element, article: Element, ids: dict[str, str]) -> frozenset[str]:
    status = citation.get("Status", "").lower()
    found = {"all", status, "book" if citation.tag == "BookDocument" else "journal article"}
    found |= {"medline"} if status == "medline" else set()
    found |= {"hasabstract", "has abstract"} if article.find("Abstract") is not None else set()
    found |= {"pubmed pmc", "free full text", "full text", "loattrfree full text"} if "pmc" in ids else set()
    return frozenset(found)


def _texts(record: Record, citation: Element, article: Element) -> dict[str, str]:
    headings = citation.findall("MeshHeadingList/MeshHeading")
    major = [h for h in headings if any(part.get("MajorTopicYN") == "Y" for part in h)]
    types = article.findall("PublicationTypeList/PublicationType") + article.findall("PublicationType")
    abstract = [text(e) for e in article.findall("Abstract/AbstractText")]
    other = [text(e) for e in citation.findall("OtherAbstract/AbstractText")]
    keywords = [text(e) for e in citation.findall("KeywordList/Keyword")]
    fields = {
        "ti": padded(record.title),
        "tiab": padded(record.title, *abstract, *other, *keywords),
        "mh": padded(*_mesh(headings)),
        "majr": padded(*_mesh(major)),
        "pt": padded(*map(text, types)),
        "la": padded(*(e.text or "" for e in article.findall("Language"))),
        "ta": padded(*record.journal),
        "au": padded(*_forms(record.authors)),
        "ad": padded(*map(text, article.iterfind(".//Affiliation"))),
        "ot": padded(*keywords),
        "nm": padded(*map(text, citation.findall("ChemicalList/Chemical/NameOfSubstance"))),
        "gr": padded(*map(text, citation.iterfind(".//Grant/GrantID"))),
        "vi": padded(record.volume),
        "ip": padded(record.issue),
        "pg": padded(record.pages, record.pages.partition("-")[0]),
        "aid": padded(*record.ids.values()),
    }
    fields["all"] = "".join(fields.values())
    return fields


def _mesh(headings: list[Element]) -> list[str]:
    found = []
    for heading in headings:
        name = heading.findtext("DescriptorName", "")
        found += [name] + [f"{name}/{text(q)}" for q in heading.findall("QualifierName")]
    return found


def _forms(authors: tuple[Author, ...]) -> list[str]:
    forms = []
    for author in authors:
        forms += [author.name, f"{author.last} {author.fore}", f"{author.fore} {author.last}"]
    return forms


def _year(article: Element) -> str:
    date = article.find("Journal/JournalIssue/PubDate")
    date = article.find("Book/PubDate") if date is None else date
    found = re.search(r"\d{4}", "" if date is None else text(date))
    return found.group(0) if found else ""


def _dates(citation: Element, article: Element, data: Element) -> dict[str, tuple[int, ...]]:
    history = {} if data is None else {d.get("PubStatus", ""): d for d in data.findall("History/PubMedPubDate")}
    printed = [
        article.find("Journal/JournalIssue/PubDate"),
        article.find("Book/PubDate"),
        *article.findall("ArticleDate"),
    ]
    groups = {
        "pdat": printed,
        "edat": [history.get("pubmed", history.get("entrez"))],
        "crdt": [history.get("entrez", history.get("pubmed"))],
        "mdat": [citation.find("DateRevised")],
    }
    found = {kind: tuple(dict.fromkeys(day for e in group if (day := _day(e)))) for kind, group in groups.items()}
    # A record without history entered the database on its print date, as old imported ones did.
    return {kind: days or found["pdat"][:1] for kind, days in found.items()}


def _day(element: Element) -> int:
    """A date element as days since year 1, a missing month or day as the first; 0 for none."""
    if element is None:
        return 0
    year = re.search(r"\d{4}", element.findtext("Year") or element.findtext("MedlineDate") or "")
    if not year:
        return 0
    word = (element.findtext("Month") or element.findtext("Season") or element.findtext("MedlineDate") or "1").lower()
    named = [(word.find(name), n) for name, n in (MONTHS | SEASONS).items() if name in word]
    month = min(named)[1] if named else (int(word) if word.isdigit() and 1 <= int(word) <= 12 else 1)
    day = element.findtext("Day") or "1"
    try:
        return datetime.date(int(year.group(0)), month, int(day)).toordinal()
    except ValueError:
        return datetime.date(int(year.group(0)), month, 1).toordinal()


def newer(one: Record, other: Record | None) -> bool:
    """Does this copy replace the other? The higher PMID version wins, then the later revision, then the longer one.

    Length decides between equal revisions because some recordings hold a record with parts cut off.
    """
    return other is None or (one.version, one.revised, len(one.raw)) > (other.version, other.revised, len(other.raw))


def author_matches(record: Record, query: str) -> bool:
    """`hart r` finds Hart RK, `hart rk` does not find Hart R; full and collective names match as they are."""
    wanted = fold(query)
    for author in record.authors:
        short = fold(f"{author.last} {author.initials}")
        forms = (
            short,
            fold(author.collective),
            fold(f"{author.last} {author.fore}"),
            fold(f"{author.fore} {author.last}"),
        )
        if any(form == wanted or form.startswith(wanted + " ") for form in forms if form):
            return True
        if " " in wanted and short.startswith(wanted):
            return True
    return False
