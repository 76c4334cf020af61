"""Answers of NCBI that are errors, and errors that are answers."""

import os
from pathlib import Path

import pytest
from vouched.api import (
    Blocked,
    Fault,
    RateLimited,
    UpstreamInvalid,
    UpstreamRejected,
    UpstreamTimeout,
    UpstreamUnreachable,
)
from vouched_pubmed.errors import check_body

SHARED = Path(os.environ.get("VOUCHED_SHARED") or Path(__file__).parents[4] / "shared")
DOCTYPE = b'<?xml version="1.0" encoding="UTF-8" ?>\n<!DOCTYPE x PUBLIC "-//NLM//DTD x 1//EN" "x.dtd">\n'


def fault_of(body: bytes) -> Fault:
    with pytest.raises(Fault) as caught:
        check_body(body)
    return caught.value


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"error":"API rate limit exceeded","api-key":"192.0.2.7","count":"17","limit":"3"}', RateLimited),
        (b'{"ERROR":"TXCLIENT::readAll: EOF"}', UpstreamUnreachable),
        (
            b'{"esearchresult":{"ERROR":"Search Backend failed: \'retstart\' cannot be larger\nthan 9998."}}',
            UpstreamRejected,
        ),
        (b'{"header":{},"error":"Too many UIDs in request. Maximum number of UIDs is 500"}', UpstreamRejected),
        (b"<eSearchResult><ERROR>Database is not supported: pubmed</ERROR></eSearchResult>", UpstreamUnreachable),
        (b"<eSearchResult><ERROR>Invalid db name specified: pubmet</ERROR></eSearchResult>", UpstreamRejected),
        (DOCTYPE + b"<eFetchResult><ERROR>Status: Timeout</ERROR></eFetchResult>", UpstreamTimeout),
        (b"<eFetchResult><ERROR>proxy_stream(): <html><body>502 Server Error", UpstreamUnreachable),
        (b"<html><head><title>WWW Error 500 Diagnostic</title></head></html>", UpstreamInvalid),
        (b"<html>Access denied: blocked for possible abuse</html>", Blocked),
        (b"Unable to route request!\n\nservice name: /http/x", UpstreamUnreachable),
        (b"Mandatory parameter: db - is omitted", UpstreamRejected),
        (DOCTYPE, UpstreamInvalid),
        (DOCTYPE + b"<PubmedArticleSet><PubmedArticle><MedlineCitation>", UpstreamInvalid),
        (b'{"result":{"uids":["1","2"]', UpstreamInvalid),
    ],
)
def test_p42_errors_in_answers_get_their_class(body: bytes, kind: type[Fault]) -> None:
    fault = fault_of(body)
    assert type(fault) is kind
    assert fault.retryable == kind.retry_by_default


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<PubmedArticleSet></PubmedArticleSet>",
        b"<PubmedArticleSet/>",
        b"<eSearchResult><Count>0</Count><IdList/><ErrorList><PhraseNotFound>x</PhraseNotFound></ErrorList></eSearchResult>",
        b"<eSpellResult><Query>x</Query><CorrectedQuery/><ERROR/></eSpellResult>",
        b"<eSpellResult><Query>x</Query><CorrectedQuery>y</CorrectedQuery><ERROR></ERROR></eSpellResult>",
        b"<eSummaryResult><ERROR>UID=99900001: cannot get document summary</ERROR></eSummaryResult>",
        b"<eLinkResult><LinkSet><ERROR>no links</ERROR></LinkSet><LinkSet><Id>1</Id></LinkSet></eLinkResult>",
        b'{"result":{"uids":["99900001"],"99900001":{"error":"cannot get document summary"}}}',
        b'{"error":"Invalid uid abc at position= 0","result":{"uids":["99900001"],"99900001":{}}}',
        b'{"esearchresult":{"count":"0","idlist":[]}}',
        b"Journal of Invented Results|2001|1|1|Doe J|key1|NOT_FOUND;INVALID_JOURNAL\n",
        b"Error Analysis|2001|1|1|Doe J|key1|99900001\n"[6:],
    ],
)
def test_answers_pass(body: bytes) -> None:
    check_body(body)


def test_a_refusal_quotes_the_service_and_a_trace_is_not_shown() -> None:
    refused = fault_of(b'{"error":"Invalid uid abc at position= 0","result":{"uids":[]}}')
    assert "Invalid uid abc" in refused.message
    traced = fault_of(
        b'<eSummaryResult><ERROR>NCBI C++ Exception: Error: X "/build/x.cpp", line 77</ERROR></eSummaryResult>'
    )
    assert ".cpp" not in traced.message
    assert type(traced) is UpstreamInvalid


def test_p51_a_rejected_key_names_the_variable_and_is_not_echoed() -> None:
    fault = fault_of(b'{"error":"API key invalid","api-key":"SECRET123","type":"invalid",\n"status":"unknown"}')
    assert "NCBI_API_KEY" in fault.hint
    assert "SECRET123" not in fault.message + fault.hint


def test_letters_set_apart_are_read() -> None:
    fault = fault_of(b"Error: F a i l e d  t o  u n d e r s t a n d  i d :  N O T _ A N _ I D \n")
    assert type(fault) is UpstreamRejected
    assert "Failed to understand id" in fault.message


def test_real_answers_are_no_errors() -> None:
    if not SHARED.is_dir():
        pytest.skip("the corpus (VOUCHED_SHARED) is not here")
    asked = 0
    for folder in [*sorted((SHARED / "upstream").glob("pubmed-*")), SHARED / "upstream/idconv"]:
        for path in sorted(folder.iterdir()):
            body = path.read_bytes()
            # Old services answered their records in an HTML page; nobody asks them any more.
            if b"PmFetch" not in body[:100]:
                check_body(body)
                asked += 1
    assert asked > 100
