"""The PMC ID converter over the articles in PMC that the emulator knows."""

import csv
import io
import re
from typing import Any
from xml.sax.saxutils import quoteattr

from vouched.testing.exchange import Asked, Reply

from tests.emulator.index import Index

MOST = 200
NOT_IN_PMC = "Identifier not found in PMC"
KINDS = {"pmid": r"\d+", "pmcid": r"(?i:PMC)?\d+(\.\d+)?", "doi": r"10\..+", "mid": r"[A-Za-z]+\d+"}


class IdConv:
    """answer() is the service. shape: `new` (JSON numbers, response-date) or `old` (strings, responseDate)."""

    def __init__(self, index: Index, shape: str = "new") -> None:
        self.index, self.shape = index, shape

    def answer(self, asked: Asked) -> Reply:
        words = [word.strip() for word in asked.get("ids").split(",") if word.strip()]
        kind = asked.get("idtype") or _guessed(words)
        problem = _problem(words, kind)
        if problem:
            return Reply.json({"status": "error", "message": problem}, 400)
        records = [self._record(word, kind) for word in words]
        form = asked.get("format", "xml")
        if form == "json":
            return self._json(asked, words, kind, records)
        return _csv(records) if form == "csv" else _xml(asked, kind, records)

    def _record(self, word: str, kind: str) -> dict[str, Any]:
        wanted = word.upper() if kind in ("pmcid", "mid") else word.lower()
        if kind == "pmcid":
            wanted = "PMC" + re.sub(r"^PMC|\.\d+$", "", wanted)
        found = self.index.in_pmc.get((kind, wanted))
        if found is None:
            own: Any = int(word) if kind == "pmid" and self.shape == "new" else word
            return {kind: own, "requested-id": word, "status": "error", "errmsg": NOT_IN_PMC}
        made: dict[str, Any] = dict(found)
        if "pmid" in made:
            made["pmid"] = int(made["pmid"]) if self.shape == "new" else str(made["pmid"])
        return made | {"requested-id": word}

    def _json(self, asked: Asked, words: list[str], kind: str, records: list[dict[str, Any]]) -> Reply:
        if self.shape == "old":
            plain = [{n: v for n, v in record.items() if n != "requested-id"} for record in records]
            echo = ";".join(f"{name}={value}" for name, value in asked.fields)
            body: dict[str, Any] = {
                "status": "ok",
                "responseDate": "2016-03-21 07:51:59",
                "request": echo,
                "records": plain,
            }
            return Reply.json(body, 200, "application/json; charset=ISO-8859-1")
        missing = [name for name in ("email", "tool") if not asked.get(name)]
        request = {"warnings": [f"query param `{name}` is missing." for name in missing], "format": "json"}
        request |= {
            "idtype": kind,
            "ids": words,
            "echo": asked.target.partition("?")[2],
            "versions": "no",
            "showaiid": "no",
        }
        body = {"status": "ok", "response-date": "2026-06-16 14:17:07", "request": request, "records": records}
        return Reply.json(body)


def _guessed(words: list[str]) -> str:
    first = words[0] if words else ""
    return next((kind for kind, form in KINDS.items() if re.fullmatch(form, first)), "pmid")


def _problem(words: list[str], kind: str) -> str:
    if not words:
        return "Parameter `ids` is missing."
    if len(words) > MOST:
        return f"Too many ids: {len(words)}. At most {MOST} are allowed."
    if kind not in KINDS:
        return f"Unknown idtype: {kind}"
    bad = [word for word in words if not re.fullmatch(KINDS[kind], word)]
    return f"Invalid {kind}: {bad[0]}" if bad else ""


def _xml(asked: Asked, kind: str, records: list[dict[str, Any]]) -> Reply:
    rows = []
    for record in records:
        order = ("requested-id", "pmcid", "pmid", "doi", "mid", "status", "errmsg")
        attributes = " ".join(f"{name}={quoteattr(str(record[name]))}" for name in order if name in record)
        rows.append(f"<record {attributes}></record>")
    request = f'<request idtype="{kind}" versions="no" showaiid="no"></request>'
    return Reply.xml(f'<pmcids status="ok">{request}{"".join(rows)}</pmcids>')


def _csv(records: list[dict[str, Any]]) -> Reply:
    out = io.StringIO()
    rows = csv.writer(out, quoting=csv.QUOTE_ALL)
    rows.writerow(["PMID", "PMCID", "DOI", "Version", "MID", "IsCurrent", "IsLive", "ReleaseDate", "Msg"])
    for record in records:
        known = [str(record.get(name, "")) for name in ("pmid", "pmcid", "doi")]
        rows.writerow([*known, "", record.get("mid", ""), "", "", "", record.get("errmsg", "")])
    return Reply.text(out.getvalue(), media="text/csv")
