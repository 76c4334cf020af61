"""MEDLINE's language codes (ISO 639-2/B) -> English names and ISO 639-1 codes."""

from collections.abc import Iterable

__all__ = ["is_english", "iso", "name", "names"]

_LANGUAGES = """
afr:af:Afrikaans alb:sq:Albanian amh:am:Amharic ara:ar:Arabic arm:hy:Armenian aze:az:Azerbaijani bel:be:Belarusian
ben:bn:Bengali bos:bs:Bosnian bul:bg:Bulgarian cat:ca:Catalan chi:zh:Chinese cze:cs:Czech dan:da:Danish
dut:nl:Dutch eng:en:English epo:eo:Esperanto est:et:Estonian fin:fi:Finnish fre:fr:French geo:ka:Georgian
ger:de:German gla:gd:Gaelic gle:ga:Irish glg:gl:Galician gre:el:Greek heb:he:Hebrew hin:hi:Hindi hrv:hr:Croatian
hun:hu:Hungarian ice:is:Icelandic ind:id:Indonesian ita:it:Italian jpn:ja:Japanese kin:rw:Kinyarwanda kor:ko:Korean
lat:la:Latin lav:lv:Latvian lit:lt:Lithuanian mac:mk:Macedonian mal:ml:Malayalam mao:mi:Maori may:ms:Malay
nor:no:Norwegian per:fa:Persian pol:pl:Polish por:pt:Portuguese pus:ps:Pushto rum:ro:Romanian rus:ru:Russian
san:sa:Sanskrit slo:sk:Slovak slv:sl:Slovenian spa:es:Spanish srp:sr:Serbian swe:sv:Swedish tha:th:Thai
tur:tr:Turkish ukr:uk:Ukrainian urd:ur:Urdu vie:vi:Vietnamese wel:cy:Welsh
"""
_ROWS = [entry.split(":") for entry in _LANGUAGES.split()]
_NAMES = {code: name for b, a, name in _ROWS for code in (b, a)} | {"mul": "Multiple Languages"}
_ISO = {b: a for b, a, _ in _ROWS}


def name(code: str) -> str:
    """`German` for `ger`, `GER` or `de`; the code itself where it is not known, "" for undetermined."""
    code = code.strip().lower()
    return "" if code in ("", "und", "zxx") else _NAMES.get(code, code)


def names(codes: Iterable[str]) -> list[str]:
    """Names in order, each once."""
    return list(dict.fromkeys(found for code in codes if (found := name(code))))


def iso(code: str) -> str:
    """`de` for `ger`; the lower-case code itself where it has no two-letter form."""
    code = code.strip().lower()
    return _ISO.get(code, code)


def is_english(codes: Iterable[str]) -> bool:
    """Whether the text is in English, alone or among others; a record that names no language counts as English."""
    found = names(codes)
    return not found or "English" in found
