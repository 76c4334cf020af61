"""A reference as somebody has it against the record behind it, field by field."""

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

from vouched.api import Article, ParsedReference, Struct, canonical, fold

from vouched_pubmed.agreement import agree, compare_issue, first_page
from vouched_pubmed.author_match import compare_author
from vouched_pubmed.check_references import Difference, ReferenceAgreement
from vouched_pubmed.lookup_citation import Cited, Grade
from vouched_pubmed.reference_words import compare_unread
from vouched_pubmed.title_match import compare_title, compare_title_in_text

__all__ = ["Comparison", "cited_fields", "compare", "document_of", "same_title"]

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
        "iso": journal.iso_abbreviation,
        "issn": journal.issn,
        "essn": journal.issn_electronic,
        "issn_print": journal.issn_print,
        "issn_linking": journal.issn_linking,
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
    page = first_page(field("pages"))
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


def _id_grade(scheme: str, reference: ParsedReference, article: Article) -> Grade:
    value = reference.ids.get(scheme, "")
    if not value:
        return "not_given"
    known = {canonical(scheme, one) for one in (article.ids.get(scheme, ""), *article.also_ids.get(scheme, ())) if one}
    if not known:
        return "not_comparable"
    if canonical(scheme, value) in known:
        return "same"
    # A DOI may hold what ends it in a text, and stand there percent-encoded.
    text = reference.text.lower()
    said = scheme == "doi" and any(id_ and id_.value.lower() in one for id_ in known for one in (text, unquote(text)))
    return "same" if said else "differs"


def _in_text(value: str, text: str) -> bool:
    words = fold(value)
    return bool(words) and f" {words} " in f" {fold(text)} "


def _record_values(article: Article) -> dict[str, str]:
    names, book = [author.display() for author in article.authors], article.book
    dates = (article.date.literal or article.date.iso(), article.electronic_date.iso())
    return {
        "title": article.title or article.vernacular_title or (book.title if book else ""),
        "author": ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else ""),
        "year": " / ".join(dict.fromkeys(date for date in dates if date)),
        "journal": article.journal.abbreviation or article.journal.title or (book.title if book else ""),
        "volume": article.volume,
        "issue": article.issue,
        "first_page": article.locator.text,
        "last_page": article.locator.text,
        **{scheme: article.ids.get(scheme, "") for scheme in ("doi", "pmid", "pmcid")},
    }


class Comparison(Struct):
    """A grade for every field, and for those that differ both sides."""

    agreement: ReferenceAgreement
    differs: list[Difference]


def compare(reference: ParsedReference, article: Article) -> Comparison:
    """Every field by itself. What cannot be compared differs from nothing.

    Fields that were read out of a citation string count only where the record's own value stands nowhere in it: the
    reading may have gone wrong.
    """
    cited, document, text = cited_fields(reference), document_of(article), reference.text
    grades = agree(cited, document)
    strange, author = _authors(first_authors(reference), document, article, text)
    title_grade, title = _title(reference, article)
    page = grades.first_page
    if page == "differs" and not _page_differs(reference, article):
        page = "not_comparable"
    graded: dict[str, Grade] = {
        "title": title_grade,
        "author": author,
        "journal": grades.journal,
        "year": grades.year,
        "volume": grades.volume,
        "issue": compare_issue(reference.fields.get("issue", ""), article.issue),
        "first_page": page,
        "last_page": _last_page(reference.fields.get("pages", ""), article.locator.text),
        **{scheme: _id_grade(scheme, reference, article) for scheme in ("doi", "pmid", "pmcid")},
    }
    for name in ("journal", "year", "issue", "first_page"):
        if graded[name] == "differs" and _said(name, article, reference):
            graded[name] = "same"
    given = {**reference.fields, **reference.ids, "year": cited.year, "author": "; ".join(strange), "title": title}
    given |= {"first_page": cited.first_page, "last_page": reference.fields.get("pages", "")}
    own = _record_values(article)
    found = [Difference(name, given[name], own[name]) for name, grade in graded.items() if grade == "differs"]
    return Comparison(ReferenceAgreement(**graded), found)


def _title(reference: ParsedReference, article: Article) -> tuple[Grade, str]:
    """The grade of the title and what is taken for it: of a citation string that holds words of no field, those."""
    title, text = reference.fields.get("title", ""), reference.text
    if not text:
        return compare_title(title, article), title
    grade = compare_title_in_text(title, article, text) if title else "not_given"
    if grade == "same":
        return grade, title
    unread, said = compare_unread(reference, article)
    if not title or (grade == "not_comparable" and unread != "not_given"):
        return unread, said
    return ("same" if unread == "same" else grade), title


def _page_differs(reference: ParsedReference, article: Article) -> bool:
    """Whether a first page that is not the record's is a real difference: of an article that has a number people cite
    the pages of its PDF, 1 to its length, or the number as it stands in the DOI."""
    first = first_page(reference.fields["pages"]).lower()
    numbers = [place.value for place in article.e_locations] + [article.ids.get("doi", ""), article.ids.get("pii", "")]
    if re.fullmatch(r"[a-z]*\d{3,}", first) and any(number.lower().endswith(first) for number in numbers):
        return False
    return not (article.locator.kind == "article_number" and first == "1")


def _ends(pages: str) -> tuple[str, str] | None:
    """First and last page of `1834-44` as whole numbers; None for what is no plain range."""
    range_ = re.fullmatch(r"([A-Za-z]*)(\d+)\s?[-–—]\s?([A-Za-z]*)(\d+)", pages.strip())
    if not range_ or range_[3] not in ("", range_[1]):
        return None
    first, last = range_[2], range_[4]
    return range_[1] + first, range_[1] + (first[: len(first) - len(last)] + last if len(last) < len(first) else last)


def _last_page(pages: str, own_pages: str) -> Grade:
    """Of two ranges that begin with one page."""
    if not re.search(r"\d\s?[-–—]\s?[A-Za-z]*\d", pages):
        return "not_given"
    given, own = _ends(pages), _ends(own_pages)
    if given is None or own is None or given[0] != own[0]:
        return "not_comparable"
    return "same" if given[1] == own[1] else "differs"


def _said(name: str, article: Article, reference: ParsedReference) -> bool:
    """Whether the string has the record's own value after all, outside its title and its links."""
    if not reference.text:
        return False
    said = re.sub(r"https?://\S+|\b10\.\d{4,9}/\S+", " ", reference.text)
    said = fold(said).replace(fold(article.title) or "\n", " ")
    values = {
        "year": [str(date.year) for date in (article.date, article.electronic_date) if date.year],
        "journal": [article.journal.abbreviation, article.journal.title, article.journal.iso_abbreviation],
        "issue": [article.issue] if not article.issue.isdigit() else [],
        "first_page": [article.locator.first],
    }[name]
    return any(value and _in_text(value, said) for value in values)


def _authors(names: Sequence[str], document: dict[str, Any], article: Article, text: str) -> tuple[list[str], Grade]:
    """The names that the record does not have, and the grade of all."""
    from vouched_pubmed.summaries import author_names

    roster = author_names(document)
    grades = [compare_author(name, roster) for name in names[:MOST_AUTHORS]]
    strange = [name for name, grade in zip(names, grades, strict=False) if grade == "differs"]
    first = article.authors[0] if article.authors else None
    if strange and len(names) == 1 and text and first and _in_text(first.family or first.collective, text):
        return [], "same"
    if strange:
        return strange, "differs"
    return [], "same" if "same" in grades else "not_comparable" if grades else "not_given"
