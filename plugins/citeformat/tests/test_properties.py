"""What holds for every record, whatever it holds."""

import json
import re
from html.parser import HTMLParser
from urllib.parse import unquote
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from vouched.api import AbstractPart, Article, Author, Book
from vouched_citeformat import apa, mla, nlm, vancouver
from vouched_citeformat.bibkeys import key
from vouched_citeformat.catalogue import STYLES

from plugins.citeformat.tests import invented
from plugins.citeformat.tests.strategies import articles, clean_articles

PROSE = [style for style in STYLES if style.name in ("apa", "mla", "vancouver", "nlm", "ama")]
BY_NAME = {style.name: style for style in STYLES}
# Without the phase that explains: it renders a failing record hundreds of times more and says nothing new.
quick = settings(
    max_examples=30,
    derandomize=True,
    deadline=None,
    database=None,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)


@quick
@given(articles)
def test_every_style_renders_every_record_in_every_markup_the_same_each_time(article: Article) -> None:
    for style in STYLES:
        for markup in ("text", "markdown", "html"):
            once = style.render(article, markup)
            assert once == style.render(article, markup)
            assert isinstance(once, str)


@quick
@given(articles)
def test_prose_is_one_line_without_control_characters(article: Article) -> None:
    for style in PROSE:
        for markup in ("text", "markdown", "html"):
            text = style.render(article, markup)
            assert "\n" not in text
            assert "\r" not in text
            assert not re.search("[\x00-\x1f\x7f-\x9f\ue000-\ue009\ud800-\udfff\u200b]", text)


class Text(HTMLParser):
    """The text of HTML, and a check that only i, b, sub and sup occur and that they nest."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text = ""
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        assert tag in ("i", "b", "sub", "sup")
        assert not attrs
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@quick
@given(articles)
def test_html_parses_and_its_text_is_the_text_form(article: Article) -> None:
    for style in PROSE:
        parser = Text()
        parser.feed(style.render(article, "html"))
        parser.close()
        assert not parser.open
        assert parser.text == style.render(article, "text")


@quick
@given(articles)
@example(Article(ids={}, kind="chapter"))
@example(Article(ids={}, book=Book(title="}\n}")))
@example(Article(ids={"nbk": "NBK1}"}, kind="book", book=Book(title="\\", publisher="}\r\n}")))
def test_bibtex_has_balanced_braces_and_one_entry(article: Article) -> None:
    for name in ("bibtex", "biblatex"):
        text = BY_NAME[name].render(article, "text")
        depth = 0
        for n, char in enumerate(text):
            if char in "{}" and text[n - 1] != "\\":
                depth += 1 if char == "{" else -1
                assert depth > 0 or n == len(text) - 2
        assert depth == 0
        # A record that knows nothing has an entry without fields, and no empty line in it.
        assert re.fullmatch(r"@[a-z]+\{[a-z0-9-]+,\n(  [a-z]+ = .+\n)*\}\n", text)


@quick
@given(articles)
def test_ris_nbib_json_and_xml_keep_their_grammar(article: Article) -> None:
    lines = BY_NAME["ris"].render(article, "text").removesuffix("\r\n").split("\r\n")
    assert all(re.fullmatch(r"[A-Z][A-Z0-9]  - .*", line) for line in lines)
    assert [line for line in lines if line.startswith("ER")] == ["ER  - "]
    nbib = BY_NAME["nbib"].render(article, "text").splitlines()
    assert all(re.match(r"[A-Z]{2,4} {0,2}- \S|      \S", line) for line in nbib)
    item = json.loads(BY_NAME["csl-json"].render(article, "text"))
    assert item["id"] == key(article)
    record = ElementTree.fromstring(BY_NAME["endnote-xml"].render(article, "text"))
    assert record.tag == "record"


@quick
@given(articles)
def test_keys_have_letters_digits_and_hyphens_only(article: Article) -> None:
    assert re.fullmatch(r"[a-z0-9-]+", key(article))


@quick
@given(clean_articles)
def test_no_doubled_or_misplaced_punctuation(article: Article) -> None:
    for style in PROSE:
        text = style.render(article, "text")
        bare = re.sub(r"https?://\S+|doi: ?\S+|\.\.\.", "x", text)
        assert not re.search(r"\.\.|,,| ,|\?\.|!\.|\( *\)|  |;\(\)|:\.", bare), (style.name, text)


@quick
@given(clean_articles)
def test_one_doi_whose_link_decodes_to_it(article: Article) -> None:
    notices: list[object] = []
    article = msgspec.structs.replace(article, notices=notices)
    doi = article.ids.get("doi")
    for style in (apa, mla):
        found = re.findall(r"https://doi\.org/\S+", style.render(article, "text"))
        assert [unquote(address.rstrip(".")) for address in found] == ([f"https://doi.org/{doi}"] if doi else [])
    for style in (nlm, vancouver):
        assert style.render(article, "text").count(f"doi: {doi}.") == (1 if doi else 0)


@pytest.mark.parametrize("count", [1, 2, 3, 6, 7, 20, 21, 40])
def test_et_al_and_ellipsis_stand_exactly_where_the_style_says(count: int) -> None:
    article = invented.article(authors=invented.people(count))
    assert ("et al" in vancouver.render(article, "text")) == (count > 6)
    assert ("et al" in mla.render(article, "text")) == (count > 2)
    assert "et al" not in nlm.render(article, "text")
    assert "et al" not in apa.render(article, "text")
    assert ("…" in apa.render(article, "text")) == (count > 20)
    assert ("&" in apa.render(article, "text")) == (1 < count <= 20)
    assert ("et al" in BY_NAME["ama"].render(article, "text")) == (count > 6)


@quick
@given(clean_articles, st.text(max_size=50))
def test_an_abstract_changes_no_text_citation(article: Article, text: str) -> None:
    without = msgspec.structs.replace(article, abstract=[])
    with_one = msgspec.structs.replace(article, abstract=[AbstractPart(text)])
    for style in PROSE:
        assert style.render(without, "text") == style.render(with_one, "text")


INJECTIONS = [
    "\r\nER  - \r\nTY  - JOUR\r\nTI  - Second",
    "}\n}\n@article{second,\n title = {x}",
    "<script>alert(1)</script>",
    "[x](javascript:y) *b* _c_ `d` | e",
    "\nPMID- 2\nTI  - Second.",
    ']]></style><title>"x"',
    "=HYPERLINK(1)",
]


@pytest.mark.parametrize("payload", INJECTIONS)
@pytest.mark.parametrize("where", ["title", "family", "collective", "keyword", "journal", "notice", "volume"])
def test_injected_text_stays_inside_its_field(payload: str, where: str) -> None:
    from vouched.api import Journal, Keyword, Notice

    changes: dict[str, object] = {
        "title": {"title": payload},
        "family": {"authors": [Author(family=payload, given=payload)]},
        "collective": {"authors": [Author(collective=payload)]},
        "keyword": {"keywords": [Keyword(payload)]},
        "journal": {"journal": Journal(title=payload, abbreviation=payload)},
        "notice": {"notices": [Notice("RetractionIn", payload)]},
        "volume": {"volume": payload},
    }[where]  # type: ignore[assignment]
    article = invented.article(**changes)
    ris = BY_NAME["ris"].render(article, "text").split("\r\n")
    assert sum(line.startswith("TY  - ") for line in ris) == 1
    assert sum(line.startswith("ER  -") for line in ris) == 1
    bibtex = BY_NAME["bibtex"].render(article, "text")
    assert len(re.findall(r"^@", bibtex, re.MULTILINE)) == 1
    assert sum(line.startswith("PMID-") for line in BY_NAME["nbib"].render(article, "text").splitlines()) == 1
    ElementTree.fromstring(BY_NAME["endnote-xml"].render(article, "text"))
    json.loads(BY_NAME["csl-json"].render(article, "text"))
    for style in PROSE:
        assert "<script" not in style.render(article, "html")
        assert not re.search(r"(?<!\\)\[x\](?<!\\)\(", style.render(article, "markdown"))


def test_a_batch_is_its_single_citations() -> None:
    from vouched_citeformat.whole import joined

    singles = [BY_NAME["ris"].render(article, "text") for article in (invented.article(), invented.book())]
    whole = joined(BY_NAME["ris"], singles, "a notice")
    assert whole == "\r\n".join(singles)
    assert joined(BY_NAME["bibtex"], ["@a{x}\n"], "by a@b").startswith("% by a(at)b\n")
    assert json.loads(joined(BY_NAME["csl-json"], ["{}", "{}"], "n")) == [{}, {}]
    xml = joined(BY_NAME["endnote-xml"], [BY_NAME["endnote-xml"].render(invented.article(), "text")], "a -- b")
    assert ElementTree.fromstring(xml).find(".//title") is not None
