"""Settings that fit nothing: a name that no plugin has, a key that is none. Nobody would hear of it otherwise."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vouched.plugins import Report
    from vouched.remote import Source
    from vouched.settings import Settings

__all__ = ["misfits"]

ADDRESS = re.compile(r"[^\s@]+@[^\s@.]+(\.[^\s@.]+)+")


def misfits(settings: "Settings", reports: Sequence["Report"], sources: "Mapping[str, Source]") -> list[str]:
    """One sentence for each name in the settings that belongs to nothing, and each value that cannot be right.

    Args:
        sources: all declared sources by name. Where a plugin is left out its sources are not known, so that a table
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
    return said + _unfit(settings, sources)


def _unfit(settings: "Settings", sources: "Mapping[str, Source]") -> list[str]:
    """Keys and a contact address that no service can take. Never the value itself."""
    said = []
    for name in sorted({source.key_env for source in sources.values() if source.key_env}):
        if re.search(r"[^!-~]", settings.secrets.get(name) or ""):
            said.append(f"{name} holds a space, a line break or another character that stands in no key")
    if settings.email and not ADDRESS.fullmatch(settings.email):
        said.append("NCBI_EMAIL (or `email` in the settings) is no e-mail address, so no service can write to it")
    return said


def _list(names: Collection[str]) -> str:
    return ", ".join(sorted(names)) or "none"
