"""What a reader should check in a citation: codes that machines can read, each with its reason."""

from vouched.api import Article

from vouched_citeformat.dates import issue_date
from vouched_citeformat.fields import doi, kind, title
from vouched_citeformat.markup import plain
from vouched_citeformat.names import named
from vouched_citeformat.notices import subjects
from vouched_citeformat.pages import place
from vouched_citeformat.titlecase import all_caps

__all__ = ["caveats"]


def caveats(article: Article) -> list[str]:
    """`code: reason` for each thing that the record lacks or that was concluded."""
    what, found = kind(article), _about(article)
    heading = plain(title(article))
    if not heading:
        found.append("no_title: the record has no title")
    elif all_caps(heading):
        found.append("all_caps_title: the source's title is in capitals; its proper case cannot be recovered")
    if "title" in article.flattened:
        found.append("formula_flattened: a formula in the title is written as linear text")
    if not _has_year(article):
        found.append("missing_year: the record has no year")
    if not article.authors_complete:
        found.append("authors_incomplete: the source says that its author list is cut")
    if not named(article.authors) and not article.editors:
        found.append("no_authors: the record has no author; the title stands first")
    if what == "article":
        where = place(article)
        if where.kind == "article" and where.guessed:
            found.append(f"article_number_guessed: {where.first} is taken for an article number by its form")
        elif not where.spans and article.publication_status != "aheadofprint" and where.kind != "text":
            found.append("no_pages: the record gives neither pages nor an article number")
    if what == "article" and not article.ids.get("pmid") and not doi(article):
        found.append("no_identifier: the record has neither PMID nor DOI")
    return found


def _about(article: Article) -> list[str]:
    if not article.status.is_notice:
        return []
    of = ", ".join(f"{phrase} {source}" for phrase, source in subjects(article))
    return [f"is_notice: the record is itself a notice{f': {of}' if of else ''}"]


def _has_year(article: Article) -> bool:
    dates = (issue_date(article), article.revision_date, article.book.date if article.book else issue_date(article))
    return any(date.year is not None for date in dates)
