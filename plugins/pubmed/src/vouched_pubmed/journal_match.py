"""Whether a journal, as somebody cited it, is the record's: by title, by either abbreviation, by initials, by ISSN.

Each side may abbreviate. Only what can be no form of the record's names differs: a longer or shorter form that starts
or runs like the other, an acronym whose letters may come from the title, and a misspelt word cannot be compared.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from vouched.api import fold

from vouched_pubmed.lookup_citation import Grade

__all__ = ["compare_journal"]

_SMALL = re.compile(r"an?|and|de|der|des|di|du|e|et|for|fur|in|la|les?|of|on|the|und|y")
# Words that people add to a title or leave out without meaning another journal.
_LOOSE = frozenset(("j", "journal", "magazine", "online", "internet", "print", "ed", "edition", "official", "website"))
# Titles in transcription: who cites them in English or Latin translates, and says the country.
_TRANSCRIBED = re.compile(r"\b(zhonghua|zhongguo|zazhi|za zhi|xue bao|nihon|nippon|zasshi|taehan)\b", re.IGNORECASE)
_COUNTRY = re.compile(r"chin|jap|nippon|korea|sini", re.IGNORECASE)
# Where a subtitle, a translation or a place begins.
_SUBTITLE = re.compile(r"\s*(?:[:=;/]|\s[-–—]\s)\s*")
_ISSN = re.compile(r"\d{4}-?\d{3}[\dXx]")


def _words(name: str) -> tuple[str, ...]:
    return tuple(word for word in fold(name).split() if not _SMALL.fullmatch(word))


def _forms(name: str) -> list[tuple[str, ...]]:
    """The name, without what stands in brackets, and each of its parts before and after a colon or an equals sign."""
    plain = re.sub(r"\(.*?\)|\[.*?\]", " ", name)
    parts = _SUBTITLE.split(plain)
    texts = [name, plain, parts[0], *(re.split(r"\s=\s", plain)[1:])]
    return list(dict.fromkeys(words for text in texts if (words := _words(text))))


def _one_word(a: str, b: str) -> bool:
    """`neurol` for `neurology`, `natl` for `national`."""
    short, long = sorted((a, b), key=len)
    if long.startswith(short):
        return True
    if len(short) < 3 or short[0] != long[0] or short[-1] != long[-1] or len(short) > 5:
        return False
    letters = iter(long)
    return all(letter in letters for letter in short)


def _abbreviates(a: Sequence[str], b: Sequence[str]) -> bool:
    return len(a) == len(b) and all(_one_word(x, y) for x, y in zip(a, b, strict=True))


def _misspelt(a: Sequence[str], b: Sequence[str]) -> bool:
    def near(x: str, y: str) -> bool:
        close = min(len(x), len(y)) >= 5 and x[0] == y[0] and abs(len(x) - len(y)) <= 1
        return _one_word(x, y) or (close and SequenceMatcher(None, x, y).ratio() >= 0.88)

    return len(a) == len(b) and all(near(x, y) for x, y in zip(a, b, strict=True))


def _within(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether all words of the shorter stand in the longer in the same order."""
    rest = iter(long)
    return all(any(_one_word(word, other) for other in rest) for word in short)


def _initials(acronym: str, words: Sequence[str]) -> bool:
    return len(acronym) > 2 and "".join(word[0] for word in words).startswith(acronym)


def _letters_fit(acronym: str, words: Sequence[str]) -> bool:
    """Whether the letters stand in the title in this order, the first of them at the start of a word."""
    for start, word in enumerate(words):
        letters = iter("".join(words[start:]))
        if word[0] == acronym[0] and all(letter in letters for letter in acronym):
            return True
    return False


def _acronym(cited: str) -> bool:
    """One short word in capitals, with an inner one (`PLoS`), or without a vowel to be a word by."""
    word = re.sub(r"\W", "", cited)
    return len(word) <= 6 and (bool(re.search(r"[A-Z].*[A-Z]", word)) or not re.search(r"(?i)[aeiouy]", word))


def _cannot_tell(cited: str, asked: Sequence[str], known: Sequence[str]) -> bool:
    if len(asked) == 1 and _acronym(cited):
        return _letters_fit(asked[0], known)
    short, long = sorted((asked, known), key=len)
    loose = [word for word in long if word not in _LOOSE]
    if _abbreviates([word for word in short if word not in _LOOSE], loose) and loose:
        return True
    if _misspelt(asked, known):
        return True
    if len(short) == 1 and len(short[0]) > 2:
        return short is asked and _within(short, [word for word in long if len(word) > 2])
    return _within(short, long)


def _same(cited: str, name: str) -> bool:
    return re.sub(r"\W", "", cited.casefold()) == re.sub(r"\W", "", name.casefold())


def compare_journal(cited: str, names: Sequence[str]) -> Grade:
    """names: the record's titles, abbreviations, ISSNs and NLM id, "" for what it lacks."""
    if not cited.strip():
        return "not_given"
    given = [name for name in names if name.strip()]
    known = list(dict.fromkeys(form for name in given for form in _forms(name)))
    asked = _forms(cited)
    if not known or not asked:
        return "not_comparable"
    if any(_same(cited, name) for name in given) or any(_abbreviates(a, b) for a in asked for b in known):
        return "same"
    one = [form[0] for form in asked if len(form) == 1]
    if any(_initials(letters, words) for letters in one for words in known):
        return "same"
    if any(_initials(words[0], form) for words in known if len(words) == 1 for form in asked if len(form) > 2):
        return "same"
    if _ISSN.fullmatch(cited.strip()):
        # A journal has more ISSNs than a record names.
        return "not_comparable"
    names_of_it = " ".join(given)
    if any(_TRANSCRIBED.search(a) and _COUNTRY.search(b) for a, b in ((names_of_it, cited), (cited, names_of_it))):
        return "not_comparable"
    if any(len(word) > 2 and any(word in form for form in known) for word in one) and not _acronym(cited):
        # A whole word is a title of its own: `Nature` is no short form of `Nature Medicine`.
        return "differs"
    return "not_comparable" if any(_cannot_tell(cited, a, b) for a in asked for b in known) else "differs"
