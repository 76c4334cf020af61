"""A record as fetch_article shows it: everything that Europe PMC says of it, nothing of it twice.

Its standing stands beside it in the row, its access and licence in the reuse card.
"""

from collections.abc import Iterable

import msgspec
from vouched.api import Article, Author, Journal, MeshHeading

from vouched_europepmc.fetch_article import Record

__all__ = ["view"]


def view(article: Article) -> Record:
    """The record of one article."""
    told = {(signal.source, *signal.ids.items()) for signal in article.status.signals}
    return Record(
        title=article.title,
        ids=article.ids,
        kind=article.kind,
        authors=[msgspec.structs.replace(author, affiliations=[]) for author in article.authors],
        journal=_journal(article.journal),
        book=article.book,
        year=article.year(),
        issued=article.date.literal or article.date.iso(),
        published=article.dates_recorded.get("firstPublicationDate", ""),
        electronic=article.electronic_date.iso(),
        revised=article.dates_recorded.get("dateOfRevision", ""),
        volume=article.volume,
        issue=article.issue,
        pages=article.locator.text,
        preprint_server=article.preprint_server,
        preprint_version=article.preprint_version,
        types=[type_.name for type_ in article.types],
        languages=article.languages,
        citation_count=article.citation_count,
        abstract=article.abstract,
        abstract_state=article.abstract_state,
        mesh=[_heading(one) for one in article.mesh],
        chemicals=[
            f"{one.name} ({one.registry_number})" if one.registry_number not in ("", "0") else one.name
            for one in article.chemicals
        ],
        keywords=[keyword.term for keyword in article.keywords],
        grants=[
            " ".join(part for part in (grant.agency, grant.acronym, grant.number) if part) for grant in article.grants
        ],
        links=[one for one in article.notices if (one.source, *one.ids.items()) not in told],
        title_markup=article.title_markup,
        affiliations=_affiliations(article.authors),
        publication_status=article.publication_status,
        publication_model=article.publication_model,
        subsets=article.citation_subsets,
    )


def _journal(journal: Journal) -> dict[str, str]:
    """Title, its abbreviations where they differ, ISSNs once each."""
    numbers = {"print": journal.issn_print, "electronic": journal.issn_electronic}
    issns = [f"{issn} ({medium})" for medium, issn in numbers.items() if issn] or [journal.issn]
    iso = journal.iso_abbreviation if journal.iso_abbreviation != journal.abbreviation else ""
    named = {
        "title": journal.title,
        "abbreviation": journal.abbreviation,
        "iso_abbreviation": iso,
        "issn": ", ".join(issns),
        "nlm_id": journal.nlm_id,
    }
    return {name: value for name, value in named.items() if value}


def _heading(one: MeshHeading) -> str:
    """As PubMed writes it: `Lantern Fever/drug therapy*`, the asterisk for a major topic."""
    parts = [(one.name, one.major), *((qualifier.name, qualifier.major) for qualifier in one.qualifiers)]
    return "/".join(name + ("*" if major else "") for name, major in parts)


def _affiliations(authors: Iterable[Author]) -> dict[str, list[str]]:
    """Each affiliation once, with its people."""
    found: dict[str, list[str]] = {}
    for author in authors:
        for text in author.affiliations:
            found.setdefault(text, []).append(author.display())
    return found
