"""A quotation and the printed text, word by word: where they differ, and whether a number or a negation does."""

import difflib
import re
import unicodedata
from collections.abc import Iterator, Sequence

from vouched_europepmc.cues import cues
from vouched_europepmc.verify_quotes import Change

__all__ = ["Word", "changes", "cuts_number", "unmarked", "window", "words"]

# (folded word, start, end) with offsets in the text as given.
Word = tuple[str, int, int]
# The hyphen stands last: these are classes of patterns, too.
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d-"
# "1,204" and "1 204": groups of three digits, set apart by a comma or any space that stays on the line.
_GROUPED = r"(?<![\d.,\u00b7])[1-9]\d{0,2}(?:(?:,|[^\S\n\r\t])\d{3})+(?!\d|[,\u00b7]\d)(?:\.\d+)?"
_PLAIN = r"\d+(?:[.,\u00b7]\d+)*"
# Superscript digits, "10\u2076"; the reader of full texts writes them as "10^6" after a digit, plain after a letter.
_RAISED, _RAISED_SIGNS = "\u2070\u00b9\u00b2\u00b3\u2074-\u2079", "\u207a\u207b"
_LETTER = rf"[^\W\d_{_RAISED}\u2080-\u2089]"
_TOKEN = re.compile(
    rf"(?:{_GROUPED}|{_PLAIN})(?:\s?%)?|{_LETTER}+(?:['\u2019{_DASHES}]{_LETTER}+)*|[<>]=|\+/[{_DASHES}]"
    rf"|(?<=\d)\^[+{_DASHES}]?\d+|[{_RAISED_SIGNS}]?[{_RAISED}]+|[^\w\s]|\w"
)
_POWER = re.compile(rf"\^.|[{_RAISED_SIGNS}{_RAISED}]")
_GROUPS = re.compile(_GROUPED)
# Citation marks, which printed pages set high and quotations leave out.
_MARK = re.compile(r"\[\d[\d,;\u2013\u2212\- ]*\]")
_NUMBER = re.compile(rf"\d|[{_RAISED}]")
_LIGATURES = ("ff", "fi", "fl", "ffi", "ffl", "st", "st")
# Marks that printers and keyboards write in several ways, the micro sign and ligatures among them.
_MARKS = str.maketrans(
    {
        **dict.fromkeys(_DASHES, "-"),
        "\u2018": "'",
        "\u2019": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u00b5": "\u03bc",
        **dict(zip("\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06", _LIGATURES, strict=True)),
        **dict(zip("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "0123456789", strict=True)),
        **dict(zip("\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089", "0123456789", strict=True)),
        "\u207a": "+",
        "\u207b": "-",
    }
)
_WRITTEN = {"<=": "\u2264", ">=": "\u2265", "+/-": "\u00b1"}
_SIGNS = frozenset("+-<>=\u2264\u2265\u00b1\u2248~")
_NEGATING = frozenset(("no", "not", "never", "without", "neither", "nor", "cannot", "none"))


def words(text: str) -> list[Word]:
    """Words, numbers and marks; case, quotation marks, dashes, ligatures and the grouping of digits folded."""
    return [(_folded(found), found.start(), found.end()) for found in _TOKEN.finditer(text)]


def unmarked(text: str, like: str) -> str:
    """`text` with its citation marks blanked, for a quotation that has none; all offsets stay."""
    return text if "[" not in text or _MARK.search(like) else _MARK.sub(lambda found: " " * len(found[0]), text)


def _folded(found: "re.Match[str]") -> str:
    formed, at = _formed(found[0]).lower(), found.start()
    # A power is no part of the number before it: "10\u2076" is not 106.
    return f"^{formed}" if _POWER.match(found[0]) and at and found.string[at - 1].isdecimal() else formed


def _formed(word: str) -> str:
    """One way to write it, case kept: "1,204" is 1204, "18\u00b72" 18.2; a power is its digits."""
    if word[0].isdecimal():
        plain = "".join(word.split())
        return plain.replace(",", "") if _GROUPS.match(word) else plain.replace("\u00b7", ".")
    folded = unicodedata.normalize("NFC", word).translate(_MARKS)
    if folded[0] == "^" and len(folded) > 1:
        return folded[1:]
    return _WRITTEN.get(folded, folded)


def cuts_number(text: str, at: int) -> bool:
    """Whether a place lies within a number whose digits are set in groups."""
    low = max(0, at - 16)
    return any(found.start() + low < at < found.end() + low for found in _GROUPS.finditer(text[low : at + 16]))


def window(wanted: Sequence[str], printed: Sequence[str]) -> tuple[float, int, int]:
    """(share of `wanted` found in order, first and last word) of the stretch of `printed` most like `wanted`."""
    matcher = difflib.SequenceMatcher(None, printed, wanted, autojunk=False)
    core = matcher.find_longest_match()
    if not core.size:
        return 0.0, 0, 0
    # The stretch around the longest common run, as long as the quotation, with some slack for inserted words.
    slack = max(3, len(wanted) // 5)
    low = max(0, core.a - core.b - slack)
    high = min(len(printed), core.a - core.b + len(wanted) + slack)
    inner = difflib.SequenceMatcher(None, wanted, printed[low:high], autojunk=False)
    kept = [block for block in inner.get_matching_blocks() if block.size]
    head, tail = kept[0], kept[-1]
    first = max(low, low + head.b - head.a)
    last = min(high, low + tail.b + len(wanted) - tail.a) - 1
    return sum(block.size for block in kept) / len(wanted), first, max(first, last)


def changes(quoted: str, printed: str) -> Iterator[Change]:
    """The differences in order. A word that differs in case alone is typography, one that is written in another way
    (digits grouped, another dash) formatting."""
    printed = unmarked(printed, quoted)
    ours, theirs = words(quoted), words(printed)
    a, b = [word for word, _, _ in ours], [word for word, _, _ in theirs]
    for tag, i, j, k, m in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag != "equal":
            yield Change(_kind(a[i:j], b[k:m]), _span(quoted, ours[i:j]), _span(printed, theirs[k:m]))
            continue
        for mine, other in zip(ours[i:j], theirs[k:m], strict=True):
            yield from _written(_span(quoted, [mine]), _span(printed, [other]))


def _written(quoted: str, printed: str) -> Iterator[Change]:
    if "".join(quoted.split()) != "".join(printed.split()):
        yield Change("formatting" if _formed(quoted) == _formed(printed) else "typography", quoted, printed)


def _span(text: str, of: Sequence[Word]) -> str:
    return " ".join(text[of[0][1] : of[-1][2]].split()) if of else ""


def _kind(quoted: Sequence[str], printed: Sequence[str]) -> str:
    changed = {*quoted} ^ {*printed}
    if any(_NUMBER.search(word) for word in changed):
        return "number"
    if changed & _NEGATING or any(word.endswith("n't") for word in changed):
        return "negation"
    if _negates(quoted) != _negates(printed):
        return "negation"
    return "sign" if changed & _SIGNS else "wording"


def _negates(of: Sequence[str]) -> bool:
    return any(cue.kind in ("negation", "double_negation") for cue in cues(" ".join(of)))
