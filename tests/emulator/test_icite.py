"""iCite's API in both shapes."""

from collections.abc import Iterator

import pytest

from tests import emulator
from tests.emulator.conftest import Caller

ALL = ",".join(str(99900000 + n) for n in range(1, 21))


@pytest.fixture(scope="module")
def old() -> Iterator[Caller]:
    with emulator.start(corpus=False, icite_shape="old") as server:
        caller = Caller(server)
        with caller.client:
            yield caller


def test_the_order_is_not_the_requests_and_unknown_pmids_are_missing(joined: Caller) -> None:
    found = [row["pmid"] for row in joined.get("icite", "pubs", pmids=ALL).json()["data"]]
    assert len(found) == 18
    assert found != sorted(found)
    assert not {99900013, 99900020} & set(found)


def test_fields_can_be_chosen(joined: Caller) -> None:
    found = joined.get("icite", "pubs", pmids="99900001", fl="pmid,relative_citation_ratio,cited_by").json()["data"]
    citing = [99900007, 99900008, 99900014, 99900016, 99900018]
    assert found == [{"pmid": 99900001, "relative_citation_ratio": 3.42, "cited_by": citing}]


def test_the_new_shape(joined: Caller) -> None:
    answer = joined.get("icite", "pubs/99900007").json()
    row = answer["data"][0]
    assert set(answer) == {"data"}
    assert (row["_id"], row["provisional"], row["relative_citation_ratio"]) == ("99900007", True, None)
    assert row["authors"][0] == {
        "lastName": "Quillfeather",
        "fullName": "Quillfeather, Amara J",
        "firstName": "Amara J",
    }


def test_the_old_shape(old: Caller) -> None:
    answer = old.get("icite", "pubs", pmids="99900007,99900001").json()
    assert answer["meta"] == {"pmids": "99900007,99900001"}
    rows = {row["pmid"]: row for row in answer["data"]}
    assert (rows[99900007]["provisional"], rows[99900007]["cited_by_clin"]) == ("Yes", None)
    assert rows[99900001]["authors"].startswith("Amara J Quillfeather, ")
    assert "_id" not in rows[99900001]
    assert old.get("icite", "pubs/99900001").json()["pmid"] == 99900001


def test_pages_go_by_the_last_pmid(joined: Caller) -> None:
    found = joined.get("icite", "pubs", offset=99900005, limit=3).json()["data"]
    assert {row["pmid"] for row in found} == {99900006, 99900007, 99900008}


@pytest.mark.parametrize("pmids", ["abc", "1,x", ",".join(["1"] * 1001)])
def test_bad_lists_are_refused(joined: Caller, pmids: str) -> None:
    assert joined.get("icite", "pubs", pmids=pmids).status_code == 400


def test_an_unknown_pmid_is_not_found(joined: Caller) -> None:
    assert joined.get("icite", "pubs/1").status_code == 404


def test_rows_of_the_snapshot_are_numbers_flags_and_lists(whole: Caller) -> None:
    row = whole.get("icite", "pubs", pmids="351").json()["data"][0]
    assert (row["citation_count"], row["relative_citation_ratio"], row["is_research_article"]) == (16, None, True)
    assert row["cited_by_clin"] == [21454865]
