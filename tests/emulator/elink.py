"""ELink over the records that the emulator holds."""

from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape

from vouched.testing.exchange import Asked, Reply

from tests.emulator.eutils_replies import document, error, header
from tests.emulator.history import History
from tests.emulator.index import Index
from tests.emulator.pubmed_query import STOPWORDS
from tests.emulator.pubmed_records import Record

SELF = 2147483647
Scored = list[tuple[str, int]]


class ELink:
    """Links between records, by link name. records: the PubMed records by PMID."""

    def __init__(self, index: Index, records: Mapping[int, Record], history: History) -> None:
        self.index, self.records, self.history = index, records, history

    def answer(self, asked: Asked) -> Reply:
        groups = self._groups(asked)
        if groups is None:
            return error("eLinkResult", f"Unable to obtain query #{asked.get('query_key')}", 400)
        command = asked.get("cmd", "neighbor")
        as_json = asked.get("retmode").lower() == "json"
        if command in ("prlinks", "llinks", "llinkslib"):
            return self._urls(groups)
        if command in ("ncheck", "lcheck", "acheck"):
            return self._checked(groups, command)
        sets = [self._linkset(asked, ids, command) for ids in groups]
        if as_json:
            return Reply.json({"header": header("elink"), "linksets": sets})
        return document("eLinkResult", "\n" + "".join(map(_xml, sets)))

    def _groups(self, asked: Asked) -> list[list[str]] | None:
        """Ids by LinkSet: a comma list is one set, each further `id=` another; None for an unknown history query."""
        if asked.get("query_key"):
            kept = self.history.get(asked.get("WebEnv"), asked.get("query_key"))
            return None if kept is None else [[str(pmid) for pmid in kept]]
        groups = [[word.strip() for word in value.split(",") if word.strip()] for value in asked.all("id")]
        return [group for group in groups if group]

    def _linkset(self, asked: Asked, ids: list[str], command: str) -> dict[str, Any]:
        source, target = asked.get("dbfrom", "pubmed"), asked.get("db", "pubmed")
        made: dict[str, Any] = {"dbfrom": source, "ids": ids}
        wanted = asked.get("linkname")
        found = []
        for name in [wanted] if wanted else _names(source, target):
            scored = self._links(name, ids)
            if scored:
                found.append((name, scored))
        if command == "neighbor_history" and found:
            session = ""
            histories = []
            for name, scored in found:
                session, key = self.history.keep([int(i) for i, _ in scored], session)
                histories.append({"dbto": target, "linkname": name, "querykey": key})
            return made | {"linksetdbhistories": histories, "webenv": session}
        if found:
            made["linksetdbs"] = [
                {
                    "dbto": target,
                    "linkname": name,
                    "links": [{"id": i, "score": s} for i, s in scored]
                    if command == "neighbor_score"
                    else [i for i, _ in scored],
                }
                for name, scored in found
            ]
        return made

    def _links(self, name: str, ids: list[str]) -> Scored:
        makers = {
            "pubmed_pubmed": self._similar,
            "pubmed_pubmed_five": lambda pmid: self._similar(pmid)[:6],
            "pubmed_pubmed_reviews": lambda pmid: [link for link in self._similar(pmid) if self._review(link[0])],
            "pubmed_pubmed_citedin": self._citing,
            "pubmed_pubmed_refs": lambda pmid: [(str(cited), 0) for cited in self.records[pmid].references],
            "pubmed_pmc": self._in_pmc,
        }
        merged: dict[str, int] = {}
        if name == "pmc_pubmed":
            for word in ids:
                known = self.index.in_pmc.get(("pmcid", "PMC" + word.upper().removeprefix("PMC")), {})
                merged |= {known["pmid"]: 0} if "pmid" in known else {}
            return list(merged.items())
        for word in ids:
            if name in makers and word.isdigit() and int(word) in self.records:
                for key, score in makers[name](int(word)):
                    merged[key] = max(score, merged.get(key, 0))
        return sorted(merged.items(), key=lambda link: -link[1])

    def _similar(self, pmid: int) -> Scored:
        """By words that titles and headings share: the record itself first, as the service does it."""
        own = _words(self.records[pmid])
        scores = [(str(p), 1000 * len(own & _words(r))) for p, r in self.records.items() if p != pmid and r.raw]
        near = sorted((link for link in scores if link[1] >= 2000), key=lambda link: (-link[1], int(link[0])))
        return [(str(pmid), SELF), *near[:100]]

    def _review(self, pmid: str) -> bool:
        return " review " in self.records[int(pmid)].texts.get("pt", "")

    def _citing(self, pmid: int) -> Scored:
        return [(str(p), 0) for p in sorted(self.records, reverse=True) if pmid in self.records[p].references]

    def _in_pmc(self, pmid: int) -> Scored:
        pmcid = self.records[pmid].ids.get("pmc", "")
        return [(pmcid.removeprefix("PMC"), 0)] if pmcid else []

    def _urls(self, groups: list[list[str]]) -> Reply:
        """Full text links, made of the records' own DOIs."""
        inner = ""
        for word in (word for group in groups for word in group):
            record = self.records.get(int(word)) if word.isdigit() else None
            doi = record.ids.get("doi") if record else None
            provider = "<Provider>\n<Name>DOI</Name>\n<NameAbbr>doi</NameAbbr>\n<Id>0</Id>\n</Provider>"
            url = f"<ObjUrl>\n<Url>https://doi.org/{escape(doi)}</Url>\n{provider}\n</ObjUrl>" if doi else ""
            inner += f"<IdUrlSet>\n\t<Id>{escape(word)}</Id>\n{url}</IdUrlSet>\n"
        return document("eLinkResult", f"\n<LinkSet><DbFrom>pubmed</DbFrom><IdUrlList>{inner}</IdUrlList></LinkSet>\n")

    def _checked(self, groups: list[list[str]], command: str) -> Reply:
        name = "HasLinkOut" if command == "lcheck" else "HasNeighbor"
        inner = ""
        for word in (word for group in groups for word in group):
            known = "Y" if word.isdigit() and int(word) in self.records else "N"
            inner += f'\n\t\t\t<Id {name}="{known}">{escape(word)}</Id>'
        check = f"<IdCheckList>{inner}\n\t\t</IdCheckList>"
        return document("eLinkResult", f"\n\t<LinkSet>\n\t\t<DbFrom>pubmed</DbFrom>\n\t\t{check}\n\t</LinkSet>\n")


def _names(source: str, target: str) -> list[str]:
    if (source, target) == ("pubmed", "pubmed"):
        kinds = ("", "_citedin", "_five", "_refs", "_reviews")
        return ["pubmed_pubmed" + kind for kind in kinds]
    return [f"{source}_{target}"]


def _words(record: Record) -> set[str]:
    text = record.texts.get("ti", "") + record.texts.get("mh", "")
    return {word for word in text.split() if len(word) > 3 and word not in STOPWORDS}


def _xml(made: dict[str, Any]) -> str:
    ids = "".join(f"<Id>{escape(word)}</Id>" for word in made["ids"])
    inner = f"<DbFrom>{made['dbfrom']}</DbFrom>\n    <IdList>{ids}</IdList>\n"
    for group in made.get("linksetdbs", []):
        links = "".join(_link(link) for link in group["links"])
        inner += (
            f"    <LinkSetDb>\n      <DbTo>{group['dbto']}</DbTo>\n      <LinkName>{group['linkname']}</LinkName>\n"
        )
        inner += f"{links}    </LinkSetDb>\n"
    for kept in made.get("linksetdbhistories", []):
        where = f"<DbTo>{kept['dbto']}</DbTo><LinkName>{kept['linkname']}</LinkName>"
        inner += f"    <LinkSetDbHistory>{where}<QueryKey>{kept['querykey']}</QueryKey></LinkSetDbHistory>\n"
    inner += f"    <WebEnv>{made['webenv']}</WebEnv>\n" if "webenv" in made else ""
    return f"  <LinkSet>\n    {inner}  </LinkSet>\n"


def _link(link: Any) -> str:
    if isinstance(link, dict):
        return f"      <Link><Id>{link['id']}</Id><Score>{link['score']}</Score></Link>\n"
    return f"      <Link><Id>{link}</Id></Link>\n"
