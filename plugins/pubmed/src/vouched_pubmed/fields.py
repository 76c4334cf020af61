"""PubMed's search fields: their tags and names, for the resource and for repairing a mistyped tag."""

import difflib
from collections.abc import Mapping

__all__ = ["FIELDS", "fields_table", "nearest_tag"]

# Short tag -> (name, other spellings, what it searches), after PubMed's help (search field tags) and EInfo.
FIELDS: Mapping[str, tuple[str, tuple[str, ...], str]] = {
    "ad": ("Affiliation", ("affiliation",), "affiliations of authors and investigators"),
    "aid": ("Article Identifier", ("article identifier",), "DOI, publisher's item id"),
    "all": ("All Fields", ("all fields",), "every searchable field"),
    "au": ("Author", ("author",), "author's name, `smith j`; unquoted it also finds `smith ja`"),
    "auid": ("Author Identifier", ("author identifier", "author - identifier"), "ORCID and the like"),
    "cn": ("Corporate Author", ("corporate author", "author - corporate"), "names of groups"),
    "cois": ("Conflict of Interest Statements", ("conflict of interest statements",), "these statements"),
    "crdt": ("Create Date", ("create date", "date - create"), "when the record was first made"),
    "dcom": ("Completion Date", ("completion date", "date - completion"), "when NLM finished the record"),
    "dp": ("Publication Date", ("pdat", "publication date", "date - publication"), "print or electronic"),
    "ed": ("Editor", ("editor",), "editors of a book"),
    "edat": ("Entry Date", ("entry date", "date - entry"), "when the record entered PubMed"),
    "filter": ("Filter", ("sb", "subset"), "filters and subsets, `free full text[sb]`"),
    "1au": ("First Author", ("first author", "author - first"), "first author"),
    "fau": ("Full Author Name", ("full author name",), "`smith, jane`"),
    "gr": ("Grants and Funding", ("grant number", "grants and funding"), "grant numbers and funders"),
    "ir": ("Investigator", ("investigator",), "collaborators who are no authors"),
    "isbn": ("ISBN", (), "books"),
    "ip": ("Issue", ("issue",), "issue of the journal"),
    "la": ("Language", ("lang", "language"), "`english[la]`"),
    "lastau": ("Last Author", ("last author", "author - last"), "last author"),
    "lid": ("Location ID", ("location id",), "DOI or article number"),
    "lr": ("Modification Date", ("mdat", "modification date", "date - modification"), "last change of the record"),
    "majr": ("MeSH Major Topic", ("mesh major topic", "majr:noexp"), "headings that are a main point"),
    "mh": ("MeSH Terms", ("mesh", "mesh terms", "mh:noexp", "mesh:noexp"), "headings with those below them"),
    "mhda": ("MeSH Date", ("mesh date", "date - mesh"), "when headings were assigned"),
    "nm": ("Supplementary Concept", ("supplementary concept",), "substances, rare diseases, protocols"),
    "ot": ("Other Term", ("other term",), "keywords of authors"),
    "pa": ("Pharmacological Action", ("pharmacological action",), "what a substance does"),
    "pg": ("Pagination", ("page", "pagination"), "first page"),
    "pl": ("Place of Publication", ("place of publication",), "country of the journal"),
    "pmid": ("PMID", ("uid",), "PubMed's number"),
    "ps": ("Subject - Personal Name", ("subject - personal name",), "people an article is about"),
    "pt": ("Publication Type", ("ptyp", "publication type"), "`review[pt]`"),
    "pubn": ("Publisher", ("publisher",), "publishers of books"),
    "rn": ("EC/RN Number", ("ec/rn number",), "EC, CAS and UNII numbers"),
    "sh": ("MeSH Subheading", ("mesh subheading", "subheading"), "qualifiers"),
    "si": ("Secondary Source ID", ("secondary source id",), "trial registers, data banks"),
    "so": ("Source", ("source",), "journal, volume, issue, page as one text"),
    "ta": ("Journal", ("jour", "journal"), "title, abbreviation or ISSN"),
    "ti": ("Title", ("title",), "words in the title"),
    "tiab": ("Title/Abstract", ("title/abstract",), "title, abstract and authors' keywords"),
    "tt": ("Transliterated Title", ("transliterated title",), "title in the original language"),
    "tw": ("Text Word", ("text word", "text words"), "title, abstract, headings, types, substances"),
    "vi": ("Volume", ("volume",), "volume of the journal"),
}


def nearest_tag(tag: str) -> str:
    """The known tag that a mistyped one most likely means, "" where none is near."""
    known = {
        spelling: short for short, (name, others, _) in FIELDS.items() for spelling in (short, name.lower(), *others)
    }
    near = difflib.get_close_matches(tag.strip().lower(), list(known), n=1, cutoff=0.6)
    return known[near[0]] if near else ""


def fields_table() -> str:
    """All fields as a Markdown table."""
    rows = [
        f"| `[{short}]` | {name} | {', '.join(f'`[{other}]`' for other in others)} | {meaning} |"
        for short, (name, others, meaning) in FIELDS.items()
    ]
    return "\n".join(["| tag | field | also | searches |", "| --- | --- | --- | --- |", *rows])
