"""`vouched tools`, `plugins`, `demo`: what is installed, and what it does."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from vouched import __version__
from vouched import plugins as loading
from vouched.configuration import load
from vouched.host import Host, package_folder
from vouched.terminal import columns, only_stderr, say, shown

__all__ = ["demo", "plugins", "tools", "version"]

RULE = "─" * 78


class Step(msgspec.Struct, forbid_unknown_fields=True):
    """One call of a plugin's `recordings/demo.json`: where it stands among all plugins' steps, its heading, the call.

    `needs` names plugins without which the step is left out.
    """

    order: int
    title: str
    tool: str
    arguments: dict[str, Any]
    needs: list[str] = []


def version(_: argparse.Namespace) -> int:
    """Versions of host and plugins."""
    say(f"vouched {__version__}\n")
    for entry in loading.find():
        say(f"{entry.dist.name} {entry.dist.version}\n" if entry.dist else f"{entry.name}\n")
    return 0


def tools(options: argparse.Namespace) -> int:
    """Name and first sentence of every tool, or all as JSON."""
    with only_stderr():
        host = Host()
    listed = host.registry.listed(host.settings)
    if options.json:
        made = host.registry.published(host.settings)
        rows = [{"name": b.name, "description": b.description, "input_schema": b.input_schema} for b in made]
        say(msgspec.json.format(msgspec.json.encode(rows), indent=2).decode() + "\n")
        return 0
    width = max((len(bound.name) for bound in listed), default=0)
    for bound in listed:
        say(columns(bound.name, _first_sentence(bound.description), width))
        aliases = [alias for alias in bound.tool.aliases if host.registry.aliases.get(alias) is bound]
        if aliases:
            say(columns("", f"also called {', '.join(aliases)}", width))
    if not listed:
        say("No tool is served: VOUCHED_TOOLS matches none.\n")
    return 0


def _first_sentence(description: str) -> str:
    sentence, end, _ = " ".join(description.split("\n\n")[0].split()).partition(". ")
    return sentence + end.rstrip()


def plugins(options: argparse.Namespace) -> int:
    """Every plugin with distribution, version, status, hooks and the reason why it is left out."""
    with only_stderr():
        host = Host()
    if options.json:
        say(msgspec.json.format(msgspec.json.encode(host.reports), indent=2).decode() + "\n")
        return 0
    width = max(len(report.name) for report in host.reports)
    for report in host.reports:
        say(f"{report.name:<{width}}  {report.status:<8}  {report.distribution} {report.version}".rstrip() + "\n")
        if report.hooks:
            say(columns("", f"hooks: {', '.join(report.hooks)}", width))
        for text in [*([report.reason] if report.reason else []), *report.clashes, *report.warnings]:
            say(columns("", text, width))
    return 0


def demo(_: argparse.Namespace) -> int:
    """Run the calls of every plugin's `recordings/demo.json`, offline, in a data folder that is thrown away."""
    import asyncio
    import tempfile

    with tempfile.TemporaryDirectory(prefix="vouched-demo-") as folder:
        return asyncio.run(_demo(Path(folder)))


async def _demo(folder: Path) -> int:
    import textwrap

    settings = msgspec.structs.replace(load(), data=folder, offline=True, text="markdown")
    failed = 0
    async with Host(settings) as host:
        steps = _steps(host)
        if not steps:
            say("No installed plugin ships a demo.\n")
            return 1
        for number, step in enumerate(steps, 1):
            arguments = msgspec.json.encode(step.arguments).decode()
            say(f"\n{RULE}\n{number}. {step.title}\n   vouched call {step.tool} '{arguments}'\n\n")
            result = await host.call(step.tool, step.arguments)
            say(textwrap.indent(shown(result.text), "   "))
            failed += result.is_error
    answered = f"{len(steps) - failed} of {len(steps)} calls answered"
    say(f"\n{RULE}\n{answered}, offline, from the plugins' own recordings of invented records.\n")
    return 1 if failed else 0


def _steps(host: Host) -> Sequence[Step]:
    names = {plugin.name for plugin in host.plugins}
    steps: list[Step] = []
    for plugin in host.plugins:
        folder = package_folder(plugin, "recordings")
        if folder and (folder / "demo.json").is_file():
            steps += msgspec.json.decode((folder / "demo.json").read_bytes(), type=list[Step])
    return sorted((step for step in steps if names >= set(step.needs)), key=lambda step: step.order)
