"""A quotation and the printed text, word by word: where they differ, and whether a number or a negation does."""

import difflib
import re
import unicodedata
from collections.abc import Iterator, Sequence

from vouched_europepmc.cues import cues
from vouched_europepmc.verify_quotes import Change

__all__ = ["Word", "changes", "window", "words"]

# (folded word, start, end) with offsets in the text as given.
Word = tuple[str, int, int]
_TOKEN = re.compile(r"\d+(?:[.,\u00b7]\d+)*%?|[^\W\d_]+(?:['\u2019-][^\W\d_]+)*|[^\w\s]|_")
_NUMBER = re.compile(r"\d")
_MARKS = str.maketrans("\u2018\u2019\u201c\u201d\u2010\u2011\u2013\u2212", "''\"\"----")
_SIGNS = frozenset("+-<>=\u2264\u2265\u00b1\u2248~")
_NEGATING = frozenset(("no", "not", "never", "without", "neither", "nor", "cannot", "none"))


def words(text: str) -> list[Word]:
    """Words, numbers and marks; case, quotation marks and dashes folded."""
    return [(_folded(found[0]), found.start(), found.end()) for found in _TOKEN.finditer(text)]


def _folded(word: str) -> str:
    return unicodedata.normalize("NFC", word).translate(_MARKS).lower()


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
    """The differences in order; marks and case that differ alone are typography."""
    ours, theirs = words(quoted), words(printed)
    a, b = [word for word, _, _ in ours], [word for word, _, _ in theirs]
    for tag, i, j, k, m in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        mine, other = _span(quoted, ours[i:j]), _span(printed, theirs[k:m])
        if tag != "equal":
            yield Change(_kind(a[i:j], b[k:m]), mine, other)
        elif "".join(mine.split()) != "".join(other.split()):
            yield Change("typography", mine, other)


def _span(text: str, of: Sequence[Word]) -> str:
    return text[of[0][1] : of[-1][2]] if of else ""


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
