"""What the tests of stores share: owners, invented articles, finished runs, and ids that are none."""

from vouched.article import Article
from vouched.article_parts import AbstractPart
from vouched.journal import Owner, Run, RunChange, SessionStore
from vouched.status import RecordStatus

__all__ = ["BAD_IDS", "ME", "MY_OTHER", "MY_PHONE", "SOMEBODY", "article", "ran"]

ME = Owner(principal="ada", client="desk", session_id="one")
MY_OTHER = Owner(principal="ada", client="desk", session_id="two")
MY_PHONE = Owner(principal="ada", client="phone", session_id="one")
SOMEBODY = Owner(principal="bob", client="desk", session_id="one")
BAD_IDS = (
    "",
    "../../secret",
    "..\\secret",
    "..%2f",
    "/etc/passwd",
    "C:\\x",
    "a/b",
    "a\x00b",
    "a b",
    "ä",
    "\ud800",
    "١",
    "a\n",
    "x" * 10_000,
)


def article(pmid: int, *, source: str = "invented", full: bool = True, status: str = "none_found") -> Article:
    return Article(
        ids={"pmid": str(pmid), "doi": f"10.99999/{pmid}"},
        title=f"Invented result {pmid}",
        abstract=[AbstractPart("It was invented.")] if full else [],
        abstract_state="present" if full else "not_fetched",
        status=RecordStatus(status),  # type: ignore[arg-type]
        source=source,
    )


async def ran(store: SessionStore, owner: Owner, run_id: str, ids: list[str], **fields: object) -> None:
    """A run from start to end."""
    query = str(fields.pop("query", f"query {run_id}"))
    run = Run(run_id=run_id, session_id=owner.session_id, tool="test_search", status="running", query=query)
    await store.start_run(owner, run)
    change: dict[str, object] = {"status": "completed", "ids": ids, "total": len(ids), **fields}
    await store.change_run(owner, run_id, RunChange(**change))  # type: ignore[arg-type]
