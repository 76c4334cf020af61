"""Faults that NCBI sends as answers: by status 200 or 400, as JSON, XML, text or HTML, whatever was asked for."""

import json
import re
from typing import Any

from vouched.api import (
    Blocked,
    Fault,
    NotFound,
    RateLimited,
    UpstreamInvalid,
    UpstreamRejected,
    UpstreamTimeout,
    UpstreamUnreachable,
    clean,
)

__all__ = ["check_body"]

# A body beyond this size holds records; only its end is looked at.
SMALL = 65_536
QUOTED = 200
HELP_DESK = "Stop asking; have the NCBI help desk (eutilities@ncbi.nlm.nih.gov) lift the block, and set NCBI_EMAIL."
KEY_HINT = "Correct NCBI_API_KEY, or leave it empty to go on without a key."

# First match wins. None quotes the service's own sentence; a text replaces it: traces and relayed pages say nothing to
# people. A refusal stays one however often it is repeated; everything else may pass.
RULES: tuple[tuple[re.Pattern[str], type[Fault], str | None], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE | re.DOTALL), kind, text)
    for pattern, kind, text in (
        (r"rate limit exceeded", RateLimited, "NCBI counts too many requests from this address or key."),
        (r"api key invalid", UpstreamRejected, "NCBI does not accept the API key."),
        (r"blocked for possible abuse|misuse/abuse|error blocked", Blocked, "NCBI has blocked this address."),
        (r"uri too large", UpstreamRejected, "The request was too long for NCBI."),
        (r"unable to route request", UpstreamUnreachable, "NCBI's gateway cannot reach the service behind it."),
        (r"status: timeout", UpstreamTimeout, "NCBI's own database did not answer in time."),
        (r"failed to connect|unable to open connection|readall: eof", UpstreamUnreachable, "NCBI's database is down."),
        # "Database is not supported: pubmed" was an outage of July 2025; a wrong name gets "Invalid db name specified".
        (r"database is not supported", UpstreamUnreachable, "NCBI's database is down."),
        (
            r"proxy_stream\(\): *<|\b50[0-9] server error",
            UpstreamUnreachable,
            "NCBI relayed the error page of another server.",
        ),
        (r"ncbi c\+\+ exception|e[a-z]+exception::", UpstreamInvalid, "NCBI's service failed inside."),
        (r"pubone failure", UpstreamRejected, "NCBI has no record under that id."),
        (r"failed to (understand|retrieve)", UpstreamRejected, None),
        (r"cannot be larger than|too many uids|maximum number of", UpstreamRejected, None),
        (r"id list is empty|empty id list|empty result|id parameter is empty|no correct ids", UpstreamRejected, None),
        (r"invalid (uid|db|id)|neither query_key nor id|mandatory parameter", UpstreamRejected, None),
        (r"unable to obtain query|query_?key|webenv|this field is required|\"id\"", UpstreamRejected, None),
    )
)
# XML answers that may carry an ERROR beside what was asked for; then it belongs to single records, not to the answer.
ANSWERED = re.compile(rb"<(DocSum|DocumentSummary |LinkSet|QueryKey|CorrectedQuery>[^<])")
ERROR = re.compile(rb"<ERROR>\s*(.*?)\s*(?:</ERROR>|\Z)", re.DOTALL)
PROLOG = re.compile(rb"\s*(?:<\?xml.*?\?>|<!DOCTYPE[^>\[]*(?:\[.*?\])?>|<!--.*?-->|\s)*", re.DOTALL)
ROOT = re.compile(rb"<([A-Za-z][\w:.-]*)")
PAGE = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE\s+html|<html|<head)", re.IGNORECASE)
# NCBI spells some texts with a blank after every letter.
SPACED = re.compile(r"(?<!\S)\S(?: \S)+(?!\S)")


def check_body(body: bytes) -> None:
    """Raise what `body` means if it is no answer of an NCBI service; return for an answer, an empty one included.

    An error beside records, or about single ones (an unknown uid, a link set's own), is left to the reader.

    Raises:
        RateLimited, UpstreamTimeout, UpstreamUnreachable, UpstreamInvalid: may pass, worth another try.
        UpstreamRejected: the request is wrong. Blocked: this address is shut out.
        NotFound: the article is not in the open-access subset.
    """
    start = body[:SMALL].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith((b"{", b"[")):
        _check_json(body, start)
    elif PAGE.match(start):
        raise _fault(start.decode("utf-8", "replace"), UpstreamInvalid, "NCBI answered with an HTML page.")
    elif start.startswith(b"<"):
        _check_xml(body, start)
    elif said := _text_error(start[:2_000].decode("utf-8", "replace")):
        raise _fault(said)


def _fault(said: str, otherwise: type[Fault] = UpstreamInvalid, text: str | None = None) -> Fault:
    """The fault that NCBI's words mean; `otherwise` with `text` where no rule knows them."""
    said = clean(said)
    plain = " ".join(SPACED.sub(lambda spaced: spaced[0].replace(" ", ""), said).split())
    for pattern, kind, replacement in RULES:
        if pattern.search(said) or pattern.search(plain):
            hint = HELP_DESK if kind is Blocked else KEY_HINT if "API key" in (replacement or "") else ""
            return kind(replacement or f"NCBI refused the request: {plain[:QUOTED]}", hint=hint)
    return otherwise(text or f"NCBI answered with an error: {plain[:QUOTED]}")


def _check_json(body: bytes, start: bytes) -> None:
    if not body.rstrip().endswith((b"}", b"]")):
        raise UpstreamInvalid("NCBI's answer is cut off.")
    if len(body) > SMALL:
        return
    try:
        # Not strict: NCBI puts raw line breaks into the strings of its errors.
        value = json.loads(start, strict=False)
    except ValueError:
        raise UpstreamInvalid("NCBI's answer is not the JSON that it claims to be, or it is cut off.") from None
    if said := _json_error(value):
        raise _fault(said)


def _json_error(value: Any) -> str:
    if not isinstance(value, dict):
        return ""
    result, summary = value.get("result"), value.get("esummaryresult")
    if isinstance(result, dict) and result.get("uids"):
        return ""
    if isinstance(summary, list):
        return " ".join(str(line) for line in summary)
    if value.get("status") == "error":
        return json.dumps(value.get("reason", ""))
    search = value.get("esearchresult")
    said = value.get("error") or value.get("ERROR") or (search.get("ERROR") if isinstance(search, dict) else "")
    return said if isinstance(said, str) else json.dumps(said) if said else ""


def _check_xml(body: bytes, start: bytes) -> None:
    prolog = PROLOG.match(start)
    root = ROOT.match(start, prolog.end() if prolog else 0)
    if root is None:
        raise UpstreamInvalid("NCBI's answer holds an XML prolog and nothing else.")
    name = root[1].decode()
    tag = start[root.start() : start.find(b">", root.end()) + 1]
    if b'error="' in tag:
        raise _fault(tag.partition(b'error="')[2].partition(b'"')[0].decode("utf-8", "replace"))
    if name == "OA" and b"<error " in start:
        raise NotFound("The article is not in PMC's open-access subset.")
    if name.startswith("e") and (error := ERROR.search(start)) and error[1] and not ANSWERED.search(start):
        said = error[1].decode("utf-8", "replace")
        # About a uid that does not exist: an answer without that record.
        if "cannot get document summary" not in said:
            raise _fault(said)
    if not tag.endswith(b"/>") and not body.rstrip().endswith(f"</{name}>".encode()):
        raise UpstreamInvalid("NCBI's answer is cut off.")


def _text_error(text: str) -> str:
    """The error that a plain text is, "" where it is none (rows of ECitMatch, MEDLINE records, lists of ids)."""
    known = re.match(r"\s*(error\b|mandatory parameter|unable to route|ncbi\s+error|supplied id)", text, re.IGNORECASE)
    return text if known or "misuse/abuse" in text else ""
