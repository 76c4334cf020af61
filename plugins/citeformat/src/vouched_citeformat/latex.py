"""Marked text for LaTeX: accents stay UTF-8, Greek and mathematical signs become commands, TeX's signs are escaped.

Measured with pdfLaTeX: this form compiles without a package beyond the kernel; only scripts that pdfLaTeX has no font
for (Chinese, Japanese, Korean, Cyrillic without T2A …) are left as they are. `$\\beta$`, not `\\ensuremath{}`, which
readers of BibTeX do not know.
"""

import re
import unicodedata
from functools import lru_cache

from vouched_citeformat.latex_signs import ACCENTS, latex_table
from vouched_citeformat.markup import B0, B1, I0, I1, MARKS, SUB0, SUB1, SUP0, SUP1
from vouched_citeformat.titlecase import all_caps

__all__ = ["escape", "protected", "verbatim"]

_TABLE = latex_table()
# Latin letters beyond Latin Extended-A: the kernel's UTF-8 table does not define most of them.
_BEYOND = re.compile("[\u0180-\u024f\u1e00-\u1eff]")
_ANYTHING = re.compile(f"[{re.escape(''.join(map(chr, _TABLE)))}\u0180-\u024f\u1e00-\u1eff]")
_ANY_MARK = re.compile(f"[{MARKS}]")
_OPENING, _CLOSING = re.compile(f"[{I0}{B0}{SUB0}{SUP0}]"), re.compile(f"[{I1}{B1}{SUB1}{SUP1}]")
_AROUND = "()[]\"'.,:;!?" + MARKS
_LEAD = re.compile(r"^[(\[\"'\u201c\u2018]+")
_TRAIL = re.compile(r"[.,;:!?)\]\"'\u201d\u2019]+$")
_SPLIT = re.compile(r"([-/])")
_SENTENCE_END = re.compile(r"[.:!?][\"'\u201d\u2019)\]]*$")


def escape(text: str) -> str:
    """Marked text as LaTeX. What comes out has balanced braces whatever went in."""
    if not _ANYTHING.search(text):
        return text
    if text.isascii():
        return text.translate(_TABLE)
    return _BEYOND.sub(_decomposed, text.translate(_TABLE))


def _decomposed(found: re.Match[str]) -> str:
    decomposed = unicodedata.normalize("NFD", found[0])
    base, accents = decomposed[0], decomposed[1:]
    if not accents or not base.isascii() or any(accent not in ACCENTS for accent in accents):
        return found[0]
    for accent in accents:
        base = rf"\{ACCENTS[accent]}{{{base}}}"
    return f"{{{base}}}"


def verbatim(text: str) -> str:
    """A DOI, URL or number: untouched, because biblatex and hyperref read it so; only braces are percent-encoded."""
    return text if text.count("{") == text.count("}") == 0 else text.replace("{", "%7B").replace("}", "%7D")


@lru_cache(maxsize=4096)
def protected(text: str) -> str:
    """A title whose capitals survive a bibliography style that lower-cases titles.

    Acronyms, mixed case, capitals beside digits and words with markup are braced; where the title stands in sentence
    case its other capitals are proper nouns and are braced too; in Title Case they are left to the style. A word that
    is one command is braced twice: `{\\textit{…}}` alone is a "special character", which BibTeX lower-cases.
    """
    if all_caps(text):
        return escape(text)
    words = text.split(" ")
    sentence = not _title_case(words)
    marks = _ANY_MARK.search(text) is not None
    depth, begins, out = 0, True, []
    for word in words:
        inside = depth
        if marks:
            depth += len(_OPENING.findall(word)) - len(_CLOSING.findall(word))
        if inside or depth:
            out.append(escape(word))
        elif marks and _ANY_MARK.search(word):
            out.append(_braced_markup(word))
        else:
            out.append(_braced(word, sentence, begins))
        begins = not word[-1:].isalnum() and _SENTENCE_END.search(word) is not None
    return " ".join(out)


def _title_case(words: list[str]) -> bool:
    long = [core for word in words if len(core := word.strip(_AROUND)) >= 4 and core.isalpha()]
    return sum(word[0].isupper() for word in long) > 0.5 * len(long)


def _braced_markup(word: str) -> str:
    tail = _TRAIL.search(word)
    core = word[: tail.start()] if tail and word[tail.start()] in ".,;:!?" else word
    inner = escape(core)
    inner = f"{{{inner}}}" if inner.startswith("\\") and core[-1] in MARKS else inner
    return f"{{{inner}}}{escape(word[len(core) :])}"


@lru_cache(maxsize=16384)
def _braced(word: str, sentence: bool, begins: bool) -> str:
    if word.islower():
        return escape(word)
    lead = _LEAD.match(word)
    head = lead[0] if lead else ""
    tail = _TRAIL.search(word, len(head))
    core = word[len(head) : tail.start() if tail else len(word)]
    parts = [
        escape(part) if n % 2 or not _needs(part, sentence, begins and n == 0) else f"{{{escape(part)}}}"
        for n, part in enumerate(_SPLIT.split(core))
    ]
    return escape(head) + "".join(parts) + escape(tail[0] if tail else "")


def _needs(part: str, sentence: bool, begins: bool) -> bool:
    letters = [char for char in part if char.isalpha()]
    capitals = sum(char.isupper() for char in letters)
    if not capitals:
        return False
    if capitals > 1 or not letters[0].isupper():
        return True
    if begins:
        return False
    if sentence or any(char.isdigit() for char in part):
        return True
    return len(letters) == 1 and letters[0] != "A"
