"""The host's own plugin, named `vouched`: the default providers, `read_session`, and the host's resources."""

from collections.abc import Iterable

from vouched.extensions import Resource
from vouched.hookspecs import hookimpl
from vouched.journal import SessionStore
from vouched.policy import LicencePolicy
from vouched.settings import Settings
from vouched.tooling import Tool

__all__: list[str] = []


@hookimpl
def tools() -> Iterable[Tool]:
    """`vouched_read_session`."""
    from vouched.builtin_session import read_session

    return [read_session]


@hookimpl
def resources() -> Iterable[Resource]:
    """`vouched://artifact/…`, `vouched://run/…`; the status resource needs the host itself and comes from there."""
    from vouched.builtin_session import resources as session_resources

    return session_resources()


@hookimpl
def provide_session(settings: Settings) -> SessionStore:
    """SQLite under the data folder."""
    from vouched.services.session import open_store

    return open_store(settings)


@hookimpl
def provide_licence(settings: Settings) -> LicencePolicy:
    """The table of `vouched.services.licence_table`."""
    from vouched.services.licence import TablePolicy

    return TablePolicy(settings)
