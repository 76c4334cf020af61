"""Settings that fit nothing: a name that no plugin has does nothing at all, and nobody would hear of it."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vouched.plugins import Report
    from vouched.settings import Settings

__all__ = ["misfits"]


def misfits(settings: "Settings", reports: Sequence["Report"], sources: Collection[str]) -> list[str]:
    """One sentence for each name in the settings that belongs to nothing.

    Args:
        sources: names of all declared sources. Where a plugin is left out its sources are not known, so that a table
            for one of them may well be right.
    """
    known = {report.name for report in reports}
    said = [f"the settings hold {name}, which is no setting of this server" for name in settings.unknown]
    named = {*(settings.plugins or ()), *settings.without}
    for name in sorted(named - known):
        said.append(f"the settings name a plugin {name}, which is not installed (installed: {_list(known)})")
    for name in sorted(set(settings.plugin) - known):
        said.append(f"the settings have a table [plugin.{name}], but no such plugin is installed")
    if all(report.status == "loaded" for report in reports):
        for name in sorted(set(settings.sources) - set(sources)):
            said.append(
                f"the settings have a source {name} ([sources.{name}] or VOUCHED_{name.upper()}_URL), which no plugin "
                f"declares (declared: {_list(sources)})"
            )
    return said


def _list(names: Collection[str]) -> str:
    return ", ".join(sorted(names)) or "none"
