"""Citations and references: every row keeps its place, retractions show on both sides."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from vouched.api import Date, Id
from vouched_europepmc import network

pytestmark = pytest.mark.anyio
Ask = Callable[..., Any]


def listing(*rows: dict[str, Any], total: int | None = None) -> dict[str, Any]:
    return {
        "version": "6.9",
        "hitCount": len(rows) if total is None else total,
        "referenceList": {"reference": list(rows)},
    }


async def test_r15_rows_carry_status_licence_and_access(ask: Ask) -> None:
    answer = await ask("get_citation_network", ids=["99900001"], direction="references")
    rows = answer["data"]["rows"]
    assert [row["position"] for row in rows] == [1, 2, 3, 4]
    assert rows[2]["record"]["licence"] == "cc by-nc-nd"
    assert rows[2]["record"]["because"]
    assert rows[3]["cited_as"] == "Letters on lanterns. 1911"
    assert rows[3]["reason"]
    assert answer["data"]["without_id"] == 1
    assert "other services count others" in answer["data"]["coverage"]


async def test_r15_p82_a_reference_list_shows_what_was_retracted_before_it_was_cited(ask: Ask) -> None:
    answer = await ask("get_citation_network", ids=["99900014"], direction="references")
    (row,) = [row for row in answer["data"]["rows"] if row["id"] == "pmid:99900009"]
    assert row["record"]["status"] == "retracted"
    assert row["record"]["signals"][0]["notice_id"] == "pmid:99900010"
    assert row["retraction"] == "retracted_before_citing"
    assert answer["data"]["retracted"] == 1


async def test_citations_of_a_retracted_paper_say_who_cited_it_afterwards(ask: Ask) -> None:
    answer = await ask("get_citation_network", ids=["99900009"])
    assert answer["data"]["paper"]["status"] == "retracted"
    assert {row["id"]: row["retraction"] for row in answer["data"]["rows"]} == {
        "pmid:99900014": "retracted_before_citing"
    }


@pytest.mark.parametrize(
    ("notice", "cited_on", "order"),
    [
        ("PLoS One. 2026 Apr 6;21(4):e0346382.", Date(year=2026, month=5), "before"),
        ("PLoS One. 2026 Apr 6;21(4)", Date(year=2026, month=4, day=2), "after"),
        ("PLoS One. 2026 Apr 6;21(4)", Date(year=2026, month=4), "unknown"),
        ("J Invent Res. 2019", Date(year=2018), "after"),
        ("10.1016/j.jse.2026.06.002", Date(), "unknown"),
        ("no date here", Date(year=2018), "unknown"),
    ],
)
def test_the_order_of_two_dates_is_said_only_where_it_is_known(notice: str, cited_on: Date, order: str) -> None:
    assert network.compare(network.date_of(notice), cited_on) == order


async def test_r15_one_odd_id_costs_no_other_row(ask: Ask, server: Any) -> None:
    rows = [
        {"id": "99900002", "source": "MED", "title": "T"},
        {"id": "IND606", "source": "AGR", "title": "Odd"},
        {"title": "Unmatched", "pubYear": 0},
        {"id": "12345678901", "source": "MED", "title": "Misnamed"},
    ]
    server.misbehave("*/references", "body", body=listing(*rows))
    answer = await ask("get_citation_network", ids=["99900001"], direction="references")
    assert [row["cited_as"] for row in answer["data"]["rows"]] == ["T", "Odd", "Unmatched", "Misnamed"]
    assert [bool(row.get("record")) for row in answer["data"]["rows"]] == [True, False, False, False]
    assert answer["data"]["rows"][1]["id"] == "agr:IND606"
    assert "MED:12345678901" in answer["data"]["rows"][3]["reason"]


async def test_p106_a_count_without_its_list_is_a_fault(ask: Ask, server: Any) -> None:
    body = {"version": "6.9", "hitCount": 50, "request": {}}
    server.misbehave("*/citations", "body", body=body, times=None)
    assert (await ask("get_citation_network", ids=["99900001"]))["error"]["code"] == "upstream_invalid"


async def test_p61_a_page_that_lacks_rows_is_said_and_the_list_goes_on(ask: Ask, server: Any) -> None:
    rows = [{"id": str(99900001 + number), "source": "MED", "title": "T"} for number in range(3)]
    server.misbehave("*/references", "body", body=listing(*rows, total=9))
    answer = await ask("get_citation_network", ids=["99900001"], direction="references", limit=4, enrich=False)
    assert (answer["data"]["returned"], answer["data"]["end"]) == (3, False)
    assert "3 rows where 4 were due" in answer["warnings"][0]


async def test_r05_pages_join_without_an_empty_one(ask: Ask, server: Any) -> None:
    whole = (await ask("get_citation_network", ids=["99900006"], limit=100))["data"]
    assert whole["hit_count"] == 8
    seen, cursor, pages = [], None, 0
    while True:
        page = await ask("get_citation_network", ids=["99900006"], limit=4, cursor=cursor)
        seen += [row["id"] for row in page["data"]["rows"]]
        pages += 1
        cursor = page.get("next_cursor")
        if not cursor:
            break
    assert seen == [row["id"] for row in whole["rows"]]
    assert pages == 2
    assert page["data"]["end"] is True


async def test_r05_a_cursor_is_bound_to_its_direction(ask: Ask) -> None:
    cursor = (await ask("get_citation_network", ids=["99900006"], limit=2))["next_cursor"]
    answer = await ask("get_citation_network", ids=["99900006"], limit=2, direction="references", cursor=cursor)
    assert answer["error"]["path"] == "cursor"


async def test_p64_a_404_of_a_known_record_is_none_and_of_an_unknown_one_not_found(ask: Ask, server: Any) -> None:
    server.misbehave("*/citations", "status", status=404, times=2)
    answer = await ask("get_citation_network", ids=["99900018"])
    assert (answer["status"], answer["data"]["hit_count"], answer["data"]["end"]) == ("ok", 0, True)
    assert "None does not mean that there are none" in answer["data"]["coverage"]
    answer = await ask("get_citation_network", ids=["77777777"])
    assert answer["error"]["code"] == "not_found"


async def test_p64_a_failure_is_neither(ask: Ask, server: Any) -> None:
    server.misbehave("*/citations", "status", status=503, times=None)
    assert (await ask("get_citation_network", ids=["99900001"]))["error"]["code"] == "upstream_unreachable"


async def test_without_enrichment_the_list_alone_is_asked(ask: Ask, server: Any) -> None:
    answer = await ask("get_citation_network", ids=["99900001"], enrich=False)
    assert len(server.log("europepmc")) == 2
    assert all("record" not in row for row in answer["data"]["rows"])


async def test_a_bad_id_is_refused(ask: Ask) -> None:
    answer = await ask("get_citation_network", ids=["junk"])
    assert (answer["error"]["code"], answer["error"]["path"]) == ("invalid_argument", "ids[0]")


def test_r20_every_recorded_list_is_read(corpus: Path) -> None:
    read = 0
    found = [*corpus.glob("epmc-citations/*.json"), *corpus.glob("epmc-references/*.json")]
    for path in [*found, *corpus.glob("europepmc-evidence/tests/fixtures/citations/*.json")]:
        body = path.read_bytes()
        direction: Any = "references" if b"referenceList" in body else "citations"
        listed = network._read(body, direction, 0)
        assert [entry.position for entry in listed.entries] == list(range(1, len(listed.entries) + 1))
        assert all(entry.id is None or isinstance(entry.id, Id) for entry in listed.entries)
        read += len(listed.entries)
    assert read > 700


@pytest.mark.parametrize("enrich", [True, False])
async def test_p82_every_row_says_its_standing_or_that_it_was_not_checked(ask: Ask, enrich: bool) -> None:
    answer = await ask("get_citation_network", ids=["99900014"], direction="references", enrich=enrich)
    statuses = {row.get("id"): row["status"] for row in answer["data"]["rows"]}
    assert statuses["pmid:99900009"] == ("retracted" if enrich else "not_checked")
    assert all(
        row["status"] == row.get("record", {"status": "not_checked"})["status"] for row in answer["data"]["rows"]
    )
