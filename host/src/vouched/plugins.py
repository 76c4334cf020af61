"""Find, select, load, isolate and report plugins.

Each plugin gets a pluggy manager of its own, so that one that misspells a hook or raises is reported and left out while
the rest works. Selection comes before import: a plugin that is switched off is never imported.
"""

import contextlib
import inspect
import io
import logging
import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

import msgspec
import pluggy

from vouched import hookspecs
from vouched.defects import interrupts, is_own, place, reason
from vouched.faults import ProviderFailed
from vouched.settings import Settings

__all__ = ["Plugin", "Report", "announce", "contributions", "find", "load"]

NAME = re.compile(r"[a-z][a-z0-9]*")
SLOW_SECONDS = 0.2
log = logging.getLogger("vouched.plugins")


class Report(msgspec.Struct, omit_defaults=True):
    """What became of one plugin: shown by `vouched plugins`.

    Attributes:
        warnings: worth knowing; clashes: contributions that were dropped because other plugins claim their names.
    """

    name: str
    distribution: str = ""
    version: str = ""
    status: Literal["loaded", "failed", "disabled", "refused"] = "loaded"
    hooks: list[str] = []
    reason: str = ""
    warnings: list[str] = []
    clashes: list[str] = []
    seconds: float = 0.0

    def fail(self, reason: str) -> None:
        """Mark as failed, for the first reason that was found."""
        if self.status != "failed":
            self.status, self.reason = "failed", reason


class Plugin:
    """A loaded plugin: its report and its hooks."""

    def __init__(self, report: Report, module: Any, manager: pluggy.PluginManager) -> None:
        self.report = report
        self.module = module
        self._manager = manager

    @property
    def name(self) -> str:
        return self.report.name

    def place(self, hook: str) -> str:
        """File and line of the plugin's implementation of `hook`."""
        implementations = getattr(self._manager.hook, hook).get_hookimpls()
        return place(implementations[0].function) if implementations else ""

    def hook(self, name: str) -> Callable[..., Any] | None:
        """The plugin's implementation of hook `name`, or None."""
        implementations = getattr(self._manager.hook, name).get_hookimpls()
        if not implementations:
            return None
        implementation = implementations[0]

        def call(**arguments: Any) -> Any:
            return implementation.function(*(arguments[key] for key in implementation.argnames))

        return call


def find() -> list[metadata.EntryPoint]:
    """The installed plugins' entry points, sorted by name."""
    return sorted(
        metadata.entry_points(group="vouched"), key=lambda entry: (entry.name, str(entry.dist and entry.dist.name))
    )


def _selected(name: str, settings: Settings) -> str:
    """ "" where a plugin is to be loaded, else why not."""
    if name in settings.without:
        return "VOUCHED_WITHOUT names it"
    if settings.plugins is not None and name not in settings.plugins:
        return "VOUCHED_PLUGINS does not name it"
    return ""


def load(
    settings: Settings, entries: Iterable[metadata.EntryPoint], given: Mapping[str, Any]
) -> tuple[list[Plugin], list[Report]]:
    """Load what is selected; `given` are plugins by name that are there already (the host's own, tests')."""
    plugins: list[Plugin] = []
    reports: list[Report] = []
    entries = list(entries)
    claimed: dict[str, list[str]] = {name: ["vouched"] for name in given}
    for entry in entries:
        claimed.setdefault(entry.name, []).append(entry.dist.name if entry.dist else "an unknown distribution")
    for entry in entries:
        report = Report(entry.name, entry.dist.name if entry.dist else "", entry.dist.version if entry.dist else "")
        reports.append(report)
        if reason := _selected(entry.name, settings):
            report.status, report.reason = "disabled", reason
        elif len(claimed[entry.name]) > 1:
            report.status, report.reason = "refused", _claimed(claimed[entry.name])
        elif not NAME.fullmatch(entry.name) or entry.name == "vouched":
            report.status, report.reason = "refused", "a plugin's name is [a-z][a-z0-9]*, and not vouched"
        elif plugin := _attempt(report, entry.load):
            plugins.append(plugin)
    for name, module in given.items():
        report = Report(name, "vouched", metadata.version("vouched"))
        reports.append(report)
        if plugin := _attempt(report, lambda module=module: module):  # type: ignore[misc]
            plugins.append(plugin)
    return plugins, reports


def _claimed(distributions: Sequence[str]) -> str:
    return f"the distributions {' and '.join(sorted(distributions))} claim this name; uninstall all but one of them"


def announce(settings: Settings, reports: Sequence[Report]) -> None:
    """Say which plugins are left out, once all have been asked.

    Raises:
        ProviderFailed: with `strict`, for the first of them.
    """
    for report in reports:
        if report.status in ("failed", "refused"):
            log.error("plugin %s is left out: %s", report.name, report.reason)
            if settings.strict:
                raise ProviderFailed(
                    f"Plugin {report.name} cannot be used: {report.reason}.", hint="VOUCHED_STRICT is set."
                )
        for clash in report.clashes:
            log.warning("plugin %s: %s", report.name, clash)


def _attempt(report: Report, get: Callable[[], Any]) -> Plugin | None:
    manager = pluggy.PluginManager("vouched")
    manager.add_hookspecs(hookspecs)
    started = time.perf_counter()
    printed = io.StringIO()
    try:
        # Whatever a plugin prints while it is imported must not reach stdout: there the protocol runs.
        with contextlib.redirect_stdout(printed), interrupts():
            module = get()
        _refuse_hidden_hooks(module)
        manager.register(module, report.name)
        manager.check_pending()
        _refuse_wrappers(manager)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and is_own(error):
            raise
        report.fail(reason(error))
        return None
    finally:
        report.seconds = time.perf_counter() - started
        if printed.getvalue():
            report.warnings.append("prints to stdout while it is imported")
            sys.stderr.write(printed.getvalue())
    if report.seconds > SLOW_SECONDS:
        report.warnings.append(f"slow import: {report.seconds * 1000:.0f} ms")
    report.hooks = [
        name for name in (*hookspecs.CONTRIBUTIONS, *hookspecs.PROVIDERS) if getattr(manager.hook, name).get_hookimpls()
    ]
    return Plugin(report, module, manager)


def _refuse_hidden_hooks(module: Any) -> None:
    """A submodule named like a hook takes the hook function's place in the package once it is imported.

    Whether the hook is still there then depends on what was imported before, so that the same plugin would work in one
    process and lose its tools in the next.
    """
    for folder in map(Path, getattr(module, "__path__", ())):
        for name in (*hookspecs.CONTRIBUTIONS, *hookspecs.PROVIDERS):
            file = next((f for f in (folder / f"{name}.py", folder / name / "__init__.py") if f.is_file()), None)
            # Imported before the function got its name (`from package.tools import tools`), it takes no place any more.
            kept = callable(getattr(module, name, None)) and f"{module.__name__}.{name}" in sys.modules
            if file and not kept:
                place = file.relative_to(folder.parent).as_posix()
                raise ImportError(f"{place} hides the hook {name}() of its package once it is imported; rename it")


def _refuse_wrappers(manager: pluggy.PluginManager) -> None:
    for name in (*hookspecs.CONTRIBUTIONS, *hookspecs.PROVIDERS):
        for implementation in getattr(manager.hook, name).get_hookimpls():
            if implementation.wrapper or implementation.hookwrapper:
                raise TypeError(f"hook {name} is a wrapper; wrappers are refused")


def contributions(plugin: Plugin, hook: str, kind: type | tuple[type, ...]) -> list[Any]:
    """What a plugin contributes to `hook`; a wrong kind raises `TypeError` that names the hook."""
    call = plugin.hook(hook)
    if call is None:
        return []
    with contextlib.redirect_stdout(sys.stderr), interrupts():
        given = call()
        where = plugin.place(hook)
        if inspect.iscoroutine(given):
            given.close()
            raise TypeError(f"hook {hook} is async; hooks are plain functions ({where})")
        if given is not None and not isinstance(given, Iterable):
            raise TypeError(f"hook {hook} gives {type(given).__name__}, not a list ({where})")
        items = list(given or ())
    for item in items:
        if not isinstance(item, kind):
            expected = kind.__name__ if isinstance(kind, type) else " or ".join(k.__name__ for k in kind)
            raise TypeError(f"hook {hook} gives {type(item).__name__} where {expected} is wanted ({where})")
    return items
