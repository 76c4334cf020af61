"""Invented articles for tests: clearly fictional, PMIDs from 99900001, in the Journal of Invented Results."""

from typing import Any

from vouched.api import Article, Author, Book, Date, ELocation, Journal, Locator, Notice

__all__ = ["AUTHORS", "article", "book", "chapter", "people", "preprint", "retracted"]

AUTHORS = (
    Author(family="Quill", given="Ada B", initials="AB"),
    Author(family="Marrow", given="Jean-Luc", initials="JL"),
    Author(family="van der Lind", given="Oskar", initials="O"),
)
JOURNAL = Journal(
    title="Journal of invented results",
    abbreviation="J Invent Res",
    issn="9990-0001",
    issn_print="9990-0001",
    country="Nowhere",
    nlm_id="999000001",
)


def people(count: int) -> list[Author]:
    """`count` authors with different names."""
    return [Author(family=f"Family{chr(97 + n % 26)}{n}", given="Ann B", initials="AB") for n in range(count)]


def article(**changes: Any) -> Article:
    """An article of 2024 with everything usual; `changes` replace fields."""
    fields: dict[str, Any] = {
        "ids": {"pmid": "99900001", "doi": "10.9999/jir.2024.1", "pmcid": "PMC99900001"},
        "title": "Glimmer syndrome in invented mice.",
        "authors": list(AUTHORS),
        "journal": JOURNAL,
        "volume": "12",
        "issue": "3",
        "locator": Locator(text="737-8"),
        "e_locations": [ELocation("doi", "10.9999/jir.2024.1")],
        "date": Date(year=2024, month=5, day=23, precision="day"),
        "languages": ["eng"],
        "publication_status": "ppublish",
        "publication_model": "Print",
        "source": "eutils",
        "retrieved_at": "2026-11-30T08:00:00Z",
    }
    return Article(**{**fields, **changes})


def retracted(**changes: Any) -> Article:
    """An article with a retraction notice."""
    notice = Notice("RetractionIn", "J Invent Res. 2025 Jan;13(1):9-10", {"pmid": "99900009"})
    return article(**{"notices": [notice], **changes})


def preprint(**changes: Any) -> Article:
    """A preprint on an invented server."""
    return article(
        **{
            "kind": "preprint",
            "journal": Journal(title="inventRxiv", abbreviation="inventRxiv"),
            "preprint_server": "inventRxiv",
            "volume": "",
            "issue": "",
            "locator": Locator(),
            **changes,
        }
    )


def chapter(**changes: Any) -> Article:
    """A chapter of a continuously revised book."""
    return article(
        **{
            "kind": "chapter",
            "ids": {"pmid": "99900002", "nbk": "NBK999001"},
            "title": "Glimmer syndrome.",
            "journal": Journal(),
            "volume": "",
            "issue": "",
            "locator": Locator(),
            "e_locations": [],
            "date": Date(year=1993, precision="year"),
            "contribution_date": Date(year=1998, month=10, day=23, precision="day"),
            "revision_date": Date(year=2018, month=12, day=20, precision="day"),
            "editors": [Author(family="Stone", given="Margaret P", initials="MP"), *people(2)],
            "book": Book(
                title="InventedReviews",
                publisher="University of Nowhere",
                place="Nowhere (NO)",
                begin_date=Date(year=1993, precision="year"),
            ),
            **changes,
        }
    )


def book(**changes: Any) -> Article:
    """A whole book with editors only."""
    return chapter(
        **{
            "kind": "book",
            "title": "",
            "authors": [],
            "contribution_date": Date(),
            "revision_date": Date(),
            **changes,
        }
    )
