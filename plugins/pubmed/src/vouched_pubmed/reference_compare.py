"""A reference as somebody has it against the record behind it, field by field."""

import re
from collections.abc import Sequence
from typing import Any

from vouched.api import Article, ParsedReference, canonical, fold

from vouched_pubmed.agreement import agree
from vouched_pubmed.author_match import compare_author
from vouched_pubmed.check_references import Difference
from vouched_pubmed.lookup_citation import Cited

__all__ = ["cited_fields", "differences", "document_of", "same_title"]

# Share of a title's words that the other must have, so that a cut or slightly retyped title is still the same.
ENOUGH = 0.8
MOST_AUTHORS = 12


def document_of(article: Article) -> dict[str, Any]:
    """The record in the keys of a document summary, for `vouched_pubmed.agreement`."""
    journal, book = article.journal, article.book
    return {
        "pubdate": article.date.literal or article.date.iso(),
        "epubdate": article.electronic_date.iso(),
        "docdate": article.revision_date.iso(),
        "srcdate": " ".join(filter(None, (article.contribution_date.iso(), book.date.iso() if book else ""))),
        "source": journal.abbreviation or journal.iso_abbreviation,
        "fulljournalname": journal.title,
        "issn": journal.issn,
        "nlmuniqueid": journal.nlm_id,
        "booktitle": book.title if book else "",
        "volume": article.volume,
        "pages": article.locator.text if article.locator.kind != "article_number" else "",
        "elocationid": f"pii: {article.locator.first}" if article.locator.kind == "article_number" else "",
        "authors": [
            {"name": author.display(), "authtype": "CollectiveName" if author.collective else "Author"}
            for author in article.authors
        ],
    }


def first_authors(reference: ParsedReference) -> list[str]:
    """The names of a reference: `Family, Given; Family, Given`, or one string."""
    return [name.strip() for name in reference.fields.get("authors", "").split(";") if name.strip()]


def cited_fields(reference: ParsedReference) -> Cited:
    """The five fields that ECitMatch takes; separators of its rows are blanks here."""

    def field(name: str) -> str:
        return re.sub(r"[|\s]+", " ", reference.fields.get(name, "")).strip()

    year = re.search(r"(?<!\d)\d{4}(?!\d)", field("year"))
    names = first_authors(reference)
    author = re.sub(r"[|\s]+", " ", names[0]).replace(",", "") if names else ""
    page = re.split(r"[-–,;]", field("pages"))[0].strip()
    return Cited(field("journal"), year[0] if year else "", field("volume"), page, author)


def _title_words(title: str) -> list[str]:
    return fold(re.sub(r"</?(?:i|b|sub|sup|em)>", "", title)).split()


def same_title(given: str, article: Article) -> bool:
    """Whether a title means this record's: its own, the vernacular one, or, for a chapter, the book's with it."""
    asked = _title_words(given)
    for title in (article.title, article.vernacular_title, article.book.title if article.book else ""):
        own = _title_words(title)
        if not own or not asked:
            continue
        if " ".join(asked) in " ".join(own) and len(asked) >= 4:
            return True
        short, long = sorted((asked, own), key=len)
        shared = sum(min(short.count(word), long.count(word)) for word in set(short))
        if shared / len(long) >= ENOUGH:
            return True
    return False


def _id_differences(reference: ParsedReference, article: Article) -> list[Difference]:
    found = []
    for scheme, value in reference.ids.items():
        asked = canonical(scheme, value)
        own = [article.ids.get(scheme, ""), *article.also_ids.get(scheme, ())]
        known = {canonical(scheme, one) for one in own if one}
        if known and asked not in known:
            found.append(Difference(scheme, value, article.ids[scheme]))
    return found


def _in_text(value: str, text: str) -> bool:
    words = fold(value)
    return bool(words) and f" {words} " in f" {fold(text)} "


def _record_values(article: Article) -> dict[str, str]:
    names, book = [author.display() for author in article.authors], article.book
    dates = (article.date.literal or article.date.iso(), article.electronic_date.iso())
    return {
        "author": ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else ""),
        "year": " / ".join(dict.fromkeys(date for date in dates if date)),
        "journal": article.journal.abbreviation or article.journal.title or (book.title if book else ""),
        "volume": article.volume,
        "first_page": article.locator.text,
    }


def differences(reference: ParsedReference, article: Article) -> list[Difference]:
    """What is not so. A field that cannot be compared differs from nothing.

    Fields that were read out of a citation string count only where the record's own value stands nowhere in it: the
    reading may have gone wrong.
    """
    found = _id_differences(reference, article)
    title = reference.fields.get("title", "")
    if title and not same_title(title, article) and not _in_text(article.title, reference.text):
        found.append(Difference("title", title, article.title or article.vernacular_title))
    cited, document, own = cited_fields(reference), document_of(article), _record_values(article)
    grades = agree(cited, document)
    given = {"year": cited.year, "journal": cited.journal, "volume": cited.volume, "first_page": cited.first_page}
    for name, value in given.items():
        if getattr(grades, name) == "differs" and not _said(name, article, reference.text):
            found.append(Difference(name, value, own[name]))
    if "first_page" not in {one.field for one in found} and (wrong := _last_page(reference, article)):
        found.append(wrong)
    strange = _strange_authors(first_authors(reference), document, article, reference.text)
    if strange:
        found.append(Difference("author", "; ".join(strange), own["author"]))
    return found


def _ends(pages: str) -> tuple[str, str] | None:
    """First and last page of `1834-44` as whole numbers; None for what is no plain range."""
    range_ = re.fullmatch(r"([A-Za-z]*)(\d+)\s?[-–—]\s?([A-Za-z]*)(\d+)", pages.strip())
    if not range_ or range_[3] not in ("", range_[1]):
        return None
    first, last = range_[2], range_[4]
    return range_[1] + first, range_[1] + (first[: len(first) - len(last)] + last if len(last) < len(first) else last)


def _last_page(reference: ParsedReference, article: Article) -> Difference | None:
    given, own = _ends(reference.fields.get("pages", "")), _ends(article.locator.text)
    if not given or not own or given[0] != own[0] or given[1] == own[1]:
        return None
    return Difference("last_page", reference.fields["pages"], article.locator.text)


def _said(name: str, article: Article, text: str) -> bool:
    """Whether the string has the record's own value after all."""
    if not text:
        return False
    values = {
        "year": [str(date.year) for date in (article.date, article.electronic_date) if date.year],
        "journal": [article.journal.abbreviation, article.journal.title, article.journal.iso_abbreviation],
        "volume": [],
        "first_page": [article.locator.first],
    }[name]
    return any(value and _in_text(value, text) for value in values)


def _strange_authors(names: Sequence[str], document: dict[str, Any], article: Article, text: str) -> list[str]:
    from vouched_pubmed.summaries import author_names

    roster = author_names(document)
    strange = [name for name in names[:MOST_AUTHORS] if compare_author(name, roster) == "differs"]
    if (
        strange
        and text
        and article.authors
        and _in_text(article.authors[0].family or article.authors[0].collective, text)
    ):
        return []
    return strange
