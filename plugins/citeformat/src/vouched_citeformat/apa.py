"""APA: Publication Manual of the American Psychological Association, 7th edition.

Sections used: 6.17 (capital after a colon), 6.22 (italics), 8.14 and 9.8 (initials, at most 20 authors), 9.11 (groups),
9.17 (n.d.), 9.27 (article numbers), 9.34-9.35 (DOI as a link), 9.38 (translated titles), 10.1 examples 4, 7 and 11
(advance online publication, retracted articles), 10.3 (chapters), 10.8 (preprints).
"""

from collections.abc import Sequence

from vouched.api import Article, Author

from vouched_citeformat.dates import apa_year, cited_date
from vouched_citeformat.fields import book_title, kind, server, supplement, title, translated, url, vernacular
from vouched_citeformat.journals import journal
from vouched_citeformat.markup import Markup, dashes, end_with_stop, finish, italic, line, link, smart_quotes
from vouched_citeformat.names import apa_initials, full_suffix, group, inverted, named, straight
from vouched_citeformat.notices import retracted, retraction_parts
from vouched_citeformat.pages import place, read
from vouched_citeformat.titlecase import subtitle_capitals

__all__ = ["render"]

SHOWN, BEFORE_ELLIPSIS = 20, 19


def render(article: Article, markup: Markup) -> str:
    """One reference in APA style."""
    what = kind(article)
    who = _who(article, what)
    year = f"({apa_year(cited_date(article))})."
    heading = _heading(article, what)
    parts = [end_with_stop(who), year, end_with_stop(heading, inside_quotes=True)] if who else [_first(heading), year]
    parts.append(_source(article, what))
    parts.append(link(url(article)))
    parts.append(_retraction(article))
    return finish(" ".join(part for part in parts if part), markup)


def _first(heading: str) -> str:
    return end_with_stop(heading, inside_quotes=True) if heading else ""


def _who(article: Article, what: str) -> str:
    people = named(article.authors)
    if people:
        return _authors(people)
    if what != "book" or not article.book:
        return ""
    if people := named(article.book.authors):
        return _authors(people)
    editors = named(article.editors)
    return f"{_authors(editors)} ({'Eds' if len(editors) > 1 else 'Ed'}.)" if editors else ""


def _authors(people: Sequence[Author]) -> str:
    """All up to 20; from 21 on the first 19, an ellipsis and the last (APA 7 s8.14)."""
    names = [_name(person) for person in (people if len(people) <= SHOWN else people[:BEFORE_ELLIPSIS])]
    if len(people) > SHOWN:
        return f"{', '.join(names)}, \u2026 {_name(people[-1])}"
    return f"{', '.join(names[:-1])}, & {names[-1]}" if len(names) > 1 else names[0]


def _name(person: Author) -> str:
    return group(person) or inverted(person, apa_initials(person))


def _heading(article: Article, what: str) -> str:
    heading = book_title(article) or title(article) if what == "book" else title(article)
    heading = _cased(heading)
    if translated(article) and (original := vernacular(article)):
        return f"{_cased(original)} {heading}"
    if what == "book":
        return italic(heading)
    return f"{italic(heading)} [Preprint]".lstrip() if what == "preprint" else heading


def _cased(text: str) -> str:
    return subtitle_capitals(smart_quotes(dashes(text)))


def _source(article: Article, what: str) -> str:
    if what == "preprint":
        return end_with_stop(server(article)) if server(article) else ""
    if what == "article":
        return _periodical(article)
    publisher = end_with_stop(line(article.book.publisher)) if article.book and article.book.publisher else ""
    if what == "book":
        return publisher
    return " ".join(part for part in (_in_book(article), publisher) if part)


def _in_book(article: Article) -> str:
    editors = named(article.editors)
    names = [_straight(person) for person in editors]
    who = ""
    if names:
        joined = f"{', '.join(names[:-1])}{',' if len(names) > 2 else ''} & {names[-1]}" if len(names) > 1 else names[0]
        who = f"{joined} ({'Eds' if len(names) > 1 else 'Ed'}.), "
    return end_with_stop(f"In {who}{italic(_cased(book_title(article)))}", inside_quotes=True)


def _straight(person: Author) -> str:
    if person.collective:
        return straight(person)
    return " ".join(part for part in (apa_initials(person), line(person.family)) if part) + (
        f", {full_suffix(person)}" if person.suffix else ""
    )


def _periodical(article: Article) -> str:
    name = italic(smart_quotes(journal(article)))
    volume, issue = supplement(article)
    found = place(article)
    if article.publication_status == "aheadofprint" and not volume:
        return f"{name}. Advance online publication." if name else "Advance online publication."
    numbers = italic(volume) + (f"({issue.replace('-', chr(0x2013))})" if issue else "")
    where = ""
    if found.kind == "article":
        where = f"Article {found.first}"
    elif found.kind != "item":
        where = found.join("\u2013") if found.kind != "text" else found.text
    return end_with_stop(", ".join(part for part in (name, numbers, where) if part)) if name or numbers or where else ""


def _retraction(article: Article) -> str:
    """`(Retraction published 2004, *The Lancet*, *363*[9411], 750; 2010, …)`: each notice, in the source's order."""
    found = []
    for year, name, volume, issue, pages in retraction_parts(article):
        numbers = italic(volume) + (f"[{issue}]" if issue else "")
        parts = (year, italic(name), numbers, _pages(pages))
        if year or name:
            found.append(", ".join(part for part in parts if part))
    if found:
        return f"(Retraction published {'; '.join(found)})"
    return "(Retracted)" if retracted(article) else ""


def _pages(text: str) -> str:
    return read(text).join("\u2013") if text else ""
