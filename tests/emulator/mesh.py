"""E-utilities' answers for db=mesh, from document summaries kept as JSON (folder `mesh`).

The shapes follow the documented names of version 2.0 (JSON) and 1 (XML); no recording of db=mesh is at hand, so the
nesting of DS_IdxLinks in the XML rests on memory.
"""

from typing import Any
from xml.sax.saxutils import escape

from vouched.testing.exchange import Reply

from tests.emulator.eutils_replies import document, header
from tests.emulator.index import Index
from tests.emulator.pubmed_query import Pair, Term, Tree, parse
from tests.emulator.pubmed_search import Found
from tests.emulator.words import holds, padded

Row = dict[str, Any]


class Mesh:
    """rows: document summaries by uid (68nnnnnn descriptors, 67 supplementary records, 81 qualifiers)."""

    def __init__(self, index: Index) -> None:
        self.rows: dict[int, Row] = {}
        for _, found in index.documents("mesh"):
            for uid in found["result"]["uids"]:
                self.rows[int(uid)] = found["result"][uid]

    def search(self, query: str) -> Found:
        parsed = parse(query)
        found = Found([], query, fields_not_found=[tag for tag in parsed.unknown_tags if tag.lower() not in OWN_TAGS])
        hits = self._eval(parsed.tree, found)
        found.pmids = sorted(hits, reverse=True)
        return found

    def _eval(self, tree: Tree | None, found: Found) -> set[int]:
        if isinstance(tree, Pair):
            left, right = self._eval(tree.left, found), self._eval(tree.right, found)
            return {"AND": left & right, "OR": left | right, "NOT": left - right}[tree.operator]
        if not isinstance(tree, Term):
            return set()
        hits = {uid for uid, row in self.rows.items() if _matches(row, tree)}
        if not hits:
            found.phrases_not_found.append(tree.text)
        return hits

    def summary(self, uids: list[int], as_json: bool) -> Reply:
        if as_json:
            result: dict[str, Any] = {"uids": [str(uid) for uid in uids]}
            for uid in uids:
                missing = {"uid": str(uid), "error": "cannot get document summary"}
                result[str(uid)] = self.rows.get(uid, missing)
            return Reply.json({"header": header("esummary"), "result": result})
        return document("eSummaryResult", "".join(_docsum(uid, self.rows.get(uid)) for uid in uids) + "\n")


OWN_TAGS = ("mhui", "mesh unique id", "ui", "mesh unique identifier")


def _matches(row: Row, term: Term) -> bool:
    if term.field == "mh":
        return any(padded(name) == padded(term.text) for name in row["ds_meshterms"])
    if term.text.upper() == row["ds_meshui"] or term.text == row["uid"]:
        return True
    return any(holds(padded(text), term.text) for text in [*row["ds_meshterms"], row["ds_scopenote"]])


def _docsum(uid: int, row: Row | None) -> str:
    if row is None:
        return f"\n\t<ERROR>UID={uid}: cannot get document summary</ERROR>"
    links = "".join(_structure(link) for link in row["ds_idxlinks"])
    inner = f"\n<DocSum>\n\t<Id>{uid}</Id>"
    inner += _item("DS_RecordType", row["ds_recordtype"]) + _item("DS_MeSHUI", row["ds_meshui"])
    inner += _item("DS_ScopeNote", row["ds_scopenote"]) + _item("DS_YearIntroduced", row["ds_yearintroduced"])
    inner += _list("DS_MeshTerms", row["ds_meshterms"]) + _list("DS_Subheading", row["ds_subheading"])
    inner += _list("DS_SeeAlso", row["ds_seealso"]) + _list("DS_HeadingMappedTo", row.get("ds_headingmappedto", []))
    return inner + f'\n\t<Item Name="DS_IdxLinks" Type="List">{links}\n\t</Item>\n</DocSum>\n'


def _item(name: str, value: str, indent: str = "\t", kind: str = "String") -> str:
    return f'\n{indent}<Item Name="{name}" Type="{kind}">{escape(value)}</Item>'


def _list(name: str, values: list[str]) -> str:
    inner = "".join(_item("string", value, "\t\t") for value in values)
    return f'\n\t<Item Name="{name}" Type="List">{inner}\n\t</Item>'


def _structure(link: Row) -> str:
    parts = _item("Parent", str(link["parent"]), "\t\t\t", "Integer") + _item("TreeNum", link["treenum"], "\t\t\t")
    children = "".join(_item("int", str(child), "\t\t\t\t", "Integer") for child in link["children"])
    parts += f'\n\t\t\t<Item Name="Children" Type="List">{children}</Item>'
    return f'\n\t\t<Item Name="LinksType" Type="Structure">{parts}\n\t\t</Item>'
