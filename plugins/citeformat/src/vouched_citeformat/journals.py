"""How a journal is named in prose styles: its title without NLM's additions, in title case."""

import re
from functools import lru_cache

from vouched.api import Article

from vouched_citeformat.markup import line

__all__ = ["display", "journal", "short", "title_of_abbreviation"]

# MEDLINE writes these titles in a case, or without an article, that the journals themselves do not use.
_OVERRIDES = {
    "lancet": "The Lancet",
    "the lancet": "The Lancet",
    "the lancet. oncology": "The Lancet Oncology",
    "the lancet. neurology": "The Lancet Neurology",
    "the lancet. infectious diseases": "The Lancet Infectious Diseases",
    "the lancet. respiratory medicine": "The Lancet Respiratory Medicine",
    "the lancet. psychiatry": "The Lancet Psychiatry",
    "the lancet. global health": "The Lancet Global Health",
    "the lancet. diabetes & endocrinology": "The Lancet Diabetes & Endocrinology",
    "the lancet. haematology": "The Lancet Haematology",
    "the lancet. hiv": "The Lancet HIV",
    "the lancet. public health": "The Lancet Public Health",
    "the lancet. digital health": "The Lancet Digital Health",
    "the lancet. planetary health": "The Lancet Planetary Health",
    "the lancet. child & adolescent health": "The Lancet Child & Adolescent Health",
    "the lancet. gastroenterology & hepatology": "The Lancet Gastroenterology & Hepatology",
    "plos one": "PLOS ONE",
    "plos biology": "PLOS Biology",
    "plos medicine": "PLOS Medicine",
    "plos genetics": "PLOS Genetics",
    "plos pathogens": "PLOS Pathogens",
    "plos computational biology": "PLOS Computational Biology",
    "plos neglected tropical diseases": "PLOS Neglected Tropical Diseases",
    "elife": "eLife",
    "bmj": "BMJ",
    "bmj open": "BMJ Open",
    "jama": "JAMA",
    "jama network open": "JAMA Network Open",
    "jci insight": "JCI Insight",
    "nejm evidence": "NEJM Evidence",
    "faseb journal": "The FASEB Journal",
    "the embo journal": "The EMBO Journal",
    "embo reports": "EMBO Reports",
    "embo molecular medicine": "EMBO Molecular Medicine",
    "rna": "RNA",
    "rna biology": "RNA Biology",
    "rsc advances": "RSC Advances",
    "acs nano": "ACS Nano",
    "acs omega": "ACS Omega",
    "febs letters": "FEBS Letters",
    "bmc medicine": "BMC Medicine",
    "mbio": "mBio",
    "msystems": "mSystems",
    "msphere": "mSphere",
    "mabs": "mAbs",
    "iscience": "iScience",
    "ebiomedicine": "eBioMedicine",
    "eclinicalmedicine": "eClinicalMedicine",
    "neuroimage": "NeuroImage",
    "peerj": "PeerJ",
    "gigascience": "GigaScience",
    "arxiv": "arXiv",
    "biorxiv": "bioRxiv",
    "medrxiv": "medRxiv",
    "chemrxiv": "ChemRxiv",
    "psyarxiv": "PsyArXiv",
}
_SMALL_WORDS = """
a an and as at but by for from in into nor of on or over per the to via with de da do das dos des del della delle
di du e ed el en et la las le les lo los och og i und der die das den dem fur f\u00fcr im van het voor y zur zum na
w z u
"""
_SMALL = frozenset(_SMALL_WORDS.split())
_QUALIFIER = re.compile(r"\s*\((?:[^()]*,[^()]*|[^()]*: ?\d{4}[^()]*|[^()]*\bed\.)\)$")


@lru_cache(maxsize=4096)
def display(title: str) -> str:
    """`Phronesis (Barcelona, Spain)` -> `Phronesis`, `Europace : European pacing …` -> `Europace`, in title case.

    A trailing parenthesis goes when it is a place or date that NLM adds to tell titles apart (a comma, `: 1997`,
    `… ed.`); others stay. Small words of several languages keep their small letter inside.
    """
    text = _QUALIFIER.sub("", line(title)).split(" : ")[0].split(" = ")[0]
    text = _QUALIFIER.sub("", text).rstrip(".")
    if known := _OVERRIDES.get(text.lower()):
        return known
    words = text.split(" ")
    begins = True
    for n, word in enumerate(words):
        words[n] = word if not begins and word.lower() in _SMALL and not word.isupper() else _capital(word)
        begins = word.endswith((".", ":"))
    return " ".join(words)


def _capital(word: str) -> str:
    parts = word.split("-")
    return "-".join(part if n and part in _SMALL else _first(part) for n, part in enumerate(parts))


def _first(word: str) -> str:
    for n, char in enumerate(word):
        if char.isalpha():
            return word if any(c.isupper() for c in word) else word[:n] + char.upper() + word[n + 1 :]
    return word


def journal(article: Article) -> str:
    """The journal's title for prose styles, its abbreviation where the record has no title."""
    return display(article.journal.title) if article.journal.title else short(article)


def short(article: Article) -> str:
    """The MEDLINE abbreviation, else the ISO one, else the title."""
    source = article.journal
    return line(source.abbreviation) or line(source.iso_abbreviation) or display(source.title)


def title_of_abbreviation(article: Article, abbreviation: str) -> str:
    """The full name behind `abbreviation` where it is this article's own journal, else the abbreviation itself."""
    return (
        journal(article)
        if abbreviation.lower() == short(article).lower()
        else _OVERRIDES.get(abbreviation.lower(), abbreviation)
    )
