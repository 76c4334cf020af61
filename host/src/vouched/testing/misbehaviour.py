"""Misbehaviour on request: what an emulated service does instead of, or with, its proper answer."""

import fnmatch
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import msgspec

from vouched.testing.exchange import Asked, Reply

PAGE = (
    b"<!DOCTYPE html>\n<html><head><title>Service unavailable</title></head>"
    b"<body><h1>Service unavailable</h1><p>Please come back later.</p></body></html>\n"
)

# Kind of misbehaviour: the options it takes (what they mean stands at `Emulator.misbehave`).
KINDS: dict[str, tuple[str, ...]] = {
    "rate_limited": ("retry_after", "count", "limit", "api_key"),
    "status": ("status", "body", "media", "retry_after"),
    "stall": ("seconds",),
    "slow": ("seconds", "pieces"),
    "cut": ("keep",),
    "reset": (),
    "truncated": ("keep",),
    "html": ("status", "body"),
    "body": ("body", "status", "media"),
    "file": ("path", "status", "media"),
    "redirect": ("to", "status"),
    "huge": ("size", "declared", "media"),
}
MEDIA = {".json": "application/json", ".xml": "text/xml", ".html": "text/html", ".txt": "text/plain"}


class Fault(msgspec.Struct):
    """One order to misbehave.

    where: `*`, a service name, or a path pattern whose end the request's path must match (`esearch.fcgi`,
    `*/fullTextXML`). times: how often it strikes, None for ever. skip: how many matching requests go by first.
    match: parameters that the request must carry. hits: how often it has struck.
    """

    where: str
    kind: str
    times: int | None = 1
    skip: int = 0
    match: dict[str, str] = {}
    options: dict[str, Any] = {}
    hits: int = 0
    seen: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"no misbehaviour {self.kind!r}; there are {', '.join(sorted(KINDS))}")
        unknown = set(self.options) - set(KINDS[self.kind])
        if unknown:
            raise ValueError(f"{self.kind!r} takes {list(KINDS[self.kind])}, not {sorted(unknown)}")

    def cancel(self) -> None:
        """Let no further request be struck."""
        self.times = self.hits

    def strikes(self, asked: Asked) -> bool:
        """Does this request meet it? Counts the request when it matches."""
        if not self._matches(asked) or (self.times is not None and self.hits >= self.times):
            return False
        self.seen += 1
        if self.seen <= self.skip:
            return False
        self.hits += 1
        return True

    def _matches(self, asked: Asked) -> bool:
        if self.where not in ("*", asked.service):
            path, pattern = "/" + asked.path, self.where.lstrip("/")
            if not (fnmatch.fnmatchcase(path, "/" + pattern) or fnmatch.fnmatchcase(path, "*/" + pattern)):
                return False
        return all(asked.get(name) == value for name, value in self.match.items())

    def reply(self, origin: str, asked: Asked) -> Reply | None:
        """The answer that stands in place of the proper one; None where the proper one is needed.

        origin: scheme, host and port that the emulator listens on.
        """
        if self.kind == "rate_limited":
            return rate_limited(**{"api_key": caller(asked)} | self.options)
        if self.kind in ("status", "html", "body"):
            return self._given()
        if self.kind == "file":
            return self._file()
        if self.kind == "redirect":
            return self._redirect(origin, asked)
        return None

    def _given(self) -> Reply:
        status = self.options.get("status", 503 if self.kind == "status" else 200)
        plain = self.kind == "body"
        body = self.options.get("body", b"" if plain else PAGE)
        media = self.options.get("media", "application/json" if plain else "text/html; charset=UTF-8")
        return Reply(_bytes(body), status, media, _retry_after(self.options.get("retry_after")))

    def _file(self) -> Reply:
        path = Path(self.options["path"])
        media = self.options.get("media", MEDIA.get(path.suffix, "application/octet-stream"))
        return Reply(path.read_bytes(), self.options.get("status", 200), media)

    def _redirect(self, origin: str, asked: Asked) -> Reply:
        to = self.options.get("to", "other_host")
        if to == "other_host":
            # The same server under its other loopback name: another host as far as any client can tell.
            to = origin.replace("127.0.0.1", "localhost") + asked.target
        elif to == "same_host":
            to = origin + asked.target
        return Reply(b"", self.options.get("status", 302), "text/plain", (("location", to),))


def caller(asked: Asked) -> str:
    """Whom NCBI's refusals name: they echo the key in clear, or else the address."""
    return asked.get("api_key") or "127.0.0.1"


def rate_limited(
    retry_after: float | datetime | str | None = 2,
    count: int | str = 4,
    limit: int | str = 3,
    api_key: str = "127.0.0.1",
) -> Reply:
    """HTTP 429 as E-utilities send it: the body echoes the caller's key or address."""
    body = {"error": "API rate limit exceeded", "api-key": api_key, "count": str(count), "limit": str(limit)}
    reply = Reply.json(body, 429, "application/json")
    return msgspec.structs.replace(reply, headers=_retry_after(retry_after))


def _retry_after(value: float | datetime | str | None) -> tuple[tuple[str, str], ...]:
    if value is None:
        return ()
    text = format_datetime(value.astimezone(UTC), usegmt=True) if isinstance(value, datetime) else str(value)
    return (("retry-after", text),)


def _bytes(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode()
    return msgspec.json.encode(value)


def chosen(faults: list[Fault], asked: Asked) -> Fault | None:
    """The first order that strikes this request, in the order they were given."""
    return next((fault for fault in faults if fault.strikes(asked)), None)


def wanted(order: Mapping[str, Any]) -> Fault:
    """A fault from the JSON of the admin page, refused with a ValueError when it is malformed."""
    try:
        return msgspec.convert(order, Fault)
    except msgspec.ValidationError as problem:
        raise ValueError(str(problem)) from problem
