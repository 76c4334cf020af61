"""What the host takes from outside, as one frozen `Settings`; `configuration` reads it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

__all__ = ["HttpFace", "Limits", "Providers", "Secrets", "SessionSettings", "Settings", "SourceSettings"]

# A bound of nothing, of less, or without end stops every call, far from the setting that did it.
Positive = Annotated[float, msgspec.Meta(gt=0, le=1e6)]
Span = Annotated[float, msgspec.Meta(ge=0, le=1e6)]
Some = Annotated[int, msgspec.Meta(ge=1)]
Text = Literal["markdown", "json", "toon"]
Name = Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9]*$")]
USES = ("read", "quote", "mine", "redistribute", "commercial", "derive")


class SourceSettings(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True, frozen=True):
    """What a user sets for one source: base URL, starts a second, requests in flight, cache seconds."""

    url: str | None = None
    rate: Positive | None = None
    in_flight: Some | None = None
    ttl: Annotated[float, msgspec.Meta(ge=0)] | None = None


class Limits(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Bounds. Times in seconds, sizes in bytes or characters as named.

    Attributes:
        deadline: of one tool call, waiting in queues included; request_timeout: of one attempt.
        answer_chars: of each face of an answer; body_bytes: of one upstream body; cache_bytes: of the answer cache.
        queue_depth: requests that may wait for one budget; retry_after_max: the longest wait a service may ask for.
        attempts: tries of one request; retry_wait: first wait between two, doubling up to retry_wait_max, jittered.
        pace_factor: how much longer than 1 / rate the gap between two starts is.
    """

    deadline: Positive = 45.0
    request_timeout: Positive = 30.0
    answer_chars: Annotated[int, msgspec.Meta(ge=2_000)] = 20_000
    body_bytes: Some = 64_000_000
    cache_bytes: Annotated[int, msgspec.Meta(ge=0)] = 256_000_000
    queue_depth: Some = 100
    retry_after_max: Span = 30.0
    attempts: Some = 4
    retry_wait: Span = 0.5
    retry_wait_max: Span = 8.0
    pace_factor: Annotated[float, msgspec.Meta(ge=1, le=100)] = 1.15


class SessionSettings(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Attributes: articles kept; retention_days of runs and artifacts (0 = for ever); local_paths may be shown."""

    articles: Annotated[int, msgspec.Meta(ge=0)] = 50_000
    retention_days: Span = 0.0
    local_paths: bool = False


class Providers(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Which plugin provides a service where several would."""

    transport: Name | None = None
    session: Name | None = None
    licence: Name | None = None


class HttpFace(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The HTTP face. Beyond loopback it starts only with `tokens_file` (lines `principal:token`).

    Attributes:
        allowed_hosts, allowed_origins: accepted `Host` and `Origin` values beside loopback.
    """

    host: str = "127.0.0.1"
    port: Annotated[int, msgspec.Meta(ge=0, le=65_535)] = 8750
    tokens_file: str | None = None
    allowed_hosts: list[str] = []
    allowed_origins: list[str] = []
    workers: Some = 1


class Secrets:
    """Environment values that must never be shown; `repr` and `str` tell nothing."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = dict(values)

    def get(self, name: str) -> str | None:
        value = self._values.get(name, "").strip()
        # An unsubstituted `${user_config.KEY}` is what some clients send for a setting the user left out.
        return None if not value or value.startswith("${") else value

    def items(self) -> list[tuple[str, str]]:
        """(name, value) of all that are set, for redaction."""
        return [(name, value) for name in self._values if (value := self.get(name))]

    def __repr__(self) -> str:
        return "Secrets(…)"


class Settings(msgspec.Struct, frozen=True):
    """Everything the host takes from outside.

    Attributes:
        data: folder for the session store, cache, pace and artifacts.
        plugins: names to load, None for all; without: names to leave out; strict: a plugin that fails stops the start.
        offline: answer from recordings only; recordings: further folders of recordings.
        text: form of the text face; tools: name patterns to serve, None for all.
        archive: keep raw bodies for `vouched verify`.
        sources: per source name; email: contact address; secrets: keys by environment name.
        tighten: uses that the licence gate answers with at most "unknown" or "no", as {"commercial": "no"}.
        plugin: free tables for plugins, by plugin name.
        unknown: variables named like settings that are none.
    """

    data: Path
    plugins: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()
    strict: bool = False
    offline: bool = False
    recordings: tuple[Path, ...] = ()
    text: Text = "markdown"
    tools: tuple[str, ...] | None = None
    archive: bool = False
    sources: dict[str, SourceSettings] = {}
    limits: Limits = Limits()
    session: SessionSettings = SessionSettings()
    providers: Providers = Providers()
    http: HttpFace = HttpFace()
    tighten: dict[str, str] = {}
    plugin: dict[str, dict[str, Any]] = {}
    email: str | None = None
    secrets: Secrets = Secrets({})
    unknown: tuple[str, ...] = ()

    def source(self, name: str) -> SourceSettings:
        """The user's settings for source `name`."""
        return self.sources.get(name, SourceSettings())

    def __repr__(self) -> str:
        """Without the address, and without the plugins' tables, where keys may stand: logs are full of such texts."""
        tables: dict[str, dict[str, Any]] = {name: {} for name in self.plugin}
        shown = msgspec.structs.replace(self, email="…" if self.email else None, plugin=tables)
        return msgspec.Struct.__repr__(shown)
