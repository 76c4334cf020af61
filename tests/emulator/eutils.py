"""NCBI E-utilities over the records that the emulator holds."""

import datetime
import re
from collections.abc import Callable

from vouched.testing.exchange import Asked, Reply

from tests.emulator import pmc
from tests.emulator.ecitmatch import ECitMatch
from tests.emulator.elink import ELink
from tests.emulator.espell import ESpell
from tests.emulator.eutils_replies import (
    DB_OMITTED,
    TOO_FAR,
    TOO_LONG,
    Page,
    document,
    error,
    header,
    raw_json,
    search_error,
)
from tests.emulator.history import History
from tests.emulator.index import Index
from tests.emulator.mesh import Mesh
from tests.emulator.pubmed_query import FIELDS
from tests.emulator.pubmed_records import Record
from tests.emulator.pubmed_search import Found, Search, span
from tests.emulator.pubmed_summary import summary_json, summary_xml
from tests.emulator.synthetics import raw

LONGEST_URL = 16_384
FURTHEST = 9998
MOST_SUMMARIES = {"json": 500, "xml": 10_000}
SET_HEAD = (
    '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" '
    '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n<PubmedArticleSet>'
)
UNKNOWN_QUERY = "Unable to obtain query #{}"


class Eutils:
    """answer() is the service. records: what it holds now; history: its sessions."""

    def __init__(self, index: Index, records: dict[int, Record]) -> None:
        self.index, self.records, self.history = index, records, History()
        self.mesh = Mesh(index)
        self._known: dict[tuple[str, str], frozenset[int]] = {}
        self._utilities: dict[str, Callable[[Asked], Reply]] = {
            "esearch.fcgi": self.esearch,
            "esummary.fcgi": self.esummary,
            "efetch.fcgi": self.efetch,
            "epost.fcgi": self.epost,
            "einfo.fcgi": self.einfo,
            "elink.fcgi": ELink(index, records, self.history).answer,
            "espell.fcgi": ESpell(records).answer,
            "ecitmatch.cgi": ECitMatch(index, records).answer,
        }

    def answer(self, asked: Asked) -> Reply:
        if len(asked.target) > LONGEST_URL:
            return Reply.text(TOO_LONG, 414, "text/html; charset=utf-8")
        utility = self._utilities.get(asked.path)
        if utility is None:
            return Reply.text("<html><body><h1>404 Not Found</h1></body></html>", 404, "text/html")
        return utility(asked)

    def esearch(self, asked: Asked) -> Reply:
        as_json = asked.get("retmode").lower() == "json"
        if not asked.get("db"):
            return Reply.text(DB_OMITTED, 400)
        start, size = number(asked, "retstart", 0), min(number(asked, "retmax", 20), FURTHEST + 1)
        if start > FURTHEST:
            return search_error(TOO_FAR, as_json)
        found = self._search(asked)
        if found is None:
            return search_error(f"Search Backend failed: Database is not supported: {asked.get('db')}", as_json)
        if asked.get("rettype").lower() == "count":
            count = str(len(found.pmids))
            if as_json:
                return Reply.json({"header": header("esearch"), "esearchresult": {"count": count}})
            return document("eSearchResult", f"<Count>{count}</Count>")
        kept = self._kept(asked, found.pmids)
        window = found.pmids[start : min(start + size, FURTHEST + 1)]
        page = Page(found, start, len(window) if size > len(window) else size, window, kept)
        if len(found.pmids) > FURTHEST + 1 and start + size > FURTHEST + 1:
            page.messages.append(f"Restrictions achieved. start and count adjusted to {start}, {len(window)}")
        return page.json() if as_json else page.xml()

    def _search(self, asked: Asked) -> Found | None:
        if asked.get("db") == "mesh":
            return self.mesh.search(asked.get("term"))
        if asked.get("db") == "pmc":
            return pmc.search(self.index, asked.get("term"))
        if asked.get("db") != "pubmed":
            return None
        search = Search(self.records, self.history.sets(asked.get("WebEnv")), self._known)
        return search.run(asked.get("term"), asked.get("field"), asked.get("sort"), _dates(asked))

    def _kept(self, asked: Asked, pmids: list[int]) -> tuple[str, str] | None:
        return self.history.keep(pmids, asked.get("WebEnv")) if asked.get("usehistory").lower() == "y" else None

    def efetch(self, asked: Asked) -> Reply:
        if asked.get("db") == "pmc":
            return pmc.fetch(self.index, _ids(asked))
        pmids = self._asked_for(asked)
        if isinstance(pmids, str):
            return error("eFetchResult", pmids, 400)
        if pmids is None:
            return error("eFetchResult", "Supplied id parameter is empty.")
        if not pmids:
            return error("eFetchResult", "ID list is empty! Possibly it has no correct IDs.", 400)
        if asked.get("rettype") == "uilist":
            return Reply.text("".join(f"{pmid}\n" for pmid in pmids if pmid in self.records))
        found = [raw(self.records[pmid]) for pmid in dict.fromkeys(pmids) if pmid in self.records]
        return Reply.xml(SET_HEAD.encode() + b"\n".join(found) + b"</PubmedArticleSet>\n")

    def esummary(self, asked: Asked) -> Reply:
        as_json = asked.get("retmode").lower() == "json"
        if as_json and (bad := _bad_uid(asked)):
            problem = f"Invalid uid {bad[0]} at position= {bad[1]}"
            return raw_json({"header": header("esummary"), "error": problem, "result": {"uids": []}})
        pmids = self._asked_for(asked)
        if pmids is None and not as_json:
            return error("eSummaryResult", "Neither query_key nor id specified")
        if pmids is None or pmids == []:
            return raw_json({"esummaryresult": ["Empty id list - nothing todo"]})
        if isinstance(pmids, str):
            status = 400 if pmids == TOO_FAR else 200
            refused = {"esummaryresult": [pmids]}
            return raw_json(refused, status) if as_json else error("eSummaryResult", pmids, status)
        most = MOST_SUMMARIES["json" if as_json else "xml"]
        if len(pmids) > most and as_json:
            problem = f"Too many UIDs in request. Maximum number of UIDs is {most} for JSON format output."
            return raw_json({"header": header("esummary"), "error": problem})
        if asked.get("db") == "mesh":
            return self.mesh.summary(pmids, as_json)
        records = {pmid: self.records.get(pmid) for pmid in pmids}
        return summary_json(records) if as_json else summary_xml(records, asked.get("version") == "2.0")

    def epost(self, asked: Asked) -> Reply:
        if asked.get("db") != "pubmed":
            return error("ePostResult", f"Invalid db name specified: {asked.get('db')}")
        words = _ids(asked)
        pmids = [int(word) for word in words if word.isdigit()]
        bad = "Some IDs have invalid value and were omitted. Maximum ID value 18446744073709551615"
        omitted = f"\n\t<ERROR>{bad}</ERROR>" if len(pmids) < len(words) else ""
        if not pmids:
            return document("ePostResult", f"\n\t<ERROR>Empty ID list; Nothing to store</ERROR>{omitted}")
        session, key = self.history.keep(pmids, asked.get("WebEnv"))
        return document("ePostResult", f"{omitted}\n\t<QueryKey>{key}</QueryKey>\n\t<WebEnv>{session}</WebEnv>\n")

    def einfo(self, asked: Asked) -> Reply:
        """The list of databases, or what PubMed is: its build and its fields."""
        as_json = asked.get("retmode").lower() == "json"
        if not asked.get("db"):
            names = ["pubmed", "pmc", "mesh"]
            if as_json:
                return Reply.json({"header": header("einfo"), "einforesult": {"dblist": names}})
            return document("eInfoResult", "<DbList>" + "".join(f"<DbName>{n}</DbName>" for n in names) + "</DbList>")
        if asked.get("db") != "pubmed":
            return error("eInfoResult", f"Can not retrieve DbInfo for db={asked.get('db')}")
        facts = {"dbname": "pubmed", "menuname": "PubMed", "description": "PubMed bibliographic record"}
        facts |= {
            "dbbuild": "Build-2026.09.18.09.05",
            "count": str(len(self.records)),
            "lastupdate": "2026/09/18 09:05",
        }
        fields = [{"name": tag.upper(), "fullname": name} for tag, (name, _) in FIELDS.items()]
        if as_json:
            return Reply.json({"header": header("einfo"), "einforesult": {"dbinfo": [facts | {"fieldlist": fields}]}})
        names = ["DbName", "MenuName", "Description", "DbBuild", "Count", "LastUpdate"]
        inner = "".join(f"<{name}>{facts[name.lower()]}</{name}>" for name in names)
        rows = "".join(f"<Field><Name>{f['name']}</Name><FullName>{f['fullname']}</FullName></Field>" for f in fields)
        return document("eInfoResult", f"<DbInfo>{inner}<FieldList>{rows}</FieldList></DbInfo>")

    def _asked_for(self, asked: Asked) -> list[int] | str | None:
        """The PMIDs that a request names, by id or by history; a text is the error; None: no id at all."""
        if asked.get("query_key"):
            kept = self.history.get(asked.get("WebEnv"), asked.get("query_key"))
            if kept is None:
                return UNKNOWN_QUERY.format(asked.get("query_key"))
            start = number(asked, "retstart", 0)
            if start > FURTHEST:
                return TOO_FAR
            return kept[start : start + min(number(asked, "retmax", 10_000), 10_000)]
        words = _ids(asked)
        return [int(word) for word in words if word.isdigit()] if words else None


def number(asked: Asked, name: str, default: int) -> int:
    """A numeric field; what is not a number counts as not given, as the service does it."""
    value = asked.get(name).strip()
    return int(value) if re.fullmatch(r"\d+", value) else default


def _ids(asked: Asked) -> list[str]:
    return [word.strip() for value in asked.all("id") for word in value.split(",") if word.strip()]


def _bad_uid(asked: Asked) -> tuple[str, int] | None:
    return next(((word, n) for n, word in enumerate(_ids(asked)) if not word.isdigit()), None)


def _dates(asked: Asked) -> tuple[str, int, int] | None:
    """The date limits of a search: date type, first and last day; None when there is none."""
    kind = asked.get("datetype", "edat").lower()
    kind = kind if kind in ("pdat", "edat", "mdat", "crdt") else "edat"
    if asked.get("reldate").isdigit():
        today = datetime.datetime.now(datetime.UTC).date().toordinal()
        return kind, today - int(asked.get("reldate")), today
    if asked.get("mindate") and asked.get("maxdate"):
        return kind, span(asked.get("mindate"))[0], span(asked.get("maxdate"))[1]
    # With only one of the two the service ignores it.
    return None
