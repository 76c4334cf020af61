"""The main job on real input: search, fetch, metrics, citations, over the corpus and over the 20 joined records."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema
import pytest
from vouched.api import Id
from vouched.host import Host

from tests import emulator
from tests.emulator import Emulator

pytestmark = pytest.mark.anyio
STYLES = ["apa", "mla", "vancouver", "bibtex", "ris"]
SOURCES = ("eutils", "idconv", "europepmc", "annotations", "icite")
JOINED = [str(99_900_000 + number) for number in range(1, 21)]


@pytest.fixture(scope="module")
def joined() -> Iterator[Emulator]:
    """The services over the 20 invented records."""
    with emulator.start(corpus=False) as server:
        yield server


@pytest.fixture(scope="module")
def real() -> Iterator[Emulator]:
    """The services over the corpus of real responses."""
    if emulator.corpus_folder() is None:
        pytest.skip("needs the shared corpus (VOUCHED_SHARED)")
    with emulator.start() as server:
        yield server


MakeHost = Callable[[Emulator], Host]


@pytest.fixture
def host_over(vouched_host: Callable[..., Host]) -> MakeHost:
    """A host with all installed plugins, over an emulator."""
    return lambda server: vouched_host(installed=True, urls={name: server.url(name) for name in SOURCES})


async def ask(host: Host, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured answer, checked against the published schema and against the text."""
    result = await host.call(tool, arguments)
    bound = host.registry.tool(tool)
    assert bound
    jsonschema.Draft202012Validator(bound.output_schema).validate(result.structured)
    assert not result.is_error, result.text
    return result.structured


@pytest.mark.smoke
async def test_the_main_job_over_the_joined_records(joined: Emulator, host_over: MakeHost) -> None:
    async with host_over(joined) as host:
        found = await ask(host, "pubmed_search_articles", query="glimmer syndrome", limit=20)
        assert found["data"]["total"] >= found["data"]["returned"] > 3
        fetched = await ask(host, "pubmed_fetch_articles", ids="last")
        assert fetched["provenance"]["sources"][0]["content_sha256"]
        metrics = await ask(host, "icite_get_citation_metrics", ids=JOINED)
        assert sum(metrics["data"]["counts"][key] for key in ("shown", "not_indexed", "failed", "remaining")) == 20
        cited = await ask(host, "citeformat_format_citations", ids=["99900001"], format=STYLES)
        assert set(cited["data"]["citations"][0]["citations"]) == set(STYLES)
        for source in fetched["provenance"]["sources"]:
            assert re.fullmatch("[0-9a-f]{64}", source["content_sha256"])


@pytest.mark.smoke
async def test_full_text_goes_out_only_through_the_gate(joined: Emulator, host_over: MakeHost) -> None:
    async with host_over(joined) as host:
        states = {}
        for pmid in JOINED:
            answer = await host.call("europepmc_fetch_article", {"ids": [pmid], "include_full_text": True})
            assert not answer.is_error, answer.text
            states[pmid] = answer.structured["status"]
        assert "restricted" in states.values()
        assert "ok" in states.values()


async def test_an_open_text_is_given_and_a_closed_one_is_explained(joined: Emulator, host_over: MakeHost) -> None:
    async with host_over(joined) as host:
        closed = await host.call("europepmc_fetch_article", {"ids": ["99900005"], "include_full_text": True})
        assert closed.structured["status"] == "restricted"
        restriction = closed.structured["restriction"]
        assert restriction["access_tier"] == "FREE_TO_READ"
        assert restriction["reason"]
        assert restriction["available"]
        assert closed.structured["data"]["rows"][0]["record"]["title"]


async def test_every_record_of_the_corpus_is_fetched_whole(real: Emulator, host_over: MakeHost) -> None:
    """None crashes, none loses a title, author or DOI that it has; prints how many passed."""
    records = emulator.behind(real, "eutils").records
    pmids = sorted((str(pmid) for pmid in records), key=int)
    passed = 0
    async with host_over(real) as host:
        for start in range(0, len(pmids), 150):
            batch = pmids[start : start + 150]
            articles = await host.context().articles.get([Id("pmid", pmid) for pmid in batch])
            for pmid, article in zip(batch, articles, strict=True):
                raw = records[int(pmid)].raw.decode("utf-8", "replace")
                _check(pmid, article, raw)
                passed += 1
    print(f"{passed} of {len(pmids)} records of the corpus fetched whole")
    assert passed == len(pmids) > 300


def _check(pmid: str, article: Any, raw: str) -> None:
    assert type(article).__name__ == "Article", f"{pmid}: {article}"
    assert article.ids["pmid"] == pmid
    own = re.sub(
        r"<ReferenceList>.*</ReferenceList>|<CommentsCorrectionsList>.*?</CommentsCorrectionsList>", "", raw, flags=re.S
    )
    if re.search(r"<(ArticleTitle|BookTitle)[^>]*>\s*[^<\s]", own):
        assert article.title or article.vernacular_title or (article.book and article.book.title), pmid
    authors = re.findall(
        r"<(?:LastName|CollectiveName)[ >]",
        re.sub(r"<(InvestigatorList|PersonalNameSubjectList).*?</\1>", "", own, flags=re.S),
    )
    listed = len(article.authors) + len(article.editors) + (len(article.book.authors) if article.book else 0)
    assert listed >= len(authors), f"{pmid}: {listed} of {len(authors)} authors"
    if re.search(r'EIdType="doi" ValidYN="Y"|<ArticleId IdType="doi">', own):
        assert article.ids.get("doi"), pmid


async def test_metrics_and_citations_over_the_corpus(real: Emulator, host_over: MakeHost) -> None:
    records = emulator.behind(real, "eutils").records
    pmids = sorted((str(pmid) for pmid in records), key=int)
    async with host_over(real) as host:
        formatted = 0
        for start in range(0, len(pmids), 200):
            answer = await host.call(
                "citeformat_format_citations", {"ids": pmids[start : start + 200], "format": STYLES}
            )
            assert not answer.is_error, answer.text
            formatted += answer.structured["data"]["total_formatted"]
        assert formatted == len(pmids)
        metrics = await ask(host, "icite_get_citation_metrics", ids=pmids[:200], limit=200)
        counts = metrics["data"]["counts"]
        assert counts["inputs"] == 200
        assert counts["failed"] == 0
    print(f"{formatted} records cited in {len(STYLES)} styles")


@pytest.mark.parametrize("path", ["../..", "a?b=c", "a#b", "https://evil.example.org/", "..%2f..", "%2e%2e/"])
async def test_paths_cannot_be_injected(path: str, joined: Emulator, host_over: MakeHost) -> None:
    """Whatever an id or a query holds, it stays inside its segment or parameter, on the same host."""
    joined.clear()
    async with host_over(joined) as host:
        for tool, arguments in (
            ("pubmed_search_articles", {"query": path}),
            ("pubmed_fetch_articles", {"ids": [path]}),
            ("europepmc_search_literature", {"query": path}),
            ("europepmc_fetch_article", {"ids": [path], "include_full_text": True}),
            ("europepmc_get_citation_network", {"ids": [path]}),
            ("pubmed_convert_ids", {"ids": [path]}),
        ):
            result = await host.call(tool, arguments)
            assert result.structured["status"] in ("ok", "partial", "error", "restricted")
    for entry in joined.log():
        assert ".." not in entry.path
        assert "evil" not in entry.path


async def test_text_and_structure_agree(joined: Emulator, host_over: MakeHost) -> None:
    """P95: every leaf of the data stands in the text, for each tool of the main job."""
    async with host_over(joined) as host:
        for tool, arguments in (
            ("pubmed_search_articles", {"query": "glimmer", "limit": 3}),
            ("pubmed_fetch_articles", {"ids": ["99900001", "99900009"]}),
            ("europepmc_search_literature", {"query": "glimmer", "limit": 3}),
            ("icite_get_citation_metrics", {"ids": JOINED[:4]}),
            ("citeformat_format_citations", {"ids": JOINED[:4], "format": STYLES}),
        ):
            result = await host.call(tool, arguments)
            missing = [leaf for leaf in _leaves(result.structured["data"]) if not _shown(leaf, result.text)]
            assert missing == [], f"{tool}: {missing[:3]}"


def _leaves(node: Any) -> Iterator[Any]:
    if isinstance(node, dict):
        for value in node.values():
            yield from _leaves(value)
    elif isinstance(node, list):
        for value in node:
            yield from _leaves(value)
    else:
        yield node


def _shown(leaf: Any, text: str) -> bool:
    if leaf is None or isinstance(leaf, bool):
        return {None: "null", True: "yes", False: "no"}[leaf] in text
    if isinstance(leaf, str):
        return all(" ".join(line.split()) in " ".join(text.split()) for line in leaf.splitlines() if line.strip())
    return str(leaf) in text or json.dumps(leaf) in text
