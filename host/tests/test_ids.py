"""Identifiers: every spelling people paste, one canonical form, an error for the rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched.ids import Id, canonical, handle, parse, split


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("18276894", "pmid:18276894"),
        ("PMID: 18276894", "pmid:18276894"),
        ("pmid:18276894", "pmid:18276894"),
        ("pubmed: 2", "pmid:2"),
        ("MED:123", "pmid:123"),
        ("00000001", "pmid:1"),
        ("https://pubmed.ncbi.nlm.nih.gov/18276894/", "pmid:18276894"),
        ("https://www.ncbi.nlm.nih.gov/pubmed/18276894?report=abstract", "pmid:18276894"),
        ("https://europepmc.org/article/MED/18276894", "pmid:18276894"),
        ("PMC3531190", "pmcid:PMC3531190"),
        ("PMC03531190", "pmcid:PMC3531190"),
        ("PMCID: PMC3531190", "pmcid:PMC3531190"),
        ("PMC:3531190", "pmcid:PMC3531190"),
        ("PMC3531190.2", "pmcid:PMC3531190"),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC3531190/", "pmcid:PMC3531190"),
        ("10.1016/S2213-2600(14)70019-0", "doi:10.1016/s2213-2600(14)70019-0"),
        ("doi: 10.1000/ABC", "doi:10.1000/abc"),
        ("https://doi.org/10.1016/S2213-2600%2814%2970019-0", "doi:10.1016/s2213-2600(14)70019-0"),
        ("10/abc12", "doi:10/abc12"),
        ("PPR12345", "ppr:PPR12345"),
        ("PPR 990008", "ppr:PPR990008"),
        ("PMC 12091962", "pmcid:PMC12091962"),
        ("PMCID 99900002", "pmcid:PMC99900002"),
        ("NBK 1403", "nbk:NBK1403"),
        ("10.99999/jir.2018.0009.", "doi:10.99999/jir.2018.0009"),
        ("(99900001).", "pmid:99900001"),
        ("doi.org/10.1000/abc", "doi:10.1000/abc"),
        ("pubmed.ncbi.nlm.nih.gov/99900001", "pmid:99900001"),
        ("NBK1247", "nbk:NBK1247"),
        ("https://www.ncbi.nlm.nih.gov/books/NBK1247/", "nbk:NBK1247"),
    ],
)
def test_p03_every_spelling_of_an_id_is_read(text: str, expected: str) -> None:
    assert str(parse(text).id) == expected
    assert parse(text).input == text


@pytest.mark.parametrize("text", ["last[0]", "last[-1:]", "run:", "artifact:", "run:a b", "LAST[1,2]"])
def test_what_looks_like_a_name_for_many_ids_is_told_how_one_is_written(text: str) -> None:
    assert handle(text) is None
    assert "last[0:200]" in parse(text).problem


@pytest.mark.parametrize("unseen", ["\u200b", "\ufeff", "\u00ad", "\u202a", "\u200e", "\u2060", "\x00"])
@pytest.mark.parametrize(
    "written", ["10.99999/jir.2023.0001", "99900001", "PMC99900001", "https://doi.org/10.1000/abc"]
)
def test_characters_that_nobody_sees_are_no_part_of_an_id(written: str, unseen: str) -> None:
    for text in (written + unseen, unseen + written, written[:4] + unseen + written[4:]):
        assert parse(text).id == parse(written).id
        assert parse(text).input == text
    assert parse(unseen).problem == "It is empty."


@pytest.mark.parametrize(
    "text",
    [
        "abc",
        "1e7",
        "-5",
        "0",
        "",
        "  ",
        "12.5",
        "1-3",
        "１２３",
        "PMC",
        "PMC0",
        "9" * 21,
        "https://example.org/18276894",
        "x" * 10_000,
    ],
)
def test_p03_anything_else_is_an_error_of_its_own(text: str) -> None:
    ref = parse(text)
    assert ref.id is None
    assert ref.problem


def test_p09_the_prefix_is_never_doubled() -> None:
    assert canonical("pmcid", "PMCPMC7613891") == Id("pmcid", "PMC7613891")
    assert canonical("pmcid", "PMC7613891") == Id("pmcid", "PMC7613891")
    assert canonical("pmcid", "") is None
    assert canonical("pmcid", "PMC") is None


def test_p10_dois_are_compared_in_one_case_and_decoded() -> None:
    spellings = [
        "10.1016/S2213-2600(14)70019-0",
        "10.1016/s2213-2600(14)70019-0",
        "https://doi.org/10.1016/S2213-2600%2814%2970019-0",
    ]
    assert len({parse(text).id for text in spellings}) == 1


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("PMID:1;pmid:2", ["PMID:1", "pmid:2"]),
        ("1, 2,3 4|5\n6", ["1", "2", "3", "4", "5", "6"]),
        ("PMID: 1, PMC2", ["PMID: 1", "PMC2"]),
        ("10.1000/abc:def;1", ["10.1000/abc:def;1"]),
        (
            "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2, 12345678",
            ["10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2", "12345678"],
        ),
        ("10.1/a,10.1/b", ["10.1/a", "10.1/b"]),
        ("- 1\n- PMID: 2\n3. 5", ["1", "PMID: 2", "5"]),
        ("1，2；3", ["1", "2", "3"]),
        ("", []),
    ],
)
def test_pasted_lists_are_split_and_dois_stay_whole(text: str, elements: list[str]) -> None:
    assert split(text) == elements


def test_handles_name_runs_and_windows() -> None:
    found = handle("last[0:200]")
    assert found is not None
    assert (found.kind, found.start, found.stop) == ("last", 0, 200)
    named = handle("run:ab12")
    assert named is not None
    assert (named.kind, named.key, named.stop) == ("run", "ab12", None)
    assert handle("lasting") is None
    assert handle("run:../../secret") is None


@given(st.text(max_size=80))
def test_reading_never_raises_and_canonical_forms_read_back(text: str) -> None:
    ref = parse(text)
    assert (ref.id is None) == bool(ref.problem)
    if ref.id:
        assert parse(ref.id.value).id == ref.id


@given(
    st.lists(st.integers(min_value=1000, max_value=99_999_999), min_size=1, max_size=30),
    st.sampled_from([",", " ", ";", "|", "\n", ", "]),
)
def test_splitting_keeps_every_element_in_order(numbers: list[int], separator: str) -> None:
    assert split(separator.join(str(number) for number in numbers)) == [str(number) for number in numbers]
