"""What the standing of papers says of a page of metrics, and of the summary that includes them."""

from collections.abc import Iterable, Sequence

import msgspec
from vouched.api import Context, standing_line

from vouched_icite.get_citation_metrics import Row, Summary

__all__ = ["RETRACTED", "known", "warn_standing", "with_standing"]

RETRACTED = ("retracted", "retracted_and_republished")


def known(statuses: Iterable[str]) -> list[str]:
    """Those of papers that somebody was asked about and answered."""
    return [status for status in statuses if status != "not_checked"]


def with_standing(summary: Summary, rows: Sequence[Row]) -> Summary:
    """The summary with what is known of the standing of its papers: `rows` are those that were asked about."""
    statuses = known(row.status for row in rows)
    if not statuses:
        return summary
    return msgspec.structs.replace(
        summary,
        standing_checked=len(statuses),
        retracted=sum(status in RETRACTED for status in statuses),
        of_concern=statuses.count("concern"),
    )


def warn_standing(ctx: Context, rows: Sequence[Row], summary: Summary) -> None:
    """Name the retracted papers of a page, and say that the figures of the summary count them and papers that nobody
    was asked about."""
    if line := standing_line({f"pmid:{row.pmid}": row.status for row in rows}):
        ctx.warn(line)
    counted = {"retracted": summary.retracted, "of concern": summary.of_concern}
    said = " and ".join(f"{count} {name}" for name, count in counted.items() if count)
    unasked = summary.indexed - summary.standing_checked
    if said:
        rest = f"; the standing of {unasked} more was not asked on this page" if unasked else ""
        ctx.warn(f"Included in the summary's totals and averages: {said}{rest}.")
    elif unasked and summary.standing_checked:
        ctx.warn(
            f"Of the {summary.indexed} papers in the summary's totals and averages, the standing of {unasked} was not "
            "asked on this page; none of the others is retracted or of concern."
        )
