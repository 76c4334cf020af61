"""E-utilities' own words: XML and JSON wrappers, and errors as they were seen (bodies byte for byte)."""

from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape

from vouched.testing.exchange import Reply

from tests.emulator.pubmed_search import Found

DTD = "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/"
DOCTYPES = {
    "eSearchResult": f'"-//NLM//DTD esearch 20060628//EN" "{DTD}20060628/esearch.dtd"',
    "eSummaryResult": f'"-//NLM//DTD esummary v1 20041029//EN" "{DTD}20041029/esummary-v1.dtd"',
    "eLinkResult": f'"-//NLM//DTD elink 20101123//EN" "{DTD}20101123/elink.dtd"',
    "ePostResult": f'"-//NLM//DTD epost 20090526//EN" "{DTD}20090526/epost.dtd"',
    "eFetchResult": f'"-//NLM//DTD efetch 20131226//EN" "{DTD}20131226/efetch.dtd"',
    "eSpellResult": '"-//NLM//DTD eSpellResult, 23 November 2004//EN" '
    '"https://www.ncbi.nlm.nih.gov/entrez/query/DTD/eSpell.dtd"',
    "eInfoResult": f'"-//NLM//DTD einfo 20190110//EN" "{DTD}20190110/einfo.dtd"',
}
TOO_FAR = (
    "Search Backend failed: Exception:\n'retstart' cannot be larger than 9998. For PubMed, ESearch can only retrieve "
    "the first 9,999 records matching the query. To obtain more than 9,999 PubMed records, consider using EDirect that "
    "contains additional logic to batch PubMed search results automatically so that an arbitrary number can be "
    "retrieved. For details see https://www.ncbi.nlm.nih.gov/books/NBK25499/"
)
TOO_LONG = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml" lang="en" xml:lang="en">\n'
    "<head>\n<title>Submitted URI too large!</title>\n</head>\n<body>\n<h1>Submitted URI too large!</h1>\n<p>\n"
    "    The length of the requested URL exceeds the capacity limit for\n    this server. The request cannot be "
    "processed.\n</p>\n</body>\n</html>\n"
)
DB_OMITTED = "Mandatory parameter: db - is omitted"


def document(root: str, inner: str, status: int = 200) -> Reply:
    # ESearch and its siblings name their own root in the DOCTYPE, EFetch's errors say eEfetchResult.
    name = "eEfetchResult" if root == "eFetchResult" else root
    head = f'<?xml version="1.0" encoding="UTF-8" ?>\n<!DOCTYPE {name} PUBLIC {DOCTYPES[root]}>\n'
    return Reply.xml(f"{head}<{root}>{inner}</{root}>\n", status)


def error(root: str, message: str, status: int = 200) -> Reply:
    return document(root, f"\n\t<ERROR>{escape(message)}</ERROR>\n", status)


def raw_json(value: Any, status: int = 200) -> Reply:
    """JSON as E-utilities send it: a line break inside a message stays a raw line break."""
    reply = Reply.json(value)
    return Reply(reply.body.replace(b"Exception:\\n", b"Exception:\n"), status, reply.media)


def header(kind: str) -> dict[str, str]:
    return {"type": kind, "version": "0.3"}


def search_error(message: str, as_json: bool) -> Reply:
    if as_json:
        return raw_json({"header": header("esearch"), "esearchresult": {"ERROR": message}})
    return document("eSearchResult", f"<ERROR>{escape(message)}</ERROR>")


class Page:
    """One page of a search result."""

    def __init__(
        self, found: Found, start: int, size: int, window: Sequence[int], kept: tuple[str, str] | None
    ) -> None:
        self.found, self.start, self.size, self.window, self.kept = found, start, size, window, kept
        self.messages = [] if found.pmids else ["No items found."]

    def json(self) -> Reply:
        found = self.found
        body: dict[str, Any] = {
            "count": str(len(found.pmids)),
            "retmax": str(self.size),
            "retstart": str(self.start),
        }
        if self.kept:
            body |= {"querykey": self.kept[1], "webenv": self.kept[0]}
        body["idlist"] = [str(pmid) for pmid in self.window]
        body["translationset"] = [{"from": a, "to": b} for a, b in found.translations]
        body["querytranslation"] = found.translation
        if found.phrases_not_found or found.fields_not_found:
            body["errorlist"] = {
                "phrasesnotfound": found.phrases_not_found,
                "fieldsnotfound": found.fields_not_found,
            }
        if self.messages or found.quoted_not_found:
            body["warninglist"] = {
                "phrasesignored": [],
                "quotedphrasesnotfound": found.quoted_not_found,
                "outputmessages": self.messages,
            }
        return Reply.json({"header": header("esearch"), "esearchresult": body})

    def xml(self) -> Reply:
        found = self.found
        inner = f"<Count>{len(found.pmids)}</Count><RetMax>{self.size}</RetMax><RetStart>{self.start}</RetStart>"
        if self.kept:
            inner += f"<QueryKey>{self.kept[1]}</QueryKey><WebEnv>{self.kept[0]}</WebEnv>"
        ids = "".join(f"<Id>{pmid}</Id>\n" for pmid in self.window)
        inner += f"<IdList>\n{ids}</IdList>" if ids else "<IdList/>"
        pairs = "".join(
            f"<Translation>     <From>{escape(a)}</From>     <To>{escape(b)}</To>    </Translation>"
            for a, b in found.translations
        )
        inner += f"<TranslationSet>{pairs}</TranslationSet>" if pairs else "<TranslationSet/>"
        inner += f"<QueryTranslation>{escape(found.translation)}</QueryTranslation>"
        errors = _tags("PhraseNotFound", found.phrases_not_found) + _tags("FieldNotFound", found.fields_not_found)
        warnings = _tags("QuotedPhraseNotFound", found.quoted_not_found) + _tags("OutputMessage", self.messages)
        inner += f"<ErrorList>{errors}</ErrorList>" if errors else ""
        inner += f"<WarningList>{warnings}</WarningList>" if warnings else ""
        return document("eSearchResult", inner)


def _tags(name: str, values: list[str]) -> str:
    return "".join(f"<{name}>{escape(value)}</{name}>" for value in values)
