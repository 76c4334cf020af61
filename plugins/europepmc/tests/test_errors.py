"""Answers of Europe PMC that are errors, and errors that are answers."""

import os
from pathlib import Path

import pytest
from vouched.api import Fault, NotFound, UpstreamInvalid, UpstreamRejected, UpstreamUnreachable
from vouched_europepmc.errors import check_body, check_value

SHARED = Path(os.environ.get("VOUCHED_SHARED") or Path(__file__).parents[4] / "shared")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"version":"6.10"}', UpstreamInvalid),
        (b'{"errCode":400,"errMsg":"No search criteria provided."}', UpstreamRejected),
        (b'{"errCode":500,"errMsg":"java.lang.NullPointerException"}', UpstreamUnreachable),
        (b'{"timestamp":1,"status":400,"error":"Bad Request","message":"between 1 and 8 values"}', UpstreamRejected),
        (b'{"timestamp":1,"status":503,"error":"Service Unavailable","path":"/x"}', UpstreamUnreachable),
        (b"<errorBean><errCode>0</errCode><errMsg>Article X is not open access one</errMsg></errorBean>", NotFound),
        (b"<!DOCTYPE html><html><body>Maintenance</body></html>", UpstreamInvalid),
        (b'{"version":"6.9","hitCount":3,"resultList":{"result":[{"id":"1"', UpstreamInvalid),
        (b'{"version":"6.9","hitCount":3,"resultList":{"result":[{"id":"1"}', UpstreamInvalid),
        (b"<?xml version='1.0'?><article><front>", UpstreamInvalid),
        (b"<?xml version='1.0'?>", UpstreamInvalid),
    ],
)
def test_errors_in_answers_get_their_class(body: bytes, kind: type[Fault]) -> None:
    with pytest.raises(Fault) as caught:
        check_body(body)
    assert type(caught.value) is kind
    assert caught.value.retryable == kind.retry_by_default


@pytest.mark.parametrize(
    "body",
    [
        b'{"version":"6.9","hitCount":0,"request":{},"resultList":{"result":[]}}',
        b'{"version":"6.9","hitCount":0,"result":{}}',
        b'{"version":"6.9","request":{"id":"99900001","source":"MED"}}',
        b"[]",
        b"<article><front/></article>",
        b"<article/>",
        b"PK\x03\x04",
        b"",
    ],
)
def test_answers_pass(body: bytes) -> None:
    check_body(body)


def test_p43_messages_quote_the_sentence_and_never_the_exception() -> None:
    with pytest.raises(UpstreamUnreachable) as caught:
        check_value({"errCode": 500, "errMsg": "java.lang.NullPointerException"})
    assert "java" not in caught.value.message
    with pytest.raises(UpstreamRejected, match="No search criteria"):
        check_value({"errCode": 400, "errMsg": "No search criteria provided."})


def test_real_answers_are_no_errors() -> None:
    if not SHARED.is_dir():
        pytest.skip("the corpus (VOUCHED_SHARED) is not here")
    paths = [path for folder in (SHARED / "upstream").glob("epmc-*") for path in folder.iterdir()]
    for path in paths:
        check_body(path.read_bytes())
    assert len(paths) > 20
