"""The base of every record that crosses a seam or stands in an answer."""

import msgspec

__all__ = ["Struct"]


class Struct(msgspec.Struct):
    """A typed record; fields become the JSON of an answer. Pass `omit_defaults=True` to leave out what is unknown."""
