"""Core and lite records as neutral articles."""

from collections.abc import Callable
from typing import Any

import msgspec
from vouched.api import Author
from vouched_europepmc.markup import decoded, plain
from vouched_europepmc.people import split_author_string
from vouched_europepmc.records import is_core, read_article

Raw = dict[str, Any]
Core = Callable[..., Raw]


def test_a_core_record_keeps_its_facts(core: Core) -> None:
    article = read_article(core(), "2026-01-02T03:04:05+00:00")
    assert article.ids == {"pmid": "99900001", "pmcid": "PMC99900001", "doi": "10.99999/jir.1"}
    assert (article.volume, article.issue, article.locator.text) == ("7", "2", "188-91")
    assert article.date.iso() == "2024-05"
    assert (article.journal.issn_print, article.journal.issn_electronic) == ("9999-0001", "9999-001X")
    assert article.abstract_text() == "Results: It was shorter (p < 0.001)."
    assert article.citation_count == 4
    assert article.retrieved_at in article.status.checked[0]


def test_p32_p34_suffix_and_group_keep_their_place(core: Core) -> None:
    assert [author.display() for author in read_article(core()).authors] == [
        "Zandt A",
        "Golob JF Jr",
        "Lantern Trial Group",
    ]


def test_p33_an_author_string_stands_in_for_a_missing_list() -> None:
    assert split_author_string("Liu Q, van den Berg JF Jr, Mononym, Example Trial Group.") == [
        Author(family="Liu", initials="Q"),
        Author(family="van den Berg", initials="JF", suffix="Jr"),
        Author(family="Mononym"),
        Author(family="Example Trial Group"),
    ]
    assert split_author_string("") == []


def test_an_orcid_belongs_to_its_author(core: Core) -> None:
    one = {"fullName": "Zandt A", "lastName": "Zandt", "initials": "A"}
    one |= {"authorId": {"type": "ORCID", "value": "0000-0002-1825-0097"}}
    record = core(authorList={"author": [one]}, authorIdList={"authorId": [{"type": "ORCID", "value": "other"}]})
    assert [author.orcid for author in read_article(record).authors] == ["0000-0002-1825-0097"]


def test_zero_and_blank_are_missing(core: Core) -> None:
    info = {"volume": "13", "dateOfPublication": " ", "monthOfPublication": 0, "yearOfPublication": 0}
    raw = core(source="PMC", id="PMC99900015", pmid=None, pmcid="PMC99900015", doi=None, pubYear=None, journalInfo=info)
    article = read_article(raw)
    assert article.ids == {"pmcid": "PMC99900015"}
    assert article.year() is None
    assert article.date.precision is None
    assert article.dates_recorded["firstPublicationDate"] == "2024-04-20"


def test_p85_a_preprint_has_its_server_version_and_published_link(core: Core) -> None:
    link = {"source": "MED", "id": "99900007", "reference": "J Invent Res. 2025", "type": "Preprint of", "orderIn": 0}
    raw = core(
        id="PPR990008",
        source="PPR",
        pmid=None,
        pmcid=None,
        journalInfo=None,
        bookOrReportDetails={"publisher": "medRxiv", "yearOfPublication": 2025},
        versionNumber=2,
        pubYear="2025",
        pubTypeList={"pubType": ["Preprint"]},
        commentCorrectionList={"commentCorrection": [link]},
    )
    article = read_article(raw)
    assert (article.kind, article.preprint_server, article.preprint_version) == ("preprint", "medRxiv", "2")
    assert article.book is None
    assert article.date.year == 2025
    assert [(s.kind, s.ids) for s in article.status.signals] == [("published_as", {"pmid": "99900007"})]
    assert article.access is not None
    assert article.access.preprint


def test_a_chapter_names_its_book(core: Core) -> None:
    details = {"publisher": "University of Nowhere", "yearOfPublication": 1993, "comprisingTitle": "InventedReviews®"}
    article = read_article(core(journalInfo=None, bookOrReportDetails=details, bookid="NBK99901"))
    assert article.kind == "chapter"
    assert article.book is not None
    assert article.book.title == "InventedReviews®"
    assert article.ids["nbk"] == "NBK99901"


def test_r08_access_facts_are_the_flags(core: Core) -> None:
    access = read_article(core()).access
    assert access is not None
    assert (access.open, access.in_archive, access.licence, access.manuscript) == (True, True, "cc by", False)
    closed = read_article(core(isOpenAccess="N", inEPMC="N", inPMC="N", license=None)).access
    assert closed is not None
    assert (closed.open, closed.in_archive, closed.licence) == (False, False, "")


def test_p78_an_author_manuscript_is_marked(core: Core) -> None:
    access = read_article(core(isOpenAccess="N", nihAuthMan="Y", license=None, manuscriptId="NIHMS99")).access
    assert access is not None
    assert access.manuscript


def test_p79_free_at_the_publisher_is_bronze_and_no_licence(core: Core) -> None:
    urls = {"fullTextUrl": [{"availabilityCode": "OA", "site": "Unpaywall"}, {"availabilityCode": "S"}]}
    access = read_article(core(isOpenAccess="N", inEPMC="N", inPMC="N", license=None, fullTextUrlList=urls)).access
    assert access is not None
    assert (access.bronze, access.link_free, access.licence) == (True, True, "")


def test_a_lite_record_was_not_asked_for_its_licence() -> None:
    raw = {"id": "99900001", "source": "MED", "pmid": "99900001", "title": "T.", "pubType": "journal article; review"}
    raw |= {"authorString": "Zandt A.", "journalIssn": "9999-0001; 9999-001X; ", "isOpenAccess": "Y"}
    article = read_article(raw)
    assert not is_core(raw)
    assert article.access is not None
    assert article.access.licence is None
    assert article.abstract_state == "not_fetched"
    assert article.status.status == "not_checked"
    assert [type_.name for type_ in article.types] == ["journal article", "review"]


def test_all_corpus_records_are_read_and_nothing_is_lost(records: list[Raw]) -> None:
    assert len(records) > 1_200
    for raw in records:
        article = read_article(raw)
        inner = raw.get("authorList", {}).get("author")
        assert article.ids
        assert article.title
        if inner:
            assert len(article.authors) == len(inner)
        for outer, key, mapped in (
            ("meshHeadingList", "meshHeading", article.mesh),
            ("keywordList", "keyword", article.keywords),
            ("grantsList", "grant", article.grants),
            ("chemicalList", "chemical", article.chemicals),
            ("commentCorrectionList", "commentCorrection", article.notices),
            ("pubTypeList", "pubType", article.types),
        ):
            if outer in raw:
                assert len(mapped) == len(raw[outer][key]), (raw["id"], outer)
        if raw.get("pubYear"):
            assert article.year() is not None, raw["id"]
        msgspec.json.encode(article)


def test_no_word_of_a_corpus_abstract_is_lost(records: list[Raw]) -> None:
    import re

    seen = 0
    for raw in records:
        if "abstractText" not in raw:
            continue
        seen += 1
        shown = [word for part in read_article(raw).abstract for word in f"{part.label} {part.text}".split()]
        tags = re.compile(r"</?(?:h4|i|b|sub|sup|p|br)/?>")
        breaks = re.sub(r"</?(?:h4|p|br)/?>", " ", decoded(raw["abstractText"]))
        assert "".join(shown).replace(":", "") == "".join(plain(tags.sub("", breaks)).split()).replace(":", ""), raw[
            "id"
        ]
    assert seen >= 30


def test_author_strings_of_the_corpus_read_as_the_lists_say(records: list[Raw]) -> None:
    """Lite and core forms of one record name the same people (the string lacks suffixes)."""
    compared = 0
    for raw in records:
        if "authorList" not in raw or "authorString" not in raw:
            continue
        listed = [a.collective or f"{a.family} {a.initials}".strip() for a in read_article(raw).authors]
        split = [f"{a.family} {a.initials}".strip() for a in split_author_string(raw["authorString"])]
        assert split == listed[: len(split)], raw["id"]
        compared += 1
    assert compared >= 30
