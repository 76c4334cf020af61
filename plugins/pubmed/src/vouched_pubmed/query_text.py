"""A query as it is sent: what cannot be seen is taken out of it, so that what is shown is what is sent."""

import unicodedata

from vouched.api import Context

__all__ = ["plain_query"]

_BREAKS = frozenset("\t\n\r\x0b\x0c\x85\u2028\u2029")


def plain_query(ctx: Context, query: str, *, lines: bool = False) -> str:
    """The query without control and format characters (zero-width, soft hyphen, marks of direction); says so where it
    had any. Tabs and line breaks become blanks; `lines` keeps line breaks, for a text of several queries."""
    if query.isascii() and query.isprintable():
        return query
    if lines:
        kept = [_visible(line) for line in query.splitlines()]
        text, gone = "\n".join(line for line, _ in kept), [name for _, names in kept for name in names]
    else:
        text, gone = _visible(query)
    if gone:
        named = ", ".join(dict.fromkeys(gone))
        ctx.warn(f"Characters that cannot be seen were taken out of what is searched: {named}.")
    return text


def _visible(text: str) -> tuple[str, list[str]]:
    """The text, and the code points that were taken out."""
    gone = [f"U+{ord(sign):04X}" for sign in text if _hidden(sign)]
    return "".join(" " if sign in _BREAKS else sign for sign in text if not _hidden(sign)), gone


def _hidden(sign: str) -> bool:
    return sign not in _BREAKS and unicodedata.category(sign) in ("Cc", "Cf", "Cs")
