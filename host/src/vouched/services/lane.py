"""One source as it is asked here: where, how fast, as whom, and what went wrong lately."""

import hashlib
import logging
import platform
from collections import deque
from typing import Any
from urllib.parse import urlsplit

from vouched import __version__
from vouched.faults import Fault
from vouched.remote import Source
from vouched.services.address import refuse_base
from vouched.services.provenance import now
from vouched.settings import Settings

__all__ = ["Lane"]

REMEMBERED = 5
log = logging.getLogger("vouched.http")


class Lane:
    """What declaration and settings make of a source.

    Attributes:
        base: effective base URL, with a slash at its end; trusted: the user has set it.
        in_flight: requests open at the same time; ttl: seconds that answers are kept, 0 for not at all.
        key_rejected: the service has refused the key, so it is not sent any more.
    """

    def __init__(self, source: Source, settings: Settings) -> None:
        own = settings.source(source.name)
        self.source = source
        self.base = (own.url or source.base_url).rstrip("/") + "/"
        self.trusted = own.url is not None
        self.in_flight = own.in_flight or source.in_flight
        self.ttl = (source.ttl if own.ttl is None else own.ttl) or 0.0
        self.key_rejected = False
        self._rate = own.rate
        self._factor = settings.limits.pace_factor
        self._email = settings.email
        self._key = settings.secrets.get(source.key_env) if source.key_env else None
        self._faults: deque[dict[str, Any]] = deque(maxlen=REMEMBERED)

    def check(self) -> None:
        """Refuse a base URL that must not be asked; see `refuse_base`."""
        refuse_base(self.source, self.base, configured=self.trusted)

    @property
    def key(self) -> str | None:
        """The key to send."""
        return None if self.key_rejected else self._key

    @property
    def rate(self) -> float:
        """Starts a second."""
        return self._rate or (self.key and self.source.keyed_rate) or self.source.rate

    @property
    def gap(self) -> float:
        """Least seconds between two starts. A gap of exactly 1 / rate lets one too many into some seconds."""
        return self._factor / self.rate

    @property
    def budget(self) -> str:
        """Whose limit it is: host and key, since services count by key, and by address without one."""
        name = self.source.budget or urlsplit(self.source.base_url).hostname or self.source.name
        return f"{name} key {hashlib.sha256(self.key.encode()).hexdigest()[:8]}" if self.key else name

    def own_params(self) -> list[tuple[str, str]]:
        """The parameters that name the caller."""
        known = {"tool": "vouched", "email": self._email}
        params = [(name, value) for name, kind in self.source.contact.items() if (value := known.get(kind))]
        if self.key and self.source.key_param:
            params.append((self.source.key_param, self.key))
        return params

    def headers(self, media: str) -> dict[str, str]:
        """The headers of a request that asks for `media`."""
        system = f"python {platform.python_version()}; {platform.system()}"
        headers = {"Accept": media, "User-Agent": f"vouched/{__version__} (+{system})"}
        if self.key and self.source.key_header:
            headers[self.source.key_header] = self.key
        return headers

    def reject_key(self) -> str:
        """Go on without the key. Returns what to tell the user, "" when that was said before."""
        if self.key_rejected:
            return ""
        self.key_rejected = True
        text = (
            f"{self.source.name} does not accept the API key in {self.source.key_env}; going on without it, "
            f"at {self.rate:g} requests a second."
        )
        log.warning(text)
        return text

    def note(self, fault: Fault) -> None:
        """Remember a fault for the status."""
        self._faults.append({"at": now(), "code": fault.code, "status": fault.status, "message": fault.message})

    def status(self) -> dict[str, Any]:
        """Facts for `vouched://status`; no key, no address."""
        key = "rejected" if self.key_rejected else "in use" if self._key else "none"
        return {
            "budget": self.budget.partition(" key ")[0],
            "rate": self.rate,
            "in_flight": self.in_flight,
            "key": key,
            "faults": list(self._faults),
        }
