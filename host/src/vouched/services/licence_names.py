"""What a licence is called: codes -> rows of the licence table, with version, port and what makes one doubtful."""

import re
from typing import Literal

import msgspec

from vouched.services.licence_table import KINDS, PORTS, spdx_of, url_of

__all__ = ["Reading", "kind_of", "known_port", "named"]


class Reading(msgspec.Struct, frozen=True):
    """A licence found in a statement: key of `KINDS`, version and port where written, the words it was read from.

    Attributes:
        doubt: why it cannot open anything by itself, "" where it can. A doubtful licence may still close: it holds
            beside a clear one that permits more.
        voice: what the text does with it: says that the article is under it, only points at it, makes it hang on
            something, denies it.
    """

    kind: str
    version: str = ""
    port: str = ""
    written: str = ""
    doubt: str = ""
    voice: Literal["said", "pointed", "hedged", "denied"] = "pointed"

    @property
    def name(self) -> str:
        """`CC BY 4.0`, `CC BY-NC 3.0 IGO`, `CC0 1.0`."""
        row = KINDS[self.kind]
        return " ".join(part for part in (row.name, self.version or row.only, self.port.upper()) if part)

    @property
    def spdx(self) -> str:
        """Its SPDX identifier, "" where none exists."""
        return "" if self.doubt else spdx_of(self.kind, self.version, self.port)

    @property
    def url(self) -> str:
        """Address of its deed, "" where that is not known."""
        return "" if self.doubt else url_of(self.kind, self.version, self.port)


def named(kind: str, version: str | None, port: str | None, written: str, doubt: str = "") -> Reading:
    """A reading whose version was looked up: one that does not exist makes it doubtful. `4` is version 4.0."""
    number = "" if not version else version if "." in version else f"{version}.0"
    place = "" if number == "4.0" else (port or "").lower()  # 4.0 is international: it has translations, no ports
    row = KINDS[kind]
    # Version 2.1 exists in ports only (Japan, Australia, Canada, Spain).
    exists = not number or not row.versions or number in row.versions or (number == "2.1" and place)
    return Reading(kind, number, place, written, doubt or ("" if exists else f"no version {number} of it exists"))


def known_port(port: str | None) -> str:
    """The port where it is one of the jurisdictions, else "": two letters after a version may be any word."""
    return port if port and port.lower() in PORTS else ""


def kind_of(code: str, domain: bool = False) -> str:
    """Key of `KINDS` for `by-nc-nd`, `BY NC ND`, `nd-nc`, `zero`, `0`, `pd`; "" where there is none."""
    code = code.lower()
    if code in ("zero", "0"):
        return "zero"
    if code in ("mark", "pd", "pdm"):
        return "mark"
    if code in ("publicdomain", "certification"):
        return "dedication"
    parts = set(re.findall(r"by|nc|nd|sa", code.removeprefix("cc")))
    # `by-nc-sa+devnations`, `sampling` and the like are retired tools with terms of their own.
    if domain or not parts or re.sub(r"by|nc|nd|sa|[\s_/‐‑–-]", "", code.removeprefix("cc")):
        return ""
    key = "-".join(part for part in ("by", "nc", "nd", "sa") if part in parts)
    key = key.replace("nd-sa", "nd")
    return key if key in KINDS else ""
