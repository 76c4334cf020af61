"""What Biopython and pubmed_parser read of the same real records, field by field; where they err, it is said why."""

import gzip
import html
import io
import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pubmed_corpus import Real, wrapped

# The others take ten seconds to read the corpus.
pytestmark = pytest.mark.slow

DOCTYPE = b"""<?xml version="1.0"?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2019//EN"
 "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_190101.dtd">
"""


def squeezed(text: Any) -> str:
    return " ".join(str(text).split())


def untagged(text: Any) -> str:
    """Biopython keeps inline tags as text and escapes what is text."""
    return squeezed(html.unescape(re.sub(r"</?(?:i|b|u|sup|sub)>", "", str(text))))


def passed(capsys: Any, what: str, records: Sequence[object], wrong: Sequence[object]) -> None:
    with capsys.disabled():
        print(f"\n{what}: {len(records) - len(wrong)} of {len(records)} real records", end="")
    assert not wrong, wrong[:3]


@pytest.fixture(scope="module")
def by_biopython(real_records: Sequence[Real]) -> list[tuple[Real, Any]]:
    """Each record beside Biopython's reading of it; it needs a DTD that it carries, so all get the one of 2019."""
    entrez = pytest.importorskip("Bio.Entrez", reason="the group `peers` is not installed")
    read = []
    for real in real_records:
        # Affiliations as they stood before 2015 are not in its DTD, and it gives such records up.
        legacy = (
            real.node.find(".//Article/Affiliation") is not None or real.node.find(".//Author/Affiliation") is not None
        )
        if real.node.tag == "PubmedArticle" and not legacy:
            body = DOCTYPE + b"<PubmedArticleSet>" + real.raw + b"</PubmedArticleSet>"
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                (record,) = entrez.read(io.BytesIO(body), validate=False)["PubmedArticle"]
            read.append((real, record))
    assert len(read) >= 345
    return read


def test_biopython_reads_the_same_titles_and_abstracts(capsys: Any, by_biopython: list[tuple[Real, Any]]) -> None:
    wrong = []
    for real, record in by_biopython:
        article = record["MedlineCitation"]["Article"]
        if "title" not in real.article.flattened and untagged(article["ArticleTitle"]) != squeezed(real.article.title):
            wrong.append((real.name, article["ArticleTitle"], real.article.title))
        parts = [untagged(part) for part in article.get("Abstract", {}).get("AbstractText", [])]
        ours = [squeezed(part.text) for part in real.article.abstract]
        if "abstract" not in real.article.flattened and [p for p in parts if p] != [p for p in ours if p]:
            wrong.append((real.name, parts, ours))
    passed(capsys, "Biopython: titles and abstracts", by_biopython, wrong)


def test_biopython_reads_the_same_people(capsys: Any, by_biopython: list[tuple[Real, Any]]) -> None:
    wrong = []
    for real, record in by_biopython:
        theirs = [
            tuple(
                untagged(author.get(part, ""))
                for part in ("LastName", "ForeName", "Initials", "Suffix", "CollectiveName")
            )
            for author in record["MedlineCitation"]["Article"].get("AuthorList", [])
        ]
        ours = [
            tuple(squeezed(text) for text in (a.family, a.given, a.initials, a.suffix, a.collective))
            for a in real.article.authors
        ]
        if theirs != ours:
            wrong.append((real.name, theirs, ours))
    passed(capsys, "Biopython: authors", by_biopython, wrong)


def test_biopython_reads_the_same_ids_dates_languages_and_notices(
    capsys: Any, by_biopython: list[tuple[Real, Any]]
) -> None:
    wrong = []
    for real, record in by_biopython:
        citation, ours = record["MedlineCitation"], real.article
        ids = {i.attributes["IdType"]: str(i) for i in record["PubmedData"]["ArticleIdList"]}
        dois = [str(e) for e in citation["Article"]["ELocationID"] if e.attributes["EIdType"] == "doi"]
        dois += [ids["doi"]] if "doi" in ids else []
        year = citation["Article"]["Journal"]["JournalIssue"]["PubDate"].get("Year")
        links = [
            (link.attributes["RefType"], str(link.get("PMID", "")))
            for link in citation.get("CommentsCorrectionsList", [])
            if link.attributes["RefType"] != "Cites"
        ]
        pages = citation["Article"].get("Pagination", {}).get("MedlinePgn", "")
        pairs = [
            (ours.ids["pmid"], str(citation["PMID"])),
            (ours.ids.get("doi", ""), dois[0] if dois else ""),
            (str(ours.date.year), str(year or ours.date.year)),
            (ours.languages, [str(language) for language in citation["Article"]["Language"]]),
            ([(n.type, n.ids.get("pmid", "")) for n in ours.notices], links),
            (ours.locator.text, str(pages) or ours.locator.text),
        ]
        wrong += [(real.name, one, other) for one, other in pairs if one != other]
    passed(capsys, "Biopython: ids, dates, languages, notices, pages", by_biopython, wrong)


@pytest.fixture(scope="module")
def by_pubmed_parser(real_records: Sequence[Real], tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Real, Any]]:
    """Each record beside pubmed_parser's reading of it."""
    parser = pytest.importorskip("pubmed_parser", reason="the group `peers` is not installed")
    path: Path = tmp_path_factory.mktemp("sets") / "set.xml.gz"
    articles = [real for real in real_records if real.node.tag == "PubmedArticle"]
    path.write_bytes(gzip.compress(wrapped(*(real.raw for real in articles)), 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        read = list(parser.parse_medline_xml(str(path), year_info_only=False, author_list=True, nlm_category=False))
    assert len(read) == len(articles)
    return list(zip(articles, read, strict=True))


def test_pubmed_parser_reads_the_same_shared_fields(capsys: Any, by_pubmed_parser: list[tuple[Real, Any]]) -> None:
    wrong = []
    for real, record in by_pubmed_parser:
        ours = real.article
        if record["pmid"] != ours.ids["pmid"]:
            wrong.append((real.name, "pmid", record["pmid"]))
        if "title" not in ours.flattened and squeezed(record["title"]) != squeezed(ours.title):
            wrong.append((real.name, "title", record["title"], ours.title))
        people = [author["lastname"] for author in record["authors"]]
        # It leaves out groups' names: their place in the list is still there, empty.
        if people != [author.family for author in ours.authors]:
            wrong.append((real.name, "authors", people))
        if record["doi"] and record["doi"].strip() not in (ours.ids.get("doi"), *ours.also_ids.get("doi", [])):
            wrong.append((real.name, "doi", record["doi"], ours.ids.get("doi")))
        if record["medline_ta"] != ours.journal.abbreviation:
            wrong.append((real.name, "journal", record["medline_ta"]))
        if str(ours.date.year) != record["pubdate"][:4]:
            wrong.append((real.name, "year", record["pubdate"], ours.date))
        if record["pages"] and record["pages"] != ours.locator.text:
            wrong.append((real.name, "pages", record["pages"]))
    passed(capsys, "pubmed_parser: shared fields", by_pubmed_parser, wrong)


def test_pubmed_parser_reads_the_same_words_of_abstracts(capsys: Any, by_pubmed_parser: list[tuple[Real, Any]]) -> None:
    wrong = []
    for real, record in by_pubmed_parser:
        if "abstract" in real.article.flattened:
            continue
        theirs = "".join(re.findall(r"\w", record["abstract"]))
        # It puts the labels between the parts, UNLABELLED as well.
        said = " ".join(f"{part.label} {part.text}" for part in real.article.abstract)
        ours = "".join(re.findall(r"\w", said))
        # It loses what is nested two tags deep (`<sub>a <i>b</i></sub>`): its words must all be here, in order.
        letters = iter(ours)
        if not all(letter in letters for letter in theirs.replace("UNLABELLED", "")):
            wrong.append((real.name, record["abstract"][:200], ours[:200]))
    passed(capsys, "pubmed_parser: abstracts", by_pubmed_parser, wrong)
