"""A process that works on a session store, for the tests that need several or kill one: `MODE FOLDER NAME [COUNT]`."""

import asyncio
import sys
from pathlib import Path

from vouched.article import Article
from vouched.journal import Artifact, Event, Owner, Run, RunChange, SessionStore
from vouched.services.session import open_store
from vouched.settings import Settings


def say(*words: str) -> None:
    sys.stdout.write(" ".join(words) + "\n")
    sys.stdout.flush()


async def one(store: SessionStore, owner: Owner, run_id: str, *, loud: bool = False) -> None:
    """A whole run; `loud` says each step only once it is committed."""
    await store.start_run(owner, Run(run_id=run_id, session_id=owner.session_id, tool="t", status="running"))
    if loud:
        say("started", run_id)
    number = int(run_id.rpartition("-")[2])
    await store.keep_articles(owner, [Article(ids={"pmid": str(99900001 + number)}, title="Invented", source="made")])
    artifact = await store.put_artifact(owner, Artifact(name=f"{run_id}.txt", run_id=run_id), run_id.encode() * 50)
    await store.change_run(owner, run_id, RunChange(status="completed", ids=[f"pmid:{99900001 + number}"], total=1))
    await store.add_event(owner, Event(kind="t", message=artifact.artifact_id, run_id=run_id))
    if loud:
        say("completed", run_id)


async def main(mode: str, folder: str, name: str, count: int) -> None:
    store = open_store(Settings(data=Path(folder)))
    owner = Owner(client=name)
    say("ready")
    if mode == "runs":
        sys.stdin.readline()
        for number in range(count):
            await one(store, owner, f"{name}-{number}")
    elif mode == "forever":
        number = 0
        while True:
            await asyncio.gather(*(one(store, owner, f"{name}-{number + k}", loud=True) for k in range(3)))
            number += 3
    elif mode == "hold":
        await store.start_run(owner, Run(run_id=f"{name}-held", session_id="default", tool="t", status="running"))
        say("held")
        sys.stdin.readline()
    elif mode == "leave":
        # Ends without closing the store, as a program does that knows nothing of it.
        await one(store, owner, f"{name}-0")
        return
    await store.aclose()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]) if len(sys.argv) > 4 else 1))
