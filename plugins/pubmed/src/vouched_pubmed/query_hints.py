"""What a query holds that PubMed does not read as its writer meant it. Nothing is rewritten; it is only said."""

import re
from collections.abc import Sequence

from vouched_pubmed.query_filters import unclosed

__all__ = ["hints"]

_QUOTED = re.compile(r'"[^"]*"|\[[^\]]*\]')
# Operators of other databases, each with what PubMed has instead.
_FOREIGN: Sequence[tuple[str, str]] = (
    (
        r"\b(?:NEAR|ADJ)/?[0-9]+\b|\b(?:PRE|W|N)/[0-9]+\b|\bNEAR\b",
        'is an operator of other databases; in PubMed a proximity search is `"two words"[tiab:~3]`',
    ),
    (
        r"\.(?:ti|ab|tw|mp|kw|af|sh)\b[.,]?[a-z,]*\.?",
        "is an Ovid field code; PubMed's tags stand in brackets, `word[tiab]`",
    ),
    (
        r":(?:ti|ab|kw|de)(?:,(?:ti|ab|kw|de))*\b",
        "is an Embase or Cochrane field code; PubMed's tags stand in brackets",
    ),
    (
        r"\bexp\s+[A-Za-z]+[^/()]*/|'[^']+'/exp\b",
        "explodes a heading in Ovid or Embase; PubMed explodes `heading[mh]` by itself",
    ),
    (r"\b[A-Za-z]{3,}(?:[$#](?!\w)|\?(?!\w|\s*$))", "is a wildcard of other databases; PubMed knows only `*`"),
    (
        r"\b(?:TITLE-ABS-KEY|TITLE|TS|TI|AB)\s*[(=]",
        "is syntax of other databases; PubMed's tags stand in brackets after the term",
    ),
)


def hints(query: str) -> list[str]:
    """Sentences for the reader, each naming the piece of the query it speaks of."""
    bare = _QUOTED.sub(" ", query)
    found = []
    for word in dict.fromkeys(re.findall(r"(?<![\w-])(and|or|not)(?![\w-])", bare)):
        found.append(
            f"`{word}` in lower case is no operator for PubMed, which joins words by AND; write {word.upper()}."
        )
    if re.search("[“”„«»]", query):
        found.append('Curly or angled quotation marks do not make a phrase for certain; write "straight" ones.')
    for pattern, meaning in _FOREIGN:
        piece = re.search(pattern, bare)
        if piece:
            found.append(f"`{piece[0].strip()}` {meaning}.")
    short = re.search(r"(?<![\w*])\w{1,3}\*", bare)
    if short:
        found.append(f"`{short[0]}` is too short to be truncated: PubMed needs four characters before `*`.")
    if left_open := unclosed(query):
        found.append(f"The {left_open} do not balance; PubMed closes them as it sees fit.")
    return found
