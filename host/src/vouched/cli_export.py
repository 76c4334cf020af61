"""`vouched export`: the record of a run, or a kept file, to standard output or into a file."""

import argparse
import asyncio
import sys
from pathlib import Path

import msgspec

from vouched.cli_runs import OWNER
from vouched.configuration import load
from vouched.faults import InvalidArgument, NotFound
from vouched.host import Host
from vouched.journal import Artifact, Owner, Run, SessionStore
from vouched.names import ID, safe_name
from vouched.terminal import say
from vouched.text import clean

__all__ = ["export", "find_run"]

READ = "vouched call vouched_read_session"
RUNS = f"""`{READ} '{{"action": "search_runs"}}'` lists the runs of the command line"""
FILES = f"""`{READ} '{{"action": "list_artifacts"}}'` its kept files"""
RUN, FILE, LAST = "vouched://run/", "vouched://artifact/", "last"


class Exported(msgspec.Struct, frozen=True):
    """What is written, and the name of a file for it."""

    content: bytes
    name: str


def export(options: argparse.Namespace) -> int:
    """A run as JSON or as a PRISMA-S search record; a kept file as it is."""
    target = _target(options.out) if options.out else None
    exported = asyncio.run(_exported(options.id.strip(), prisma=options.prisma))
    if target is None:
        _print(exported)
        return 0
    place = target / exported.name if target.is_dir() else target
    try:
        with place.open("xb") as file:
            file.write(exported.content)
    except FileExistsError:
        raise _there_already(place) from None
    sys.stderr.write(f"Wrote {len(exported.content):,} bytes to {place}\n")
    return 0


def _target(out: str) -> Path:
    target = Path(out).expanduser()
    if target.exists() and not target.is_dir():
        raise _there_already(target)
    return target


def _there_already(place: Path) -> InvalidArgument:
    return InvalidArgument(f"{place} is there already.", path="out", hint="Name another file with --out.")


async def _exported(name: str, *, prisma: bool) -> Exported:
    async with Host(load()) as host:
        found = await _found(host.store, OWNER, name)
        if isinstance(found, Artifact):
            if prisma:
                raise InvalidArgument("This is a kept file: only runs have a search record.", path="prisma")
            return Exported(await host.store.read_artifact(OWNER, found.artifact_id), safe_name(found.name))
        if prisma:
            from vouched.prisma import prisma as record

            return Exported(record(found, host.sources).encode(), f"{found.run_id}.md")
    return Exported(msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n", f"{found.run_id}.json")


async def _found(store: SessionStore, owner: Owner, name: str) -> Run | Artifact:
    """The run or the kept file of that name: an id, `run:ID`, `artifact:ID`, an address, or `last`."""
    if name.startswith((FILE, "artifact:")):
        return await _artifact(store, owner, name)
    try:
        return await find_run(store, owner, name)
    except NotFound:
        if name.lower() == LAST or not ID.fullmatch(name):
            raise
    try:
        return await store.artifact(owner, name)
    except NotFound:
        raise NotFound(
            "There is no such run and no such kept file of yours.", path="id", hint=f"{RUNS}, {FILES}."
        ) from None


async def _artifact(store: SessionStore, owner: Owner, name: str) -> Artifact:
    session, _, id_ = name.removeprefix(FILE).rpartition("/")
    try:
        artifact = await store.artifact(owner, id_.removeprefix("artifact:"))
    except (NotFound, InvalidArgument):
        artifact = None
    if artifact is None or (session and artifact.session_id != session):
        raise NotFound(
            "There is no such kept file of yours.", path="id", hint=f"{FILES.replace(' its', ' lists its')}."
        )
    return artifact


async def find_run(store: SessionStore, owner: Owner, name: str) -> Run:
    """A run by id, `run:ID`, address, or `last`: the last of the command line that found something.

    Raises:
        NotFound: with the command that lists the runs.
    """
    if name.lower() == LAST:
        run = await store.last(owner)
        if run is not None:
            return run
        raise NotFound("No run of the command line found something yet.", path="run_id", hint=f"{RUNS}.")
    try:
        return await store.run(owner, name.removeprefix(RUN).removesuffix("/prisma").removeprefix("run:"))
    except (NotFound, InvalidArgument):
        raise NotFound("There is no such run of yours.", path="run_id", hint=f"{RUNS}.") from None


def _print(exported: Exported) -> None:
    """To a file or a pipe byte for byte; to a terminal as text that cannot act on it."""
    if sys.stdout.isatty():
        try:
            say(clean(exported.content.decode()))
        except UnicodeDecodeError:
            raise InvalidArgument(
                "This file is no text, so a terminal cannot show it.",
                path="out",
                hint=f"Write it to a file: --out {exported.name}",
            ) from None
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(exported.content)
