"""A citation string whose title cannot be told from its other parts: another title in it never passes as a match."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from vouched_pubmed.reference_text import parse_reference

pytestmark = pytest.mark.anyio

TITLE = "Fictol shortens glimmer episodes in adults with glimmer syndrome: a randomized trial"
PLACES = (
    "J Invent Res 2023;12(3):101-112",
    "J Invent Res. 2023 Mar 15;12(3):101-12.",
    "J. Invent. Res. 12, 101–112 (2023).",
    "J Invent Res 12 (3) (2023) 101–112.",
    "Journal of Invented Results, 12(3), 101–112. PMID: 99900001",
)
# Ways to write authors and title; the last have no form that a style knows.
HEADS = (
    "Quillfeather AJ, Brontóv ÉK, van der Zandt P. {}. ",
    "Quillfeather AJ, Brontóv ÉK, et al. {}. ",
    "Quillfeather, A. J., Brontóv, É. K., & van der Zandt, P. (2023). {}. ",
    "Quillfeather, A. J., Brontóv, É. K. & van der Zandt, P. {}. ",
    "A.J. Quillfeather, É.K. Brontóv, P. van der Zandt, {}, ",
    "Quillfeather AJ, Brontóv ÉK, van der Zandt P: {}. ",
    "Quillfeather, Ada, and É. K. Brontóv. “{}.” ",
    "Quillfeather AJ, Brontóv ÉK, {}. ",
    "Quillfeather, {}. ",
    "Quillfeather and Brontóv, {}. ",
    "Quillfeather et al, {}. ",
    "Quillfeather et al. {}. ",
    "Quillfeather AJ, Brontóv ÉK, van der Zandt P - {}. ",
    "Quillfeather AJ {} ",
    "{}. ",
    "{}. Quillfeather AJ, Brontóv ÉK. ",
)
SENTENCES = (
    "Fictol kills patients with glimmer syndrome",
    "An Invented Title That Nobody Ever Wrote About Lanterns",
    "No effect of moonlight on the teeth of adults",
    "Fictol lengthens glimmer episodes in adults with glimmer syndrome: a randomized trial",
    "Fictol shortens glimmer episodes in adults without glimmer syndrome",
)


def written(head: str, title: str, place: str) -> str:
    return head.format(title) + place


async def check(call: Any, texts: list[str]) -> list[dict[str, Any]]:
    result = await call("check_references", references=texts)
    found: list[dict[str, Any]] = []
    while True:
        found += result.structured["data"]["rows"]
        cursor = result.structured.get("next_cursor")
        if not cursor:
            return found
        result = await call("check_references", references=texts, cursor=cursor)


async def test_another_title_never_matches_in_any_form(call: Any) -> None:
    for sentence in SENTENCES:
        texts = [written(head, sentence, place) for head in HEADS for place in PLACES]
        wrong = [row for row in await check(call, texts) if row["verdict"] == "matches"]
        assert [row["input"] for row in wrong] == []


async def test_the_true_title_matches_in_every_form(call: Any) -> None:
    texts = [written(head, TITLE, place) for head in HEADS for place in PLACES]
    wrong = [row for row in await check(call, texts) if row["verdict"] != "matches"]
    assert [(row["input"], row["verdict"], row.get("differs"), row.get("reason")) for row in wrong] == []


WORDS = [
    "marsh",
    "lantern",
    "moth",
    "kidney",
    "harmful",
    "adults",
    "syndrome",
    "fictol",
    "without",
    "prevents",
    "winter",
    "dental",
    "random",
    "cohort",
]


@given(
    words=st.lists(st.sampled_from(WORDS), min_size=4, max_size=9, unique=True),
    head=st.sampled_from(HEADS),
    place=st.sampled_from(PLACES),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
async def test_no_sentence_passes_for_the_title(words: list[str], head: str, place: str, call: Any) -> None:
    (row,) = await check(call, [written(head, " ".join(words).capitalize(), place)])
    assert row["verdict"] != "matches"


@pytest.mark.parametrize(
    "text",
    [
        "Quillfeather AJ, Brontóv ÉK, van der Zandt P. J Invent Res. 2023;12(3):101-12.",
        "Quillfeather AJ et al., J Invent Res 12, 101–112 (2023). Accessed 3 May 2024. PMID: 99900001",
        "Quillfeather, J Invent Res 2023;12(3):101",
        "PMID: 99900001",
    ],
)
async def test_a_citation_without_a_title_still_matches(text: str, call: Any) -> None:
    (row,) = await check(call, [text])
    assert (row["verdict"], row["record"]["pmid"]) == ("matches", "99900001")
    assert row.get("agreement", {}).get("title", "not_given") == "not_given"


async def test_the_words_taken_for_a_title_are_shown_beside_the_records(call: Any) -> None:
    text = "Quillfeather, Fictol kills patients with glimmer syndrome. J Invent Res 2023;12(3):101-112"
    (row,) = await check(call, [text])
    (one,) = row["differs"]
    assert (row["verdict"], one["field"]) == ("differs", "title")
    assert one["given"].casefold() == "fictol kills patients with glimmer syndrome"


def test_a_string_without_a_stop_is_read_by_its_capitals() -> None:
    fields = parse_reference("Doe JA A title of some plain words J Invent Res 2023;12(3):101-112").fields
    assert (fields["title"], fields["authors"]) == ("A title of some plain words", "Doe JA")
    assert fields["journal"] == "J Invent Res"


async def test_a_string_that_was_not_read_is_not_said_to_be_missing_from_pubmed(call: Any) -> None:
    text = "smith and jones on lanterns marshes and moths 2019;80(1):1-9"
    row, read, told = await check(
        call,
        [
            text,
            "Nobody N. A study that nobody ever wrote. J Invent Res. 2019;80(1):1-9.",
            "Quillfeather AJ Fictol kills patients with glimmer syndrome J Invent Res 2023;12(3):101-112",
        ],
    )
    assert (row["verdict"], read["verdict"]) == ("invalid", "not_found")
    assert "could not be read as a citation" in row["reason"]
    assert (told["verdict"], [one["field"] for one in told["differs"]]) == ("differs", ["title"])
