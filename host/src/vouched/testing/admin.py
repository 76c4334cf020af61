"""The emulator's own pages under /_emulator/, for tests that watch it from another process.

GET log (service=), GET peak (service= repeated, window=), GET services, POST misbehave (the JSON of a Fault),
POST clear (the log), POST reset (the log and all misbehaviour), POST settings ({service: {limit, latency, gzip}}).
"""

import json
from typing import Any

import msgspec

from vouched.testing.asgi import State
from vouched.testing.exchange import Asked, Entry, Reply, peak
from vouched.testing.misbehaviour import wanted


def entries(state: State, services: list[str]) -> list[Entry]:
    """Copies of the log's lines, oldest first; of all services when none is named."""
    with state.lock:
        return [msgspec.structs.replace(e) for e in state.entries if not services or e.service in services]


def forget(state: State, faults: bool) -> None:
    with state.lock:
        state.entries.clear()
        if faults:
            state.faults.clear()
            for name, service in state.services.items():
                state.limits[name], state.latency[name] = service.limit, service.latency
                state.gzip[name] = False


def settle(state: State, service: str, changes: dict[str, Any]) -> None:
    """Set limit (starts in any second, None for none), latency (seconds) and gzip (yes or no) of a service."""
    if service not in state.services:
        raise ValueError(f"no service {service!r}; there are {', '.join(sorted(state.services))}")
    unknown = set(changes) - {"limit", "latency", "gzip"}
    if unknown:
        raise ValueError(f"no setting {sorted(unknown)}; there are limit, latency and gzip")
    if "limit" in changes:
        state.limits[service] = changes["limit"]
    if "latency" in changes:
        state.latency[service] = float(changes["latency"])
    if "gzip" in changes:
        state.gzip[service] = bool(changes["gzip"])


class Admin:
    def __init__(self, state: State) -> None:
        self.state = state

    def __call__(self, asked: Asked) -> Reply:
        page = getattr(self, f"_{asked.method.lower()}_{asked.path.strip('/')}", None)
        if page is None:
            return Reply.json({"error": f"no page {asked.method} {asked.path}"}, 404)
        try:
            return Reply.json(msgspec.to_builtins(page(asked)))
        except ValueError as problem:
            return Reply.json({"error": str(problem)}, 400)

    def _get_log(self, asked: Asked) -> Any:
        return entries(self.state, asked.all("service"))

    def _get_peak(self, asked: Asked) -> Any:
        starts = [entry.started for entry in entries(self.state, asked.all("service"))]
        return {"peak": peak(starts, float(asked.get("window", "1"))), "starts": len(starts)}

    def _get_services(self, asked: Asked) -> Any:
        return {name: self.state.origin + service.prefix for name, service in self.state.services.items()}

    def _post_misbehave(self, asked: Asked) -> Any:
        fault = wanted(json.loads(asked.body))
        with self.state.lock:
            self.state.faults.append(fault)
        return fault

    def _post_settings(self, asked: Asked) -> Any:
        for service, changes in json.loads(asked.body).items():
            settle(self.state, service, changes)
        return {"ok": True}

    def _post_clear(self, asked: Asked) -> Any:
        forget(self.state, faults=False)
        return {"ok": True}

    def _post_reset(self, asked: Asked) -> Any:
        forget(self.state, faults=True)
        return {"ok": True}
