"""MLA: MLA Handbook, 9th edition.

Sections used: 2.90 (title case), 5.6-5.9 (authors), 5.48-5.52 (numbers), 5.78-5.84 (dates), 5.93 (DOI), 6.33
(page ranges).
The Handbook has no rule for article numbers, supplements and retractions: `p. e123`, `no. suppl. 1` and a final
`Retracted.` are this project's reading.
"""

from collections.abc import Sequence

from vouched.api import Article, Author

from vouched_citeformat import languages
from vouched_citeformat.dates import cited_date, issue_date, mla_date
from vouched_citeformat.fields import book_title, kind, server, supplement, title, translated, url
from vouched_citeformat.journals import journal
from vouched_citeformat.markup import Markup, dashes, end_with_stop, finish, italic, line, link, smart_quotes
from vouched_citeformat.names import dotted, full_suffix, group, inverted, named, straight
from vouched_citeformat.notices import retracted
from vouched_citeformat.pages import Span, place, shortened
from vouched_citeformat.titlecase import title_case

__all__ = ["render"]


def render(article: Article, markup: Markup) -> str:
    """One reference in MLA style."""
    what = kind(article)
    parts = [_who(article, what), _heading(article, what)]
    if what == "preprint":
        parts.append("Preprint.")
    parts.append(_container(article, what))
    if retracted(article):
        parts.append("Retracted.")
    return finish(" ".join(part for part in parts if part), markup)


def _who(article: Article, what: str) -> str:
    people = named(article.authors)
    if not people and what == "book" and article.book:
        people = named(article.book.authors)
    if people:
        return end_with_stop(_authors(people))
    editors = named(article.editors) if what == "book" else []
    return f"{_authors(editors)}, editor{'s' if len(editors) > 1 else ''}." if editors else ""


def _authors(people: Sequence[Author]) -> str:
    """One inverted; two, the second in natural order; three or more: the first and `et al.` (MLA 9 s5.7)."""
    first = _inverted(people[0])
    if len(people) == 1:
        return first
    return f"{first}, and {straight(people[1])}" if len(people) == 2 else f"{first}, et al."


def _inverted(person: Author) -> str:
    return group(person) or inverted(person, dotted(person), suffix_comma=full_suffix(person) in ("Jr.", "Sr."))


def _heading(article: Article, what: str) -> str:
    if what == "book":
        return end_with_stop(italic(_cased(article, book_title(article) or title(article))))
    heading = _single_quotes(_cased(article, title(article)))
    return f"\u201c{end_with_stop(heading, inside_quotes=True)}\u201d" if heading else ""


def _cased(article: Article, text: str) -> str:
    text = smart_quotes(dashes(text))
    english = languages.is_english(article.languages) or translated(article)
    return title_case(text) if english else text


def _single_quotes(text: str) -> str:
    return text.replace("\u201c", "\u2018").replace("\u201d", "\u2019")


def _container(article: Article, what: str) -> str:
    address = link(url(article))
    if what == "preprint":
        parts = [server(article), mla_date(issue_date(article), with_day=True), address]
    elif what == "article":
        volume, issue = supplement(article)
        parts = [italic(smart_quotes(journal(article))), _volume(volume), _number(issue), mla_date(issue_date(article))]
        parts += [_pages(article), address]
    else:
        parts = [
            _in_book(article) if what == "chapter" else "",
            _publisher(article),
            _year(article),
            address,
        ]
    joined = ", ".join(part for part in parts if part)
    # A link ends the entry, so its stop belongs to the style, not to the address.
    return end_with_stop(joined) if joined and not address else f"{joined}." if joined else ""


def _in_book(article: Article) -> str:
    name = italic(_cased(article, book_title(article)))
    editors = named(article.editors)
    if not editors:
        return name
    who = f"{straight(editors[0])} et al." if len(editors) > 2 else " and ".join(straight(person) for person in editors)
    return f"{name}, edited by {who}" if name else f"edited by {who}"


def _publisher(article: Article) -> str:
    return line(article.book.publisher) if article.book else ""


def _year(article: Article) -> str:
    date = cited_date(article)
    return str(date.year) if date.year is not None else ""


def _volume(volume: str) -> str:
    return f"vol. {volume}" if volume else ""


def _number(issue: str) -> str:
    if not issue:
        return ""
    issue = issue.replace("Suppl.", "suppl.")
    first, dash, last = issue.partition("-")
    several = dash and first.isdigit() and last.isdigit()
    return f"nos. {first}\u2013{last}" if several else f"no. {issue}"


def _pages(article: Article) -> str:
    found = place(article)
    if not found.text or found.kind == "item" or (article.publication_status == "aheadofprint" and not article.volume):
        return ""
    if found.kind == "text":
        return f"p. {found.text}"
    text = ", ".join(_span(span) for span in found.spans)
    return f"pp. {text}" if found.kind in ("range", "list") else f"p. {text}"


def _span(span: Span) -> str:
    return f"{span.first}\u2013{shortened(span, 2)}" if span.last else span.first
