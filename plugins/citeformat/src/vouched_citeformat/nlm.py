"""NLM: the form of PubMed's Cite button. All authors, MEDLINE abbreviation, full date, notices, PMID and PMCID.

Sources: NLM, Citing Medicine, 2nd ed., ch. 1 (journals) and 22 (books on the Internet); MEDLINE SO lines.
"""

from vouched.api import Article

from vouched_citeformat.fields import book_title, kind, title
from vouched_citeformat.markup import Markup, end_with_stop, finish, line
from vouched_citeformat.medline import authors, book_heading, book_source, source
from vouched_citeformat.notices import medline_lines

__all__ = ["build", "render"]


def render(article: Article, markup: Markup) -> str:
    """One reference in NLM form."""
    return finish(build(article), markup)


def build(
    article: Article, *, limit: int = 0, short_pages: bool = False, second_date: bool = True, ids: bool = True
) -> str:
    """The reference as marked text.

    Args:
        limit: authors before `et al.`; 0 for all.
        short_pages: `1116-22` for `1116-1122`; second_date: `Epub …`; ids: PMID and PMCID at the end.
    """
    what = kind(article)
    parts: list[str] = []
    if what == "book":
        parts.append(book_heading(article, limit))
        parts.append(f"{book_title(article) or title(article)} [Internet].")
        parts.append(book_source(article, limit))
    else:
        people = authors(article.authors, limit)
        parts.append(end_with_stop(people) if people else "")
        parts.append(end_with_stop(heading) if (heading := title(article)) else "")
        parts.append(
            book_source(article, limit)
            if what == "chapter"
            else source(article, short_pages=short_pages, second_date=second_date)
        )
    parts.extend(medline_lines(article))
    if ids:
        parts.append(_ids(article))
    return " ".join(part for part in parts if part)


def _ids(article: Article) -> str:
    pmid, pmcid = line(article.ids.get("pmid", "")), line(article.ids.get("pmcid", ""))
    found = "; ".join(part for part in (pmid and f"PMID: {pmid}", pmcid and f"PMCID: {pmcid}") if part)
    return f"{found}." if found else ""
