"""Statements -> rows of the licence table: addresses, types, record fields and prose, sentence by sentence."""

import re

import msgspec

from vouched.access import Statement
from vouched.services.licence_addresses import addresses, blanked
from vouched.services.licence_names import Reading, kind_of, known_port, named
from vouched.services.licence_table import TERMS, Terms

__all__ = ["LONGEST", "read_field", "read_statement", "speaks_of_data", "terms_of"]


LONGEST = 20_000


# `cc by`, `CC-BY-NC-ND 4.0`, `ccbyncndlicense`, `CC BY 3.0 IGO`.
_CODE = (
    r"(?P<kind>by(?:[\s_/-]*(?:nc|nd|sa))*|(?:nc|nd|sa)(?:[\s_/-]+(?:nc|nd|sa))*|0|zero|pdm?)"
    r"(?:[\s_/-]*licen[sc]e)?(?:[\s_/,-]*v?(?:ersion\s*)?(?P<version>\d+(?:\.\d+)+))?(?:[\s_/-]+(?P<port>igo|[a-z]{2})\b)?"
)
_FIELD = re.compile(rf"(?:cc|creative\s?commons)[\s:_/-]*{_CODE}\W*", re.IGNORECASE)
_BARE = re.compile(rf"{_CODE}\W*", re.IGNORECASE)
_SHORT = re.compile(
    r"\bCC[\s‐‑-]?(?P<kind>BY(?:[\s_/‐‑–-]*(?:NC|ND|SA))*|0|PDM?)\b(?:[\s_/‐‑–,-]*v?(?:ersion\s*)?(?P<version>\d+(?:\.\d+)+))?"
    r"(?:[\s-]+(?P<port>IGO|[A-Z]{2})\b)?"
)
_PART = (
    r"(?:attribution|by|non[\s‐‑–-]*commercial(?:[\s-]+use)?|share[\s‐‑–-]*alike|no[\s‐‑–-]*deriv(?:ative|ate)?s?(?:[\s-]+works?)?"
    r"|atribuci[oó]n|reconocimiento|atribui[cç][aã]o|paternit[eé]|namensnennung|no[\s-]*comercial|n[aã]o[\s-]*comercial"
    r"|pas d.utilisation commerciale|nicht[\s-]*kommerziell|(?:compartir|compartilha)[\s-]*igual"
    r"|sin[\s-]*(?:obras?[\s-]*)?derivadas?|sem[\s-]*deriva[cç][oõ]es|keine[\s-]*bearbeitung(?:en)?)"
)
_PROSE = re.compile(
    rf"creative\s+commons?['’s]*[\s,:]*(?:(?:public\s+)?licen[sc]es?\s*[,:]?\s*)?[\s(\[:“\"-]*(?:CC[\s:]*)?"
    rf"(?P<parts>{_PART}(?:[\s,/&‐‑–—-]+(?:and\s+)?{_PART})*)(?P<rest>.{{0,60}})",
    re.IGNORECASE | re.DOTALL,
)
_ZERO = re.compile(
    r"creative\s+commons\s+(?:zero|0|CC0|public\s+domain\s+(?:dedication|waiver|licen[sc]e))|public\s+domain\s+dedication",
    re.IGNORECASE,
)
_MARK = re.compile(r"public\s+domain\s+mark", re.IGNORECASE)
_UNNAMED = re.compile(r"\b(?:under|by|with|of|through|via)\b[^.;]{0,60}\bcreative\s+commons\b", re.IGNORECASE)
_GOVERNMENT = re.compile(
    r"works?\s+of\s+the\s+(?:U\.?\s?S\.?|United\s+States)\s+(?:federal\s+)?government|17\s+U\.?\s?S\.?\s?C\.?\W{0,3}105"
    r"|(?:U\.?\s?S\.?|United\s+States)\s+(?:federal\s+)?government\s+works?\b"
    r"|(?:written|prepared|authored|created)\s+by\s+(?:\w+\s+){0,3}?(?:U\.?\s?S\.?|United\s+States|federal)\s+(?:federal\s+)?"
    r"government\s+employees?|public\s+domain\s+in\s+the\s+(?:U\.?\s?S\.?|United\s+States)",
    re.IGNORECASE,
)
_DOMAIN = re.compile(r"\b(?:in|into|to)\s+the\s+public\s+domain\b|^public[\s-]domain$", re.IGNORECASE)
_VERSION = re.compile(r"^[^.;]{0,30}?\b(?:v|version\s*)?(\d+(?:\.\d+)+)\b(?:\s+(IGO)\b)?", re.IGNORECASE)
_LICENCE_WORD = re.compile(
    r"(?:\s*\(CC[^)]*\))?(?:\s+\d\.\d)?(?:\s+(?:International|Unported|Generic|IGO))?(?:\s+public)?(?:\s+licen[cs]e)?",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|no|nor|never|without|except|excluding|other than|rather than)\b[^,;]{0,50}$", re.IGNORECASE
)
_ONLY_NON_COMMERCIAL = re.compile(
    r"permits?\s+(?:\w+\s+){0,2}?non[\s-]?commercial\b(?!\s+and\s+commercial)", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[.;!?])(?<!\.[A-Z]\.)(?<!\s[A-Z]\.)\s+(?=[A-Z(])")
_OTHER_THING = re.compile(
    r"\bappl(?:y|ies|ied)\s+(?:only\s+)?to\s+(?:the\s+|all\s+|any\s+)?(?:\S+\s+){0,2}?"
    r"(?:(?:meta)?data(?:\s?sets?)?|code|software|images?|figures?|photographs?|abstracts?)\b"
    r"|^\W{0,9}(?:the\s+|all\s+|any\s+|our\s+|this\s+)?(?:\S+\s+){0,2}?(?:(?:meta)?data(?:\s?sets?)?(?!\s+(?:article|"
    r"paper|descriptor|note|report|brief))|(?:source\s+)?code|software|"
    r"images?|figures?\s\S+|photographs?|illustrations?|supplementary\s+\w+|cover\s+\w+)\s+"
    r"(?:\S+\s+){0,12}?(?:is|are|was|were|has|have)\b",
    re.IGNORECASE,
)


def speaks_of_data(sentence: str) -> bool:
    """Whether a sentence gives the terms of data, code or pictures and not of the article itself."""
    return bool(_OTHER_THING.search(sentence))


def read_field(text: str) -> Reading | None:
    """A licence field or `license-type`: `cc by-nc-nd`, `CC0`, `ccbylicense`, an SPDX id, an address; else None."""
    text = text.strip()
    if len(text) > LONGEST:
        return None
    if found := _surest([address.reading for address in addresses(text) if address.reading]):
        return found
    text = blanked(text).strip()
    match = _FIELD.fullmatch(text) or (_BARE.fullmatch(text) if re.match(r"by\b", text, re.IGNORECASE) else None)
    if match:
        return _coded(match, text)
    if re.fullmatch(r"public[\s_-]?domain(?:[\s_-]mark)?", text, re.IGNORECASE):
        return Reading("mark" if "mark" in text.lower() else "domain", written=text)
    if re.fullmatch(r"creative[\s_-]?commons(?:[\s_-]?licen[sc]e)?", text, re.IGNORECASE):
        return Reading("cc", written=text)
    return _surest(_sentence(text))


def read_statement(statement: Statement) -> list[Reading]:
    """Every licence that a statement names for its own object; those of data, code or pictures in it are left out.

    A statement of more than `LONGEST` characters names none: it is no licence statement, and what stands at its end
    might take back what stands at its beginning.
    """
    if max(map(len, (statement.text, statement.url, statement.licence_type))) > LONGEST:
        return []
    sentences = _SENTENCE.split(statement.text) if statement.text else []
    if len(sentences) == 1 and speaks_of_data(statement.text):
        return []
    found = [address.reading for address in addresses(statement.url) if address.reading]
    if statement.licence_type and (typed := read_field(statement.licence_type)):
        found.append(typed)
    for sentence in sentences:
        if not speaks_of_data(sentence):
            found += _sentence(sentence)
    return list(dict.fromkeys(found))


def terms_of(statement: Statement) -> Terms | None:
    """The row of publishers' terms that a statement matches, by address, type or words."""
    for row in TERMS:
        for text in (statement.url, statement.licence_type, statement.text):
            if text and row.pattern.search(text):
                return row
    return None


def _surest(found: list[Reading]) -> Reading | None:
    return next((reading for reading in found if not reading.doubt), found[0] if found else None)


def _coded(match: "re.Match[str]", written: str) -> Reading | None:
    kind = kind_of(match["kind"])
    return named(kind, match["version"], known_port(match["port"]), written) if kind else None


def _sentence(sentence: str) -> list[Reading]:
    """Licences in one sentence. One named only as "Creative Commons" counts where no kind is named beside it."""
    if re.search(r"\bno\s+claim\b", sentence, re.IGNORECASE) and not re.search(r"creative|\bCC\b", sentence):
        return []
    found = [
        address.reading for address in addresses(sentence) if address.reading and not _negated(sentence, address.start)
    ]
    words = blanked(sentence)
    for match in _SHORT.finditer(words):
        if not _negated(words, match.start()) and (reading := _coded(match, match[0].strip())):
            found.append(reading)
    sure = [reading for reading in found if not reading.doubt]
    found = [*(item for item in _prose(words) if not sure or _agrees(item, sure)), *found]
    if all(reading.doubt for reading in found):
        found += _unnamed(words)
    if _ONLY_NON_COMMERCIAL.search(words):
        found = [_non_commercial(reading) for reading in found]
    return found


def _agrees(named: Reading, found: list[Reading]) -> bool:
    """Prose beside an address or code in one sentence counts where it names another kind, not where it says less.

    `Creative Commons Attribution (CC BY-NC-ND 4.0)` is one licence whose name is cut short.
    """
    parts = set(named.kind.split("-"))
    return not any(parts <= set(other.kind.split("-")) for other in found)


def _prose(sentence: str) -> list[Reading]:
    found: list[Reading] = []
    for match in _PROSE.finditer(sentence):
        kind = _spoken(match["parts"])
        if kind and not _negated(sentence, match.start()):
            version = _VERSION.match(match["rest"])
            number, port = (version[1], version[2]) if version else ("", "")
            tail = _LICENCE_WORD.match(match["rest"])
            end = match.end("parts") + (tail.end() if tail else 0)
            found.append(named(kind, number, port, _tidy(sentence[match.start() : end])))
    for pattern, kind in ((_ZERO, "zero"), (_MARK, "mark")):
        hit = pattern.search(sentence)
        if hit and not _negated(sentence, hit.start()):
            found.append(Reading(kind, written=_tidy(hit[0])))
    return found


def _unnamed(sentence: str) -> list[Reading]:
    for pattern, kind in ((_GOVERNMENT, "us-government"), (_DOMAIN, "domain"), (_UNNAMED, "cc")):
        hit = pattern.search(sentence)
        if hit and not _negated(sentence, hit.start()) and not _negated(sentence, hit.end()):
            return [Reading(kind, written=_tidy(sentence))]
    return []


def _spoken(parts: str) -> str:
    words = re.sub(r"[\s‐‑–—/&,-]+", "", parts.lower())
    codes = (
        ("by", r"attribution|^by|atribuci|reconocimiento|atribui|paternit|namensnennung"),
        ("nc", r"n[oã]o?n?commerci|nocomerci|nãocomerci|naocomerci|utilisationcommerciale|nichtkommerziell"),
        ("nd", r"noderiv|derivada|semderiva|keinebearbeitung"),
        ("sa", r"sharealike|compartirigual|compartilhaigual"),
    )
    return kind_of("-".join(code for code, pattern in codes if re.search(pattern, words)))


def _non_commercial(reading: Reading) -> Reading:
    """A sentence that permits non-commercial use only holds, whatever licence it names."""
    if reading.kind in ("by", "by-sa", "by-nd"):
        stricter = {"by": "by-nc", "by-sa": "by-nc-sa", "by-nd": "by-nc-nd"}[reading.kind]
        written = f"{reading.written}, with words that permit non-commercial use only"
        return msgspec.structs.replace(reading, kind=stricter, version="", port="", written=written)
    return reading


def _negated(sentence: str, place: int) -> bool:
    return place >= 0 and bool(_NEGATED.search(sentence[max(0, place - 80) : place]))


def _tidy(text: str) -> str:
    return " ".join(text.split())[:120]
