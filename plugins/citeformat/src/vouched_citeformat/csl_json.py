"""CSL-JSON, the citation processors' common input (schema csl-data.json 1.0.2), also what the CSL engine gets here.

It cannot carry PubModel, PubMed's initials or notices; a notice stands in `note`, where processors do not print it.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from vouched.api import Article, Author

from vouched_citeformat import languages
from vouched_citeformat.bibkeys import key
from vouched_citeformat.bibtex import issn
from vouched_citeformat.dates import cited_date, medline_date
from vouched_citeformat.fields import book_title, doi, kind, nbk_url, server, title, url, vernacular
from vouched_citeformat.journals import journal, short
from vouched_citeformat.markup import B0, B1, I0, I1, SUB0, SUB1, SUP0, SUP1, Markup, line
from vouched_citeformat.names import cjk, dotted, full_suffix, group, named
from vouched_citeformat.notices import PHRASES, SHOWN, retracted
from vouched_citeformat.pages import place

__all__ = ["item", "render"]

_TYPE = {"article": "article-journal", "preprint": "article", "chapter": "chapter", "book": "book"}
_RICH = str.maketrans(
    {I0: "<i>", I1: "</i>", B0: "<b>", B1: "</b>", SUB0: "<sub>", SUB1: "</sub>", SUP0: "<sup>", SUP1: "</sup>"}
)
_SEASONS = {"spring": 1, "summer": 2, "fall": 3, "autumn": 3, "winter": 4}


def render(article: Article, markup: Markup) -> str:
    """One item as JSON on one line; a file joins them into an array."""
    return msgspec.json.encode(item(article)).decode()


def item(article: Article, *, rich: bool = True) -> dict[str, Any]:
    """The item as plain data; empty variables are left out.

    Args:
        rich: italics, sub- and superscript as tags, as the schema has them; else as the marks of `markup`.
    """
    what = kind(article)
    rich_text = _tagged if rich else str
    source = article.book.authors if what == "book" and article.book and not article.authors else article.authors
    found: dict[str, Any] = {
        "id": key(article),
        "type": _TYPE[what],
        "title": rich_text(book_title(article) or title(article) if what == "book" else title(article)),
        "original-title": rich_text(vernacular(article)) if vernacular(article) != title(article) else "",
        "author": [_name(author) for author in named(source)],
        "editor": [_name(author) for author in named(article.editors)],
        "issued": _issued(article),
        **(_periodical(article) if what == "article" else _other(article, what, rich_text)),
        "DOI": doi(article),
        "URL": url(article) if what == "preprint" or nbk_url(article) else "",
        "PMID": line(article.ids.get("pmid", "")),
        "PMCID": line(article.ids.get("pmcid", "")),
        "language": languages.iso(article.languages[0]) if article.languages else "",
        "abstract": line(article.abstract_text()),
        "source": line(article.source),
        "note": _note(article),
    }
    return {name: value for name, value in found.items() if value not in ("", [], None, {})}


def _tagged(text: str) -> str:
    return text.translate(_RICH)


def _name(author: Author) -> dict[str, str]:
    if author.collective:
        return {"literal": group(author)}
    family = line(author.family)
    given = line(author.given) if cjk(author) else dotted(author)
    if not given or not family:
        return {"literal": family or given}
    name = {"family": family, "given": given}
    return {**name, "suffix": full_suffix(author)} if author.suffix else name


def _issued(article: Article) -> dict[str, Any]:
    date = cited_date(article)
    if date.year is None:
        return {}
    start = _parts(date.year, date.month, date.day)
    found: dict[str, Any] = {"date-parts": [start]}
    if date.season:
        season = _SEASONS.get(date.season.lower().replace("-", " ").split()[0])
        return {"date-parts": [[date.year]], **({"season": season} if season else {}), "literal": medline_date(date)}
    if date.end_year or date.end_month or date.end_day:
        found["date-parts"].append(_parts(date.end_year or date.year, date.end_month or date.month, date.end_day))
    return found


def _parts(year: int, month: int | None, day: int | None) -> list[int]:
    return [year, *([month, *([day] if day else [])] if month else [])]


def _periodical(article: Article) -> dict[str, Any]:
    found = place(article)
    article_number = found.first if found.kind == "article" else ""
    return {
        "container-title": journal(article),
        "container-title-short": short(article),
        "volume": line(article.volume),
        "issue": line(article.issue),
        "page": "" if article_number or found.kind == "item" else found.join("-"),
        "number": article_number,
        "ISSN": issn(article),
        "status": "advance online publication" if article.publication_status == "aheadofprint" else "",
    }


def _other(article: Article, what: str, rich_text: Callable[[str], str]) -> dict[str, Any]:
    if what == "preprint":
        return {"publisher": server(article), "genre": "Preprint"}
    book = article.book
    if not book:
        return {}
    return {
        "container-title": rich_text(book_title(article)) if what == "chapter" else "",
        "collection-title": line(book.collection),
        "publisher": line(book.publisher),
        "publisher-place": line(book.place),
        "edition": line(book.edition),
        "ISBN": line(book.isbn[0]) if book.isbn else "",
    }


def _note(article: Article) -> str:
    said = [f"{PHRASES[notice.type]}: {line(notice.source)}" for notice in article.notices if notice.type in SHOWN]
    if retracted(article) and not any(text.startswith("Retract") for text in said):
        said.insert(0, "Retracted")
    return "; ".join(said)
