"""EndNote XML and RIS through bibutils (Debian package `bibutils`): titles, authors, year, volume, pages, DOI, PMID."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from xml.etree import ElementTree

import pytest
from vouched.api import Article
from vouched_citeformat.catalogue import STYLES
from vouched_citeformat.dates import cited_date
from vouched_citeformat.fields import book_title, doi, is_preprint, title
from vouched_citeformat.markup import line, plain
from vouched_citeformat.pages import place
from vouched_citeformat.whole import joined

from tests.citations.comparing import folded
from tests.citations.records import corpus, gold_articles, people_of

BY_NAME = {style.name: style for style in STYLES}
MODS = {"m": "http://www.loc.gov/mods/v3"}
PROGRAMS = {"endnote-xml": "endx2xml", "ris": "ris2xml"}


def through(name: str, articles: Sequence[Article]) -> list[ElementTree.Element]:
    """What the program makes of a file of ours: one MODS element a record."""
    program = shutil.which(PROGRAMS[name])
    if program is None:
        pytest.skip(f"{PROGRAMS[name]} is not installed (Debian package bibutils)")
    style = BY_NAME[name]
    text = joined(style, [style.render(article, "text") for article in articles], "Records from nowhere.")
    done = subprocess.run([program, "-i", "utf8"], input=text.encode(), capture_output=True, check=True, timeout=60)
    return ElementTree.fromstring(done.stdout).findall("m:mods", MODS)


def text_of(mods: ElementTree.Element, path: str) -> str:
    return " ".join("".join(found.itertext()) for found in mods.findall(path, MODS)[:1])


@pytest.fixture(params=["gold", "corpus"])
def articles(request: pytest.FixtureRequest) -> Sequence[Article]:
    """Each set of records."""
    found = gold_articles() if request.param == "gold" else corpus()
    if not found:
        pytest.skip("the gold set is not here (VOUCHED_SHARED)")
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_titles_years_and_ids_come_back(articles: Sequence[Article], name: str) -> None:
    records = through(name, articles)
    assert len(records) == len(articles)
    for article, mods in zip(articles, records, strict=True):
        heading = plain(book_title(article) or title(article)) if article.kind == "book" else plain(title(article))
        parts = [text_of(mods, f"m:titleInfo/m:{part}") for part in ("nonSort", "title", "subTitle")]
        # The program parts a title at its colon.
        assert folded("".join(parts)).replace(":", "") == folded(heading).replace(":", ""), article.ids
        year = str(cited_date(article).year or "")
        issued = [text_of(mods, f".//m:{tag}") for tag in ("dateIssued", "date")]
        assert not year or any(year in text for text in issued), article.ids
        if doi(article) and (name == "endnote-xml" or re.match(r"10\.\d{4}/", doi(article))):
            # Its RIS reader knows no DOI with a prefix of five digits.
            assert doi(article) in [identifier.text for identifier in mods.findall("m:identifier", MODS)]
        if pmid := article.ids.get("pmid"):
            assert pmid in ElementTree.tostring(mods, encoding="unicode")


def last_words(article: Article) -> list[str]:
    """Last word of each family or group name: the program takes particles apart and merges two equal authors."""
    people = {(line(person.collective or person.family), line(person.given)): None for person in people_of(article)}
    return [folded((family or given).split()[-1]) for family, given in people]


@pytest.mark.parametrize("name", PROGRAMS)
def test_authors_come_back_in_number_and_order(articles: Sequence[Article], name: str) -> None:
    compared = 0
    for article, mods in zip(articles, through(name, articles), strict=True):
        names = [line(person.collective) for person in people_of(article)]
        if article.kind == "book" or any(re.search(r",| and |/", group) for group in names):
            # It splits such a group's name into several authors, whatever stands around it.
            continue
        people = [
            found for found in mods.findall("m:name", MODS) if text_of(found, "m:role/m:roleTerm") in ("author", "")
        ]
        families = [text_of(found, "m:namePart[@type='family']") or text_of(found, "m:namePart") for found in people]
        assert [folded(family.split()[-1]) for family in families] == last_words(article), article.ids
        compared += 1
    assert compared > 0.9 * len(articles)


@pytest.mark.parametrize("name", PROGRAMS)
def test_volume_and_pages_come_back(articles: Sequence[Article], name: str) -> None:
    for article, mods in zip(articles, through(name, articles), strict=True):
        found = place(article)
        if article.kind != "article" or is_preprint(article) or found.kind in ("item", "list", "text"):
            continue
        whole = ElementTree.tostring(mods, encoding="unicode")
        for value in (line(article.volume), found.first, found.last):
            assert not value or ElementTree.tostring(_text(value), encoding="unicode")[3:-4] in whole, article.ids


def _text(value: str) -> ElementTree.Element:
    element = ElementTree.Element("x")
    element.text = value
    return element
