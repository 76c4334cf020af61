"""The index over the corpus, and the invented records in all their formats."""

import json
import time

import pytest
from lxml import etree

from tests import emulator
from tests.emulator import Index, pubmed_records
from tests.emulator.conftest import Caller
from tests.fixtures.joined_source import TARGET, common, files
from tests.fixtures.joined_source.articles import ARTICLES


@pytest.fixture(scope="module")
def corpus() -> Index:
    if emulator.corpus_folder() is None:
        pytest.skip("the corpus of upstream responses (VOUCHED_SHARED) is missing")
    return emulator.load(emulator.folders())


def test_the_corpus_is_indexed_in_seconds_and_once() -> None:
    if emulator.corpus_folder() is None:
        pytest.skip("the corpus of upstream responses (VOUCHED_SHARED) is missing")
    begun = time.process_time()
    index = Index(emulator.folders())
    assert time.process_time() - begun < 5
    assert len(index.pubmed) > 300
    assert len(index.articles) > 1000
    assert emulator.load(emulator.folders()) is emulator.load(emulator.folders())


def test_every_pubmed_record_is_served_as_it_stood_in_its_file(whole: Caller, corpus: Index) -> None:
    pmids = sorted(corpus.pubmed)
    for start in range(0, len(pmids), 200):
        part = pmids[start : start + 200]
        body = whole.post("eutils", "efetch.fcgi", db="pubmed", id=",".join(map(str, part))).content
        assert list(pubmed_records.slices(body)) == [corpus.pubmed[pmid].raw for pmid in part]


def test_every_pubmed_record_is_found_and_summarised(whole: Caller, corpus: Index) -> None:
    ids = ",".join(map(str, sorted(corpus.pubmed)))
    found = whole.post("eutils", "esummary.fcgi", db="pubmed", id=ids, retmode="json").json()["result"]
    assert len(found["uids"]) == len(corpus.pubmed)
    for pmid, record in corpus.pubmed.items():
        made = found[str(pmid)]
        assert made["title"] == record.title
        assert len(made["authors"]) == len(record.authors)
        assert {"idtype": "pubmed", "idtypen": 1, "value": str(pmid)} in made["articleids"]


def test_the_newest_version_of_a_record_is_kept(corpus: Index) -> None:
    assert corpus.pubmed[30271887].version > 1
    old, new = (pubmed_records.Record(1, b"", version, revised) for version, revised in ((1, 900), (2, 100)))
    assert pubmed_records.newer(new, old)
    assert not pubmed_records.newer(old, new)


def test_generated_fixtures_are_those_of_their_source() -> None:
    """After a change of joined_source: python -m tests.fixtures.joined_source."""
    for name, data in files().items():
        assert (TARGET / name).read_bytes() == data, name


def test_the_invented_records_agree_across_the_services() -> None:
    index = emulator.load(emulator.folders(corpus=False))
    assert len(index.pubmed) == 20
    for entry in ARTICLES:
        pmid = common.pmid(entry)
        record, article = index.pubmed[pmid], index.articles["MED", str(pmid)]
        assert record.title == common.plain(article.core["title"])
        assert record.ids.get("doi", "") == article.core.get("doi", "")
        assert record.ids.get("pmc", "") == article.pmcid
        assert len(record.authors) == len(article.core.get("authorList", {}).get("author", []))
        if pmid in index.icite:
            assert index.icite[pmid]["title"] == record.title
            assert index.icite[pmid]["citation_count"] == article.core["citedByCount"]
            assert tuple(index.icite[pmid]["references"]) == record.references


def test_annotations_point_into_the_texts_they_come_from() -> None:
    """Each entity with context stands in its article's abstract or full text, unless that text is not held."""
    index = emulator.load(emulator.folders(corpus=False))
    checked = 0
    for (source, key), article in index.links.annotations.items():
        held = index.articles[source, key]
        text = held.core.get("abstractText", "")
        full = index.fulltexts.get(article.get("pmcid", key))
        text += "" if full is None else pubmed_records.text(etree.fromstring(full))
        for row in article["annotations"]:
            if "Results" in row.get("section", "") and full is None:
                continue
            assert row["exact"] in text, row
            checked += 1
    assert checked >= 13


def test_mesh_fixture_holds_all_three_kinds() -> None:
    rows = json.loads((TARGET / "mesh" / "esummary.json").read_bytes())["result"]
    assert {rows[uid]["ds_recordtype"] for uid in rows["uids"]} == {"descriptor", "supplemental-record", "qualifier"}
