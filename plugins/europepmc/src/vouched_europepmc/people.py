"""Authors as Europe PMC lists them: structured in core records, one string in lite records and lists of citations."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from vouched.api import Author

__all__ = ["read_authors", "split_author_string"]

_INITIALS = re.compile(r"(?:[^\W\d_]\.?-?){1,5}")
_SUFFIX = re.compile(r"(?:Jr|Sr|[1-9](?:st|nd|rd|th)|I{1,3}|IV|VI{0,3})\.?")


def read_authors(record: Mapping[str, Any]) -> list[Author]:
    """The authors in order, groups in their place; from the string where no list is given."""
    listed = (record.get("authorList") or {}).get("author") or []
    found = [author for one in listed if (author := _author(one))]
    return found or split_author_string(str(record.get("authorString") or ""))


def _author(one: Mapping[str, Any]) -> Author | None:
    affiliations = _affiliations(one)
    if one.get("collectiveName"):
        return Author(collective=_text(one["collectiveName"]), affiliations=affiliations)
    family, full = _text(one.get("lastName")), _text(one.get("fullName"))
    if not family and not full:
        return None
    identifier = one.get("authorId") or {}
    initials = _text(one.get("initials"))
    return Author(
        family=family or full,
        given=_text(one.get("firstName")) if family else "",
        initials=initials if family else "",
        suffix=_suffix(full, family, initials) if family else "",
        orcid=_text(identifier.get("value")) if identifier.get("type") == "ORCID" else "",
        affiliations=affiliations,
    )


def _suffix(full: str, family: str, initials: str) -> str:
    """`Jr` of "Golob JF Jr": a suffix stands in the full name only."""
    start = f"{family} {initials}".strip()
    rest = full[len(start) :].strip() if initials and full.startswith(start) else ""
    return rest if _SUFFIX.fullmatch(rest) else ""


def _affiliations(one: Mapping[str, Any]) -> list[str]:
    details: Sequence[Any] = (one.get("authorAffiliationDetailsList") or {}).get("authorAffiliation") or []
    listed = [_text(detail.get("affiliation")) for detail in details]
    return [text for text in listed if text] or [text for text in [_text(one.get("affiliation"))] if text]


def split_author_string(text: str) -> list[Author]:
    """`Liu Q, Golob JF Jr, Example Trial Group.`: an element that does not end in initials is a name as it stands."""
    listed = text.strip()
    listed = listed[:-1] if listed.endswith(".") else listed
    return [_from_string(element) for element in (part.strip() for part in listed.split(", ")) if element]


def _from_string(element: str) -> Author:
    words = element.split()
    suffix = words.pop() if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) and _is_initials(words[-2]) else ""
    if len(words) > 1 and _is_initials(words[-1]):
        return Author(family=" ".join(words[:-1]), initials=words[-1], suffix=suffix)
    return Author(family=element)


def _is_initials(word: str) -> bool:
    return bool(_INITIALS.fullmatch(word)) and word == word.upper()


def _text(value: Any) -> str:
    return " ".join(str(value or "").split())
