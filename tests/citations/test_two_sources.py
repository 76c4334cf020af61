"""The same article from PubMed and from Europe PMC gives the same reference, wherever both know the facts."""

import json
from functools import cache
from pathlib import Path

import msgspec
import pytest
from vouched.api import Article
from vouched_citeformat.catalogue import STYLES

JOINED = Path(__file__).parents[1] / "fixtures" / "joined"
WHEN = "2026-11-30T00:00:00Z"
RENDER = {style.name: style.render for style in STYLES}

# What Europe PMC does not record, so that its reference says less: PMID -> why.
UNKNOWN = {
    "99900007": "it lists one more earlier version, and not the model that tells Epub dates",
    "99900008": "it has no MEDLINE abbreviation of the preprint server",
    "99900013": "it has neither editors nor the last revision of a chapter, nor its Bookshelf number",
    "99900016": "it has no article number that stands in an electronic locator only",
    "99900020": "it has no title in the original language",
}
PROSE = ("apa", "mla", "vancouver", "nlm", "ama")


@cache
def pubmed() -> dict[str, Article]:
    efetch = pytest.importorskip("vouched_pubmed.efetch")
    body = (JOINED / "pubmed-efetch-xml" / "joined.xml").read_bytes()
    return {article.ids["pmid"]: article for article in efetch.read_articles(body, retrieved_at=WHEN).articles}


@cache
def europepmc() -> dict[str, Article]:
    records = pytest.importorskip("vouched_europepmc.records")
    raw = json.loads((JOINED / "epmc-search" / "joined_core.json").read_text("utf-8"))["resultList"]["result"]
    articles = [records.read_article(record, WHEN) for record in raw]
    return {article.ids["pmid"]: article for article in articles if "pmid" in article.ids}


def test_the_two_sources_share_their_records() -> None:
    assert len(pubmed().keys() & europepmc().keys()) == 20


@pytest.mark.parametrize("pmid", [str(99_900_000 + n) for n in range(1, 21)])
def test_one_article_one_reference(pmid: str) -> None:
    same = [name for name in PROSE if RENDER[name](pubmed()[pmid], "html") == RENDER[name](europepmc()[pmid], "html")]
    assert pmid in UNKNOWN or same == list(PROSE)
    if pmid in UNKNOWN:
        # Whatever is missing, who, when and what stay the same in APA, but for the dating of a chapter.
        one, two = (RENDER["apa"](source()[pmid], "text") for source in (pubmed, europepmc))
        assert one.partition(" (")[0] == two.partition(" (")[0]


@pytest.mark.parametrize("name", ["bibtex", "ris"])
def test_exports_agree_on_the_fields_that_both_fill(name: str) -> None:
    for pmid in pubmed().keys() & europepmc().keys() - UNKNOWN.keys():
        bare = (msgspec.structs.replace(source()[pmid], abstract=[]) for source in (pubmed, europepmc))
        one, two = (RENDER[name](article, "text").splitlines() for article in bare)
        fields = {line[:6] for line in one} & {line[:6] for line in two} - {"KW  - ", "SN  - ", "  issn", "UR  - "}
        for field in fields:
            assert [line for line in one if line[:6] == field] == [line for line in two if line[:6] == field], pmid
