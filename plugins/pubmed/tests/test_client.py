"""Readers of E-utilities' answers: every corpus file, every disguised error, any bytes at all."""

import contextlib
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched.api import Fault, RateLimited, UpstreamInvalid, UpstreamRejected, UpstreamUnreachable
from vouched.testing.emulator import Emulator
from vouched.testing.exchange import Reply
from vouched_pubmed import client
from vouched_pubmed.ecitmatch import read_ecitmatch

UPSTREAM = Path(os.environ.get("VOUCHED_SHARED") or Path(__file__).resolve().parents[4] / "shared") / "upstream"
needs_corpus = pytest.mark.skipif(not UPSTREAM.is_dir(), reason="the corpus is missing (VOUCHED_SHARED)")
READERS: dict[str, Callable[[bytes], Any]] = {
    "esearch": client.read_esearch,
    "esummary": client.read_esummary,
    "elink": client.read_elink,
    "espell": client.read_espell,
    "einfo": client.read_einfo,
    "ecitmatch": read_ecitmatch,
}


def corpus(folder: str, pattern: str) -> list[Path]:
    return sorted((UPSTREAM / folder).glob(pattern)) if UPSTREAM.is_dir() else []


@needs_corpus
@pytest.mark.parametrize("path", corpus("pubmed-esearch", "*.json"), ids=lambda path: path.name)
def test_every_recorded_search_is_read_whole(path: Path) -> None:
    body = path.read_bytes()
    raw = json.loads(body, strict=False)["esearchresult"]
    found = client.read_esearch(body)
    assert found.total == int(raw["count"])
    assert found.ids == raw["idlist"]
    assert found.translation == raw["querytranslation"]
    assert [given for given, _ in found.translations] == [pair["from"] for pair in raw["translationset"]]
    assert found.phrases_not_found == raw.get("errorlist", {}).get("phrasesnotfound", [])


@needs_corpus
@pytest.mark.parametrize("path", corpus("pubmed-esummary", "*.json"), ids=lambda path: path.name)
def test_every_recorded_summary_is_read_whole(path: Path) -> None:
    body = path.read_bytes()
    raw = json.loads(body)["result"]
    assert client.read_esummary(body) == {uid: raw[uid] for uid in raw["uids"]}


@needs_corpus
def test_a_recorded_build_is_read() -> None:
    body = (UPSTREAM / "pubmed-einfo" / "biopython_einfo2.xml").read_bytes()
    assert client.read_einfo(body) == "Build-2025.11.27.06.33, last update 2025/11/27 06:33"


def test_an_answer_without_a_build_is_a_fault() -> None:
    with pytest.raises(UpstreamInvalid):
        client.read_einfo(b"<eInfoResult><DbList><DbName>pubmed</DbName></DbList></eInfoResult>")


@needs_corpus
def test_recorded_spellings_are_read_and_their_empty_error_is_none() -> None:
    found = {path.name: client.read_espell(path.read_bytes()) for path in corpus("pubmed-espell", "*.xml")}
    assert found["bioperl_espell.xml"].corrected == "notch AND mus musculus"
    assert found["biopython_espell.xml"] == client.Spelling("biopythooon", "biopython")


@needs_corpus
@pytest.mark.parametrize("path", corpus("pubmed-elink", "bio*elink*.xml"), ids=lambda path: path.name)
def test_every_recorded_link_set_is_read(path: Path) -> None:
    body = path.read_bytes()
    sets = client.read_elink(body)
    assert len(sets) == body.count(b"<LinkSet>")
    assert sum(len(ids) for links in sets for ids in links.links.values()) == body.count(b"<Link>") + body.count(
        b"<Link\n"
    )


@needs_corpus
def test_every_recorded_citation_line_is_read() -> None:
    for path in corpus("ecitmatch", "*.txt"):
        outcomes = read_ecitmatch(path.read_bytes())
        assert outcomes
        assert all(outcome.isdigit() for outcome in outcomes.values())


NOT_OURS = ("epmc_", "biomcp_", "derived_truncated_epmc", "ctxp_")
# Answers that lack the record asked for: what is missing in them is their reader's business.
LACKING = ("ncbi_200_efetch_unknown_pmid_empty_set.xml", "ncbi_200_esummary_unknown_pmid")
ERRORS = [path for path in corpus("errors", "*") if not path.name.startswith((*NOT_OURS, *LACKING))]


@needs_corpus
@pytest.mark.parametrize("path", ERRORS, ids=lambda path: path.name)
@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_p42_p43_no_recorded_error_is_read_as_an_answer(path: Path, reader: Callable[[bytes], Any]) -> None:
    with pytest.raises(Fault) as raised:
        reader(path.read_bytes())
    said = raised.value.message
    assert said
    assert len(said) < 300
    assert not re.search(r"api[-_]key|<html|\.cpp", said)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"ERROR":"TXCLIENT::readAll: EOF"}', UpstreamUnreachable),
        (
            b"<eSearchResult><ERROR>Search Backend failed: Database is not supported: pubmed</ERROR></eSearchResult>",
            UpstreamUnreachable,
        ),
        (b'{"error":"API rate limit exceeded","api-key":"10.0.0.1","count":"4","limit":"3"}', RateLimited),
        (b"<html><head><title>WWW Error 500 Diagnostic</title></head></html>", UpstreamInvalid),
        (b'{"esearchresult":{"count":"5"', UpstreamInvalid),
        (b'{"header":{"type":"esearch"}}', UpstreamInvalid),
        (b'{"esearchresult":{"idlist":[]}}', UpstreamInvalid),
        (b'{"esearchresult":{"count":"5","idlist":["1","x"]}}', UpstreamInvalid),
        (b'{"esearchresult":{"count":"five","idlist":["1"]}}', UpstreamInvalid),
        (b"[1, 2]", UpstreamInvalid),
        (b"", UpstreamInvalid),
    ],
)
def test_p42_p43_a_disguised_failure_of_a_search_has_its_type(body: bytes, kind: type[Fault]) -> None:
    with pytest.raises((kind, UpstreamUnreachable)) as raised:
        client.read_esearch(body)
    assert raised.value.retryable
    assert "TXCLIENT" not in raised.value.message


def test_p12_a_search_that_counts_hits_and_gives_none_is_invalid_within_the_window_only() -> None:
    body = b'{"esearchresult":{"count":"319477","retmax":"9999","retstart":"0","idlist":[]}}'
    with pytest.raises(UpstreamInvalid, match="gave none"):
        client.read_esearch(body, start=0, size=20)
    assert client.read_esearch(body, start=0, size=0).total == 319_477
    assert client.read_esearch(body, start=9_999, size=20).ids == []


def test_lists_of_one_and_lists_that_are_absent_are_lists() -> None:
    found = client.read_esearch(
        b'{"esearchresult":{"count":"0","idlist":[],"errorlist":{"phrasesnotfound":"abcXYZ"},"warninglist":null}}'
    )
    assert found.phrases_not_found == ["abcXYZ"]
    assert found.messages == []


def test_a_zero_hit_search_with_phrases_not_found_is_an_answer() -> None:
    found = client.read_esearch(
        b'{"esearchresult":{"count":"0","idlist":[],"querytranslation":"(abcXYZ[All Fields])",'
        b'"errorlist":{"phrasesnotfound":["abcXYZ"],"fieldsnotfound":[]},'
        b'"warninglist":{"outputmessages":["No items found."]}}}'
    )
    assert (found.total, found.ids) == (0, [])


def test_a_raw_line_break_in_json_is_read() -> None:
    found = client.read_esearch(b'{"esearchresult":{"count":"1","idlist":["1"],"querytranslation":"a\nb"}}')
    assert found.translation == "a\nb"


def test_p44_the_error_field_of_summaries_is_an_error() -> None:
    body = (
        b'{"header":{"type":"esummary"},"error":"Too many UIDs in request. Maximum number of UIDs is 500 for JSON '
        b'format output."}'
    )
    with pytest.raises(UpstreamRejected, match="500"):
        client.read_esummary(body)


def test_p56_a_label_of_digits_is_no_pmid() -> None:
    assert read_ecitmatch(b"j test med|2016|375|1834|doe|12345|27633186\n") == {"12345": "27633186"}


def test_a_blanked_author_and_blank_lines_do_not_shift_the_columns() -> None:
    body = b"fake journal|2000|1|1||r2|NOT_FOUND;INVALID_JOURNAL\r\n\r\nnature|2020|||zhang f|r3|AMBIGUOUS 1,2\n\n"
    assert read_ecitmatch(body) == {"r2": "NOT_FOUND;INVALID_JOURNAL", "r3": "AMBIGUOUS 1,2"}


def test_p106_an_answer_of_no_bytes_is_none_and_one_without_a_row_is_empty() -> None:
    with pytest.raises(UpstreamInvalid) as raised:
        read_ecitmatch(b"")
    assert raised.value.retryable
    assert read_ecitmatch(b"\n") == {}


def test_text_that_is_no_row_is_no_answer_of_the_citation_matcher() -> None:
    with pytest.raises(UpstreamInvalid):
        read_ecitmatch(b"please come back later")


def test_links_of_several_ids_stay_apart_and_an_error_stands_in_its_set() -> None:
    sets = client.read_elink(
        b"<eLinkResult><LinkSet><DbFrom>pubmed</DbFrom><IdList><Id>1</Id></IdList><LinkSetDb><LinkName>pubmed_pubmed"
        b"</LinkName><Link><Id>1</Id></Link><Link><Id>7</Id></Link></LinkSetDb></LinkSet><LinkSet><IdList><Id>2</Id>"
        b"</IdList><ERROR>Empty result</ERROR></LinkSet></eLinkResult>"
    )
    assert [(found.ids, found.links) for found in sets] == [(["1"], {"pubmed_pubmed": ["1", "7"]}), (["2"], {})]
    assert sets[1].error == "Empty result"


def test_no_entity_of_a_doctype_is_ever_expanded() -> None:
    body = (
        b'<?xml version="1.0"?><!DOCTYPE eSpellResult [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
        b"<eSpellResult><Query>&x;</Query><CorrectedQuery/></eSpellResult>"
    )
    assert client.read_espell(body).query == ""


@given(st.binary(max_size=400))
@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_any_bytes_give_an_answer_or_a_typed_error(reader: Callable[[bytes], Any], body: bytes) -> None:
    with contextlib.suppress(Fault):
        reader(body)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["esearchresult", "result", "count", "idlist", "errorlist", "uids", "error", "translationset"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON)
@pytest.mark.parametrize("name", ["esearch", "esummary"])
def test_any_json_gives_an_answer_or_a_typed_error(name: str, value: Any) -> None:
    with contextlib.suppress(Fault):
        READERS[name](json.dumps(value).encode())


@pytest.mark.anyio
async def test_p44_summaries_of_more_than_500_records_are_asked_in_parts(host: Any, scripted: Any) -> None:
    def answer(asked: Any) -> Reply:
        ids = asked.get("id").split(",")
        assert len(ids) <= 500
        return Reply.json({"result": {"uids": ids} | {uid: {"uid": uid, "title": uid} for uid in ids}})

    ids = [str(number) for number in range(1, 502)]
    with scripted(answer) as server:
        async with host(server) as asked:
            found = await client.esummary(asked.context(), ids)
        assert len(server.log()) == 2
    assert list(found) == ids


@pytest.mark.anyio
async def test_p42_p43_a_passing_fault_is_retried_and_a_lasting_one_reported(invented: Emulator, host: Any) -> None:
    invented.clear()
    invented.misbehave("esearch.fcgi", "body", body={"ERROR": "TXCLIENT::readAll: EOF"})
    invented.misbehave("esearch.fcgi", "html")
    async with host(invented) as asked:
        found = await client.esearch(asked.context(), "fictol[tiab]")
    assert found.total == 12
    assert len(invented.log("eutils")) == 3
