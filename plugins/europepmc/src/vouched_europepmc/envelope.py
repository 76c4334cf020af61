"""Answers of Europe PMC as JSON values, read strictly: what is not a whole answer is a fault."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from vouched.api import UpstreamInvalid

from vouched_europepmc.errors import check_body, check_value

__all__ = ["known_shape", "read_envelope", "read_json"]


def read_json(body: bytes) -> Any:
    """Decode an answer, or raise what it really is (see `errors.check_body`); nothing at all is no answer either."""
    if not body.strip():
        raise UpstreamInvalid("Europe PMC sent an empty answer.", source="europepmc")
    try:
        value = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        check_body(body)
        raise UpstreamInvalid("Europe PMC's answer is not JSON.", source="europepmc") from None
    check_value(value)
    return value


def read_envelope(body: bytes, *keys: str) -> dict[str, Any]:
    """An answer as an object that has one of `keys`: a missing count is never zero hits."""
    value = read_json(body)
    if not isinstance(value, dict) or not any(key in value for key in keys):
        raise UpstreamInvalid(f"Europe PMC's answer lacks {' and '.join(keys)}.", source="europepmc")
    return value


@contextmanager
def known_shape(what: str, source: str = "europepmc") -> Iterator[None]:
    """Reading inside: a value of another shape than the service's is a fault of the answer. It is never passed over,
    since what cannot be read might be a retraction."""
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise UpstreamInvalid(
            f"{what} in the answer has a shape that is not known ({type(error).__name__}).", source=source
        ) from error
