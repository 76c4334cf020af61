"""NBIB: the MEDLINE display format of PubMed, as reference managers import it.

Source: NLM, "MEDLINE/PubMed Data Element (Field) Descriptions": tag of four characters, a hyphen and a space, values
wrapped and continued after six spaces; order of tags as in PubMed's display.
"""

import textwrap
from collections.abc import Iterator

from vouched.api import Article, Author, Date

from vouched_citeformat.dates import issue_date, medline_date
from vouched_citeformat.fields import book_title, kind, pii_item, title, vernacular
from vouched_citeformat.markup import Markup, end_with_stop, line, plain
from vouched_citeformat.medline import source
from vouched_citeformat.names import cjk, group, medline, named
from vouched_citeformat.pages import place

__all__ = ["render"]

WIDTH = 88
_NOTICES = {
    "RetractionIn": "RIN", "RetractionOf": "ROF", "ErratumIn": "EIN", "ErratumFor": "EFR",
    "ExpressionOfConcernIn": "ECI", "ExpressionOfConcernFor": "ECF",
    "UpdateIn": "UIN", "UpdateOf": "UOF", "RepublishedIn": "RPI",
    "RepublishedFrom": "RPF",
    "CorrectedandRepublishedIn": "CRI", "CorrectedandRepublishedFrom": "CRF", "RetractedandRepublishedIn": "RRI",
    "RetractedandRepublishedFrom": "RRF", "PartialRetractionIn": "PRIN", "PartialRetractionOf": "PROF",
}  # fmt: skip
Tag = tuple[str, str]


def render(article: Article, markup: Markup) -> str:
    """One MEDLINE record, ending with a newline; no empty tag. An abstract is written when there is one."""
    return "".join(_wrapped(tag, value) for tag, value in _tags(article) if value)


def _wrapped(tag: str, value: str) -> str:
    head = f"{tag:<4}- "
    if len(head) + len(value) <= WIDTH:
        return f"{head}{value}\n"
    lines = textwrap.wrap(
        value,
        WIDTH,
        initial_indent=head,
        subsequent_indent=" " * len(head),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines) + "\n"


def _tags(article: Article) -> Iterator[Tag]:
    journal, what = article.journal, kind(article)
    yield "PMID", line(article.ids.get("pmid") or article.ids.get("ppr") or "")
    yield from (("IS", issn) for issn in _issns(article))
    yield "VI", line(article.volume)
    yield "IP", line(article.issue)
    yield "DP", _date(article)
    yield "TI", _title(article)
    yield "BTI", plain(book_title(article)) if what in ("book", "chapter") else ""
    yield "PG", _pages(article)
    yield from (("LID", f"{line(e.value)} [{line(e.type)}]") for e in article.e_locations if e.valid and line(e.value))
    if article.abstract:
        yield "AB", line(article.abstract_text())
        yield "CI", line(article.copyright)
    yield from _people(article)
    yield from (("LA", line(code)) for code in article.languages)
    yield from (("PT", line(type_.name)) for type_ in article.types)
    yield "DEP", _compact(article.electronic_date)
    yield "TT", plain(vernacular(article))
    yield "PL", line(article.book.place) if article.book else line(journal.country)
    yield "PB", line(article.book.publisher) if article.book else ""
    yield "TA", line(journal.abbreviation)
    yield "JT", line(journal.title)
    yield "JID", line(journal.nlm_id)
    yield from _notices(article)
    yield from (("MH", line(heading.name)) for heading in article.mesh)
    yield "PMC", line(article.ids.get("pmcid", ""))
    yield from (("OT", line(keyword.term)) for keyword in article.keywords)
    yield "AID", f"{pii} [pii]" if (pii := pii_item(article)) else ""
    yield "AID", f"{doi} [doi]" if (doi := line(article.ids.get("doi", ""))) else ""
    yield "PST", line(article.publication_status)
    yield "SO", source(article, preprint_label=False) if what in ("article", "preprint") else ""


def _issns(article: Article) -> Iterator[str]:
    source = article.journal
    if source.issn_electronic:
        yield f"{line(source.issn_electronic)} (Electronic)"
    if source.issn_print:
        yield f"{line(source.issn_print)} (Print)"
    if source.issn_linking and source.issn_linking not in (source.issn_print, source.issn_electronic):
        yield f"{line(source.issn_linking)} (Linking)"
    elif source.issn and source.issn not in (source.issn_print, source.issn_electronic):
        yield line(source.issn)


def _date(article: Article) -> str:
    date = issue_date(article)
    if not medline_date(date) and article.book:
        date = article.book.date
    return medline_date(date)


def _title(article: Article) -> str:
    """With its full stop, as MEDLINE has it, and without markup; a title that is only vernacular stands in TT alone."""
    return end_with_stop(plain(title(article))) if article.title.strip("[]. ") else ""


def _pages(article: Article) -> str:
    found = place(article)
    piis = [line(e.value) for e in article.e_locations if e.type == "pii"]
    recorded = line(article.locator.text) or line(article.locator.start)
    return found.text if recorded and (found.text not in piis or article.locator.kind != "article_number") else ""


def _people(article: Article) -> Iterator[Tag]:
    for author in named(article.authors):
        if author.collective:
            yield "CN", group(author)
        else:
            yield "FAU", _full(author)
            yield "AU", medline(author)
    for editor in named(article.editors):
        yield "FED", group(editor) or _full(editor)
        yield "ED", medline(editor)


def _full(author: Author) -> str:
    family, given, suffix = line(author.family), line(author.given) or line(author.initials), line(author.suffix)
    if cjk(author):
        return f"{family}, {given}" if given else family
    return ", ".join(part for part in (family, given, suffix) if part)


def _notices(article: Article) -> Iterator[Tag]:
    for notice in article.notices:
        if notice.type in _NOTICES:
            pmid = notice.ids.get("pmid")
            parts = (line(notice.source), f"PMID: {line(pmid)}" if pmid else "")
            yield _NOTICES[notice.type], " ".join(part for part in parts if part)


def _compact(date: Date) -> str:
    """`20240409`: MEDLINE's DEP; only a full date has this form."""
    return f"{date.year:04d}{date.month:02d}{date.day:02d}" if date.year and date.month and date.day else ""
