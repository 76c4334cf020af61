"""PubMed's query language, as far as clients of literature tools use it: text -> a tree of terms.

AND, OR and NOT (in capitals) work from left to right without precedence, words without an operator between them are
joined by AND, a field tag belongs to the whole run of words before it, and unbalanced parentheses are forgiven.
"""

import re

import msgspec

TOKEN = re.compile(r'\s*(\(|\)|"[^"]*"?|\[[^\]]*\]?|[^\s()"\[\]]+)')
OPERATORS = ("AND", "OR", "NOT")

# Field: its name in the query translation, and the tags that mean it.
FIELDS = {
    "all": ("All Fields", "all fields,all"),
    "ti": ("Title", "title,ti"),
    "tiab": ("Title/Abstract", "title/abstract,tiab"),
    "tw": ("Text Word", "text word,text words,tw"),
    "au": ("Author", "author,au,author - first,1au,author - last,lastau,full author name,fau,corporate author,cn"),
    "ta": ("Journal", "journal,ta,jour,so"),
    "ad": ("Affiliation", "affiliation,ad"),
    "pdat": ("Date - Publication", "date - publication,pdat,dp,publication date"),
    "edat": ("Date - Entry", "date - entry,edat,entrez date,entry date"),
    "crdt": ("Date - Create", "date - create,crdt,date - entrez,create date"),
    "mdat": ("Date - Modification", "date - modification,mdat,lr,date - last modification"),
    "pt": ("Publication Type", "publication type,pt,ptyp"),
    "la": ("Language", "language,la,lang"),
    "mh": ("MeSH Terms", "mesh terms,mh,mesh,mesh terms:noexp,mh:noexp"),
    "majr": ("MeSH Major Topic", "mesh major topic,majr,majr:noexp"),
    "uid": ("UID", "uid,pmid"),
    "aid": ("Location ID", "location id,lid,aid,article identifier,doi,pmcid,pmc"),
    "filter": ("Filter", "filter,sb,subset,text"),
    "ot": ("Other Term", "other term,ot"),
    "nm": ("Supplementary Concept", "supplementary concept,nm,substance,rn"),
    "gr": ("Grants and Funding", "grants and funding,gr,grant number"),
    "vi": ("Volume", "volume,vi"),
    "ip": ("Issue", "issue,ip"),
    "pg": ("Pagination", "pagination,pg,page"),
}
TAGS = {tag: field for field, (_, tags) in FIELDS.items() for tag in tags.split(",")}
DATES = ("pdat", "edat", "crdt", "mdat")
IGNORED = "a an and are as at be by for from in is it of on or that the this to was were with"
STOPWORDS = frozenset(IGNORED.split())


class Term(msgspec.Struct, frozen=True):
    """One search term. field: a key of FIELDS, None when untagged. upto: the end of a range, "" for none."""

    text: str
    field: str | None = None
    quoted: bool = False
    upto: str = ""


class Set(msgspec.Struct, frozen=True):
    """`#2`: an earlier result of the same history session."""

    key: str


class Pair(msgspec.Struct, frozen=True):
    operator: str
    left: "Tree"
    right: "Tree"


Tree = Term | Set | Pair


class Parsed(msgspec.Struct, frozen=True):
    """tree: None for a query without a term. unknown_tags: as written, in order."""

    tree: Tree | None
    unknown_tags: tuple[str, ...]


def parse(query: str, default_field: str = "") -> Parsed:
    parser = _Parser(TOKEN.findall(query), TAGS.get(default_field.lower()))
    tree = parser.expression()
    while parser.tokens:
        # A closing parenthesis too many: PubMed goes on.
        parser.tokens.pop(0)
        rest = parser.expression()
        tree = Pair("AND", tree, rest) if tree and rest else tree or rest
    return Parsed(tree, tuple(parser.unknown))


class _Parser:
    def __init__(self, tokens: list[str], default: str | None) -> None:
        self.tokens, self.default = tokens, default
        self.unknown: list[str] = []

    def expression(self) -> Tree | None:
        tree: Tree | None = None
        operator = "AND"
        while self.tokens and self.tokens[0] != ")":
            if self.tokens[0] in OPERATORS:
                operator = self._operator()
                continue
            part = self._part()
            if part is not None:
                tree = Pair(operator, tree, part) if tree is not None else part
            operator = "AND"
        return tree

    def _operator(self) -> str:
        operator = self.tokens.pop(0)
        # `AND NOT` is read as NOT.
        while self.tokens and self.tokens[0] in OPERATORS:
            operator = self.tokens.pop(0)
        return operator

    def _part(self) -> Tree | None:
        token = self.tokens[0]
        if token == "(":
            self.tokens.pop(0)
            inner = self.expression()
            if self.tokens:
                self.tokens.pop(0)
            return inner
        if token.startswith("["):
            self.unknown.append(self.tokens.pop(0).strip("[]"))
            return None
        if token.startswith('"'):
            return self._quoted()
        if re.fullmatch(r"#\d+", token):
            return Set(self.tokens.pop(0)[1:])
        return self._words()

    def _tag(self) -> tuple[bool, str | None]:
        """The tag that comes next: whether there is one, and its field (None when it is unknown)."""
        if not self.tokens or not self.tokens[0].startswith("["):
            return False, self.default
        name = self.tokens.pop(0).strip("[]").strip()
        field = TAGS.get(re.sub(r":~\d+$", "", name.lower()).strip())
        if field is None:
            self.unknown.append(name)
        return True, field

    def _quoted(self) -> Tree:
        text = self.tokens.pop(0).strip('"')
        tagged, field = self._tag()
        return self._range(Term(text, field, quoted=True), tagged)

    def _range(self, first: Term, tagged: bool) -> Tree:
        """`"2020"[dp] : "2021"[dp]` comes as two terms with a colon between."""
        if not (tagged and self.tokens and self.tokens[0] == ":" and len(self.tokens) > 1):
            return first
        self.tokens.pop(0)
        last = self.tokens.pop(0).strip('"')
        self._tag()
        return Term(first.text, first.field, first.quoted, last)

    def _words(self) -> Tree | None:
        words = []
        while self.tokens and self.tokens[0][0] not in '()["' and self.tokens[0] not in OPERATORS:
            if re.fullmatch(r"#\d+", self.tokens[0]):
                break
            words.append(self.tokens.pop(0))
        tagged, field = self._tag()
        if not tagged and field is None:
            return _conjunction([Term(word) for word in words])
        text = " ".join(words)
        pair = re.fullmatch(r"([^:]+?)\s*:\s*([^:]+)", text)
        if pair and (field in DATES or field == "uid"):
            return Term(pair.group(1), field, False, pair.group(2))
        return self._range(Term(text, field), tagged)


def _conjunction(terms: list[Term]) -> Tree | None:
    wanted = [term for term in terms if term.text.lower() not in STOPWORDS and re.search(r"\w", term.text)]
    tree: Tree | None = None
    for term in wanted:
        tree = Pair("AND", tree, term) if tree is not None else term
    return tree
