"""The PMC ID converter in both shapes and three formats."""

from collections.abc import Iterator
from typing import Any

import pytest
from lxml import etree

from tests import emulator
from tests.emulator.conftest import Caller


@pytest.fixture(scope="module")
def old() -> Iterator[Caller]:
    with emulator.start(corpus=False, idconv_shape="old") as server:
        caller = Caller(server)
        with caller.client:
            yield caller


def convert(caller: Caller, ids: str, **params: str) -> Any:
    return caller.get("idconv", ids=ids, format="json", **params).json()


@pytest.mark.parametrize("word", ["99900015", "PMC99900015", "10.99999/jir.2013.0015", "NIHMS999015"])
def test_every_kind_of_id_converts(joined: Caller, word: str) -> None:
    row = convert(joined, word)["records"][0]
    assert (row["pmcid"], row["pmid"], row["mid"]) == ("PMC99900015", 99900015, "NIHMS999015")
    assert row["requested-id"] == word


def test_an_article_outside_pmc_is_an_error_even_with_a_doi(joined: Caller) -> None:
    rows = convert(joined, "99900001,99900006", idtype="pmid")["records"]
    assert [row.get("status") for row in rows] == [None, "error"]
    assert rows[1] == {
        "pmid": 99900006,
        "requested-id": "99900006",
        "status": "error",
        "errmsg": "Identifier not found in PMC",
    }


def test_missing_contact_is_a_warning(joined: Caller) -> None:
    assert len(convert(joined, "99900001")["request"]["warnings"]) == 2
    assert convert(joined, "99900001", tool="t", email="e")["request"]["warnings"] == []


def test_the_old_shape_has_text_where_the_new_has_numbers(old: Caller) -> None:
    found = convert(old, "99900001")
    assert found["records"][0]["pmid"] == "99900001"
    assert "responseDate" in found
    assert isinstance(found["request"], str)


def test_xml_is_the_default_and_csv_is_there(joined: Caller) -> None:
    root = etree.fromstring(joined.get("idconv", ids="PMC99900001").content)
    assert root.find("record").get("doi") == "10.99999/jir.2023.0001"  # type: ignore[union-attr]
    lines = joined.get("idconv", ids="PMC99900001", format="csv").text.splitlines()
    assert lines[1].startswith('"99900001","PMC99900001"')


@pytest.mark.parametrize(
    ("ids", "kind"), [("", ""), (",".join(str(n) for n in range(201)), "pmid"), ("1,PMC2", "pmid"), ("1", "nonsense")]
)
def test_refusals(joined: Caller, ids: str, kind: str) -> None:
    answer = joined.get("idconv", ids=ids, idtype=kind, format="json")
    assert (answer.status_code, answer.json()["status"]) == (400, "error")
