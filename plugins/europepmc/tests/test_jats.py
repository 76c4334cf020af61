"""Whole documents: what is accepted, what is refused and how, and what is said of the text. Invented articles."""

import time
from pathlib import Path

import pytest
from vouched.api import Access, FullText, Missing, UpstreamInvalid
from vouched_europepmc.jats import identity, parse, read_articles, read_jats

META = '<front><article-meta><article-id pub-id-type="pmcid">PMC99900001</article-id>{}</article-meta></front>'


def read(xml: str, **options: object) -> FullText:
    text = read_jats(xml.encode(), **options)  # type: ignore[arg-type]
    assert isinstance(text, FullText), text
    return text


def refused(xml: str | bytes) -> Missing:
    found = read_jats(xml.encode() if isinstance(xml, str) else xml)
    assert isinstance(found, Missing)
    return found


def prose(text: FullText) -> str:
    return " ".join(block.text for section in text.sections for block in section.blocks)


def test_a_small_article_whole() -> None:
    xml = (
        "<article>" + META.format(
            '<article-id pub-id-type="doi">10.99999/JIR.1</article-id>'
            '<article-id pub-id-type="pmid">99900001</article-id>'
            '<article-id pub-id-type="pmcid-ver">PMC99900001.2</article-id>'
            '<article-id pub-id-type="publisher-id">x</article-id>'
            "<title-group><article-title>Fictol in <italic>mice</italic></article-title></title-group>"
            "<permissions><copyright-statement>© 2024 A</copyright-statement></permissions>"
            "<abstract><p>Short.</p></abstract>"
        )
        + "<body><p>Long.</p></body></article>"
    )  # fmt: skip
    flags = Access(open=True, in_archive=True, licence="cc by", source="europepmc")
    text = read(xml, url="u", retrieved_at="t", flags=flags)
    assert text.ids == {"pmcid": "PMC99900001", "doi": "10.99999/JIR.1", "pmid": "99900001"}
    assert (text.title, text.version, text.copyright) == ("Fictol in mice", "2", "© 2024 A")
    assert (text.source, text.format, text.url, text.retrieved_at) == ("europepmc", "jats", "u", "t")
    assert len(text.sha256) == 64
    assert text.access.licence == "cc by"
    assert [item.text for item in text.access.statements] == ["© 2024 A"]
    assert [(part.kind, part.path, part.blocks[0].text) for part in text.sections] == [
        ("abstract", ["Abstract"], "Short."),
        ("body", [], "Long."),
    ]


@pytest.mark.parametrize("written", ["99900001", "PMC99900001", " pmc99900001 "])
def test_a_pmcid_is_read_with_and_without_its_prefix(written: str) -> None:
    xml = f'<article><front><article-meta><article-id pub-id-type="pmc">{written}</article-id></article-meta></front>'
    assert read(f"{xml}<body><p>x</p></body></article>").ids == {"pmcid": "PMC99900001"}


def test_p74_front_matter_without_a_body_is_no_body() -> None:
    found = refused("<article><front><article-meta><abstract><p>x</p></abstract></article-meta></front></article>")
    assert found.state == "no_body"
    assert "front" in found.reason


@pytest.mark.parametrize("body", ["<body/>", "<body> \n </body>", "<body><fig><graphic/></fig></body>"])
def test_p74_an_empty_or_scanned_body_is_no_body(body: str) -> None:
    assert refused(f"<article>{META}{body}</article>").state == "no_body"


def test_p74_the_publisher_s_refusal_is_quoted() -> None:
    xml = f"<article>{META}<!--The publisher of this article does not allow downloading of the full text.--></article>"
    assert "does not allow downloading" in refused(xml).reason


def test_p40_a_doctype_is_accepted_and_nothing_it_names_is_loaded() -> None:
    xml = (
        '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS//EN" "http://127.0.0.1:9/JATS.dtd" '
        '[<!ENTITY secret SYSTEM "file:///etc/hostname"><!ENTITY own "house">]>'
        f"<article>{META}<body><p>5&#160;&alpha; in our &own;: &secret;.</p></body></article>"
    )
    assert prose(read(xml)) == "5 α in our house: \ufffd."


def test_p40_external_entities_leak_nothing_in_any_place(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("glimmerstone")
    entity = f'<!DOCTYPE article [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    xml = (
        f"{entity}<article>{META.format('<title-group><article-title>&x;</article-title></title-group>')}<body><p>&x;</p>"
        "<table-wrap><table><tr><td>&x;</td></tr></table></table-wrap></body>"
        "<back><ref-list><ref><mixed-citation>&x; a</mixed-citation></ref></ref-list></back></article>"
    )
    text = read(xml)
    assert "glimmerstone" not in str(text)
    assert text.title == prose(text) == "\ufffd"


def test_p41_entities_that_multiply_are_refused_fast() -> None:
    entities = '<!ENTITY l0 "lol">' + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    for content in ("<p>&l9;</p>", '<p id="&l9;">x</p>'):
        began = time.process_time()
        found = refused(f"<!DOCTYPE article [{entities}]><article>{META}<body>{content}</body></article>")
        assert found.state == "too_large"
        assert "entity" in found.reason
        assert time.process_time() - began < 1


def test_p41_a_text_of_ten_million_characters_is_a_clear_size_error() -> None:
    found = refused(f"<article>{META}<body><p>{'x' * 10_000_001}</p></body></article>")
    assert (found.state, found.retryable) == ("too_large", False)
    assert "Text node too long" in found.reason


def test_p41_three_hundred_levels_are_a_clear_size_error() -> None:
    found = refused(f"<article>{META}<body>{'<sec>' * 300}<p>x</p>{'</sec>' * 300}</body></article>")
    assert found.state == "too_large"
    assert "depth" in found.reason


def test_p41_two_hundred_levels_are_read() -> None:
    nested = "".join(f"<sec><title>{number}</title>" for number in range(200))
    text = read(f"<article>{META}<body>{nested}<p>deep</p>{'</sec>' * 200}</body></article>")
    assert len(text.sections[-1].path) == 200
    assert text.sections[-1].blocks[0].text == "deep"
    inline = f"<p>{'<italic>' * 200}deep{'</italic>' * 200}</p>"
    assert prose(read(f"<article>{META}<body>{inline}</body></article>")) == "deep"


def test_p41_too_many_bytes_are_refused_before_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vouched_europepmc.jats.MAX_BYTES", 1_000)
    assert "1,000" in refused(f"<article>{META}<body><p>{'x' * 1_000}</p></body></article>").reason


@pytest.mark.parametrize(
    "body",
    [
        b"", b"not xml", b"<html><body><p>Checking your browser</p></body></html>",
        b"<article><body><p>cut o", b"<errorBean><errCode>0</errCode><errMsg>no</errMsg></errorBean>",
        b'{"status":404}', b"<pmc-articleset/>",
    ],
)  # fmt: skip
def test_what_is_no_jats_document_is_a_typed_fault(body: bytes) -> None:
    """A page, a stub or a truncated body is never an empty article."""
    with pytest.raises(UpstreamInvalid):
        read_jats(body)


def test_a_set_gives_each_article_and_each_refusal() -> None:
    whole = f"<article>{META}<body><p>a</p></body></article>"
    xml = f'<pmc-articleset>{whole}<error id="2">no such id</error><article>{META}</article></pmc-articleset>'
    first, second, third = read_articles(xml.encode())
    assert isinstance(first, FullText)
    assert isinstance(second, Missing)
    assert isinstance(third, Missing)
    assert (second.state, third.state) == ("not_found", "no_body")
    assert "no such id" in second.reason


def test_a_default_namespace_changes_nothing() -> None:
    plain = read(f"<article>{META}<body><p>a <bold>b</bold></p></body></article>")
    named = read(f'<article xmlns="http://example.org/jats/1.3/">{META}<body><p>a <bold>b</bold></p></body></article>')
    assert (named.sections, named.ids) == (plain.sections, plain.ids)


def test_sub_articles_follow_with_their_own_title_as_path() -> None:
    sub = (
        "<sub-article><front-stub><title-group><article-title>Decision letter</article-title></title-group>"
        "</front-stub><body><p>Accept.</p></body>{}</sub-article>"
    )
    back = "<back><ref-list><ref id='r1'><mixed-citation>A</mixed-citation></ref></ref-list></back>"
    text = read(f"<article>{META}<body><p>Main.</p></body>{back}{sub.format(back)}</article>")
    assert [(part.kind, part.path) for part in text.sections] == [("body", []), ("back", ["Decision letter"])]
    assert [reference.id for reference in text.references] == ["r1", "r1-2"]


@pytest.mark.parametrize(
    ("asked", "state"),
    [
        ({"pmcid": "PMC99900001"}, None),
        ({"pmid": "99900001", "doi": "10.99999/jir.1"}, None),
        ({"doi": "10.99999/JIR.1", "pii": "other"}, None),
        ({"pmcid": "PMC99900001", "doi": "10.99999/old"}, "identity_mismatch"),
        ({"pmid": "99900002"}, "identity_mismatch"),
        ({"ppr": "PPR1"}, "version_unverified"),
        ({}, "version_unverified"),
    ],
)
def test_p80_the_ids_inside_the_text_are_compared(asked: dict[str, str], state: str | None) -> None:
    ids = {"pmcid": "PMC99900001", "pmid": "99900001", "doi": "10.99999/JIR.1"}
    found = identity(FullText(ids=ids, access=Access()), asked)
    assert (found.state if found else None) == state


def test_lxml_is_loaded_with_the_first_document_only() -> None:
    import subprocess
    import sys

    code = "import sys, vouched_europepmc.jats, vouched_europepmc.sentences; sys.exit('lxml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert parse(b"<a/>").tag == "a"
