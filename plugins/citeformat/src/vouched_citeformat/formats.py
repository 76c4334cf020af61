"""The formats that a caller names -> installed styles, built-in ones first, then other plugins', then CSL."""

from collections.abc import Sequence

from vouched.api import Context, InvalidArgument, Style

from vouched_citeformat.styles import ALIASES

__all__ = ["chosen"]


async def chosen(ctx: Context, names: Sequence[str]) -> tuple[dict[str, Style], dict[str, str]]:
    """(styles by name in the order asked for, styles that could not be had -> why).

    Raises:
        InvalidArgument: when none of the names is a style.
    """
    styles: dict[str, Style] = {}
    failed: dict[str, str] = {}
    for name in _split(names):
        style = _installed(ctx, name)
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
    return styles, {}


def _split(names: Sequence[str]) -> list[str]:
    """Names folded; several in one text, parted by commas or spaces, are several."""
    words = [word for name in names for word in name.replace(",", " ").replace(";", " ").split()]
    return list(dict.fromkeys(word.strip("\"'`").lower().replace("_", "-").removesuffix(".csl") for word in words))


def _installed(ctx: Context, name: str) -> Style | str:
    own = ctx.styles.get(name) or ctx.styles.get(ALIASES.get(name, "")) or ctx.styles.get(name.replace("-", "_"))
    if own is not None:
        return own
    return f"There is no style {name[:60]!r}."
