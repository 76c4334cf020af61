"""Words of a citation string that no field was read from: most often its title, which must not pass unseen.

A string whose title could not be told from its other parts still has it. What is left of the string beside the record's
authors, journal and numbers is held against the record's title.
"""

import re
from collections.abc import Iterable, Sequence

from vouched.api import Article, ParsedReference

from vouched_pubmed.lookup_citation import Grade
from vouched_pubmed.reference_authors import PERSON
from vouched_pubmed.title_match import FUNCTION_WORDS, compare_title, spelling, title_words

__all__ = ["ENOUGH_WORDS", "compare_unread", "is_unread", "left_over"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# As many words beside each other, of no field, say something; fewer may be a publisher, a place or an odd name.
ENOUGH_WORDS = 3
_LINKS = re.compile(
    r"https?://\S+|\bwww\.\S+|\b10\.\d{4,9}/\S+|\bdoi\b|\bPM(?:C)?ID\s*[:#]?\s*(?:PMC)?\d*|\bPMC\d+", re.IGNORECASE
)
# Behind a citation: "Retraction of: Doe J, Roe R. J Invent Res. 2020;1:2", where other people's names stand.
_NOTICE = re.compile(
    r"\b(?:retraction|erratum|expression of concern|correct\w* and republished|retracted and republished|correction"
    r"|partial retraction|comment|update) (?:in|of|for|on|from)\b.*"
)
# What stands in citations beside their fields, in whatever style.
_APPARATUS = _words(
    "january february march april may june july august september october november december jan feb mar apr jun jul "
    "aug sep sept oct nov dec spring summer autumn fall winter et al others colleagues eds ed editor editors vol "
    "volume no nos number issue pp p page pages art article suppl supplement pt part print epub online internet "
    "electronic ahead available accessed retrieved cited published publication press doi pmid pmcid pubmed medline "
    "http https www org com and und the"
)


def left_over(reference: ParsedReference, article: Article | None = None, text: str | None = None) -> list[list[str]]:
    """Runs of two and more words, folded, that are part of no field of the reference nor of the record.

    Numbers, single letters and what citations say beside their fields neither count nor part a run; a word of a field
    parts it. `text` stands for the reference's own.
    """
    words = title_words(_LINKS.sub(" ", reference.text if text is None else text))
    keys = [spelling(word) for word in words]
    taken = [False] * len(words)
    for value in _values(reference, article):
        _take(keys, taken, _keys(value))
    names = {key for value in _names(article) for key in _keys(value)}
    runs: list[list[str]] = [[]]
    for word, key, gone in zip(words, keys, taken, strict=True):
        if gone or key in names:
            runs.append([])
        elif not re.search(r"\d", word) and word not in _APPARATUS:
            runs[-1].append(word)
    return [run for run in runs if len(_content(run)) >= 2]


def _keys(text: str) -> list[str]:
    return [spelling(word) for word in title_words(text)]


def _content(run: Sequence[str]) -> list[str]:
    return [word for word in run if word not in FUNCTION_WORDS and len(word) > 1]


def _values(reference: ParsedReference, article: Article | None) -> Iterable[str]:
    """What was read, longest first, and what the record has in the same places.

    What was read as a name or a journal counts only where it holds no more than one: it may have taken in the title.
    """
    fields = reference.fields
    values = [fields.get(name, "") for name in ("pages", "volume", "issue")]
    values += [name for name in fields.get("authors", "").split(";") if PERSON.fullmatch(name.strip())]
    read, own = fields.get("journal", ""), []
    if article is not None:
        journal, book = article.journal, article.book
        # A translated title may stand beside the vernacular one.
        own = [journal.abbreviation, journal.iso_abbreviation, journal.title, article.title, article.vernacular_title]
        values += [book.title, book.publisher, book.place] if book else []
        values += [author.collective for author in article.authors]
    within = f" {' '.join(_keys(read))} "
    if not any((keys := _keys(name)) and f" {' '.join(keys)} " in within for name in own):
        values.append(read)
    return sorted((value for value in [*values, *own] if value.strip()), key=len, reverse=True)


def _names(article: Article | None) -> Iterable[str]:
    """Of the record's people; a name stands in a citation in any order and form."""
    for author in (*article.authors, *article.editors) if article is not None else ():
        yield author.family
        yield author.given
        yield author.initials


def _place(keys: Sequence[str], taken: Sequence[bool], wanted: Sequence[str]) -> int:
    """Where the wanted words first stand together and are free; -1 for nowhere."""
    size = len(wanted)
    for start in range(len(keys) - size + 1 if size else 0):
        if list(keys[start : start + size]) == list(wanted) and not any(taken[start : start + size]):
            return start
    return -1


def _take(keys: Sequence[str], taken: list[bool], wanted: Sequence[str]) -> None:
    start = _place(keys, taken, wanted)
    if start >= 0:
        taken[start : start + len(wanted)] = [True] * len(wanted)


def is_unread(reference: ParsedReference) -> bool:
    """Whether a citation string holds a title, most likely, and none was read out of it, nor any id."""
    if not reference.text or reference.ids or reference.fields.get("title"):
        return False
    return sum(len(_content(run)) for run in left_over(reference)) >= ENOUGH_WORDS


def compare_unread(reference: ParsedReference, article: Article) -> tuple[Grade, str]:
    """Grade of a title that was not read out of a citation string, and what stands there instead.

    The same where the record's title stands in the string with nothing beside it; differs where enough words of no
    field are left that are not its title; not_given where the string holds nothing of a title.
    """
    beside = _beside_title(reference, article)
    if beside == []:
        return "same", ""
    runs = left_over(reference, article) if beside is None else beside
    said = " ".join(word for run in runs for word in run)
    if beside is None and runs and compare_title(said, article) == "same":
        return "same", said
    number = sum(len(_content(run)) for run in runs)
    if number >= ENOUGH_WORDS:
        return "differs", said
    return ("not_comparable" if number else "not_given"), said


def _beside_title(reference: ParsedReference, article: Article) -> list[list[str]] | None:
    """What is left beside the record's title, None where that does not stand in the string."""
    book = article.book
    words = title_words(_LINKS.sub(" ", reference.text))
    keys = [spelling(word) for word in words]
    for title in (article.title, article.vernacular_title, book.title if book else ""):
        wanted = _keys(title)
        start = _place(keys, [False] * len(keys), wanted)
        if start >= 0:
            before, behind = " ".join(words[:start]), " ".join(words[start + len(wanted) :])
            return [*left_over(reference, article, before), *left_over(reference, article, _NOTICE.sub("", behind))]
    return None
