"""Where an article stands: pages, lists, article numbers; forms that are not understood stay whole."""

import pytest
from vouched.api import ELocation, Locator
from vouched_citeformat.pages import Span, place, read, shortened

from plugins.citeformat.tests import invented


@pytest.mark.parametrize(
    ("text", "kind", "joined"),
    [
        ("132-42", "range", "132–142"),
        ("132–142", "range", "132–142"),
        ("S123-9", "range", "S123–S129"),
        ("H337-H349", "range", "H337–H349"),
        ("e1660-e1676", "range", "e1660–e1676"),
        ("xii-xv", "range", "xii–xv"),
        ("1759-1764.e6", "range", "1759–1764.e6"),
        ("379.e9-379.e13", "range", "379.e9–379.e13"),
        ("0123-9", "range", "0123–0129"),
        ("15, 20", "list", "15, 20"),
        ("S12-S19, S25", "list", "S12–S19, S25"),
        ("e1-e10; discussion 3", "range", "e1–e10"),
        ("E174; discussion E174", "single", "E174"),
        ("e86", "single", "e86"),
        ("S172", "single", "S172"),
        ("V4", "single", "V4"),
        ("e0182390", "article", "e0182390"),
        ("115792", "article", "115792"),
        ("e00216-22", "article", "e00216-22"),
        ("S12-S9", "text", "S12-S9"),
        ("jmg-2025-110769", "text", "jmg-2025-110769"),
        ("1 p following 101", "text", "1 p following 101"),
        ("", "text", ""),
    ],
)
def test_reading(text: str, kind: str, joined: str) -> None:
    found = read(text)
    assert (found.kind, found.join("–")) == (kind, joined)


def test_a_single_number_of_an_electronic_article_is_an_article_number() -> None:
    assert read("547", electronic=True).kind == "article"
    assert read("547", electronic=True).guessed
    assert read("547").kind == "single"
    assert not read("547", electronic=True, named=True).guessed


@pytest.mark.parametrize(
    ("pii", "kind"),
    [
        ("e42692", "article"),
        ("9966", "article"),
        ("euae122", "article"),
        ("EWLS", ""),
        ("S0167-8140(24)00644-3", ""),
        ("S0954422419000301", ""),
        ("2019.1.FocusVid.18417", ""),
    ],
)
def test_a_pii_is_an_article_number_only_by_its_form(pii: str, kind: str) -> None:
    article = invented.article(locator=Locator(), e_locations=[ELocation("pii", pii)])
    assert place(article).kind == kind


def test_ahead_of_print_the_item_id_stands_where_pages_will_be() -> None:
    article = invented.article(
        volume="", issue="", locator=Locator(), e_locations=[ELocation("pii", "S1080-6032(22)00139-9")]
    )
    assert (place(article).kind, place(article).text) == ("item", "S1080-6032(22)00139-9")


def test_start_and_end_pages_count_where_there_is_no_text() -> None:
    assert place(invented.article(locator=Locator(start="10", end="12"))).text == "10-12"
    assert place(invented.article(locator=Locator(start="10", end="10"))).text == "10"


@pytest.mark.parametrize(
    ("first", "last", "mla", "vancouver"),
    [
        ("1116", "1122", "22", "22"),
        ("205", "207", "07", "7"),
        ("1", "14", "14", "14"),
        ("17", "39", "39", "39"),
        ("992", "1009", "1009", "1009"),
        ("H337", "H349", "49", "49"),
        ("1759", "1764.e6", "1764.e6", "1764.e6"),
        ("S9", "S12", "S12", "S12"),
    ],
)
def test_shortening(first: str, last: str, mla: str, vancouver: str) -> None:
    assert shortened(Span(first, last), 2) == mla
    assert shortened(Span(first, last), 1) == vancouver
