"""A title, as somebody wrote it, against a record's, word by word.

A content word, number or negation that is changed, added or missing makes another title. Punctuation, case, accents,
markup, British spelling, function words, a trailing note in brackets, a missing subtitle and a title cut short do not.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from vouched.api import Article, flatten_html, fold

from vouched_pubmed.lookup_citation import Grade

__all__ = ["FUNCTION_WORDS", "compare_title", "compare_title_in_text", "spelling", "title_words"]

_SMALL_WORDS = (
    "a an and are as at be been by for from in into is its of on or per percent that the their these this those to was "
    "were with"
)
FUNCTION_WORDS = frozenset(_SMALL_WORDS.split())
_FLAG = re.compile(r"^\s*(?:retracted(?: article)?|withdrawn|removed)\s*[:.]\s*", re.IGNORECASE)
_NOTE = re.compile(r"\s*[\[(][^\[\]()]*[\])][\s.*]*$")
_LETTERS = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi "
    "psi omega"
)
_GREEK = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", _LETTERS.split(), strict=True))
_ROMAN = {"ii": "2", "iii": "3", "iv": "4"}
# British to American, on both sides alike: it matters only that the two become one.
_SPELLINGS = (
    (re.compile(r"isation"), "ization"),
    (re.compile(r"is(e|es|ed|ing|er|ers)$"), r"iz\1"),
    (re.compile(r"ys(e|es|ed|ing)$"), r"yz\1"),
    (re.compile(r"our"), "or"),
    (re.compile(r"ae|oe"), "e"),
    (re.compile(r"ll"), "l"),
    (re.compile(r"tre(s?)$"), r"ter\1"),
    (re.compile(r"ogue(s?)$"), r"og\1"),
    (re.compile(r"gramme(s?)$"), r"gram\1"),
    (re.compile(r"ph"), "f"),
)
# Fewer words in common than this, and a text read out of a citation string may be no title at all.
ALIKE = 0.5
# A title of a single known word may stand anywhere.
LEAST = 3
# The longest titles have some 80 words; comparing takes the square of the length.
MOST_WORDS = 300
CUT = re.compile(r"(?:\.\.\.|…)\s*$")
_BOUNDARY = re.compile(r"[.?!:;,“”\"()\[\]*_]|(?<!\w)['‘’]|['‘’](?!\w)")


def title_words(title: str) -> list[str]:
    """The words of a title, folded, with Greek letters by name and Roman numbers as numbers; at most 300."""
    found = []
    # APL's signs look like the Greek letters that they are typed for.
    for word in fold(flatten_html(title).replace("⍺", "α").replace("⍵", "ω")).split():
        spelt = "".join(f" {_GREEK[letter]} " if letter in _GREEK else letter for letter in word).split()
        found += [_ROMAN.get(part, part) for part in spelt]
    return found[:MOST_WORDS]


def spelling(word: str) -> str:
    """The form that the spellings of one word, British or American, have in common: for comparing only."""
    for pattern, to in _SPELLINGS:
        word = pattern.sub(to, word)
    return word


def _joined(words: Sequence[str]) -> str:
    return spelling("".join(word for word in words if word not in FUNCTION_WORDS))


def _same_run(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether two runs of words differ in nothing that matters: `meta analysis` and `metaanalysis`, `of the` and ``."""
    return _joined(a) == _joined(b) or [spelling(w) for w in a if w not in FUNCTION_WORDS] == [
        spelling(w) for w in b if w not in FUNCTION_WORDS
    ]


def _runs(asked: Sequence[str], own: Sequence[str]) -> list[tuple[list[str], list[str]]]:
    """The parts that are not the same, as (asked, own)."""
    a, b = [spelling(word) for word in asked], [spelling(word) for word in own]
    codes = SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    return [
        (list(asked[i1:i2]), list(own[j1:j2]))
        for tag, i1, i2, j1, j2 in codes
        if tag != "equal" and not _same_run(asked[i1:i2], own[j1:j2])
    ]


def _is_same(asked: Sequence[str], own: Sequence[str], *, cut: bool) -> bool:
    if _same_run(asked, own) or not _runs(asked, own):
        return True
    # Cut short: the record's title goes on where the reference's ends.
    content = [word for word in asked if word not in FUNCTION_WORDS]
    if len(content) < LEAST or len(asked) >= len(own):
        return False
    for end in range(max(1, len(asked) - 3), min(len(own), len(asked) + 4)):
        if not _runs(asked, own[:end]):
            return True
        partly = cut and own[end - 1].startswith(asked[-1]) and not _runs(asked[:-1], own[: end - 1])
        if partly:
            return True
    return False


def _forms(title: str) -> list[str]:
    """A title, without a flag before it, without a note behind it, and its parts up to a colon, dash or full stop."""
    bare = _FLAG.sub("", title)
    whole = re.sub(r"^\s*\[(.*)\][\s.]*$", r"\1", bare)
    forms = [title, bare, whole, _NOTE.sub("", whole), _NOTE.sub("", _NOTE.sub("", whole))]
    forms += [whole[: found.start()] for found in re.finditer(r"\s*(?::|;|\?|!|\.\s|\s[-–—]\s)", whole)]
    return [form for form in dict.fromkeys(forms) if form.strip(" .[]")]


def _asked_forms(given: str) -> list[str]:
    """As given, and, where a translation stands in brackets beside the original, each of the two."""
    bare = CUT.sub("", _FLAG.sub("", given))
    bracketed = (
        re.findall(r"\[([^\[\]]{8,})\]", bare) if len(title_words(re.sub(r"\[.*\]", " ", bare))) >= LEAST else []
    )
    return [form for form in dict.fromkeys((bare, _NOTE.sub("", bare), *bracketed)) if form.strip(" .[]")]


def _titles(article: Article) -> list[str]:
    book = article.book
    return [title for title in (article.title, article.vernacular_title, book.title if book else "") if title.strip()]


def compare_title(given: str, article: Article) -> Grade:
    """A title by itself; a book's counts for its chapters."""
    if not given.strip():
        return "not_given"
    own = [words for title in _titles(article) for form in _forms(title) if (words := title_words(form))]
    asked = [words for form in _asked_forms(given) if (words := title_words(form))]
    if not own or not asked:
        return "not_comparable"
    cut = CUT.search(given) is not None
    same = any(_is_same(a, b, cut=cut) for a in asked for b in own)
    return "same" if same else "differs"


def _marked(text: str) -> list[str]:
    """Words of a text, with a bar wherever a sentence or a part of it may end."""
    parts = _BOUNDARY.split(flatten_html(text))
    return [word for part in parts for word in ("|", *title_words(part))] + ["|"]


def _stands_in(words: Sequence[str], text: Sequence[str]) -> bool:
    """Whether the words stand in the text by themselves: a boundary before the first and behind the last."""
    plain = [(place, word) for place, word in enumerate(text) if word != "|"]
    size = len(words)
    for start in range(len(plain) - size + 1):
        if [spelling(word) for _, word in plain[start : start + size]] == [spelling(word) for word in words]:
            first, last = plain[start][0], plain[start + size - 1][0]
            if text[first - 1] == "|" and text[last + 1] == "|":
                return True
    return False


def compare_title_in_text(read: str, article: Article, text: str) -> Grade:
    """The title that was read out of a citation string, which may have been read wrongly: the string itself decides."""
    grade = compare_title(read, article)
    if grade != "differs":
        return grade
    marked = _marked(text)
    titles = _titles(article)
    own = [words for title in titles for form in _forms(title)[:4] if len(words := title_words(form)) >= LEAST]
    short = [words for title in titles if 0 < len(words := title_words(title)) < LEAST]
    if any(_stands_in(words, marked) for words in (*own, *short)):
        return "same"
    asked = title_words(read)
    alike = max((SequenceMatcher(None, asked, words, autojunk=False).ratio() for words in own), default=0.0)
    heard = {spelling(word) for word in marked}
    told = max((sum(spelling(w) in heard for w in words) / len(words) for words in own), default=0.0)
    return "not_comparable" if alike < ALIKE and told > 0.8 else "differs"
