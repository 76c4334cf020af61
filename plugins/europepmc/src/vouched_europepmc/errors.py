"""Faults that Europe PMC sends as answers: stubs, error envelopes, Spring error pages and cut bodies."""

import re
from typing import Any

import msgspec
from vouched.api import Fault, NotFound, UpstreamInvalid, UpstreamRejected, UpstreamUnreachable, clean

__all__ = ["check_body", "check_value"]

SMALL = 65_536
QUOTED = 300
PAGE = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE\s+html|<html|<head)", re.IGNORECASE)
BEAN = re.compile(rb"<errorBean>.*?<errMsg>(.*?)</errMsg>", re.DOTALL)
ROOT = re.compile(rb"\s*(?:<\?xml.*?\?>|<!DOCTYPE[^>\[]*(?:\[.*?\])?>|<!--.*?-->|\s)*<([A-Za-z][\w:.-]*)", re.DOTALL)


def check_body(body: bytes) -> None:
    """Raise what `body` means if it is no answer of Europe PMC's REST or annotations service; return for an answer.

    Raises:
        UpstreamInvalid, UpstreamUnreachable: may pass, worth another try.
        UpstreamRejected: the request is wrong. NotFound: the article is not open access, or has no such text.
    """
    start = body[:SMALL].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith((b"{", b"[")):
        _check_json(body)
    elif PAGE.match(start):
        raise UpstreamInvalid("Europe PMC answered with an HTML page.")
    elif start.startswith(b"<"):
        _check_xml(body, start)


def check_value(value: Any) -> None:
    """The same for a body that is decoded already (a JSON value)."""
    if not isinstance(value, dict):
        return
    if "errCode" in value:
        raise _by_code(value.get("errCode"), str(value.get("errMsg", "")))
    if "status" in value and "error" in value and ("timestamp" in value or "exception" in value):
        raise _by_code(value["status"], str(value.get("message") or value["error"]))
    if value.keys() == {"version"}:
        # Sent with HTTP 200 under load, and for a sort order or a cursor that it does not know.
        raise UpstreamInvalid(
            "Europe PMC answered with its version number alone, as it does under load or for an unknown cursor.",
            hint="Ask again in a minute; if it stays so, begin again without `cursor`.",
        )


def _check_json(body: bytes) -> None:
    if not body.rstrip().endswith((b"}", b"]")):
        raise UpstreamInvalid("Europe PMC's answer is cut off.")
    if len(body) > SMALL:
        return
    try:
        value = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise UpstreamInvalid("Europe PMC's answer is not the JSON that it claims to be, or it is cut off.") from None
    check_value(value)


def _by_code(code: Any, said: str) -> Fault:
    """Europe PMC puts the HTTP status that it means into the body; 0 goes with a missing text."""
    said = " ".join(clean(said).split())[:QUOTED]
    if "not open access" in said.lower() or code == 404:
        return NotFound(f"Europe PMC has no such text: {said}")
    if isinstance(code, int) and code >= 500:
        return UpstreamUnreachable(f"Europe PMC's service failed inside (error {code}).")
    return UpstreamRejected(f"Europe PMC refused the request: {said}")


def _check_xml(body: bytes, start: bytes) -> None:
    if bean := BEAN.search(start):
        raise _by_code(0, bean[1].decode("utf-8", "replace"))
    root = ROOT.match(start)
    if root is None:
        raise UpstreamInvalid("Europe PMC's answer holds an XML prolog and nothing else.")
    tag = start[root.start(1) : start.find(b">", root.end()) + 1]
    if not tag.endswith(b"/>") and not body.rstrip().endswith(b"</" + root[1] + b">"):
        raise UpstreamInvalid("Europe PMC's answer is cut off.")
