"""What a status and a body mean."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from vouched.faults import (
    Blocked,
    Fault,
    NotFound,
    RateLimited,
    UpstreamInvalid,
    UpstreamRejected,
    UpstreamTimeout,
    UpstreamUnreachable,
)
from vouched.remote import Response
from vouched.services.classify import disguised, fault_of, is_blocked_page, rejects_key, retry_after

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


def http_date(seconds: float) -> str:
    return format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": http_date(7)}, 7.0),
        ({"retry-after": http_date(-7)}, 0.0),
        ({"retry-after": http_date(7), "date": http_date(1)}, 7.0),
        ({"retry-after": http_date(3607), "date": http_date(3600)}, 7.0),
        ({"retry-after": http_date(7), "date": "not a date"}, 7.0),
        ({"retry-after": "9" * 400}, 1e9),
        ({"retry-after": "Mon, 01 Jan 2024 00:00:00 +99999999999999999999"}, None),
        ({"retry-after": http_date(7), "date": "Mon, 01 Jan 2024 00:00:00 +99999999999999999999"}, 7.0),
    ],
)
def test_retry_after_in_both_forms_and_by_a_wrong_clock(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


@pytest.mark.parametrize(
    ("status", "kind", "retryable"),
    [
        (400, UpstreamRejected, False),
        (401, UpstreamRejected, False),
        (403, Blocked, False),
        (404, NotFound, False),
        (408, UpstreamTimeout, True),
        (410, NotFound, False),
        (413, UpstreamRejected, False),
        (414, UpstreamRejected, False),
        (422, UpstreamRejected, False),
        (429, RateLimited, True),
        (500, UpstreamUnreachable, True),
        (501, UpstreamUnreachable, False),
        (502, UpstreamUnreachable, True),
        (503, UpstreamUnreachable, True),
        (504, UpstreamTimeout, True),
        (304, UpstreamInvalid, False),
    ],
)
def test_statuses(status: int, kind: type[Fault], retryable: bool) -> None:
    fault = fault_of(Response(status, {}, b""), "lib")
    assert type(fault) is kind
    assert (fault.retryable, fault.status) == (retryable, status)
    assert "lib" in fault.message


@pytest.mark.parametrize("status", [200, 201, 204, 299])
def test_a_good_status_is_no_fault(status: int) -> None:
    assert fault_of(Response(status, {}, b""), "lib") is None


@pytest.mark.parametrize(
    ("body", "media", "kind"),
    [
        (b"<!DOCTYPE html><title>Maintenance</title>", "application/json", UpstreamInvalid),
        (b"\n <html><body>500 Diagnostic</body></html>", "application/xml", UpstreamInvalid),
        (b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x">', "application/xml", UpstreamInvalid),
        (b"\xef\xbb\xbf<HTML>", "application/json", UpstreamInvalid),
        (b"<html>Access Denied</html>", "application/json", Blocked),
        (b"Error\nblocked for possible abuse", "text/plain", Blocked),
        (b'{"error":"API rate limit exceeded","count":"4"}', "application/xml", RateLimited),
        (b'{"message": "Too Many Requests"}', "application/json", RateLimited),
    ],
)
def test_p43_p46_bodies_that_are_no_answers(body: bytes, media: str, kind: type[Fault]) -> None:
    fault = disguised(Response(200, {}, body), media, "lib")
    assert type(fault) is kind
    assert fault.retryable == kind.retry_by_default


@pytest.mark.parametrize(
    ("body", "media"),
    [
        (b"<html><body>what was asked for</body></html>", "text/html"),
        (b"<html/>", "*/*"),
        (b"<article><p>Access denied to cells</p></article>", "application/xml"),
        (b'{"title":"Rate limit exceeded: enzymes"}', "application/json"),
        (b'[{"error":"rate limit exceeded"}]', "application/json"),
        (b"", "application/json"),
    ],
)
def test_answers_that_only_look_like_faults(body: bytes, media: str) -> None:
    assert disguised(Response(200, {}, body), media, "lib") is None


def test_p50_a_block_is_told_from_an_article_about_access() -> None:
    assert is_blocked_page(b"<html><title>NCBI - WWW Error Blocked Diagnostic</title>")
    assert is_blocked_page(
        b"NCBI\n\nError\nAccess has been temporarily blocked due to a possible misuse/abuse situation"
    )
    assert not is_blocked_page(b"1. Access denied: a review of gated channels.")
    assert not is_blocked_page(b'{"title":"blocked for possible abuse"}')


@pytest.mark.parametrize(
    ("status", "body", "rejected"),
    [
        (400, b'{"error":"API key invalid","api-key":"x"}', True),
        (401, b"Invalid API key", True),
        (403, b'{"message":"api_key is not valid"}', True),
        (400, b'{"error":"Invalid uid"}', False),
        (500, b"API key invalid", False),
        (200, b"API key invalid" + b" " * 5000, False),
    ],
)
def test_p51_a_rejected_key_is_known_by_its_body(status: int, body: bytes, rejected: bool) -> None:
    assert rejects_key(Response(status, {}, body)) is rejected
