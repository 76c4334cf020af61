"""The source line of MEDLINE: journal, date, volume, pages and what follows, as PubMed writes it.

Sources: NLM, "MEDLINE/PubMed Data Element (Field) Descriptions", SO; Citing Medicine, ch. 1 and 22.
"""

from collections.abc import Callable, Sequence

from vouched.api import Article, Author, Date

from vouched_citeformat import languages
from vouched_citeformat.dates import medline_date, same_day
from vouched_citeformat.fields import book_title, doi, is_preprint, nbk_url, server
from vouched_citeformat.journals import short
from vouched_citeformat.markup import end_with_stop, line, link
from vouched_citeformat.names import medline, named
from vouched_citeformat.pages import place, shortened

__all__ = ["authors", "book_heading", "book_source", "dates", "source"]


def authors(people: Sequence[Author], limit: int = 0, name: Callable[[Author], str] = medline) -> str:
    """`Last IN, Last IN`; a semicolon where persons meet a group, a comma between two groups; `et al` after `limit`."""
    found = named(people)
    cut = 0 < limit < len(found)
    parts: list[str] = []
    previous = None
    for person in found[:limit] if cut else found:
        collective = bool(person.collective)
        if previous is not None:
            parts.append(", " if collective == previous else "; ")
        parts.append(name(person))
        previous = collective
    return "".join(parts) + (", et al" if cut else "")


def dates(article: Article) -> tuple[Date, str]:
    """The date that leads the source line, and the other one with its word.

    PubModel decides (NLM): Print-Electronic leads with the issue and adds `Epub`; Electronic-eCollection leads with the
    electronic date and adds `eCollection`; Electronic-Print adds `Print`. Where a source does not give the model, an
    article that was published only electronically and has a year alone as its issue date is an eCollection.
    """
    issue, electronic, model = article.date, article.electronic_date, article.publication_model
    if issue.year is None and not issue.literal:
        return electronic, ""
    if electronic.year is None or same_day(issue, electronic) or article.publication_status == "aheadofprint":
        return issue, ""
    bare_year = issue.month is None and not issue.season
    if model == "Electronic-eCollection" or (not model and article.publication_status == "epublish" and bare_year):
        return electronic, f"eCollection {medline_date(issue)}."
    if model == "Electronic-Print":
        return electronic, f"Print {medline_date(issue)}."
    return issue, f"Epub {medline_date(electronic)}."


def source(
    article: Article, *, short_pages: bool = False, second_date: bool = True, preprint_label: bool = True
) -> str:
    """`TA. date;volume(issue):pages. Language. doi: X. Epub date.`, ending with its stop."""
    lead, second = dates(article)
    journal = short(article)
    if preprint_label and is_preprint(article):
        journal = f"{journal or server(article)} [Preprint]".strip()
    parts = [end_with_stop(journal)] if journal else []
    if where := _where(article, medline_date(lead), short_pages):
        parts.append(f"{where}.")
    if not _only_english(article):
        parts.append(f"{', '.join(languages.names(article.languages))}.")
    if value := doi(article):
        parts.append(f"doi: {value}.")
    if second and second_date:
        parts.append(second)
    return " ".join(parts)


def _only_english(article: Article) -> bool:
    return languages.names(article.languages) in ([], ["English"])


def _where(article: Article, date: str, short_pages: bool) -> str:
    volume, issue = line(article.volume), line(article.issue)
    numbers = volume + (f"({issue})" if issue else "")
    where = f"{date};{numbers}" if date and numbers else date or numbers
    found = place(article)
    pages = found.text
    if short_pages and found.kind in ("range", "list") and not found.rest:
        pages = ", ".join(f"{span.first}-{shortened(span, 1)}" if span.last else span.first for span in found.spans)
    return f"{where}:{pages}" if pages and where else where or pages


def book_source(article: Article, limit: int = 0) -> str:
    """A chapter's or book's source (Citing Medicine ch. 22).

    `In: Ed AB, editors. Book [Internet]. Place: Publisher; date. Available from: …`
    """
    book = article.book
    parts: list[str] = []
    if article.kind == "chapter":
        parts.extend(_contributed(article))
        editors = _editors(article, limit)
        name = f"{book_title(article)} [Internet]." if book_title(article) else ""
        inside = " ".join(part for part in (editors, name) if part)
        parts.append(f"In: {inside}" if inside else "")
    if book and book.edition:
        parts.append(end_with_stop(line(book.edition)))
    parts.append(_imprint(article))
    if address := nbk_url(article):
        parts.append(f"Available from: {link(address)}")
    if value := doi(article):
        parts.append(f"doi: {value}.")
    return " ".join(part for part in parts if part)


def _contributed(article: Article) -> list[str]:
    first, last = medline_date(article.contribution_date), medline_date(article.revision_date)
    updated = f" [updated {last}]" if first and last and last != first else ""
    return [f"{first or last}{updated}."] if first or last else []


def _editors(article: Article, limit: int) -> str:
    found = named(article.editors)
    return f"{authors(found, limit)}, editor{'s' if len(found) > 1 else ''}." if found else ""


def book_heading(article: Article, limit: int) -> str:
    """Who stands first for a whole book: its authors, else its editors with their title."""
    people = named(article.authors) or named(article.book.authors if article.book else ())
    return end_with_stop(authors(people, limit)) if people else _editors(article, limit)


def _imprint(article: Article) -> str:
    book = article.book
    if not book:
        return ""
    place_name, publisher = line(book.place), line(book.publisher)
    begin, end = medline_date(book.begin_date), medline_date(book.end_date)
    date = f"{begin}-{end}" if begin else medline_date(book.date if book.date.year else article.date)
    made = ": ".join(part for part in (place_name, publisher) if part)
    return end_with_stop("; ".join(part for part in (made, date) if part)) if made or date else ""
