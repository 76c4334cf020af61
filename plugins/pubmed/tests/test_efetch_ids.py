"""Identifiers of a record: only its own, normalised where a scheme has a form, further ones beside the first."""

import pubmed_xml as made
import pytest

REFERENCES = (
    "<ReferenceList><Reference><Citation>Doe J. Invented. 2001.</Citation><ArticleIdList>"
    '<ArticleId IdType="pubmed">22128211</ArticleId><ArticleId IdType="doi">10.1000/other</ArticleId>'
    "</ArticleIdList></Reference></ReferenceList>"
)


def test_p36_ids_of_references_are_not_the_records() -> None:
    found = made.read(pmid="30000010", data=REFERENCES, ids="")
    assert found.ids == {"pmid": "30000010"}
    assert found.cited_references[0].ids == {"pmid": "22128211", "doi": "10.1000/other"}


def test_p37_a_doi_is_not_lost_behind_another_locator() -> None:
    found = made.read(
        '<ELocationID EIdType="doi" ValidYN="Y">10.1000/a</ELocationID>'
        '<ELocationID EIdType="pii" ValidYN="Y">S1</ELocationID>'
    )
    assert (found.ids["doi"], found.ids["pii"]) == ("10.1000/a", "S1")
    assert [(place.type, place.value) for place in found.e_locations] == [("doi", "10.1000/a"), ("pii", "S1")]


def test_p37_a_doi_that_only_the_second_list_has() -> None:
    assert made.read(ids='<ArticleId IdType="doi">10.1000/b</ArticleId>').ids["doi"] == "10.1000/b"


def test_p37_two_dois_that_differ_are_both_recorded() -> None:
    place = '<ELocationID EIdType="doi" ValidYN="Y">10.1000/a</ELocationID>'
    found = made.read(place, ids='<ArticleId IdType="doi">10.1000/b</ArticleId>')
    assert (found.ids["doi"], found.also_ids) == ("10.1000/a", {"doi": ["10.1000/b"]})


def test_p10_one_doi_in_two_cases_is_one() -> None:
    place = '<ELocationID EIdType="doi" ValidYN="Y">10.1016/S2213-2600(14)70019-0</ELocationID>'
    found = made.read(place, ids='<ArticleId IdType="doi">10.1016/s2213-2600(14)70019-0</ArticleId>')
    assert (found.ids["doi"], found.also_ids) == ("10.1016/S2213-2600(14)70019-0", {})


def test_an_invalid_locator_is_kept_but_is_no_id() -> None:
    found = made.read('<ELocationID EIdType="doi" ValidYN="N">10.1000/wrong</ELocationID>')
    assert "doi" not in found.ids
    assert not found.e_locations[0].valid


@pytest.mark.parametrize(
    ("written", "pmcid"),
    [
        ("PMC7613891", "PMC7613891"),
        ("PMCPMC7613891", "PMC7613891"),
        ("PMC6134338.4", "PMC6134338"),
        ("PMC", ""),
        ("", ""),
    ],
)
def test_p09_prefixes_are_neither_doubled_nor_alone(written: str, pmcid: str) -> None:
    found = made.read(ids=f'<ArticleId IdType="pmc">{written}</ArticleId>')
    assert found.ids.get("pmcid", "") == pmcid


def test_old_records_have_their_pmcid_as_another_id() -> None:
    found = made.read(
        citation='<OtherID Source="NLM">PMC3554011 [Available on 01/01/14]</OtherID>'
        '<OtherID Source="NLM">NIHMS99999</OtherID><OtherID Source="KIE">12345</OtherID>'
    )
    assert (found.ids["pmcid"], found.ids["mid"], found.ids["kie"]) == ("PMC3554011", "NIHMS99999", "12345")


def test_placeholders_of_reference_ids_are_dropped() -> None:
    """Live data have ECitMatch's words, or a PMCID, where the PMID of a reference should stand."""
    listed = "".join(
        f'<Reference><Citation>{n}</Citation><ArticleIdList><ArticleId IdType="pubmed">{value}</ArticleId>'
        "</ArticleIdList></Reference>"
        for n, value in enumerate(("NOT_FOUND;INVALID_JOURNAL", "PMC123456", " 77 ", "abc"))
    )
    found = made.read(data=f"<ReferenceList>{listed}</ReferenceList>")
    assert [entry.ids for entry in found.cited_references] == [{}, {"pmcid": "PMC123456"}, {"pmid": "77"}, {}]


def test_nested_reference_lists_in_document_order() -> None:
    def one(name: str) -> str:
        return f"<Reference><Citation>{name}</Citation></Reference>"

    nested = f"<ReferenceList><Title>More</Title>{one('b')}<ReferenceList>{one('c')}</ReferenceList></ReferenceList>"
    found = made.read(data=f"<ReferenceList>{one('a')}{nested}{one('d')}</ReferenceList>")
    assert [entry.text for entry in found.cited_references] == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (" Doe J.  Invented. ", "Doe J.  Invented."),
        ("Doe J.\n      Invented.  2001.", "Doe J. Invented. 2001."),
        ("Doe J.&#9;Invented.&#13;2001.", "Doe J. Invented. 2001."),
        ("<i>Doe J.</i>  Invented.", "Doe J. Invented."),
    ],
)
def test_a_citation_on_one_line_stays_as_recorded(written: str, text: str) -> None:
    """One that spans lines was laid out by a printer: its white space means nothing."""
    listed = f"<ReferenceList><Reference><Citation>{written}</Citation></Reference></ReferenceList>"
    assert made.read(data=listed).cited_references[0].text == text
