"""References as the citation plugin writes them, held against the records that they were written from: nothing differs.

The other way round, a field that is changed is found. Over the gold citations, and over every record of the corpus.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from vouched.api import Article, ParsedReference
from vouched_citeformat import bibtex, nbib, read_bibtex, read_nbib, read_ris, ris
from vouched_citeformat.catalogue import STYLES

from plugins.citeformat.tests import gold

from .records import corpus

PROSE = ("apa", "mla", "nlm", "vancouver")
RENDER = {style.name: style.render for style in STYLES}
READERS: dict[str, tuple[Any, Any]] = {
    "ris": (ris, read_ris),
    "bibtex": (bibtex, read_bibtex),
    "nbib": (nbib, read_nbib),
}
OTHERS = ("Lancet", "BMJ", "Nature", "J Clin Oncol", "New England Journal of Medicine", "PLoS One", "Science")


def differing(reference: ParsedReference, article: Article) -> list[str]:
    module = pytest.importorskip("vouched_pubmed.reference_compare")
    return [
        f"{article.ids.get('pmid')} {one.field}: {one.given[:80]!r} is not {one.found[:80]!r}"
        for one in module.compare(reference, article).differs
    ]


def parsed(text: str) -> ParsedReference:
    reference: ParsedReference = pytest.importorskip("vouched_pubmed.reference_text").parse_reference(text)
    return reference


def test_no_gold_citation_differs_from_its_record() -> None:
    items = gold.needed(gold.load("citations.json"))
    texts = [
        (item["expected"][style]["text"], gold.article(item["record"]))
        for item in items
        for style in PROSE
        if style in item["expected"]
    ]
    assert len(texts) > 300
    assert [said for text, article in texts for said in differing(parsed(text), article)] == []


@pytest.mark.parametrize("style", [*PROSE, "ama"])
def test_no_written_citation_differs_from_its_record(style: str) -> None:
    written = [(RENDER[style](article, "text"), article) for article in corpus()]
    assert [said for text, article in written for said in differing(parsed(text), article)] == []


@pytest.mark.parametrize("style", READERS)
def test_no_exported_entry_differs_from_its_record(style: str) -> None:
    writer, reader = READERS[style]
    found = []
    for article in corpus():
        for reference in reader.read(writer.render(article, "text")):
            found += differing(reference, article)
    assert found == []


def plain() -> list[Article]:
    """Articles of a kind of which every field can be changed."""
    return [
        article
        for article in corpus()
        if article.kind == "article"
        and len(article.title.split()) > 6
        and not article.title.startswith("[")
        and article.volume.isdigit()
        and article.issue.isdigit()
        and article.locator.kind == "range"
        and any(not author.collective for author in article.authors)
        and article.date.year
    ]


def fields_of(article: Article) -> dict[str, str]:
    return {
        "title": article.title,
        "authors": "; ".join(author.display() for author in article.authors),
        "journal": article.journal.abbreviation,
        "year": str(article.date.year),
        "volume": article.volume,
        "issue": article.issue,
        "pages": article.locator.text,
    }


def changes(article: Article, chance: random.Random) -> Iterator[tuple[str, str, str]]:
    """(field that must differ, field of the reference, its wrong value)."""
    words = article.title.split()
    place = chance.choice([n for n, word in enumerate(words[:-1]) if len(word) >= 5] or [0])
    yield "title", "title", " ".join([*words[:place], "quokka", *words[place + 1 :]])
    yield "title", "title", " ".join([*words[:place], "not", *words[place:]])
    yield "volume", "volume", str(int(article.volume) + 1)
    yield "issue", "issue", str(int(article.issue) + 1)
    yield "year", "year", str((article.date.year or 0) + 3)
    yield "first_page", "pages", "98765-98770"
    yield "author", "authors", "Ghostly QZ"
    for name in OTHERS:
        if not any(re.sub(r"\W", "", name).lower() == re.sub(r"\W", "", own).lower() for own in names(article)):
            yield "journal", "journal", name


def names(article: Article) -> Sequence[str]:
    journal = article.journal
    return (journal.abbreviation, journal.title.partition(" (")[0], journal.iso_abbreviation, "The " + journal.title)


def test_a_changed_field_is_found() -> None:
    compare: Callable[..., Any] = pytest.importorskip("vouched_pubmed.reference_compare").compare
    chance = random.Random(20)
    asked: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for article in plain():
        right = fields_of(article)
        for name, field, wrong in changes(article, chance):
            if name == "journal" and "n engl j med" in right["journal"].lower() and wrong.startswith("New England"):
                continue
            asked[name] += 1
            differs = compare(ParsedReference({}, {**right, field: wrong}), article).differs
            found[name] += name in [one.field for one in differs]
    assert asked["title"] > 200
    assert {name: found[name] / asked[name] for name in asked if found[name] < 0.99 * asked[name]} == {}
