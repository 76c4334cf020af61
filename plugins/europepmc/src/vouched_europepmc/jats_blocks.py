"""The sections of a JATS article in reading order: every word of abstracts, body and back matter exactly once."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
from vouched.api import Access, Figure, Reference, Section, Table

from vouched_europepmc.jats_inline import SILENT, SPLITS, collapse, inline, one, text_of
from vouched_europepmc.jats_references import read_reference
from vouched_europepmc.jats_scope import Drafts, Scope
from vouched_europepmc.jats_tables import caption_of, read_tables
from vouched_europepmc.rights import figure_statements

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["Reader"]

# Titles for back matter that has none of its own.
_NAMES = {
    "ack": "Acknowledgements", "app": "Appendix", "bio": "Biography", "fn-group": "Footnotes",
    "glossary": "Glossary", "notes": "Notes", "ref-list": "References",
}  # fmt: skip
_HEADS = frozenset(("title", "label", "subtitle"))


class Reader:
    """Collects sections, tables, figures and references of one article; made for one use.

    Args:
        access: of the article, for figures that have statements of their own.
        supplied: whether the document has PMIDs of references in processing instructions.
    """

    def __init__(self, access: Access, *, supplied: bool = True) -> None:
        self.access = access
        self.supplied = supplied
        self.drafts = Drafts()
        self.tables: list[Table] = []
        self.figures: list[Figure] = []
        self.references: list[Reference] = []
        self._handlers: dict[str, Callable[[_Element, Scope], None]] = {
            "p": self.paragraph, "sec": self.section, "list": self.items, "def-list": self.definitions,
            "disp-quote": self.quote, "verse-group": self.verse, "boxed-text": self.boxed, "code": self.code,
            "preformat": self.code, "statement": self.statement, "speech": self.verse, "disp-formula": self.formula,
            "disp-formula-group": self.group, "fig": self.figure, "fig-group": self.group,
            "table-wrap": self.table, "table-wrap-group": self.group, "array": self.table, "table": self.table,
            "supplementary-material": self.caption, "media": self.caption, "chem-struct-wrap": self.caption,
            "fn-group": self.footnotes, "fn": self.footnote, "ref-list": self.ref_list, "ack": self.section,
            "app": self.section, "app-group": self.plain, "bio": self.section, "glossary": self.section,
            "notes": self.section,
        }  # fmt: skip

    def sections(self) -> list[Section]:
        """The sections in reading order."""
        return self.drafts.sections()

    def top(self, node: "_Element", name: str, kind: str, path: list[str] | None = None) -> None:
        """Read a whole part of the article: its body, back matter or floats."""
        scope = Scope(self.drafts, self.drafts.unique(name), path or [], kind)
        scope.add("heading", _heading(node))
        self.walk(node, scope)

    def abstract(self, node: "_Element", path: list[str] | None = None) -> None:
        """Read an `abstract` or `trans-abstract` as a section of its own."""
        kind, language = node.get("abstract-type"), node.get("{http://www.w3.org/XML/1998/namespace}lang")
        named = own = _heading(node)
        if not named:
            named = f"{kind.replace('-', ' ').capitalize()} abstract" if kind else "Abstract"
            named += f" ({language})" if node.tag == "trans-abstract" and language else ""
        scope = Scope(self.drafts, self.drafts.unique(node.get("id") or "abstract"), [*(path or []), named], "abstract")
        if own:
            scope.open()
        self.walk(node, scope)

    def walk(self, node: "_Element", scope: Scope) -> None:
        """Read the children of a container in order; words between them become paragraphs."""
        if node.text and (text := collapse(node.text)):
            scope.add(scope.block, text)
        for child in node:
            if child.tag not in _HEADS:
                self.block(child, scope)
            if child.tail and (text := collapse(child.tail)):
                scope.add(scope.block, text)

    def block(self, node: "_Element", scope: Scope) -> None:
        tag = node.tag
        handler = self._handlers.get(tag)
        if handler is not None:
            handler(node, scope)
        elif isinstance(tag, str) and tag not in SILENT:
            if any(child.tag in self._handlers for child in node):
                self.group(node, scope)
            else:
                scope.add("other", text_of(node), node)

    def paragraph(self, node: "_Element", scope: Scope, kind: str = "", lead: str = "") -> None:
        kind = kind or scope.block
        if not len(node):
            scope.add(kind, collapse(f"{lead} {node.text or ''}"), node)
            return
        out: list[str] = [lead, " "] if lead else []
        lift: list[_Element] = []
        if any(child.tag in SPLITS for child in node):
            self._split(node, scope, kind, out, lift)
        else:
            inline(node, out, lift)
            scope.add(_formula_only(node, kind), collapse("".join(out)), node)
        for floated in lift:
            self.block(floated, scope)

    def _split(self, node: "_Element", scope: Scope, kind: str, out: list[str], lift: "list[_Element]") -> None:
        """A paragraph that goes on after a list or quotation: its parts and what interrupts it, in order."""
        owner: _Element | None = node
        out.append(node.text or "")
        for child in node:
            if child.tag in SPLITS:
                if text := collapse("".join(out)):
                    scope.add(kind, text, owner)
                    owner = None
                out.clear()
                self.block(child, scope)
                out.append(child.tail or "")
            else:
                one(child, out, lift)
        scope.add(kind, collapse("".join(out)), owner)

    def section(self, node: "_Element", scope: Scope) -> None:
        self.walk(node, scope.inside(node, _heading(node) or _NAMES.get(str(node.tag), "")))

    def boxed(self, node: "_Element", scope: Scope) -> None:
        caption = node.find("caption")
        heads = [_heading(node), _heading(caption) if caption is not None else ""]
        title = " ".join(head for head in heads if head)
        inner = scope.inside(node, title, "boxed")
        for child in node:
            if child.tag == "caption":
                self.walk(child, inner)
            elif child.tag not in _HEADS:
                self.block(child, inner)

    def plain(self, node: "_Element", scope: Scope) -> None:
        title = _heading(node)
        self.walk(node, scope.inside(node, title) if title else scope)

    def group(self, node: "_Element", scope: Scope) -> None:
        """A container whose heading is no section title: figure groups, statements, unknown wrappers."""
        lift: list[_Element] = []
        for child in node:
            if child.tag in _HEADS or child.tag == "caption":
                scope.add("caption" if child.tag == "caption" else "heading", text_of(child, lift), child)
        if node.text and (text := collapse(node.text)):
            scope.add(scope.block, text)
        for child in node:
            if child.tag not in _HEADS and child.tag != "caption":
                self.block(child, scope)
            if child.tail and (text := collapse(child.tail)):
                scope.add(scope.block, text)
        for floated in lift:
            self.block(floated, scope)

    statement = group

    def items(self, node: "_Element", scope: Scope) -> None:
        for child in node:
            if child.tag == "list-item":
                self._item(child, scope)
            elif child.tag in _HEADS:
                scope.add("heading", text_of(child), child)
            else:
                self.block(child, scope)

    def _item(self, node: "_Element", scope: Scope) -> None:
        lead, first = collapse(node.text or ""), True
        for child in node:
            if child.tag == "label":
                lead = f"{lead} {text_of(child)}"
            elif child.tag == "p":
                self.paragraph(child, scope, "list_item", lead if first else "")
                first = False
            else:
                if first and lead.strip():
                    scope.add("list_item", collapse(lead))
                first = False
                self.block(child, scope)
            if child.tail and (text := collapse(child.tail)):
                scope.add("list_item", text)
        if first:
            scope.add("list_item", collapse(lead), node)

    def definitions(self, node: "_Element", scope: Scope) -> None:
        for child in node:
            if child.tag == "def-item":
                lift: list[_Element] = []
                parts = [text_of(part, lift) for part in child if isinstance(part.tag, str)]
                scope.add("definition", ": ".join(part for part in parts if part), child)
                for floated in lift:
                    self.block(floated, scope)
            elif isinstance(child.tag, str):
                known = child.tag in self._handlers
                self.block(child, scope) if known else scope.add("heading", text_of(child), child)

    def quote(self, node: "_Element", scope: Scope) -> None:
        outer, scope.block = scope.block, "quote"
        self.group(node, scope)
        scope.block = outer

    def verse(self, node: "_Element", scope: Scope) -> None:
        scope.add("quote", text_of(node), node)

    def code(self, node: "_Element", scope: Scope) -> None:
        scope.add("code", text_of(node), node)

    def formula(self, node: "_Element", scope: Scope) -> None:
        scope.add("formula", text_of(node), node)

    def caption(self, node: "_Element", scope: Scope) -> None:
        lift: list[_Element] = []
        scope.add("caption", text_of(node, lift), node)
        for floated in lift:
            self.block(floated, scope)

    def footnotes(self, node: "_Element", scope: Scope) -> None:
        title = _heading(node) or ("" if scope.path else _NAMES["fn-group"])
        self.walk(node, scope.inside(node, title, "footnote") if title else scope)

    def footnote(self, node: "_Element", scope: Scope) -> None:
        lift: list[_Element] = []
        scope.add("footnote", text_of(node, lift), node)
        for floated in lift:
            self.block(floated, scope)

    def ref_list(self, node: "_Element", scope: Scope) -> None:
        # A list of references alone is no section: one opens with the first paragraph beside them.
        inner = scope.inside(node, _heading(node) or _NAMES["ref-list"], empty=False)
        for child in node:
            if child.tag == "ref":
                number = len(self.references) + 1
                name = self.drafts.unique(child.get("id") or f"ref.{number}")
                self.references.append(read_reference(child, name, self.supplied))
            elif child.tag not in _HEADS:
                self.block(child, inner)

    def figure(self, node: "_Element", scope: Scope) -> None:
        lift: list[_Element] = []
        label, caption = caption_of(node, lift)
        more = [
            text_of(child, lift)
            for child in node
            if isinstance(child.tag, str) and child.tag not in SILENT and child.tag not in ("label", "caption", "title")
        ]
        own = figure_statements(node)
        access = msgspec.structs.replace(self.access, statements=own, licence=None) if own else None
        name = self.drafts.unique(node.get("id") or f"fig.{len(self.figures) + 1}")
        words = " ".join(part for part in (caption, *more) if part)
        self.figures.append(Figure(name, label, words, scope.path, access))
        for floated in lift:
            self.block(floated, scope)

    def table(self, node: "_Element", scope: Scope) -> None:
        lift: list[_Element] = []
        name = self.drafts.unique(node.get("id") or f"table.{len(self.tables) + 1}")
        self.tables += read_tables(node, name, scope.path, lift)
        for floated in lift:
            self.block(floated, scope)


def _heading(node: "_Element") -> str:
    """Label and title of a section: `2.1. Samples`."""
    parts = [text_of(child) for child in node if child.tag in _HEADS]
    return " ".join(part for part in parts if part)


def _formula_only(node: "_Element", kind: str) -> str:
    alone = len(node) == 1 and node[0].tag == "disp-formula" and not (node.text or "").strip()
    return "formula" if alone and not (node[0].tail or "").strip() else kind
