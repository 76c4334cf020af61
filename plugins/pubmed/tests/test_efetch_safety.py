"""Hostile and broken XML: nothing leaks, nothing runs away, one bad record does not take the others with it."""

import os
import socket
import time
from pathlib import Path

import pubmed_xml as made
import pytest
from vouched.api import Fault, UpstreamInvalid
from vouched_pubmed.efetch import iter_articles, read_articles

DOCTYPE = (
    '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2099//EN" '
    '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_990101.dtd">'
)


def test_p39_a_dtd_is_named_but_never_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No network, a home that cannot be written, an unknown element: the record is read."""

    def refuse(*_: object) -> None:
        raise AssertionError("something tried to use the network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    home = tmp_path / "home"
    home.mkdir(mode=0o500)
    monkeypatch.setenv("HOME", str(home))
    body = made.whole(made.article("<NeverSeen><Deep>x</Deep></NeverSeen>"), doctype=DOCTYPE)
    assert read_articles(body).articles[0].title == "An invented title."
    assert os.listdir(home) == []  # noqa: PTH208


@pytest.mark.parametrize("streamed", [False, True])
def test_p40_an_external_entity_leaks_nothing(streamed: bool, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("TOP-SECRET")
    doctype = f'<!DOCTYPE r [<!ENTITY x SYSTEM "file://{secret}">]>'
    body = made.whole(made.article("<Affiliation>&x;</Affiliation>", title="A &x; title &x;"), doctype=doctype)
    if streamed:
        path = tmp_path / "set.xml"
        path.write_bytes(body)
        (found,) = iter_articles(path)
    else:
        (found,) = read_articles(body).articles
    assert "TOP-SECRET" not in repr(found)
    assert "&x;" not in repr(found)
    assert found.title == "A title"  # type: ignore[union-attr]


def test_p40_the_example_of_the_field_report_leaks_nothing() -> None:
    body = b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><PubmedArticleSet>&x;</PubmedArticleSet>'
    answer = read_articles(body)
    assert (answer.articles, answer.problems) == ([], [])


def test_an_internal_entity_is_not_expanded_and_known_characters_are() -> None:
    doctype = '<!DOCTYPE r SYSTEM "https://dtd.nlm.nih.gov/r.dtd" [<!ENTITY mine "EXPANDED">]>'
    found = read_articles(made.whole(made.article(title="a &mine; b &beta; c"), doctype=doctype)).articles[0]
    assert found.title == "a b β c"


@pytest.mark.parametrize("place", ["text", "attribute"])
def test_p41_nested_entities_are_refused_fast_or_left_alone(place: str) -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 11))
    doctype = f'<!DOCTYPE r [<!ENTITY l0 "lol">{laughs}]>'
    inside = made.article(title="&l10;") if place == "text" else made.article('<X a="&l10;"/>')
    started = time.process_time()
    try:
        answer = read_articles(made.whole(inside, doctype=doctype))
        assert len(repr(answer)) < 10_000
    except UpstreamInvalid:
        pass
    assert time.process_time() - started < 2


def test_an_encoding_cannot_hide_a_declaration_of_entities() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 11))
    text = f'<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE r [<!ENTITY l0 "lol">{laughs}]>'
    body = (text + made.article('<X a="&l10;"/>').join(("<PubmedArticleSet>", "</PubmedArticleSet>"))).encode("utf-16")
    with pytest.raises(Fault):
        read_articles(body)


def test_p41_a_text_over_the_parsers_limit_is_read_whole() -> None:
    """10,000,001 characters in one abstract; the record beside it is read as well."""
    huge = made.article(f"<Abstract><AbstractText>{'x' * 10_000_001}</AbstractText></Abstract>", pmid="99900002")
    first, second = read_articles(made.whole(huge, made.article())).articles
    assert len(first.abstract[0].text) == 10_000_001
    assert second.title == "An invented title."


def test_p41_deep_nesting_spoils_its_own_record_only() -> None:
    deep = made.article(title="<i>" * 300 + "x" + "</i>" * 300, pmid="99900002")
    answer = read_articles(made.whole(deep, made.article()))
    assert [article.ids["pmid"] for article in answer.articles] == ["99900001"]
    (problem,) = answer.problems
    assert (problem.pmid, problem.unread) == ("99900002", True)
    assert "200 deep" in problem.text


def test_damaged_xml_is_a_fault_that_may_pass_and_quotes_nothing() -> None:
    body = made.whole(made.article(title="A PRIVATE title")).replace(b"</Article>", b"</Broken>")
    with pytest.raises(UpstreamInvalid) as caught:
        read_articles(body)
    assert caught.value.retryable
    assert "PRIVATE" not in caught.value.message


@pytest.mark.parametrize("body", [b"<html><body>busy</body></html>", b"<pmc-articleset></pmc-articleset>", b"", b"<a>"])
def test_what_is_no_set_of_records_is_a_fault(body: bytes) -> None:
    with pytest.raises(UpstreamInvalid):
        read_articles(body)


def test_p08_an_empty_set_claims_nothing() -> None:
    answer = read_articles(b'<?xml version="1.0"?><PubmedArticleSet></PubmedArticleSet>')
    assert (answer.articles, answer.deleted, answer.unavailable, answer.problems) == ([], [], [], [])


def test_p08_unavailable_is_told_from_absent() -> None:
    text = b"id: 32816848 Error occurred: The following PMID is not available: 32816848"
    assert read_articles(text).unavailable == ["32816848"]


def test_p08_deleted_is_named_by_the_service() -> None:
    body = made.whole(made.article(), "<DeleteCitation><PMID>99900077</PMID></DeleteCitation>")
    assert read_articles(body).deleted == ["99900077"]
