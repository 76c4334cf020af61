"""ECitMatch on the wire: rows, what comes back for them, and what to do about rows that the service drops."""

import re
from collections.abc import Sequence

import msgspec
from vouched.api import Context, Fault, UpstreamInvalid

from vouched_pubmed.agreement import first_page
from vouched_pubmed.asking import ask
from vouched_pubmed.errors import check_body
from vouched_pubmed.lookup_citation import Cited, State

__all__ = ["Outcome", "ecitmatch", "match", "read_ecitmatch", "read_outcome", "wire_row"]


DROPPED = (
    "NCBI's citation matcher left this citation out of its answers, as it does with too few fields: that says nothing "
    "about PubMed. Add journal, volume or first page."
)


class Outcome(msgspec.Struct, frozen=True):
    """What the service says of one citation.

    Attributes:
        state; pmid: of a match; count: candidates that it counts; candidates: PMIDs, where it lists them.
        said: its own words, or why there is no answer; fault: what kept a row from being asked again.
    """

    state: State
    pmid: str = ""
    count: int = 0
    candidates: tuple[str, ...] = ()
    said: str = ""
    fault: Fault | None = None


def wire_row(cited: Cited, number: int) -> str:
    """`journal|year|volume|first page|author|key|`. The key is the row's number: the caller's own never leaves."""
    fields = (cited.journal, cited.year, cited.volume, first_page(cited.first_page), cited.author_name)
    return "|".join([*(" ".join(field.split()) for field in fields), f"r{number}", ""])


def read_outcome(said: str) -> Outcome:
    """Read the last column: a PMID, `NOT_FOUND`, `NOT_FOUND;INVALID_JOURNAL`, `AMBIGUOUS (5 citations)` or a list."""
    if re.fullmatch(r"[0-9]{1,10}", said):
        return Outcome("matched", said.lstrip("0"), said=said)
    upper = said.upper()
    if upper.startswith("AMBIGUOUS"):
        rest = said[len("AMBIGUOUS") :].strip()
        counted = re.fullmatch(r"\(\s*([0-9,]+)\s+citations?\s*\)", rest)
        pmids = tuple(dict.fromkeys(re.findall(r"[0-9]{1,10}", rest))) if not counted else ()
        return Outcome(
            "ambiguous", count=int(counted[1].replace(",", "")) if counted else len(pmids), candidates=pmids, said=said
        )
    if "INVALID_JOURNAL" in upper:
        return Outcome("invalid_journal", said=said)
    if upper.startswith("NOT_FOUND"):
        return Outcome("not_found", said=said)
    # An empty or unknown last column is no finding.
    return Outcome("no_answer", said=said[:100])


def read_ecitmatch(body: bytes) -> dict[str, str]:
    """Read an ECitMatch answer (plain text): key sent -> outcome. Rows that the service dropped are absent.

    A row is `journal|year|volume|first page|author|key|outcome`; on a miss the service blanks fields, so a row is known
    by its key alone. The first answer to a key counts.
    """
    check_body(body)
    if not body:
        # Where it has no row to give, it still ends its answer with a line break.
        raise UpstreamInvalid("NCBI's citation matcher answered nothing at all.")
    outcomes: dict[str, str] = {}
    for line in re.split(r"[\r\n]+", body.decode("utf-8", "replace")):
        if not line.strip():
            continue
        fields = line.split("|")
        if len(fields) < 7:
            raise UpstreamInvalid("NCBI's citation matcher answered something that is not a row of an answer.")
        outcomes.setdefault(fields[5].strip(), " ".join("|".join(fields[6:]).strip("| ").split()))
    return outcomes


async def ecitmatch(ctx: Context, rows: Sequence[str]) -> dict[str, str]:
    """Match citations: rows `journal|year|volume|first page|author|key|` -> outcome by key."""
    return await ask(
        ctx,
        "ecitmatch.cgi",
        params={"db": "pubmed", "retmode": "xml", "bdata": "\r".join(rows)},
        media="text/plain",
        read=read_ecitmatch,
    )


async def match(ctx: Context, citations: Sequence[Cited]) -> list[Outcome]:
    """One outcome a citation, in order.

    A row without a journal that has no candidate ends the service's answer, and sparse rows may be left out, so rows
    without an answer are sent again: together, then singly those that are dropped again. At most one request more per
    dropped row. Rows that could not be sent again carry the fault.

    Raises:
        Fault: where not even the first request was answered.
    """
    rows = {f"r{number}": wire_row(cited, number) for number, cited in enumerate(citations, 1)}
    answers = await _asked(ctx, rows, list(rows))
    fault = await _ask_again(ctx, rows, answers)
    unasked = Outcome("no_answer", said=f"It could not be asked again: {fault.message}", fault=fault) if fault else None
    return [
        read_outcome(answers[key]) if key in answers else unasked or Outcome("no_answer", said=DROPPED) for key in rows
    ]


async def _ask_again(ctx: Context, rows: dict[str, str], answers: dict[str, str]) -> Fault | None:
    """Send the rows without an answer again and put what comes into `answers`; returns what kept some from it."""
    dropped = [key for key in rows if key not in answers]
    if not dropped:
        return None
    # The first dropped row is the one that can have ended the answer: it goes last.
    again = [*dropped[1:], dropped[0]]
    try:
        answers |= await _asked(ctx, rows, again)
        still = [key for key in again if key not in answers]
        if len(still) == len(again):
            # Nothing came back: the first row has been asked as good as alone.
            still = still[1:]
        for key in still:
            answers |= await _asked(ctx, rows, [key])
    except Fault as fault:
        return fault
    return None


async def _asked(ctx: Context, rows: dict[str, str], keys: Sequence[str]) -> dict[str, str]:
    answers = await ecitmatch(ctx, [rows[key] for key in keys])
    return {key: said for key, said in answers.items() if key in keys and said}
