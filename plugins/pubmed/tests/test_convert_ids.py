"""pubmed_convert_ids: one row an input, `not_in_pmc` is no `not_found`, contradictions are named."""

import json
from typing import Any

import pubmed_xml as made
import pytest
from vouched.api import UpstreamInvalid, UpstreamRejected
from vouched.testing.emulator import Emulator
from vouched_pubmed.idconv import read_idconv

pytestmark = pytest.mark.anyio


def rows(result: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = result.structured["data"]["rows"]
    return found


async def test_any_mix_and_spelling(call: Any) -> None:
    ids = ["99900001", "PMC99900002", "https://doi.org/10.99999/jir.2018.0009", "abc"]
    found = rows(await call("convert_ids", ids=ids))
    assert [row["input"] for row in found] == ids
    assert [row["state"] for row in found] == ["found", "found", "found", "invalid"]
    assert (found[0]["pmcid"], found[0]["doi"]) == ("PMC99900001", "10.99999/jir.2023.0001")
    assert (found[1]["pmid"], found[2]["pmid"]) == ("99900002", "99900009")
    assert all(row["confirmed"] for row in found[:3])


async def test_p82_the_standing_of_the_record_read_for_it(call: Any, ncbi: Emulator) -> None:
    found = rows(await call("convert_ids", ids=["99900009", "99900001", "abc"]))
    assert [row.get("status") for row in found] == ["retracted", "corrected", None]
    ncbi.misbehave("efetch.fcgi", "status", times=None, status=503)
    (row,) = rows(await call("convert_ids", ids="99900002"))
    assert "status" not in row


async def test_two_requests_for_a_batch_of_one_kind(call: Any, ncbi: Emulator) -> None:
    await call("convert_ids", ids=[str(99900001 + n) for n in range(20)])
    assert [entry.path.rpartition("/")[2] for entry in ncbi.log()] == ["", "efetch.fcgi"]


async def test_p04_a_mixed_batch_and_a_bad_one_in_it(call: Any, ncbi: Emulator) -> None:
    """Bare numbers are PMCIDs when the caller says so; what the converter refuses is halved until it stands alone."""
    ids = ["PMC99900001", "99900002", "PMC9999999999"]
    found = rows(await call("convert_ids", ids=ids, id_type="pmcid"))
    assert [row.get("pmid") for row in found] == ["99900001", "99900002", None]
    assert found[2]["state"] == "not_found"
    ncbi.misbehave("idconv", "status", times=1, status=400)
    again = rows(await call("convert_ids", ids=["PMC99900003", "PMC99900005"]))
    assert [row["state"] for row in again] == ["found", "found"]


async def test_p05_not_in_pmc_has_its_doi_from_the_pubmed_record(call: Any, ncbi: Emulator) -> None:
    record = made.article(pmid="37952131", ids='<ArticleId IdType="doi">10.99999/none.1</ArticleId>')
    ncbi.misbehave("efetch.fcgi", "body", body=made.whole(record), media="text/xml")
    result = await call("convert_ids", ids="37952131")
    (row,) = rows(result)
    assert (row["state"], row["doi"], row["confirmed"]) == ("not_in_pmc", "10.99999/none.1", True)
    assert "not found" not in result.text.lower()


async def test_p06_one_row_an_element_and_the_callers_spelling(call: Any) -> None:
    ids = ["99900001", "PMID:99900001", "99900001"]
    found = rows(await call("convert_ids", ids=ids))
    assert [row["input"] for row in found] == ids
    assert {row["pmcid"] for row in found} == {"PMC99900001"}


async def test_p07_a_short_doi_is_told_and_the_rest_converts(call: Any, ncbi: Emulator) -> None:
    found = rows(await call("convert_ids", ids=["10/abc12", "10.99999/jir.2023.0001"]))
    assert [row["state"] for row in found] == ["unsupported", "found"]
    assert "10/abc12" not in str([entry.params for entry in ncbi.log("idconv")])


def test_p07_the_message_is_decoded() -> None:
    body = b'{"status":"error","message":"ID%20type%20of%20%2710%2Fabc12%27%20is%20unknown"}'
    with pytest.raises(UpstreamRejected, match="ID type of '10/abc12' is unknown"):
        read_idconv(body, "doi")


async def test_p10_case_and_encoding_of_a_doi_do_not_matter(call: Any) -> None:
    ids = ["10.99999/JIR.2023.0001", "https://doi.org/10.99999%2Fjir.2023.0001"]
    found = rows(await call("convert_ids", ids=ids))
    assert [row["pmid"] for row in found] == ["99900001", "99900001"]
    assert {row["doi"] for row in found} == {"10.99999/jir.2023.0001"}


async def test_p10_two_records_with_one_doi_are_reported(call: Any, ncbi: Emulator) -> None:
    own = '<ArticleId IdType="doi">10.99999/shared</ArticleId>'
    both = made.whole(made.article(pmid="61", ids=own), made.article(pmid="62", ids=own))
    found_by_search = {"esearchresult": {"count": "2", "idlist": ["61", "62"], "querytranslation": ""}}
    ncbi.misbehave("esearch.fcgi", "body", body=json.dumps(found_by_search), media="application/json")
    ncbi.misbehave("efetch.fcgi", "body", body=both, media="text/xml")
    (row,) = rows(await call("convert_ids", ids="10.99999/shared"))
    assert row["state"] == "ambiguous"
    assert "61, 62" in row["reason"]


async def test_contradictions_are_named_and_never_confirmed(call: Any, ncbi: Emulator) -> None:
    said = {"records": [{"pmid": 71, "pmcid": "PMC71", "doi": "10.99999/a", "requested-id": "71"}], "status": "ok"}
    ncbi.misbehave("idconv", "body", body=json.dumps(said), media="application/json")
    record = made.article(pmid="71", ids='<ArticleId IdType="doi">10.99999/b</ArticleId>')
    ncbi.misbehave("efetch.fcgi", "body", body=made.whole(record), media="text/xml")
    (row,) = rows(await call("convert_ids", ids="71"))
    assert (row["state"], row.get("confirmed")) == ("conflict", None)
    assert row["conflicts"] == ["doi: the ID converter says 10.99999/a, the PubMed record 10.99999/b"]


async def test_a_pmcid_whose_pubmed_record_says_another_is_a_conflict(call: Any, ncbi: Emulator) -> None:
    said = {"records": [{"pmid": 72, "pmcid": "PMC72", "requested-id": "PMC72"}], "status": "ok"}
    ncbi.misbehave("idconv", "body", body=json.dumps(said), media="application/json")
    record = made.article(pmid="72", ids='<ArticleId IdType="pmc">PMC73</ArticleId>')
    ncbi.misbehave("efetch.fcgi", "body", body=made.whole(record), media="text/xml")
    (row,) = rows(await call("convert_ids", ids="PMC72"))
    assert row["state"] == "conflict"
    assert "PMC73" in row["conflicts"][0]


async def test_without_the_converter_the_record_still_tells(call: Any, ncbi: Emulator) -> None:
    """Failure 2.3.8: an outage of one backend killed PMID to PMCID."""
    ncbi.misbehave("idconv", "status", times=None, status=503)
    (row,) = rows(await call("convert_ids", ids="99900001"))
    assert (row["state"], row["pmcid"]) == ("found", "PMC99900001")
    assert "could not be asked" in row["reason"]


async def test_p04_an_id_that_the_converter_refuses_is_told_and_found_by_its_record(call: Any, ncbi: Emulator) -> None:
    ncbi.misbehave("idconv", "body", times=None, body='{"status":"error","message":"Invalid%20id"}', status=400)
    (row,) = rows(await call("convert_ids", ids="99900001"))
    assert (row["state"], row["pmcid"]) == ("found", "PMC99900001")
    assert "Invalid id" in row["reason"]


async def test_without_pubmed_the_converter_still_tells_and_nothing_is_confirmed(call: Any, ncbi: Emulator) -> None:
    ncbi.misbehave("efetch.fcgi", "status", times=None, status=503)
    (row,) = rows(await call("convert_ids", ids="99900001"))
    assert (row["state"], row["pmcid"], row.get("confirmed")) == ("found", "PMC99900001", None)


async def test_p106_a_standing_that_could_not_be_asked_is_not_passed_over(call: Any, ncbi: Emulator) -> None:
    """99900009 is retracted; its ids alone would look like those of a sound paper."""
    ncbi.misbehave("efetch.fcgi", "status", times=None, status=503)
    answer = (await call("convert_ids", ids=["PMC99900009", "99900001"])).structured
    assert answer["status"] == "partial"
    assert [row["state"] for row in answer["data"]["rows"]] == ["found", "found"]
    assert any("standing is not known: 99900009, 99900001." in warning for warning in answer["warnings"])


async def test_a_bare_number_is_never_a_doi(call: Any) -> None:
    found = rows(await call("convert_ids", ids=["99900001", "10.99999/jir.2016.0005"], id_type="doi"))
    assert [row["state"] for row in found] == ["invalid", "found"]
    assert "`id_type`" in found[0]["reason"]


async def test_without_either_the_call_is_an_error(call: Any, ncbi: Emulator) -> None:
    ncbi.misbehave("*", "status", times=None, status=503)
    assert (await call("convert_ids", ids="99900001")).is_error


async def test_an_unknown_pmid_is_not_found(call: Any) -> None:
    (row,) = rows(await call("convert_ids", ids="999999999"))
    assert row["state"] == "not_found"


OLD = {
    "status": "ok",
    "responseDate": "2016-03-21 07:51:59",
    "request": "ids=1;format=json",
    "records": [
        {"pmcid": "PMC99900001", "pmid": "99900001", "doi": "10.99999/JIR.2023.0001", "versions": []},
        {"pmid": "99900004", "live": "false", "status": "error", "errmsg": "invalid article id"},
    ],
}


def test_both_shapes_of_the_answer() -> None:
    old = read_idconv(json.dumps(OLD).encode(), "pmid")
    assert (old["99900001"].pmcid, old["99900001"].doi) == ("PMC99900001", "10.99999/jir.2023.0001")
    assert old["99900004"].state == "not_in_pmc"
    new = read_idconv(
        b'{"status":"ok","records":[{"requested-id":"37952131","pmid":37952131,"status":"error",'
        b'"errmsg":"Identifier not found in PMC"}]}',
        "pmid",
    )
    assert new["37952131"].state == "not_in_pmc"


def test_recorded_answers_of_both_shapes() -> None:
    from pubmed_corpus import folder

    place = folder()
    if place is None:
        pytest.skip("the corpus is missing (VOUCHED_SHARED)")
    read = 0
    for path in sorted((place.parent / "idconv").glob("*.json")):
        body = path.read_bytes()
        if b'"records"' in body:
            idtype = "doi" if b'"doi"' in body and b'"pmid"' not in body else "pmid"
            read += len(read_idconv(body, idtype))
    assert read >= 10


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b"<html></html>", b'{"records": 5}', b"\xff"])
def test_what_is_no_answer_is_a_fault(body: bytes) -> None:
    with pytest.raises(UpstreamInvalid):
        read_idconv(body, "pmid")
