"""Citation keys: the same record has the same key in every batch, and two records never share one."""

import hashlib
import unicodedata

from vouched.api import Article

from vouched_citeformat.dates import cited_date
from vouched_citeformat.fields import book_title, doi, title
from vouched_citeformat.markup import plain
from vouched_citeformat.names import cjk, group, named

__all__ = ["key"]

_LETTERS = str.maketrans(
    {
        "\u00f8": "o", "\u00d8": "o", "\u0142": "l", "\u0141": "l", "\u0111": "d", "\u0110": "d", "\u00df": "ss",
        "\u00e6": "ae", "\u00c6": "ae", "\u0153": "oe", "\u0152": "oe", "\u0131": "i", "\u00fe": "th",
        "\u00de": "th", "\u00f0": "d", "\u00d0": "d",
    }
)  # fmt: skip


def key(article: Article) -> str:
    """`liu2023-37398060`: ASCII family name, year and PMID, lower case throughout.

    A group gives its first 24 letters, a record without (readable) authors the first long word of its title; without a
    PMID the Europe PMC or Bookshelf id, else a hash of the DOI or title, stands at the end.
    """
    year = cited_date(article).year
    return f"{_name(article)}{year if year is not None else 'nd'}-{_number(article)}"


def _name(article: Article) -> str:
    people = named(article.authors)
    if people and not cjk(people[0]):
        found = ascii_letters(group(people[0]))[:24] or ascii_letters(people[0].family)
        if found:
            return found
    words = plain(title(article) or book_title(article)).split()
    letters = [ascii_letters(word) for word in words]
    return next((word for word in letters if len(word) > 3), "") or next((word for word in letters if word), "anon")


def ascii_letters(text: str) -> str:
    """Lower-case letters a to z of `text`, accents dropped."""
    folded = unicodedata.normalize("NFKD", text.translate(_LETTERS)).lower()
    return "".join(char for char in folded if "a" <= char <= "z")


def _number(article: Article) -> str:
    for scheme in ("pmid", "pmcid", "ppr", "nbk"):
        value = "".join(char for char in article.ids.get(scheme, "").lower() if char.isascii() and char.isalnum())
        if value:
            return value
    source = doi(article).lower() or plain(title(article))
    return hashlib.sha256(source.encode()).hexdigest()[:8]
