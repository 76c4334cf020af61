"""Numbered search strategies: reading them, and pubmed_test_strategy."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched.api import InvalidArgument
from vouched.testing.emulator import Emulator
from vouched.testing.exchange import Asked, Reply
from vouched_pubmed.strategy_lines import parse, strays

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
        "1. asthma[mh]\n2. child[mh]\n3. AND/1,2",
        "1. asthma[mh]\n2. child[mh]\n3. #1 and #2",
        "1.asthma[mh]\n2.child[mh]\n3.#1 AND #2",
        "1)asthma[mh]\n2)child[mh]\n3)#1 AND #2",
        "# population\n1. asthma[mh]\n# age\n2. child[mh]\n# together\n3. #1 AND #2",
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


def test_a_list_of_lines_may_hold_spans() -> None:
    assert parse("1. a\n2. b\n3. c\n4. d\n5. or/1-2,4")[-1].query == "(a) OR (b) OR (d)"


def test_a_number_sign_within_quotation_marks_or_a_tag_is_text() -> None:
    lines = parse('1. a\n2. "grade #1 lesion"[tiab] OR #1')
    assert lines[1].query == '"grade #1 lesion"[tiab] OR (a)'
    assert lines[1].references == [1]


def test_operators_of_a_line_with_words_of_its_own_stay_as_written() -> None:
    assert parse("1. a\n2. #1 and cats or dogs")[-1].query == "(a) and cats or dogs"


def test_a_line_that_only_combines_needs_no_hint_on_its_operators() -> None:
    assert [line.own for line in parse("1. a\n2. b\n3. #1 or (#2 not #1)\n4. 1 and 3")][2:] == [
        "#1 OR (#2 NOT #1)",
        "1 AND 3",
    ]


def test_a_dose_at_the_start_is_no_label() -> None:
    assert [line.query for line in parse("1.5 mg dose\n5-HT receptor")] == ["1.5 mg dose", "5-HT receptor"]


@pytest.mark.parametrize(
    ("written", "piece"),
    [
        ("1. a\n2. b\n3. 1 AND 2 AND adult", "`1`"),
        ("1. a\n2. b\n3. (adult OR 2)", "`2`"),
        ("1. a\n2. b\n3. S1 AND adult", "`S1`"),
        ("1. a\n2. diabetes type 2 AND adult", ""),
        ("1. a\n2. adult AND 7", ""),
        ('1. a\n2. "type 1" AND b', ""),
    ],
)
def test_a_bare_number_that_may_mean_a_line_is_pointed_at(written: str, piece: str) -> None:
    said = " ".join(strays(parse(written)[-1]))
    assert (f"{piece} is searched as a word" in said) if piece else not said


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
        ("1. a\n2. b\n3. #2-#1", "backwards"),
        ("1. a\n2. b\n3. or/2-1", "backwards"),
        ('1. "a b\n2. c\n3. #1 AND #2', "quotation marks"),
        ("1. (a OR b\n2. c\n3. #1 AND #2", "parentheses"),
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
    assert [entry.path.rpartition("/")[2] for entry in invented.log("eutils")] == ["esearch.fcgi"] * 3 + ["einfo.fcgi"]


@pytest.mark.anyio
async def test_known_papers_are_found_or_the_line_that_misses_them_is_named(
    invented: Emulator, host: Callable[..., Any]
) -> None:
    known = ["PMID: 99900001", "99900005", "1", "10.1000/x", "ppr1", "abc"]
    async with host(invented) as asked:
        result = await asked.call(
            TOOL, {"strategy": "1. glimmer syndrome\n2. fictol[tiab]\n3. #1 AND #2", "known": known}
        )
    rows = result.structured["data"]["known"]
    assert [row["input"] for row in rows] == known
    assert [row["state"] for row in rows] == ["found", "missed", "not_in_pubmed", "not_in_pubmed", "invalid", "invalid"]
    assert rows[1]["found_by"] == [1]
    assert rows[1]["missed_by"] == [2, 3]
    assert [line["known_found"] for line in result.structured["data"]["lines"]] == [2, 1, 1]


@pytest.mark.anyio
async def test_known_papers_may_be_given_by_any_id(invented: Emulator, host: Callable[..., Any]) -> None:
    known = ["10.99999/JIR.2023.0001", "PMC99900001", "99900001"]
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"strategy": "1. glimmer syndrome\n2. lantern", "known": known})
    rows = result.structured["data"]["known"]
    assert [(row["input"], row["pmid"], row["state"]) for row in rows] == [(one, "99900001", "missed") for one in known]
    assert [row["found_by"] for row in rows] == [[1]] * 3


@pytest.mark.anyio
async def test_counts_stand_where_the_known_papers_could_not_be_asked_for(
    invented: Emulator, host: Callable[..., Any]
) -> None:
    invented.misbehave("esearch.fcgi", "status", times=None, skip=2, status=503)
    async with host(invented, attempts=1) as asked:
        result = await asked.call(TOOL, {"strategy": "1. glimmer\n2. fictol", "known": "99900001"})
    assert result.structured["status"] == "partial"
    assert [line["total"] > 0 for line in result.structured["data"]["lines"]] == [True, True]
    assert result.structured["data"]["known"][0]["state"] == "not_checked"


@pytest.mark.anyio
async def test_a_line_that_cannot_hold_the_known_papers_is_counted_and_said(
    invented: Emulator, host: Callable[..., Any]
) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"strategy": '1. fictol\n2. "fictol', "known": "99900001"})
    first, second = result.structured["data"]["lines"]
    assert (first["known_found"], second.get("known_found")) == (1, None)
    assert "quotation marks" in second["problem"]
    assert result.structured["data"]["known"][0]["state"] == "not_checked"


@pytest.mark.anyio
async def test_a_line_without_a_term_is_refused_by_its_number(invented: Emulator, host: Callable[..., Any]) -> None:
    async with host(invented) as asked:
        result = await asked.call(TOOL, {"strategy": "1. fictol\n2. ()"})
    assert result.structured["error"]["path"] == "strategy, line 2"


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
