"""The styles of this plugin, as the hook contributes them. A third-party plugin adds its own in the same way."""

from vouched.api import Style

from vouched_citeformat import ama, apa, bibtex, csl_json, csv_table, endnote_xml, mla, nbib, nlm, ris, vancouver

__all__ = ["ALIASES", "EXPORTS", "STYLES"]

_TEX = "application/x-bibtex"


def _tex_comment(notice: str) -> str:
    # BibTeX reads everything outside an entry as a comment, but for the sign that opens one.
    return f"% {notice.replace('@', '(at)')}\n\n"


STYLES = (
    Style("apa", "text/plain", ".txt", apa.render, label="APA 7", separator="\n\n"),
    Style("mla", "text/plain", ".txt", mla.render, label="MLA 9", separator="\n\n"),
    Style("vancouver", "text/plain", ".txt", vancouver.render, label="Vancouver (ICMJE)", separator="\n\n"),
    Style("nlm", "text/plain", ".txt", nlm.render, label="NLM (PubMed's Cite button)", separator="\n\n"),
    Style("ama", "text/plain", ".txt", ama.render, label="AMA 11", separator="\n\n"),
    Style("bibtex", _TEX, ".bib", bibtex.render, label="BibTeX", comment=_tex_comment),
    Style("biblatex", _TEX, ".bib", bibtex.render_biblatex, label="biblatex", comment=_tex_comment),
    Style("ris", "application/x-research-info-systems", ".ris", ris.render, label="RIS", separator="\r\n"),
    Style("nbib", "application/nbib", ".nbib", nbib.render, label="NBIB (MEDLINE)"),
    Style(
        "csl-json", "application/vnd.citationstyles.csl+json", ".json", csl_json.render,
        label="CSL-JSON", header="[\n", footer="\n]\n", separator=",\n",
    ),
    Style(
        "endnote-xml", "application/xml", ".xml", endnote_xml.render,
        label="EndNote XML", header=endnote_xml.HEADER, footer=endnote_xml.FOOTER, separator="",
        comment=endnote_xml.comment,
    ),
    Style("csv", "text/csv", ".csv", csv_table.render, label="CSV", header=csv_table.HEADER, separator=""),
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
