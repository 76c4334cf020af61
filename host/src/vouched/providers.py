"""Which plugin provides a service of the host: transports, the session store, the licence policy."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from vouched.defects import is_own, log_defect
from vouched.faults import ProviderFailed
from vouched.journal import SessionStore
from vouched.plugins import Plugin
from vouched.policy import LicencePolicy
from vouched.remote import Transport

__all__ = ["PROVIDED", "candidates", "provide", "rivals"]

PROVIDED: Mapping[str, Any] = {
    "provide_transport": Transport,
    "provide_session": SessionStore,
    "provide_licence": LicencePolicy,
}
log = logging.getLogger("vouched.plugins")


def candidates(plugins: Sequence[Plugin], hook: str, chosen: str | None) -> list[Plugin]:
    """Who is asked for a service, in order: the plugin that a setting names, or all, the host's own last.

    Raises:
        ProviderFailed: when the setting names one that is not loaded or does not offer it.
    """
    if not chosen:
        return sorted(plugins, key=lambda plugin: plugin.name == "vouched")
    found = [plugin for plugin in plugins if plugin.name == chosen and (plugin.hook(hook) or chosen == "vouched")]
    if not found:
        raise ProviderFailed(
            f"The settings name {chosen} for {hook}, but no loaded plugin of that name offers it.",
            hint="`vouched plugins` shows what is loaded and why something is not.",
        )
    return found


def provide(plugins: Sequence[Plugin], hook: str, chosen: str | None, **arguments: Any) -> tuple[str, Any]:
    """(plugin name, provided service) of the first plugin that does not give None, the host's own asked last.

    Args:
        chosen: the plugin that a setting names; no other is asked then.

    Raises:
        ProviderFailed: when the plugin that is to provide is not there, raises, or gives something else; it is never
            silently replaced.
    """
    for plugin in candidates(plugins, hook, chosen):
        provided = _asked(plugin, hook, arguments)
        if provided is not None:
            return plugin.name, provided
    return "", None


def _asked(plugin: Plugin, hook: str, arguments: Mapping[str, Any]) -> Any:
    call = plugin.hook(hook)
    if call is None:
        return None
    try:
        provided = call(**arguments)
    except BaseException as error:
        if is_own(error):
            raise
        # What it says may hold an address with a password: that goes to the log of whoever runs the host, no further.
        log_defect(log, arguments["settings"], f"plugin {plugin.name} failed in {hook}", error)
        raise ProviderFailed(f"Plugin {plugin.name} failed in {hook}: {type(error).__name__}.") from error
    if provided is not None and not isinstance(provided, PROVIDED[hook]):
        given, wanted = type(provided).__name__, PROVIDED[hook].__name__
        raise ProviderFailed(f"Plugin {plugin.name} gives {given} in {hook}, which is no {wanted}.")
    return provided


def rivals(plugins: Sequence[Plugin], hook: str) -> list[str]:
    """Third-party plugins that implement a provider hook; two of them need a setting that names one."""
    return [plugin.name for plugin in plugins if plugin.name != "vouched" and plugin.hook(hook)]
