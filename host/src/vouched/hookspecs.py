"""The questions that the host asks its plugins. Each is synchronous, cheap and asked once.

Contributions are asked plugin by plugin and collected; a plugin that raises is reported and left out. Providers are
asked until one does not return None; the host's own default is asked last.
"""

from collections.abc import Iterable
from typing import Any, cast

import pluggy

from vouched.extensions import Check, Prompt, Resolver, Resource, Style, TextSource
from vouched.journal import SessionStore
from vouched.policy import LicencePolicy
from vouched.remote import Source, Transport
from vouched.settings import Settings
from vouched.tooling import Tool

__all__ = ["CONTRIBUTIONS", "PROVIDERS", "hookimpl"]

hookspec = pluggy.HookspecMarker("vouched")
hookimpl = pluggy.HookimplMarker("vouched")

CONTRIBUTIONS = ("sources", "tools", "resolvers", "texts", "styles", "resources", "prompts", "checks")
PROVIDERS = ("provide_transport", "provide_session", "provide_licence")


@hookspec
def sources() -> Iterable[Source]:
    """The remote services that this plugin asks."""
    return ()


@hookspec
def tools() -> Iterable[Tool]:
    """The tools of this plugin, made by `@tool`."""
    return ()


@hookspec
def resolvers() -> Iterable[Resolver]:
    """Resolvers: ids to articles."""
    return ()


@hookspec
def texts() -> Iterable[TextSource]:
    """Text sources: article to full text; the host applies the licence gate."""
    return ()


@hookspec
def styles() -> Iterable[Style]:
    """Citation styles."""
    return ()


@hookspec
def resources() -> Iterable[Resource]:
    """Resources that clients can read by address."""
    return ()


@hookspec
def prompts() -> Iterable[Prompt]:
    """Prompts that people can start from."""
    return ()


@hookspec
def checks() -> Iterable[Check]:
    """Lines for `vouched doctor`."""
    return ()


@hookspec
def provide_transport(source: Source, settings: Settings) -> Transport | None:
    """What puts the requests of `source` on the wire; not asked offline."""


@hookspec
def provide_session(settings: Settings) -> SessionStore | None:
    """Where sessions are kept."""


@hookspec
def provide_licence(settings: Settings) -> LicencePolicy | None:
    """The licence policy."""


def specification(name: str) -> Any:
    """The function that specifies hook `name`."""
    return cast("Any", globals()[name])
