"""What a status and a body mean, whoever sent them: the faults that look the same at every service."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

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

__all__ = ["disguised", "fault_of", "is_blocked_page", "is_page", "rejects_key", "retry_after"]

HEAD = 4_096
PAGE = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*(?:<!DOCTYPE\s+html|<html|<head)", re.IGNORECASE | re.DOTALL
)
BLOCKED = re.compile(rb"blocked for possible abuse|possible misuse|temporarily blocked", re.IGNORECASE)
BLOCKED_PAGE = re.compile(rb"access denied|error blocked", re.IGNORECASE)
LIMITED = re.compile(rb'"(?:error|message)"\s*:\s*"[^"]*(?:rate limit|too many requests)', re.IGNORECASE)
BAD_KEY = re.compile(rb"api[ _-]?key[^\"<]{0,20}(?:invalid|not valid|unknown)|invalid api[ _-]?key", re.IGNORECASE)
# Clocks closer than this agree; then the date in Retry-After counts as it stands.
SAME_CLOCK_SECONDS = 2.0
# Nobody waits longer; a wait without end has no word in JSON.
MOST_SECONDS = 1e9
LATER = "The service may be back later; ask again then."
BLOCK_HINT = "Stop asking, and write to the service's help desk. Set NCBI_EMAIL, so that services can reach you first."


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that `Retry-After` asks for, in either of its forms; None where it is missing or makes no sense."""
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d+(\.\d+)?", value):
        return min(float(value), MOST_SECONDS)
    until = _date(value)
    if until is None:
        return None
    now = now or datetime.now(UTC)
    theirs = _date(headers.get("date", "")) or now
    # A date by a clock that goes wrong is read against the date of the same answer.
    base = now if abs((theirs - now).total_seconds()) < SAME_CLOCK_SECONDS else theirs
    return min(max(0.0, (until - base).total_seconds()), MOST_SECONDS)


def _date(value: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def is_page(body: bytes) -> bool:
    """Whether a body is an HTML page, whatever its Content-Type says."""
    return bool(PAGE.match(body[:HEAD].removeprefix(b"\xef\xbb\xbf")))


def is_blocked_page(body: bytes) -> bool:
    """Whether a body tells a person that this address is shut out: as a page, or as the text of one."""
    head = body[:HEAD]
    if is_page(body):
        return bool(BLOCKED.search(head) or BLOCKED_PAGE.search(head))
    return not head.lstrip().startswith((b"{", b"[", b"<")) and bool(BLOCKED.search(head))


def rejects_key(response: Response) -> bool:
    """Whether the service refuses the caller's key: small answers only, since texts may speak of keys."""
    return response.status in (200, 400, 401, 403) and len(response.body) < HEAD and bool(BAD_KEY.search(response.body))


def fault_of(response: Response, source: str) -> Fault | None:
    """The fault that a status other than 2xx is, before anybody has read the body; None for 2xx.

    A 4xx that is a plain refusal (400, 404, 422 …) may still turn out to be something else once it is read.
    """
    status = response.status
    wait = retry_after(response.headers)
    if 200 <= status < 300:
        return None
    if status == 429:
        return RateLimited(f"{source} counts too many requests.", retry_after=wait, status=status, hint=LATER)
    if status == 403:
        return Blocked(f"{source} refuses to answer this address (HTTP 403).", status=status, hint=BLOCK_HINT)
    if status in (404, 410):
        return NotFound(f"{source} has nothing under this address (HTTP {status}).", status=status)
    if status in (408, 504):
        return UpstreamTimeout(f"{source} did not answer in time (HTTP {status}).", status=status, hint=LATER)
    if status >= 500:
        retryable = status not in (501, 505)
        return UpstreamUnreachable(
            f"{source} is out of order (HTTP {status}).",
            status=status,
            retryable=retryable,
            retry_after=wait,
            hint=LATER,
        )
    if status in (413, 414):
        return UpstreamRejected(
            f"The request was too long for {source} (HTTP {status}).", status=status, hint="Ask for less at once."
        )
    if status < 400:
        return UpstreamInvalid(
            f"{source} answered HTTP {status}, which answers nothing.", status=status, retryable=False
        )
    return UpstreamRejected(f"{source} refused the request (HTTP {status}).", status=status)


def disguised(response: Response, media: str, source: str) -> Fault | None:
    """The fault that a body is in spite of its status: a limit, a block, an HTML page where none was asked for.

    media: what was asked for (the Accept header).
    """
    body, status = response.body, response.status
    if is_blocked_page(body):
        return Blocked(f"{source} has blocked this address.", status=status, hint=BLOCK_HINT)
    if len(body) < HEAD and LIMITED.search(body) and body.lstrip().startswith(b"{"):
        wait = retry_after(response.headers)
        return RateLimited(f"{source} counts too many requests.", retry_after=wait, status=status, hint=LATER)
    if 200 <= status < 300 and "html" not in media and "*/*" not in media and is_page(body):
        return UpstreamInvalid(f"{source} answered with an HTML page instead of {media}.", status=status, hint=LATER)
    return None
