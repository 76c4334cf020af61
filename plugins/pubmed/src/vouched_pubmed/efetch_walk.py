"""The way down a record that costs least."""

from collections.abc import Callable
from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["children"]

# `element[:]`. lxml lists the children of an element in half the time in which it makes an iterator over them.
children: Callable[["_Element"], list["_Element"]] = itemgetter(slice(None))
