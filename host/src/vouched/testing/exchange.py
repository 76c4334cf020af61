"""What passes through an emulated service: the request as it arrived, the answer, and the line in the log."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import msgspec


class Asked(msgspec.Struct, frozen=True):
    """One request.

    service: whose prefix it met. segments: the path below that prefix, split at the slashes that were not
    percent-encoded, each decoded. query and form: name and value pairs in the order sent, decoded.
    target: path and query as they stood on the wire. headers: names in lower case.
    """

    service: str
    method: str
    target: str
    segments: tuple[str, ...]
    query: tuple[tuple[str, str], ...]
    form: tuple[tuple[str, str], ...]
    headers: dict[str, str]
    body: bytes
    number: int

    @property
    def path(self) -> str:
        return "/".join(self.segments)

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """Query and form fields together, as most services read them."""
        return self.query + self.form

    def get(self, name: str, default: str = "") -> str:
        """The first value of a field."""
        return next((value for key, value in self.fields if key == name), default)

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.fields if key == name]


class Reply(msgspec.Struct, frozen=True):
    """One answer: the whole body, its status and media type, and further headers."""

    body: bytes
    status: int = 200
    media: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()

    @classmethod
    def json(cls, value: Any, status: int = 200, media: str = "application/json; charset=UTF-8") -> "Reply":
        return cls(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(), status, media)

    @classmethod
    def text(cls, value: str, status: int = 200, media: str = "text/plain; charset=UTF-8") -> "Reply":
        return cls(value.encode(), status, media)

    @classmethod
    def xml(cls, value: str | bytes, status: int = 200) -> "Reply":
        body = value.encode() if isinstance(value, str) else value
        return cls(body, status, "text/xml; charset=UTF-8")


class Service(msgspec.Struct, frozen=True):
    """An emulated service: its source name, its URL prefix ("/doaj/api/"), and what answers.

    answer is called in the server's event loop for one request at a time, so it should be quick and needs no locks.
    limit: more starts than this in any second are answered 429; None means no limit.
    """

    name: str
    prefix: str
    answer: Callable[[Asked], Reply]
    limit: int | None = None
    latency: float = 0.0


def canned(name: str, bodies: Mapping[str, Any], prefix: str = "", media: str = "application/json") -> Service:
    """A service that answers fixed bodies by path below its prefix: bytes and text as they are, all else as JSON.

    Any other path gets 404. Enough for a plugin whose tests need a few recorded answers.
    """
    replies = {path.strip("/"): _reply(body, media) for path, body in bodies.items()}

    def answer(asked: Asked) -> Reply:
        return replies.get(asked.path.strip("/"), Reply.json({"error": "Not Found"}, 404))

    return Service(name, prefix or f"/{name}/", answer)


def _reply(body: Any, media: str) -> Reply:
    if isinstance(body, Reply):
        return body
    if isinstance(body, str):
        return Reply(body.encode(), media=media)
    return Reply(body, media=media) if isinstance(body, bytes) else Reply.json(body, media=media)


class Entry(msgspec.Struct):
    """One line of the request log.

    started and ended: seconds of `time.monotonic()`, which all processes of a machine share on Linux; ended is None
    while the request runs. outcome: `running`, `answered`, `cut` (the emulator broke it off), `gone` (the client
    left before its answer was whole), `failed` (the emulated service raised; then note says what).
    fault: the kind of misbehaviour that was applied, if any. size: bytes of body sent.
    """

    number: int
    service: str
    method: str
    path: str
    params: dict[str, str]
    target: str
    headers: dict[str, str]
    client: str
    started: float
    ended: float | None = None
    status: int | None = None
    outcome: str = "running"
    fault: str | None = None
    size: int = 0
    note: str = ""


def peak(starts: list[float], window: float = 1.0) -> int:
    """The most starts that any window of that many seconds held. A start exactly one window later is outside."""
    most, first = 0, 0
    ordered = sorted(starts)
    for last, start in enumerate(ordered):
        while start - ordered[first] >= window:
            first += 1
        most = max(most, last - first + 1)
    return most


def overlap(entries: list[Entry]) -> int:
    """The most requests that ran at the same moment; one that still runs has no end."""
    events = sorted(
        [(entry.started, 1) for entry in entries] + [(entry.ended, -1) for entry in entries if entry.ended is not None]
    )
    running = most = 0
    for _, step in events:
        running += step
        most = max(most, running)
    return most
