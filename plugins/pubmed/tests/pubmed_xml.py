"""Invented PubMed records for shapes that the corpus lacks or hides; every name and number in them is made up."""

from typing import Any

from vouched.api import Article
from vouched_pubmed.efetch import read_articles

JOURNAL = """<Journal><ISSN IssnType="Print">0000-0001</ISSN><JournalIssue CitedMedium="Print">{issue}</JournalIssue>
<Title>Journal of Invented Results</Title><ISOAbbreviation>J Invent Res</ISOAbbreviation></Journal>"""
DATE = "<PubDate><Year>2020</Year><Month>Mar</Month></PubDate>"


def article(
    inside: str = "",
    *,
    pmid: str = "99900001",
    title: str = "An invented title.",
    issue: str = DATE,
    types: str = '<PublicationType UI="D016428">Journal Article</PublicationType>',
    citation: str = "",
    data: str = "",
    model: str = "Print",
    status: str = "ppublish",
    ids: str | None = None,
    version: str = "1",
) -> str:
    """A PubmedArticle. inside: more children of Article; citation: of MedlineCitation; data: of PubmedData."""
    own = ids if ids is not None else f'<ArticleId IdType="pubmed">{pmid}</ArticleId>'
    return f"""<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="{version}">{pmid}</PMID>
<Article PubModel="{model}">{JOURNAL.format(issue=issue)}<ArticleTitle>{title}</ArticleTitle>{inside}
<Language>eng</Language><PublicationTypeList>{types}</PublicationTypeList></Article>
<MedlineJournalInfo><Country>Nowhere</Country><MedlineTA>J Invent Res</MedlineTA></MedlineJournalInfo>{citation}
</MedlineCitation><PubmedData><PublicationStatus>{status}</PublicationStatus><ArticleIdList>{own}</ArticleIdList>{data}
</PubmedData></PubmedArticle>"""


def whole(*records: str, doctype: str = "") -> bytes:
    """A set of records."""
    return f'<?xml version="1.0"?>{doctype}<PubmedArticleSet>{"".join(records)}</PubmedArticleSet>'.encode()


def read(*args: Any, **fields: Any) -> Article:
    """The one invented article, read."""
    (found,) = read_articles(whole(article(*args, **fields))).articles
    return found


def links(*pairs: tuple[str, str], pmids: tuple[str, ...] = ()) -> str:
    """A CommentsCorrectionsList of (RefType, RefSource), with PMIDs where given."""
    listed = ""
    for position, (kind, source) in enumerate(pairs):
        pmid = f'<PMID Version="1">{pmids[position]}</PMID>' if position < len(pmids) and pmids[position] else ""
        listed += f'<CommentsCorrections RefType="{kind}"><RefSource>{source}</RefSource>{pmid}</CommentsCorrections>'
    return f"<CommentsCorrectionsList>{listed}</CommentsCorrectionsList>"
