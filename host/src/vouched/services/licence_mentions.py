"""Where a clause names a licence: addresses, codes, names in words. What the clause says of it is judged elsewhere."""

import re
from collections.abc import Iterator

import msgspec

from vouched.services.licence_addresses import addresses, blanked
from vouched.services.licence_names import Reading, kind_of, known_port, named

__all__ = ["Mention", "coded", "mentions"]

# `cc by`, `CC-BY-NC-ND 4.0`, `ccbyncndlicense`, `CC BY 3.0 IGO`.
_CODE = (
    r"(?P<kind>by(?:[\s_/-]*(?:nc|nd|sa))*|(?:nc|nd|sa)(?:[\s_/-]+(?:nc|nd|sa))*|0|zero|pdm?)"
    r"(?:[\s_/-]*licen[sc]e)?(?:[\s_/,-]*v?(?:ersion\s*)?(?P<version>\d+(?:\.\d+)+))?(?:[\s_/-]+(?P<port>igo|(?!nc|nd|sa)[a-z]{2})\b)?"
)
_FIELD = re.compile(rf"(?:cc|creative\s?commons)[\s:_/-]*{_CODE}[\s.,;:()]*", re.IGNORECASE)
_BARE = re.compile(rf"(?=by\b){_CODE}[\s.,;:()]*", re.IGNORECASE)
_SHORT = re.compile(
    r"\bCC[\W_]{0,2}(?P<kind>BY(?:[\W_]{0,3}(?:NC|ND|SA))*|0(?!\.\d)|PDM?)(?!\w)"
    r"(?:[\W_]{0,3}v?(?:ersion\s*)?(?P<version>\d+(?:\.\d+)+))?(?:[\s-]+(?P<port>(?-i:IGO|(?!NC|ND|SA)[A-Z]{2}))\b)?",
    re.IGNORECASE,
)
_PART = "(?:" + "|".join((
    r"attribution|by\b|(?:nc|nd|sa)\b|non\W{0,3}comm?[ei]r\w*(?:[\s-]+use)?|share\W{0,3}a?\W?like",
    r"no[nt]?\W{0,3}(?:deriv|modif)\w*(?:[\s-]+works?)?",
    # Spanish, Portuguese, Italian
    r"atribuci[oó]n|reconocimiento|no\W{0,3}comercial|sin\W{0,3}(?:obras?\W{0,3})?derivadas?|compartir\W{0,3}igual",
    r"atribui[cç][aã]o|n[aã]o\W{0,3}comercial|sem\W{0,3}deriva[cç][oõ]es|compartilha\W{0,3}igual",
    r"attribuzione|non\W{0,3}opere\W{0,3}derivate|condividi\s+allo\s+stesso\s+modo",
    # French, German
    r"paternit[eé]|pas d.utilisation commerciale|namensnennung|nicht\W{0,3}kommerziell|keine\W{0,3}bearbeitung(?:en)?",
)) + ")"  # fmt: skip
_PROSE = re.compile(
    r"creative\s+commons?['’s]*[\s,:]*(?:(?:public\s+)?licen[sc]es?\s*[,:]?\s*)?[\s(\[:“\"-]*(?:CC[\s:]*)?"
    rf"(?P<parts>{_PART}(?:[\W_]{{0,4}}(?:and\s+)?{_PART}){{0,5}})",
    re.IGNORECASE,
)
_REVERSED = re.compile(
    rf"\b(?P<parts>attribution(?:[\W_]{{0,4}}{_PART}){{0,5}})\W{{1,3}}creative\s+commons\b", re.IGNORECASE
)
# What may go on with a name: "Attribution 4.0 International (NonCommercial)". Another word that is glued to it may be
# anything.
_MORE = re.compile(
    rf"(?:\W{{0,3}}(?:\bv?\d\.\d\b|\blicen[sc]e\b|\binternational\b|\bunported\b))*[\W_]{{0,3}}(?:(?:and|with|plus)\s+)?{_PART}",
    re.IGNORECASE,
)
_GLUED = re.compile(r"\s?[^\w\s.,;:()\[\]<>{}\"“”„'’?!…—]\s?([^\W\d]\w*)")
_KNOWN_AFTER = re.compile(r"licen|liz|internat|unported|generic|public|igo|v\d|version|cc|https?", re.IGNORECASE)
_VERSION = re.compile(r"[^.;]{0,30}?\b(?:v|version\s*)?(\d+(?:\.\d+)+)\b(?:\s+(IGO)\b)?", re.IGNORECASE)
_LICENCE_WORD = re.compile(
    r"(?:\s*\(CC[^)]{0,30}\))?(?:\s+\d\.\d)?(?:\s+(?:International|Unported|Generic|IGO))?(?:\s+public)?(?:\s+licen[cs]e)?",
    re.IGNORECASE,
)
_ZERO = re.compile(
    r"creative\s+commons\s+(?:zero|0|CC0|public\s+domain\s+(?:dedication|waiver|licen[sc]e))|public\s+domain\s+dedication",
    re.IGNORECASE,
)
_MARK = re.compile(r"public\s+domain\s+mark", re.IGNORECASE)
_UNNAMED = re.compile(
    r"(?:\b(?:under|by|with|of|through|via)\b[^.;]{0,60}?)(?P<name>\bcreative\s+commons\b)", re.IGNORECASE
)
_US = r"(?:U\.?\s?S\.?(?:\s?A\b\.?)?|United\s+States)"
_GOVERNMENT = re.compile(
    rf"works?\s+of\s+the\s+{_US}\s+(?:federal\s+)?government|17\s+U\.?\s?S\.?\s?C\.?\W{{0,3}}105"
    rf"|{_US}\s+(?:federal\s+)?government\s+works?\b"
    rf"|(?:written|prepared|authored|created)\s+by\s+(?:\w+\s+){{0,3}}?(?:{_US}|federal)\s+(?:federal\s+)?government\s+employees?"
    rf"|(?:in\s+the\s+)?public\s+domain\s+in\s+the\s+{_US}",
    re.IGNORECASE,
)
_DOMAIN = re.compile(r"\b(?:in|into|to)\s+the\s+public\s+domain\b|^public[\s-]domain$", re.IGNORECASE)
_ONLY_NON_COMMERCIAL = re.compile(
    r"permits?\s+(?:\w+\s+){0,2}?non[\s-]?commercial\b(?!\s+and\s+commercial)", re.IGNORECASE
)
_SPOKEN = (
    ("by", re.compile(r"attribu|^by|atribu|reconocimiento|paternit|namensnennung")),
    ("nc", re.compile(r"comm?[ei]r|nc|kommerziell")),
    ("nd", re.compile(r"deriv|modif|nd|keinebearbeitung")),
    ("sa", re.compile(r"sharea?like|sa|igual|condividi")),
)


class Mention(msgspec.Struct, frozen=True):
    """A licence in a clause: the characters that name it, and which it is."""

    start: int
    end: int
    reading: Reading


def coded(text: str) -> Reading | None:
    """The licence of a text that is nothing else: `cc by-nc-nd`, `CC0`, `ccbylicense`, `public domain`."""
    text = blanked(text).strip()
    match = _FIELD.fullmatch(text) or _BARE.fullmatch(text)
    if match:
        return _of_code(match, text)
    if re.fullmatch(r"public[\s_-]?domain(?:[\s_-]mark)?", text, re.IGNORECASE):
        return Reading("mark" if "mark" in text.lower() else "domain", written=text)
    if re.fullmatch(r"creative[\s_-]?commons(?:[\s_-]?licen[sc]e)?", text, re.IGNORECASE):
        return Reading("cc", written=text)
    return None


def mentions(clause: str) -> list[Mention]:
    """Every licence that a clause names, in order. "Creative Commons" alone counts where no kind is named beside it."""
    found = [Mention(item.start, item.end, item.reading) for item in addresses(clause) if item.reading]
    words = blanked(clause)
    found += _short(words)
    sure = [item.reading for item in found if not item.reading.doubt]
    found += [_agreed(item, sure) for item in _prose(words)]
    if all(item.reading.doubt for item in found):
        found += _unnamed(words)
    if _ONLY_NON_COMMERCIAL.search(words):
        found = [msgspec.structs.replace(item, reading=_non_commercial(item.reading)) for item in found]
    return sorted(found, key=lambda item: item.start)


def _short(words: str) -> Iterator[Mention]:
    for match in _SHORT.finditer(words):
        if reading := _of_code(match, match[0].strip()):
            yield _whole(words, Mention(match.start(), match.end(), reading))


def _of_code(match: "re.Match[str]", written: str) -> Reading | None:
    kind = _attributed(kind_of(match["kind"]))
    return named(kind, match["version"], known_port(match["port"]), written) if kind else None


def _prose(words: str) -> Iterator[Mention]:
    for match in (*_PROSE.finditer(words), *_REVERSED.finditer(words)):
        kind = _attributed(_spoken(match["parts"]))
        if kind:
            version = _VERSION.match(words[match.end() : match.end() + 60])
            number, port = (version[1], version[2]) if version else ("", "")
            end = _LICENCE_WORD.match(words, match.end()).end()  # type: ignore[union-attr]
            reading = named(kind, number, port, _tidy(words[match.start() : end]))
            yield _whole(words, Mention(match.start(), match.end(), reading))
    for pattern, kind in ((_ZERO, "zero"), (_MARK, "mark")):
        if hit := pattern.search(words):
            yield Mention(hit.start(), hit.end(), Reading(kind, written=_tidy(hit[0])))


def _whole(words: str, mention: Mention) -> Mention:
    """The mention with what goes on behind it: a name that is not read to its end would promise too much."""
    reading, end = mention.reading, mention.end
    parts = set(reading.kind.split("-"))
    while more := _MORE.match(words, end):
        parts |= set(_spoken(more[0], alone=True).split("-"))
        end = more.end()
    if "by" in parts:
        reading = msgspec.structs.replace(reading, kind=kind_of("-".join(parts)) or reading.kind)
    glued = _GLUED.match(words, end)
    if glued and not _KNOWN_AFTER.match(glued[1]):
        reading = msgspec.structs.replace(reading, doubt=reading.doubt or f"its name goes on with “{glued[1][:30]}”")
    return Mention(mention.start, mention.end, reading)


def _agreed(spoken: Mention, sure: list[Reading]) -> Mention:
    """Prose beside an address or code in one clause counts where it names another kind, not where it says less.

    `Creative Commons Attribution (CC BY-NC-ND 4.0)` is one licence whose name is cut short.
    """
    parts = set(spoken.reading.kind.split("-"))
    fuller = [reading for reading in sure if parts <= set(reading.kind.split("-"))]
    return msgspec.structs.replace(spoken, reading=fuller[0]) if fuller else spoken


def _unnamed(words: str) -> Iterator[Mention]:
    for pattern, kind in ((_GOVERNMENT, "us-government"), (_DOMAIN, "domain"), (_UNNAMED, "cc")):
        if hit := pattern.search(words):
            start = hit.start("name") if kind == "cc" else hit.start()
            yield Mention(start, hit.end(), Reading(kind, written=_tidy(words)))
            return


def _spoken(parts: str, alone: bool = False) -> str:
    """`by-nc` for "Attribution-NonCommercial"; what is no kind `alone` comes as its codes."""
    joined = re.sub(r"[\W_]+", "", parts.lower())
    codes = "-".join(code for code, pattern in _SPOKEN if pattern.search(joined))
    return codes if alone else kind_of(codes)


def _attributed(kind: str) -> str:
    """The licences without attribution were retired in 2004: whoever leaves the word out today means one with it."""
    return kind_of(f"by-{kind}") if kind in ("nc", "nd", "sa", "nc-sa", "nc-nd") else kind


def _non_commercial(reading: Reading) -> Reading:
    """A sentence that permits non-commercial use only holds, whatever licence it names."""
    if reading.kind in ("by", "by-sa", "by-nd"):
        stricter = {"by": "by-nc", "by-sa": "by-nc-sa", "by-nd": "by-nc-nd"}[reading.kind]
        written = f"{reading.written}, with words that permit non-commercial use only"
        return msgspec.structs.replace(reading, kind=stricter, version="", port="", written=written)
    return reading


def _tidy(text: str) -> str:
    return " ".join(text.split())[:120]
