"""Plain paragraphs and sentences of the corpus's open full texts, read without the plugin's reader."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import msgspec
from lxml import etree

from tests import emulator

__all__ = ["OPEN", "Paragraph", "paragraphs", "sentences", "squeezed_text"]

# Open, with a licence, read from their own permissions; each in Europe PMC's record as the services hold it.
OPEN = [
    "PMC2329613",
    "PMC3042718",
    "PMC3166277",
    "PMC3299399",
    "PMC3574550",
    "PMC8071313",
    "PMC8118396",
    "PMC8151036",
    "PMC8158497",
    "PMC8164761",
    "PMC8222791",
    "PMC8228099",
    "PMC8435807",
    "PMC9056514",
    "PMC9056519",
    "PMC9056525",
    "PMC9057060",
    "PMC13014283",
    "PMC13015887",
    "PMC13016435",
]
# A sentence without inner stops: nothing about it needs a rule.
_SENTENCE = re.compile(r"(?:(?<=^)|(?<=[a-z)]\. ))[A-Z][^.!?\[\]]{50,230}[a-z)]\.(?= |$)")


class Paragraph(msgspec.Struct, frozen=True):
    """A `p` of a body with text alone, white space collapsed; `section`: title of the highest `sec` around it."""

    pmcid: str
    text: str
    section: str = ""


@cache
def _tree(corpus: Path, pmcid: str) -> etree._Element:
    raw = emulator.load((corpus,)).fulltexts[pmcid]
    return etree.fromstring(raw, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))


@cache
def paragraphs(corpus: Path) -> Sequence[Paragraph]:
    """In the order of the articles and of the text."""
    return list(_paragraphs(corpus))


def _paragraphs(corpus: Path) -> Iterator[Paragraph]:
    for pmcid in OPEN:
        for node in _tree(corpus, pmcid).findall(".//body//sec/p"):
            if len(node) == 0 and node.text:
                top = list(node.iterancestors("sec"))[-1]
                yield Paragraph(pmcid, " ".join(node.text.split()), (top.findtext("title") or "").strip())


def sentences(corpus: Path) -> Sequence[Paragraph]:
    """Sentences of these paragraphs that stand once in their article."""
    found: dict[tuple[str, str], None] = {}
    for paragraph in paragraphs(corpus):
        for match in _SENTENCE.finditer(paragraph.text):
            found[paragraph.pmcid, match[0]] = None
    return [Paragraph(pmcid, text) for pmcid, text in found if squeezed_text(corpus, pmcid).count(_squeezed(text)) == 1]


@cache
def squeezed_text(corpus: Path, pmcid: str) -> str:
    """All text of the body without white space."""
    body = _tree(corpus, pmcid).find("body")
    return "" if body is None else _squeezed("".join(str(text) for text in body.itertext()))


def _squeezed(text: str) -> str:
    return "".join(text.split())
