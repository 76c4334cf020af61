"""Negation and hedge labels, read from evidence tables over papers whose abstract is one sentence each."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.evals.case import Case, Made, World
from tests.evals.cue_sentences import HEDGES, NEGEX_CUES, NEGEX_ENDS, NEGEX_FALSE, ON_PURPOSE, TRAPS, Sentence
from tests.evals.invented import record, search_answer

__all__ = ["hedges", "negex_cues", "negex_ends", "negex_false", "prepare", "traps"]

SETS: dict[str, tuple[int, Sequence[Sentence]]] = {
    "negex cues": (99_910_000, NEGEX_CUES),
    "negex false": (99_913_000, NEGEX_FALSE),
    "negex ends": (99_914_000, NEGEX_ENDS),
    "traps": (99_911_000, TRAPS),
    "hedges": (99_912_000, HEDGES),
}
TERMS = {"subject": ["fictol"], "object": ["glimmer syndrome"]}
AT_ONCE = 20


def prepare(corpus: Path) -> Made:
    """One paper a sentence."""
    rows = [
        record(first + number, abstractText=sentence.replace("<", "&lt;"))
        for first, sentences in SETS.values()
        for number, (sentence, _, _) in enumerate(sentences)
    ]
    return {"epmc-search/cues.json": search_answer(rows)}


async def _judge(world: World, name: str) -> Sequence[Case]:
    first, sentences = SETS[name]
    ids = [str(first + number) for number in range(len(sentences))]
    labels: dict[str, set[str]] = {}
    for start in range(0, len(ids), AT_ONCE):
        for row in await _rows(world, ids[start : start + AT_ONCE]):
            labels[row["id"].partition(":")[2]] = set(row["labels"])
    cases: list[Case] = []
    for id_, (sentence, must, must_not) in zip(ids, sentences, strict=True):
        said = labels.get(id_, set())
        right = bool(said) and must <= said and not must_not & said
        cases.append(Case(sentence, right, ", ".join(sorted(said)) or "no row", ON_PURPOSE.get(sentence, "")))
    return cases


async def _rows(world: World, ids: Sequence[str]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    cursor = None
    while True:
        answer = await world.call(
            "build_evidence_table", claim="eval", ids=ids, terms=TERMS, use_full_text=False, limit=100, cursor=cursor
        )
        rows += answer["data"]["candidate_evidence"]
        cursor = answer.get("next_cursor")
        if not cursor:
            return rows


async def negex_cues(world: World) -> Sequence[Case]:
    """NegEx's negations, each in one plain frame. Where the plugin deviates on purpose, the case has failed."""
    return await _judge(world, "negex cues")


async def negex_false(world: World) -> Sequence[Case]:
    """NegEx's false negations. The plugin counts "no increase" and its like on purpose: those cases have failed."""
    return await _judge(world, "negex false")


async def negex_ends(world: World) -> Sequence[Case]:
    """NegEx's ends of scope. In research prose "cause of" and its like do not end it: those cases have failed."""
    return await _judge(world, "negex ends")


async def traps(world: World) -> Sequence[Case]:
    """Constructions that cue lists alone get wrong."""
    return await _judge(world, "traps")


async def hedges(world: World) -> Sequence[Case]:
    """Doubt, and its absence."""
    return await _judge(world, "hedges")
