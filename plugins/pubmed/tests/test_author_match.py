"""One author in many spellings, and truly different ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vouched_pubmed.author_match import compare_author

ROSTER = [("Müller K", False), ("van der Berg J", False), ("García-López MA", False), ("Hambrick GW Jr", False)]
FALSE_WARNINGS = ["Muller K", "mueller k", "Müller, K", "K Müller", "Berg J"]


@pytest.mark.parametrize("cited", FALSE_WARNINGS)
def test_none_of_the_known_false_warnings_is_raised(cited: str) -> None:
    assert compare_author(cited, ROSTER) == "same"


@pytest.mark.parametrize(
    "cited",
    [
        "müller",
        "MÜLLER K.",
        "Klaus Müller",
        "Müller, Klaus",
        "Müller K et al.",
        "Müller K, Berg J",
        "Müller K; Smith A",
        "Müller and Berg",
        "van der Berg J",
        "Van Der Berg, Jan",
        "vanderberg j",
        "Garcia Lopez M",
        "Garcia-Lopez MA",
        "garcia m",
        "Lopez M",
        "Hambrick GW",
        "Hambrick GW Jr.",
        "G. W. Hambrick, Jr",
    ],
)
def test_other_spellings_of_people_on_the_roster_are_the_same(cited: str) -> None:
    assert compare_author(cited, ROSTER) == "same"


@pytest.mark.parametrize("cited", ["Husain M", "Schmidt K", "Müller X", "nobody", "Berger J", "Lopes M"])
def test_p59_a_truly_different_author_differs(cited: str) -> None:
    assert compare_author(cited, ROSTER) == "differs"


@pytest.mark.parametrize(
    ("cited", "own"),
    [("Oestergaard A", "Østergård A"), ("Østergaard A", "Østergård A"), ("Aaberg K", "Åberg K"), ("Åse K", "Aase K")],
)
def test_a_ring_is_an_a_or_two(cited: str, own: str) -> None:
    assert compare_author(cited, [(own, False)]) == "same"


def test_p35_a_first_author_whose_names_may_be_swapped_in_the_record_is_no_alarm() -> None:
    assert compare_author("Fu X", [("Xiaoming F", False)]) == "not_comparable"
    assert compare_author("Fu Xiaoming", [("Xiaoming F", False)]) == "same"
    assert compare_author("Fu Y", [("Xiaoming F", False)]) == "differs"
    assert compare_author("Fu X", [("Doe J", False), ("Xiaoming F", False)]) == "differs"


def test_p59_the_whole_roster_counts_and_not_its_first_three() -> None:
    roster = [("Doe J", False), ("Roe A", False), ("Poe B", False), ("Husain M", False)]
    assert compare_author("husain m", roster) == "same"
    assert compare_author("husain m", roster[:3]) == "differs"


@pytest.mark.parametrize("cited", ["Le T", "Thi Le", "Le"])
def test_a_family_name_that_is_also_a_particle_is_a_family_name(cited: str) -> None:
    assert compare_author(cited, [("Le T", False)]) == "same"


def test_a_single_letter_is_an_initial_and_no_particle() -> None:
    assert compare_author("Smith E", [("Smith A", False)]) == "differs"
    assert compare_author("Smith E", [("Smith E", False)]) == "same"


@pytest.mark.parametrize("cited", ["RECOVERY Collaborative Group", "The RECOVERY Collaborative", "recovery group"])
def test_groups_are_compared_as_groups(cited: str) -> None:
    assert compare_author(cited, [("RECOVERY Collaborative Group", True), ("Horby P", False)]) == "same"


@pytest.mark.parametrize("cited", ["Group", "Study Group", "The Investigators", "China Study Group"])
def test_a_word_that_any_group_has_names_none(cited: str) -> None:
    assert compare_author(cited, [("RECOVERY Study Group Investigators", True), ("Horby P", False)]) == "differs"


@pytest.mark.parametrize(
    ("cited", "roster"),
    [
        ("WHO", [("World Health Organization", True)]),
        ("World Health Organisation", [("World Health Organization", True)]),
    ],
)
def test_a_group_by_its_initials_is_the_same_and_never_a_warning(cited: str, roster: list[tuple[str, bool]]) -> None:
    assert compare_author(cited, roster) in ("same", "not_comparable")


@pytest.mark.parametrize(
    ("cited", "roster", "grade"),
    [
        ("", ROSTER, "not_given"),
        ("  ", ROSTER, "not_given"),
        ("Smith J", [], "not_comparable"),
        ("Anonymous", ROSTER, "not_comparable"),
        ("[No authors listed]", [], "not_comparable"),
        ("王伟", ROSTER, "not_comparable"),
        ("Smith J", [("Invented Study Group", True)], "not_comparable"),
    ],
)
def test_what_cannot_be_compared_is_said_to_be_so(cited: str, roster: list[tuple[str, bool]], grade: str) -> None:
    assert compare_author(cited, roster) == grade


@given(st.text(max_size=40), st.lists(st.tuples(st.text(max_size=20), st.booleans()), max_size=4))
def test_any_texts_can_be_compared(cited: str, roster: list[tuple[str, bool]]) -> None:
    assert compare_author(cited, roster) in ("same", "differs", "not_given", "not_comparable")


@given(st.from_regex(r"[A-Z][a-z]{2,9}", fullmatch=True), st.from_regex(r"[A-Z]{1,3}", fullmatch=True))
def test_a_name_as_recorded_is_always_the_same(family: str, initials: str) -> None:
    assert compare_author(f"{family} {initials}", [(f"{family} {initials}", False)]) == "same"
