"""Annotations: those recorded must match their own entity; those cut from known sentences must come back to them."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vouched_europepmc.annotations import read_annotations
from vouched_europepmc.matching import Terms
from vouched_europepmc.snippets import rebuild

from tests import emulator
from tests.evals.case import Case, Made, World
from tests.evals.paragraphs import Paragraph, paragraphs, squeezed_text

__all__ = ["anchored", "glued", "placed", "prepare"]

RECORDED = ("europepmc-evidence", "tests", "fixtures", "annotations", "three_ids_one_missing.json")
TRIMMED = "Europe PMC"
LONGEST = 30
COUNT = 200
SECTIONS = ("Introduction", "Methods", "Results", "Discussion", "Conclusion")


async def glued(world: World) -> Sequence[Case]:
    """The 118 recorded annotations of Europe PMC's own annotator: the rebuilt snippet holds its entity as whole words.

    Joining the three pieces as they come, as the reference does, lets 107 of them match nothing.
    """
    body = world.corpus.joinpath(*RECORDED).read_bytes()
    rows = [row for (source, _), of in read_annotations(body).items() if source == "MED" for row in of]
    cases: list[Case] = []
    for row in rows:
        if row.provider != TRIMMED:
            continue
        snippet = rebuild(row.prefix, row.exact, row.postfix, row.provider)
        hits = Terms("subject", [row.exact]).hits(snippet.text)
        right = any((hit.start, hit.end) == (snippet.start, snippet.end) for hit in hits)
        cases.append(Case(f"{row.exact} ({row.position})", right, snippet.text))
    return cases


async def anchored(world: World) -> Sequence[Case]:
    """Recorded annotations of two abstracts: the offsets given hold the entity's words, in their context."""
    answer = await world.call("get_annotations", ids=["22338609", "24073682"], sections=["Abstract"])
    raw = {a["extId"]: a["annotations"] for a in world.json(*RECORDED)}
    cases: list[Case] = []
    for row in answer["data"]["articles"]:
        record = await world.call("fetch_article", ids=[row["id"]])
        fetched = record["data"]["rows"][0]["record"]
        # PheneBank counts the title to the abstract.
        blocks = {f"abstract.{n}": part["text"] for n, part in enumerate(fetched["abstract"], start=1)}
        blocks["title"] = fetched["title"]
        own = [a for a in raw[row["id"].partition(":")[2]] if a.get("section", "").startswith("Abstract")]
        for given, mention in zip(own, row["annotations"], strict=True):
            right = mention["anchor"] == "anchored"
            if right:
                text = blocks[mention["block"]]
                words = text[mention["start"] : mention["end"]]
                around = _squeezed(text[: mention["start"]])
                right = words == " ".join(given["exact"].split()) and around.endswith(_squeezed(given["prefix"]))
            cases.append(Case(f"{row['id']}: {given['exact']}", right, mention["anchor"]))
    return cases


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _cut(paragraph: Paragraph, chance: random.Random) -> tuple[int, int] | None:
    """An entity of one to three words somewhere in the paragraph, marks at its ends left out."""
    words: list[tuple[int, int]] = []
    at = 0
    for word in paragraph.text.split(" "):
        words.append((at, at + len(word)))
        at += len(word) + 1
    if len(words) < 12:
        return None
    size = chance.randint(1, 3)
    first = chance.randrange(3, len(words) - 4 - size)
    start, end = words[first][0], words[first + size - 1][1]
    exact = paragraph.text[start:end]
    bare = exact.strip("().,;:[]\"'\u201c\u201d")
    if len(bare) < 3 or not bare[0].isalpha():
        return None
    start += exact.index(bare)
    return start, start + len(bare)


def trimmed(paragraph: Paragraph, span: tuple[int, int]) -> dict[str, Any]:
    """The annotation as Europe PMC cuts it: spaces trimmed, all but the entity's first word repeated behind it."""
    start, end = span
    exact = paragraph.text[start:end]
    before = " ".join(paragraph.text[:start].split()[-3:])[-LONGEST:]
    rest = exact.partition(" ")[2] + paragraph.text[end:]
    after = " ".join(rest.split()[:3])[:LONGEST]
    # As the annotator names sections; where the title is none of its names, it says nothing.
    named = next((name for name in SECTIONS if name.lower()[:6] in paragraph.section.lower()), "")
    cut = {
        "prefix": before,
        "exact": exact,
        "postfix": after,
        "tags": [{"name": exact.lower(), "uri": "http://purl.example.org/1"}],
        "type": "Chemicals",
        "provider": TRIMMED,
    }
    return cut | ({"section": f"{named} (http://purl.org/orb/{named})"} if named else {})


def _made(corpus: Path) -> list[tuple[Paragraph, tuple[int, int]]]:
    chance = random.Random(20261130)
    found: list[tuple[Paragraph, tuple[int, int]]] = []
    texts = list(paragraphs(corpus))
    chance.shuffle(texts)
    for paragraph in texts * 3:
        span = _cut(paragraph, chance)
        if span and len(found) < COUNT:
            found.append((paragraph, span))
    return found


def prepare(corpus: Path) -> Made:
    """The cut annotations, by article, in the service's format."""
    index = emulator.load((corpus,))
    own = {article.pmcid: article for article in index.articles.values()}
    articles: dict[str, dict[str, Any]] = {}
    for paragraph, span in _made(corpus):
        article = own[paragraph.pmcid]
        held = articles.setdefault(
            paragraph.pmcid,
            {"source": article.source, "extId": article.id, "pmcid": paragraph.pmcid, "annotations": []},
        )
        held["annotations"].append(trimmed(paragraph, span))
    return {"epmc-annotations/cut.json": list(articles.values())}


async def placed(world: World) -> Sequence[Case]:
    """Entities cut from open full texts by Europe PMC's rule come back to the offset they were cut from.

    Where the same words stand elsewhere in the text too, no place is the right answer, and so is the true one.
    """
    gold: dict[str, list[tuple[Paragraph, tuple[int, int]]]] = {}
    for paragraph, span in _made(world.corpus):
        gold.setdefault(paragraph.pmcid, []).append((paragraph, span))
    cases: list[Case] = []
    for pmcid, made in gold.items():
        answer = await world.call("get_annotations", ids=[pmcid], limit=500)
        mentions = list(answer["data"]["articles"][0]["annotations"])
        while cursor := answer.get("next_cursor"):
            answer = await world.call("get_annotations", ids=[pmcid], limit=500, cursor=cursor)
            mentions += answer["data"]["articles"][0]["annotations"]
        for (paragraph, span), mention in zip(made, mentions, strict=True):
            note = f"{mention['anchor']} {mention.get('start')} for {span[0]}"
            cases.append(
                Case(f"{pmcid}: {paragraph.text[span[0] : span[1]]}", _right(world, paragraph, span, mention), note)
            )
    return cases


def _right(world: World, paragraph: Paragraph, span: tuple[int, int], mention: dict[str, Any]) -> bool:
    if mention["anchor"] == "anchored":
        same = (mention["start"], mention["end"]) == span
        return same and mention["text"] in paragraph.text
    cut = trimmed(paragraph, span)
    after = cut["postfix"].removeprefix(cut["exact"].partition(" ")[2])
    words = _squeezed(cut["prefix"] + cut["exact"] + after)
    return mention["reason"] == "ambiguous" and squeezed_text(world.corpus, paragraph.pmcid).count(words) > 1
