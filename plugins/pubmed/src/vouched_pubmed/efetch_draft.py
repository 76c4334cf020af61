"""A record while it is read, and the readers that most elements need: `(element, draft) -> None`."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from vouched.api import Date

from vouched_pubmed.efetch_dates import is_placeholder, read_date
from vouched_pubmed.efetch_walk import children
from vouched_pubmed.markup import plain

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["Draft", "Reader", "append", "dated", "each", "extend", "into", "labelled", "recorded"]


class Draft:
    """A record while it is read."""

    __slots__ = ("dates", "fields", "first_affiliation", "pages", "pairs", "pmid")

    def __init__(self) -> None:
        self.fields: dict[str, Any] = {}
        self.pmid = ""
        self.pairs: list[tuple[str, str]] = []
        self.pages = ["", "", ""]
        self.dates: dict[str, str] = {}
        self.first_affiliation = ""

    def extend(self, name: str, values: list[Any]) -> None:
        """Append to a list field that several elements feed."""
        held = self.fields.get(name)
        if held is None:
            self.fields[name] = values
        else:
            held.extend(values)

    def set_date(self, name: str, date: Date) -> None:
        """A date field, unless it is a placeholder, which is only noted."""
        if is_placeholder(date):
            self.dates[f"placeholder {name}"] = date.iso()
        else:
            self.fields.setdefault(name, date)


Reader = Callable[["_Element", Draft], None]


def each(node: "_Element", draft: Draft, readers: dict[str, Reader]) -> None:
    """Hand every child to the reader of its name; unknown elements are passed by."""
    for child in children(node):
        reader = readers.get(child.tag)
        if reader is not None:
            reader(child, draft)


def into(name: str) -> Reader:
    """Puts the text of the element into a field."""

    def read(node: "_Element", draft: Draft) -> None:
        draft.fields[name] = plain(node)

    return read


def append(name: str, function: Callable[["_Element"], Any]) -> Reader:
    """Appends what `function` makes of the element to a list field."""

    def read(node: "_Element", draft: Draft) -> None:
        draft.extend(name, [function(node)])

    return read


def extend(name: str, function: Callable[["_Element"], list[Any]]) -> Reader:
    """Appends the list that `function` makes of the element."""

    def read(node: "_Element", draft: Draft) -> None:
        draft.extend(name, function(node))

    return read


def labelled(label: str) -> Reader:
    """Puts what has no field of its own among the general notes, named."""

    def read(node: "_Element", draft: Draft) -> None:
        draft.extend("general_notes", [f"{label}: {plain(node)}"])

    return read


def recorded(name: str) -> Reader:
    """Keeps a date of the record itself (not of the article), as it is written."""

    def read(node: "_Element", draft: Draft) -> None:
        draft.dates[name] = "-".join([child.text or "" for child in children(node)])

    return read


def dated(name: str) -> Reader:
    """Puts a date into a field."""

    def read(node: "_Element", draft: Draft) -> None:
        draft.set_date(name, read_date(node))

    return read
