"""ESpell over the words of the records that the emulator holds."""

import difflib
import re
from collections.abc import Mapping
from functools import cached_property
from xml.sax.saxutils import escape

from vouched.testing.exchange import Asked, Reply

from tests.emulator.eutils_replies import document
from tests.emulator.pubmed_records import Record

# What was recorded: query -> the replacements, by word.
RECORDED = {
    "biopythooon": {"biopythooon": "biopython"},
    "Netch AND Mus musclus": {"netch": "notch", "musclus": "musculus"},
}


class ESpell:
    def __init__(self, records: Mapping[int, Record]) -> None:
        self.records = records

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        words = (word for record in self.records.values() for word in record.texts.get("tiab", "").split())
        return frozenset(word for word in words if len(word) > 3 and not word.isdigit())

    def answer(self, asked: Asked) -> Reply:
        query = asked.get("term")
        parts = re.split(r"(\w+)", query)
        corrected, spelled, changed, original = "", "", False, ""
        for part in parts:
            better = self._better(query, part)
            shown = part if part in ("AND", "OR", "NOT") else part.lower()
            corrected += better or shown
            if better:
                spelled += f"<Original>{escape(original)}</Original><Replaced>{escape(better)}</Replaced>"
                original, changed = "", True
            else:
                original += shown
        spelled += f"<Original>{escape(original)}</Original>" if original and changed else ""
        inner = f"\n\t<Database>{escape(asked.get('db', 'pubmed'))}</Database>\n\t<Query>{escape(query)}</Query>"
        inner += f"\n\t<CorrectedQuery>{escape(corrected if changed else '')}</CorrectedQuery>"
        # The empty element is no error: it is always there.
        return document("eSpellResult", f"{inner}\n\t<SpelledQuery>{spelled}</SpelledQuery>\n\t<ERROR/>\n")

    def _better(self, query: str, word: str) -> str:
        if query in RECORDED:
            return RECORDED[query].get(word.lower(), "")
        low = word.lower()
        if len(low) < 5 or not low.isalpha() or low in self.vocabulary:
            return ""
        near = [known for known in self.vocabulary if abs(len(known) - len(low)) <= 2 and known[0] == low[0]]
        return next(iter(difflib.get_close_matches(low, sorted(near), n=1, cutoff=0.82)), "")
