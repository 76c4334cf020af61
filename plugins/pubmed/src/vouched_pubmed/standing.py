"""One line that says which of the records in an answer must not be cited without a look at their notices."""

from collections.abc import Iterable

from vouched.api import Context

__all__ = ["NOT_CHECKED", "listed", "warn_of_standing"]

NOT_CHECKED = "not_checked"
SHOWN = 20
_SAID = {
    "retracted": "Retracted",
    "retracted_and_republished": "Retracted and republished",
    "concern": "Of concern",
    "withdrawn_heuristic": "Withdrawn, as the title alone says (withdrawn_heuristic)",
}


def warn_of_standing(ctx: Context, rows: Iterable[tuple[str, str]]) -> None:
    """Warn of rows, (name, status), that are retracted, withdrawn or of concern: `Retracted: 1, 2; of concern: 3`."""
    named: dict[str, list[str]] = {status: [] for status in _SAID}
    for name, status in dict.fromkeys(rows):
        if status in named and name:
            named[status].append(name)
    parts = [f"{_SAID[status]}: {listed(names)}" for status, names in named.items() if names]
    if parts:
        rest = [part[0].lower() + part[1:] for part in parts[1:]]
        ctx.warn("; ".join([parts[0], *rest]) + ".")


def listed(names: list[str]) -> str:
    """The first of them, and how many more."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
