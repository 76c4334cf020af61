"""The reference list: one entry each, fields apart, ids by scheme. Invented references."""

import pytest
from vouched.api import Author, FullText, Reference
from vouched_europepmc.jats import read_jats

XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
STRUCTURED = (
    "<element-citation publication-type='journal'><person-group person-group-type='author'>"
    "<name><surname>Zandt</surname><given-names>A</given-names><suffix>Jr</suffix></name>"
    "<collab>Lantern Group</collab></person-group><article-title>Fictol in <italic>mice</italic></article-title>"
    "<source>J Invent</source><year>2001</year><volume>7</volume><issue>2</issue><fpage>188</fpage><lpage>91</lpage>"
    "<pub-id pub-id-type='pmid'>99900001</pub-id><pub-id pub-id-type='doi'>10.99999/jir.1</pub-id>"
    "<pub-id pub-id-type='pmc'>99900001</pub-id></element-citation>"
)
PRINTED = (
    "<mixed-citation>Zandt A. <source>J Invent</source>. <year>2001</year>;<volume>7</volume>:188</mixed-citation>"
)


def references(refs: str) -> list[Reference]:
    back = f"<back><ref-list><title>References</title>{refs}</ref-list></back>"
    text = read_jats(f"<article {XLINK}><body><p>x</p></body>{back}</article>".encode())
    assert isinstance(text, FullText)
    return text.references


def reference(inside: str) -> Reference:
    (found,) = references(f"<ref id='r1'>{inside}</ref>")
    return found


def test_fields_are_separate_and_ids_labelled() -> None:
    assert reference(f"<label>1.</label>{STRUCTURED}") == Reference(
        id="r1", label="1.", authors=[Author("Zandt", "A", suffix="Jr"), Author(collective="Lantern Group")],
        title="Fictol in mice", source="J Invent", year="2001", volume="7", issue="2", first_page="188", last_page="91",
        ids={"pmid": "99900001", "doi": "10.99999/jir.1", "pmcid": "PMC99900001"}, kind="journal",
    )  # fmt: skip


def test_p73_alternatives_are_exactly_one_reference() -> None:
    found = reference(
        "<citation-alternatives><element-citation><person-group><name><surname>Doe</surname><given-names>J</given-names>"
        "</name></person-group><year>2001</year><pub-id pub-id-type='pmid'>1</pub-id></element-citation>"
        "<mixed-citation>Doe J 2001</mixed-citation></citation-alternatives>"
    )
    assert (found.authors, found.year, found.ids) == ([Author("Doe", "J")], "2001", {"pmid": "1"})
    assert found.text == "Doe J 2001"


def test_p73_the_printed_form_first_changes_nothing() -> None:
    found = reference(f"<citation-alternatives>{PRINTED}{STRUCTURED}</citation-alternatives>")
    assert (found.title, found.volume, found.text) == ("Fictol in mice", "7", "Zandt A. J Invent. 2001;7:188")


def test_a_printed_citation_keeps_its_text_and_gives_its_fields() -> None:
    found = reference(PRINTED)
    assert (found.source, found.year, found.volume) == ("J Invent", "2001", "7")
    assert found.text == "Zandt A. J Invent. 2001;7:188"


GLUED = (
    "<person-group person-group-type='author'><name><surname>van der Zandt</surname><given-names>P</given-names></name>"
    "<name><surname>Golob</surname><given-names>JF</given-names><suffix>Jr</suffix></name></person-group>"
    "<article-title>The <italic>lantern</italic> protein LNT1 and its receptor</article-title>"
    "<source>J Invent Res</source><year>2010</year><volume>1</volume><issue>2</issue><fpage>11</fpage><lpage>19</lpage>"
)


@pytest.mark.parametrize("tag", ["mixed-citation", "nlm-citation", "citation"])
@pytest.mark.parametrize("spaced", [False, True])
def test_p73_elements_without_punctuation_do_not_run_into_each_other(tag: str, spaced: bool) -> None:
    inside = GLUED.replace("><", ">\n  <") if spaced else GLUED
    found = reference(f"<{tag}>{inside}</{tag}>")
    assert found.text == (
        "van der Zandt P, Golob JF Jr. The lantern protein LNT1 and its receptor. J Invent Res. 2010;1(2):11-19"
    )
    assert found.authors == [Author("van der Zandt", "P"), Author("Golob", "JF", suffix="Jr")]
    assert (found.title, found.source) == ("The lantern protein LNT1 and its receptor", "J Invent Res")
    assert (found.year, found.volume, found.issue) == ("2010", "1", "2")
    assert (found.first_page, found.last_page) == ("11", "19")


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<article-title>Who?</article-title><source>J.</source><year>2001</year>", "Who? J. 2001"),
        ("Zandt A. <year>2001</year><source>J Invent</source>, <volume>7</volume>", "Zandt A. 2001. J Invent, 7"),
        ("<source>J Invent</source><?x y?><year>2001</year>", "J Invent. 2001"),
        ("<source>J Invent</source><!-- x --><elocation-id>e1</elocation-id>", "J Invent. e1"),
        ("<year>2001</year><month>May</month><volume>7</volume><elocation-id>e1</elocation-id>", "2001 May;7:e1"),
        ("<collab>Lantern Group</collab><etal/><source>J</source>", "Lantern Group, et al. J"),
        ("<source>J</source><pub-id pub-id-type='pmid'>99900001</pub-id>", "J. pmid:99900001"),
        ("<name><surname>Doe</surname> <given-names>J</given-names></name>. <source>J</source>", "Doe J. J"),
        ("<source>J</source><volume></volume><year>2001</year>", "J. 2001"),
        ("Doe J<italic> et al</italic>. <source>J<sub>2</sub></source>", "Doe J et al. J2"),
    ],
)  # fmt: skip
def test_p73_separators_stand_only_where_there_are_none(inside: str, text: str) -> None:
    assert reference(f"<mixed-citation>{inside}</mixed-citation>").text == text


@pytest.mark.parametrize("tag", ["mixed-citation", "element-citation", "nlm-citation", "citation"])
def test_every_kind_of_citation_is_read(tag: str) -> None:
    found = reference(f"<{tag}><name><surname>Doe</surname></name><source>J Invent</source></{tag}>")
    assert (found.authors, found.source) == ([Author("Doe")], "J Invent")


def test_words_that_have_no_field_keep_the_text() -> None:
    """`text` is there wherever the fields alone would lose something."""
    found = reference(
        "<element-citation><source>A Book</source><publisher-name>Invent Press</publisher-name>"
        "<year>2001</year></element-citation>"
    )
    assert found.text == "A Book. Invent Press. 2001"
    assert reference(STRUCTURED).text == ""


def test_editors_are_no_authors() -> None:
    found = reference(
        "<element-citation><person-group person-group-type='author'><name><surname>Doe</surname></name></person-group>"
        "<source>A Book</source><person-group person-group-type='editor'><name><surname>Roe</surname></name>"
        "</person-group></element-citation>"
    )
    assert found.authors == [Author("Doe")]
    assert "Roe" in found.text


def test_several_citations_under_one_number_stay_one_entry() -> None:
    found = reference(f"<label>4</label>{PRINTED}<mixed-citation>Golob JF. Second. 2002</mixed-citation>")
    assert found.text == "Zandt A. J Invent. 2001;7:188 Golob JF. Second. 2002"
    assert found.year == "2001"


def test_names_in_one_string_and_groups() -> None:
    found = reference(
        "<mixed-citation><string-name><surname>Zandt</surname> <given-names>A</given-names></string-name>, "
        "<string-name>J Golob</string-name>, <collab>Lantern Group</collab>, <etal/></mixed-citation>"
    )
    assert found.authors == [Author("Zandt", "A"), Author("J Golob"), Author(collective="Lantern Group")]


@pytest.mark.parametrize(
    "link",
    [
        '<ext-link ext-link-type="uri" xlink:href="https://doi.org/10.99999/jir.2">here</ext-link>',
        '<ext-link ext-link-type="doi" xlink:href="10.99999/jir.2">10.99999/jir.2</ext-link>',
        '<comment>doi: <ext-link xlink:href="http://dx.doi.org/10.99999/jir.2">x</ext-link></comment>',
        '<pub-id pub-id-type="doi">10.99999/jir.2</pub-id>',
        "<uri>https://doi.org/10.99999/jir.2</uri>",
    ],
)
def test_a_doi_is_found_in_links_and_comments(link: str) -> None:
    assert reference(f"<mixed-citation>Zandt A. {link}</mixed-citation>").ids == {"doi": "10.99999/jir.2"}


def test_a_pmid_that_europe_pmc_supplied_is_taken() -> None:
    assert reference("<element-citation><year>2001</year></element-citation><?supplied-pmid 99900003?>").ids == {
        "pmid": "99900003"
    }
    kept = reference(STRUCTURED.replace("</element-citation>", "<?supplied-pmid 99900003?></element-citation>"))
    assert kept.ids["pmid"] == "99900001"


def test_article_numbers_stand_as_the_first_page() -> None:
    assert (
        reference("<element-citation><elocation-id>e0216345</elocation-id></element-citation>").first_page == "e0216345"
    )


def test_no_reference_is_lost_in_nested_lists_or_sections() -> None:
    nested = f"<ref-list><title>More</title><ref id='r2'>{PRINTED}</ref></ref-list>"
    assert [item.id for item in references(f"<ref id='r1'>{STRUCTURED}</ref>{nested}<ref>{PRINTED}</ref>")] == [
        "r1", "r2", "ref.3",
    ]  # fmt: skip


def test_a_plain_text_reference_is_kept() -> None:
    assert reference("Zandt A. Personal communication.").text == "Zandt A. Personal communication."
    assert reference("<note><p>See the appendix.</p></note>").text == "See the appendix."
