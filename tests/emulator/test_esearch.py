"""ESearch over the invented records: the query subset, both formats, limits, history, made-up results."""

from collections.abc import Iterator
from typing import Any

import pytest
from lxml import etree

from tests import emulator
from tests.emulator.conftest import Caller
from tests.emulator.pubmed_search import span


def search(caller: Caller, term: str, **params: Any) -> dict[str, Any]:
    answer = caller.get("eutils", "esearch.fcgi", db="pubmed", term=term, retmode="json", retmax=100, **params)
    return answer.json()["esearchresult"]  # type: ignore[no-any-return]


def numbers(caller: Caller, term: str, **params: Any) -> set[int]:
    """The last digits of the PMIDs found."""
    return {int(pmid) - 99900000 for pmid in search(caller, term, **params)["idlist"]}


@pytest.mark.parametrize(
    ("term", "found"),
    [
        ("fictol lantern fever cohort", {2}),
        ("fictol[ti] AND glimmer[ti]", {1, 7, 8, 12}),
        ("(marsh[ti] OR register[ti]) NOT register[ti]", {11, 15, 17}),
        ('"lantern fever"[ti]', {2, 4, 9, 10, 19}),
        ("Hollowell TR[au]", {2, 5, 18}),
        ("quillfeather a[author] AND 2023[dp]", {1}),
        ("Invented Results Study Group[cn]", {14}),
        ('"Journal of invented results"[ta] AND 8[vi]', {4, 10}),
        ("J Invent Res[jour] AND 331[pg]", {5}),
        ("retracted publication[pt]", {9}),
        ("retraction of publication[pt] OR published erratum[pt]", {10, 12}),
        ("french[la]", {20}),
        ("fre[la] AND english abstract[pt]", {20}),
        ("Glimmer Syndrome[mh]", {1, 5, 14, 16}),
        ("humans[majr]", set()),
        ("10.99999/jir.2021.0002[doi]", {2}),
        ("99900003[uid] OR 99900004[pmid]", {3, 4}),
        ("2019/01/01:2020/12/31[dp]", {3, 4, 10}),
        ('"2012"[dp] : "2013"[dp]', {15, 19}),
        ("2023/02/20[edat]", {1}),
        ("2022:2023[crdt]", {1, 12, 16}),
        ("lant*[ti] AND imaginary", {6, 20}),
        ("fictol NOT hasabstract", {12, 10, 18}),
        ("Préparation OR brontov[au]", {1, 4, 6, 9, 13, 17, 19}),
        ("99900001", {1}),
    ],
)
def test_the_query_subset(joined: Caller, term: str, found: set[int]) -> None:
    assert numbers(joined, term) == found


def test_operators_work_from_left_to_right_without_precedence(joined: Caller) -> None:
    one = numbers(joined, "register[ti] OR fictol[ti] AND letter[pt]")
    assert one == {18}
    assert numbers(joined, "register[ti] OR (fictol[ti] AND letter[pt])") == {3, 18}


def test_numbers_are_strings_and_the_translation_is_given(joined: Caller) -> None:
    found = search(joined, "fictol[ti] AND 2023[dp]")
    assert (found["count"], found["retmax"], found["retstart"]) == ("2", "2", "0")
    assert found["querytranslation"] == '"fictol"[Title] AND 2023/01/01:2023/12/31[Date - Publication]'


def test_a_heading_is_mapped_to_mesh(joined: Caller) -> None:
    found = search(joined, "adult")
    mapped = '"adult"[MeSH Terms] OR "adult"[All Fields]'
    assert found["translationset"] == [{"from": "adult", "to": mapped}]


def test_unknown_words_are_dropped_and_named_beside_the_count(joined: Caller) -> None:
    found = search(joined, "fictol AND qqqqzzzz AND letter[pt]")
    assert (found["count"], found["errorlist"]["phrasesnotfound"]) == ("1", ["qqqqzzzz"])


def test_unknown_tags_are_named_and_their_words_searched_everywhere(joined: Caller) -> None:
    found = search(joined, "register[xyz]")
    assert (found["idlist"], found["errorlist"]["fieldsnotfound"]) == (["99900003"], ["xyz"])


def test_unknown_quoted_phrases_become_words(joined: Caller) -> None:
    found = search(joined, '"register lights"[tiab]')
    assert found["warninglist"]["quotedphrasesnotfound"] == ['"register lights"']


def test_no_hits_say_so(joined: Caller) -> None:
    found = search(joined, "qqqqzzzz")
    assert (found["count"], found["idlist"]) == ("0", [])
    assert found["warninglist"]["outputmessages"] == ["No items found."]


@pytest.mark.parametrize(
    "term", ["fictol[ti] AND (letter[pt]", "(fictol[ti] AND letter[pt]))", "fictol[ti] AND AND letter[pt]"]
)
def test_unbalanced_queries_are_forgiven(joined: Caller, term: str) -> None:
    assert numbers(joined, term) == {18}


def test_xml_names_the_lists_otherwise(joined: Caller) -> None:
    answer = joined.get(
        "eutils", "esearch.fcgi", db="pubmed", term="fictol[ti] AND qqqqzzzz AND x[yyy]", usehistory="y"
    )
    root = etree.fromstring(answer.content)
    assert root.tag == "eSearchResult"
    assert root.findtext("ErrorList/PhraseNotFound") == "qqqqzzzz"
    assert root.findtext("ErrorList/FieldNotFound") == "yyy"
    assert root.findtext("QueryKey") == "1"
    assert root.findtext("WebEnv", "").startswith("MCID_")


@pytest.mark.parametrize(
    ("sort", "first"), [("", 99900020), ("pub_date", 99900007), ("Author", 99900012), ("JournalName", 99900013)]
)
def test_sorts(joined: Caller, sort: str, first: int) -> None:
    found = search(joined, "99900001:99900020[uid]", sort=sort)
    assert found["idlist"][0] == str(first)


def test_relevance_puts_the_record_that_says_it_most_first(joined: Caller) -> None:
    assert search(joined, "register", sort="relevance")["idlist"][0] == "99900003"


def test_date_limits_need_both_ends(joined: Caller) -> None:
    both = numbers(joined, "fictol", mindate="2021", maxdate="2022/12", datetype="pdat")
    assert both == {2, 16}
    assert numbers(joined, "fictol", mindate="2021", datetype="pdat") > both
    assert numbers(joined, "fictol", reldate="1", datetype="crdt") == set()


def test_count_only(joined: Caller) -> None:
    assert search(joined, "fictol[ti]", rettype="count") == {"count": "9"}


def test_missing_db_is_a_plain_text_400(joined: Caller) -> None:
    answer = joined.get("eutils", "esearch.fcgi", term="x")
    assert (answer.status_code, answer.text) == (400, "Mandatory parameter: db - is omitted")


def test_a_search_can_be_posted(joined: Caller) -> None:
    answer = joined.post("eutils", "esearch.fcgi", db="pubmed", term="register[ti]", retmode="json")
    assert answer.json()["esearchresult"]["idlist"] == ["99900003"]


def test_sets_of_a_session_can_be_combined(joined: Caller) -> None:
    first = search(joined, "fictol[ti]", usehistory="y")
    second = search(joined, "2023[dp]", usehistory="y", WebEnv=first["webenv"])
    assert (second["querykey"], second["webenv"]) == ("2", first["webenv"])
    assert numbers(joined, "#1 AND #2", WebEnv=first["webenv"]) == {1, 12}


def test_spans_of_dates() -> None:
    assert span("2024/02")[1] - span("2024/02")[0] == 28
    assert span("nonsense") == (1, 0)
    assert span("2024/13/45") == (1, 0)


CROWDED = "2020-03-05"


@pytest.fixture(scope="module")
def crowd() -> Iterator[Caller]:
    extra = emulator.synthetic("sliceable", 25_000, per_day=200, crowded={CROWDED: 10_500})
    with emulator.start(corpus=False, extra=[extra]) as server:
        caller = Caller(server)
        with caller.client:
            yield caller


def test_a_large_result_can_be_read_to_the_9999th_record_only(crowd: Caller) -> None:
    found = crowd.get("eutils", "esearch.fcgi", db="pubmed", term="sliceable", retmode="json", retmax=100_000)
    result = found.json()["esearchresult"]
    assert (result["count"], result["retmax"], len(result["idlist"])) == ("25000", "9999", 9999)
    last = crowd.get("eutils", "esearch.fcgi", db="pubmed", term="sliceable", retmode="json", retstart=9998, retmax=10)
    result = last.json()["esearchresult"]
    assert len(result["idlist"]) == 1
    assert result["warninglist"]["outputmessages"] == ["Restrictions achieved. start and count adjusted to 9998, 1"]
    page = crowd.get("eutils", "esearch.fcgi", db="pubmed", term="sliceable", retmode="json", retstart=9500, retmax=500)
    assert len(page.json()["esearchresult"]["idlist"]) == 499


def test_beyond_9998_there_is_an_error_with_a_raw_line_break(crowd: Caller) -> None:
    answer = crowd.get("eutils", "esearch.fcgi", db="pubmed", term="sliceable", retmode="json", retstart=9999)
    assert answer.status_code == 200
    assert b"Exception:\n'retstart' cannot be larger than 9998." in answer.content
    with pytest.raises(ValueError, match="control character"):
        answer.json()


def test_create_dates_slice_without_overlap_and_publication_dates_with(crowd: Caller) -> None:
    """One create date per record; some records have two publication dates."""
    whole = int(search(crowd, "sliceable")["count"])

    def summed(field: str) -> int:
        years = ("2019", "2020", "2021", "2022")
        return sum(int(search(crowd, f"sliceable AND {year}[{field}]")["count"]) for year in years)

    assert summed("crdt") == whole
    assert summed("pdat") > whole


def test_a_crowded_day_can_be_split_by_uid_ranges(crowd: Caller) -> None:
    day = CROWDED.replace("-", "/")
    assert search(crowd, f"sliceable AND {day}[crdt]")["count"] == "10500"
    low = search(crowd, f"sliceable AND {day}[crdt] AND 80000001:80018000[uid]")["count"]
    high = search(crowd, f"sliceable AND {day}[crdt] AND 80018001:80025000[uid]")["count"]
    assert int(low) + int(high) == 10_500
    assert int(low) > 0


def test_made_up_records_can_be_fetched(crowd: Caller) -> None:
    root = etree.fromstring(crowd.get("eutils", "efetch.fcgi", db="pubmed", id="80000007").content)
    assert root.findtext(".//ArticleTitle") == "Sliceable record 80000007."
    made = crowd.get("eutils", "esummary.fcgi", db="pubmed", id="80000007", retmode="json").json()
    assert made["result"]["80000007"]["pubdate"] == "2020 Jan 1"
