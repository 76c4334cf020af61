"""pubmed_fetch_articles over the emulated service: every id accounted for, one request for 200, nothing invented."""

import json
from typing import Any

import pubmed_xml as made
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from vouched.api import Owner
from vouched.testing.emulator import Emulator
from vouched_pubmed.efetch import read_articles

pytestmark = pytest.mark.anyio


def rows(result: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = result.structured["data"]["rows"]
    return found


async def every_row(call: Any, **arguments: Any) -> list[dict[str, Any]]:
    """All pages."""
    found: list[dict[str, Any]] = []
    cursor = None
    while True:
        result = await call("fetch_articles", **arguments, **({"cursor": cursor} if cursor else {}))
        found += rows(result)
        cursor = result.structured.get("next_cursor")
        if not cursor:
            return found


async def test_a_row_for_each_id_in_order_with_the_callers_spelling(call: Any) -> None:
    given_ids = ["PMID:99900002", "https://pubmed.ncbi.nlm.nih.gov/99900001/", "abc", "99900001", "0099900002"]
    result = await call("fetch_articles", ids=given_ids, view="brief")
    found = rows(result)
    assert [row["input"] for row in found] == given_ids
    assert [row["state"] for row in found] == ["found", "found", "invalid", "found", "found"]
    assert [row.get("same_as") for row in found] == [None, None, None, 2, 1]
    assert result.structured["data"]["counts"] == {"found": 4, "invalid": 1}


async def test_p02_zero_padded_ids_are_one_record_and_never_missing(call: Any, ncbi: Emulator) -> None:
    found = rows(await call("fetch_articles", ids=["0099900001", "99900001"]))
    assert [row["state"] for row in found] == ["found", "found"]
    (asked,) = ncbi.log("eutils")
    assert "0099900001" not in str(asked.params)


async def test_p03_pasted_spellings(call: Any) -> None:
    pasted = "PMID:99900001;pmid:99900002 https://www.ncbi.nlm.nih.gov/pubmed/99900003?report=abstract -5 0 1e7"
    found = rows(await call("fetch_articles", ids=pasted, view="brief"))
    assert [row["state"] for row in found] == ["found"] * 3 + ["invalid"] * 3


async def test_pmcid_doi_and_bookshelf_numbers_lead_to_their_record(real_call: Any) -> None:
    ids = ["PMC99900001", "10.99999/jir.2018.0009", "NBK1403", "https://doi.org/10.1016/S0140-6736(97)11096-0"]
    found = rows(await real_call("fetch_articles", ids=ids, view="brief"))
    assert [row["record"]["pmid"] for row in found] == ["99900001", "99900009", "20301577", "9500320"]


async def test_200_ids_take_one_request(call: Any, ncbi: Emulator) -> None:
    ids = [str(99900001 + n) for n in range(20)] + [str(88800001 + n) for n in range(180)]
    result = await call("fetch_articles", ids=ids, view="brief")
    assert result.structured["data"]["counts"] == {"found": 20, "not_found": 180}
    (asked,) = ncbi.log()
    assert (asked.method, asked.path.rpartition("/")[2]) == ("POST", "efetch.fcgi")


async def test_later_pages_bring_the_rest_and_ask_nothing_again(call: Any, ncbi: Emulator) -> None:
    ids = [str(99900001 + n) for n in range(20)] * 5
    found = await every_row(call, ids=ids, view="full", references=True)
    assert [row["input"] for row in found] == ids
    assert len(ncbi.log("eutils")) == 1


async def test_an_answer_stays_within_its_size(call: Any) -> None:
    """P94: whole records only; the rest comes with the cursor."""
    ids = [str(99900001 + n) for n in range(20)]
    result = await call("fetch_articles", ids=ids, view="full")
    assert len(json.dumps(result.structured["data"])) < 22_000
    assert result.structured["next_cursor"]
    data = result.structured["data"]
    assert data["returned"] + data["remaining"] == 20


@pytest.mark.parametrize("view", ["brief", "standard", "full"])
async def test_a_record_of_several_versions_says_which_one_it_is(call: Any, ncbi: Emulator, view: str) -> None:
    body = made.whole(made.article(version="1", title="Old"), made.article(version="3", title="New"))
    ncbi.misbehave("efetch.fcgi", "body", body=body, media="text/xml")
    (row,) = rows(await call("fetch_articles", ids="99900001", view=view))
    record = row.get("record") or row["article"]
    assert (row["state"], record["title"]) == ("found", "New")
    assert (record["version"], record["other_versions"]) == ("3", ["1"])
    assert row["reason"] == "It is version 3; PubMed also keeps version 1 of it."


async def test_a_record_too_large_for_an_answer_is_kept_whole(call: Any, ncbi: Emulator) -> None:
    text = "word " * 9_000
    body = made.whole(made.article(f"<Abstract><AbstractText>{text}</AbstractText></Abstract>"))
    ncbi.misbehave("efetch.fcgi", "body", body=body, media="text/xml")
    result = await call("fetch_articles", ids="99900001")
    (row,) = rows(result)
    assert row["omitted"] == ["abstract (44,999 characters)"]
    assert row["record"]["title"] == "An invented title."
    assert row["artifact"].startswith("artifact:")
    assert result.attachments
    kept = await call.host.store.artifact(Owner(client="python"), row["artifact"].removeprefix("artifact:"))
    assert kept.source_notice == "PubMed, U.S. National Library of Medicine"
    assert f"eutils {kept.retrieved_at}" == result.structured["data"]["status_checked"]


@pytest.mark.parametrize("view", ["brief", "standard", "full"])
async def test_every_view_tells_the_standing(view: str, call: Any) -> None:
    """P82: the status is in every view, with the notice's id where notices are shown."""
    (row,) = rows(await call("fetch_articles", ids="99900009", view=view))
    record = row.get("record") or row["article"]
    status = record["status"] if view != "full" else record["status"]["status"]
    assert status == "retracted"
    if view == "standard":
        assert {"type": "RetractionIn", "pmid": "99900010"}.items() <= record["notices"][0].items()


async def test_full_is_the_neutral_record_and_references_are_asked_for(call: Any) -> None:
    (row,) = rows(await call("fetch_articles", ids="99900001", view="full"))
    assert row["omitted"] == ["cited_references (3)"]
    (whole,) = rows(await call("fetch_articles", ids="99900001", view="full", references=True))
    assert len(whole["article"]["cited_references"]) == 3
    assert {**row["article"], "cited_references": whole["article"]["cited_references"]} == whole["article"]


async def test_full_names_the_first_and_last_of_very_many_authors(real_call: Any) -> None:
    """38884347 has 163 authors with their affiliations."""
    (row,) = rows(await real_call("fetch_articles", ids="38884347", view="full"))
    (usual,) = rows(await real_call("fetch_articles", ids="38884347"))
    assert row["artifact"].startswith("artifact:")
    shown = [author.get("collective") or author["family"] for author in row["article"]["authors"]]
    assert all(name.startswith(own) for own, name in zip(shown[:20], usual["record"]["authors"], strict=False))
    assert len(shown) >= 23
    assert usual["record"]["author_count"] == 163
    assert usual["omitted"] == ["authors (63 of 163)"]
    assert any(text.startswith("affiliations (") for text in row["omitted"])


async def test_full_has_all_that_standard_has(real_call: Any) -> None:
    for pmid in ("38884347", "9500320", "27602157", "20301577", "34097317"):
        (usual,) = rows(await real_call("fetch_articles", ids=pmid))
        (row,) = rows(await real_call("fetch_articles", ids=pmid, view="full"))
        left_out = {text.partition(" ")[0] for text in row.get("omitted", [])}
        assert not left_out & {"abstract", "mesh", "notices", "journal", "keywords", "types", "title"}
        article, record = row["article"], usual["record"]
        assert article["title"] == record["title"]
        assert len(article.get("notices", [])) == len(record.get("notices", []))
        assert len(article.get("mesh", [])) == len(record.get("mesh", []))
        assert bool(article.get("abstract")) == bool(record.get("abstract"))
        assert bool(article.get("authors")) == bool(record.get("authors"))


@pytest.mark.parametrize("view", ["standard", "full"])
async def test_p82_grave_notices_and_the_standing_come_first(view: str, real_call: Any) -> None:
    """9500320: the retraction stood behind 27 comments."""
    (row,) = rows(await real_call("fetch_articles", ids="9500320", view=view))
    notices = (row.get("record") or row["article"])["notices"]
    types = [notice["type"] for notice in notices]
    assert types[0] == "RetractionIn"
    assert types.index("ExpressionOfConcernIn") < types.index("ErratumIn") < types.index("CommentIn")
    assert list(row)[:3] == ["input", "state", "status"]
    assert row["status"] == "retracted"


async def test_p95_both_faces_have_what_matters(call: Any) -> None:
    result = await call("fetch_articles", ids=["99900001", "1", "abc"])
    record = rows(result)[0]["record"]
    for value in (record["title"], record["doi"], record["status"], *record["authors"], record["notices"][0]["pmid"]):
        assert str(value) in result.text
    for row in rows(result)[1:]:
        assert row["state"].replace("_", " ") in result.text.replace("_", " ")


async def test_p01_another_record_than_the_one_asked_is_not_handed_out(call: Any, ncbi: Emulator) -> None:
    ncbi.misbehave("efetch.fcgi", "body", body=made.whole(made.article(pmid="37000001")), media="text/xml")
    result = await call("fetch_articles", ids="25977344")
    (row,) = rows(result)
    assert row["state"] == "identity_mismatch"
    assert "37000001" in row["reason"]
    assert "An invented title" not in result.text


async def test_p08_states_are_only_those_that_the_service_named(call: Any, ncbi: Emulator) -> None:
    merged = made.article(
        pmid="99900050", ids='<ArticleId IdType="pubmed">99900050</ArticleId><ArticleId IdType="pubmed">51</ArticleId>'
    )
    body = made.whole(merged, "<DeleteCitation><PMID>52</PMID></DeleteCitation>")
    ncbi.misbehave("efetch.fcgi", "body", body=body, media="text/xml")
    found = rows(await call("fetch_articles", ids=["51", "52", "53"]))
    assert [row["state"] for row in found] == ["merged", "deleted", "not_found"]
    assert (found[0]["merged_into"], found[0]["record"]["pmid"]) == ("99900050", "99900050")
    assert "no reason" in found[2]["reason"]


async def test_p08_unavailable_now(call: Any, ncbi: Emulator) -> None:
    text = "id: 32816848 Error occurred: The following PMID is not available: 32816848"
    ncbi.misbehave("efetch.fcgi", "body", body=text, media="text/plain")
    (row,) = rows(await call("fetch_articles", ids="32816848"))
    assert (row["state"], row["retryable"]) == ("unavailable_now", True)


async def test_an_empty_set_is_no_proof_of_deletion(call: Any) -> None:
    (row,) = rows(await call("fetch_articles", ids="999999999"))
    assert row["state"] == "not_found"


async def test_no_correct_id_is_an_answer_and_not_retried(call: Any, ncbi: Emulator) -> None:
    """Failure 2.10.15: `id=00000000` made the service call the list empty, and it was retried for a minute."""
    body = "<eFetchResult><ERROR>ID list is empty! Possibly it has no correct IDs.</ERROR></eFetchResult>"
    ncbi.misbehave("efetch.fcgi", "body", times=None, body=body, status=400, media="text/xml")
    (row,) = rows(await call("fetch_articles", ids="123"))
    assert row["state"] == "not_found"
    assert len(ncbi.log("eutils")) == 1


ENVELOPES = {
    "timeout": "<eFetchResult><ERROR>Error: External viewer error: Empty Response. Bytes read: 0 Status: Timeout"
    "</ERROR></eFetchResult>",
    "pubone": "<eFetchResult><ERROR>Error: CEFetchPApplication::proxy_stream(): Failed to connect to PubOne service. "
    "Try again later.</ERROR></eFetchResult>",
}


@pytest.mark.parametrize("status", [200, 400])
@pytest.mark.parametrize("name", ENVELOPES)
async def test_passing_errors_in_disguise_are_asked_again(name: str, status: int, call: Any, ncbi: Emulator) -> None:
    """Failures 2.10.13, 2.10.15: the envelopes come under 400 and under 200, and both pass."""
    ncbi.misbehave("efetch.fcgi", "body", body=ENVELOPES[name], status=status, media="text/xml")
    (row,) = rows(await call("fetch_articles", ids="99900001", view="brief"))
    assert row["state"] == "found"
    assert len(ncbi.log("eutils")) == 2


async def test_a_cut_answer_is_asked_again(call: Any, ncbi: Emulator) -> None:
    ncbi.misbehave("efetch.fcgi", "truncated")
    (row,) = rows(await call("fetch_articles", ids="99900001", view="brief"))
    assert row["state"] == "found"


async def test_p106_when_nothing_could_be_asked_the_call_is_an_error(call: Any, ncbi: Emulator) -> None:
    ncbi.misbehave("efetch.fcgi", "status", times=None, status=503)
    result = await call("fetch_articles", ids=["99900001", "99900002"])
    assert result.is_error
    assert result.structured["error"]["code"] == "upstream_unreachable"


async def test_what_could_not_be_asked_is_named_and_the_rest_comes(call: Any, ncbi: Emulator) -> None:
    """A DOI whose search fails does not cost the PMIDs beside it."""
    ncbi.misbehave("esearch.fcgi", "status", times=None, status=503)
    ids = ["99900001", "10.99999/never.seen"]
    result = await call("fetch_articles", ids=ids, view="brief")
    assert [row["state"] for row in rows(result)] == ["found", "failed"]
    assert result.structured["status"] == "partial"


async def test_last_stays_the_last_search_when_records_of_it_were_fetched(call: Any) -> None:
    searched = await call("search_articles", query="glimmer", limit=2)
    fetched = await call("fetch_articles", ids="99900009", view="brief")
    found = rows(await call("fetch_articles", ids="last", view="brief"))
    assert [row["record"]["pmid"] for row in found] == searched.structured["data"]["pmids"]
    run = fetched.structured["provenance"]["run_id"]
    again = rows(await call("fetch_articles", ids=f"run:{run}", view="brief"))
    assert [row["record"]["pmid"] for row in again] == ["99900009"]


@pytest.mark.parametrize("ids", [[], [str(n) for n in range(1, 202)]])
async def test_the_count_of_ids_is_bounded(ids: list[str], call: Any) -> None:
    result = await call("fetch_articles", ids=ids)
    assert result.structured["error"]["code"] == "invalid_argument"


async def test_times_are_those_of_the_exchange(call: Any) -> None:
    first = await call("fetch_articles", ids="99900001")
    again = await call("fetch_articles", ids="99900001")
    assert again.structured["provenance"]["sources"][0]["from_cache"]
    stamp = first.structured["data"]["status_checked"]
    assert stamp == again.structured["data"]["status_checked"]
    assert first.structured["provenance"]["sources"][0]["retrieved_at"] in stamp


SPELLINGS = st.sampled_from(
    [*(str(99900001 + n) for n in range(6)), "0099900001", "PMID:99900002", "1", "77", "x", "PMC", "PPR5", "-1"]
)


@given(ids=st.lists(SPELLINGS, min_size=1, max_size=12))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
async def test_rows_are_the_inputs_and_no_id_is_both_returned_and_missing(ids: list[str], call: Any) -> None:
    found = await every_row(call, ids=ids, view="brief")
    assert [row["input"] for row in found] == ids
    there = {row["input"] for row in found if row["state"] == "found"}
    assert not there & {row["input"] for row in found if row["state"] != "found"}
    for position, row in enumerate(found):
        if row["state"] == "found":
            whole = found[row["same_as"] - 1] if "same_as" in row else row
            assert whole["record"]["pmid"] == "".join(c for c in row["input"] if c.isdigit()).lstrip("0")
            assert row.get("same_as", 0) <= position


def test_ids_round_trip_through_the_reader() -> None:
    """What is written as the record's id is read as it, and printed as it."""
    for number in (1, 10, 99900001, 2_147_483_647):
        (found,) = read_articles(made.whole(made.article(pmid=str(number)))).articles
        assert found.ids["pmid"] == str(number)
        assert str(next(iter(found.known_ids()))) == f"pmid:{number}"
