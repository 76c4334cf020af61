"""A record of Europe PMC (core, or the shorter lite) as the neutral `Article`."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from vouched.api import (
    Access,
    Article,
    Book,
    Chemical,
    Date,
    Grant,
    Journal,
    Keyword,
    Locator,
    MeshHeading,
    PublicationType,
    Qualifier,
    clean,
)

from vouched_europepmc.dates import iso_date, issue_date, locator
from vouched_europepmc.markup import abstract_parts, plain, title_markup
from vouched_europepmc.notices import PREPRINT_SERVERS, read_notices, scheme_of, standing
from vouched_europepmc.people import read_authors

__all__ = ["is_core", "read_article"]

Kind = Literal["article", "preprint", "chapter", "book", "other"]
Raw = Mapping[str, Any]
# Present in every core record, in no lite one.
_CORE = ("pubTypeList", "journalInfo", "language", "pubModel", "license", "abstractText")
_DATES = (
    "firstPublicationDate",
    "electronicPublicationDate",
    "firstIndexDate",
    "dateOfCreation",
    "dateOfRevision",
    "dateOfCompletion",
    "fullTextReceivedDate",
)


def is_core(raw: Raw) -> bool:
    """Whether the record has all fields: a lite one says nothing about licence, links and corrections."""
    return any(key in raw for key in _CORE)


def read_article(raw: Raw, retrieved_at: str = "") -> Article:
    """Map one record; whatever is missing, blank or 0 stays unknown."""
    core = is_core(raw)
    types = _types(raw)
    kind = _kind(raw, types or [])
    notices = read_notices(_inner(raw, "commentCorrectionList", "commentCorrection"))
    title = plain(_text(raw, "title"))
    info = raw.get("journalInfo") or {}
    parts = abstract_parts(_text(raw, "abstractText"))
    book = _book(raw)
    return Article(
        ids=_ids(raw),
        kind=kind,
        title=title,
        title_markup=title_markup(_text(raw, "title")),
        authors=read_authors(raw),
        journal=_journal(raw, info),
        book=book,
        volume=_text(info, "volume") or _text(raw, "journalVolume"),
        issue=_text(info, "issue") or _text(raw, "issue"),
        **_when_and_where(raw, info, kind, book),
        publication_status=_text(raw, "publicationStatus"),
        publication_model=_text(raw, "pubModel"),
        languages=[language] if (language := _text(raw, "language")) else [],
        types=types or [],
        abstract=parts,
        abstract_state="present" if parts else "none" if core else "not_fetched",
        mesh=[_mesh(one) for one in _inner(raw, "meshHeadingList", "meshHeading")],
        chemicals=[_chemical(one) for one in _inner(raw, "chemicalList", "chemical")],
        keywords=[Keyword(plain(str(one))) for one in _inner(raw, "keywordList", "keyword")],
        grants=[_grant(one) for one in _inner(raw, "grantsList", "grant")],
        notices=notices,
        status=standing(types if core else None, notices, title, retrieved_at, kind == "preprint"),
        access=_access(raw, kind == "preprint", core),
        citation_subsets=[_text(one, "code") for one in _inner(raw, "subsetList", "subset")],
        preprint_server=_server(raw, info) if kind == "preprint" else "",
        preprint_version=_text(raw, "versionNumber") if kind == "preprint" else "",
        citation_count=raw["citedByCount"] if isinstance(raw.get("citedByCount"), int) else None,
        dates_recorded={key: _text(raw, key) for key in _DATES if _text(raw, key)},
        source="europepmc",
        retrieved_at=retrieved_at,
    )


def _when_and_where(raw: Raw, info: Raw, kind: Kind, book: Book | None) -> dict[str, Any]:
    """Dates and locator, those that are known: dates of two events are never mixed."""
    known = {
        "locator": locator(_text(raw, "pageInfo")),
        "date": book.date if book else _date(raw, info),
        "electronic_date": iso_date(_text(raw, "electronicPublicationDate")),
    }
    if kind in ("chapter", "book"):
        known["revision_date"] = iso_date(_text(raw, "dateOfRevision"))
    return {name: value for name, value in known.items() if value not in (Date(), Locator())}


def _text(raw: Raw, key: str) -> str:
    """A field as trimmed text; null and blanks are nothing."""
    value = raw.get(key)
    return "" if value is None or isinstance(value, dict | list) else clean(str(value)).strip()


def _inner(raw: Raw, outer: str, inner: str) -> Sequence[Any]:
    held = raw.get(outer) or {}
    # A list of another shape may hold a retraction: it is a fault of the answer, never an empty list.
    if not isinstance(held, dict):
        raise TypeError(f"{outer} is no object")
    found = held.get(inner)
    return found if isinstance(found, list) else [] if found is None else [found]


def _ids(raw: Raw) -> dict[str, str]:
    """All ids of the record. Its own comes first: PMID for MED, PMCID for PMC-only papers, PPR for preprints."""
    ids: dict[str, str] = {}
    own, source = _text(raw, "id"), _text(raw, "source")
    if own and source:
        ids[scheme_of(source)] = own
    named = {"pmid": "pmid", "pmcid": "pmcid", "doi": "doi", "bookid": "nbk", "manuscriptId": "mid"}
    for key, scheme in named.items():
        if value := _text(raw, key):
            ids.setdefault(scheme, value)
    return ids


def _types(raw: Raw) -> list[PublicationType] | None:
    """Publication types; None where the record names none at all."""
    listed = [str(one) for one in _inner(raw, "pubTypeList", "pubType")] or _text(raw, "pubType").split("; ")
    return [PublicationType(plain(name)) for name in listed if name.strip()] or None


def _kind(raw: Raw, types: Sequence[PublicationType]) -> Kind:
    names = {type_.name.lower() for type_ in types}
    if _text(raw, "source") == "PPR" or "preprint" in names:
        return "preprint"
    details = raw.get("bookOrReportDetails") or {}
    if details and (_text(raw, "source") in ("MED", "NBK") or "book" in names):
        return "chapter" if details.get("comprisingTitle") else "book"
    return "article"


def _book(raw: Raw) -> Book | None:
    details = raw.get("bookOrReportDetails") or {}
    if not details or _text(raw, "source") == "PPR":
        return None
    return Book(
        title=plain(_text(details, "comprisingTitle")),
        publisher=_text(details, "publisher"),
        edition=_text(details, "edition"),
        isbn=[isbn for key in ("isbn10", "isbn13") if (isbn := _text(details, key))],
        collection=plain(_text(details, "seriesName")),
        date=issue_date("", details.get("yearOfPublication"), None),
    )


def _server(raw: Raw, info: Raw) -> str:
    """Where a preprint is posted: Europe PMC's publisher, or the journal's name for those that PubMed holds."""
    publisher = _text(raw.get("bookOrReportDetails") or {}, "publisher")
    title = _text(info.get("journal") or {}, "title") or _text(raw, "journalTitle")
    known = [server for server in PREPRINT_SERVERS if title.lower().startswith(server.lower())]
    return publisher or (known[0] if known else plain(title))


def _journal(raw: Raw, info: Raw) -> Journal:
    held = info.get("journal") or {}
    if held:
        # `issn` is the printed one, or repeats the electronic one where there is no other.
        issn, essn = _text(held, "issn"), _text(held, "essn")
        return Journal(
            title=plain(_text(held, "title")),
            abbreviation=plain(_text(held, "medlineAbbreviation")),
            iso_abbreviation=plain(_text(held, "isoabbreviation")),
            issn=issn or essn,
            issn_print=issn if issn != essn else "",
            issn_electronic=essn,
            nlm_id=_text(held, "nlmid"),
        )
    numbers = [number for number in re.split(r"[;\s]+", _text(raw, "journalIssn")) if number]
    return Journal(title=plain(_text(raw, "journalTitle")), issn=numbers[0] if numbers else "")


def _date(raw: Raw, info: Raw) -> Date:
    year = info.get("yearOfPublication") or raw.get("pubYear")
    details = raw.get("bookOrReportDetails") or {}
    return issue_date(
        _text(info, "dateOfPublication"), year or details.get("yearOfPublication"), info.get("monthOfPublication")
    )


def _mesh(one: Raw) -> MeshHeading:
    return MeshHeading(
        name=_text(one, "descriptorName"),
        major=one.get("majorTopic_YN") == "Y",
        qualifiers=[
            Qualifier(_text(q, "qualifierName"), major=q.get("majorTopic_YN") == "Y")
            for q in _inner(one, "meshQualifierList", "meshQualifier")
        ],
    )


def _chemical(one: Raw) -> Chemical:
    return Chemical(plain(_text(one, "name")), registry_number=_text(one, "registryNumber"))


def _grant(one: Raw) -> Grant:
    return Grant(number=_text(one, "grantId"), acronym=_text(one, "acronym"), agency=plain(_text(one, "agency")))


def _access(raw: Raw, preprint: bool, core: bool) -> Access:
    """The flags as neutral facts. Every DOI link is also listed as `S`; `OA` and `F` mark links that open."""
    links = _inner(raw, "fullTextUrlList", "fullTextUrl")
    free = any(link.get("availabilityCode") in ("OA", "F") for link in links)
    flagged = _flag(raw, "isOpenAccess")
    archived = _flag(raw, "inEPMC") is True or _flag(raw, "inPMC") is True
    manuscript = any(_flag(raw, key) is True for key in ("authMan", "epmcAuthMan", "nihAuthMan"))
    return Access(
        open=flagged,
        in_archive=archived,
        link_free=free,
        preprint=preprint,
        manuscript=manuscript or bool(_text(raw, "manuscriptId")),
        licence=_text(raw, "license") if core else None,
        source="europepmc",
        bronze=free and flagged is False and not archived,
        published=_text(raw, "firstPublicationDate"),
    )


def _flag(raw: Raw, key: str) -> bool | None:
    value = _text(raw, key).upper()
    return None if value not in ("Y", "N") else value == "Y"
