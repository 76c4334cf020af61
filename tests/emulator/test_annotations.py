"""The annotations API."""

from typing import Any

import pytest

from tests.emulator.conftest import Caller


def ask(caller: Caller, ids: str, **params: Any) -> Any:
    return caller.get("annotations", "annotationsByArticleIds", articleIds=ids, format="JSON", **params).json()


def test_articles_without_annotations_are_left_out_silently(joined: Caller) -> None:
    found = ask(joined, "MED:99900001,MED:99900018,PPR:PPR990008")
    assert [article["extId"] for article in found] == ["99900001", "PPR990008"]


def test_a_pmc_id_gives_the_article_under_its_own_source(joined: Caller) -> None:
    found = ask(joined, "PMC:99900002,MED:99900002")
    assert [(article["source"], article["extId"]) for article in found] == [("MED", "99900002")]


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        ({}, 9),
        ({"type": "Chemicals"}, 3),
        ({"section": "Results"}, 3),
        ({"provider": "OntoGene"}, 1),
        ({"type": "Diseases", "section": "Abstract"}, 1),
    ],
)
def test_filters(joined: Caller, filters: dict[str, str], count: int) -> None:
    assert len(ask(joined, "MED:99900001", **filters)[0]["annotations"]) == count


def test_an_article_whose_annotations_are_all_filtered_is_left_out(joined: Caller) -> None:
    assert ask(joined, "MED:99900002", type="Organisms") == []


def test_context_is_trimmed_and_repeats_the_tail_of_an_entity(joined: Caller) -> None:
    first = ask(joined, "MED:99900001")[0]["annotations"][0]
    assert (first["prefix"], first["exact"], first["postfix"]) == (
        "240 adults with",
        "glimmer syndrome",
        "syndrome to fictol",
    )


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ("", "must contain between 1 and 8 values"),
        (",".join(f"MED:{n}" for n in range(9)), "must contain between 1 and 8 values"),
        ("MED:1,XYZ:2", "(i.e. XYZ:2)"),
        ("PMC:PMC1", "(i.e. PMC:PMC1)"),
        ("10.1/x", "(i.e. 10.1/x)"),
    ],
)
def test_refusals(joined: Caller, ids: str, message: str) -> None:
    found = ask(joined, ids)
    assert (found["status"], message in found["message"]) == (400, True)


def test_recorded_annotations_come_as_recorded(whole: Caller) -> None:
    found = ask(whole, "MED:22338609,MED:24073682,MED:1")
    assert [len(article["annotations"]) for article in found] == [128, 7]
