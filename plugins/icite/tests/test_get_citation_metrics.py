"""icite_get_citation_metrics against the emulated service, in the shapes of its answers before and since July 2025."""

import asyncio
import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import vouched_icite
from hypothesis import given
from hypothesis import strategies as st
from vouched.api import Context, Id, Owner, RecordStatus, Ref, Settings
from vouched.testing.emulator import Emulator
from vouched.testing.exchange import Asked, Reply

from tests import emulator

Hosts = Callable[..., Any]
TOOL = "icite_get_citation_metrics"
SET = ["99900001", "99900002", "99900003", "99900009", "99900010", "99999999"]


async def asked_of(server: Emulator, host: Hosts, arguments: dict[str, Any], **settings: Any) -> Any:
    async with host(server, **settings) as asked:
        return await asked.call(TOOL, arguments)


def summed(counts: dict[str, int]) -> int:
    return sum(value for name, value in counts.items() if name != "inputs")


@pytest.mark.anyio
async def test_p68_three_states_nulls_and_what_the_numbers_mean(icite: Emulator, host: Hosts) -> None:
    result = await asked_of(icite, host, {"ids": SET})
    data = result.structured["data"]
    assert data["not_indexed"] == ["99999999"]
    assert data["failed"] == []
    assert "99999999" not in {row["pmid"] for row in data["results"]}
    assert "median NIH-funded" in data["meaning"]["relative_citation_ratio"]
    assert "NIH-funded" in data["meaning"]["nih_percentile"]
    assert "median NIH-funded" in result.text
    for row in data["results"]:
        assert row["state"] == "indexed"
        for name, reason in row["missing"].items():
            assert row[name] is None
            assert reason in ("too_new", "not_given")


@pytest.mark.anyio
async def test_both_shapes_of_the_service_give_one_answer(host: Hosts) -> None:
    answers = []
    for shape in ("new", "old"):
        with emulator.start(corpus=False, icite_shape=shape) as server:
            result = await asked_of(server, host, {"ids": SET, "include": ["cited_by", "references"]})
            answers.append(result.structured["data"])
            assert len(server.log("icite")) == 1
    assert answers[0] == answers[1]


@pytest.mark.anyio
async def test_inputs_are_the_sum_of_where_they_went(icite: Emulator, host: Hosts) -> None:
    arguments = {"ids": [*SET, "PMID: 99900001", "99900001"], "min_rcr": 1, "min_citations": "1", "limit": 1}
    data = (await asked_of(icite, host, arguments)).structured["data"]
    assert data["counts"]["inputs"] == 8
    assert summed(data["counts"]) == 8
    (row,) = data["results"]
    assert len(row["positions"]) == data["counts"]["shown"]


@pytest.mark.anyio
async def test_a_row_names_its_positions_and_the_callers_spelling(icite: Emulator, host: Hosts) -> None:
    arguments = {"ids": ["pubmed: 99900002", "99900001", "99900002"]}
    rows = {row["pmid"]: row for row in (await asked_of(icite, host, arguments)).structured["data"]["results"]}
    assert rows["99900002"]["positions"] == [1, 3]
    assert rows["99900002"]["input"].replace(" ", "") == "pubmed:99900002"


@pytest.mark.anyio
async def test_duplicates_are_one_on_the_wire(icite: Emulator, host: Hosts) -> None:
    icite.reset()
    await asked_of(icite, host, {"ids": ["99900001", "PMID:99900001"]})
    (entry,) = icite.log("icite")
    assert entry.params["pmids"] == "99900001"


@pytest.mark.parametrize(
    "ids",
    [
        "99900001,99900002",
        "99900001; 99900002",
        "99900001|99900002",
        "99900001\n99900002",
        "99900001，99900002",
        "99900001,,99900002",
        "99900001, 99900002,",
        "PMID:99900001 pubmed: 99900002",
        '["99900001","99900002"]',
        '```json\n["99900001", "99900002"]\n```',
        "- 99900001\n- 99900002",
        "1. 99900001\n2. 99900002",
        ["`99900001`", "https://pubmed.ncbi.nlm.nih.gov/99900002/"],
        [99900001, 99900002],
    ],
)
@pytest.mark.anyio
async def test_p87_every_spelling_of_a_list_is_taken(icite: Emulator, host: Hosts, ids: Any) -> None:
    data = (await asked_of(icite, host, {"pmids": ids})).structured["data"]
    assert {row["pmid"] for row in data["results"]} == {"99900001", "99900002"}
    assert data["counts"]["inputs"] == 2


@pytest.mark.parametrize(
    ("bad", "path"),
    [
        (["99900001", "0"], "ids[1]"),
        (["-5", "99900001"], "ids[0]"),
        (["12.5"], "ids[0]"),
        (["99900001", "1-3"], "ids[1]"),
        (["１２３"], "ids[0]"),
        (["123456789012345678901"], "ids[0]"),
        (["99900001", "10.1000/x"], "ids[1]"),
        (["PMC99900001"], "ids[0]"),
        (["aspirin"], "ids[0]"),
    ],
)
@pytest.mark.anyio
async def test_one_bad_id_refuses_the_batch_and_nothing_is_executed(
    icite: Emulator, host: Hosts, bad: list[str], path: str
) -> None:
    icite.reset()
    result = await asked_of(icite, host, {"ids": bad})
    error = result.structured["error"]
    assert (error["code"], error["path"]) == ("invalid_argument", path)
    assert "Nothing was executed" in error["message"]
    assert not icite.log("icite")


@pytest.mark.anyio
async def test_every_bad_element_is_named_with_its_position_up_to_twenty(icite: Emulator, host: Hosts) -> None:
    mixed = ["99900001", "aspirin", "10.1000/x", "99900002", "PMC99900001"]
    error = (await asked_of(icite, host, {"ids": mixed})).structured["error"]
    assert error["path"] == "ids[1]"
    for named in ("(3)", "2: 'aspirin'", "3: '10.1000/x' (a DOI)", "5: 'PMC99900001' (a PMCID)"):
        assert named in error["message"]
    assert "pubmed_convert_ids" in error["hint"]
    assert "Leave out" in error["hint"]
    many = (await asked_of(icite, host, {"ids": ["1", *("x" * n for n in range(3, 33))]})).structured["error"]
    assert "21: " in many["message"]
    assert "22: " not in many["message"]
    assert "and 10 more" in many["message"]
    assert "pubmed_convert_ids" not in many["hint"]


@pytest.mark.parametrize("other", ["10.1000/x", "PMC99900001"])
@pytest.mark.anyio
async def test_a_doi_or_pmcid_gets_a_hint_to_the_converter(icite: Emulator, host: Hosts, other: str) -> None:
    result = await asked_of(icite, host, {"ids": [other]})
    assert "pubmed_convert_ids" in result.structured["error"]["hint"]


@pytest.mark.parametrize("ids", [[], "", "  ", ["1"] * 1001, "1 " * 50_001, ["9" * 513]])
@pytest.mark.anyio
async def test_none_too_many_and_too_long_are_refused(icite: Emulator, host: Hosts, ids: Any) -> None:
    """The limit of 1,000 counts before duplicates are merged."""
    icite.reset()
    result = await asked_of(icite, host, {"ids": ids})
    assert result.structured["error"]["code"] == "invalid_argument"
    assert not icite.log("icite")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("min_citations", -1),
        ("min_citations", 2_000_000_001),
        ("min_citations", "many"),
        ("min_rcr", 1_000_001),
        ("min_percentile", 100.5),
        ("sort_by", "impact"),
        ("limit", 0),
        ("journal", "Nature"),
    ],
)
@pytest.mark.anyio
async def test_arguments_out_of_range_are_refused_by_name(icite: Emulator, host: Hosts, name: str, value: Any) -> None:
    result = await asked_of(icite, host, {"ids": "99900001", name: value})
    assert result.structured["error"]["code"] == "invalid_argument"
    assert result.structured["error"]["path"].startswith(name)


@pytest.mark.parametrize("name", ["citation_count", "relative_citation_ratio", "nih_percentile", "apt", "year"])
@pytest.mark.anyio
async def test_rows_come_in_descending_order_with_nulls_last(icite: Emulator, host: Hosts, name: str) -> None:
    ids = [str(99900000 + n) for n in range(1, 21)]
    data = (await asked_of(icite, host, {"ids": ids, "sort_by": name.upper(), "limit": 100})).structured["data"]
    keys = [(row[name] is None, -(row[name] or 0), int(row["pmid"])) for row in data["results"]]
    assert len(keys) > 5
    assert keys == sorted(keys)


@pytest.mark.anyio
async def test_the_order_does_not_depend_on_the_cache(icite: Emulator, host: Hosts) -> None:
    async with host(icite) as asked:
        await asked.call(TOOL, {"ids": "99900003 99900001"})
        warm = await asked.call(TOOL, {"ids": SET})
    async with host(icite) as asked:
        cold = await asked.call(TOOL, {"ids": list(reversed(SET))})
    order = [row["pmid"] for row in warm.structured["data"]["results"]]
    assert order == [row["pmid"] for row in cold.structured["data"]["results"]]


@pytest.mark.anyio
async def test_pages_hold_every_row_once(icite: Emulator, host: Hosts) -> None:
    ids = [str(99900000 + n) for n in range(1, 21)]
    async with host(icite) as asked:
        whole = (await asked.call(TOOL, {"ids": ids, "limit": 1000})).structured
        seen, cursor = [], None
        while True:
            page = (await asked.call(TOOL, {"ids": ids, "limit": 4, "cursor": cursor})).structured
            seen += [row["pmid"] for row in page["data"]["results"]]
            assert summed(page["data"]["counts"]) == 20
            cursor = page.get("next_cursor")
            if cursor is None:
                break
    assert len(seen) == len(set(seen)) == page["data"]["summary"]["indexed"]
    assert seen[: len(whole["data"]["results"])] == [row["pmid"] for row in whole["data"]["results"]]


@pytest.mark.anyio
async def test_a_thousand_papers_fit_the_answer_budget(host: Hosts, scripted: Any) -> None:
    def answer(asked: Asked) -> Reply:
        pmids = asked.get("pmids").split(",")
        return Reply.json(
            {"data": [{"pmid": int(p), "title": "T" * 90, "citation_count": 1} for p in pmids if int(p) % 3]}
        )

    with scripted(answer) as server:
        result = await asked_of(server, host, {"ids": " ".join(map(str, range(1, 1001))), "limit": 1000})
    assert len(json.dumps(result.structured["data"])) < 25_000
    assert result.structured["next_cursor"]
    assert summed(result.structured["data"]["counts"]) == 1000


@pytest.mark.anyio
async def test_a_fault_of_some_requests_is_partial_and_never_unindexed(host: Hosts, scripted: Any) -> None:
    def answer(asked: Asked) -> Reply:
        pmids = asked.get("pmids").split(",")
        if "250" in pmids:
            return Reply.text("<html>down</html>", 503)
        return Reply.json({"data": [{"pmid": int(pmid), "citation_count": 1} for pmid in pmids]})

    with scripted(answer) as server:
        result = await asked_of(server, host, {"ids": " ".join(map(str, range(1, 251)))}, attempts=1)
    data = result.structured["data"]
    assert result.structured["status"] == "partial"
    assert (data["not_indexed"], len(data["failed"])) == ([], 50)
    assert data["counts"]["failed"] == 50
    assert any("not known" in warning for warning in result.structured["warnings"])


@pytest.mark.parametrize(
    "reply",
    [
        Reply.text("<html>down</html>", 200, "text/html"),
        Reply.text("<html>down</html>", 503),
        Reply.json({"data": "soon"}),
        Reply.text('{"data": [{"pmid": 1', 200, "application/json"),
    ],
)
@pytest.mark.anyio
async def test_p68_a_fault_is_a_retryable_error_and_no_empty_result(host: Hosts, scripted: Any, reply: Reply) -> None:
    with scripted(lambda asked: reply) as server:
        result = await asked_of(server, host, {"ids": "1"}, attempts=1)
    assert result.structured["error"]["retryable"] is True
    assert "data" not in result.structured


@pytest.mark.anyio
async def test_without_a_source_of_records_their_status_is_not_checked(icite: Emulator, host: Hosts) -> None:
    data = (await asked_of(icite, host, {"ids": SET})).structured["data"]
    assert {row["status"] for row in data["results"]} == {"not_checked"}
    assert data["status_checked"].startswith("not_checked")


@pytest.mark.anyio
async def test_with_a_source_of_records_their_status_stands_in_the_row(
    icite: Emulator, host: Hosts, records: Any
) -> None:
    checked = ["made up 2026-11-30"]
    source = records(
        {
            "99900001": RecordStatus("corrected", checked=checked),
            "99900009": RecordStatus("retracted", checked=checked),
            "99900010": RecordStatus("none_found", is_notice=True, checked=checked),
        }
    )
    data = (await asked_of(icite, host, {"ids": SET}, others={"records": source})).structured["data"]
    rows = {row["pmid"]: (row["status"], row["is_notice"]) for row in data["results"]}
    assert rows["99900001"] == ("corrected", False)
    assert rows["99900009"] == ("retracted", False)
    assert rows["99900010"] == ("none_found", True)
    assert rows["99900002"] == ("not_checked", False)
    assert data["status_checked"] == "made up 2026-11-30"


@pytest.mark.anyio
async def test_only_the_records_of_the_page_are_asked_for(icite: Emulator, host: Hosts, records: Any) -> None:
    source = records({})
    data = (await asked_of(icite, host, {"ids": SET, "limit": 2}, others={"records": source})).structured["data"]
    assert sorted(source.asked) == sorted([*(row["pmid"] for row in data["results"]), *data["not_indexed"]])
    assert len(data["results"]) == 2


@pytest.mark.anyio
async def test_papers_that_icite_has_not_come_with_their_standing(icite: Emulator, host: Hosts, records: Any) -> None:
    source = records({"99999998": RecordStatus("retracted", checked=["made up 2026-11-30"])})
    arguments = {"ids": ["99999998", "99999999"]}
    result = await asked_of(icite, host, arguments, others={"records": source})
    data = result.structured["data"]
    assert data["not_indexed"] == ["99999998", "99999999"]
    assert data["not_indexed_status"] == {"99999998": "retracted", "99999999": "not_found"}
    assert data["status_checked"] == "made up 2026-11-30"
    assert "retracted" in result.text
    alone = (await asked_of(icite, host, arguments)).structured["data"]
    assert set(alone["not_indexed_status"].values()) == {"not_checked"}
    failed = (await asked_of(icite, host, arguments, others={"records": records(None)})).structured
    assert set(failed["data"]["not_indexed_status"].values()) == {"not_checked"}
    assert any("could not be checked" in warning for warning in failed["warnings"])


@pytest.mark.anyio
async def test_of_many_papers_that_icite_has_not_the_first_hundred_are_checked(
    host: Hosts, scripted: Any, records: Any
) -> None:
    source = records({})
    with scripted(lambda asked: Reply.json({"data": []})) as server:
        result = await asked_of(server, host, {"ids": " ".join(map(str, range(1, 151)))}, others={"records": source})
    assert len(result.structured["data"]["not_indexed_status"]) == len(source.asked) == 100
    assert any("first 100" in warning for warning in result.structured["warnings"])


@pytest.mark.anyio
async def test_a_source_of_records_that_fails_costs_the_status_only(icite: Emulator, host: Hosts, records: Any) -> None:
    result = await asked_of(icite, host, {"ids": SET}, others={"records": records(None)})
    assert {row["status"] for row in result.structured["data"]["results"]} == {"not_checked"}
    assert any("could not be checked" in warning for warning in result.structured["warnings"])


@pytest.mark.anyio
async def test_links_are_given_on_request_only(icite: Emulator, host: Hosts) -> None:
    plain = (await asked_of(icite, host, {"ids": "99900001"})).structured["data"]["results"][0]
    linked = (await asked_of(icite, host, {"ids": "99900001", "include": "cited_by, references"})).structured["data"]
    assert not {"cited_by", "references"} & set(plain)
    assert all(isinstance(linked["results"][0][name], list) for name in ("cited_by", "references"))


@pytest.mark.anyio
async def test_a_list_that_was_not_asked_for_is_null_in_neither_face(icite: Emulator, host: Hosts) -> None:
    """`meaning` says that null is what iCite gives no value for; what nobody asked for is not there at all."""
    result = await asked_of(icite, host, {"ids": "99900001", "include": ["references"], "output_format": "json"})
    (row,) = result.structured["data"]["results"]
    assert "cited_by" not in row
    assert isinstance(row["references"], list)
    assert '"cited_by"' not in result.text


@pytest.mark.anyio
async def test_a_list_that_icite_does_not_give_is_missing_with_a_reason_on_request(host: Hosts, scripted: Any) -> None:
    with scripted(lambda asked: Reply.json({"data": [{"pmid": 7, "citation_count": 1}]})) as server:
        result = await asked_of(server, host, {"ids": "7", "include": ["cited_by"]})
    (row,) = result.structured["data"]["results"]
    assert row["missing"]["cited_by"] == "not_given"
    assert not {"cited_by", "references"} & set(row)
    assert "references" not in row["missing"]


@pytest.mark.anyio
async def test_long_lists_are_cut_in_the_row_and_whole_in_an_artifact(host: Hosts, scripted: Any) -> None:
    citing = list(range(1, 1501))
    with scripted(lambda asked: Reply.json({"data": [{"pmid": 7, "cited_by": citing}]})) as server:
        async with host(server) as asked:
            result = await asked.call(TOOL, {"ids": "7", "include": ["cited_by"]})
            (link,) = result.attachments
            content = await asked.store.read_artifact(Owner(client="python"), link.uri.rpartition("/")[2])
    assert len(result.structured["data"]["results"][0]["cited_by"]) == 100
    assert json.loads(content)["7"]["cited_by"] == [str(pmid) for pmid in citing]
    assert any("cut" in warning for warning in result.structured["warnings"])


@pytest.mark.anyio
async def test_p70_the_answer_names_its_source_and_what_it_counts(icite: Emulator, host: Hosts) -> None:
    result = await asked_of(icite, host, {"ids": "99900001"})
    assert result.structured["data"]["source"] == "NIH iCite"
    assert "PubMed only" in result.structured["data"]["meaning"]["citation_count"]
    (exchange,) = result.structured["provenance"]["sources"]
    assert exchange["retrieved_at"]


@pytest.mark.anyio
async def test_every_figure_of_the_summary_is_there_though_it_is_zero(icite: Emulator, host: Hosts) -> None:
    summary = (await asked_of(icite, host, {"ids": "99900001"})).structured["data"]["summary"]
    assert (summary["provisional"], summary["without_rcr"], summary["non_research"]) == (0, 0, 0)
    none = (await asked_of(icite, host, {"ids": "7"})).structured["data"]["summary"]
    assert (none["rcr_mean"], none["with_rcr"], none["share_at_or_above_90"]) == (None, 0, None)


@pytest.mark.parametrize(("form", "start"), [("markdown", "**ok**"), ("json", "{"), ("toon", "status: ok")])
@pytest.mark.anyio
async def test_the_text_face_takes_three_forms(icite: Emulator, host: Hosts, form: str, start: str) -> None:
    result = await asked_of(icite, host, {"ids": "99900001", "output_format": form})
    assert result.text.startswith(start)


@pytest.mark.skipif(importlib.util.find_spec("PIL") is None, reason="the extra vouched-icite[plot] is missing")
@pytest.mark.anyio
async def test_a_plot_is_a_picture_and_an_svg_that_can_be_read_again(icite: Emulator, host: Hosts) -> None:
    async with host(icite) as asked:
        result = await asked.call(TOOL, {"ids": SET, "plot": True})
        image, link = result.attachments
        artifact_id = link.uri.rpartition("/")[2]
        svg = await asked.store.read_artifact(Owner(client="python"), artifact_id)
        kept = await asked.store.artifact(Owner(client="python"), artifact_id)
    (asked_at,) = [one["retrieved_at"] for one in result.structured["provenance"]["sources"]]
    assert (kept.source_notice, kept.retrieved_at) == ("NIH iCite", asked_at)
    assert f"<!-- Source: NIH iCite, retrieved {asked_at[:10]}. -->".encode() in svg
    assert image.data.startswith(b"\x89PNG")
    assert link.media_type == "image/svg+xml"
    assert svg.startswith(b"<svg")


@pytest.mark.anyio
async def test_a_plot_without_the_extra_is_refused_before_anything_is_asked(
    icite: Emulator, host: Hosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    icite.reset()
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "PIL" else found(name, *rest))
    result = await asked_of(icite, host, {"ids": SET, "plot": True})
    assert "vouched-icite[plot]" in result.structured["error"]["hint"]
    assert not icite.log("icite")


@pytest.mark.anyio
async def test_a_run_names_its_papers_and_last_passes_by_runs_that_were_given_theirs(
    icite: Emulator, host: Hosts
) -> None:
    async with host(icite) as asked:
        first = await asked.call(TOOL, {"ids": "99900001 99900002"})
        run = f"run:{first.structured['provenance']['run_id']}"
        again = await asked.call(TOOL, {"ids": run})
        last = await asked.call(TOOL, {"ids": "last"})
    assert again.structured["data"]["counts"]["inputs"] == 2
    assert any(f"`{run}` is {run}" in warning for warning in again.structured["warnings"])
    assert last.structured["error"]["code"] == "invalid_argument"
    assert "search" in last.structured["error"]["hint"]


@pytest.mark.anyio
async def test_zero_padding_is_no_other_paper(icite: Emulator, host: Hosts) -> None:
    data = (await asked_of(icite, host, {"ids": ["0099900001", "99900001"]})).structured["data"]
    assert [(row["pmid"], row["positions"]) for row in data["results"]] == [("99900001", [1, 2])]
    assert data["not_indexed"] == []


@given(
    st.lists(st.integers(99900001, 99900030), min_size=1, max_size=30), st.integers(1, 8), st.none() | st.integers(0, 3)
)
def test_inputs_rows_and_counts_agree_for_any_set(numbers: list[int], limit: int, least: int | None) -> None:
    """Rows stand for inputs, nothing is both returned and missing, positions cover every input that is shown."""
    known = {n: {"pmid": n, "citation_count": n % 5 if n % 3 else None} for n in range(99900001, 99900021)}

    class Asking:
        async def get(self, path: str, *, params: Any, read: Any, refresh: bool = False) -> Any:
            wanted = [int(pmid) for pmid in params["pmids"].split(",")]
            return read(json.dumps({"data": [known[n] for n in wanted if n in known]}).encode())

    ctx = Context(Nothing(Asking()), Owner())  # type: ignore[arg-type]
    refs = [Ref(f" {number}", Id("pmid", str(number))) for number in numbers]
    (tool,) = vouched_icite.tools()
    data = asyncio.run(tool.function(ctx, refs, min_citations=least, limit=limit)).data
    counts = msgspec.to_builtins(data.counts)
    assert counts["inputs"] == len(numbers) == summed(counts)
    shown = {row.pmid for row in data.results}
    assert not shown & set(data.not_indexed)
    assert sorted(data.not_indexed) == sorted({str(n) for n in numbers if n not in known})
    for row in data.results:
        assert row.positions == [place for place, number in enumerate(numbers, 1) if str(number) == row.pmid]


class Nothing:
    """The services of a host, as far as this tool needs them."""

    def __init__(self, http: Any) -> None:
        self.client = http
        self.settings = Settings(data=Path())
        self.licence = self.styles = self.store = None
        self.sources: dict[str, Any] = {}

    def http(self, source: str, context: Context) -> Any:
        return self.client

    def articles(self, context: Context) -> Any:
        return type("Articles", (), {"available": False})()


def test_the_tool_costs_at_most_600_tokens(icite: Emulator, host: Hosts) -> None:
    bound = host(icite).registry.tools[TOOL]
    published = {"name": TOOL, "description": bound.tool.description, "inputSchema": bound.input_schema}
    assert len(json.dumps(published, separators=(",", ":"), ensure_ascii=False).encode()) <= 2_400


@pytest.mark.anyio
async def test_p82_retracted_papers_are_named_and_counted_apart_in_the_summary(
    icite: Emulator, host: Hosts, records: Hosts
) -> None:
    """Their numbers stay in the averages, and the answer says so."""
    standing = {"99900001": RecordStatus("none_found"), "99900002": RecordStatus("concern")}
    source = records({**standing, "99900009": RecordStatus("retracted")})
    async with host(icite, {"records": source}) as asked:
        result = await asked.call(TOOL, {"ids": ["99900001", "99900002", "99900009", "99900003"]})
        part = await asked.call(TOOL, {"ids": ["99900001", "99900009"], "limit": 1, "sort_by": "year"})
    summary = result.structured["data"]["summary"]
    assert (summary["indexed"], summary["standing_checked"]) == (4, 3)
    assert (summary["retracted"], summary["of_concern"]) == (1, 1)
    named, included = result.structured["warnings"]
    assert named.startswith("Retracted, withdrawn or of concern: ")
    assert "pmid:99900009 (retracted)" in named
    assert "pmid:99900002 (concern)" in named
    assert "99900001" not in named
    assert included.endswith("1 retracted and 1 of concern; the standing of 1 more was not asked on this page.")
    assert part.structured["data"]["summary"]["standing_checked"] == 1


@pytest.mark.anyio
async def test_a_summary_of_papers_that_nobody_was_asked_about_says_so(
    icite: Emulator, host: Hosts, records: Hosts
) -> None:
    """A retracted paper on the next page is in the averages of this one."""
    source = records({"99900001": RecordStatus("none_found"), "99900009": RecordStatus("retracted")})
    ids = ["99900001", "99900009"]
    async with host(icite, {"records": source}) as asked:
        result = await asked.call(TOOL, {"ids": ids, "limit": 1, "sort_by": "relative_citation_ratio"})
    summary, (row,) = result.structured["data"]["summary"], result.structured["data"]["results"]
    assert (row["pmid"], summary["indexed"], summary["standing_checked"]) == ("99900001", 2, 1)
    (warning,) = result.structured["warnings"]
    assert warning.startswith("Of the 2 papers in the summary's totals and averages, the standing of 1 was not asked")


@pytest.mark.anyio
async def test_nothing_known_of_the_standing_is_not_zero(icite: Emulator, host: Hosts, records: Hosts) -> None:
    source = records(None)
    failed = await asked_of_with(icite, host, source, {"ids": ["99900001", "99999999"]})
    alone = await asked_of(icite, host, {"ids": ["99900001"]})
    assert (failed.structured["status"], alone.structured["status"]) == ("partial", "ok")
    assert any("99900001, 99999999 could not be checked" in warning for warning in failed.structured["warnings"])
    for result in (failed, alone):
        summary = result.structured["data"]["summary"]
        assert (summary["standing_checked"], summary["retracted"], summary["of_concern"]) == (0, None, None)


@pytest.mark.anyio
async def test_nothing_is_said_of_the_standing_of_sound_papers(icite: Emulator, host: Hosts, records: Hosts) -> None:
    source = records({"99900001": RecordStatus("none_found", checked=["made up"])})
    result = await asked_of_with(icite, host, source, {"ids": ["99900001"]})
    assert "warnings" not in result.structured
    assert result.structured["data"]["summary"]["retracted"] == 0


async def asked_of_with(server: Emulator, host: Hosts, source: Any, arguments: dict[str, Any]) -> Any:
    async with host(server, {"records": source}) as asked:
        return await asked.call(TOOL, arguments)
