"""The reference's own 35 cases: its questions and gold, answered from its recordings where those are at hand."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from tests.evals.case import Case, World

__all__ = ["grounding", "refusal", "retrieval"]

CASES = ("europepmc-evidence", "evals", "cases")
NO_RECORDING = "its recording is not at hand"


def _cases(world: World, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load(world.corpus.joinpath(*CASES, name).read_bytes())["cases"]
    assert all(case["gold_provenance"] == "independent" for case in found)
    return found


def _recorded(corpus: Path) -> set[str]:
    """The ids that the recordings are of."""
    folder = corpus / "europepmc-evidence" / "evals" / "cassettes"
    return {found[1] for path in folder.glob("*.json") if (found := re.search(r"EXT_ID%3A(\d+)", path.read_text()))}


async def retrieval(world: World) -> Sequence[Case]:
    """PubMedQA: the question as the query, the gold PMID among the first 25. No recording of these is at hand."""
    return [Case(case["id"], None, NO_RECORDING) for case in _cases(world, "retrieval_pubmedqa.yaml")]


async def grounding(world: World) -> Sequence[Case]:
    """PubMedQA: the beginning of the context stands in the abstract that a fetch of the record returns."""
    recorded = _recorded(world.corpus)
    cases: list[Case] = []
    for case in _cases(world, "grounding_pubmedqa.yaml"):
        if case["args"]["id"].partition(":")[2] not in recorded:
            cases.append(Case(case["id"], None, NO_RECORDING))
            continue
        answer = await world.call("fetch_article", ids=[case["args"]["id"]])
        parts = [part["text"] for row in answer["data"]["rows"] for part in row["record"]["abstract"]]
        wanted = " ".join(case["gold"]["snippet_contains"].split())
        cases.append(Case(case["id"], any(wanted in part for part in parts), wanted))
    return cases


async def refusal(world: World) -> Sequence[Case]:
    """Retraction Watch: a search for the record says that it is retracted."""
    recorded = _recorded(world.corpus)
    cases: list[Case] = []
    for case in _cases(world, "refusal_retraction_watch.yaml"):
        found = re.search(r"\d+", case["args"]["query"])
        if not found or found[0] not in recorded:
            cases.append(Case(case["id"], None, NO_RECORDING))
            continue
        answer = await world.call("search_literature", **case["args"])
        said = [row["status"] for row in answer["data"]["records"]]
        cases.append(Case(case["id"], said == [case["gold"]["retraction_status"]], str(said)))
    return cases
