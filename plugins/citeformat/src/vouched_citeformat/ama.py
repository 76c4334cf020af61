"""AMA: American Medical Association Manual of Style, 11th edition.

Sections used: 3.7 (all authors up to six; from seven on the first three and `et al`), 3.11.1 (abbreviated journal
titles), 3.11.3 (year;volume(issue):pages, pages in full), 3.11.4 (published online), 3.12 (chapters and books), 3.15.2
(DOI without stop), 3.11.14 (retractions).
"""

from collections.abc import Sequence

from vouched.api import Article, Author

from vouched_citeformat.dates import apa_year, cited_date
from vouched_citeformat.fields import arxiv_id, book_title, doi, kind, server, title, url
from vouched_citeformat.journals import short
from vouched_citeformat.markup import Markup, dashes, end_with_stop, finish, italic, line, link, smart_quotes
from vouched_citeformat.medline import authors
from vouched_citeformat.names import apa_initials, cjk, full_suffix, medline, named
from vouched_citeformat.notices import medline_lines
from vouched_citeformat.pages import place

__all__ = ["render"]

MOST, FIRST = 6, 3
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def render(article: Article, markup: Markup) -> str:
    """One reference in AMA style."""
    what = kind(article)
    parts = [_who(article, what)]
    heading = book_title(article) or title(article) if what == "book" else title(article)
    heading = smart_quotes(dashes(heading))
    parts.append(end_with_stop(italic(heading) if what == "book" else heading) if heading else "")
    parts.append(_source(article, what))
    parts.append(_link(article))
    text = " ".join(part for part in parts if part)
    said = " ".join(line for line in medline_lines(article) if line.startswith("Retract"))
    if said:
        text = f"{text if text.endswith('.') else text + '.'} {said}"
    return finish(text, markup)


def _people(people: Sequence[Author]) -> str:
    return authors(people, FIRST if len(named(people)) > MOST else 0, _name)


def _name(person: Author) -> str:
    """`Last FM III`: all initials of the fore names, without stops and hyphens."""
    if person.collective or cjk(person):
        return medline(person)
    initials = apa_initials(person).replace(".", "").replace("-", "").replace(" ", "")
    return " ".join([part for part in (line(person.family), initials, full_suffix(person).rstrip(".")) if part])


def _who(article: Article, what: str) -> str:
    people = named(article.authors) or (named(article.book.authors) if what == "book" and article.book else [])
    if people:
        return end_with_stop(_people(people))
    editors = named(article.editors) if what == "book" else []
    return f"{_people(editors)}, ed{'s' if len(editors) > 1 else ''}." if editors else ""


def _source(article: Article, what: str) -> str:
    if what == "preprint":
        posted = f"Preprint posted online {_online(article)}." if _online(article) else "Preprint."
        return f"{end_with_stop(server(article))} {posted}" if server(article) else posted
    if what == "article":
        return _periodical(article)
    book = article.book
    publisher = line(book.publisher) if book else ""
    year = _year(article)
    imprint = end_with_stop("; ".join(part for part in (publisher, year) if part)) if publisher or year else ""
    if what == "book":
        return imprint
    editors = named(article.editors)
    who = f"{_people(editors)}, ed{'s' if len(editors) > 1 else ''}. " if editors else ""
    return f"In: {who}{end_with_stop(italic(smart_quotes(dashes(book_title(article)))))} {imprint}".rstrip()


def _year(article: Article) -> str:
    date = cited_date(article)
    return apa_year(date) if date.year is not None else ""


def _online(article: Article) -> str:
    """`June 9, 2025`, as far as it is known."""
    date = article.electronic_date if article.electronic_date.year is not None else article.date
    month = _MONTHS[date.month - 1] if date.month and 1 <= date.month <= 12 else ""
    if not month:
        return str(date.year or "")
    return f"{month} {date.day}, {date.year}" if date.day else f"{month} {date.year}"


def _periodical(article: Article) -> str:
    name = italic(short(article))
    volume, issue = line(article.volume), line(article.issue)
    found = place(article)
    pages = found.join("-", ",") if found.kind != "item" else ""
    if article.publication_status == "aheadofprint" and not volume:
        return f"{end_with_stop(name)} Published online {_online(article)}."
    numbers = volume + (f"({issue})" if issue else "")
    year = _year(article)
    where = f"{year};{numbers}" if year and numbers else year or numbers
    where = f"{where}:{pages}" if pages and where else where or pages
    return " ".join(part for part in (end_with_stop(name) if name else "", f"{where}." if where else "") if part)


def _link(article: Article) -> str:
    if value := doi(article):
        return f"doi:{value}"
    if arxiv_id(article) or kind(article) in ("chapter", "book"):
        return link(url(article))
    return ""
