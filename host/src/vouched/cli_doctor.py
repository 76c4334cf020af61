"""`vouched doctor`: plugins, settings, providers, the data folder, and the plugins' own checks of their services."""

import argparse
import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Literal

import msgspec

from vouched import contained, providers
from vouched.configuration import load
from vouched.defects import reason
from vouched.extensions import Check, CheckLine
from vouched.faults import Fault, InternalFault
from vouched.host import Host
from vouched.terminal import columns, only_stderr, say

__all__ = ["doctor"]


class Line(msgspec.Struct, frozen=True):
    """One finding: fine, worth knowing, or broken."""

    mark: Literal["ok", "note", "FAIL"]
    text: str


def doctor(options: argparse.Namespace) -> int:
    """Say what works and what does not; 1 when anything is broken."""
    return asyncio.run(_doctor(offline=options.offline))


async def _doctor(*, offline: bool) -> int:
    counts = {"ok": 0, "note": 0, "FAIL": 0}
    settings = load()
    # A doctor that does not start where `strict` stops everything else could not say why.
    settings = msgspec.structs.replace(settings, strict=False, offline=offline or settings.offline)
    with only_stderr():
        host = Host(settings)
    async with host:
        for line in (*_plugins(host), *_selection(host), *_providers(host), *_folder(host)):
            _print(line, counts)
        async for line in _checks(host):
            _print(line, counts)
    said = [f"{counts['ok']} fine", f"{counts['FAIL']} broken"]
    say(", ".join(said) + (f", {counts['note']} to know" if counts["note"] else "") + "\n")
    return 1 if counts["FAIL"] else 0


def _print(line: Line, counts: dict[str, int]) -> None:
    counts[line.mark] += 1
    say(columns(line.mark, line.text, 4))


def _plugins(host: Host) -> Iterator[Line]:
    for report in host.reports:
        reason = f": {report.reason}" if report.reason else ""
        mark: Literal["ok", "note", "FAIL"] = "FAIL"
        if report.status in ("loaded", "disabled"):
            mark = "ok" if report.status == "loaded" else "note"
        stands = "failed" if report.status == "failed" else f"is {report.status}"
        yield Line(mark, f"plugin {report.name} {stands}{reason}")
        yield from (Line("FAIL", f"plugin {report.name}: {clash}") for clash in report.clashes)
        yield from (Line("note", f"plugin {report.name}: {warning}") for warning in report.warnings)


def _selection(host: Host) -> Iterator[Line]:
    yield from (Line("FAIL", said) for said in host.misfits)
    if not host.registry.listed(host.settings):
        yield Line("FAIL", "no tool is served: VOUCHED_TOOLS matches none")


def _providers(host: Host) -> Iterator[Line]:
    for hook in providers.PROVIDED:
        service = hook.removeprefix("provide_")
        chosen = getattr(host.settings.providers, service)
        rivals = providers.rivals(host.plugins, hook)
        if len(rivals) > 1 and not chosen:
            named = " and ".join(rivals)
            yield Line("FAIL", f"{named} both offer {hook}; set providers.{service} to one of them")
            continue
        try:
            yield Line("ok", f"{service} is provided by {_provider(host, hook, chosen)}")
        except Fault as fault:
            yield Line("FAIL", f"{service}: {fault.message}")


def _provider(host: Host, hook: str, chosen: str | None) -> str:
    """Who provides a service, by asking for it."""
    if hook == "provide_transport":
        # Asked source by source, on first use; here only whether the chosen one is there at all.
        found = [] if chosen == "vouched" else providers.candidates(host.plugins, hook, chosen)
        return ", ".join(plugin.name for plugin in found if plugin.hook(hook)) or "vouched"
    name, _ = providers.provide(host.plugins, hook, chosen, settings=host.settings)
    return name or "nobody"


def _folder(host: Host) -> Iterator[Line]:
    folder = host.settings.data
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            yield Line("ok", f"data folder {folder} can be written")
    except OSError as error:
        said = f"data folder {folder} cannot be written: {error.strerror}. Nothing is kept: no runs, articles or files"
        yield Line("FAIL", f"{said}, no cache; the pace is slower, since other processes are not known")


async def _checks(host: Host) -> AsyncIterator[Line]:
    for plugin, check in host.registry.checks:
        place = f"{plugin.name}, {check.name}"
        try:
            lines = await _lines(host, plugin.name, check)
        except Fault as fault:
            yield Line("FAIL", f"{place}: {fault.message}")
        except contained.Late:
            yield Line("FAIL", f"{place}: did not answer in {host.settings.limits.deadline:g} seconds")
        except contained.Raised as raised:
            yield Line("FAIL", f"{place}: {host.redactor.text(reason(raised.error))}")
        else:
            for line in lines:
                yield Line("ok" if line.ok else "FAIL", line.text)


async def _lines(host: Host, plugin: str, check: Check) -> list[CheckLine]:
    """What a check finds.

    Raises:
        Fault: what it raises, or `InternalFault` where it gives something else than lines.
        contained.Late, contained.Raised: when it does not end, or fails.
    """

    async def work() -> list[CheckLine]:
        given = await check.run(host.context(plugin=plugin))
        if isinstance(given, str) or not isinstance(given, Sequence):
            raise InternalFault(f"gave {type(given).__name__}, not a list of CheckLine")
        for line in given:
            if not isinstance(line, CheckLine) or not isinstance(line.text, str):
                kind = type(line.text if isinstance(line, CheckLine) else line).__name__
                raise InternalFault(f"gave {kind} in its list of CheckLine")
        return list(given)

    try:
        return await contained.run(f"the check {check.name} of {plugin}", work(), host.settings.limits.deadline)
    except contained.Raised as raised:
        if isinstance(raised.error, Fault):
            raise raised.error from None
        raise
