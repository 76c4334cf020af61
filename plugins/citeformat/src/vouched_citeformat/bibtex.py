"""BibTeX and biblatex entries.

Sources: O. Patashnik, "BibTeXing" (names with a suffix in the middle, braced groups, special characters); the biblatex
manual, 2.1-2.2 (@online, eid, eprint, date, langid). DOI, URL and PMID stand verbatim.
"""

import re
from collections.abc import Sequence

from vouched.api import Article, Author

from vouched_citeformat import languages
from vouched_citeformat.bibkeys import key
from vouched_citeformat.dates import MACROS, cited_date
from vouched_citeformat.fields import arxiv_id, book_title, doi, kind, nbk_url, server, title
from vouched_citeformat.journals import journal, short
from vouched_citeformat.latex import escape, protected, verbatim
from vouched_citeformat.markup import Markup, line
from vouched_citeformat.names import dotted, full_suffix, group, named
from vouched_citeformat.notices import PHRASES, retracted
from vouched_citeformat.pages import place

__all__ = ["render", "render_biblatex"]

_ENTRY = {"article": "article", "preprint": "misc", "chapter": "incollection", "book": "book"}
_NOTED = ("RetractionIn", "RetractedandRepublishedIn", "ExpressionOfConcernIn")
Field = tuple[str, str]
# A comma beside the one between family and given name, or the word `and`: BibTeX would take the name apart.
_SPLITS = re.compile(r",.*,| and ", re.IGNORECASE)


def render(article: Article, markup: Markup) -> str:
    """One BibTeX entry, ending with a newline."""
    what = kind(article)
    return _entry(_ENTRY[what], article, _fields(article, what))


def render_biblatex(article: Article, markup: Markup) -> str:
    """One biblatex entry: preprints are @online, article numbers `eid`, dates ISO, the journal `journaltitle`."""
    what = kind(article)
    fields = [_for_biblatex(field, article) for field in _fields(article, what) if field[0] not in ("year", "month")]
    if date := cited_date(article).iso():
        fields.append(("date", f"{{{date}}}"))
    if number := arxiv_id(article):
        fields += [("eprint", f"{{{verbatim(number)}}}"), ("eprinttype", "{arxiv}")]
    elif ppr := line(article.ids.get("ppr", "")):
        fields += [("eprint", f"{{{verbatim(ppr)}}}"), ("eprinttype", "{europepmc}")]
    return _entry("online" if what == "preprint" else _ENTRY[what], article, fields)


def _entry(type_: str, article: Article, fields: Sequence[Field]) -> str:
    # A record that holds nothing a field could say leaves no empty line, which ends an entry for some readers.
    lines = ",\n".join(f"  {name} = {value}" for name, value in fields) + "\n" if fields else ""
    return f"@{type_}{{{key(article)},\n{lines}}}\n"


def _for_biblatex(field: Field, article: Article) -> Field:
    name, value = field
    if name == "pages" and place(article).kind == "article":
        return ("eid", value)
    if name == "language":
        return ("langid", value)
    return ({"journal": "journaltitle", "address": "location", "howpublished": "organization"}.get(name, name), value)


def _fields(article: Article, what: str) -> list[Field]:
    heading = book_title(article) or title(article) if what == "book" else title(article)
    texts = [
        ("author", people(_authors(article, what))),
        ("editor", people(article.editors)),
        ("title", protected(heading)),
        ("booktitle", protected(book_title(article)) if what == "chapter" else ""),
    ]
    texts += _periodical(article) if what == "article" else _preprint(article) if what == "preprint" else _book(article)
    fields = [(name, f"{{{value}}}") for name, value in texts if value]
    fields += _year(article, what)
    fields += [(name, f"{{{verbatim(value)}}}") for name, value in _links(article, what) if value]
    if not languages.is_english(article.languages):
        fields.append(("language", f"{{{escape(languages.name(article.languages[0]).lower())}}}"))
    if said := _note(article):
        fields = [field for field in fields if field[0] != "note"]
        fields.append(("note", f"{{{'Preprint. ' if what == 'preprint' else ''}{escape(said)}}}"))
    return fields


def _authors(article: Article, what: str) -> Sequence[Author]:
    return article.authors or (article.book.authors if what == "book" and article.book else ())


def people(authors: Sequence[Author]) -> str:
    """Names joined by `and`: `Last, First`, `Last, Jr., First`; a group, or a name that would be split, in braces."""
    return " and ".join(_name(author) for author in named(authors))


def _name(author: Author) -> str:
    if author.collective:
        return f"{{{escape(group(author))}}}"
    family, given = line(author.family), dotted(author)
    suffix = f"{full_suffix(author)}, " if author.suffix else ""
    if family and given and not _SPLITS.search(f" {family} , {given} "):
        return escape(f"{family}, {suffix}{given}")
    if not family:
        return f"{{{escape(given)}}}"
    alone = not given and " " in family
    parts = (_held(family, alone), escape(suffix.rstrip(", ")), _held(given, False))
    return ", ".join(part for part in parts if part)


def _held(part: str, alone: bool) -> str:
    """A part of a name, in braces where BibTeX would split it."""
    held = alone or "," in part or _SPLITS.search(f" {part} ")
    return f"{{{escape(part)}}}" if held else escape(part)


def _periodical(article: Article) -> list[Field]:
    found = place(article)
    pages = found.join("--") if found.kind not in ("item", "text") else "" if found.kind == "item" else found.text
    return [
        ("journal", escape(journal(article))),
        ("shortjournal", escape(short(article))),
        ("volume", escape(line(article.volume))),
        ("number", escape(line(article.issue))),
        ("pages", escape(pages)),
        ("issn", escape(issn(article))),
    ]


def issn(article: Article) -> str:
    """The ISSN the source gives for this article, else the print, electronic or linking one."""
    source = article.journal
    return line(source.issn or source.issn_print or source.issn_electronic or source.issn_linking)


def _preprint(article: Article) -> list[Field]:
    return [("howpublished", escape(server(article))), ("note", "Preprint")]


def _book(article: Article) -> list[Field]:
    book = article.book
    if not book:
        return []
    return [
        ("series", escape(line(book.collection))),
        ("edition", escape(line(book.edition))),
        ("volume", escape(line(book.volume))),
        ("publisher", escape(line(book.publisher))),
        ("address", escape(line(book.place))),
        ("isbn", escape(line(book.isbn[0])) if book.isbn else ""),
    ]


def _year(article: Article, what: str) -> list[Field]:
    date = cited_date(article)
    if date.year is None:
        return []
    month = MACROS[date.month] if date.month and 1 <= date.month <= 12 and what in ("article", "preprint") else ""
    fields = [("year", f"{{{date.year}}}")]
    return [*fields, ("month", month)] if month else fields


def _links(article: Article, what: str) -> list[Field]:
    address = nbk_url(article) if what in ("chapter", "book") and not doi(article) else ""
    return [
        ("doi", doi(article)),
        ("url", address),
        ("pmid", line(article.ids.get("pmid", ""))),
        ("pmcid", line(article.ids.get("pmcid", ""))),
    ]


def _note(article: Article) -> str:
    """Retractions and concerns, each with its citation; in BibTeX the only place where a reader sees them."""
    said = [
        f"{PHRASES[notice.type]}: {line(notice.source).rstrip('.')}" if notice.source else PHRASES[notice.type]
        for notice in article.notices
        if notice.type in _NOTED
    ]
    if retracted(article) and not any(text.startswith("Retract") for text in said):
        said.insert(0, "Retracted")
    return "; ".join(said)
