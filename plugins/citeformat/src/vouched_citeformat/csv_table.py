"""CSV (RFC 4180): one row a reference, for spreadsheets. Formulas are disarmed, since spreadsheets run them."""

import csv
import io

from vouched.api import Article

from vouched_citeformat.dates import cited_date, medline_date
from vouched_citeformat.fields import book_title, doi, kind, title, url
from vouched_citeformat.journals import journal
from vouched_citeformat.markup import Markup, line, plain
from vouched_citeformat.names import dotted, group, inverted, named
from vouched_citeformat.notices import PHRASES, SHOWN
from vouched_citeformat.pages import place

__all__ = ["render"]


def render(article: Article, markup: Markup) -> str:
    """One row, ending with CRLF; columns as in the header that the catalogue gives, authors as `Family, Given; …`."""
    date = cited_date(article)
    what = kind(article)
    people = [group(author) or inverted(author, dotted(author)) for author in named(article.authors)]
    said = [f"{PHRASES[notice.type]}: {line(notice.source)}" for notice in article.notices if notice.type in SHOWN]
    row = (
        line(article.ids.get("pmid", "")),
        line(article.ids.get("pmcid", "")),
        doi(article),
        what,
        "; ".join(people),
        str(date.year or ""),
        medline_date(date),
        plain(title(article)),
        journal(article) if what in ("article", "preprint") else plain(book_title(article)),
        line(article.volume),
        line(article.issue),
        _pages(article),
        url(article),
        article.status.status,
        "; ".join(said),
        line(article.source),
        line(article.retrieved_at),
    )
    out = io.StringIO()
    csv.writer(out).writerow([_disarmed(cell) for cell in row])
    return out.getvalue()


def _pages(article: Article) -> str:
    found = place(article)
    return "" if found.kind == "item" else found.join("-")


def _disarmed(cell: str) -> str:
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
