"""Numbered search strategies: reading them, and pubmed_test_strategy."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched.api import InvalidArgument
from vouched.testing.emulator import Emulator
from vouched.testing.exchange import Asked, Reply
from vouched_pubmed.strategy_lines import parse

TOOL = "pubmed_test_strategy"


@pytest.mark.parametrize(
    "written",
    [
        "1. asthma[mh]\n2. child[mh]\n3. #1 AND #2",
        "#1 asthma[mh]\n#2 child[mh]\n#3 #1 AND #2",
        "1) asthma[mh]\n\n2) child[mh]\n3) 1 AND 2",
        "1 asthma[mh]\n2 child[mh]\n3 1 and 2",
        "asthma[mh]\nchild[mh]\n#1 AND #2",
        "1. asthma[mh]\n2. child[mh]\n3. and/1-2",
    ],
)
def test_every_way_to_number_gives_the_same_queries(written: str) -> None:
    lines = parse(written)
    assert [line.number for line in lines] == [1, 2, 3]
    assert [line.query for line in lines] == ["asthma[mh]", "child[mh]", "(asthma[mh]) AND (child[mh])"]
    assert lines[2].references == [1, 2]


def test_references_go_through_references() -> None:
    lines = parse("1. a\n2. b\n3. #1 OR #2\n4. c\n5. #3 AND #4 NOT d[ti]")
    assert lines[-1].query == "((a) OR (b)) AND (c) NOT d[ti]"


def test_a_span_joins_by_or() -> None:
    assert parse("1. a\n2. b\n3. c\n4. or/1-3")[-1].query == "(a) OR (b) OR (c)"
    assert parse("1. a\n2. b\n3. c\n4. #1-#3 AND d")[-1].query == "((a) OR (b) OR (c)) AND d"


def test_a_long_line_may_go_on_below() -> None:
    lines = parse("1. asthma[mh] OR\n   wheez*[tiab]\n2. child[mh]")
    assert [line.query for line in lines] == ["asthma[mh] OR wheez*[tiab]", "child[mh]"]


def test_a_number_at_the_start_of_a_search_is_text() -> None:
    assert [line.query for line in parse("2019 novel coronavirus\n5 year survival")] == [
        "2019 novel coronavirus",
        "5 year survival",
    ]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("1. a\n2. #3 AND #1", "#3"),
        ("1. #1 OR a", "#1"),
        ("1. a\n1. b", "twice"),
        ("\n \n", "0 lines"),
        ("\n".join(["a"] * 51), "51 lines"),
        ("1. a\n2. 1 AND 7", "#7"),
    ],
)
def test_a_strategy_that_does_not_hold_together_is_refused(written: str, said: str) -> None:
    with pytest.raises(InvalidArgument) as raised:
        parse(written)
    assert said in raised.value.message


def test_a_strategy_that_explodes_is_refused() -> None:
    lines = ["1. " + "asthma " * 100, *(f"{n}. #{n - 1} OR #{n - 1}" for n in range(2, 40))]
    with pytest.raises(InvalidArgument, match="grows"):
        parse("\n".join(lines))


@given(st.lists(st.from_regex(r"[a-z]{2,8}(\[tiab\])?", fullmatch=True), min_size=1, max_size=12))
def test_lines_without_references_stay_as_written(texts: list[str]) -> None:
    numbered = "\n".join(f"{n}. {text}" for n, text in enumerate(texts, 1))
    assert [line.query for line in parse(numbered)] == texts


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        lines = parse(text)
    except InvalidArgument:
        return
    assert lines


@pytest.mark.anyio
async def test_every_line_has_its_count_and_translation(invented: Emulator, host: Callable[..., Any]) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"strategy": "1. glimmer\n2. fictol[tiab]\n3. #1 AND #2"})
    data = result.structured["data"]
    first, second, last = (line["total"] for line in data["lines"])
    assert last <= min(first, second)
    assert data["total"] == last
    assert data["lines"][2]["combines"] == [1, 2]
    assert all(line["translation"] for line in data["lines"])
    assert len(invented.log("eutils")) == 3


@pytest.mark.anyio
async def test_known_papers_are_found_or_the_line_that_misses_them_is_named(
    invented: Emulator, host: Callable[..., Any]
) -> None:
    known = ["PMID: 99900001", "99900005", "1", "10.1000/x"]
    async with host(invented) as asked:
        result = await asked.call(
            TOOL, {"strategy": "1. glimmer syndrome\n2. fictol[tiab]\n3. #1 AND #2", "known": known}
        )
    rows = result.structured["data"]["known"]
    assert [row["input"] for row in rows] == known
    assert [row["state"] for row in rows] == ["found", "missed", "not_in_pubmed", "invalid"]
    assert rows[1]["found_by"] == [1]
    assert rows[1]["missed_by"] == [2, 3]
    assert [line["known_found"] for line in result.structured["data"]["lines"]] == [2, 1, 1]


@pytest.mark.anyio
async def test_a_line_without_hits_finds_no_known_paper(invented: Emulator, host: Callable[..., Any]) -> None:
    """PubMed drops words it does not know, so that `(unknown) AND (ids)` would find every id."""
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"strategy": "qwertyuiop", "known": ["99900001"]})
    (row,) = result.structured["data"]["known"]
    assert (row["state"], row["missed_by"]) == ("missed", [1])


@pytest.mark.anyio
async def test_ignored_words_stand_beside_the_count_of_their_line(host: Callable[..., Any], scripted: Any) -> None:
    def answer(asked: Asked) -> Reply:
        result: dict[str, Any] = {"count": "5", "idlist": [], "querytranslation": "x"}
        if "Aithor" in asked.get("term"):
            result["errorlist"] = {"phrasesnotfound": [], "fieldsnotfound": ["Aithor"]}
        return Reply.json({"esearchresult": result})

    with scripted(answer) as server:
        async with host(server) as asked:
            result = await asked.call(TOOL, {"strategy": "1. smith[Aithor]\n2. heart and lung"})
    first, second = result.structured["data"]["lines"]
    assert first["ignored"]["fields"] == ["[Aithor] (did you mean [au]?)"]
    assert "ignored" not in second
    assert second["hints"]
    assert any("line 1" in warning for warning in result.structured["warnings"])


@pytest.mark.anyio
async def test_lines_that_could_not_be_asked_are_named_and_the_rest_stands(
    invented: Emulator, host: Callable[..., Any]
) -> None:
    invented.misbehave("esearch.fcgi", "status", times=None, status=503, match={"term": "glimmer"})
    async with host(invented, attempts=1) as asked:
        result = await asked.call(TOOL, {"strategy": "1. glimmer\n2. fictol"})
    first, second = result.structured["data"]["lines"]
    assert result.structured["status"] == "partial"
    assert first["total"] is None
    assert first["problem"]
    assert second["total"] == 12


@pytest.mark.anyio
async def test_p106_a_strategy_that_could_not_be_asked_at_all_is_an_error(
    invented: Emulator, host: Callable[..., Any]
) -> None:
    invented.misbehave("esearch.fcgi", "status", times=None, status=503)
    async with host(invented, attempts=1) as asked:
        result = await asked.call(TOOL, {"strategy": "1. glimmer\n2. fictol"})
    assert result.is_error
