"""ESummary's view of a PubMed record: version 2.0 as JSON and XML, version 1 as XML."""

import calendar
import datetime
from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from lxml import etree
from vouched.testing.exchange import Reply

from tests.emulator.eutils_replies import document, header
from tests.emulator.pubmed_records import Element, Record, text
from tests.emulator.synthetics import raw
from tests.emulator.words import fold

ID_TYPES = {"pubmed": 1, "doi": 3, "pii": 4, "pmcid": 5, "pmc": 8, "mid": 8, "rid": 8, "eid": 8, "bookaccession": 8}
STATES = {
    "MEDLINE": "PubMed - indexed for MEDLINE",
    "PubMed-not-MEDLINE": "PubMed",
    "Publisher": "PubMed - as supplied by publisher",
}
STATES |= {"In-Process": "PubMed - in process", "In-Data-Review": "PubMed - in process"}
PUB_STATES = {"ppublish": "4", "epublish": "3", "aheadofprint": "10"}
MISSING = "cannot get document summary"
TEXTUAL = (
    "uid pubdate epubdate source lastauthor title sorttitle volume issue pages nlmuniqueid issn essn "
    "recordstatus pubstatus fulljournalname elocationid doctype booktitle medium edition publisherlocation "
    "publishername srcdate reportnumber availablefromurl locationlabel docdate bookname chapter sortpubdate "
    "sortfirstauthor vernaculartitle"
)
TEXT_FIELDS = TEXTUAL.split()


def summary_json(records: Mapping[int, Record | None]) -> Reply:
    result: dict[str, Any] = {"uids": [str(pmid) for pmid in records]}
    for pmid, record in records.items():
        missing = {"uid": str(pmid), "error": MISSING}
        result[str(pmid)] = missing if record is None else summary(record)
    return Reply.json({"header": header("esummary"), "result": result})


def summary(record: Record) -> dict[str, Any]:
    """The document summary of version 2.0; what a record has not is an empty string."""
    root: Element = etree.fromstring(raw(record))
    made = dict.fromkeys(TEXT_FIELDS, "")
    book = root.tag == "PubmedBookArticle"
    shared = _book(root, record) if book else _article(root, record)
    names = [author.name for author in record.authors]
    lists = {
        "authors": [
            {"name": a.name, "authtype": "CollectiveName" if a.collective else "Author", "clusterid": ""}
            for a in record.authors
        ],
        "pubtype": [text(e) for e in root.iter("PublicationType")],
        "lang": [e.text for e in root.iterfind(".//Language")],
        "articleids": _ids(record),
        "history": _history(root),
        "references": _notices(root),
        "attributes": ["Has Abstract"] if root.find(".//Abstract") is not None else [],
        "srccontriblist": [],
        "doccontriblist": [],
        "pmcrefcount": "",
    }
    own = {"uid": str(record.pmid), "title": record.title, "sorttitle": fold(record.title)}
    own |= {"lastauthor": names[-1] if names else "", "sortfirstauthor": names[0] if names else ""}
    own |= {"volume": record.volume, "issue": record.issue, "pages": record.pages}
    return made | own | lists | shared


def _article(root: Element, record: Record) -> dict[str, Any]:
    citation = root.find("MedlineCitation")
    article = citation.find("Article")
    issns = {e.get("IssnType"): e.text for e in article.findall("Journal/ISSN")}
    date = article.find("Journal/JournalIssue/PubDate")
    places = [f"{e.get('EIdType')}: {e.text}" for e in article.findall("ELocationID")]
    electronic = article.find("ArticleDate")
    return {
        "pubdate": _written(date),
        "epubdate": "" if electronic is None else _written(electronic),
        "source": citation.findtext("MedlineJournalInfo/MedlineTA", ""),
        "nlmuniqueid": citation.findtext("MedlineJournalInfo/NlmUniqueID", ""),
        "issn": issns.get("Print", ""),
        "essn": issns.get("Electronic", ""),
        "recordstatus": STATES.get(citation.get("Status"), "PubMed"),
        "pubstatus": PUB_STATES.get(root.findtext("PubmedData/PublicationStatus"), ""),
        "fulljournalname": article.findtext("Journal/Title", ""),
        "elocationid": ". ".join(places),
        "doctype": "citation",
        "sortpubdate": _sortable(record),
        "vernaculartitle": text(article.find("VernacularTitle")),
    }


def _book(root: Element, record: Record) -> dict[str, Any]:
    book = root.find("BookDocument/Book")
    title = text(book.find("BookTitle"))
    return {
        "pubdate": _written(book.find("PubDate")),
        "source": "",
        "doctype": "chapter" if root.find("BookDocument/ArticleTitle") is not None else "book",
        "booktitle": title,
        "publisherlocation": book.findtext("Publisher/PublisherLocation", ""),
        "publishername": book.findtext("Publisher/PublisherName", ""),
        "medium": book.findtext("Medium", ""),
        "bookname": (book.find("BookTitle").get("book") or "") if book.find("BookTitle") is not None else "",
        "chapter": record.title,
        "sortpubdate": _sortable(record),
    }


def _written(date: Element) -> str:
    """`2012 Jul 12`, `1998 Dec-1999 Jan`, `2004 Spring`."""
    if date is None:
        return ""
    parts = [date.findtext(name, "") for name in ("Year", "Season", "Month", "Day", "MedlineDate")]
    if parts[2].isdigit():
        parts[2] = calendar.month_abbr[int(parts[2])]
    parts[3] = parts[3].lstrip("0")
    return " ".join(part for part in parts if part)


def _sortable(record: Record) -> str:
    days = record.dates["pdat"]
    return datetime.date.fromordinal(days[0]).strftime("%Y/%m/%d 00:00") if days else ""


def _ids(record: Record) -> list[dict[str, Any]]:
    found = [{"idtype": "pubmed", "idtypen": 1, "value": str(record.pmid)}]
    for kind, value in record.ids.items():
        found.append({"idtype": kind, "idtypen": ID_TYPES.get(kind, 8), "value": value})
        if kind == "pmc":
            found.append({"idtype": "pmcid", "idtypen": 5, "value": f"pmc-id: {value};"})
    return found


def _history(root: Element) -> list[dict[str, str]]:
    found = []
    for date in root.iterfind(".//History/PubMedPubDate"):
        day = "/".join(date.findtext(n, "1").zfill(2) for n in ("Year", "Month", "Day"))
        time = ":".join(date.findtext(n, "0").zfill(2) for n in ("Hour", "Minute"))
        found.append({"pubstatus": date.get("PubStatus", ""), "date": f"{day} {time}"})
    return found


def _notices(root: Element) -> list[dict[str, Any]]:
    """Links to notices: `references` of version 2.0 holds comments and corrections, not the reference list."""
    found = []
    for note in root.iterfind(".//CommentsCorrections"):
        kind = "".join(f" {c.lower()}" if c.isupper() else c for c in note.get("RefType", "")).strip().capitalize()
        pmid = note.findtext("PMID", "")
        found.append(
            {
                "refsource": note.findtext("RefSource", ""),
                "reftype": kind,
                "pmid": pmid,
                "note": note.findtext("Note", ""),
            }
        )
    return found


def summary_xml(records: Mapping[int, Record | None], second: bool) -> Reply:
    parts = []
    for pmid, record in records.items():
        if record is None:
            parts.append(f"\n\t<ERROR>UID={pmid}: {MISSING}</ERROR>")
        else:
            parts.append((_second if second else _first)(summary(record)))
    inner = "".join(parts)
    if second:
        inner = f'\n<DocumentSummarySet status="OK">{inner}\n</DocumentSummarySet>'
    return document("eSummaryResult", inner + "\n")


def _item(name: str, kind: str, value: str, indent: str = "\t") -> str:
    return f"\n{indent}<Item Name={quoteattr(name)} Type={quoteattr(kind)}>{value}</Item>"


def _list(name: str, inner: str) -> str:
    return (
        f'\n\t<Item Name="{name}" Type="List">{inner}\n\t</Item>'
        if inner
        else f'\n\t<Item Name="{name}" Type="List"></Item>'
    )


def _first(made: dict[str, Any]) -> str:
    """DocSum of version 1: other names, types, and the language in words."""
    plain = [("PubDate", "Date", "pubdate"), ("EPubDate", "Date", "epubdate"), ("Source", "String", "source")]
    rest = [
        ("LastAuthor", "lastauthor"),
        ("Title", "title"),
        ("Volume", "volume"),
        ("Issue", "issue"),
        ("Pages", "pages"),
    ]
    inner = f"\n<DocSum>\n\t<Id>{made['uid']}</Id>"
    inner += "".join(_item(name, kind, escape(made[key])) for name, kind, key in plain)
    inner += _list("AuthorList", "".join(_item("Author", "String", escape(a["name"]), "\t\t") for a in made["authors"]))
    inner += "".join(_item(name, "String", escape(made[key])) for name, key in rest)
    inner += _list("LangList", "".join(_item("Lang", "String", LANGUAGES.get(x, x), "\t\t") for x in made["lang"]))
    inner += _item("NlmUniqueID", "String", made["nlmuniqueid"]) + _item("ISSN", "String", made["issn"])
    inner += _item("ESSN", "String", made["essn"])
    inner += _list("PubTypeList", "".join(_item("PubType", "String", escape(p), "\t\t") for p in made["pubtype"]))
    inner += _item("RecordStatus", "String", made["recordstatus"])
    inner += _list(
        "ArticleIds", "".join(_item(i["idtype"], "String", escape(i["value"]), "\t\t") for i in made["articleids"])
    )
    inner += _list("History", "".join(_item(h["pubstatus"], "Date", h["date"], "\t\t") for h in made["history"]))
    inner += _item("HasAbstract", "Integer", str(len(made["attributes"])))
    inner += _item("FullJournalName", "String", escape(made["fulljournalname"]))
    inner += _item("ELocationID", "String", escape(made["elocationid"]))
    where = f"{made['pubdate']};{made['volume']}({made['issue']}):{made['pages']}"
    return inner + _item("SO", "String", escape(where)) + "\n</DocSum>\n"


LANGUAGES = {"eng": "English", "fre": "French", "ger": "German", "spa": "Spanish", "rus": "Russian", "jpn": "Japanese"}


def _second(made: dict[str, Any]) -> str:
    """DocumentSummary of version 2.0, from the documented names; no recording of it is at hand."""
    inner = "".join(f"\n\t<{name.capitalize()}>{escape(made[name])}</{name.capitalize()}>" for name in TEXT_FIELDS[1:])
    authors = "".join(
        f"\n\t\t<Author><Name>{escape(a['name'])}</Name><AuthType>{a['authtype']}</AuthType></Author>"
        for a in made["authors"]
    )
    ids = "".join(
        f"\n\t\t<ArticleId><IdType>{i['idtype']}</IdType><IdTypeN>{i['idtypen']}</IdTypeN><Value>{escape(i['value'])}</Value></ArticleId>"
        for i in made["articleids"]
    )
    return (
        f'\n<DocumentSummary uid="{made["uid"]}">{inner}\n\t<Authors>{authors}</Authors>'
        f"\n\t<ArticleIds>{ids}</ArticleIds>\n</DocumentSummary>"
    )
