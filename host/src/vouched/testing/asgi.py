"""The emulator's face to the network: one ASGI application for all services of one emulator."""

import asyncio
import contextlib
import gzip
import itertools
import threading
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qsl, unquote

from vouched.testing.exchange import Asked, Entry, Reply, Service
from vouched.testing.misbehaviour import Fault, caller, chosen, rate_limited

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

PIECE = b"0" * 65536


class Gone(Exception):
    """The client closed the connection before its answer was whole."""


class State:
    """What one emulator knows while it runs. Written by the server's thread, read by any."""

    def __init__(self, services: list[Service]) -> None:
        self.services = {service.name: service for service in services}
        if len(self.services) < len(services):
            raise ValueError("two services with one name")
        self.lock = threading.Lock()
        self.entries: list[Entry] = []
        self.faults: list[Fault] = []
        self.latency = {service.name: service.latency for service in services}
        self.limits = {service.name: service.limit for service in services}
        self.gzip = dict.fromkeys(self.services, False)
        self.origin = ""
        self.count = 0

    def service_for(self, path: str) -> Service | None:
        """The service with the longest prefix that the path starts with."""
        fitting = [s for s in self.services.values() if path.startswith(s.prefix) or path + "/" == s.prefix]
        return max(fitting, key=lambda service: len(service.prefix), default=None)

    def crowded(self, service: str, now: float) -> int:
        """How many starts the last second before now held for this service, this one included."""
        with self.lock:
            latest = itertools.takewhile(lambda entry: now - entry.started < 1.0, reversed(self.entries))
            return sum(entry.service == service for entry in latest)


class Exchange:
    """One request from its arrival to the end of its answer."""

    def __init__(self, state: State, asked: Asked, entry: Entry, receive: Receive, send: Send) -> None:
        self.state, self.asked, self.entry = state, asked, entry
        self.send = send
        # The body has been read, so the only message that can still come is that the client has left.
        self.leaving = asyncio.ensure_future(receive())

    async def run(self, service: Service) -> None:
        entry = self.entry
        try:
            await self._answer(service)
        except Gone:
            entry.outcome = "gone"
        except asyncio.CancelledError:
            # The emulator stops: without this the server would still answer the request, with a 500 of its own.
            entry.outcome = "cut"
            self._abort()
            raise
        finally:
            self.leaving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self.leaving
            entry.ended = entry.ended or time.monotonic()

    async def plain(self, reply: Reply) -> None:
        """An answer that no service gives: no faults, no waits."""
        self.leaving.cancel()
        await self._whole(reply)

    async def _answer(self, service: Service) -> None:
        limit = self.state.limits[service.name]
        if limit is not None and (count := self.state.crowded(service.name, self.entry.started)) > limit:
            self.entry.fault = "limit"
            await self._whole(rate_limited(2, count, limit, caller(self.asked)))
            return
        with self.state.lock:
            fault = chosen(self.state.faults, self.asked)
        await self._wait(self.state.latency[service.name])
        if fault is None:
            await self._whole(self._proper(service))
            return
        self.entry.fault = fault.kind
        reply = fault.reply(self.state.origin, self.asked)
        if reply is not None:
            await self._whole(reply)
        else:
            await getattr(self, f"_{fault.kind}")(service, **fault.options)

    def _proper(self, service: Service) -> Reply:
        try:
            return service.answer(self.asked)
        except Exception as problem:
            # A fault of the emulator itself must be seen as one: a status that no service uses, and the log's note.
            self.entry.outcome = "failed"
            self.entry.note = f"{type(problem).__name__}: {problem}"
            return Reply.text(f"the emulator failed: {self.entry.note}", 599)

    async def _stall(self, service: Service, seconds: float = 30.0) -> None:
        await self._wait(seconds)
        await self._whole(self._proper(service))

    async def _slow(self, service: Service, seconds: float = 5.0, pieces: int = 20) -> None:
        reply = self._proper(service)
        await self._head(reply, len(reply.body))
        size = max(1, -(-len(reply.body) // pieces))
        for start in range(0, len(reply.body), size):
            await self._wait(seconds / pieces)
            await self._piece(reply.body[start : start + size], start + size < len(reply.body))

    async def _cut(self, service: Service, keep: float = 0.5) -> None:
        reply = self._proper(service)
        await self._head(reply, len(reply.body) + 1)
        await self._piece(reply.body[: int(len(reply.body) * keep)], True)
        # Returning before the promised length has been sent makes the server close the connection.
        self.entry.outcome = "cut"

    async def _reset(self, service: Service) -> None:
        self.entry.outcome = "cut"
        self._abort()

    def _abort(self) -> None:
        # ASGI has no word for it, so the connection is taken from uvicorn's own request cycle.
        self.send.__self__.transport.abort()  # type: ignore[attr-defined]

    async def _truncated(self, service: Service, keep: float = 0.5) -> None:
        reply = self._proper(service)
        await self._whole(Reply(reply.body[: int(len(reply.body) * keep)], reply.status, reply.media, reply.headers))

    async def _huge(
        self, service: Service, size: int = 128 << 20, declared: bool = False, media: str = "application/json"
    ) -> None:
        await self._head(Reply(b"", media=media), size if declared else None)
        for start in range(0, size, len(PIECE)):
            await self._wait(0)
            await self._piece(PIECE[: size - start], start + len(PIECE) < size)

    async def _whole(self, reply: Reply) -> None:
        if self.state.gzip.get(self.asked.service) and "gzip" in self.asked.headers.get("accept-encoding", ""):
            packed = (("content-encoding", "gzip"), ("vary", "accept-encoding"))
            reply = Reply(gzip.compress(reply.body, 1), reply.status, reply.media, reply.headers + packed)
        await self._head(reply, len(reply.body))
        await self._piece(reply.body, False)

    async def _head(self, reply: Reply, length: int | None) -> None:
        headers = [(b"content-type", reply.media.encode())]
        if length is not None:
            headers.append((b"content-length", str(length).encode()))
        headers += [(name.encode(), value.encode()) for name, value in reply.headers]
        self.entry.status = reply.status
        await self.send({"type": "http.response.start", "status": reply.status, "headers": headers})

    async def _piece(self, body: bytes, more: bool) -> None:
        self.entry.size += len(body)
        if self.asked.method == "HEAD":
            body = b""
        if not more:
            # Before the last bytes leave: whoever has the answer finds the log complete.
            self.entry.ended = time.monotonic()
            self.entry.outcome = "answered" if self.entry.outcome == "running" else self.entry.outcome
        await self.send({"type": "http.response.body", "body": body, "more_body": more})

    async def _wait(self, seconds: float) -> None:
        """Sleep, unless the client leaves meanwhile: then stop at once, as a server that notices does."""
        await asyncio.wait({self.leaving}, timeout=max(seconds, 0))
        if self.leaving.done():
            raise Gone


class Face:
    """The ASGI application."""

    def __init__(self, state: State, admin: Callable[[Asked], Reply]) -> None:
        self.state, self.admin = state, admin

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        started = time.monotonic()
        path = scope["raw_path"].decode("latin-1").partition("?")[0]
        admin = path.startswith("/_emulator/")
        service = None if admin else self.state.service_for(path)
        prefix = "/_emulator/" if admin else service.prefix if service else "/"
        asked = await self._read(scope, receive, service.name if service else "", path[len(prefix) :])
        entry = self._entry(scope, asked, path, started)
        if not admin:
            with self.state.lock:
                self.state.entries.append(entry)
        exchange = Exchange(self.state, asked, entry, receive, send)
        if service is not None:
            await exchange.run(service)
        else:
            await exchange.plain((self.admin if admin else _nowhere)(asked))

    async def _read(self, scope: Message, receive: Receive, service: str, tail: str) -> Asked:
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        body, more = b"", True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        form = headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
        query = scope["query_string"].decode("latin-1")
        self.state.count += 1
        return Asked(
            service=service,
            method=scope["method"],
            target=scope["raw_path"].decode("latin-1").partition("?")[0] + ("?" + query if query else ""),
            segments=tuple(unquote(part) for part in tail.split("/")),
            query=tuple(parse_qsl(query, keep_blank_values=True)),
            form=tuple(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)) if form else (),
            headers=headers,
            body=body,
            number=self.state.count,
        )

    def _entry(self, scope: Message, asked: Asked, path: str, started: float) -> Entry:
        host, port = scope.get("client") or ("", 0)
        return Entry(
            number=asked.number,
            service=asked.service,
            method=asked.method,
            path=path,
            params=dict(reversed(asked.fields)),
            target=asked.target,
            headers=asked.headers,
            client=f"{host}:{port}",
            started=started,
        )


def _nowhere(asked: Asked) -> Reply:
    return Reply.json({"error": "Not Found", "path": "/" + asked.path}, 404)
