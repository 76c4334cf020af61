"""Whether a sentence puts the article itself under the licence that it names; every other sentence opens nothing.

The sentences are in `sentences/`, one a line, below headings: what they show, or the licence that they give.
"""

from pathlib import Path

import pytest
from vouched.access import Access, Decision, Statement
from vouched.services.licence import TablePolicy
from vouched.services.licence_table import KINDS

SHUT = {"open": False, "in_archive": True, "licence": ""}


def lines(name: str) -> list[tuple[str, str]]:
    heading, found = "", []
    for line in (Path(__file__).parent / "sentences" / name).read_text("utf-8").splitlines():
        if line.startswith("# "):
            heading = line[2:]
        elif line:
            found.append((heading, line))
    return found


def decide(*statements: Statement, **facts: object) -> Decision:
    return TablePolicy().decide(Access(statements=list(statements), source="t", **(SHUT | facts)))  # type: ignore[arg-type]


@pytest.mark.parametrize(("about", "sentence"), lines("open_nothing.txt"))
def test_a_licence_opens_nothing(about: str, sentence: str) -> None:
    """… that a sentence names of another thing, for another time, on a condition, or denies."""
    for statement in (
        Statement(text=sentence),
        Statement(text=sentence, place="copyright"),
        Statement(text=f"© 2024 Invented Press. {sentence}"),
        Statement(text=f"Open access. {sentence} Printed on paper."),
    ):
        decision = decide(statement)
        assert (decision.rule, decision.uses.read) == ("e", "no"), about
    assert decide(licence=sentence, open=True).rule == "c"


@pytest.mark.parametrize(("kind", "sentence"), lines("open.txt"))
def test_a_plain_statement_opens_what_it_says(kind: str, sentence: str) -> None:
    for text in (sentence, f"© 2024 Invented Press. {sentence}", f"Open access. {sentence}"):
        decision = decide(Statement(text=text))
        assert (decision.rule, decision.uses) == ("a", KINDS[kind].uses), decision
