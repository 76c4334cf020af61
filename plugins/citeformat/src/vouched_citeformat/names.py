"""Names of people and groups, in the forms that the styles use.

A family name is one unit with its particles, as the source has it; nothing is swapped, guessed or completed.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from vouched.api import Author

from vouched_citeformat.markup import line

__all__ = ["apa_initials", "cjk", "dotted", "full_suffix", "group", "inverted", "medline", "medline_suffix", "straight"]

_CJK = re.compile("[\u2e80-\u2fdf\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_DOTTED_RUN = re.compile(r"(?:[^\W\d_]\.){2,}[^\W\d_]?\.?$")
_FULL_SUFFIX = {"jr": "Jr.", "sr": "Sr.", "2nd": "II", "3rd": "III", "4th": "IV", "5th": "V"}
_MEDLINE_SUFFIX = {"ii": "2nd", "iii": "3rd", "iv": "4th", "v": "5th", "jr.": "Jr", "sr.": "Sr"}
_PARTICLE_WORDS = "de da do dos das del della di du la las los van von der den ten ter y e al bin ibn"
_PARTICLES = frozenset(_PARTICLE_WORDS.split())


def group(author: Author) -> str:
    """The group's name in one line, "" for a person."""
    return line(author.collective)


def cjk(author: Author) -> bool:
    """Whether the name is written in Chinese, Japanese or Korean script: then family and given stand together."""
    return not author.family.isascii() and _CJK.search(author.family) is not None


def _words(given: str, initials: str) -> list[str]:
    """Fore names as words; an unspaced run of initials (`M.R.C.`, `AB`) is taken apart.

    A short all-capital word counts as initials only where the source's own initials hold it, or where there are none.
    """
    if not given:
        given, initials = " ".join(initials.replace(".", " ")), ""
    words: list[str] = []
    letters = initials.replace(".", "").replace(" ", "").replace("-", "")
    for word in given.split():
        if "." in word and _DOTTED_RUN.fullmatch(word):
            words.extend(word.replace(".", ""))
        elif (
            2 <= len(word) <= 4
            and word.isupper()
            and (word in letters if letters else len(word) < 4 and word.isalpha())
        ):
            words.extend(word)
        else:
            words.append(word)
    return words


def _initial(word: str) -> str:
    """`Jean-Baptiste` -> `J.-B.`, `Ai-jun` -> `A.` (APA 7 s9.8), `d'Arc` -> `D.`; particles stay as they are."""
    if word.isalpha() and word not in _PARTICLES:
        return f"{word[0].upper()}."
    if word in _PARTICLES:
        return word
    if word[:1] in "\"'(\u201c\u2018":
        return ""
    parts = [part for part in word.replace("\u2010", "-").replace("\u2011", "-").split("-") if part]
    kept = [part for n, part in enumerate(parts) if n == 0 or not part[0].islower()]
    return "-".join(f"{part[0].upper()}." for part in kept if part[0].isalpha())


@lru_cache(maxsize=16384)
def _initials(given: str, initials: str) -> str:
    return " ".join([initial for word in _words(line(given), line(initials)) if (initial := _initial(word))])


def apa_initials(author: Author) -> str:
    """`F. M.`: from the fore names, which may be fuller than the initials; from the initials where there are none."""
    return _initials(author.given, author.initials)


@lru_cache(maxsize=16384)
def _dotted(given: str, initials: str) -> str:
    words = _words(line(given), line(initials))
    return " ".join([f"{word}." if len(word) == 1 and word.isupper() else word for word in words])


def dotted(author: Author) -> str:
    """Fore names in full, single capitals with a stop: `Peter O` -> `Peter O.`, `M J` -> `M. J.`."""
    return _dotted(author.given, author.initials)


def full_suffix(author: Author) -> str:
    """`Jr.`, `Sr.`, `III`: as APA, MLA, BibTeX and RIS write a suffix."""
    if not author.suffix:
        return ""
    suffix = line(author.suffix)
    return _FULL_SUFFIX.get(suffix.lower().rstrip("."), suffix)


def medline_suffix(author: Author) -> str:
    """`Jr`, `Sr`, `2nd`, `3rd`: as MEDLINE writes a suffix."""
    if not author.suffix:
        return ""
    suffix = line(author.suffix)
    return _MEDLINE_SUFFIX.get(suffix.lower(), suffix)


def medline(author: Author) -> str:
    """`Family IN Suffix` with the source's own initials (Citing Medicine ch. 1), which may be fewer than the names."""
    if author.collective:
        return group(author)
    if cjk(author):
        return line(author.family) + line(author.given)
    initials = line(author.initials).replace(".", "").replace(" ", "") or "".join(
        word[0] for word in _words(line(author.given), "")
    )
    return " ".join([part for part in (line(author.family), initials, medline_suffix(author)) if part])


def inverted(author: Author, given: str, *, suffix_comma: bool = True) -> str:
    """`Family, Given, Suffix`; a mononym alone; a name in CJK script without comma or space."""
    family = line(author.family)
    if cjk(author):
        return family + line(author.given)
    name = f"{family}, {given}" if family and given else family or given
    suffix = full_suffix(author)
    return f"{name}, {suffix}" if suffix and suffix_comma else f"{name} {suffix}" if suffix else name


def straight(author: Author) -> str:
    """`Given Family Suffix`, the natural order; MLA 9 s5.8 puts a comma before Jr. only."""
    if author.collective:
        return group(author)
    if cjk(author):
        return line(author.family) + line(author.given)
    name = " ".join(part for part in (dotted(author), line(author.family)) if part)
    suffix = full_suffix(author)
    return f"{name}, {suffix}" if suffix in ("Jr.", "Sr.") else f"{name} {suffix}" if suffix else name


def named(authors: Sequence[Author]) -> list[Author]:
    """Those that have a name at all, superseded spellings left out."""
    return [author for author in authors if author.valid and (author.family or author.collective or author.given)]
