"""200 quotations of open full texts and abstracts of the corpus: true ones, and ones with a known alteration."""

import re
from collections.abc import Callable, Sequence
from itertools import cycle

from tests.evals.case import Case, World
from tests.evals.paragraphs import OPEN, Paragraph, sentences

__all__ = ["quotations"]

COUNT = 200
AT_ONCE = 25
_AUXILIARY = re.compile(r" (was|were|is|are|has|have|can|could|did) (?!not\b)")
_SIGNED = re.compile(r" [<>=\u2264\u2265\u00b1] ?(?=\d)")
Alter = Callable[[str, str], str | None]


def _same(text: str, other: str) -> str:
    return text


def _respaced(text: str, other: str) -> str:
    head, _, tail = text.partition(" ")
    return f"{head}  {tail}".replace(", ", ",\n", 1)


def _digit(text: str, other: str) -> str | None:
    found = re.search(r"(?<!\w)\d+(?!\w)", text)
    if not found:
        return None
    last = found.end() - 1
    return text[:last] + str((int(text[last]) + 1) % 10) + text[last + 1 :]


def _negated(text: str, other: str) -> str | None:
    altered = _AUXILIARY.sub(r" \1 not ", text, count=1)
    return altered if altered != text else None


def _unnegated(text: str, other: str) -> str | None:
    altered = text.replace(" not ", " ", 1)
    return altered if altered != text else None


def _not_elided(text: str, other: str) -> str | None:
    found = re.search(r" (?:is|are|was|were|did|does|do|has|have|had|could|can) not (?=\w+ \w+)", text)
    return f"{text[: found.start()]} \u2026 {text[found.end() :]}" if found and found.start() > 20 else None


def _hyphenated(text: str, other: str) -> str | None:
    found = re.search(r"(?<= )[a-z]{5}(?=[a-z]{4,} )", text)
    return f"{text[: found.end()]}-\n{text[found.end() :]}" if found else None


def _ligatures(text: str, other: str) -> str | None:
    altered = text.replace("ffi", "\ufb03").replace("fi", "\ufb01").replace("ff", "\ufb00")
    return altered if altered != text else None


def _sign(text: str, other: str) -> str | None:
    flip = str.maketrans("<>=\u2264\u2265\u00b1", "><<\u2265\u2264=")
    found = _SIGNED.search(text)
    return text[: found.start()] + found[0].translate(flip) + text[found.end() :] if found else None


def _spliced(text: str, other: str) -> str:
    mine, theirs = text.split(), other.split()
    return " ".join([*mine[: len(mine) // 2], *theirs[len(theirs) // 2 :]])


# name -> (alteration, outcomes that are right, kind of change that must be named)
KINDS: dict[str, tuple[Alter, tuple[str, ...], str]] = {
    "exact": (_same, ("exact",), ""),
    "respaced": (_respaced, ("whitespace_only",), ""),
    "hyphenated": (_hyphenated, ("whitespace_only",), ""),
    "ligatures": (_ligatures, ("whitespace_only",), "formatting"),
    "digit": (_digit, ("altered",), "number"),
    "not added": (_negated, ("altered",), "negation"),
    "not removed": (_unnegated, ("altered",), "negation"),
    "not elided": (_not_elided, ("altered",), "negation"),
    "sign": (_sign, ("altered",), "sign"),
    "spliced": (_spliced, ("altered", "absent"), ""),
}


def _chosen(texts: Sequence[Paragraph]) -> list[tuple[str, Paragraph, str]]:
    """(kind, the true sentence, the quotation): each kind takes the next sentence that it can alter, in turn."""
    left = list(texts)
    chosen: list[tuple[str, Paragraph, str]] = []
    barren: set[str] = set()
    for kind in cycle(KINDS):
        if len(chosen) == COUNT or len(barren) == len(KINDS):
            return chosen
        alter = KINDS[kind][0]
        for place, sentence in enumerate(left):
            other = next((s.text for s in reversed(left) if s.pmcid == sentence.pmcid and s != sentence), "")
            quoted = alter(sentence.text, other) if other else None
            if quoted:
                chosen.append((kind, sentence, quoted))
                del left[place]
                break
        else:
            barren.add(kind)
    return chosen


def _abstracts(world: World) -> list[Paragraph]:
    """Sentences of recorded abstracts, whose text is the markup's without its tags."""
    found: list[Paragraph] = []
    for name in ("article/oa_pmc3320746.json", "search/crispr_oa_core.json", "search/retracted_core.json"):
        for raw in world.json("europepmc-evidence", "tests", "fixtures", *name.split("/"))["resultList"]["result"]:
            parts = re.split(r"<[^>]+>", raw.get("abstractText", ""))
            for part in parts:
                found += [
                    Paragraph(raw.get("pmcid") or raw["id"], match[0])
                    for match in re.finditer(r"[A-Z][^.!?<&]{50,230}[a-z)]\.(?= |$)", part.strip())
                ]
    return found


async def quotations(world: World) -> Sequence[Case]:
    """Each alteration is found and named; nothing altered passes as exact."""
    chosen = _chosen([*_abstracts(world), *sentences(world.corpus)])
    unserved = {s.pmcid for _, s, _ in chosen} - set(OPEN)
    cases: list[Case] = []
    for start in range(0, len(chosen), AT_ONCE):
        group = chosen[start : start + AT_ONCE]
        answer = await world.call("verify_quotes", quotes=[{"id": s.pmcid, "text": quoted} for _, s, quoted in group])
        for (kind, sentence, quoted), row in zip(group, answer["data"]["quotes"], strict=True):
            _, outcomes, named = KINDS[kind]
            kinds = {change["kind"] for change in row.get("changes", [])}
            # Of three papers only the abstract is at hand: an alteration is named there, and no verdict given.
            unread = row["outcome"] == "not_checkable" and "altered" in outcomes and sentence.pmcid in unserved
            right = (row["outcome"] in outcomes or unread) and (not named or named in kinds)
            cases.append(Case(f"{kind}: {sentence.pmcid}: {quoted}", right, f"{row['outcome']} {sorted(kinds)}"))
    return cases
