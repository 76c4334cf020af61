"""Identifiers of the literature: read every spelling people paste, keep one canonical form.

PMID, PMCID, DOI, PPR (Europe PMC preprints) and NBK (NCBI Bookshelf) are known here; a plugin's resolver may bring
further schemes.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from urllib.parse import unquote, urlsplit

import msgspec

from vouched.text import clean

__all__ = ["BUILTIN_SCHEMES", "Id", "Ref", "Scheme", "canonical", "handle", "parse", "split"]

MAX_ITEM = 512


class Id(msgspec.Struct, frozen=True, order=True):
    """One identifier in canonical form: `Id("pmid", "18276894")`, `Id("doi", "10.1000/abc")` (DOIs in lower case)."""

    scheme: str
    value: str

    def __str__(self) -> str:
        return f"{self.scheme}:{self.value}"


class Ref(msgspec.Struct, frozen=True):
    """One element that a caller submitted.

    Attributes:
        input: the caller's own spelling, for the echo.
        id: what it means, or None where it means nothing we know.
        problem: why it means nothing, one sentence.
    """

    input: str
    id: Id | None = None
    problem: str = ""


class Scheme(msgspec.Struct, frozen=True):
    """How one kind of identifier is written.

    Attributes:
        name: the key in `Article.ids`, as in "pmid".
        pattern: a regular expression that a whole trimmed element must match, any case; group 1 is the value.
        normalise: group 1 to the canonical value, or None when it is not one after all.
    """

    name: str
    pattern: str
    normalise: Callable[[str], str | None]


def _pmid(digits: str) -> str | None:
    return digits.lstrip("0") or None


def _numbered(prefix: str) -> Callable[[str], str | None]:
    def normalise(digits: str) -> str | None:
        stripped = digits.lstrip("0")
        return prefix + stripped if stripped else None

    return normalise


def _doi(text: str) -> str | None:
    return text.lower() if len(text) <= MAX_ITEM else None


BUILTIN_SCHEMES: Sequence[Scheme] = (
    Scheme("pmid", r"(?:(?:PMID|PUBMED|MED|MEDLINE)\s*[:#]?\s*)?([0-9]{1,10})", _pmid),
    Scheme("pmcid", r"PMC(?:ID)?\s*:?\s*(?:PMC\s*)*([0-9]{1,10})(?:\.[0-9]+)?", _numbered("PMC")),
    Scheme("doi", r"(?:DOI\s*:?\s*)?(10(?:\.[0-9]{4,9}(?:\.[0-9]+)*)?/\S+)", _doi),
    Scheme("ppr", r"(?:PPR\s*:?\s*)+([0-9]{1,10})(?:\.[0-9]+)?", _numbered("PPR")),
    Scheme("nbk", r"(?:(?:NBK|BOOKSHELF)\s*:\s*)?NBK\s*([0-9]{1,10})(?:\.[0-9]+)?", _numbered("NBK")),
)

# Path of a URL -> the element inside it. Only these hosts are read: a number in any other URL is not a PMID.
_URLS: Sequence[tuple[str, str, str]] = (
    (r"pubmed\.ncbi\.nlm\.nih\.gov", r"/([0-9]+)/?", "{}"),
    (r"(?:www\.)?ncbi\.nlm\.nih\.gov", r"/(?:m/)?pubmed/([0-9]+)/?", "{}"),
    (r"(?:www\.)?ncbi\.nlm\.nih\.gov", r"/(?:labs/)?pmc/articles/(PMC[0-9]+(?:\.[0-9]+)?)(?:/.*)?", "{}"),
    (r"pmc\.ncbi\.nlm\.nih\.gov", r"/articles/(PMC[0-9]+(?:\.[0-9]+)?)(?:/.*)?", "{}"),
    (r"(?:www\.)?ncbi\.nlm\.nih\.gov", r"/books/(NBK[0-9]+)(?:/.*)?", "{}"),
    (r"(?:www\.)?europepmc\.org", r"/(?:article|abstract)/MED/([0-9]+)/?", "{}"),
    (r"(?:www\.)?europepmc\.org", r"/(?:article|abstract)/(?:PMC|PPR|NBK)/([A-Z]{3}[0-9]+)/?", "{}"),
    (r"(?:www\.)?europepmc\.org", r"/(?:articles?|abstract)/(PMC[0-9]+)(?:/.*)?", "{}"),
    (r"(?:dx\.)?doi\.org", r"/(10(?:\.[0-9]+)*/.+)", "{}"),
)

_HANDLE = re.compile(
    r"(last|run:[A-Za-z0-9_-]{1,64}|artifact:[A-Za-z0-9_-]{1,64})(?:\[(\d{0,7}):(\d{0,7})\])?", re.IGNORECASE
)
_HANDLE_LIKE = re.compile(r"last\[|(?:run|artifact):", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*•]|[0-9]+[.)])\s+")
_STARTS = r"(?:\s|$|PMC|PMID|PPR|NBK|DOI|MED:|https?:|10[./]|[0-9]{5,10}(?:$|[\s,;|]))"
_IN_DOI = re.compile(rf"\||[\s]+|[,;，；、](?={_STARTS})", re.IGNORECASE)
_PLAIN = re.compile(r"[\s,;|，；、]+")
# The space in `PMC 12091962` is no separator: the number alone would be another paper's PMID.
_PREFIX = re.compile(
    r"\b(PMID|PMCID|PUBMED|MEDLINE|MED|PMC|DOI|PPR|NBK|BOOKSHELF)\s*([:#]?)\s+(?=[0-9]|PMC|PPR|NBK|10[./])",
    re.IGNORECASE,
)
# 12,091,962 is one number as some locales write it, or three: neither may be guessed.
_THOUSANDS = re.compile(r"(?<![\w,./])[0-9]{1,3}(?:,[0-9]{3})+(?![\w,./])")
_HELD_SPACE, _HELD_COMMA = "\x00", "\x01"
_WORDS = ("and", "&", "or")
_BARE_URL = re.compile(r"(?:www\.|pubmed\.|pmc\.|dx\.)?(?:ncbi\.nlm\.nih\.gov|europepmc\.org|doi\.org)/", re.IGNORECASE)


class Handle(msgspec.Struct, frozen=True):
    """A name for many ids: `last`, `run:ID` or `artifact:ID`, with an optional window `[start:stop]`."""

    kind: str
    key: str
    start: int = 0
    stop: int | None = None


def handle(text: str) -> Handle | None:
    """Read `last`, `run:ID`, `artifact:ID`, each also as `last[0:200]`; None for anything else."""
    found = _HANDLE.fullmatch(text.strip())
    if not found:
        return None
    kind, _, key = found[1].partition(":")
    return Handle(kind.lower(), key, int(found[2] or 0), int(found[3]) if found[3] else None)


def split(text: str) -> list[str]:
    """Split pasted text into elements at commas, semicolons, bars, spaces and newlines.

    A DOI may hold `;` and `,` itself (SICI forms do), so inside one they split only before white space or something
    that begins like another identifier. List bullets and the word "and" are dropped; `PMID: 1` and `PMC 1` stay one
    element each, and so does a number with thousands separators.
    """
    elements: list[str] = []
    for line in text.splitlines():
        held = _PREFIX.sub(rf"\1\2{_HELD_SPACE}", _BULLET.sub("", line))
        rest = _THOUSANDS.sub(lambda found: found[0].replace(",", _HELD_COMMA), held).strip()
        while rest:
            # An element runs to the next separator; where a DOI begins in it, separators mean less.
            plain = _PLAIN.search(rest)
            head = rest[: plain.start()] if plain else rest
            cut = _IN_DOI.search(rest) if re.search(r"10[./][^\s]*", head) and "/" in head else plain
            elements.append(rest[: cut.start()] if cut else rest)
            rest = rest[cut.end() :].strip(" \t,;|，；、") if cut else ""
    kept = (element.replace(_HELD_SPACE, " ").replace(_HELD_COMMA, ",") for element in elements)
    return [_unquoted(element) for element in kept if element and element.lower() not in _WORDS]


def _unquoted(element: str) -> str:
    """Without the quotes or code span that it stands in."""
    return element.strip("\"'`<>") if element[:1] in ('"', "'", "`", "<") else element


def _from_url(text: str) -> str | None:
    parts = urlsplit(text)
    path = unquote(parts.path)
    for host, pattern, _ in _URLS:
        if not re.fullmatch(host, parts.hostname or "", re.IGNORECASE):
            continue
        found = re.fullmatch(pattern, path, re.IGNORECASE)
        if found:
            return found[1]
    return None


def parse(text: str, schemes: Iterable[Scheme] = BUILTIN_SCHEMES) -> Ref:
    """Read one element in any spelling: `PMID: 18276894`, `PMC3531190`, a DOI, a PubMed or doi.org URL, `MED:123`.

    Never raises: an element that means nothing comes back with `id=None` and the reason in `problem`.
    """
    # Copied from pages and word processors, identifiers carry characters that nobody sees.
    element = _unquoted(clean(text).strip())
    if not element:
        return Ref(text, None, "It is empty.")
    if len(element) > MAX_ITEM:
        return Ref(text[:80] + "…", None, f"It has {len(element)} characters; an identifier has at most {MAX_ITEM}.")
    if _BARE_URL.match(element):
        element = f"https://{element}"
    if re.match(r"https?://", element, re.IGNORECASE):
        inner = _from_url(element)
        if inner is None:
            return Ref(
                text, None, "This URL is not one of PubMed, PMC, Bookshelf, Europe PMC or doi.org for a single record."
            )
        element = inner
    known = list(schemes)
    found = _match(element, known) or _match(_undressed(element), known)
    if found:
        return Ref(text, found)
    if _THOUSANDS.fullmatch(element):
        return Ref(text, None, "It may be one number with thousands separators, or several: write it without commas.")
    if _HANDLE_LIKE.match(element):
        return Ref(text, None, "A name for many ids is last, run:ID or artifact:ID, or a window of one: last[0:200].")
    return Ref(text, None, "It is not a PMID, PMCID (PMC…), DOI (10.…/…), PPR, NBK or a URL of one.")


def _match(element: str, schemes: Sequence[Scheme]) -> Id | None:
    # A full stop at the end of a pasted DOI ends the sentence it stood in; no registered suffix was seen to end so.
    element = element.rstrip(".,;") if element[-1:] in ".,;" else element
    for scheme in schemes:
        found = re.fullmatch(scheme.pattern, element, re.IGNORECASE | re.ASCII)
        value = scheme.normalise(found[1]) if found else None
        if value:
            return Id(scheme.name, value)
    return None


def _undressed(element: str) -> str:
    """Without brackets around the whole, and without the sentence's own full stop: `(99900001).`"""
    inner = element.rstrip(".,;")
    return inner[1:-1].strip() if inner[:1] + inner[-1:] in ("()", "[]", "{}") else inner


def canonical(scheme: str, value: str) -> Id | None:
    """The canonical `Id` of a value already known to be of `scheme`, or None where it is not one (`PMC`, ``, `0`)."""
    for known in BUILTIN_SCHEMES:
        if known.name == scheme:
            found = re.fullmatch(known.pattern, value.strip(), re.IGNORECASE | re.ASCII)
            normal = known.normalise(found[1]) if found else None
            return Id(scheme, normal) if normal else None
    return Id(scheme, value.strip()) if value.strip() else None
