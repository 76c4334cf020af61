"""EndNote XML, as EndNote writes and reads it.

Source: the files that EndNote X and 20 export (`xml/records/record`, reference types 17 journal article, 5 book
section, 6 book, 34 unpublished work; text in `style` elements whose `face` carries italics, super- and subscript).
"""

from collections.abc import Iterable, Iterator
from html import escape

from vouched.api import Article, Author

from vouched_citeformat import languages
from vouched_citeformat.bibtex import issn
from vouched_citeformat.dates import cited_date, medline_date
from vouched_citeformat.fields import book_title, doi, kind, nbk_url, server, title, url, vernacular
from vouched_citeformat.journals import journal, short
from vouched_citeformat.markup import B0, B1, I0, I1, MARKS, SUB0, SUB1, SUP0, SUP1, Markup, line, plain
from vouched_citeformat.names import dotted, full_suffix, group, named
from vouched_citeformat.notices import PHRASES, SHOWN, retracted
from vouched_citeformat.pages import place

__all__ = ["render"]

_TYPE = {
    "article": ("Journal Article", 17),
    "preprint": ("Unpublished Work", 34),
    "chapter": ("Book Section", 5),
    "book": ("Book", 6),
}
_FACES = {I0: "italic", B0: "bold", SUB0: "subscript", SUP0: "superscript"}
_ENDS = {I1: I0, B1: B0, SUB1: SUB0, SUP1: SUP0}


def render(article: Article, markup: Markup) -> str:
    """One `record` element, ending with a newline. An abstract is written when there is one."""
    what = kind(article)
    name, number = _TYPE[what]
    inner = "".join(_parts(article, what))
    return f'<record><ref-type name="{name}">{number}</ref-type>{inner}</record>\n'


def _element(name: str, text: str) -> str:
    return f"<{name}>{_styled(text)}</{name}>" if text else ""


def _group(name: str, inner: Iterable[str]) -> str:
    joined = "".join(inner)
    return f"<{name}>{joined}</{name}>" if joined else ""


def _styled(text: str) -> str:
    """Marked text as `style` elements, one for each run of one face; they never nest."""
    if not any(mark in text for mark in MARKS):
        return f'<style face="normal" font="default" size="100%">{escape(text, quote=False)}</style>'
    runs: list[str] = []
    faces: list[str] = []
    start = 0
    for at, char in enumerate(text + I0):
        if char in MARKS:
            if run := text[start:at]:
                face = " ".join(faces) or "normal"
                runs.append(f'<style face="{face}" font="default" size="100%">{escape(run, quote=False)}</style>')
            start = at + 1
            if char in _FACES:
                faces.append(_FACES[char])
            elif char in _ENDS and _FACES[_ENDS[char]] in faces:
                faces.remove(_FACES[_ENDS[char]])
    return "".join(runs)


def _parts(article: Article, what: str) -> Iterator[str]:
    yield _people(article, what)
    yield _titles(article, what)
    if what == "article":
        yield _group("periodical", [_element("full-title", journal(article)), _element("abbr-1", short(article))])
        found = place(article)
        number = found.first if found.kind == "article" else ""
        yield _element("pages", "" if found.kind == "item" else found.join("-"))
        yield _element("volume", line(article.volume))
        yield _element("number", line(article.issue))
    else:
        number = ""
        yield _element("edition", line(article.book.edition) if article.book else "")
    terms = [*(keyword.term for keyword in article.keywords), *(heading.name for heading in article.mesh)]
    yield _group("keywords", (_element("keyword", term) for term in dict.fromkeys(line(term) for term in terms)))
    yield _dates(article)
    yield _element("pub-location", line(article.book.place) if article.book else "")
    yield _element(
        "publisher", server(article) if what == "preprint" else line(article.book.publisher) if article.book else ""
    )
    yield _element("isbn", issn(article) or (line(article.book.isbn[0]) if article.book and article.book.isbn else ""))
    pmid = line(article.ids.get("pmid", ""))
    yield _element("accession-num", pmid or line(article.ids.get("ppr", "")))
    if article.abstract:
        yield _element("abstract", line(article.abstract_text()))
    yield _element("notes", _notes(article))
    address = nbk_url(article) or (f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid else url(article))
    yield _group("urls", [_group("related-urls", [_element("url", address)])])
    yield _element("custom2", line(article.ids.get("pmcid", "")))
    yield _element("custom7", number)
    yield _element("electronic-resource-num", doi(article))
    yield _element("language", ", ".join(languages.names(article.languages)))


def _people(article: Article, what: str) -> str:
    authors = article.authors or (article.book.authors if what == "book" and article.book else ())
    lists = [_group("authors", (_element("author", _name(author)) for author in named(authors)))]
    editors = named(article.editors)
    # EndNote holds the editors of a book without authors in the first list.
    place_of_editors = "authors" if what == "book" and not authors else "secondary-authors"
    lists.append(_group(place_of_editors, (_element("author", _name(author)) for author in editors)))
    return _group("contributors", lists)


def _name(author: Author) -> str:
    """`Last, First, Suffix`; a trailing comma keeps a group's name whole."""
    if author.collective:
        name = group(author)
        return name if "," in name else f"{name},"
    given = dotted(author)
    if not given:
        return f"{line(author.family)},"
    return ", ".join(part for part in (line(author.family), given, full_suffix(author)) if part)


def _titles(article: Article, what: str) -> str:
    heading = book_title(article) or title(article) if what == "book" else title(article)
    container = journal(article) if what == "article" else book_title(article) if what == "chapter" else ""
    original = vernacular(article)
    parts = [_element("title", heading), _element("secondary-title", container)]
    if article.book and article.book.collection:
        parts.append(_element("tertiary-title", line(article.book.collection)))
    if plain(original) != plain(title(article)):
        parts.append(_element("translated-title", original))
    return _group("titles", parts)


def _dates(article: Article) -> str:
    date = cited_date(article)
    if date.year is None:
        return ""
    rest = medline_date(date).removeprefix(str(date.year)).strip(" -")
    return _group("dates", [_element("year", str(date.year)), _group("pub-dates", [_element("date", rest)])])


def _notes(article: Article) -> str:
    said = [f"{PHRASES[notice.type]}: {line(notice.source)}" for notice in article.notices if notice.type in SHOWN]
    if retracted(article) and not any(text.startswith("Retract") for text in said):
        said.insert(0, "Retracted")
    if article.abstract and article.copyright:
        said.append(line(article.copyright))
    return "; ".join(said)
