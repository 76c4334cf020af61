"""ECitMatch over the records that the emulator holds, with the service's ways.

A line is journal|year|volume|first page|author|key|. Of the lines that were recorded (ecitmatch_lines.tsv) each gets
the result that was recorded for it.
"""

import csv
import re
from collections.abc import Mapping
from functools import cached_property

from vouched.testing.exchange import Asked, Reply

from tests.emulator.index import Index
from tests.emulator.pubmed_records import Record, author_matches
from tests.emulator.words import fold

YEARS_APART = 2


class ECitMatch:
    def __init__(self, index: Index, records: Mapping[int, Record]) -> None:
        self.records = records
        self.recorded: dict[tuple[str, ...], str] = {}
        for path in index.files("ecitmatch", ".tsv"):
            with path.open(newline="", encoding="utf-8") as lines:
                for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                    self._learn(row["request_line"], row["response_line"])

    def _learn(self, request: str, response: str) -> None:
        fields = request.split("|")
        if len(fields) >= 6 and not response.startswith("(response"):
            self.recorded[_key(fields)] = response.removeprefix("(result) ").rpartition("|")[2]

    def answer(self, asked: Asked) -> Reply:
        lines: list[str] = []
        for line in re.split(r"[\r\n]+", asked.get("bdata")):
            fields = line.split("|")
            given = [field for field in fields[:5] if field.strip()]
            # A line with too little in it gets no answer, and the others theirs.
            if len(fields) < 6 or len(given) < 2:
                continue
            result = self._result(fields)
            if result.startswith("NOT_FOUND") and not fields[0].strip():
                # A miss without a journal ends the reply: no line for it, none for those after it.
                break
            # On a miss the author does not come back.
            author = "" if result.startswith("NOT_FOUND") else fields[4]
            lines.append("|".join([*fields[:4], author, fields[5], result]))
        return Reply.text("".join(f"{line}\n" for line in lines) + "\n", media="text/plain; charset=utf-8")

    @cached_property
    def _journals(self) -> dict[str, list[Record]]:
        found: dict[str, list[Record]] = {}
        for record in self.records.values():
            for name in {fold(name) for name in record.journal}:
                found.setdefault(name, []).append(record)
        return found

    def _result(self, fields: list[str]) -> str:
        if _key(fields) in self.recorded:
            return self.recorded[_key(fields)]
        journal, year, volume, page, author = (field.strip() for field in fields[:5])
        known = self._journals.get(fold(journal), []) if journal else list(self.records.values())
        if journal and not known:
            return "NOT_FOUND;INVALID_JOURNAL"
        if volume and page:
            # Volume and page outweigh author and year: a record that differs in those comes back all the same.
            found = [r for r in known if r.volume == volume and _first(r.pages) == page and _near(r.year, year)]
        else:
            found = [r for r in known if _agrees(r, year, volume, page, author)]
        pmids = sorted((record.pmid for record in found), reverse=True)
        if len(pmids) > 3:
            return f"AMBIGUOUS ({len(pmids)} citations)"
        if len(pmids) > 1:
            return "AMBIGUOUS " + ",".join(map(str, pmids))
        return str(pmids[0]) if pmids else "NOT_FOUND"


def _key(fields: list[str]) -> tuple[str, ...]:
    return tuple(field.strip().lower() for field in fields[:5])


def _first(pages: str) -> str:
    return re.split(r"[-,;]", pages)[0].strip()


def _near(year: str, wanted: str) -> bool:
    if not (year.isdigit() and wanted.isdigit()):
        return True
    return abs(int(year) - int(wanted)) <= YEARS_APART


def _agrees(record: Record, year: str, volume: str, page: str, author: str) -> bool:
    return (
        (not year or record.year == year)
        and (not volume or record.volume == volume)
        and (not page or _first(record.pages) == page)
        and (not author or author_matches(record, author))
    )
