"""What clients really send works; what is wrong is refused with path, expectation and example."""

from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched import arguments, schema
from vouched.api import Context, Cursor, Ids, InvalidArgument, Meta, Struct, TextList, tool


class Citation(Struct):
    journal: str
    year: str = ""
    volume: str = ""


class Out(Struct):
    ok: bool


@tool(synonyms={"sort_order": "sort"})
async def everything(
    ctx: Context,
    query: Annotated[str, Meta(min_length=1, examples=["sepsis"])],
    ids: Annotated[Ids, Meta(max_length=5)] = [],  # noqa: B006
    sort: Literal["relevance", "pub_date"] = "relevance",
    kinds: list[Literal["a", "b"]] | None = None,
    texts: TextList | None = None,
    limit: Annotated[int, Meta(ge=1, le=100)] = 20,
    score: Annotated[float, Meta(ge=0)] | None = None,
    history: bool = False,
    date_from: str | None = None,
    citations: list[Citation] | None = None,
    cursor: Cursor = None,
) -> Out:
    """Take one of each."""
    return Out(True)


DECLARED = schema.parameters(everything)


def read(**raw: Any) -> dict[str, Any]:
    return arguments.read("p_everything", DECLARED, {"query": "q", **raw}, everything.synonyms)


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ('["1","2"]', ["1", "2"]),
        ("1,2", ["1", "2"]),
        ("1", ["1"]),
        ([1, 2], ["1", "2"]),
        (1, ["1"]),
        (["1,2", 3.0], ["1", "2", "3"]),
        ('```json\n["1", "2"]\n```', ["1", "2"]),
        ("- 1\n- 2", ["1", "2"]),
        ("10.1000/abc:def;1", ["10.1000/abc:def;1"]),
        (["PMID: 7"], ["PMID: 7"]),
        ("last", ["last"]),
        (["not an id", "5"], ["not an id", "5"]),
        (["5 junk", "6"], ["5 junk", "6"]),
        ("5 junk", ["5", "junk"]),
        (["PMC 12091962", "PMID 1 (2023)"], ["PMC 12091962", "PMID 1 (2023)"]),
        ("PMC 12091962, NBK 1403", ["PMC 12091962", "NBK 1403"]),
        (["7", "", None, " ", "8"], ["7", "", "", " ", "8"]),
        ("1, 2 and 3", ["1", "2", "3"]),
        (["12,091,962"], ["12,091,962"]),
    ],
)
def test_p87_lists_arrive_in_many_forms(sent: Any, meant: list[str]) -> None:
    assert read(ids=sent)["ids"] == meant


def test_p87_nested_junk_becomes_an_element_of_its_own() -> None:
    assert read(ids=[{"a": 1}, "5"])["ids"] == ['{"a":1}', "5"]


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ({"query": 12345}, {"query": "12345"}),
        ({"query": '{"a":1}'}, {"query": '{"a":1}'}),
        ({"query": {"a": 1}}, {"query": '{"a":1}'}),
        ({"limit": "5"}, {"limit": 5}),
        ({"limit": 5.0}, {"limit": 5}),
        ({"limit": " 7.0 "}, {"limit": 7}),
        ({"history": "true"}, {"history": True}),
        ({"history": 0}, {"history": False}),
        ({"score": "0.5"}, {"score": 0.5}),
        ({"sort": "Pub Date"}, {"sort": "pub_date"}),
        ({"sort": "RELEVANCE"}, {"sort": "relevance"}),
        ({"kinds": "A, b"}, {"kinds": ["a", "b"]}),
        ({"texts": "one, two\nthree"}, {"texts": ["one, two", "three"]}),
        ({"texts": "one, two"}, {"texts": ["one, two"]}),
    ],
)
def test_p88_values_turn_towards_the_declared_type_only(sent: dict[str, Any], meant: dict[str, Any]) -> None:
    values = read(**sent)
    assert {key: values[key] for key in meant} == meant


def test_p89_null_is_absent() -> None:
    values = read(date_from=None, sort=None, limit=None, ids=None)
    assert (values["date_from"], values["sort"], values["limit"]) == (None, "relevance", 20)


def test_p15_the_empty_string_is_absent_for_optional_fields() -> None:
    values = read(date_from="", sort="", score="")
    assert (values["date_from"], values["sort"], values["score"]) == (None, "relevance", None)


@pytest.mark.parametrize("name", ["max_results", "retmax", "page_size", "maxResults", "pageSize", "Limit"])
def test_one_vocabulary_has_many_names(name: str) -> None:
    assert read(**{name: 3})["limit"] == 3


@pytest.mark.parametrize("name", ["pmids", "pmid", "id", "PMIDs"])
def test_ids_have_many_names(name: str) -> None:
    assert read(**{name: "7"})["ids"] == ["7"]


def test_declared_synonyms_and_camel_case_are_accepted() -> None:
    assert read(sortOrder="pub_date")["sort"] == "pub_date"
    assert read(dateFrom="2020")["date_from"] == "2020"


@pytest.mark.parametrize(
    "nested",
    [{"request": {"query": "x", "limit": 2}}, {"request": '{"query": "x", "limit": 2}'}, '{"query":"x","limit":2}'],
)
def test_arguments_nested_under_request_or_as_text_are_unwrapped(nested: Any) -> None:
    values = arguments.read("t", DECLARED, nested, {})
    assert (values["query"], values["limit"]) == ("x", 2)


def test_a_lone_object_is_a_list_of_one_and_its_fields_are_turned_too() -> None:
    assert read(citations={"journal": "J", "year": 2016})["citations"] == [Citation("J", "2016")]
    assert read(citations='[{"journal": "J", "Volume": 3}]')["citations"] == [Citation("J", "", "3")]


@pytest.mark.parametrize(
    ("sent", "path"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": "many"}, "limit"),
        ({"limit": True}, "limit"),
        ({"sort": "newest"}, "sort"),
        ({"kinds": ["a", "z"]}, "kinds[1]"),
        ({"citations": [{"year": "2016"}]}, "citations[0]"),
        ({"history": "maybe"}, "history"),
        ({"bogus": 1}, "bogus"),
        ({"query": ""}, "query"),
        ({"query": None}, "query"),
    ],
)
def test_what_is_wrong_names_path_expectation_and_the_way_out(sent: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        read(**sent)
    assert caught.value.path == path
    assert caught.value.expected
    assert caught.value.example or caught.value.hint


def test_unknown_fields_are_refused_with_the_accepted_ones() -> None:
    with pytest.raises(InvalidArgument) as caught:
        read(field="x")
    assert "date_from" in caught.value.hint


def test_the_same_argument_twice_with_different_values_is_refused() -> None:
    with pytest.raises(InvalidArgument):
        read(limit=2, max_results=3)
    assert read(limit=2, max_results=2)["limit"] == 2


def test_arguments_that_are_no_object_are_refused() -> None:
    for raw in ([1], "x", 5):
        with pytest.raises(InvalidArgument):
            arguments.read("t", DECLARED, raw, {})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*DECLARED, "pmids", "request", "x"]), json_values, max_size=5))
def test_anything_is_read_or_refused_as_an_invalid_argument(raw: dict[str, Any]) -> None:
    try:
        values = arguments.read("t", DECLARED, raw, {})
    except InvalidArgument:
        return
    assert set(values) == set(DECLARED)
