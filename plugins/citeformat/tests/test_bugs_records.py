"""Failures that users of PubMed and Europe PMC servers and importers reported, 1 to 19: each stays mended."""

import msgspec
import pytest
from vouched.api import Article, Author, Date, ELocation, Locator
from vouched_citeformat import apa, bibtex, mla, nbib, nlm, ris, vancouver
from vouched_citeformat.catalogue import STYLES

from plugins.citeformat.tests import gold, invented


def tags(article: Article, tag: str) -> list[str]:
    """Values of one tag in the RIS record."""
    lines = ris.render(article, "text").split("\r\n")
    return [line[6:] for line in lines if line.startswith(f"{tag}  - ")]


def with_locator(text: str, **changes: str) -> Article:
    return invented.article(locator=Locator(text=text), e_locations=[], **changes)


@pytest.mark.parametrize("item", ["31542275", "34843274"])
def test_bug_01_collective_author_ends_with_a_full_stop_before_the_year(item: str) -> None:
    assert ". (" in apa.render(gold.record(item), "text").partition(")")[0]
    named = invented.article(authors=[*invented.people(1), Author(collective="KEYSTONE-9 Investigators")])
    assert apa.render(named, "text").startswith("Familya0, A. B., & KEYSTONE-9 Investigators. (2024).")


@pytest.mark.parametrize(("pages", "end"), [("737-8", "738"), ("1639-41", "1641"), ("110-2", "112")])
def test_bug_02_p38_shortened_last_page_is_expanded_in_ris(pages: str, end: str) -> None:
    assert tags(with_locator(pages), "EP") == [end]


@pytest.mark.parametrize("text", ["S12-S9", "e1-e10; discussion 3", "1 p following 101"])
def test_bug_02_p38_forms_not_understood_stay_as_recorded(text: str) -> None:
    assert text in vancouver.render(with_locator(text), "text")
    assert ";12(3):" in vancouver.render(with_locator(text), "text")


def test_bug_03_exactly_one_final_full_stop_is_stripped() -> None:
    for style in (bibtex, ris):
        assert "mice..." in style.render(invented.article(title="Of mice..."), "text")
        assert "mice?" in style.render(invented.article(title="Of mice?"), "text")
        assert "mice." not in style.render(invented.article(title="Of mice."), "text")
    assert ".." not in apa.render(invented.article(title="Of mice."), "text")


def test_bug_04_p108_blank_lines_in_an_abstract_do_not_end_a_record() -> None:
    from vouched.api import AbstractPart

    parts = [AbstractPart("One.\n\nTwo.\r\nER  - ", "AIM"), AbstractPart("Three.", "END")]
    text = ris.render(invented.article(abstract=parts), "text")
    assert tags(invented.article(abstract=parts), "AB") == ["AIM: One. Two. ER - END: Three."]
    assert [line for line in text.split("\r\n") if line.startswith("ER")] == ["ER  - "]


def test_bug_05_p31_article_number_from_a_valid_pii_never_from_the_doi() -> None:
    places = [ELocation("doi", "10.9999/jir.77"), ELocation("pii", "2400512")]
    numbered = invented.article(locator=Locator(), e_locations=places)
    assert "12(3), Article 2400512." in apa.render(numbered, "text")
    assert "no. 3, May 2024, p. 2400512," in mla.render(numbered, "text")
    assert ";12(3):2400512." in nlm.render(numbered, "text")
    assert ";12(3):2400512." in vancouver.render(numbered, "text")
    assert "pages = {2400512}" in bibtex.render(numbered, "text")
    assert "eid = {2400512}" in bibtex.render_biblatex(numbered, "text")
    assert tags(numbered, "C7") == tags(numbered, "SP") == ["2400512"]
    refused = invented.article(locator=Locator(), e_locations=[ELocation("pii", "2400512", valid=False)])
    assert "2400512" not in nlm.render(refused, "text")


def test_bug_05_an_item_number_of_the_publisher_is_no_article_number() -> None:
    item = invented.article(locator=Locator(), e_locations=[ELocation("pii", "S0167-8140(24)00644-3")])
    assert "S0167" not in apa.render(item, "text")
    assert tags(item, "SP") == []


@pytest.mark.parametrize("item", ["42715368", "38962805", "40528224"])
def test_bug_06_without_authors_the_title_stands_first(item: str) -> None:
    article = gold.record(item)
    assert not apa.render(article, "text").startswith("(")
    title = article.title.rstrip(".")[:10]
    for style in (apa, nlm, vancouver):
        assert style.render(article, "text").startswith(title)


def test_bug_07_a_chapter_carries_its_own_address_only() -> None:
    text = apa.render(invented.chapter(), "text")
    assert text.endswith("https://www.ncbi.nlm.nih.gov/books/NBK999001/")
    assert "doi.org" not in text
    own = invented.chapter(ids={"pmid": "99900002", "doi": "10.9999/chapter.1"})
    assert apa.render(own, "text").endswith("https://doi.org/10.9999/chapter.1")


def test_bug_08_p29_a_revised_chapter_is_dated_by_its_last_revision() -> None:
    chapter = invented.chapter()
    assert "(2018)." in apa.render(chapter, "text")
    assert "year = {2018}" in bibtex.render(chapter, "text")
    assert tags(chapter, "PY") == ["2018"]
    assert tags(chapter, "DA") == ["2018/12/20/"]
    assert "1998 Oct 23 [updated 2018 Dec 20]. In: " in nlm.render(chapter, "text")
    assert "; 1993-. Available from:" in nlm.render(chapter, "text")


def test_bug_09_mla_names_the_editors_of_a_book_without_a_comma() -> None:
    text = mla.render(gold.record("20301425"), "text")
    assert "edited by Margaret P. Adam et al.," in text


@pytest.mark.parametrize("item", ["40451289", "40450633", "40498841"])
def test_bug_10_p23_markup_is_decoded_once_and_everything_else_is_escaped(item: str) -> None:
    article = gold.record(item)
    for style in STYLES:
        assert "&lt;i&gt;" not in style.render(article, "text")
    html = apa.render(article, "html")
    assert "&amp;lt;" not in html
    if item == "40451289":
        assert "<i>ATM</i> c.7271T&gt;G" in html
        assert "c.7271T>G" in apa.render(article, "text")
        assert r"*ATM* c.7271T\>G" in apa.render(article, "markdown")


def test_bug_11_p32_a_collective_author_keeps_its_name_and_place() -> None:
    name = "Guideline Development Panel for the Treatment of Depressive Disorders"
    for style in STYLES:
        assert name in style.render(gold.record("34843274"), "text"), style.name


@pytest.mark.parametrize("literal", ["2017 Summer", "Summer 2017"])
def test_bug_12_p27_a_season_is_no_year(literal: str) -> None:
    article = invented.article(date=Date(literal=literal, year=2017, season="Summer", precision="season"))
    assert "(2017)." in apa.render(article, "text")
    assert "summer 2017" in mla.render(article, "text")
    assert f" {literal};12" in nlm.render(article, "text")
    assert tags(article, "PY") == ["2017"]
    assert "month" not in bibtex.render(article, "text")


def test_bug_13_p29_fields_of_two_dates_are_never_mixed() -> None:
    article = invented.article(
        date=Date(year=2005, month=9, precision="month"),
        electronic_date=Date(year=2005, month=5, day=31, precision="day"),
        publication_model="Print-Electronic",
    )
    assert tags(article, "DA") == ["2005/09//"]
    assert "2005 Sep;12(3):737-8." in nlm.render(article, "text")
    assert "Epub 2005 May 31." in nlm.render(article, "text")
    for style in STYLES:
        assert "2005-09-31" not in style.render(article, "text")


def test_bug_13_p29_a_pair_across_new_year_keeps_the_issue_year_with_volume_and_pages() -> None:
    article = invented.article(
        date=Date(year=2017, month=1, precision="month"),
        electronic_date=Date(year=2016, month=12, day=28, precision="day"),
        publication_model="Print-Electronic",
    )
    assert "(2017)." in apa.render(article, "text")
    only = msgspec.structs.replace(article, date=Date())
    assert "(2016)." in apa.render(only, "text")


@pytest.mark.parametrize("literal", ["2022 Jan-Feb", ""])
def test_bug_14_p28_a_range_of_months_is_read_without_an_invented_day(literal: str) -> None:
    date = Date(literal=literal, year=2022, month=1, end_year=2022, end_month=2, precision="range")
    article = invented.article(date=date)
    assert "2022 Jan-Feb;12(3)" in nlm.render(article, "text")
    assert "Jan.–Feb. 2022," in mla.render(article, "text")
    assert tags(article, "DA") == ["2022/01//Jan-Feb"]


@pytest.mark.parametrize(("item", "part"), [("38591913", "<i>Klebsiella pneumoniae</i>"), ("27797938", "<i>TERT</i>")])
def test_bug_15_p22_a_title_with_markup_is_whole(item: str, part: str) -> None:
    html = apa.render(gold.record(item), "html")
    assert part in html
    assert "@" not in html


def test_bug_16_pages_that_stand_in_an_electronic_locator_only_are_kept() -> None:
    assert ";26(6):euae122." in nlm.render(gold.record("38700094"), "text")
    assert "PG  -" not in nbib.render(gold.record("38700094"), "text")


def test_bug_17_initials_get_their_stops_in_bibtex_and_ris() -> None:
    article = gold.record("18157122")
    assert "Krutzik, Peter O. and" in bibtex.render(article, "text")
    assert tags(article, "AU")[0] == "Krutzik, Peter O."


def test_bug_18_an_article_number_stands_in_pages_or_eid() -> None:
    article = with_locator("064002")
    assert "pages = {064002}" in bibtex.render(article, "text")
    assert "eid = {064002}" in bibtex.render_biblatex(article, "text")


@pytest.mark.parametrize("number", ["1559325820942699", "18758592251341157", "4002.e26", "007"])
def test_bug_19_pages_are_text_whatever_their_size(number: str) -> None:
    for style in STYLES:
        assert number in style.render(with_locator(number), "text"), style.name
