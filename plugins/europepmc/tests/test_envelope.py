"""Answers are read strictly."""

import json
from pathlib import Path

import pytest
from vouched.api import Fault, UpstreamInvalid, UpstreamRejected, UpstreamUnreachable
from vouched_europepmc.envelope import read_envelope, read_json
from vouched_europepmc.search import read_hits


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", UpstreamInvalid),
        (b"  \n", UpstreamInvalid),
        (b"<html><body>busy</body></html>", UpstreamInvalid),
        (b'{"version":"6.10"}', UpstreamInvalid),
        (b'{"version":"6.9","hitCount":3,"resultList":{"res', UpstreamInvalid),
        (b'{"version":"6.9","request":{}}', UpstreamInvalid),
        (b'{"errCode":400,"errMsg":"No search criteria provided."}', UpstreamRejected),
        (b'{"errCode":500,"errMsg":"x"}', UpstreamUnreachable),
        (b'{"timestamp":1,"status":400,"error":"Bad Request","message":"between 1 and 8"}', UpstreamRejected),
        (b'{"hitCount":"three"}', UpstreamInvalid),
        (b'{"hitCount":3,"resultList":{"result":"x"}}', UpstreamInvalid),
    ],
)
def test_p13_p61_what_is_no_page_of_hits_is_a_fault(body: bytes, kind: type[Fault]) -> None:
    with pytest.raises(kind):
        read_hits(body)


def test_p107_a_message_of_the_service_is_one_clean_line() -> None:
    with pytest.raises(UpstreamRejected) as caught:
        read_json(json.dumps({"errCode": 400, "errMsg": "bad\n\u202equery " + "x" * 900}).encode())
    assert "\n" not in caught.value.message
    assert "\u202e" not in caught.value.message
    assert len(caught.value.message) < 400


def test_r20_every_recorded_error_is_a_fault(corpus: Path) -> None:
    paths = [*corpus.glob("errors/epmc_*.json"), corpus / "errors/derived_truncated_epmc_search.json"]
    for path in paths:
        with pytest.raises(Fault):
            read_envelope(path.read_bytes(), "hitCount")
    assert len(paths) == 5


def test_r20_every_recorded_page_is_read(corpus: Path) -> None:
    pages = [path for path in corpus.glob("epmc-search/*.json") if b'"resultList"' in path.read_bytes()]
    for path in pages:
        raw = json.loads(path.read_bytes())
        page = read_hits(path.read_bytes())
        assert page.total == raw["hitCount"]
        assert len(page.records) == len(raw["resultList"]["result"])
        assert page.next_mark == raw.get("nextCursorMark", "")
    assert len(pages) > 25
