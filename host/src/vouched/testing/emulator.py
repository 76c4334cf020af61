"""A local HTTP server that answers, and on request misbehaves, as remote services do.

    from vouched.testing.emulator import start
    from vouched.testing.exchange import canned

    with start([canned("doaj", {"search/journals/heart": {"total": 0, "results": []}})]) as emulator:
        os.environ["VOUCHED_DOAJ_URL"] = emulator.url("doaj")
        emulator.misbehave("doaj", "rate_limited", retry_after=2)
        ...
        assert len(emulator.log("doaj")) == 2

It listens on one loopback port in a thread of this process; each service has a prefix of its own there. Another
process watches it through `Remote`, which has the same methods.
"""

import contextlib
import json
import socket
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from vouched.testing.admin import Admin, entries, forget, settle
from vouched.testing.asgi import Face, State
from vouched.testing.exchange import Entry, Service, overlap, peak
from vouched.testing.misbehaviour import Fault

if TYPE_CHECKING:
    import uvicorn


class Emulator:
    """A running emulator. Its methods may be called from any thread."""

    def __init__(self, state: State) -> None:
        self._state = state

    @property
    def origin(self) -> str:
        """Scheme, host and port, without a slash at the end."""
        return self._state.origin

    @property
    def services(self) -> dict[str, Service]:
        return dict(self._state.services)

    def url(self, service: str) -> str:
        """The base URL of a service, with a slash at the end."""
        return self.origin + self._state.services[service].prefix

    def environment(self) -> dict[str, str]:
        """The variables that send a host to this emulator: VOUCHED_<SOURCE>_URL for each service."""
        return {f"VOUCHED_{name.upper()}_URL": self.url(name) for name in self._state.services}

    def log(self, *services: str) -> list[Entry]:
        """The requests so far, oldest first, as copies: of the named services, or of all."""
        return entries(self._state, list(services))

    def clear(self) -> None:
        """Forget the log, keep the misbehaviour."""
        forget(self._state, faults=False)

    def reset(self) -> None:
        """Forget the log and every misbehaviour; limits and latencies are again those of the start."""
        forget(self._state, faults=True)

    def peak(self, *services: str, window: float = 1.0) -> int:
        """The most starts that any window of that many seconds held, over the named services together, or all."""
        return peak([entry.started for entry in self.log(*services)], window)

    def in_flight(self, *services: str) -> int:
        """The most requests that ran at the same moment, over the named services together, or all."""
        return overlap(self.log(*services))

    def settle(self, service: str, **changes: Any) -> None:
        """Change `limit` (starts in any second before a 429 is sent, None for none), `latency` (seconds) or `gzip`
        (whether whole answers are compressed for clients that accept it)."""
        settle(self._state, service, changes)

    def misbehave(
        self,
        where: str,
        kind: str,
        times: int | None = 1,
        skip: int = 0,
        match: Mapping[str, str] | None = None,
        **options: Any,
    ) -> Fault:
        """Let the next requests meet a fault; it is returned and counts its `hits`.

        where: `*`, a service name, or a path pattern whose end must fit (`esearch.fcgi`, `*/fullTextXML`).
        times: how many requests, None for all. skip: so many matching ones pass first. match: parameters that the
        request must carry. Faults are tried in the order given; a used-up one lets the next strike.

        kind, and the options it takes with their defaults:
        `rate_limited`: HTTP 429 with NCBI's body; retry_after=2 (seconds, a datetime, any text, None), count, limit,
            api_key (what the body echoes, by default the key that was sent).
        `status`: status=503, body (an HTML page), media, retry_after=None.
        `stall`: the proper answer after seconds=30.
        `slow`: the proper answer in pieces=20 over seconds=5.
        `cut`: the proper headers, a share keep=0.5 of the body, then the connection closes.
        `reset`: the connection closes before any header.
        `truncated`: a share keep=0.5 of the body in a well-formed HTTP answer.
        `html`: an HTML page; status=200, body.
        `body`: a given body; body, status=200, media (what is neither text nor bytes becomes JSON).
        `file`: the bytes of a file; path, status=200, media (by the suffix).
        `redirect`: to="other_host" (this server under the name localhost), "same_host" or a URL; status=302.
        `huge`: size=128 MiB streamed; declared=False (whether Content-Length tells it), media.
        """
        fault = Fault(where, kind, times, skip, dict(match or {}), options)
        with self._state.lock:
            self._state.faults.append(fault)
        return fault


class Remote:
    """An emulator that runs in another process, by its origin (`http://127.0.0.1:8123`)."""

    def __init__(self, origin: str) -> None:
        self.origin = origin.rstrip("/")

    def url(self, service: str) -> str:
        return self._services()[service]

    def environment(self) -> dict[str, str]:
        return {f"VOUCHED_{name.upper()}_URL": url for name, url in self._services().items()}

    def log(self, *services: str) -> list[Entry]:
        return msgspec.convert(self._call("GET", "log", services), list[Entry])

    def clear(self) -> None:
        self._call("POST", "clear")

    def reset(self) -> None:
        self._call("POST", "reset")

    def peak(self, *services: str, window: float = 1.0) -> int:
        return peak([entry.started for entry in self.log(*services)], window)

    def in_flight(self, *services: str) -> int:
        return overlap(self.log(*services))

    def settle(self, service: str, **changes: Any) -> None:
        self._call("POST", "settings", body={service: changes})

    def misbehave(
        self,
        where: str,
        kind: str,
        times: int | None = 1,
        skip: int = 0,
        match: Mapping[str, str] | None = None,
        **options: Any,
    ) -> Fault:
        """As `Emulator.misbehave`; the fault that is returned is a copy, so it neither counts nor cancels."""
        fault = Fault(where, kind, times, skip, dict(match or {}), options)
        self._call("POST", "misbehave", body=msgspec.to_builtins(fault))
        return fault

    def _services(self) -> dict[str, str]:
        return msgspec.convert(self._call("GET", "services"), dict[str, str])

    def _call(self, method: str, page: str, services: Sequence[str] = (), body: Any = None) -> Any:
        query = urllib.parse.urlencode([("service", name) for name in services])
        url = f"{self.origin}/_emulator/{page}" + (f"?{query}" if query else "")
        data = json.dumps(body).encode() if method == "POST" else None
        # S310: the origin is the test's own server.
        request = urllib.request.Request(url, data, method=method)  # noqa: S310
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            return json.load(answer)


@contextlib.contextmanager
def start(services: Sequence[Service], port: int = 0) -> Iterator[Emulator]:
    """Run an emulator on a free loopback port (or the given one) until the block ends.

    Requests that still run then are broken off.
    """
    state = State(list(services))
    with socket.create_server(("127.0.0.1", port), backlog=2048) as listener:
        # Accepted connections inherit it; without it each answer waits for the client's delayed acknowledgement.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        state.origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
        server = _server(state)
        thread = threading.Thread(target=server.run, args=([listener],), name="emulator", daemon=True)
        thread.start()
        try:
            while not server.started:
                if not thread.is_alive():
                    raise RuntimeError("the emulator's server did not start")
                time.sleep(0.005)
            yield Emulator(state)
        finally:
            server.should_exit = True
            server.force_exit = True
            thread.join(timeout=10)


def _server(state: State) -> "uvicorn.Server":
    import uvicorn

    return uvicorn.Server(
        uvicorn.Config(
            Face(state, Admin(state)),
            http="h11",
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            timeout_keep_alive=60,
            # Long enough for a service to say itself that a URL is too long.
            h11_max_incomplete_event_size=1 << 20,
        )
    )
