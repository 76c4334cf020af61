"""`find_text` asks for a text only where its licence is not settled, and lets none pass that may not be read."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from vouched.access import Access, Statement
from vouched.article import Article, Missing
from vouched.fulltext import FullText
from vouched.resolving import find_text
from vouched.services.licence import Gate, TablePolicy
from vouched.settings import Settings

pytestmark = pytest.mark.anyio
BY = Statement(url="https://creativecommons.org/licenses/by/4.0/", line=3)
NOTICE = Statement(text="This file is available for text mining.", line=3)


class Bare:
    """All that `find_text` needs of a context."""

    def __init__(self, folder: Path, policy: TablePolicy | None = None) -> None:
        self.settings = Settings(data=folder)
        self.licence = Gate(policy or TablePolicy(), self.settings)


class Shelf:
    """A text source with one text, that counts how often it is asked."""

    rank = 1

    def __init__(self, *statements: Statement) -> None:
        self.statements = list(statements)
        self.asked = 0

    async def find(self, ctx: Any, article: Article) -> FullText | Missing:
        self.asked += 1
        assert article.access is not None
        access = msgspec.structs.replace(article.access, statements=self.statements)
        return FullText(ids=article.ids, access=access)


def article(**facts: Any) -> Article:
    return Article(ids={"pmid": "99900001"}, access=Access(in_archive=True, licence="", source="t", **facts))


@pytest.mark.parametrize(
    ("facts", "statement", "state", "asked"),
    [
        ({"open": True}, BY, "granted", 1),
        ({"open": False}, BY, "restricted", 0),
        ({"open": False, "manuscript": True}, BY, "granted", 1),
        ({"open": False, "manuscript": True}, NOTICE, "restricted", 1),
        ({"open": True, "manuscript": True}, NOTICE, "restricted", 1),
    ],
)
async def test_a_text_goes_out_only_where_read_is_yes(
    tmp_path: Path, facts: dict[str, bool], statement: Statement, state: str, asked: int
) -> None:
    """A manuscript is asked for although its record is not open: only the text tells whether it has a licence."""
    shelf = Shelf(statement)
    answer = await find_text([shelf], Bare(tmp_path), article(**facts))  # type: ignore[list-item, arg-type]
    assert (answer.state, shelf.asked) == (state, asked)
    assert (answer.text is not None) == (state == "granted")
    assert answer.decision.decided_by
