"""The licence policy as a table: what each licence lets people do, and how each is written.

Sources of the rules: the Creative Commons deeds and legal codes (1.0 to 4.0) and CC0; the SPDX licence list for
identifiers; 17 U.S.C. § 105 for works of the U.S. Government; the publishers' own pages for their terms. To change the
policy, change this file: `licence_reading` finds its rows in statements, `licence_policy` applies the rules to them.
"""

import re
from typing import Literal

import msgspec

from vouched.access import Uses

__all__ = ["CLOSED", "KINDS", "MINING", "PORTS", "READABLE", "TERMS", "UNKNOWN", "Kind", "Terms", "spdx_of", "url_of"]

UNKNOWN = Uses()
CLOSED = Uses("no", "no", "no", "no", "no", "no")
READABLE = Uses(read="yes")
MINING = Uses("no", "no", "yes", "no", "no", "no")
_FREE = Uses("yes", "yes", "yes", "yes", "yes", "yes")
_NO_DERIVATIVES = Uses("yes", "yes", "yes", "yes", "yes", "no")
_NON_COMMERCIAL = Uses("yes", "yes", "yes", "yes", "no", "yes")
_VERBATIM = Uses("yes", "yes", "yes", "yes", "no", "no")


class Kind(msgspec.Struct, frozen=True):
    """One kind of open licence.

    Attributes:
        name: as people write it, without version; uses, conditions: what it lets people do.
        path: of its deed at creativecommons.org, "" where it has none.
        spdx: SPDX identifier without version; versions: those that SPDX lists (the deed's, where SPDX lists none).
        only: the version that is meant when none is written, "" where several exist.
    """

    name: str
    uses: Uses
    conditions: tuple[str, ...] = ()
    path: str = ""
    spdx: str = ""
    versions: tuple[str, ...] = ()
    only: str = ""


_ALL = ("1.0", "2.0", "2.5", "3.0", "4.0")
_BY, _SA, _NC, _ND = "attribution", "share_alike", "non_commercial", "no_derivatives"

KINDS: dict[str, Kind] = {
    "by": Kind("CC BY", _FREE, (_BY,), "licenses/by", "CC-BY", _ALL),
    "by-sa": Kind("CC BY-SA", _FREE, (_BY, _SA), "licenses/by-sa", "CC-BY-SA", _ALL),
    "by-nd": Kind("CC BY-ND", _NO_DERIVATIVES, (_BY, _ND), "licenses/by-nd", "CC-BY-ND", _ALL),
    "by-nc": Kind("CC BY-NC", _NON_COMMERCIAL, (_BY, _NC), "licenses/by-nc", "CC-BY-NC", _ALL),
    "by-nc-sa": Kind("CC BY-NC-SA", _NON_COMMERCIAL, (_BY, _NC, _SA), "licenses/by-nc-sa", "CC-BY-NC-SA", _ALL),
    "by-nc-nd": Kind("CC BY-NC-ND", _VERBATIM, (_BY, _NC, _ND), "licenses/by-nc-nd", "CC-BY-NC-ND", _ALL),
    # The five licences of version 1.0 that do not ask for attribution; retired, SPDX lists none of them.
    "sa": Kind("CC SA", _FREE, (_SA,), "licenses/sa", "", ("1.0",), "1.0"),
    "nd": Kind("CC ND", _NO_DERIVATIVES, (_ND,), "licenses/nd", "", ("1.0",), "1.0"),
    "nc": Kind("CC NC", _NON_COMMERCIAL, (_NC,), "licenses/nc", "", ("1.0",), "1.0"),
    "nc-sa": Kind("CC NC-SA", _NON_COMMERCIAL, (_NC, _SA), "licenses/nc-sa", "", ("1.0",), "1.0"),
    "nc-nd": Kind("CC NC-ND", _VERBATIM, (_NC, _ND), "licenses/nd-nc", "", ("1.0",), "1.0"),
    "zero": Kind("CC0", _FREE, (), "publicdomain/zero", "CC0", ("1.0",), "1.0"),
    "mark": Kind("Public Domain Mark", _FREE, (), "publicdomain/mark", "CC-PDM", ("1.0",), "1.0"),
    "dedication": Kind("CC Public Domain Dedication and Certification", _FREE, (), "licenses/publicdomain", "CC-PDDC"),
    "domain": Kind("public domain", _FREE),
    "us-government": Kind("U.S. Government work", _FREE),
    # 17 U.S.C. § 105 ends at the border: "foreign copyrights may apply".
    "domain-here": Kind("public domain in one country", READABLE),
    # What words forbid, whatever licence is named beside them.
    "no-commerce": Kind("no commercial use", _NON_COMMERCIAL, (_NC,)),
    "no-changes": Kind("no changes", _NO_DERIVATIVES, (_ND,)),
    "no-mining": Kind("no text mining", Uses("yes", "yes", "no", "yes", "yes", "yes")),
    # "A Creative Commons licence" without a word on which: every one of them lets people read, no more is known.
    "cc": Kind("Creative Commons, kind not stated", READABLE, (_BY,)),
}

# Jurisdictions that licences up to version 3.0 were ported to.
PORTS = frozenset(
    (
        "am", "ar", "at", "au", "az", "be", "bg", "br", "ca", "ch", "cl", "cn", "co", "cr", "cz", "de", "dk", "ec",
        "ee", "eg", "es", "fi", "fr", "ge", "gr", "gt", "hk", "hr", "hu", "ie", "igo", "il", "in", "it", "jp", "kr",
        "lu", "mk", "mt", "mx", "my", "nl", "no", "nz", "pe", "ph", "pl", "pr", "pt", "ro", "rs", "scotland", "se",
        "sg", "si", "th", "tw", "ug", "uk", "us", "ve", "vn", "za",
    )
)  # fmt: skip

# Ported versions that SPDX has an identifier for; the others have none.
_PORTED = frozenset(
    (
        "CC-BY-2.5-AU", "CC-BY-3.0-AT", "CC-BY-3.0-AU", "CC-BY-3.0-DE", "CC-BY-3.0-IGO", "CC-BY-3.0-NL", "CC-BY-3.0-US",
        "CC-BY-NC-3.0-DE", "CC-BY-NC-ND-3.0-DE", "CC-BY-NC-ND-3.0-IGO", "CC-BY-NC-SA-2.0-DE", "CC-BY-NC-SA-2.0-FR",
        "CC-BY-NC-SA-2.0-UK", "CC-BY-NC-SA-3.0-DE", "CC-BY-NC-SA-3.0-IGO", "CC-BY-ND-3.0-DE", "CC-BY-SA-2.0-UK",
        "CC-BY-SA-2.1-JP", "CC-BY-SA-3.0-AT", "CC-BY-SA-3.0-DE", "CC-BY-SA-3.0-IGO",
    )
)  # fmt: skip


def spdx_of(kind: str, version: str, port: str) -> str:
    """SPDX identifier, "" where none exists: a licence written without its version has none."""
    row = KINDS[kind]
    version = version or row.only
    if kind == "dedication":
        return row.spdx
    if not row.spdx or not version:
        return ""
    if port:
        name = f"{row.spdx}-{version}-{port.upper()}"
        return name if name in _PORTED else ""
    return f"{row.spdx}-{version}" if version in row.versions else ""


def url_of(kind: str, version: str, port: str) -> str:
    """Address of the deed, "" where the version is not known."""
    row = KINDS[kind]
    version = version or row.only
    if not row.path or (not version and kind != "dedication"):
        return ""
    path = "licenses/by-nd-nc" if (kind, version) == ("by-nc-nd", "1.0") else row.path
    return "https://creativecommons.org/" + "".join(f"{part}/" for part in (path, version, port.lower()) if part)


class Terms(msgspec.Struct, frozen=True):
    """Terms that are not an open licence.

    Attributes:
        name: for people; pattern: found in the address, type or words of a statement.
        effect: `terms`: reading only, and a Creative Commons statement beside it decides; `strict`: reading only, even
            beside a Creative Commons statement; `manuscript`: text mining only, the notice of author manuscripts.
    """

    name: str
    pattern: "re.Pattern[str]"
    effect: Literal["terms", "strict", "manuscript"] = "terms"


def _row(name: str, pattern: str, effect: Literal["terms", "strict", "manuscript"] = "terms") -> Terms:
    return Terms(name, re.compile(pattern, re.IGNORECASE), effect)


TERMS: tuple[Terms, ...] = (
    _row("PMC author manuscript notice", r"file is available for text mining", "manuscript"),
    _row("author manuscript terms", r"users may view, print, copy", "manuscript"),
    _row("author manuscript terms", r"licen[sc]e for (?:the )?accepted (?:author )?manuscript", "manuscript"),
    _row("Elsevier user licence", r"elsevier\.com/open-access/userlicense|elsevier user licen[sc]e", "strict"),
    _row("no reuse without permission", r"no re-?use (?:is )?allowed|all rights reserved\W+no re-?use", "strict"),
    _row("arXiv non-exclusive distribution licence", r"arxiv\.org/licenses/nonexclusive-distrib", "strict"),
    _row("OUP standard publication model", r"standard_publication_model|publisher-standard", "strict"),
    _row("personal use only", r"for personal use only|personal,? non-?commercial use only", "strict"),
    _row("no republication without permission", r"\brepublication/redistribution requires", "strict"),
    _row("Open Government Licence", r"open government licen[sc]e|/open-government-licen[sc]e"),
    _row("Crown copyright", r"\bcrown copyright|\b(?:her|his) majesty|\bthe (?:king|queen) in right of"),
    _row("ACS AuthorChoice", r"acs author ?choice|authorchoice|acs editors.? choice"),
    _row("Elsevier COVID-19 terms", r"covid-19 resource cent(?:er|re)"),
    _row("COVID-19 research re-use terms", r"unrestricted research re-?use|coronavirus/usage"),
    _row("Frontiers licence agreement", r"frontiersin\.org/licen[sc]eagreement"),
    _row("Rockefeller University Press terms", r"rupress\.org/terms|no mirror sites"),
    _row("Wiley terms", r"onlinelibrary\.wiley\.com/terms|wiley terms and conditions"),
    _row("AAAS terms", r"sciencemag\.org/(?:site/)?(?:about|feature)|science-licenses-journal-article-reuse"),
    _row("publisher's text mining licence", r"tdm_license|/tdm/|text-and-data-mining|springer\.com/tdm|tdm-rep"),
    _row("Springer Nature terms", r"springernature\.com/gp/open-research/policies|nature\.com/authors/terms"),
    _row("free to read", r"free_to_read|free-to-read|free access"),
    _row("implied-oa, no licence named", r"^implied-oa$"),
)
