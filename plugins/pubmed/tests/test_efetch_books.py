"""Bookshelf records: the chapter of the corpus, and invented ones after the documented `PubmedBookArticle`.

The shapes of whole books, editions, ISBN and series rest on NLM's DTD documentation: the corpus has one chapter only.
"""

from collections.abc import Sequence

from pubmed_corpus import Real
from pubmed_xml import whole
from vouched_pubmed.efetch import read_articles

CHAPTER = """<PubmedBookArticle><BookDocument><PMID Version="1">99900901</PMID>
<ArticleIdList><ArticleId IdType="bookaccession">NBK999001</ArticleId></ArticleIdList>
<Book><Publisher><PublisherName>Invented Press</PublisherName>
<PublisherLocation>Nowhere (NW)</PublisherLocation></Publisher>
<BookTitle book="inv">Invented Reviews<sup>®</sup></BookTitle><PubDate><Year>1993</Year></PubDate>
<BeginningDate><Year>1993</Year></BeginningDate><EndingDate><Year>2026</Year></EndingDate>
<AuthorList Type="editors" CompleteYN="Y">
<Author><LastName>Editrix</LastName><Initials>E</Initials></Author></AuthorList>
<ELocationID EIdType="doi" ValidYN="Y">10.99999/book</ELocationID><Medium>Internet</Medium></Book>
<LocationLabel Type="chapter">Chapter 7</LocationLabel>
<ArticleTitle book="inv" part="glimmer"><i>GLM1</i> Disorder</ArticleTitle><Language>eng</Language>
<AuthorList Type="authors" CompleteYN="Y"><Author><LastName>Doe</LastName><Initials>J</Initials></Author></AuthorList>
<PublicationType UI="D016454">Review</PublicationType>
<Abstract><AbstractText Label="MANAGEMENT">Rest.</AbstractText></Abstract>
<Sections><Section><SectionTitle>Summary</SectionTitle></Section>
<Section><SectionTitle>Diagnosis</SectionTitle></Section></Sections>
<ContributionDate><Year>2006</Year><Month>2</Month><Day>15</Day></ContributionDate>
<DateRevised><Year>2024</Year><Month>12</Month><Day>19</Day></DateRevised>
<GrantList><Grant><GrantID>X1</GrantID><Agency>Invented Fund</Agency><Country>Nowhere</Country></Grant></GrantList>
<ReferenceList><Reference><Citation>Doe J. 2001.</Citation></Reference></ReferenceList>
</BookDocument><PubmedBookData><History><PubMedPubDate PubStatus="pubmed"><Year>2006</Year></PubMedPubDate></History>
<PublicationStatus>ppublish</PublicationStatus>
<ArticleIdList><ArticleId IdType="pubmed">99900901</ArticleId></ArticleIdList>
</PubmedBookData></PubmedBookArticle>"""

BOOK = """<PubmedBookArticle><BookDocument><PMID Version="1">99900902</PMID>
<ArticleIdList><ArticleId IdType="bookaccession">NBK999002</ArticleId></ArticleIdList>
<Book><Publisher><PublisherName>Invented Press</PublisherName>
<PublisherLocation>Nowhere (NW)</PublisherLocation></Publisher>
<BookTitle book="guide">A Guide to <i>Glimmer</i></BookTitle><PubDate><Year>2021</Year><Month>Mar</Month></PubDate>
<AuthorList Type="authors"><Author><LastName>Writer</LastName><Initials>W</Initials></Author></AuthorList>
<AuthorList Type="editors"><Author><LastName>Editrix</LastName><Initials>E</Initials></Author></AuthorList>
<Volume>2</Volume><VolumeTitle>Adults</VolumeTitle><Edition>3rd</Edition>
<CollectionTitle>Invented Series</CollectionTitle>
<Isbn>0000000017</Isbn><Isbn>9780000000002</Isbn><ELocationID EIdType="doi" ValidYN="Y">10.99999/guide</ELocationID>
<Medium>Internet</Medium><ReportNumber>08-E001</ReportNumber></Book><Language>eng</Language></BookDocument>
<PubmedBookData><ArticleIdList><ArticleId IdType="pubmed">99900902</ArticleId></ArticleIdList></PubmedBookData>
</PubmedBookArticle>"""


def test_p26_a_chapter_with_its_book() -> None:
    (chapter,) = read_articles(whole(CHAPTER)).articles
    book = chapter.book
    assert book is not None
    assert (chapter.kind, chapter.title, chapter.title_markup) == ("chapter", "GLM1 Disorder", "<i>GLM1</i> Disorder")
    assert (book.title, book.publisher, book.place, book.medium) == (
        "Invented Reviews®",
        "Invented Press",
        "Nowhere (NW)",
        "Internet",
    )
    assert [one.family for one in chapter.authors] == ["Doe"]
    assert [one.family for one in chapter.editors] == ["Editrix"]
    assert (book.begin_date.iso(), book.end_date.iso()) == ("1993", "2026")
    assert (chapter.contribution_date.iso(), chapter.revision_date.iso()) == ("2006-02-15", "2024-12-19")
    assert chapter.year() == 2024
    assert chapter.abstract_text() == "MANAGEMENT: Rest."
    assert chapter.grants[0].number == "X1"
    assert chapter.general_notes == ["Location: Chapter 7", "Sections: Summary; Diagnosis"]
    assert (len(chapter.cited_references), len(chapter.history)) == (1, 1)


def test_a_chapter_never_borrows_the_identifier_of_its_book() -> None:
    """Failure 2.10.11: a chapter was cited with the DOI of its book."""
    (chapter,) = read_articles(whole(CHAPTER)).articles
    assert chapter.ids == {"pmid": "99900901", "nbk": "NBK999001"}
    assert chapter.also_ids == {"book_doi": ["10.99999/book"]}


def test_p26_a_whole_book() -> None:
    (found,) = read_articles(whole(BOOK)).articles
    book = found.book
    assert book is not None
    assert (found.kind, found.title, found.title_markup) == ("book", "A Guide to Glimmer", "A Guide to <i>Glimmer</i>")
    assert found.ids == {"pmid": "99900902", "nbk": "NBK999002", "doi": "10.99999/guide"}
    assert (found.date.iso(), [one.family for one in found.authors]) == ("2021-03", ["Writer"])
    assert [one.family for one in found.editors] == ["Editrix"]
    assert (book.volume, book.volume_title, book.edition, book.collection, book.report_number) == (
        "2",
        "Adults",
        "3rd",
        "Invented Series",
        "08-E001",
    )
    assert book.isbn == ["0000000017", "9780000000002"]


def test_the_shortest_book_record() -> None:
    """P26's own example: a title of a book and nothing else."""
    body = whole(
        '<PubmedBookArticle><BookDocument><PMID Version="1">20301308</PMID><Book><BookTitle>GeneX</BookTitle></Book>'
        "</BookDocument></PubmedBookArticle>"
    )
    (found,) = read_articles(body).articles
    assert (found.kind, found.title, found.ids) == ("book", "GeneX", {"pmid": "20301308"})


def test_the_chapter_of_the_corpus(real_records: Sequence[Real]) -> None:
    (real,) = [one for one in real_records if one.node.tag == "PubmedBookArticle"]
    chapter = real.article
    assert chapter.book is not None
    assert (chapter.kind, chapter.ids["nbk"], chapter.book.title) == ("chapter", "NBK1403", "GeneReviews®")
    assert len(chapter.editors) == len(real.texts("BookDocument/Book/AuthorList/Author"))
    assert len(chapter.keywords) == 9
