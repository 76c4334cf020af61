"""Page ranges, lists, single pages and article numbers: kept as recorded, told apart by the rule in `pages`."""

import pubmed_xml as made
import pytest
from vouched.api import ELocation
from vouched_pubmed.pages import read_locator

PRINT = {
    "188-91": ("range", "188", "91"),
    "1639-41": ("range", "1639", "41"),
    "737-8": ("range", "737", "8"),
    "S12-S9": ("range", "S12", "S9"),
    "e1-e10; discussion 3": ("range", "e1", "e10"),
    "1475-6; author reply 1475-6": ("range", "1475", "6"),
    "S224-S225": ("range", "S224", "S225"),
    "211-224.e6": ("range", "211", "224.e6"),
    "666-681.e8": ("range", "666", "681.e8"),
    "379.e9-379.e13": ("range", "379.e9", "379.e13"),
    "SUPPL:4309-22": ("range", "SUPPL:4309", "22"),
    "iii-vii": ("range", "iii", "vii"),
    "100–120": ("range", "100", "120"),
    "15, 20": ("list", "15", "20"),
    "412, 414-5": ("list", "412", ""),
    "77-95, viii": ("list", "77", "viii"),
    "217-8,236": ("list", "217", "236"),
    "462": ("single", "462", ""),
    "e86": ("single", "e86", ""),
    "S172": ("single", "S172", ""),
    "H337": ("single", "H337", ""),
    "V4": ("single", "V4", ""),
    "E174; discussion E174": ("single", "E174", ""),
    "e0182390": ("article_number", "e0182390", ""),
    "eabl6449": ("single", "eabl6449", ""),
    "643796": ("article_number", "643796", ""),
    "CD013085": ("article_number", "CD013085", ""),
    "e00216-22": ("article_number", "e00216-22", ""),
    "[34457 words; 185 paragraphs]": (None, "", ""),
    "1 p following 101": (None, "", ""),
}


@pytest.mark.parametrize("pages", PRINT)
def test_p38_pages_of_a_print_issue_stay_as_recorded(pages: str) -> None:
    locator = read_locator(pages, "", "", [], model="Print", publication_status="ppublish")
    assert locator.text == pages
    assert (locator.kind, locator.first, locator.last) == PRINT[pages]
    assert locator.guessed == (locator.kind == "article_number")


@pytest.mark.parametrize("pages", ["462", "e86", "eabl6449", "i493", "1"])
def test_a_single_value_of_an_electronic_record_is_an_article_number(pages: str) -> None:
    locator = read_locator(pages, "", "", [], model="Electronic-eCollection", publication_status="epublish")
    assert (locator.kind, locator.first, locator.guessed) == ("article_number", pages, True)


@pytest.mark.parametrize("pii", ["2400512", "e42692", "9966", "euae122", "e00216-22", "ENEURO.0392-17.2017", "448"])
def test_p31_a_pii_without_pages_is_the_article_number(pii: str) -> None:
    locator = read_locator("", "", "", [ELocation("pii", pii)], model="Print", publication_status="ppublish")
    assert (locator.text, locator.kind, locator.guessed) == (pii, "article_number", False)


@pytest.mark.parametrize(
    "place",
    [
        ELocation("pii", "S0167-8140(24)00644-3"),
        ELocation("pii", "S0004-28032013000100035"),
        ELocation("doi", "10.1000/1234"),
        ELocation("pii", "10.1000/1234"),
        ELocation("pii", "2400512", valid=False),
        ELocation("pii", "0140-6736(97)11096"),
        ELocation("pii", "x" * 40),
        ELocation("pii", "2023.02.07.527548"),
    ],
)
def test_p31_serial_item_numbers_dois_and_invalid_locators_are_none(place: ELocation) -> None:
    locator = read_locator("", "", "", [place], model="Print", publication_status="ppublish")
    assert (locator.kind, locator.text) == (None, "")


def test_pages_that_are_the_pii_are_an_article_number_named_by_the_source() -> None:
    places = [ELocation("doi", "10.1000/adi3902"), ELocation("pii", "eadi3902")]
    locator = read_locator("eadi3902", "", "", places, model="Print-Electronic", publication_status="ppublish")
    assert (locator.kind, locator.guessed) == ("article_number", False)


def test_start_and_end_pages_without_the_old_field() -> None:
    """Failure of the rival: StartPage and EndPage without MedlinePgn were lost."""
    found = made.read("<Pagination><StartPage>331</StartPage><EndPage>345</EndPage></Pagination>").locator
    assert (found.text, found.kind, found.start, found.end) == ("331-345", "range", "331", "345")
    alone = made.read("<Pagination><StartPage>331</StartPage></Pagination>").locator
    assert (alone.text, alone.kind) == ("331", "single")


def test_p30_neither_volume_nor_pages_leaves_nothing_behind() -> None:
    found = made.read(status="aheadofprint")
    assert (found.volume, found.issue, found.locator.text) == ("", "", "")
    assert found.publication_status == "aheadofprint"
