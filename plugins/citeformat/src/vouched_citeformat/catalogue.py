"""The styles of this plugin, as the hook contributes them. A third-party plugin adds its own in the same way."""

from collections.abc import Callable
from functools import cache
from importlib import import_module

from vouched.api import Article, Style

__all__ = ["ALIASES", "EXPORTS", "STYLES"]

_TEX = "application/x-bibtex"
_COLUMNS = (
    "pmid", "pmcid", "doi", "kind", "authors", "year", "date", "title", "journal", "volume", "issue", "pages", "url",
    "status", "notices", "source", "retrieved_at",
)  # fmt: skip


@cache
def _loaded(module: str, function: str) -> Callable[[Article, str], str]:
    found: Callable[[Article, str], str] = getattr(import_module(f"vouched_citeformat.{module}"), function)
    return found


def _of(module: str, function: str = "render") -> Callable[[Article, str], str]:
    """How a style renders. Its module is loaded with the first citation, so that a server starts without it."""
    return lambda article, markup: _loaded(module, function)(article, markup)


def _xml_comment(notice: str) -> str:
    # Two hyphens must not meet in an XML comment.
    return f"<!-- {notice.replace('--', '- -').rstrip('-')} -->\n"


def _tex_comment(notice: str) -> str:
    # BibTeX reads everything outside an entry as a comment, but for the sign that opens one.
    return f"% {notice.replace('@', '(at)')}\n\n"


STYLES = (
    Style("apa", "text/plain", ".txt", _of("apa"), label="APA 7", separator="\n\n"),
    Style("mla", "text/plain", ".txt", _of("mla"), label="MLA 9", separator="\n\n"),
    Style("vancouver", "text/plain", ".txt", _of("vancouver"), label="Vancouver (ICMJE)", separator="\n\n"),
    Style("nlm", "text/plain", ".txt", _of("nlm"), label="NLM (PubMed's Cite button)", separator="\n\n"),
    Style("ama", "text/plain", ".txt", _of("ama"), label="AMA 11", separator="\n\n"),
    Style("bibtex", _TEX, ".bib", _of("bibtex"), label="BibTeX", comment=_tex_comment),
    Style("biblatex", _TEX, ".bib", _of("bibtex", "render_biblatex"), label="biblatex", comment=_tex_comment),
    Style("ris", "application/x-research-info-systems", ".ris", _of("ris"), label="RIS", separator="\r\n"),
    Style("nbib", "application/nbib", ".nbib", _of("nbib"), label="NBIB (MEDLINE)"),
    Style(
        "csl-json", "application/vnd.citationstyles.csl+json", ".json", _of("csl_json"),
        label="CSL-JSON", header="[\n", footer="\n]\n", separator=",\n",
    ),
    Style(
        "endnote-xml", "application/xml", ".xml", _of("endnote_xml"),
        label="EndNote XML", header='<?xml version="1.0" encoding="UTF-8"?>\n<xml><records>\n',
        footer="</records></xml>\n", separator="", comment=_xml_comment,
    ),
    Style("csv", "text/csv", ".csv", _of("csv_table"), label="CSV", header=",".join(_COLUMNS) + "\r\n", separator=""),
)  # fmt: skip

# Formats that reference managers read: a notice, an abstract and a source stand in their own fields.
EXPORTS = frozenset(("bibtex", "biblatex", "ris", "nbib", "csl-json", "endnote-xml", "csv"))

# Other names of the built-in styles, folded (lower case, no spaces, `_` as `-`).
ALIASES = {
    "apa7": "apa", "apa-7": "apa", "apa-7th": "apa", "american-psychological-association": "apa",
    "mla9": "mla", "mla-9": "mla", "modern-language-association": "mla",
    "icmje": "vancouver", "vancouver-icmje": "vancouver",
    "pubmed": "nlm", "national-library-of-medicine": "nlm",
    "ama11": "ama", "american-medical-association": "ama",
    "bib": "bibtex", "bibtex-entry": "bibtex", "medline": "nbib", "endnote": "endnote-xml", "endnotexml": "endnote-xml",
    "enw-xml": "endnote-xml", "csl": "csl-json", "csljson": "csl-json", "json": "csl-json", "refman": "ris",
}  # fmt: skip
