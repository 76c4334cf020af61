"""Europe PMC's query language over the records that the emulator holds.

Words and quoted phrases, AND, OR, NOT (AND binds closer than OR, words side by side are joined by AND), parentheses,
FIELD:value, FIELD:"phrase", FIELD:[a TO b]. A field that does not exist matches nothing.
"""

import re
from collections.abc import Callable

from tests.emulator.europepmc_records import Article
from tests.emulator.words import fold, holds

TOKEN = re.compile(r'\s*(\(|\)|-?[A-Za-z_]+:\[[^\]]*\]?|-?[A-Za-z_]+:"[^"]*"?|"[^"]*"?|[^\s()"]+)')
Test = Callable[[Article], bool]

FLAGS = {
    "OPEN_ACCESS": "isOpenAccess",
    "IN_EPMC": "inEPMC",
    "IN_PMC": "inPMC",
    "HAS_PDF": "hasPDF",
    "HAS_BOOK": "hasBook",
    "HAS_SUPPL": "hasSuppl",
    "HAS_REFLIST": "hasReferences",
    "HAS_TM": "hasTextMinedTerms",
    "HAS_DATA": "hasData",
    "AUTH_MAN": "authMan",
}
TEXTS = {
    "TITLE": ("title",),
    "ABSTRACT": ("abstract",),
    "TITLE_ABS": ("title", "abstract"),
    "AUTH": ("authors",),
    "JOURNAL": ("journal",),
    "ISSN": ("issn",),
    "KW": ("keywords",),
    "LANG": ("language",),
    "AFF": ("affiliations",),
    "GRANT_AGENCY": ("grants",),
}
DATES = {"FIRST_PDATE": "firstPublicationDate", "E_PDATE": "electronicPublicationDate", "PUB_YEAR": "pubYear"}
DATES |= {"P_PDATE_D": "firstPublicationDate", "FIRST_IDATE": "firstIndexDate", "CREATION_DATE": "dateOfCreation"}


def compiled(query: str) -> Test:
    """A query -> the test that a record must pass."""
    parser = _Parser(TOKEN.findall(query))
    test = parser.either()
    while parser.tokens:
        parser.tokens.pop(0)
        test = _both(test, parser.either()) if parser.tokens else test
    return test


def words(query: str) -> list[str]:
    """The free words of a query, folded, for the order by relevance."""
    free = re.sub(r'-?[A-Za-z_]+:(\[[^\]]*\]|"[^"]*"|\S+)', " ", query)
    return [word for word in fold(free).split() if word not in ("and", "or", "not")]


class _Parser:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens

    def either(self) -> Test:
        test = self.both()
        while self.tokens and self.tokens[0] == "OR":
            self.tokens.pop(0)
            test = _either(test, self.both())
        return test

    def both(self) -> Test:
        test = self.one()
        while self.tokens and self.tokens[0] not in ("OR", ")"):
            if self.tokens[0] == "AND":
                self.tokens.pop(0)
                if not self.tokens:
                    break
            test = _both(test, self.one())
        return test

    def one(self) -> Test:
        if not self.tokens or self.tokens[0] == ")":
            return _anything
        token = self.tokens.pop(0)
        if token == "NOT":
            return _negated(self.one())
        if token == "(":
            inner = self.either()
            if self.tokens:
                self.tokens.pop(0)
            return inner
        if token.startswith("-") and ":" in token:
            return _negated(_leaf(token[1:]))
        # `FIELD:(a OR b)`: the field applies to each part.
        if re.fullmatch(r"[A-Za-z_]+:", token) and self.tokens and self.tokens[0] == "(":
            return self._spread(token)
        return _leaf(token)

    def _spread(self, field: str) -> Test:
        close = self.tokens.index(")") if ")" in self.tokens else len(self.tokens)
        inside = [t if t in ("AND", "OR", "NOT") else field + t for t in self.tokens[1:close]]
        del self.tokens[: close + 1]
        return _Parser(inside).either()


def _anything(article: Article) -> bool:
    return True


def _both(one: Test, other: Test) -> Test:
    return lambda article: one(article) and other(article)


def _either(one: Test, other: Test) -> Test:
    return lambda article: one(article) or other(article)


def _negated(test: Test) -> Test:
    return lambda article: not test(article)


def _leaf(token: str) -> Test:
    named = re.fullmatch(r"([A-Za-z_]+):(.*)", token, re.S)
    # Only names in capitals or known ones are fields: `p53:mutant` is a word.
    if named and (named.group(1).isupper() or named.group(1).upper() in KNOWN):
        return _fielded(named.group(1).upper(), named.group(2))
    phrase = token.strip('"')
    if not fold(phrase):
        return _anything
    return lambda article: holds(article.texts["all"], phrase) or phrase.upper() == article.pmcid


def _fielded(field: str, value: str) -> Test:
    quoted, plain = value.startswith('"'), value.strip('"').strip()
    if field in ("EXT_ID", "SRC", "PMCID", "DOI", "ID"):
        return _identified(field, plain, quoted)
    if field in FLAGS:
        return lambda article: article.core.get(FLAGS[field], "N").upper() == plain.upper()
    if field in DATES:
        return _between(lambda article: str(article.core.get(DATES[field], "")), plain)
    if field == "CITED":
        return _counted(plain)
    if field == "PUB_TYPE":
        return lambda article: fold(plain) in article.types
    if field == "LICENSE":
        return lambda article: fold(plain) == fold(article.core.get("license", ""))
    if field == "HAS_ABSTRACT":
        return lambda article: bool(article.core.get("abstractText")) == (plain.upper() == "Y")
    names = TEXTS.get(field, ())
    return lambda article: any(holds(article.texts[name], plain) for name in names)


def _identified(field: str, plain: str, quoted: bool) -> Test:
    if field == "SRC":
        return lambda article: article.source == plain.upper()
    if field == "PMCID":
        return lambda article: article.pmcid == plain.upper()
    if field == "DOI":
        return lambda article: article.core.get("doi", "").lower() == plain.lower()
    # A quoted id finds nothing, as users of the live service reported.
    return lambda article: not quoted and article.id.upper() == plain.upper()


def _between(value: Callable[[Article], str], plain: str) -> Test:
    span = re.fullmatch(r"\[\s*(\S+)\s+TO\s+(\S+?)\s*\]?", plain)
    first, last = span.groups() if span else (plain, plain)
    low = "" if first == "*" else first
    # A bound may be shorter than the date: 2020 as an end means all of 2020.
    high = "9999" if last == "*" else last
    return lambda article: bool(value(article)) and low <= value(article) and value(article)[: len(high)] <= high


def _counted(plain: str) -> Test:
    span = re.fullmatch(r"\[\s*(\S+)\s+TO\s+(\S+?)\s*\]?", plain)
    first, last = span.groups() if span else (plain, plain)
    low = int(first) if first.isdigit() else 0
    high = int(last) if last.isdigit() else 1 << 60
    return lambda article: low <= int(article.core.get("citedByCount", 0)) <= high


KNOWN = {*FLAGS, *TEXTS, *DATES, "EXT_ID", "SRC", "PMCID", "DOI", "ID", "CITED", "PUB_TYPE", "LICENSE", "HAS_ABSTRACT"}
