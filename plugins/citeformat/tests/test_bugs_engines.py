"""Failures of CSL engines that users reported, 20 to 38: our own styles never had them, the CSL path is mended."""

import re
from pathlib import Path

import pytest
from vouched.api import Article, Author, Date, Locator, Style
from vouched_citeformat import ama, apa, csl, mla, nlm, vancouver
from vouched_citeformat.catalogue import ALIASES, STYLES
from vouched_citeformat.names import apa_initials

from plugins.citeformat.tests import gold, invented

STYLE_FILES = Path(__file__).parent / "csl"


def engine(name: str) -> Style:
    """An invented CSL style that exercises one group of faults."""
    pytest.importorskip("citeproc")
    path = csl.find(name, [STYLE_FILES])
    assert path is not None
    return csl.style(name, path, [STYLE_FILES])


def both(article: Article, name: str = "invented-notes") -> str:
    return engine(name).render(article, "text")


MONTHS = Date(year=2013, month=1, end_year=2013, end_month=3, precision="range")


def test_bug_20_a_localised_date_keeps_its_delimiter() -> None:
    article = invented.article()
    assert "2024 May 23;12(3)" in nlm.render(article, "text")
    assert "2024 May 23;12(3)" in both(article)


def test_bug_21_p27_a_range_of_months_keeps_its_year() -> None:
    article = invented.article(date=MONTHS)
    for style in (apa, ama):
        assert "2013" in style.render(article, "text")
    assert "(2013)" in both(article, "invented-author-date")
    assert "2013 Jan–Mar;12(3)" in both(article)


@pytest.mark.parametrize(("pages", "shown"), [("1-14", "1–14"), ("1116-1122", "1116–22"), ("S9-S12", "S9–S12")])
def test_bug_22_a_last_page_is_shortened_by_digits_of_the_same_rank(pages: str, shown: str) -> None:
    article = invented.article(locator=Locator(text=pages))
    assert f":{shown}." in both(article)
    assert "pp. 1–14" in mla.render(gold.record("11636720"), "text")
    assert ":1-14." in vancouver.render(gold.record("11636720"), "text")


def test_bug_23_names_stay_whole_where_the_style_says_so() -> None:
    assert mla.render(gold.record("23657305"), "text").startswith("Costa-Matos, Luís, et al.")
    assert both(gold.record("23657305"), "invented-quotes").startswith("Costa-Matos, Luís, et al.")


def test_bug_24_points_stand_inside_the_quotation_marks() -> None:
    for text in (mla.render(invented.article(), "text"), both(invented.article(), "invented-quotes")):
        assert "Mice.” Journal of Invented Results" in text


@pytest.mark.parametrize("item", ["27797938", "38914053"])
def test_bug_25_p22_markup_is_rendered_and_never_printed_as_tags(item: str) -> None:
    article = gold.record(item)
    styles = [*STYLES[:5], engine("invented-notes"), engine("invented-author-date")]
    for style in styles:
        text, html = style.render(article, "text"), style.render(article, "html")
        assert "<" not in text
        assert "&lt;" not in html
        assert re.search("<(i|sub)>", html)


def test_bug_26_everything_that_is_not_own_markup_is_escaped() -> None:
    for style in (*STYLES[:5], engine("invented-notes")):
        html = style.render(gold.record("synth-bang"), "html")
        assert "rule &amp; other" in html.lower()
        assert "<3>" not in html


def test_bug_27_a_title_that_stands_in_for_the_author_is_printed_once() -> None:
    article = gold.record("38962805")
    for text in (apa.render(article, "text"), both(article, "invented-author-date")):
        assert text.count("Correction") == 1


def test_bug_27_editors_that_stand_in_for_the_author_are_printed_once() -> None:
    assert both(invented.book(), "invented-author-date").count("Stone") == 1


@pytest.mark.parametrize(("item", "name"), [("31789841", "Artino, A. R., Jr."), ("26568896", "Wise, J. P., Sr.")])
def test_bug_28_p34_a_suffix_comes_from_the_data(item: str, name: str) -> None:
    assert name in apa.render(gold.record(item), "text")
    assert name in both(gold.record(item), "invented-author-date")


def test_bug_29_vancouver_and_nlm_are_two_styles_and_old_names_are_known() -> None:
    names = {style.name for style in STYLES}
    assert {"nlm", "vancouver"} <= names
    assert {ALIASES[name] for name in ("modern-language-association", "american-medical-association")} == {"mla", "ama"}
    many = invented.article(authors=invented.people(9))
    assert "et al" not in nlm.render(many, "text")
    assert "Familyf5 AB, et al. Glimmer" in vancouver.render(many, "text")


@pytest.mark.parametrize("item", ["32525788", "30108519", "synth-bang"])
def test_bug_30_no_full_stop_follows_a_question_or_exclamation_mark(item: str) -> None:
    for style in (*STYLES[:5], engine("invented-notes"), engine("invented-quotes")):
        assert not re.search(r"[?!][”’\"']?\.", style.render(gold.record(item), "text")), style.name


@pytest.mark.parametrize(
    ("given", "initials", "expected"),
    [
        ("M.R.", "", "M. R."),
        ("M.R.C.E.L.", "", "M. R. C. E. L."),
        ("AB", "", "A. B."),
        ("AB", "AB", "A. B."),
        ("LI", "L", "L."),
        ("", "MR", "M. R."),
        ("Jean-Baptiste", "JB", "J.-B."),
        ("Ai-jun", "AJ", "A."),
        ("Ferga C.", "FC", "F. C."),
        ("Al  Bo", "AB", "A. B."),
    ],
)
def test_bug_31_unspaced_initials_are_all_kept(given: str, initials: str, expected: str) -> None:
    assert apa_initials(Author(family="Quill", given=given, initials=initials)) == expected


def test_bug_32_a_range_inside_one_month_or_year_shares_what_is_equal() -> None:
    days = Date(year=2011, month=3, day=1, end_year=2011, end_month=3, end_day=2, precision="range")
    assert "2011 Mar 1-2;" in nlm.render(invented.article(date=days), "text")
    assert "2011 Mar 1–2;" in both(invented.article(date=days))
    assert "July–Oct. 2023," in mla.render(gold.record("37868702"), "text")


def test_bug_33_an_issue_across_two_years_keeps_both() -> None:
    assert "(1998–1999)." in apa.render(gold.record("synth-md1"), "text")
    years = Date(literal="1989-1994", year=1989, end_year=1994, precision="range")
    assert "(1989–1994)." in apa.render(invented.article(date=years), "text")


@pytest.mark.parametrize("item", gold.load("citations.json"), ids=lambda item: item["id"])
def test_bug_34_a_link_is_exactly_the_doi(item: dict[str, object]) -> None:
    article = gold.article(item["record"])  # type: ignore[arg-type]
    from urllib.parse import unquote

    doi = article.ids.get("doi")
    for markup in ("html", "markdown", "text"):
        found = re.findall(r"https://doi\.org/([^\s>]+?)\.?(?=$|[\s>])", apa.render(article, markup))
        assert [unquote(part) for part in found] == ([doi] if doi else [])


def test_bug_35_angle_brackets_that_are_text_stay() -> None:
    article = invented.article(title="To visit<R>: a study.", title_markup="To visit&lt;R&gt;: a study.")
    assert "visit<R>:" in apa.render(article, "text")
    assert "visit&lt;R&gt;:" in apa.render(article, "html")
    assert "visit<R>:" in both(article)


def test_bug_36_both_seasons_are_kept() -> None:
    assert "winter–spring 2024" in mla.render(gold.record("39364306"), "text")
    spring = invented.article(date=Date(year=1990, season="Spring", literal="1990 Spring", precision="season"))
    assert "1990 Spring" in both(spring)


def test_bug_37_romanised_names_of_a_chinese_article_keep_their_comma() -> None:
    article = invented.article(languages=["chi"], authors=[Author(family="Guo", given="Li Wei", initials="LW")])
    assert apa.render(article, "text").startswith("Guo, L. W. (2024)")
    assert both(article, "invented-author-date").startswith("Guo, L. W. (2024)")


def test_bug_38_an_article_number_is_printed_once() -> None:
    article = gold.record("39337454")
    assert apa.render(article, "text").count("9966,") == 0
    for text in (apa.render(article, "text"), mla.render(article, "text"), both(article, "invented-quotes")):
        assert len(re.findall(r"(?<!\d)9966(?!\d)", text.partition("https://")[0])) == 1
