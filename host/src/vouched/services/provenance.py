"""What was asked, when, of whom, and the hash of what came back."""

import asyncio
import hashlib
from typing import Any
from urllib.parse import urlencode

from vouched.names import now
from vouched.remote import Exchange, HashScope
from vouched.services.address import Question
from vouched.services.redact import Redactor, private_names

__all__ = ["digest", "exchange", "hashed", "now"]

INLINE_BYTES = 262_144


def digest(body: bytes) -> str:
    """The sha256 of a raw body, in hexadecimal."""
    return hashlib.sha256(body).hexdigest()


async def hashed(body: bytes) -> str:
    """The same without holding the event loop up: hashing takes a millisecond for every megabyte or so."""
    return digest(body) if len(body) < INLINE_BYTES else await asyncio.to_thread(digest, body)


def exchange(
    question: Question,
    base: str,
    own: list[tuple[str, str]],
    redactor: Redactor,
    *,
    stable: bool = False,
    **facts: Any,
) -> Exchange:
    """The exchange of a question.

    Args:
        own: the caller's own parameters; those that name the program stay, key and e-mail address go.
        stable: the content under this address does not change.
        facts: further fields of `Exchange`.
    """
    private = private_names(question.source)
    public = [pair for pair in [*question.params, *own] if pair[0] not in private]
    method, _, _ = question.on_wire(base, own)
    scope: HashScope = "STABLE" if stable or question.source.hash_scope == "STABLE" else "VOLATILE"
    if method == "POST":
        path = question.post_path
        return Exchange(question.source.name, base + path, hash_scope=scope, form=_form(public, redactor), **facts)
    url = base + question.path + (f"?{urlencode(public)}" if public else "")
    return Exchange(question.source.name, redactor.strike(url), hash_scope=scope, **facts)


def _form(pairs: list[tuple[str, str]], redactor: Redactor) -> dict[str, Any]:
    """Form fields by name: a text, or a list of texts where the name is repeated."""
    fields: dict[str, Any] = {}
    for name, value in pairs:
        shown = redactor.strike(value)
        if name not in fields:
            fields[name] = shown
        elif isinstance(fields[name], list):
            fields[name].append(shown)
        else:
            fields[name] = [fields[name], shown]
    return fields
