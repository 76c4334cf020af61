"""When a statement holds: the dates of a machine-readable reference, and embargoes told in words."""

import calendar
import datetime
import re

__all__ = ["not_in_force", "without_ended_embargoes"]

# The words for the attributes of `ali:license_ref`; nothing else stands in such a statement.
_DATED = re.compile(r"(?:applies (?:from|until|to) \S+\s*)+")
_APPLIES = re.compile(r"applies (from|until) (\S+)")
_ISO = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:T.*|Z)?")
_COUNTS = {
    "three": 3, "six": 6, "nine": 9, "twelve": 12, "eighteen": 18, "twenty-four": 24, "thirty-six": 36,
    "a": 1, "one": 1, "two": 2,
}  # fmt: skip
# Rounded up, so that no embargo ends too early.
_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}
_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_EMBARGO = re.compile(
    r"\b(?:from|after|following)\s+(?:an?\s+embargo(?:\s+period)?\s+of\s+|an?\s+(?=\d|six|twelve))?"
    rf"(?P<count>\d{{1,3}}|{'|'.join(_COUNTS)})[\s-]+(?P<unit>day|week|month|year)s?(?:\s+(?:embargo|delay))?(?:\s+period)?"
    r"(?:\s+(?:after|from|following|of)\s+(?:(?:its|the|first|original|initial|online|date|of)\s+){0,4}publication(?:\s+date)?)?,?",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"\b(?:in|on|by|from|as\s+of|as\s+from|since|starting|effective(?:\s+from)?)\s+(?:(?P<iso>\d{4}-\d{2}-\d{2})|"
    rf"(?:(?P<day>\d{{1,2}})\s+)?(?:(?P<month>{'|'.join(_MONTHS)})\s+)?(?P<year>\d{{4}}))\b,?",
    re.IGNORECASE,
)


def not_in_force(text: str, today: datetime.date) -> str:
    """Why a dated reference ("applies from 2026-03-25") does not count today, "" where it does."""
    for word, written in _APPLIES.findall(text) if _DATED.fullmatch(text) else ():
        first, last = _span(written)
        if first is None or last is None:
            return f"applies {word} {written}, which is no date,"
        if (word == "from" and last > today) or (word == "until" and first < today):
            return f"applies {word} {written}"
    return ""


def without_ended_embargoes(text: str, today: datetime.date, published: str = "") -> str:
    """A statement with "Now" for the embargoes that are over: "Now it is available" for "After six months it …".

    One whose beginning is not known, for want of the date of publication, stays and makes a licence doubtful.
    """
    began = _span(published)[1]

    def ended(match: "re.Match[str]") -> str:
        count = _COUNTS.get(match["count"].lower()) or int(match["count"])
        days = datetime.timedelta(days=count * _DAYS[match["unit"].lower()])
        return "Now" if began and began + days <= today else match[0]

    def past(match: "re.Match[str]") -> str:
        month = _MONTHS.get((match["month"] or "").lower(), "")
        written = match["iso"] or "-".join(str(part) for part in (match["year"], month, match["day"]) if part)
        date = _span(written)[1]
        return "Now" if date and date <= today else match[0]

    return _SINCE.sub(past, _EMBARGO.sub(ended, text))


def _span(written: str) -> tuple[datetime.date, datetime.date] | tuple[None, None]:
    """First and last day of `2026`, `2026-03` or `2026-03-25`; twice None where it is no date."""
    match = _ISO.fullmatch(written)
    if not match:
        return None, None
    year, month, day = (int(part) if part else 0 for part in match.groups())
    try:
        first = datetime.date(year, month or 1, day or 1)
        last = datetime.date(year, month or 12, day or calendar.monthrange(year, month or 12)[1])
    except ValueError:
        return None, None
    return first, last
