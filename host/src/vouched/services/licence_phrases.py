"""The turns of phrase of licence sentences, as patterns. Single words are in `licence_words`."""

import re

__all__ = [
    "ABROAD",
    "AFTER_NAME",
    "APPLIES",
    "CHANGES",
    "COMMERCE",
    "COMMERCIAL",
    "EXCEPTION",
    "HARMLESS",
    "ITSELF",
    "MINING",
    "NAMES",
    "NON_COMMERCE",
    "OTHER_TAIL",
    "OTHER_THING",
    "OTHER_VERSION",
    "POINTER",
    "REPRODUCED",
    "SAME_ARTICLE",
    "SENTENCE",
    "TAIL",
    "TAIL_APART",
    "TAIL_LATER",
    "TURN",
    "UNSETTLED",
    "VERBATIM",
    "WITHDRAWN",
    "WITH_TEXT",
]


def _any(*turns: str) -> "re.Pattern[str]":
    return re.compile("|".join(turns), re.IGNORECASE)


# Not behind initials, nor between an abbreviation and the licence that it leads to: "after Golob et al. CC BY 4.0".
SENTENCE = re.compile(
    r"(?:(?<=[.!?])(?<!\.[A-Z]\.)(?<!\s[A-Z]\.)(?<!\b[Ff]ig\.)(?<!\b[Ff]igs\.)"
    r"(?:(?<!\bal\.)(?<!\bcf\.)(?<!\.[a-z]\.)|(?!\W*(?:CC|Creative\s+Commons)\b))\s+(?=[A-Z])|(?<=;)\s+)"
)
# Where a sentence turns from a figure to the article, or the other way round.
TURN = _any(
    r",?\s+(?:and|while|whereas|but)\s+(?=(?:this|the|all|its|their|any)\s+(?:\w+\s+)?"
    r"(?:article|text|work|paper|content|data|figures|images|code|tables)\b)"
)

# Things with a licence of their own; a sentence about them says nothing of the article.
_THINGS = "(?:" + "|".join((
    r"fig(?:ure)?s?|tab(?:le)?s?|panels?|box(?:es)?|schemes?|plates?|charts?|graphs?|graphics?|graphical|diagrams?",
    r"images?|pictures?|photos?|photographs?|photography|illustrations?|drawings?|artworks?|icons?|logos?|maps?",
    r"screenshots?|videos?|movies?|audio|podcasts?|animations?|covers?|appendix|appendices|supplements?",
    r"supplementa(?:ry|l)|additional\s+files?|supporting\s+information|(?:meta)?data(?:\s?sets?|\s?bases?)?|sequences?",
    r"code|software|scripts?|programs?|notebooks?|model\s+weights|documentation|questionnaires?|scales?|instruments?",
    r"abstracts?|translations?|trademarks?|peer\s+review(?:s|\s+(?:reports?|file))?|decision\s+letters?",
    r"(?:reviewer|referee)s?['’]?s?\s+(?:reports?|comments)|third[\s‐‑-]*part(?:y|ies)",
    r"abbildung(?:en)?|daten|tabellen?|bilder|übersetzung|figuras|datos|imágenes|tablas|traducción|données|tableaux",
    r"traduction|dados|imagens|tabelas|dati|immagini",
)) + ")"  # fmt: skip
OTHER_THING = _any(rf"(?<![\w-]){_THINGS}(?!\w)")
# The same as a figure's or table's own permissions speak of it. A panel is not the whole.
ITSELF = _any(
    rf"(?:\b(?:this|the|these|all|our)\s+)?(?<![\w-])(?!panels?){_THINGS}(?!\w)(?:\s+S?\d+(?:\s*[–-]\s*\d+)?\b)?"
)
REPRODUCED = _any(r"\b(?:reproduced|reprinted)\b")
# Another version of the article, and what it was made from, are other things too.
OTHER_VERSION = _any(
    r"\b(?<!this\s)(?:accepted|submitted|first|earlier|previous|prior|older|original|pre-?print|draft|print|spanish|french"
    r"|german|portuguese|chinese|english)\s+(?:author\s+)?(?:manuscript|version|article|publication|paper|edition)s?\b",
    r"\b(?:an?|the|its|their|any)\s+(?:pre|post)-?prints?\b",
    r"\bversion\s+\d+\s+of\b|\bthe\s+original\b|\b(?:an?|another)\s+(?:\w+\s+){0,2}?version\b|\bauthor\s+version\b",
    r"\b(?:adapted|translated|derived|reproduced|reused|modified|taken|copied|based|translation)\s+(?:\w+\s+){0,2}?"
    r"(?:from|on|of)\b",
)
OTHER_TAIL = re.compile(
    r"^(?:[\s)]*[(:]\s*|\W*(?:(?:cc|by|nc|nd|sa|public|copyright|licen[sc]es?|waiver|international|v?\d\.\d)\b\W*)*"
    r"(?:for|on|covers?|holds?\s+for|to|(?:is\s+)?appl(?:y|ies|ied)(?:\s+only)?\s+to)\s+"
    r"(?:(?:the|all|any|its|only|these|our)\s+)?(?:\w+\s+){0,2}?)"
    rf"(?:{_THINGS}(?!\w)|accepted\s+(?:manuscript|version))",
    re.IGNORECASE,
)
# A data paper is a paper, "this accepted manuscript" is this article.
SAME_ARTICLE = _any(
    r"(?<=\bthis\s)protocol\b",
    r"\b(?:data|software|code|video|image)\s+(?=(?:article|paper|descriptor|note|report|brief|letter)\b)",
    r"(?<=\bthis\s)(?:author\s+)?(?:accepted|submitted|pre-?print|original)\s+(?:author\s+)?"
    r"(?=(?:manuscript|version|article|paper)\b)",
)
# What is said of text and figures is said of the article.
WITH_TEXT = _any(
    r"\b(?:article|text|work|paper|content)s?,?\s+(?:and|&|as\s+well\s+as|together\s+with|including)\s+"
    rf"(?:(?:all|the|its|their)\s+){{0,2}}{_THINGS}(?!\w)(?:\s+(?:materials?|information)\b)?",
    rf"(?<!\w){_THINGS}\s*(?:,|&|\band)\s*(?:the\s+|this\s+)?(?=(?:article|text|work|paper|content)\b)",
)
# What a sentence may leave out and still speak of the article: "Except where otherwise noted, …".
EXCEPTION = _any(
    r"\b(?:except(?:ing)?|unless|excluding|with\s+the\s+exception|including|excepto|salvo)\b"
    rf"(?=[^,;]{{0,120}}(?:otherwise|noted|stated|indicated|indi[qc]|specified|credited|(?<!\w){_THINGS}(?!\w)))"
    r"(?![^,;]{0,120}\bthis\s+(?:article|work|paper)\b)[^,;]{0,120},"
)
# Words that grant although they look like negations and hedges.
HARMLESS = _any(
    r"\b(?:without|no)\s+(?:\w+\s+){0,2}?(?:permissions?|charges?|fees?|costs?|embargo|restrictions?|barriers?)\b"
    r"(?:\s+(?:is|are|on)\s+(?:needed|required|necessary|use))?",
    r"\bpermissions?\s+(?:is|are)\s+not\s+(?:needed|required|necessary)\b|\bwith\s+or\s+without\b",
    r"\bdo\s+not\s+need\s+(?:\w+\s+)?permission|\bnot\s+only\b|\bno\s+rights\s+reserved\b|\bsome\s+rights\s+reserved\b",
    r"\bnot\s+(?:subject\s+to|under|protected\s+by|in)\s+(?:u\.?\s?s\.?\s+)?copyright(?:\s+protection)?",
    r"\bno\s+claim\s+to\s+(?:\w+\s+)?(?:u\.?\s?s\.?|united\s+states)\s+government\s+works?",
    r"\bfree\s+of\s+(?:all\s+|any\s+)?(?:charges?|costs?)\b",
    r"(?<!authors\s)\b(?:may|can)\s+(?:also\s+|freely\s+|be\s+){0,3}"
    r"(?=(?:re-?)?(?:us|shar|cop|distribut|redistribut|read|download|access|adapt|modif|min)\w*\b)",
    # Printed so in articles that are published.
    r"\bsubmitted\s+for\s+possible\s+open\s+access\s+publication\b",
    r"\bto\s+the\s+extent\s+possible\b|\bfor\s+the\s+purposes?\s+of\s+open\s+access\b",
    r"\brights\s+(?:and|&)\s+permissions\s*:",
    r"\b(?:licen[sc]e|copyright|rights)\s+(?:information|notice|statement|type)\s*:",
)
# Parts of the names of licences that look like negations.
NAMES = _any(r"\bnon\W{0,2}commercial(?:ly)?\b|\bno\W{0,2}deriv\w+(?:\s+works?)?|\bshare\W?alike\b")
# "Articles published open access are under CC BY": whether this one was is not said; nor whether a date has come, a box
# is ticked, a right is used.
UNSETTLED = _any(
    r"\bopen[\s-]access\s+articles\b|(?<!all\s)\barticles\s+(?:\w+\s+){0,3}?open[\s-]access\b|\bworks\s+(?:by|of)\b|\bto\s+be\b",
    r"\b(?:that|those|following)\s+articles?\b|^\W*for\b(?!\s+(?:more|further|full|details|information)\b)|\bapplied\s+for\b",
    r"\b(?:retains?|ha(?:s|ve)|holds?|keeps?)\s+(?:the\s+)?rights?\s+to\b|☐|\[\s*\]",
    # Credit lines and other people's grants: "Used under …", "From a work …", "Available at https://… under …".
    r"^\W*(?:used|reused|copied|adapted|shared|offered|provided|granted)\b|\bfrom\s+an?\b|\bused\s+(?:in|here)\b",
    r"\bthat\s+this\b|\bgrants?\s+the\s+(?:publisher|journal)\b|\b(?:publisher|journal)\s+is\s+granted\b|\bun-",
    r"^(?!.*\b(?:this|article|work|paper|licen[sc]es?|terms)\b).*…",
    r"\b(?:in|on|by|from|of|since)\s+(?:the\s+year\s+)?(?:\d{1,2}\s+)?(?:[a-z]{3,9}\s+)?\d{4}\b",
)
POINTER = re.compile(
    r"^\W*(?:to\s+(?:view|see|read)|please|see|visit|for\s+(?:more|further|full)|more|further|full|details|the\s+full"
    r"|a\s+copy)\b",
    re.IGNORECASE,
)

# What belongs to the name of a licence, and how a plain sentence goes on behind it. With any other word the licence is
# itself the subject ("CC BY does not apply") or hangs on something ("CC BY in Canada").
AFTER_NAME = re.compile(
    r"^\W*(?:(?:public|copyright|domain|dedication|mark|zero|inter\w+nal|unported|generic|igo|v?\d+(?:\.\d+)*|licen[sc]es?"
    r"|licen[zcç]i?a|lizenz|waiver|terms|deed)\b\W*)*",
    re.IGNORECASE,
)
TAIL = _any(
    r"(?:which|that|where|whereby|and|excluding|including|provided|on\s+behalf|https?|see|here|free|so|available|via"
    r"|at\s*…|unless\s+(?:\w+\s+){0,2}?(?:otherwise|indicated|noted|stated|specified)|for\s+(?:details|more|further)"
    r"|as\s+(?!of\b|soon\b)\w+|in\s+(?:which|any|all|order)|to\s+(?:view|read)|except\s+(?!in\b)\w+"
    r"|with\s+(?:the\s+)?(?:doi|attribution|credit)|(?:to|for)\s+(?:this|the|our|all)\s+(?:articles?|works?|paper|manuscript"
    r"|publication|text|content)(?!\s+(?:of|by|in)\b)|que|qui|die|welche|y|e|et|und|veröffentlicht|lizenziert|verbreitet)\b",
    r"article\W*$",
    r"(?:permit|allow|publié|publicad|licenciad|distribu)\w*",
    r"without\s+(?:any\s+|further\s+)?(?:perm|restr|charge)",
    r"by\s+(?:(?:the\s+)?(?:authors?\b|(?-i:[A-Z]))|waiving\b)",
)
# The same behind a comma or a colon.
TAIL_APART = _any(
    TAIL.pattern,
    r"(?:no\s+\w+|an?|the|this|if|anyone|everyone|applicable|licensee|published|licensed|version|with|in|you"
    r"|provid\w+|attribution|support\w*)\b",
)
APPLIES = re.compile(
    r"^(?:(?:is|are|was|has\s+been)\s+)?(?:appl(?:y|ies|ied)|granted|used)(?:\s+(?:to|for)\s+(?:this|the|all|any)\s+"
    r"(?:articles?|works?|papers?|text|contents?|publications?|manuscript|preprint)\b|\W*$)",
    re.IGNORECASE,
)
_LONG = r"(?:embargo|months?|years?)"
TAIL_LATER = _any(
    rf"\b(?:after|following|until)\s+(?:an?\s+|the\s+)?(?:\S+\s+)?{_LONG}\b|\b{_LONG}\s+(?:after|from|following)\b|\bembargo",
    r"\b(?:from|as\s+of|as\s+from|starting|by|until)\s+(?:\d{1,2}\s+)?(?:[a-z]{3,9}\s+)?\d{4}\b",
    r"\bon\s+\d{1,2}\s+\w+\s+\d{4}\b",
    r"\?\W*$",
)
WITHDRAWN = _any(
    r"\blicen[sc]e\b(?:\s+\S+){0,8}?\s+(?:withdrawn|revoked|rescinded|cancell?ed|terminated|expired|void|superseded|invalid"
    r"|not\s+valid)\b",
    r"\b(?:this|that|the)\s+(?:(?:statement|notice|licen[sc]e)\s+)?(?:is|was)\s+(?:an?\s+|in\s+)?"
    r"(?:error|wrong|mistake|void|invalid|incorrect|false|withdrawn)\b",
)

# Uses that a licence may leave out, as they are named in passing.
_COMMERCIAL = r"(?<!non)(?<!non[\s‐‑–-])\bcommercial"
COMMERCIAL = _any(_COMMERCIAL)
COMMERCE = _any(rf"{_COMMERCIAL}(?:ly\b|\s+(?:re-?)?(?:us|reproduc|distribut|purpose|exploit|reprint|right|copies)\w*)")
NON_COMMERCE = _any(r"\bnon[\s‐‑–-]*commercial\w*")
CHANGES = _any(
    r"\b(?:adapt|alter|derivative|remix|transform|modif)\w*|\bbuil[dt]\s+upon\b|\bchanged\b|\bchanges\s+(?:or|are)\b"
)
VERBATIM = _any(r"\bonly\s+verbatim\b|\bverbatim\s+(?:\w+\s+)?only\b")
ABROAD = _any(
    r"\bforeign\s+copyrights?\b|\bcopyrights?\b[^.;]{0,60}?\b(?:abroad|outside|elsewhere|other\s+countries|foreign)\b",
    r"\b(?:abroad|outside|other\s+countries)\b[^.;]{0,60}?\b(?:copyrights?|rights)\b",
)
MINING = _any(r"\b(?:text|data)[\s-]+mining\b|\bAI\s+training\b")
