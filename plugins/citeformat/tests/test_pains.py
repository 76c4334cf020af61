"""Reported failures that touch citations and that no other test here names, by their number."""

import pytest
from vouched.api import AbstractPart, Article, Author, Date, ELocation, Locator, Notice, PublicationType
from vouched_citeformat import apa, bibtex, mla, nlm, ris, vancouver
from vouched_citeformat.catalogue import STYLES
from vouched_citeformat.caveats import caveats

from plugins.citeformat.tests import invented

PROSE = [style for style in STYLES if style.name in ("apa", "mla", "vancouver", "nlm", "ama")]


def test_p24_a_formula_made_linear_is_told() -> None:
    article = invented.article(title="Decay of 0 + states.", flattened=["title"])
    assert "Decay of 0 + states" in apa.render(article, "text")
    assert any(text.startswith("formula_flattened") for text in caveats(article))


def test_p25_all_parts_of_an_abstract_are_exported_with_their_labels() -> None:
    parts = [AbstractPart("Plain part."), AbstractPart("Ten of 12.", "RESULTS"), AbstractPart("Tail.")]
    text = ris.render(invented.article(abstract=parts), "text")
    assert "AB  - Plain part. RESULTS: Ten of 12. Tail.\r\n" in text
    assert "AB  -" not in ris.render(invented.article(), "text")


def test_p26_a_bookshelf_record_is_cited_like_any_other() -> None:
    for article in (invented.chapter(), invented.book()):
        for style in STYLES:
            assert "InventedReviews" in style.render(article, "text"), style.name


@pytest.mark.parametrize("status", ["aheadofprint", "epublish", ""])
def test_p30_empty_parts_leave_no_punctuation_behind(status: str) -> None:
    article = invented.article(
        volume="",
        issue="",
        locator=Locator(),
        date=Date(year=2015, month=8, precision="month"),
        publication_status=status,
    )
    for style in PROSE:
        text = style.render(article, "text")
        assert "()" not in text
        assert ";:" not in text
        assert ";." not in text
        assert ", ," not in text
    assert ("Advance online publication" in apa.render(article, "text")) == (status == "aheadofprint")


def test_p33_a_record_without_authors_or_with_one_name_only_stays_valid() -> None:
    nobody = invented.article(authors=[])
    mononym = invented.article(authors=[Author(family="Mononym")])
    initials = invented.article(authors=[Author(family="Quill", initials="AB")])
    assert apa.render(nobody, "text").startswith("Glimmer syndrome in invented mice. (2024). ")
    assert apa.render(mononym, "text").startswith("Mononym. (2024). ")
    assert vancouver.render(mononym, "text").startswith("Mononym. Glimmer")
    assert apa.render(initials, "text").startswith("Quill, A. B. (2024). ")
    assert bibtex.render(initials, "text").count("author = {Quill, A. B.}") == 1
    for style in STYLES:
        for article in (nobody, mononym, initials):
            assert "undefined" not in style.render(article, "text")
            assert "None" not in style.render(article, "text")


def test_p35_names_are_never_swapped() -> None:
    article = invented.article(authors=[Author(family="Xiaoming", given="Fu", initials="F")])
    assert apa.render(article, "text").startswith("Xiaoming, F. (")
    assert mla.render(article, "text").startswith("Xiaoming, Fu. ")
    assert nlm.render(article, "text").startswith("Xiaoming F. ")


def test_p37_the_article_s_own_doi_is_printed_once_whatever_stands_beside_it() -> None:
    places = [ELocation("doi", "10.9999/a"), ELocation("pii", "S1")]
    article = invented.article(ids={"doi": "10.9999/a"}, also_ids={"doi": ["10.9999/b"]}, e_locations=places)
    for style in PROSE:
        assert style.render(article, "text").count("10.9999/a") == 1
        assert "10.9999/b" not in style.render(article, "text")


def test_p82_a_publication_type_alone_marks_a_retracted_article() -> None:
    from vouched.api import assess

    types = [PublicationType("Retracted Publication", "D016441")]
    status = assess([(type_.name, type_.ui) for type_ in types], [], "A title.", source="eutils")
    article = invented.article(types=types, status=status)
    for style in STYLES:
        assert "etracted" in style.render(article, "text"), style.name


def test_p84_absence_of_notices_is_no_claim_in_a_citation() -> None:
    for style in STYLES:
        assert "not retracted" not in style.render(invented.article(), "text").lower()


def test_p85_a_preprint_is_cited_as_one_and_a_link_with_a_doi_only_is_kept() -> None:
    link = Notice("UpdateIn", "", {"doi": "10.9999/jir.2025.3"})
    article = invented.preprint(notices=[link])
    assert "[Preprint]. inventRxiv." in apa.render(article, "text")
    assert "Update in: doi: 10.9999/jir.2025.3." in nlm.render(article, "text")
    assert bibtex.render(article, "text").startswith("@misc{")
    assert bibtex.render_biblatex(article, "text").startswith("@online{")
    assert ris.render(article, "text").startswith("TY  - UNPB")
    by_type = invented.article(types=[PublicationType("Preprint", "D000076942")])
    assert "[Preprint]" in apa.render(by_type, "text")


def test_p108_signs_with_a_meaning_are_escaped_and_keywords_stay_whole() -> None:
    from vouched.api import MeshHeading

    article = invented.article(
        title="A & B: 50% of {x}_y.",
        mesh=[MeshHeading("Databases, Protein")],
        authors=[Author(family="Ångström", given="Ö", initials="Ö")],
    )
    text = bibtex.render(article, "text")
    assert r"title = {A \& {B}: 50\% of \{x\}\_y}" in text
    assert "author = {Ångström, Ö.}" in text
    assert "@article{angstrom2024-99900001," in text
    lines = ris.render(article, "text").split("\r\n")
    assert "KW  - Databases, Protein" in lines
    assert "TI  - A & B: 50% of {x}_y" in lines


def test_names_of_other_records_are_never_taken() -> None:
    """An article says only what its own record says; a record with nothing but an id renders in every style."""
    bare = Article(ids={"pmid": "99900099"})
    for style in STYLES:
        assert style.render(bare, "text").strip() or style.name in ("apa", "mla", "ama", "vancouver")
