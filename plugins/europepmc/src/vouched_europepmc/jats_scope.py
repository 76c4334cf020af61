"""Open sections: where blocks go while an article is read, and the ids they get."""

from typing import TYPE_CHECKING

import msgspec
from vouched.api import Block, Section

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["Drafts", "Scope"]


class _Draft(msgspec.Struct):
    id: str
    path: list[str]
    kind: str
    blocks: list[Block]


class Drafts:
    """The sections begun so far, in reading order, and the ids given out."""

    def __init__(self) -> None:
        self.found: list[_Draft] = []
        self._used: dict[str, int] = {}

    def unique(self, name: str) -> str:
        """`name`, or `name-2` … where it is taken: ids of sub-articles repeat those of the article."""
        used, result = self._used, name
        while result in used:
            used[name] += 1
            result = f"{name}-{used[name]}"
        used[result] = 1
        return result

    def sections(self) -> list[Section]:
        """Them as they go out."""
        return [Section(draft.id, draft.path, draft.blocks, draft.kind) for draft in self.found]  # type: ignore[arg-type]


class Scope:
    """An open section. After a nested section its further blocks open a continuation, `id-2`.

    Attributes:
        path, kind: of its entries; block: kind of a plain paragraph in it.
    """

    def __init__(self, drafts: Drafts, name: str, path: list[str], kind: str, block: str = "p") -> None:
        self.drafts = drafts
        self.id = name
        self.path = path
        self.kind = kind
        self.block = block
        self._blocks = self._children = self._parts = 0
        self._draft: _Draft | None = None

    def open(self) -> _Draft:
        """The entry that blocks go to now, begun where there is none."""
        found = self.drafts.found
        if self._draft is None or found[-1] is not self._draft:
            self._parts += 1
            name = self.id if self._parts == 1 else self.drafts.unique(f"{self.id}-{self._parts}")
            self._draft = _Draft(name, self.path, self.kind, [])
            found.append(self._draft)
        return self._draft

    def add(self, kind: str, text: str, node: "_Element | None" = None) -> None:
        """Add a block with the element's own id or one made from its place; nothing for an empty text."""
        if text:
            draft = self.open()
            self._blocks += 1
            own = node.get("id") if node is not None else None
            draft.blocks.append(Block(self.drafts.unique(own or f"{self.id}.{self._blocks}"), text, kind))

    def inside(self, node: "_Element", title: str, block: str = "", *, empty: bool = True) -> "Scope":
        """A section within this one. A titled one has an entry even without a block, unless `empty` is off."""
        self._children += 1
        name = self.drafts.unique(node.get("id") or f"{self.id}.s{self._children}")
        inner = Scope(self.drafts, name, [*self.path, title] if title else self.path, self.kind, block or self.block)
        if title and empty:
            inner.open()
        return inner
