"""Citation formatting for Vouched: styles over the neutral record, exports, CSL, and bibliographies read back."""

from collections.abc import Iterable

from vouched.api import Style, Tool, hookimpl

# No module of this package has a hook's name: importing it would put the module in the hook function's place.
__all__ = ["styles", "tools"]


@hookimpl
def styles() -> Iterable[Style]:
    from vouched_citeformat.catalogue import STYLES

    return STYLES


@hookimpl
def tools() -> Iterable[Tool]:
    from vouched_citeformat.format_citations import format_citations
    from vouched_citeformat.parse_bibliography import parse_bibliography

    return [format_citations, parse_bibliography]
