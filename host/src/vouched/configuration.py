"""Environment and one TOML file -> one frozen `Settings`. Read once, at start, by whoever makes the host."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast, get_args

import msgspec

from vouched.faults import InvalidArgument
from vouched.settings import USES, HttpFace, Limits, Providers, Secrets, SessionSettings, Settings, SourceSettings, Text

__all__ = ["load", "truth"]

# Ends of variables that hold a source's address or belong to plugins.
SECRET_ENDS = ("_KEY", "_TOKEN", "_EMAIL", "_SECRET")
OPEN_ENDS = ("_URL", *SECRET_ENDS)
VARIABLES = frozenset(
    f"VOUCHED_{name}"
    for name in (
        "DATA", "CONFIG", "PLUGINS", "WITHOUT", "STRICT", "OFFLINE", "RECORDINGS", "TEXT", "TOOLS", "ARCHIVE", "SHARED"
    )
)  # fmt: skip
TIGHTENED = ("unknown", "no")
TRUE, FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


class _File(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    data: str | None = None
    plugins: list[str] | None = None
    without: list[str] = []
    strict: bool = False
    offline: bool = False
    recordings: list[str] = []
    text: Text = "markdown"
    tools: list[str] | None = None
    archive: bool = False
    sources: dict[str, SourceSettings] = {}
    limits: Limits = Limits()
    session: SessionSettings = SessionSettings()
    providers: Providers = Providers()
    http: HttpFace = HttpFace()
    tighten: dict[str, Any] = {}
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
        key = _named(read, key.strip(".`"))
        raise _wrong_file(where, key, reason, ", ".join(get_args(Text)) if key == "text" else _allowed(read)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _wrong_file(where, "", str(error)) from None
    for use, most in file.tighten.items():
        if use not in USES:
            raise _wrong_file(where, f"tighten.{use}", "There is no such use", ", ".join(USES))
        if most not in TIGHTENED:
            raise _wrong_file(where, f"tighten.{use}", f"It cannot be {most!r}", ", ".join(TIGHTENED))
    for name, source in file.sources.items():
        if source.url is not None and not _is_address(source.url):
            raise _wrong_file(where, f"sources.{name}.url", "This is no address", "http:// or https://")
    return file


def _named(read: Mapping[str, Any], key: str) -> str:
    """The key with the name of the source that the decoder leaves out: `sources[...].rate` -> `sources.icite.rate`."""
    head, found, rest = key.partition("[...]")
    tables = read.get(head)
    if found and head == "sources" and isinstance(tables, dict):
        for name, table in tables.items():
            try:
                msgspec.convert(table, SourceSettings)
            except msgspec.ValidationError:
                return f"{head}.{name}{rest}"
    return head + rest


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


def _recordings(file: _File, env: Mapping[str, str]) -> tuple[Path, ...]:
    given = [part for part in env.get("VOUCHED_RECORDINGS", "").split(os.pathsep) if part.strip()]
    folders = [Path(part).expanduser() for part in given or file.recordings]
    for folder in folders:
        if not folder.is_dir():
            raise InvalidArgument(
                f"VOUCHED_RECORDINGS (or `recordings`) names {folder}, which is no folder.",
                path="VOUCHED_RECORDINGS",
                hint="Make it, or leave it out.",
            )
    return tuple(folders)


def _text(file: _File, env: Mapping[str, str]) -> Text:
    text = env.get("VOUCHED_TEXT", "").strip().lower() or file.text
    if text not in get_args(Text):
        raise InvalidArgument(
            "VOUCHED_TEXT is none of the known forms.", path="VOUCHED_TEXT", expected="markdown, json or toon"
        )
    return cast(Text, text)


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

    def names(name: str, otherwise: list[str] | None) -> tuple[str, ...] | None:
        found = _words(env.get(name, "")) or otherwise
        return None if found is None else tuple(found)

    return Settings(
        data=_data_folder(file, env),
        plugins=names("VOUCHED_PLUGINS", file.plugins),
        without=names("VOUCHED_WITHOUT", file.without) or (),
        strict=flag("VOUCHED_STRICT", file.strict),
        offline=flag("VOUCHED_OFFLINE", file.offline),
        recordings=_recordings(file, env),
        text=_text(file, env),
        tools=names("VOUCHED_TOOLS", file.tools),
        archive=flag("VOUCHED_ARCHIVE", file.archive),
        sources=_source_urls(file, env),
        limits=file.limits,
        session=file.session,
        providers=file.providers,
        http=file.http,
        tighten=dict(file.tighten),
        plugin=file.plugin,
        email=Secrets(env).get("NCBI_EMAIL") or file.email,
        secrets=Secrets({name: value for name, value in env.items() if name.endswith(SECRET_ENDS)}),
        unknown=tuple(
            sorted(n for n in env if n.startswith("VOUCHED_") and n not in VARIABLES and not n.endswith(OPEN_ENDS))
        ),
    )
