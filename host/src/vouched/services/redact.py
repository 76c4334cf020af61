"""Keys and e-mail addresses out of everything that leaves the process or is kept."""

import logging
import re
from collections.abc import Container
from urllib.parse import quote, quote_plus

from vouched import faults
from vouched.remote import Source
from vouched.settings import Settings

__all__ = ["EMAIL", "Redactor", "hush", "private_names"]

STRUCK = "REDACTED"
# The name of the address of the settings, wherever it was set.
EMAIL = "email"
# Striking shorter values would tear ordinary words apart; no service gives out keys that short.
SHORTEST = 4
# What stands in an environment under a name that ends in _KEY may be an ordinary word, which queries and data hold too.
KEY_LIKE = re.compile(r"(?=.*\d)\S{8,}")
QUERY = re.compile(r"(https?://[^\s?\"'<>]+)\?[^\s\"'<>]*", re.IGNORECASE)
# These write whole URLs (INFO) and headers (DEBUG).
TALKATIVE = ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy", "httpcore.socks")
FAULTS = tuple(f"{name}(" for name in faults.__all__ if name != "CODES")


class Redactor:
    """Strikes the secrets of these settings, as they are and percent-encoded, longest first.

    Args:
        declared: variables that hold keys for sure; where they are given, other values count only if they look like
            keys. For what must stay exact; errors and logs had better lose a word too many.
        addresses: e-mail addresses too.

    Attributes:
        named: by the name of each secret, the forms that are struck.
    """

    def __init__(
        self, settings: Settings, *, declared: Container[str | None] | None = None, addresses: bool = True
    ) -> None:
        def counts(name: str, value: str) -> bool:
            if name.endswith("_EMAIL"):
                return addresses
            return declared is None or name in declared or bool(KEY_LIKE.fullmatch(value))

        secrets = [(EMAIL, settings.email)] if settings.email and addresses else []
        secrets += [(name, value) for name, value in settings.secrets.items() if counts(name, value)]
        self.named = {
            name: list(dict.fromkeys((value, quote(value, ""), quote_plus(value))))
            for name, value in secrets
            if len(value) >= SHORTEST
        }
        forms = {form for forms in self.named.values() for form in forms}
        self._forms = sorted(forms, key=lambda form: (-len(form), form))

    def text(self, text: str) -> str:
        """`text` without secrets and without the query strings of URLs in it."""
        return QUERY.sub(r"\1", self.strike(text))

    def strike(self, text: str) -> str:
        """`text` without secrets."""
        for form in self._forms:
            text = text.replace(form, STRUCK)
        return text

    def strike_bytes(self, body: bytes) -> bytes:
        """`body` without secrets."""
        for form in self._forms:
            body = body.replace(form.encode(), STRUCK.encode())
        return body


def private_names(source: Source) -> frozenset[str]:
    """Parameters of a source that are the caller's own: its key and its e-mail address."""
    mails = (name for name, kind in source.contact.items() if kind == "email")
    return frozenset([*mails, *([source.key_param] if source.key_param else [])])


def _only_warnings(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.WARNING


def _not_ours(record: logging.LogRecord) -> bool:
    return not str(getattr(record, "stamina.caused_by", "")).startswith(FAULTS)


def hush() -> None:
    """Let the HTTP libraries log warnings only, and stamina nothing about our retries, which are logged here already.

    Filters, not levels: `logging.basicConfig(level=…)` of an embedding program must not bring the URLs back.
    """
    for name in TALKATIVE:
        logging.getLogger(name).addFilter(_only_warnings)
    logging.getLogger("stamina").addFilter(_not_ours)
