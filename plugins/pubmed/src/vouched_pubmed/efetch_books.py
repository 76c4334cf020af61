"""Bookshelf records (`PubmedBookArticle`): whole books and their chapters."""

from typing import TYPE_CHECKING, Any

from vouched.api import Author, Book

from vouched_pubmed.efetch_authors import read_authors
from vouched_pubmed.efetch_dates import read_date
from vouched_pubmed.markup import plain, rich

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["ReadBook", "read_book"]

_TEXTS = {
    "VolumeTitle": "volume_title",
    "Volume": "volume",
    "Edition": "edition",
    "CollectionTitle": "collection",
    "Medium": "medium",
    "ReportNumber": "report_number",
}
_DATES = {"PubDate": "date", "BeginningDate": "begin_date", "EndingDate": "end_date"}


class ReadBook:
    """A `Book` element: the book, its editors, and locators of the book as a whole."""

    def __init__(self, book: Book, editors: list[Author], e_locations: list["_Element"]) -> None:
        self.book = book
        self.editors = editors
        self.e_locations = e_locations


def read_book(node: "_Element") -> ReadBook:
    """Read publisher, titles, dates, people, edition, ISBN and series of a Book."""
    fields: dict[str, Any] = {"isbn": [], "authors": []}
    editors: list[Author] = []
    locations: list[_Element] = []
    for child in node:
        tag = child.tag
        if tag in _TEXTS:
            fields[_TEXTS[tag]] = plain(child)
        elif tag in _DATES:
            fields[_DATES[tag]] = read_date(child)
        elif tag == "BookTitle":
            fields["title"], fields["title_markup"], _ = rich(child)
        elif tag == "Publisher":
            for part in child:
                fields["publisher" if part.tag == "PublisherName" else "place"] = plain(part)
        elif tag == "AuthorList":
            (editors if child.get("Type") == "editors" else fields["authors"]).extend(read_authors(child))
        elif tag == "Isbn":
            fields["isbn"].append((child.text or "").strip())
        elif tag == "ELocationID":
            locations.append(child)
    return ReadBook(Book(**fields), editors, locations)
