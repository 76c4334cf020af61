"""What a query holds that Europe PMC does not read as its writer meant it. Nothing is rewritten; it is only said."""

import re
from collections.abc import Sequence

__all__ = ["hints"]

_QUOTED = re.compile(r'"[^"]*"')
_RANGE = re.compile(r"\[[^\]]* TO [^\]]*\]")
# Operators of other databases, each with what Europe PMC has instead.
_FOREIGN: Sequence[tuple[str, str]] = (
    (
        r"(?i:\[(?:ti|tiab|title|title/abstract|mesh|mesh terms|mh|majr|au|author|pt|publication type|dp|pdat|la|"
        r"language|pmid|uid|tw|text word|all|all fields|ta|journal|ad|affiliation|sb|filter|sh|nm|ot|si|gr|aid)"
        r"(?::[^\]]*)?\])",
        "is a tag of PubMed; Europe PMC's fields stand before the term, `TITLE:word`",
    ),
    (
        r"\b(?:NEAR|ADJ)/?[0-9]+\b|\b(?:PRE|W|N)/[0-9]+\b|\bNEAR\b",
        'is an operator of other databases; Europe PMC knows "phrases"',
    ),
    (
        r"\.(?:ti|ab|tw|mp|kw|af|sh)\b[.,]?[a-z,]*\.?",
        "is an Ovid field code; Europe PMC's fields stand before the term, `TITLE:word`",
    ),
    (
        r":(?:ti|ab|kw|de)(?:,(?:ti|ab|kw|de))*\b",
        "is an Embase or Cochrane field code; Europe PMC's fields stand before the term, `TITLE:word`",
    ),
    (r"\b(?:TITLE-ABS-KEY|TS|TI|AB)\s*[(=]", "is syntax of other databases; in Europe PMC it is `TITLE_ABS:word`"),
    (r"\b[A-Za-z]{3,}[$#](?!\w)", "is a wildcard of other databases; Europe PMC's is `*`"),
)


def hints(query: str) -> list[str]:
    """Sentences for the reader, each naming the piece of the query it speaks of."""
    bare = _RANGE.sub(" ", _QUOTED.sub(" ", query))
    found = [
        f"`{word}` in lower case is no operator for Europe PMC, which joins words by AND; write {word.upper()}."
        for word in dict.fromkeys(re.findall(r"(?<![\w-])(and|or|not)(?![\w-])", bare))
    ]
    if re.search("[“”„«»]", query):
        found.append('Curly or angled quotation marks do not make a phrase for certain; write "straight" ones.')
    for pattern, meaning in _FOREIGN:
        if piece := re.search(pattern, bare):
            found.append(f"`{piece[0].strip()}` {meaning}.")
    return found
