"""Filters by name take any case, spacing and plural, and tell what none of the values is called."""

import pytest
from vouched_europepmc.names import Wanted, is_part, listed


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("Disease", "Diseases"),
        ("diseases", "Diseases"),
        ("gene protein", "Gene_Proteins"),
        ("Genes/Proteins", "Gene_Proteins"),
        ("gene-disease relationships", "Gene Disease Relationship"),
        ("Methods and Materials", "Method & Material"),
        ("therapy", "Therapies"),
        ("europe_pmc", "Europe PMC"),
        ("species", "Species"),
    ],
)
def test_case_spacing_and_plural_do_not_matter(asked: str, value: str) -> None:
    assert Wanted.of([asked]).passes(value)


@pytest.mark.parametrize(
    ("asked", "value"), [("Gene", "Gene_Proteins"), ("loss", "los"), ("Abstracts", "Introduction")]
)
def test_another_name_is_another_one(asked: str, value: str) -> None:
    assert not Wanted.of([asked]).passes(value)


def test_nothing_asked_lets_everything_pass() -> None:
    assert Wanted.of(None).passes("Diseases")
    assert Wanted.of([" ", ""]).passes("Diseases")


def test_what_no_value_is_called_is_told_as_it_was_written() -> None:
    assert Wanted.of(["disease", "Dieseases "]).unknown(["Diseases", "Chemicals"]) == ["Dieseases"]


def test_a_section_is_known_by_part_of_its_path() -> None:
    assert is_part("step 1", "Methods > Step 1")
    assert is_part("Result", "Results")
    assert is_part("Materials & Methods", "Material and methods > Mice")
    assert not is_part("  ", "Results")
    assert not is_part("Discussion", "Results")


def test_long_lists_are_cut_and_counted() -> None:
    assert listed(["a", "b", "a", "c"], most=2) == "a, b and 1 more"
    assert listed(["a"]) == "a"
