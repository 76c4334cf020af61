"""Citation against record, field by field."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched_pubmed.agreement import agree, compare_issue, verified, warnings
from vouched_pubmed.lookup_citation import Cited

RECORD: dict[str, Any] = {
    "authors": [{"name": "Müller K", "authtype": "Author"}],
    "pubdate": "2019 Jan",
    "epubdate": "2018 Dec 3",
    "source": "Proc Natl Acad Sci U S A",
    "fulljournalname": "Proceedings of the National Academy of Sciences of the United States of America",
    "issn": "0027-8424",
    "volume": "88",
    "pages": "3248-52",
    "elocationid": "doi: 10.1/x",
}


@pytest.mark.parametrize(
    ("given_year", "record", "grade"),
    [
        ("2019", {}, "same"),
        ("2018", {}, "same"),
        ("2017", {}, "differs"),
        ("1999", {"pubdate": "1998 Dec-1999 Jan", "epubdate": ""}, "same"),
        ("1948", {"pubdate": "1947-1949", "epubdate": ""}, "same"),
        ("1999", {"pubdate": "1998-99", "epubdate": ""}, "same"),
        ("2000", {"pubdate": "1998/99 Winter", "epubdate": ""}, "differs"),
        ("1912", {"pubdate": "1999-12-01", "epubdate": ""}, "differs"),
        ("2020", {"pubdate": "", "epubdate": ""}, "not_comparable"),
        ("2021", {"pubdate": "1993", "epubdate": "", "docdate": "2021 Mar 4"}, "same"),
        ("", {}, "not_given"),
    ],
)
def test_print_and_electronic_year_both_count(given_year: str, record: dict[str, Any], grade: str) -> None:
    assert agree(Cited(year=given_year), RECORD | record).year == grade


@pytest.mark.parametrize(
    ("journal", "grade"),
    [
        ("proc natl acad sci u s a", "same"),
        ("Proc. Natl. Acad. Sci. U.S.A.", "same"),
        ("Proceedings of the National Academy of Sciences of the United States of America", "same"),
        ("PNAS", "same"),
        ("0027-8424", "same"),
        ("Proc Natl Acad", "not_comparable"),
        ("BMJ", "differs"),
        ("Journal of Invented Results", "differs"),
        ("", "not_given"),
    ],
)
def test_journals_agree_by_abbreviation_and_only_another_title_differs(journal: str, grade: str) -> None:
    assert agree(Cited(journal=journal), RECORD).journal == grade


@pytest.mark.parametrize(
    ("volume", "own", "grade"),
    [
        ("88", "88", "same"),
        ("088", "88", "same"),
        ("92", "92 Suppl 1", "same"),
        ("vol. 92", "92", "same"),
        ("87", "88", "differs"),
        ("88", "", "not_comparable"),
        ("A", "B", "not_comparable"),
        ("13", "12-13", "same"),
        ("", "88", "not_given"),
    ],
)
def test_volumes_agree_by_number(volume: str, own: str, grade: str) -> None:
    assert agree(Cited(volume=volume), RECORD | {"volume": own}).volume == grade


@pytest.mark.parametrize(
    ("page", "pages", "place", "grade"),
    [
        ("3248", "3248-52", "", "same"),
        ("3248-3252", "3248-52", "", "same"),
        ("03248", "3248", "", "same"),
        ("e0182390", "e0182390", "", "same"),
        ("182390", "e0182390", "", "same"),
        ("E0182390", "", "pii: e0182390. doi: 10.1/x", "same"),
        ("S224", "S224-S225", "", "same"),
        ("20", "15, 20", "", "same"),
        ("4309", "SUPPL:4309-22", "", "same"),
        ("211", "211-224.e6", "", "same"),
        ("121", "", "pii: S0140-6736(19)31149-3. doi: 10.1/x", "not_comparable"),
        ("121", "", "", "not_comparable"),
        ("121", "[34457 words]", "", "not_comparable"),
        ("p. 3248", "3248-52", "", "same"),
        ("pp. 3248-3252", "3248-52", "", "same"),
        ("3248—3252", "3248-52", "", "same"),
        ("Article 101", "101", "", "same"),
        ("art. no. e0182390", "e0182390", "", "same"),
        ("xii", "xii-xv", "", "same"),
        ("xi", "xii-xv", "", "not_comparable"),
        ("P12", "p12-9", "", "same"),
        ("121", "122-30", "", "differs"),
        ("", "1-2", "", "not_given"),
    ],
)
def test_first_pages_agree_in_every_form(page: str, pages: str, place: str, grade: str) -> None:
    assert agree(Cited(first_page=page), RECORD | {"pages": pages, "elocationid": place}).first_page == grade


@pytest.mark.parametrize(
    ("issue", "own", "grade"),
    [
        ("3", "3", "same"),
        ("03", "3", "same"),
        ("2", "1-2", "same"),
        ("Suppl 5", "5 Suppl", "same"),
        ("3", "3 Pt 2", "same"),
        ("4", "3", "differs"),
        ("Suppl", "Suppl 1", "not_comparable"),
        ("3", "", "not_comparable"),
        ("Pt B", "Pt B", "same"),
        ("", "3", "not_given"),
    ],
)
def test_issues_agree_by_number(issue: str, own: str, grade: str) -> None:
    assert compare_issue(issue, own) == grade


def test_verified_needs_author_or_year_because_the_match_rests_on_the_rest() -> None:
    bare = Cited(journal="pnas", volume="88", first_page="3248")
    assert not verified(agree(bare, RECORD))
    assert verified(agree(Cited(journal="pnas", volume="88", first_page="3248", year="2019"), RECORD))
    assert not verified(agree(Cited(volume="88", year="2019", author_name="Husain M"), RECORD))


def test_only_what_differs_warns_and_shows_both_sides() -> None:
    cited = Cited(journal="BMJ", year="1999", volume="88", first_page="3248", author_name="Husain M")
    said = warnings(cited, agree(cited, RECORD), RECORD)
    assert [text.partition(":")[0] for text in said] == ["author_mismatch", "year_mismatch", "journal_mismatch"]
    assert "'Husain M'" in said[0]
    assert "Müller K" in said[0]


@pytest.mark.parametrize("document", [None, {"error": "cannot get document summary"}])
def test_a_record_that_cannot_be_had_verifies_nothing(document: dict[str, Any] | None) -> None:
    agreement = agree(Cited(journal="x", year="2019"), document)
    assert (agreement.journal, agreement.year, agreement.author) == ("not_comparable", "not_comparable", "not_given")
    assert not verified(agreement)


FIELDS = ("journal", "year", "volume", "first_page", "author_name")
GRADED = ("author", "year", "journal", "volume", "first_page")


@given(st.builds(Cited, **dict.fromkeys(FIELDS, st.text(max_size=12))))
def test_any_citation_can_be_compared_and_warns_of_what_differs_alone(cited: Cited) -> None:
    agreement = agree(cited, RECORD)
    differs = [name for name in GRADED if getattr(agreement, name) == "differs"]
    assert [said.partition("_mismatch")[0] for said in warnings(cited, agreement, RECORD)] == differs
