"""ECitMatch on the wire: keys, outcomes, and rows that the service drops."""

import csv
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import vouched_pubmed.ecitmatch as wire
from hypothesis import given
from hypothesis import strategies as st
from vouched.testing.emulator import Emulator
from vouched.testing.exchange import Asked, Reply
from vouched_pubmed.ecitmatch import Outcome, match, read_outcome, wire_row
from vouched_pubmed.lookup_citation import Cited

TABLE = Path(os.environ.get("VOUCHED_SHARED") or Path(__file__).resolve().parents[4] / "shared")
TABLE = TABLE / "upstream" / "ecitmatch" / "ecitmatch_lines.tsv"


def rows() -> list[dict[str, str]]:
    if not TABLE.is_file():
        return []
    with TABLE.open(newline="", encoding="utf-8") as lines:
        return [
            row
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            if not row["response_line"].startswith("(response")
        ]


@pytest.mark.skipif(not TABLE.is_file(), reason="the corpus is missing (VOUCHED_SHARED)")
@pytest.mark.parametrize("row", rows(), ids=lambda row: row["request_line"])
def test_every_recorded_outcome_is_read(row: dict[str, str]) -> None:
    said = row["response_line"].removeprefix("(result) ").rpartition("|")[2]
    outcome = read_outcome(said)
    expected = {
        "NOT_FOUND": "not_found",
        "NOT_FOUND;INVALID_JOURNAL": "invalid_journal",
    }.get(said, "ambiguous" if said.startswith("AMBIGUOUS") else "matched")
    assert outcome.state == expected
    assert outcome.pmid == (said if said.isdigit() else "")


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("27633186", Outcome("matched", "27633186", said="27633186")),
        ("AMBIGUOUS (783 citations)", Outcome("ambiguous", count=783, said="AMBIGUOUS (783 citations)")),
        (
            "AMBIGUOUS 26315901,25768914",
            Outcome("ambiguous", count=2, candidates=("26315901", "25768914"), said="AMBIGUOUS 26315901,25768914"),
        ),
        ("AMBIGUOUS", Outcome("ambiguous", said="AMBIGUOUS")),
        ("NOT_FOUND;INVALID_JOURNAL", Outcome("invalid_journal", said="NOT_FOUND;INVALID_JOURNAL")),
        ("NOT_FOUND", Outcome("not_found", said="NOT_FOUND")),
        ("", Outcome("no_answer")),
        ("come back later", Outcome("no_answer", said="come back later")),
    ],
)
def test_p60_both_shapes_of_ambiguity_and_the_hint_of_a_miss_are_kept(said: str, outcome: Outcome) -> None:
    assert read_outcome(said) == outcome


def test_p58_the_callers_key_never_goes_out() -> None:
    row = wire_row(Cited("j test med", "2016", "375", "1834", "doe", key="a|b\r 12345"), 3)
    assert row == "j test med|2016|375|1834|doe|r3|"


def test_blank_fields_stay_and_a_range_is_cut_to_its_first_page() -> None:
    assert wire_row(Cited(journal=" J  Invent Res ", first_page="101-12"), 1) == "J Invent Res|||101||r1|"
    assert wire_row(Cited(author_name="smith"), 2) == "||||smith|r2|"


@pytest.mark.parametrize("page", ["101", "101-12", "101–112", "101—112", "p. 101", "pp 101-112", "Page 101", " 101 "])
def test_a_page_goes_out_as_its_number(page: str) -> None:
    assert wire_row(Cited(journal="x", first_page=page), 1) == "x|||101||r1|"


@pytest.mark.parametrize("page", ["P101", "S-12", "e101", "CD013085", "suppl 12"])
def test_a_page_with_letters_of_its_own_keeps_them(page: str) -> None:
    assert wire_row(Cited(journal="x", first_page=page), 1) == f"x|||{page}||r1|"


class Service:
    """Answers rows but for some that it always drops, or that end its answer."""

    def __init__(self, dropped: Sequence[int], ending: bool) -> None:
        self.dropped, self.ending = set(dropped), ending
        self.requests: list[list[str]] = []

    async def __call__(self, ctx: Any, lines: Sequence[str]) -> dict[str, str]:
        self.requests.append(list(lines))
        answers: dict[str, str] = {}
        for line in lines:
            key = line.split("|")[5]
            if int(key[1:]) in self.dropped:
                if self.ending:
                    break
                continue
            answers[key] = "1" + key[1:]
        return answers


@given(st.integers(1, 25).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(1, n)), st.booleans())))
def test_p57_every_row_has_an_outcome_for_at_most_one_request_more_per_dropped_row(case: Any) -> None:
    import asyncio

    number, dropped, ending = case
    service = Service(dropped, ending)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wire, "ecitmatch", service)
        citations = [Cited(year="2020", volume=str(n)) for n in range(1, number + 1)]
        outcomes = asyncio.run(match(None, citations))  # type: ignore[arg-type]
    assert len(outcomes) == number
    for position, outcome in enumerate(outcomes, 1):
        assert outcome.state == ("no_answer" if position in dropped else "matched")
        assert outcome.pmid == ("" if position in dropped else f"1{position}")
    first = min(dropped, default=number + 1)
    missed_at_first = number + 1 - first if ending else len(dropped)
    assert len(service.requests) <= 1 + missed_at_first
    if not dropped:
        assert len(service.requests) == 1


@pytest.mark.anyio
async def test_rows_are_joined_by_a_carriage_return_and_go_to_the_cgi(host: Callable[..., Any], scripted: Any) -> None:
    def answer(asked: Asked) -> Reply:
        assert asked.path == "ecitmatch.cgi"
        lines = asked.get("bdata").split("\r")
        return Reply.text("".join(f"{line}{100 + n}\n" for n, line in enumerate(lines)))

    with scripted(answer) as server:
        async with host(server) as asked:
            outcomes = await match(asked.context(), [Cited("a", "2020"), Cited("b", "2021")])
        (entry,) = server.log()
    assert [outcome.pmid for outcome in outcomes] == ["100", "101"]
    assert re.search(r"bdata=[^&]*%0D", entry.target)


@pytest.mark.anyio
async def test_two_hundred_long_rows_are_posted(host: Callable[..., Any], invented: Emulator) -> None:
    invented.clear()
    async with host(invented) as asked:
        outcomes = await match(asked.context(), [Cited("J Invent Res", "2023", "12", str(n)) for n in range(100, 200)])
    assert len(outcomes) == 100
    assert [entry.method for entry in invented.log("eutils")] == ["POST"]
