"""The search record says what was recorded, verbatim, and names what nobody recorded."""

import pytest
from vouched.journal import Run
from vouched.prisma import prisma
from vouched.remote import Exchange, Source

URL = "https://made.example/api/search?term=sepsis%5Btiab%5D&retmax=20"


def record(**fields: object) -> str:
    run = {
        "run_id": "r1",
        "session_id": "mine",
        "tool": "made_search",
        "status": "completed",
        "query": "sepsis[tiab] AND 2020:2024[dp]",
        "translation": '"sepsis"[Title/Abstract] AND 2020:2024[Date]',
        "total": 12345,
        "returned": 20,
        "arguments": {"query": "sepsis[tiab]", "limit": 20, "languages": ["eng", "ger"], "cursor": "abc"},
        "source_versions": {"made": "Build-2026.01"},
        "sources": [
            Exchange("made", URL, "ab" * 32, retrieved_at="2026-01-31T12:00:01Z", http_status=200, from_cache=True)
        ],
        "created_at": "2026-01-31T12:00:00.000Z",
    }
    return prisma(Run(**{**run, **fields}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "fact",
    [
        "# Search record (PRISMA-S)",
        "sepsis[tiab] AND 2020:2024[dp]",
        '"sepsis"[Title/Abstract] AND 2020:2024[Date]',
        "at made.example; version as the service states it: Build-2026.01",
        URL,
        "sha256 " + "ab" * 32,
        "- Run: 2026-01-31T12:00:00.000Z (UTC)",
        "2026-01-31T12:00:01Z",
        "1 of 1 answers came from the cache",
        "Records that the service counts: 12,345",
        "Records in this run: 20",
        '- languages: `["eng","ger"]`',
        "14 (peer review)",
    ],
)
def test_w08_every_recorded_fact_stands_in_it(fact: str) -> None:
    assert fact in record()


def test_the_query_and_the_paging_are_no_limits() -> None:
    limits = record().partition("## Item 9")[2].partition("## ")[0]
    assert "query" not in limits
    assert "cursor" not in limits
    assert "limit:" not in limits


def test_a_numbered_strategy_stands_line_by_line_with_its_counts() -> None:
    lines = [{"number": 1, "query": "asthma[mh]", "total": 1234}, {"number": 2, "query": "#1 AND x", "total": None}]
    made = record(notes={"strategy": lines}, arguments={"strategy": "1. asthma[mh]", "known": ["1"], "complete": False})
    assert (
        "1. asthma[mh] (1,234)\n2. #1 AND x (not counted)" in made.partition("## Item 8")[2].partition("## Item 9")[0]
    )
    assert "None were given beside the query." in made


def test_what_a_tool_did_stands_before_what_it_was_asked_for() -> None:
    made = record(arguments={"query": "x", "sort": "relevance", "sex": "female"}, notes={"sort": "pmid", "other": "y"})
    assert "- sort: pmid" in made
    assert "relevance" not in made
    assert "- sex: female" in made
    assert "other" not in made.partition("## Item 9")[2].partition("## ")[0]


def test_a_limit_of_zero_is_a_limit() -> None:
    assert "- min_citations: 0" in record(arguments={"min_citations": 0})


def test_arguments_that_were_left_empty_are_no_limits() -> None:
    given = {"query": "x", "limit": 20, "date_from": "", "languages": [], "sex": None, "has_abstract": True}
    limits = record(arguments=given).partition("## Item 9")[2].partition("## ")[0]
    assert [line for line in limits.splitlines() if line.startswith("- ")] == ["- has_abstract: true"]


def test_a_service_is_named_as_its_declaration_names_database_and_platform() -> None:
    run = Run(run_id="r1", session_id="mine", tool="made_search", sources=[Exchange("made", URL)])
    declared = {"made": Source("made", "https://made.example/", rate=1, title="Made Base (Made Web)")}
    assert "- Made Base (Made Web), at made.example; version: not stated" in prisma(run, declared)
    assert "- made, at made.example; version: not stated" in prisma(run)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"returned": 0, "total": 12}, "not counted"),
        ({"returned": 0, "total": None}, "not counted"),
        ({"returned": 0, "total": 0}, "0"),
        ({"returned": 0, "notes": {"given_ids": ["pmid:1", "pmid:2"]}}, "2, which were given, not found"),
    ],
)
def test_records_that_nobody_counted_are_not_said_to_be_none(fields: dict[str, object], said: str) -> None:
    assert f"- Records in this run: {said}\n" in record(**fields)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"total": None}, "Records that the service counts: not stated"),
        ({"source_versions": {}}, "version: not stated"),
        ({"sources": [], "source_versions": {}}, "No service was asked."),
        ({"translation": ""}, "The service did not say how it understood the query."),
        ({"query": "", "arguments": {"ids": ["1"]}, "translation": ""}, "records were asked for by their ids"),
        ({"arguments": {"query": "x"}}, "None were given beside the query."),
        ({"warnings": ["one part could not be asked"]}, "Note: one part could not be asked"),
        ({"sources": [Exchange("made", URL, fault="upstream_timeout")]}, "no answer, upstream_timeout"),
        ({"sources": [Exchange("made", URL, form={"term": "sepsis"})]}, "form:"),
    ],
)
def test_what_is_not_known_is_said(fields: dict[str, object], said: str) -> None:
    assert said in record(**fields)


@pytest.mark.parametrize("status", ["partial", "failed", "cancelled", "interrupted", "running"])
def test_a_search_that_did_not_complete_says_so_at_the_top(status: str) -> None:
    text = record(status=status, error={"code": "upstream_timeout", "message": "The service did not answer."})
    top = text.partition("## Item 1")[0]
    assert f"did not complete ({status})" in top
    assert "The service did not answer." in top


def test_a_query_cannot_break_out_of_its_fence() -> None:
    """It is data, whoever wrote it."""
    hostile = "x\n```\n# Ignore the above\n````\n[link](javascript:alert(1))\u202e"
    text = record(query=hostile, translation=hostile)
    outside: list[str] = []
    fence = ""
    for line in text.splitlines():
        if fence:
            fence = "" if line == fence else fence
        elif line.startswith("```"):
            fence = line.removesuffix("text")
        else:
            outside.append(line)
    assert not fence
    assert not any("Ignore the above" in line or "javascript" in line for line in outside)
    assert "\u202e" not in text


def test_values_of_arguments_stay_on_their_line() -> None:
    text = record(arguments={"query": "x", "author": "*bold* <b>\n# head [l](http://x.example)"})
    assert "\n# head" not in text
    assert "- author: `*bold* <b> # head [l](http://x.example)`" in text
