"""`vouched tools`, `plugins`, `doctor`, `demo`: what is installed, whether it works, what it does."""

import argparse
import asyncio
import sys
import tempfile
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from vouched import __version__
from vouched import plugins as loading
from vouched.extensions import CheckLine
from vouched.faults import Fault
from vouched.host import Host, package_folder
from vouched.settings import load

__all__ = ["demo", "doctor", "plugins", "tools", "version"]

say = sys.stdout.write


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
    host = Host()
    listed = host.registry.listed(host.settings)
    if options.json:
        rows = [{"name": b.name, "description": b.tool.description, "input_schema": b.input_schema} for b in listed]
        say(msgspec.json.format(msgspec.json.encode(rows), indent=2).decode() + "\n")
        return 0
    width = max((len(bound.name) for bound in listed), default=0)
    for bound in listed:
        first = " ".join(bound.tool.description.split("\n\n")[0].split()).partition(". ")[0].rstrip(".")
        say(f"{bound.name:<{width}}  {textwrap.shorten(first, 110 - width, placeholder='…')}\n")
        if bound.tool.aliases:
            say(f"{'':<{width}}  also called {', '.join(bound.tool.aliases)}\n")
    return 0


def plugins(options: argparse.Namespace) -> int:
    """Every plugin with distribution, version, status, hooks and the reason why it is left out."""
    host = Host()
    if options.json:
        say(msgspec.json.format(msgspec.json.encode(host.reports), indent=2).decode() + "\n")
        return 0
    for report in host.reports:
        say(f"{report.name:<14} {report.status:<9} {report.distribution} {report.version}\n".rstrip(" "))
        if report.hooks:
            say(f"{'':<14} hooks: {', '.join(report.hooks)}\n")
        for text in ([report.reason] if report.reason else []) + report.warnings:
            say(f"{'':<14} {text}\n")
    return 0


def doctor(_: argparse.Namespace) -> int:
    """Plugins, providers, the data folder and the plugins' own checks."""
    host = Host()
    lines = [*_plugin_lines(host), *_provider_lines(host), *_folder_lines(host), *asyncio.run(_checks(host))]
    for line in lines:
        say(f"{'ok  ' if line.ok else 'FAIL'}  {line.text}\n")
    broken = sum(not line.ok for line in lines)
    say(f"{len(lines) - broken} fine, {broken} broken\n")
    return 1 if broken else 0


def _plugin_lines(host: Host) -> list[CheckLine]:
    lines = []
    for report in host.reports:
        if report.status == "disabled":
            continue
        fine = report.status == "loaded"
        lines.append(
            CheckLine(fine, f"plugin {report.name}: {report.status}{' – ' + report.reason if report.reason else ''}")
        )
        lines += [CheckLine(True, f"plugin {report.name}: {warning}") for warning in report.warnings]
    return lines


def _provider_lines(host: Host) -> list[CheckLine]:
    lines = []
    for hook, chosen in (
        ("provide_transport", host.settings.providers.transport),
        ("provide_session", host.settings.providers.session),
        ("provide_licence", host.settings.providers.licence),
    ):
        rivals = loading.rivals(host.plugins, hook)
        if len(rivals) > 1 and not chosen:
            key = hook.removeprefix("provide_")
            lines.append(
                CheckLine(False, f"{' and '.join(rivals)} both offer {hook}; set providers.{key} to one of them")
            )
        elif chosen and chosen not in rivals and chosen != "vouched":
            lines.append(CheckLine(False, f"providers names {chosen} for {hook}, which it does not offer"))
        else:
            lines.append(CheckLine(True, f"{hook}: {chosen or (rivals[0] if rivals else 'vouched')}"))
    return lines


def _folder_lines(host: Host) -> list[CheckLine]:
    try:
        host.settings.data.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=host.settings.data):
            return [CheckLine(True, f"data folder {host.settings.data} can be written")]
    except OSError as error:
        return [CheckLine(False, f"data folder {host.settings.data} cannot be written: {error.strerror}")]


async def _checks(host: Host) -> list[CheckLine]:
    lines: list[CheckLine] = []
    async with host:
        for plugin, check in host.registry.checks:
            try:
                lines += await check.run(host.context(plugin=plugin.name))
            except Fault as fault:
                lines.append(CheckLine(False, f"{check.name}: {fault.message}"))
            except Exception as error:
                lines.append(CheckLine(False, f"{check.name}: {type(error).__name__}: {error}"))
    return lines


def demo(_: argparse.Namespace) -> int:
    """Run the calls of every plugin's `recordings/demo.json`, offline, in a data folder that is thrown away."""
    with tempfile.TemporaryDirectory(prefix="vouched-demo-") as folder:
        return asyncio.run(_demo(Path(folder)))


async def _demo(folder: Path) -> int:
    settings = msgspec.structs.replace(load(), data=folder, offline=True, text="markdown")
    failed = 0
    async with Host(settings) as host:
        steps = _steps(host)
        if not steps:
            say("No installed plugin ships a demo.\n")
            return 1
        for number, step in enumerate(steps, 1):
            say(
                f"\n{'─' * 78}\n{number}. {step.title}\n   vouched call {step.tool} '{msgspec.json.encode(step.arguments).decode()}'\n\n"
            )
            result = await host.call(step.tool, step.arguments)
            say(textwrap.indent(result.text, "   "))
            failed += result.is_error
    say(
        f"\n{'─' * 78}\n{len(steps) - failed} of {len(steps)} calls answered, offline, from the plugins' own recordings of invented records.\n"
    )
    return 1 if failed else 0


def _steps(host: Host) -> Sequence[Step]:
    names = {plugin.name for plugin in host.plugins}
    steps: list[Step] = []
    for plugin in host.plugins:
        folder = package_folder(plugin, "recordings")
        if folder and (folder / "demo.json").is_file():
            steps += msgspec.json.decode((folder / "demo.json").read_bytes(), type=list[Step])
    return sorted((step for step in steps if names >= set(step.needs)), key=lambda step: step.order)
