"""What every style asks of a record: its kind, its title, its one link."""

from urllib.parse import quote

from vouched.api import Article

from vouched_citeformat import languages
from vouched_citeformat.journals import display
from vouched_citeformat.markup import line, marked, strip_stop

__all__ = [
    "arxiv_id",
    "book_title",
    "doi",
    "doi_url",
    "is_preprint",
    "kind",
    "nbk_url",
    "pii_item",
    "server",
    "supplement",
    "title",
    "translated",
    "url",
    "vernacular",
]

_SAFE_IN_DOI = "/:;.,()-_~!$&'*+=@"
_NO_ISSUE = frozenset(("forthcoming", "online ahead of print", "ahead of print", "epub ahead of print"))


def kind(article: Article) -> str:
    """article, preprint, chapter or book; what is none of them is cited like an article."""
    if is_preprint(article):
        return "preprint"
    return article.kind if article.kind in ("chapter", "book") else "article"


def is_preprint(article: Article) -> bool:
    """By its kind or by the publication type Preprint (D000076942), never by the prefix of a DOI."""
    return article.kind == "preprint" or any(
        type_.ui == "D000076942" or (not type_.ui and type_.name.lower() == "preprint") for type_ in article.types
    )


def title(article: Article) -> str:
    """The title as marked text without its final stop; the vernacular one where there is no other, without brackets."""
    found = marked(article.title, article.title_markup) or line(article.title)
    if not found.strip("[]. "):
        found = vernacular(article) or book_title(article)
    return strip_stop(found)


def vernacular(article: Article) -> str:
    """The title in the original language, without brackets and final stop; "" where the record has none."""
    found = strip_stop(marked(article.vernacular_title))
    return found[1:-1] if found.startswith("[") and found.endswith("]") else found


def translated(article: Article) -> bool:
    """Whether the title is NLM's translation, which stands in brackets beside another language's original."""
    text = article.title.rstrip(". ")
    return text.startswith("[") and text.endswith("]") and not languages.is_english(article.languages)


def book_title(article: Article) -> str:
    """The book's title as marked text, for a chapter and for a book."""
    book = article.book
    return strip_stop(marked(book.title, book.title_markup)) if book and book.title else ""


def doi(article: Article) -> str:
    """The article's own DOI as the source displays it."""
    return line(article.ids.get("doi", "")).replace(" ", "")


def doi_url(value: str) -> str:
    """The DOI as a link; only what a URL cannot hold is percent-encoded (DOI Handbook 2.5.2.4)."""
    return f"https://doi.org/{quote(value, safe=_SAFE_IN_DOI)}"


def nbk_url(article: Article) -> str:
    """The Bookshelf address of a chapter or book, "" where it has none."""
    nbk = line(article.ids.get("nbk", ""))
    return f"https://www.ncbi.nlm.nih.gov/books/{quote(nbk)}/" if nbk else ""


def arxiv_id(article: Article) -> str:
    """`2304.02112` of a pii `arXiv:2304.02112v2`, "" for other records."""
    for location in article.e_locations:
        name, colon, number = line(location.value).partition(":")
        if colon and name.lower() == "arxiv":
            return number.rstrip("0123456789").removesuffix("v") if "v" in number else number
    return ""


def url(article: Article) -> str:
    """The one link of a reference: the DOI, else the Bookshelf page, or the arXiv page of a preprint."""
    if value := doi(article):
        return doi_url(value)
    if found := nbk_url(article):
        return found
    number = arxiv_id(article)
    return f"https://arxiv.org/abs/{number}" if number else ""


def server(article: Article) -> str:
    """The preprint server's name as it writes itself."""
    return display(article.journal.title or article.preprint_server or article.journal.abbreviation)


def supplement(article: Article) -> tuple[str, str]:
    """Volume and issue for prose styles: `Suppl_1`, `suppl 1` -> `Suppl. 1`; NLM's "Forthcoming" is no issue; a
    supplement inside the volume (`19 Suppl 1`) moves to the issue."""
    volume, number = line(article.volume), line(article.issue)
    if number.lower() in _NO_ISSUE:
        number = ""
    head, found, tail = volume.partition(" Suppl")
    if found and not number:
        volume, number = head, f"Suppl{tail}"
    if number.lower().startswith("suppl") and number[5:6] in ("", "_", " ", "."):
        number = f"Suppl. {number[5:].strip('_ .')}".rstrip()
    return volume, number


def pii_item(article: Article) -> str:
    """The publisher's item id, "" where it has none."""
    return line(article.ids.get("pii", ""))
