"""RIS (Research Information Systems), as EndNote, Zotero, Mendeley and RefWorks read it.

Source: the RIS specification of 2011 (types JOUR, UNPB, CHAP, BOOK; tags with two spaces, a hyphen and a space;
CRLF) and the importers' habits: A3 for a book's editors, a trailing comma for a name that must not be split.
"""

from collections.abc import Iterator, Sequence

from vouched.api import Article, Author

from vouched_citeformat import languages
from vouched_citeformat.bibtex import issn
from vouched_citeformat.dates import cited_date, range_tail
from vouched_citeformat.fields import book_title, doi, kind, nbk_url, server, title, url, vernacular
from vouched_citeformat.journals import journal, short
from vouched_citeformat.markup import Markup, line, plain
from vouched_citeformat.names import dotted, full_suffix, group, named
from vouched_citeformat.notices import PHRASES, SHOWN, retracted
from vouched_citeformat.pages import place

__all__ = ["render"]

_TYPE = {"article": "JOUR", "preprint": "UNPB", "chapter": "CHAP", "book": "BOOK"}
Tag = tuple[str, str]


def render(article: Article, markup: Markup) -> str:
    """One RIS record with CRLF line ends; no empty tag, every value on one line."""
    what = kind(article)
    out = [f"TY  - {_TYPE[what]}"]
    out += [f"{tag}  - {value}" for tag, value in _tags(article, what) if value]
    out.append("ER  - ")
    return "\r\n".join(out) + "\r\n"


def _tags(article: Article, what: str) -> Iterator[Tag]:
    authors: Sequence[Author] = article.authors or (article.book.authors if what == "book" and article.book else ())
    yield from (("AU", _name(author)) for author in named(authors))
    yield from (("A3" if what == "book" else "A2", _name(author)) for author in named(article.editors))
    yield "TI", plain(book_title(article) or title(article)) if what == "book" else plain(title(article))
    original = plain(vernacular(article))
    yield "TT", original if original != plain(title(article)) else ""
    yield from _dates(article)
    yield from _container(article, what)
    if what == "article":
        yield from _place(article)
    yield from _ids(article, what)
    yield "LA", languages.iso(article.languages[0]) if article.languages else ""
    yield from _links(article, what)
    yield from (("N1", said) for said in _notes(article))
    if article.abstract:
        yield "AB", line(article.abstract_text())
        yield "N1", line(article.copyright)
    terms = [*(keyword.term for keyword in article.keywords), *(heading.name for heading in article.mesh)]
    yield from (("KW", term) for term in dict.fromkeys(line(term) for term in terms))


def _name(author: Author) -> str:
    """`Last, First, Suffix`; a single name keeps a trailing comma, without which importers split it."""
    if author.collective:
        name = group(author)
        return name if "," in name else f"{name},"
    family, given, suffix = line(author.family), dotted(author), full_suffix(author)
    if not given:
        return f"{family}, , {suffix}" if suffix else f"{family},"
    return ", ".join(part for part in (family, given, suffix) if part)


def _dates(article: Article) -> Iterator[Tag]:
    date = cited_date(article)
    if date.year is None:
        return
    month = f"{date.month:02d}" if date.month and not date.season else ""
    day = f"{date.day:02d}" if month and date.day and not date.end_day else ""
    yield "PY", str(date.year)
    yield "DA", f"{date.year}/{month}/{day}/{range_tail(date)}"


def _container(article: Article, what: str) -> Iterator[Tag]:
    if what == "article":
        yield "T2", journal(article)
        yield "J2", short(article)
    elif what == "preprint":
        yield "PB", server(article)
        yield "M3", "Preprint"
    elif article.book:
        yield "T2", plain(book_title(article)) if what == "chapter" else ""
        yield "T3", line(article.book.collection)
        yield "PB", line(article.book.publisher)
        yield "CY", line(article.book.place)
        yield "ET", line(article.book.edition)


def _place(article: Article) -> Iterator[Tag]:
    found = place(article)
    yield "VL", line(article.volume)
    yield "IS", line(article.issue)
    if found.kind == "item":
        return
    if found.kind == "list":
        yield "SP", found.join("-")
        return
    yield "SP", found.first
    yield "EP", found.last
    yield "C7", found.first if found.kind == "article" else ""


def _ids(article: Article, what: str) -> Iterator[Tag]:
    if what in ("chapter", "book"):
        yield "SN", line(article.book.isbn[0]) if article.book and article.book.isbn else ""
    elif what == "article":
        yield "SN", issn(article)
    yield "DO", doi(article)
    yield "AN", line(article.ids.get("pmid") or article.ids.get("ppr") or article.ids.get("nbk") or "")
    yield "C2", line(article.ids.get("pmcid", ""))


def _links(article: Article, what: str) -> Iterator[Tag]:
    pmid = line(article.ids.get("pmid", ""))
    yield "UR", nbk_url(article) if what in ("chapter", "book") else ""
    if pmid:
        yield "UR", f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"
    elif not nbk_url(article):
        yield "UR", url(article)


def _notes(article: Article) -> Iterator[str]:
    said = False
    for notice in article.notices:
        if notice.type in SHOWN:
            said = said or notice.type.startswith("Retract")
            yield f"{PHRASES[notice.type]}: {line(notice.source)}" if notice.source else PHRASES[notice.type]
    if retracted(article) and not said:
        yield "Retracted"
