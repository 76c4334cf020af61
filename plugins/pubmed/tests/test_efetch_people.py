"""Authors as recorded: groups in their place, mononyms, suffixes, nothing swapped or completed."""

import pubmed_xml as made
import pytest


def authors(inner: str, complete: str = "Y") -> str:
    return f'<AuthorList CompleteYN="{complete}">{inner}</AuthorList>'


def test_p32_a_group_stays_in_its_place() -> None:
    found = made.read(
        authors(
            "<Author><LastName>Doe</LastName><Initials>J</Initials></Author>"
            "<Author><CollectiveName>Example Trial <i>Investigators</i></CollectiveName></Author>"
            "<Author><LastName>Roe</LastName></Author>"
        )
    )
    assert [author.display() for author in found.authors] == ["Doe J", "Example Trial Investigators", "Roe"]
    assert found.authors[1].collective == "Example Trial Investigators"


def test_p33_no_list_a_mononym_and_a_cut_list() -> None:
    assert made.read().authors == []
    found = made.read(authors("<Author><LastName>Mononym</LastName></Author>", complete="N"))
    assert found.authors[0].display() == "Mononym"
    assert not found.authors_complete
    only_initials = made.read(authors("<Author><Initials>X</Initials></Author><Author/>"))
    assert [author.display() for author in only_initials.authors] == ["X", ""]


def test_p34_a_suffix_is_a_suffix() -> None:
    inner = "<LastName>Cobb</LastName><ForeName>F W</ForeName><Initials>FW</Initials><Suffix>Jr</Suffix>"
    (author,) = made.read(authors(f"<Author>{inner}</Author>")).authors
    assert (author.family, author.given, author.initials, author.suffix) == ("Cobb", "F W", "FW", "Jr")
    assert author.display() == "Cobb FW Jr"


def test_p35_names_are_never_swapped() -> None:
    inner = "<LastName>Xiaoming</LastName><ForeName>Fu</ForeName><Initials>F</Initials>"
    (author,) = made.read(authors(f"<Author>{inner}</Author>")).authors
    assert (author.family, author.given) == ("Xiaoming", "Fu")


@pytest.mark.parametrize(
    ("written", "orcid"),
    [
        ("0000-0001-2345-678X", "0000-0001-2345-678X"),
        ("https://orcid.org/0000-0001-2345-6789", "0000-0001-2345-6789"),
        ("000000012345678x", "0000-0001-2345-678X"),
        ("not one", ""),
    ],
)
def test_orcids_in_every_spelling(written: str, orcid: str) -> None:
    inner = f'<LastName>Doe</LastName><Identifier Source="ORCID">{written}</Identifier>'
    assert made.read(authors(f"<Author>{inner}</Author>")).authors[0].orcid == orcid


def test_institution_identifiers_are_not_joined_to_the_affiliation() -> None:
    """Failure 2.10.20: ROR ids fused to institutions; group authors lost their affiliations."""
    inner = (
        "<CollectiveName>The Group</CollectiveName><AffiliationInfo><Affiliation>Invented Institute</Affiliation>"
        '<Identifier Source="ROR">https://ror.example/1</Identifier></AffiliationInfo>'
        "<AffiliationInfo><Affiliation>Second House</Affiliation></AffiliationInfo>"
    )
    assert made.read(authors(f"<Author>{inner}</Author>")).authors[0].affiliations == [
        "Invented Institute",
        "Second House",
    ]


def test_affiliations_of_the_time_before_2015() -> None:
    under_author = made.read(authors("<Author><LastName>Doe</LastName><Affiliation>Old House</Affiliation></Author>"))
    assert under_author.authors[0].affiliations == ["Old House"]
    under_article = made.read(
        "<Affiliation>Old House</Affiliation>" + authors("<Author><LastName>Doe</LastName></Author><Author/>")
    )
    assert [author.affiliations for author in under_article.authors] == [["Old House"], []]


@pytest.mark.parametrize(
    ("attributes", "valid", "equal"),
    [
        ("", True, False),
        ('ValidYN="Y"', True, False),
        ('ValidYN="N"', False, False),
        ('ValidYN="N" EqualContrib="Y"', False, True),
        ('EqualContrib="Y" ValidYN="Y"', True, True),
        ('EqualContrib="N" ValidYN="Y"', True, False),
    ],
)
def test_marks_of_an_author(attributes: str, valid: bool, equal: bool) -> None:
    (author,) = made.read(authors(f"<Author {attributes}><LastName>D</LastName></Author>")).authors
    assert (author.valid, author.equal_contribution) == (valid, equal)


def test_investigators_are_no_authors() -> None:
    found = made.read(
        authors("<Author><LastName>Doe</LastName></Author>"),
        citation="<InvestigatorList><Investigator><LastName>Helper</LastName></Investigator></InvestigatorList>",
    )
    assert [author.family for author in found.authors] == ["Doe"]
    assert [person.family for person in found.investigators] == ["Helper"]
