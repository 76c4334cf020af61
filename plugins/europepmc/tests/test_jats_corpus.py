"""Nothing lost, nothing twice: every JATS file of the corpus against a naive walk over its text nodes."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from lxml import etree
from vouched.api import Figure, FullText, Table
from vouched_europepmc.jats import read_articles

# What is no word of the text: machine ids, rights, descriptions of pictures; TeX that repeats MathML.
SILENT = {"object-id", "permissions", "alt-text", "long-desc"}
SHARED = Path(os.environ.get("VOUCHED_SHARED") or Path(__file__).parents[4] / "shared") / "upstream"
FILES = sorted(
    path.relative_to(SHARED).as_posix()
    for path in SHARED.glob("*/*.xml")
    if "jats" in path.parent.name or "fulltext" in path.parent.name
)
PARSER = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True)


def squeeze(text: str) -> str:
    """Letters and digits only: independent of spaces, brackets and signs that a reader may add."""
    return "".join(character for character in text if character.isalnum())


def silent(node: etree._Element) -> bool:
    return node.tag in SILENT or (node.tag == "tex-math" and node.getparent().find("{*}math") is not None)  # type: ignore[union-attr]


def walk(node: etree._Element) -> Iterator[str]:
    """Every text node below, in document order."""
    if isinstance(node.tag, str) and not silent(node) and node.tag != "ref-list":
        yield node.text or ""
        for child in node:
            yield from walk(child)
            yield child.tail or ""


def own_titles(article: etree._Element) -> set[str]:
    """Squeezed headings that the file itself has; the reader names an untitled abstract "Abstract" and the like."""
    heads = article.iter("title", "label", "article-title")
    return {squeeze("".join(node.itertext())) for node in heads} | {
        squeeze("".join(node.getparent().findtext("label") or "") + "".join(node.itertext()))  # type: ignore[union-attr]
        for node in article.iter("title")
    }


def words_of(text: FullText, titles: set[str], kinds: Iterable[str]) -> list[str]:
    """All text of our sections, a title once with the first entry of its section."""
    found: list[str] = []
    before: list[str] = []
    for section in text.sections:
        # A continuation, and a section without a title of its own, repeat the path of the entry they belong to.
        continued = section.path == before or (re.search(r"-\d+$", section.id) and section.path == before[:-1])
        before = section.path
        if section.kind in kinds:
            if section.path and not continued and squeeze(section.path[-1]) in titles:
                found.append(section.path[-1])
            found += [block.text for block in section.blocks]
    return found


def words_of_floats(tables: Iterable[Table], figures: Iterable[Figure]) -> list[str]:
    found: list[str] = []
    for table in tables:
        found += [
            table.label,
            table.caption,
            *table.notes,
            *(cell for row in table.header + table.rows for cell in row),
        ]
    for figure in figures:
        found += [figure.label, figure.caption]
    return found


def articles() -> Iterator[tuple[str, int]]:
    for name in FILES:
        root = etree.parse(SHARED / name, PARSER).getroot()
        yield from ((name, number) for number in range(1 if root.tag == "article" else len(root.findall("article"))))


@pytest.fixture(scope="module", params=list(articles()), ids=lambda param: f"{param[0].rpartition('/')[2]}:{param[1]}")
def pair(request: pytest.FixtureRequest) -> tuple[etree._Element, FullText]:
    """An article as lxml has it, and as we read it."""
    name, number = request.param
    body = (SHARED / name).read_bytes()
    root = etree.fromstring(body, PARSER)
    article = root if root.tag == "article" else root.findall("article")[number]
    text = read_articles(body)[number]
    assert isinstance(text, FullText)
    return article, text


def parts_of(article: etree._Element, *paths: str) -> Iterator[etree._Element]:
    for owner in (article, *article.findall("sub-article"), *article.findall("response")):
        for path in paths:
            yield from owner.findall(path)


def difference(ours: Iterable[str], theirs: Iterable[str]) -> dict[str, int]:
    """Characters that we have too often (positive) or lost (negative)."""
    counted = Counter(squeeze("".join(ours)))
    counted.subtract(squeeze("".join(theirs)))
    return {character: number for character, number in counted.items() if number}


def test_no_word_is_missing_or_doubled(pair: tuple[etree._Element, FullText]) -> None:
    """Abstracts, body, back matter and floats, sub-articles too: every letter and digit exactly once."""
    article, text = pair
    paths = ("front/article-meta/abstract", "front/article-meta/trans-abstract", "front-stub/abstract")
    theirs = [run for part in parts_of(article, *paths, "body", "back", "floats-group") for run in walk(part)]
    ours = words_of(text, own_titles(article), ("abstract", "body", "back", "floats"))
    subtitles = [squeeze(title) for title in sub_titles(article)]
    ours = [word for word in ours if squeeze(word) not in subtitles]
    assert difference([*ours, *words_of_floats(text.tables, text.figures)], theirs) == {}


def sub_titles(article: etree._Element) -> list[str]:
    stubs = [part for part in article if part.tag in ("sub-article", "response")]
    return ["".join(node.itertext()) for stub in stubs for node in stub.findall(".//title-group/article-title")]


def test_body_words_stand_in_their_order(pair: tuple[etree._Element, FullText]) -> None:
    """Each paragraph's own words are found together, in order, in one block, caption, cell or note."""
    article, text = pair
    ours = [*words_of(text, set(), ("body", "back", "abstract", "floats")), *words_of_floats(text.tables, text.figures)]
    held = "\n".join(squeeze(word) for word in ours)
    body = article.find("body")
    assert body is not None
    for paragraph in body.iter("p"):
        if not paragraph.xpath(
            ".//p|.//list|.//fig|.//table-wrap|.//fn|.//supplementary-material|.//media|.//tex-math"
        ):
            assert squeeze("".join(walk(paragraph))) in held


def test_p72_tables_keep_their_cell_count(pair: tuple[etree._Element, FullText]) -> None:
    article, text = pair
    theirs = [
        len(table.xpath(".//td|.//th"))
        for part in parts_of(article, "body", "back", "floats-group")
        for table in part.iter("table")
    ]
    ours = [sum(map(len, table.header + table.rows)) for table in text.tables]
    assert sorted(ours) == sorted(theirs)


def test_p72_the_grid_is_a_rectangle_that_holds_every_cell(pair: tuple[etree._Element, FullText]) -> None:
    for table in pair[1].tables:
        for part, rows in zip(table.grid(), (table.header, table.rows), strict=True):
            assert len({len(row) for row in part}) <= 1
            assert len(part) == len(rows)
            for row, cells in zip(part, rows, strict=True):
                assert not (Counter(cells) - Counter(row))


def test_p73_there_is_one_entry_for_each_reference(pair: tuple[etree._Element, FullText]) -> None:
    article, text = pair
    assert len(text.references) == len(list(article.iter("ref")))
    for node, reference in zip(article.iter("ref"), text.references, strict=True):
        assert reference.title or reference.source or reference.text or reference.authors
        for pub_id in node.iter("pub-id"):
            if pub_id.get("pub-id-type") in ("pmid", "doi"):
                assert pub_id.get("pub-id-type") in reference.ids
        held = {author.family for author in reference.authors}
        for surname in node.iter("surname"):
            name = " ".join("".join(surname.itertext()).split())
            assert name in held or name in reference.text


def test_every_id_is_there_once(pair: tuple[etree._Element, FullText]) -> None:
    """Paragraph ids are stable anchors for quotations: no two pieces share one."""
    text = pair[1]
    ids = [section.id for section in text.sections] + [block.id for part in text.sections for block in part.blocks]
    ids += [item.id for item in (*text.tables, *text.figures, *text.references)]
    assert len(ids) == len(set(ids))
    assert all(ids)


def test_blocks_are_clean_single_lines(pair: tuple[etree._Element, FullText]) -> None:
    for section in pair[1].sections:
        for block in section.blocks:
            assert block.text == " ".join(block.text.split())


def test_there_is_a_file_to_read() -> None:
    if not SHARED.is_dir():
        pytest.skip("the corpus of real answers (VOUCHED_SHARED) is not here")
    assert len(FILES) == 31
