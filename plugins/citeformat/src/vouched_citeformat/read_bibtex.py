"""BibTeX and biblatex files -> references, by bibtexparser; LaTeX in texts is decoded, identifiers stay verbatim."""

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from vouched.api import ParsedReference

from vouched_citeformat.quiet import quiet
from vouched_citeformat.read_common import ids_in, reference

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["decoded", "read"]

# Commands that the decoder does not know.
_UNKNOWN = {
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\textless": "<",
    r"\textgreater": ">",
    r"\textbar": "|",
}
_CARET = re.compile(r"\\textasciicircum(?:\{\})?")
_KINDS = {
    "article": "article",
    "incollection": "chapter",
    "inbook": "chapter",
    "book": "book",
    "online": "preprint",
    "unpublished": "preprint",
    "misc": "other",
}
_YEAR = re.compile(r"\d{4}")
_LOGGERS = ("bibtexparser.splitter", "bibtexparser.entrypoint", "bibtexparser.middlewares.middleware")
# A caret survives the decoder as this private character.
_KEPT = "\uf8ff"


@cache
def _decoder() -> "Callable[[str], str]":
    from pylatexenc.latex2text import LatexNodes2Text  # type: ignore[import-untyped]

    convert: Callable[[str], str] = LatexNodes2Text(keep_comments=True, strict_latex_spaces=False).latex_to_text
    return convert


def decoded(text: str) -> str:
    """LaTeX as plain text."""
    if not any(char in text for char in "\\{}$~"):
        return text
    text = _CARET.sub(_KEPT, text)
    for command, sign in _UNKNOWN.items():
        text = text.replace(command, sign)
    return _decoder()(text).replace(_KEPT, "^")


def read(text: str) -> Iterator[ParsedReference]:
    """Each entry in the file's order; a block that is no entry comes with its `text` and no fields."""
    with quiet(*_LOGGERS):
        found = list(_blocks(text))
    for position, (entry, raw) in enumerate(found, 1):
        if entry is not None:
            yield _reference(entry, position)
        else:
            yield reference(position, ids={}, fields={}, authors=(), text=raw[:2_000])


def _blocks(text: str) -> Iterator[tuple[Any, str]]:
    """Entries, and None with the text of blocks that could not be read; strings and comments are no references."""
    from bibtexparser import model
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.middlewares import RemoveEnclosingMiddleware

    library = parse_string(text)
    bare = RemoveEnclosingMiddleware()
    for block in library.blocks:
        inner = block.ignore_error_block if isinstance(block, model.ParsingFailedBlock) else block
        if isinstance(inner, model.Entry):
            # An entry with a field twice is left as it stands in the file, braces around its values included.
            yield (
                (bare.transform_entry(inner, library) if isinstance(block, model.DuplicateFieldKeyBlock) else inner),
                "",
            )
        elif inner is None:
            yield None, block.raw or ""


def _reference(entry: Any, position: int) -> ParsedReference:
    raw = {field.key.lower(): field.value for field in entry.fields}

    def first(*names: str) -> str:
        return next((decoded(str(raw[name])) for name in names if raw.get(name)), "")

    def verbatim(*names: str) -> str:
        return next((str(raw[name]).replace("\\_", "_").strip("{} ") for name in names if raw.get(name)), "")

    archive = verbatim("eprinttype", "archiveprefix").lower()
    named = {
        "doi": verbatim("doi").replace("\\%", "%").replace("\\#", "#"),
        "pmid": verbatim("pmid") or (verbatim("eprint") if archive in ("pubmed", "pmid") else ""),
        "pmcid": verbatim("pmcid", "pmc"),
    }
    year = _YEAR.search(first("year", "date"))
    return reference(
        position,
        ids=ids_in(named, [verbatim("url"), first("note"), first("annote")]),
        fields={
            "title": first("title"),
            "journal": first("journal", "journaltitle", "booktitle", "shortjournal"),
            "year": year[0] if year else "",
            "volume": first("volume"),
            "issue": first("number", "issue"),
            "pages": first("pages", "eid").replace("--", "-").replace("\u2013", "-"),
            "kind": "preprint"
            if "preprint" in first("note").lower()
            else _KINDS.get(entry.entry_type.lower(), entry.entry_type.lower()),
            "publisher": first("publisher", "howpublished", "organization"),
            "issn": first("issn"),
        },
        authors=_authors(str(raw.get("author") or "")),
        key=entry.key,
    )


def _authors(names: str) -> list[str]:
    """`Family, Given, Suffix` of each name; one that BibTeX would refuse (four commas, say) stays as it is written."""
    from bibtexparser.middlewares.names import (
        InvalidNameError,
        parse_single_name_into_parts,
        split_multiple_persons_names,
    )

    found: list[str] = []
    for name in split_multiple_persons_names(names):
        try:
            found.append(_name(parse_single_name_into_parts(name)))
        except InvalidNameError:
            found.append(decoded(name).strip(", "))
    return found


def _name(person: Any) -> str:
    """`Family, Given, Suffix`; particles stand before the family name, a group in braces stays whole."""
    family = decoded(" ".join([*person.von, *person.last]))
    parts = (family, decoded(" ".join(person.first)), decoded(" ".join(person.jr)))
    return ", ".join(part for part in parts if part)
