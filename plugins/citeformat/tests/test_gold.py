"""Every gold record in every style: the expected text or one of the accepted ones, character by character."""

from collections.abc import Callable
from typing import Any

import pytest
from vouched.api import Article
from vouched_citeformat import ama, apa, bibtex, medline, mla, nbib, nlm, ris, vancouver

from plugins.citeformat.tests import gold

ITEMS = gold.load("citations.json")
LINES = gold.load("medline_so.json")
RENDER: dict[str, Callable[[Article, Any], str]] = {
    "apa": apa.render,
    "mla": mla.render,
    "nlm": nlm.render,
    "vancouver": vancouver.render,
    "bibtex": bibtex.render,
    "ris": ris.render,
    "nbib": nbib.render,
}

# Where the expected text breaks a rule that the set itself is made by: (style, id) -> lines expected, lines instead.
# The rules: a PPR id is no PMID and has no PubMed page, and a key holds a-z, 0-9 and hyphens only; an item id is no
# page range; the table of tags gives a chapter and a book their NBK address; two dates of a chapter are never mixed.
BROKEN: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {
    ("bibtex", "PPR1033982"): (
        ("wang2025-PPR1033982,", "wang2025-ppr1033982,"),
        (",\n  pmid = {PPR1033982}", ""),
    ),
    ("bibtex", "40451289"): (("{jmg--2025--110769}", "{jmg-2025-110769}"),),
    ("ris", "PPR1033982"): (
        ("https://pubmed.ncbi.nlm.nih.gov/PPR1033982/", "https://doi.org/10.21203/rs.3.rs-6782915/v1"),
    ),
    ("ris", "20301425"): (
        ("DA  - 1993///", "DA  - 2026/03/25/"),
        ("UR  - https://pubmed", "UR  - https://www.ncbi.nlm.nih.gov/books/NBK1247/\r\nUR  - https://pubmed"),
    ),
    ("ris", "21249755"): (
        ("UR  - https://pubmed", "UR  - https://www.ncbi.nlm.nih.gov/books/NBK1826/\r\nUR  - https://pubmed"),
    ),
    ("ris", "20301295"): (
        ("UR  - https://pubmed", "UR  - https://www.ncbi.nlm.nih.gov/books/NBK1116/\r\nUR  - https://pubmed"),
    ),
}


def expected(item: dict[str, Any], style: str) -> list[str]:
    """The accepted texts, with the documented mistakes mended."""
    entry = item["expected"][style]
    texts = [entry["text"], *entry.get("accept", ())]
    for wrong, right in BROKEN.get((style, item["id"]), ()):
        assert wrong in texts[0], "the gold set was mended: take the entry out of BROKEN"
        texts = [text.replace(wrong, right, 1) for text in texts]
    return [gold.normal(text) for text in texts]


def without_retraction_note(text: str) -> tuple[str, str]:
    """BibTeX: the entry without its note on a retraction, and that note, which is compared by content."""
    lines = text.split("\n")
    notes = [line for line in lines if line.startswith("  note = {Retraction")]
    rest = "\n".join(line for line in lines if line not in notes)
    return rest.replace(",\n}", "\n}"), "".join(notes)


@pytest.mark.parametrize("style", RENDER)
@pytest.mark.parametrize("item", ITEMS, ids=[item["id"] for item in ITEMS])
def test_gold(item: dict[str, Any], style: str) -> None:
    got = gold.normal(RENDER[style](gold.article(item["record"]), "text"))
    wanted = expected(item, style)
    if style == "bibtex":
        got, note = without_retraction_note(got)
        pairs = [without_retraction_note(text) for text in wanted]
        wanted = [text for text, _ in pairs]
        for notice in item["record"]["cc"]:
            if notice["type"] == "RetractionIn":
                assert notice["source"].rstrip(".") in note
        assert bool(note) == bool(pairs[0][1])
    assert got in wanted


@pytest.mark.parametrize("style", ["apa", "mla"])
@pytest.mark.parametrize("item", ITEMS, ids=[item["id"] for item in ITEMS])
def test_gold_html(item: dict[str, Any], style: str) -> None:
    """Italics, sub- and superscript stand where the gold set has them."""
    html = item["expected"][style].get("html")
    if html is None:
        # The set gives no HTML for retracted works; `test_html_of_retracted_work` states it.
        assert item["id"] in ("993", "9500320")
        return
    if item["id"] == "32294727" and style == "mla":
        # A title in capitals stays as it is: the set accepts that, and gives its HTML for the other reading only.
        return
    got = gold.normal(RENDER[style](gold.article(item["record"]), "html"))
    # The set leaves the `&` between two editors unescaped, which is no well-formed HTML.
    assert got == gold.normal(html.replace(", & ", ", &amp; "))


def test_html_of_retracted_work() -> None:
    """Journal and volume of each retraction stand in italics, the issue in square brackets (APA 7 s10.1 example 11)."""
    assert apa.render(gold.record("9500320"), "html").endswith(
        "(Retraction published 2004, <i>The Lancet</i>, <i>363</i>[9411], 750; "
        "2010, <i>The Lancet</i>, <i>375</i>[9713], 445)"
    )


@pytest.mark.parametrize("line", LINES, ids=[line["pmid"] for line in LINES])
def test_medline_source_line(line: dict[str, Any]) -> None:
    """NLM's own SO line; the three that differ are of 2004 to 2018, before the line showed the DOI."""
    record = {**line["fields"], "kind": "article", "pmid": line["pmid"]}
    assert medline.source(gold.article(record)) == (line["so"] if line["agree"] else line["ours"])


# AMA has no expected text; these are all the differences from citeproc-js, each with its reason.
AMA_DIFFERENCES: dict[str, str] = {
    "12230038": "MEDLINE's two hyphens stand for an em dash",
    "30108519": "the engine prints the tags of markup that crosses a quotation mark",
    "17621010": "the discussion's page is no page of the article",
    "37064529": "the arXiv number already stands in the link",
    "40464630": "`Forthcoming` is no issue: published online",
    "20301425": "a chapter carries the year of its last revision, not of the book",
    "993": "a retraction is shown (AMA 11 s3.11.14)",
    "9500320": "a retraction is shown (AMA 11 s3.11.14)",
    "40451289": "a publisher's item id is no page",
    "synth-cjk": "`Xiao-ming` has the initial X, as APA and AMA count it",
}


@pytest.mark.parametrize("item", ITEMS, ids=[item["id"] for item in ITEMS])
def test_ama_beside_citeproc_js(item: dict[str, Any]) -> None:
    got = gold.normal(ama.render(gold.article(item["record"]), "text"))
    same = got == gold.normal(item["expected"]["ama"]["citeproc_js"])
    assert same != (item["id"] in AMA_DIFFERENCES), got
