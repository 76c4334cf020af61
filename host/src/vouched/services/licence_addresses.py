"""Web addresses in a statement: which lead to a Creative Commons deed, and text without those that lead elsewhere.

An address is everything from its scheme or host name to the next white space, so that no part of a path or parameter is
ever taken for a statement. Only the host decides where it leads (RFC 3986, section 3.2).
"""

import re
from collections.abc import Iterator

import msgspec

from vouched.services.licence_names import Reading, kind_of, named

__all__ = ["Address", "addresses", "blanked"]

_RUN = re.compile(
    r"(?:(?:(?<![a-z0-9+.-])(?P<scheme>[a-z][a-z0-9+.-]*:))?//"
    # Without a scheme: a host name where a word may begin.
    r"|(?<![^\s(\[{<,;:=\"'“‘„«|])(?=[\w.-]+\.[a-z]{2,}(?::\d+)?[/?#]))"
    # A deed's address may be broken where it was printed: `creativecommons.org/licenses/ by- nc/4.0/`.
    r"(?P<rest>(?:\S*creativecommons\.org/\s?licen[sc]es/\s?by(?:\s?[-/]\s?(?:nc|nd|sa)\b)*(?:\s?/\s?(?=v?\d))?)?\S*)",
    re.IGNORECASE,
)
# ASCII: without it "creatıvecommons.org", another host, would be the same but for its case.
_HOST = re.compile(r"(?:(?:www|wiki|i)\.)?creativecommons\.org(?::\d+)?(?=/)", re.IGNORECASE | re.ASCII)
_WITHIN = re.compile(r"creativecommons\.org(?=/)", re.IGNORECASE)
_ELSEWHERE = "it stands in an address that leads elsewhere"
_CLOSING = re.compile(r"[)\]}>,;|\"'”’»]")  # what stands behind an address in prose, or ends a reading of it
_CODE = re.compile(r"[a-z0-9](?:[a-z0-9+_-]*[a-z0-9+])?", re.IGNORECASE)
_VERSION = re.compile(r"[vV]?(\d+(?:\.\d+)*)(?:\.(?:[A-Z][a-z]*)?)?")  # "…/by/4.0.The": the next sentence
_PORT = re.compile(r"(igo|scotland|(?!nc|nd|sa)[a-z]{2})\.?", re.IGNORECASE)
_END = re.compile(r"(?:deed|legalcode|rdf)?(?:\.(?!\.).*)?|\.?", re.IGNORECASE)
_NO_DEED = "its path is none of a deed"


class Address(msgspec.Struct, frozen=True):
    """One address of a text: where it stands, what it says, and the licence it names, None where it names none."""

    start: int
    end: int
    foreign: bool
    reading: Reading | None = None


def addresses(text: str) -> Iterator[Address]:
    """Every address of a text in order.

    One that leads elsewhere (`foreign`) and holds the address of a deed in its path or parameters names that licence
    with a doubt.
    """
    for run in _RUN.finditer(text):
        rest = "".join(run["rest"].split())
        scheme = (run["scheme"] or "").lower()
        host = _HOST.match(rest) if not scheme or scheme.endswith(("http:", "https:")) else None
        reading = _deed(rest[host.end() :], run[0]) if host else None
        yield Address(run.start(), run.end(), not host, reading)
        for inside in _WITHIN.finditer(rest, host.end() if host else 0):
            if reading := _deed(rest[inside.end() :], run[0], _ELSEWHERE):
                yield Address(run.start(), run.end(), True, reading)


def blanked(text: str, every: bool = False) -> str:
    """The text, as long as it was, without the addresses that name no licence for certain: their words are none.

    `every` blanks the others too.
    """
    parts, done = [], 0
    for address in addresses(text):
        if address.start >= done and (every or address.foreign or not address.reading):
            parts += [text[done : address.start], "…" * (address.end - address.start)]
            done = address.end
    return "".join([*parts, text[done:]])


def _deed(path: str, run: str, doubt: str = "") -> Reading | None:
    """The licence of a deed's path: `/licenses/by/3.0/igo/deed.fr`, `/publicdomain/zero/1.0/`."""
    path = _CLOSING.split(path)[0]
    behind = run[run.find(path) + len(path) :]
    tree, code, *more = [*filter(None, re.split(r"[?#]", path)[0].split("/")), "", ""]
    if tree.lower() not in ("licenses", "licences", "license", "licence", "publicdomain") or not _CODE.fullmatch(code):
        return None
    kind = kind_of(code, tree.lower() == "publicdomain")
    if not kind:
        return None
    version = _VERSION.fullmatch(more[0])
    rest = [part for part in more[1 if version else 0 :] if part]
    port = _PORT.fullmatch(rest[0]) if rest else None
    ends = [part for part in rest[1 if port else 0 :] if not _END.fullmatch(part)]
    # Without a version the path may be cut short: `/licenses/by,nc`, `/licenses/by?nc`.
    cut = not version and (re.match(r"\W*\w", behind) or re.search(r"[?#]", path))
    written = run if doubt else _CLOSING.split(run)[0].rstrip(".")
    doubt = doubt or (_NO_DEED if ends or cut else "")
    return named(kind, version[1] if version else "", port[1] if port else "", written, doubt)
