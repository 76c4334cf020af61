"""Environment and one TOML file -> one frozen `Settings`. Read once, at start, by whoever makes the host."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from vouched.faults import InvalidArgument

__all__ = ["HttpFace", "Limits", "Providers", "SessionSettings", "Settings", "SourceSettings", "load", "truth"]

# A bound of nothing, of less, or without end stops every call, far from the setting that did it.
Positive = Annotated[float, msgspec.Meta(gt=0, le=1e6)]
Span = Annotated[float, msgspec.Meta(ge=0, le=1e6)]
Some = Annotated[int, msgspec.Meta(ge=1)]
Name = Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9]*$")]
USES = ("read", "quote", "mine", "redistribute", "commercial", "derive")
# Ends of variables that hold a source's address or belong to plugins.
OPEN_ENDS = ("_URL", "_KEY", "_TOKEN", "_EMAIL", "_SECRET")
VARIABLES = frozenset(
    f"VOUCHED_{name}"
    for name in (
        "DATA", "CONFIG", "PLUGINS", "WITHOUT", "STRICT", "OFFLINE", "RECORDINGS", "TEXT", "TOOLS", "ARCHIVE", "SHARED"
    )
)  # fmt: skip
TRUE, FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


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
    text: Literal["markdown", "json", "toon"] = "markdown"
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


class _File(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    data: str | None = None
    plugins: list[str] | None = None
    without: list[str] = []
    strict: bool = False
    offline: bool = False
    recordings: list[str] = []
    text: Literal["markdown", "json", "toon"] = "markdown"
    tools: list[str] | None = None
    archive: bool = False
    sources: dict[str, SourceSettings] = {}
    limits: Limits = Limits()
    session: SessionSettings = SessionSettings()
    providers: Providers = Providers()
    http: HttpFace = HttpFace()
    tighten: dict[str, Literal["unknown", "no"]] = {}
    plugin: dict[str, dict[str, Any]] = {}
    email: str | None = None


def truth(name: str, value: str) -> bool:
    """Read a true/false word of variable `name`; an unknown word is refused with the variable's name."""
    word = value.strip().lower()
    if word in TRUE + FALSE:
        return word in TRUE
    raise InvalidArgument(
        f"{name} is neither true nor false.",
        path=name,
        expected=f"one of {', '.join(TRUE + FALSE)}",
        example=f"{name}=1",
    )


def _words(value: str) -> list[str]:
    return [word for word in value.replace(",", " ").split() if word]


def _read_file(env: Mapping[str, str]) -> _File:
    path = env.get("VOUCHED_CONFIG", "").strip()
    if not path:
        return _File()
    import tomllib

    where = Path(path).expanduser()
    try:
        read = tomllib.loads(where.read_text("utf-8"))
        file = msgspec.convert(read, _File)
    except OSError as error:
        raise InvalidArgument(
            f"VOUCHED_CONFIG names a file that cannot be read: {where}: {error.strerror}.", path="VOUCHED_CONFIG"
        ) from None
    except msgspec.ValidationError as error:
        reason, _, key = str(error).partition(" - at `$")
        raise _wrong_file(where, key.strip(".`"), reason, _allowed(read)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _wrong_file(where, "", str(error)) from None
    for use in file.tighten:
        if use not in USES:
            raise _wrong_file(where, f"tighten.{use}", "There is no such use", ", ".join(USES))
    for name, source in file.sources.items():
        if source.url is not None and not _is_address(source.url):
            raise _wrong_file(where, f"sources.{name}.url", "This is no address", "http:// or https://")
    return file


def _wrong_file(where: Path, key: str, reason: str, allowed: str = "") -> InvalidArgument:
    place = f"{where}, {key}" if key else str(where)
    expected = f"one of: {allowed}" if allowed else ""
    return InvalidArgument(
        f"The file of VOUCHED_CONFIG is wrong: {place}: {reason}.", path="VOUCHED_CONFIG", expected=expected
    )


def _allowed(read: Mapping[str, Any]) -> str:
    """What may stand where an unknown key stands."""
    tables: dict[str, type[msgspec.Struct]] = {
        "limits": Limits, "session": SessionSettings, "providers": Providers, "http": HttpFace,
    }  # fmt: skip
    sources = read.get("sources")
    parts: list[tuple[Any, type[msgspec.Struct]]] = [(read, _File)]
    parts += [(read.get(name), table) for name, table in tables.items()]
    parts += [(table, SourceSettings) for table in sources.values()] if isinstance(sources, dict) else []
    for table, type_ in parts:
        if isinstance(table, dict) and set(table) - set(type_.__struct_fields__):
            return ", ".join(type_.__struct_fields__)
    return ""


def _is_address(url: str) -> bool:
    return url.startswith(("http://", "https://")) and bool(url.partition("://")[2].strip("/ "))


def _data_folder(file: _File, env: Mapping[str, str]) -> Path:
    given = env.get("VOUCHED_DATA", "").strip() or file.data
    if given:
        return Path(given).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir("vouched", appauthor=False))


def _source_urls(file: _File, env: Mapping[str, str]) -> dict[str, SourceSettings]:
    sources = dict(file.sources)
    for name, value in env.items():
        if name.startswith("VOUCHED_") and name.endswith("_URL") and value.strip():
            if not _is_address(value.strip()):
                raise InvalidArgument(
                    f"{name} is no address.", path=name, expected="http:// or https://", example=f"{name}=http://…/"
                )
            source = name.removeprefix("VOUCHED_").removesuffix("_URL").lower()
            sources[source] = msgspec.structs.replace(sources.get(source, SourceSettings()), url=value.strip())
    return sources


def load(env: Mapping[str, str] | None = None) -> Settings:
    """Settings of an environment (the process's own by default). Blank variables count as absent.

    Raises:
        InvalidArgument: for an unknown word, a wrong file, an unknown setting; it names the variable.
    """
    env = dict(os.environ) if env is None else dict(env)
    file = _read_file(env)

    def flag(name: str, otherwise: bool) -> bool:
        value = env.get(name, "")
        return truth(name, value) if value.strip() else otherwise

    text = env.get("VOUCHED_TEXT", "").strip().lower() or file.text
    if text not in ("markdown", "json", "toon"):
        raise InvalidArgument(
            "VOUCHED_TEXT is none of the known forms.", path="VOUCHED_TEXT", expected="markdown, json or toon"
        )
    plugins = _words(env.get("VOUCHED_PLUGINS", "")) or file.plugins
    tools = _words(env.get("VOUCHED_TOOLS", "")) or file.tools
    recordings = [
        part for part in env.get("VOUCHED_RECORDINGS", "").split(os.pathsep) if part.strip()
    ] or file.recordings
    for folder in recordings:
        if not Path(folder).expanduser().is_dir():
            raise InvalidArgument(
                f"VOUCHED_RECORDINGS (or `recordings`) names {folder}, which is no folder.",
                path="VOUCHED_RECORDINGS",
                hint="Make it, or leave it out.",
            )
    secrets = {name: value for name, value in env.items() if name.endswith(("_KEY", "_TOKEN", "_EMAIL", "_SECRET"))}
    return Settings(
        data=_data_folder(file, env),
        plugins=tuple(plugins) if plugins is not None else None,
        without=tuple(_words(env.get("VOUCHED_WITHOUT", "")) or file.without),
        strict=flag("VOUCHED_STRICT", file.strict),
        offline=flag("VOUCHED_OFFLINE", file.offline),
        recordings=tuple(Path(part).expanduser() for part in recordings),
        text=text,  # type: ignore[arg-type]
        tools=tuple(tools) if tools is not None else None,
        archive=flag("VOUCHED_ARCHIVE", file.archive),
        sources=_source_urls(file, env),
        limits=file.limits,
        session=file.session,
        providers=file.providers,
        http=file.http,
        tighten=dict(file.tighten),
        plugin=file.plugin,
        email=Secrets(env).get("NCBI_EMAIL") or file.email,
        secrets=Secrets(secrets),
        unknown=tuple(
            sorted(n for n in env if n.startswith("VOUCHED_") and n not in VARIABLES and not n.endswith(OPEN_ENDS))
        ),
    )
