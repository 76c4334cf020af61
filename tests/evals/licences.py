"""What may be done with a text: licences read by eye in JATS files, and those of the invented papers."""

from collections.abc import Sequence

import msgspec
from vouched.api import Access, FullText
from vouched_europepmc.jats import read_jats

from tests import emulator
from tests.evals.case import Case, World
from tests.fixtures.joined_source.articles import ARTICLES

__all__ = ["papers", "texts"]

# The terms as they stand in each article's own permissions, read by a person.
BY_EYE = {
    "PMC1790863": "by",
    "PMC2329613": "by",
    "PMC2599765": "public domain",
    "PMC2994229": "copyright only",
    "PMC3040717": "text mining only",
    "PMC3042718": "by",
    "PMC3166277": "by",
    "PMC3299399": "by-nc",
    "PMC3460867": "by",
    "PMC3574550": "by-nc",
    "PMC3585041": "by",
    "PMC4531902": "by-nc",
    "PMC6329583": "text mining only",
    "PMC8071313": "by",
    "PMC8118396": "by",
    "PMC8151036": "by",
    "PMC8158497": "by",
    "PMC8164761": "by",
    "PMC8222791": "by",
    "PMC8228099": "by",
    "PMC8435807": "by-nc",
    "PMC9053985": "by-nc-nd",
    "PMC9053995": "by-nc-nd",
    "PMC9054084": "by-nc-nd",
    "PMC9056514": "by",
    "PMC9056519": "by",
    "PMC9056525": "by",
    "PMC9057060": "by",
    "PMC13014283": "by-nc",
    "PMC13015887": "by",
    "PMC13016435": "by",
}
# read, quote, mine, redistribute, commercial, derive, as the licences' own texts say.
MEANS = {
    "by": "yes yes yes yes yes yes",
    "public domain": "yes yes yes yes yes yes",
    "by-nc": "yes yes yes yes no yes",
    "by-nc-nd": "yes yes yes yes no no",
    "copyright only": "yes unknown unknown unknown unknown unknown",
}


async def texts(world: World) -> Sequence[Case]:
    """The gate's answer for each file, from its own words alone: the record is taken to say open, and no licence."""
    index = emulator.load((world.corpus,))
    cases: list[Case] = []
    for pmcid, terms in BY_EYE.items():
        mining = terms == "text mining only"
        flags = Access(open=not mining, in_archive=True, manuscript=mining, licence="", source="europepmc")
        text = read_jats(index.fulltexts[pmcid], source="europepmc", url="", retrieved_at="", flags=flags)
        assert isinstance(text, FullText)
        uses = world.host.licence.decide(text.access).uses
        said = " ".join(msgspec.structs.astuple(uses))
        right = (
            uses.mine == "yes" and uses.read != "yes" and uses.redistribute != "yes" if mining else said == MEANS[terms]
        )
        cases.append(Case(pmcid, right, f"{terms}: {said}"))
    return cases


async def papers(world: World) -> Sequence[Case]:
    """The 20 invented papers, asked for with their full text: it goes out exactly where it may be read and exists."""
    cases: list[Case] = []
    for entry in ARTICLES:
        pmid = str(99_900_000 + entry["n"])
        answer = await world.call("fetch_article", ids=[pmid], include_full_text=True)
        (row,) = answer["data"]["rows"]
        given = bool(row.get("text"))
        # A letter or a preprint record in PubMed may be open without a text in the archive.
        wanted = entry["access"] == "OA" and f"PMC{pmid}" in emulator.load((emulator.JOINED,)).fulltexts
        explained = bool(row["reuse"]["decided_by"]) and (given or bool(row.get("reason")))
        cases.append(Case(pmid, given == wanted and explained, f"access {entry['access']}: {row['state']}"))
    return cases
