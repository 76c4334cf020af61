"""Recorded exchanges: what answers offline, and what `vouched record` writes.

A recording is a JSON file in a folder (`<package>/recordings/`, `VOUCHED_RECORDINGS`), one object or a list of them:

    {"source": "eutils", "path": "esearch.fcgi", "params": {"db": "pubmed", "term": "x", "id": ["1", "2"]},
     "status": 200, "content_type": "application/json", "recorded_at": "2026-01-31T12:00:00.000Z", "body": {...}}

path: below the base URL, its segments percent-encoded. params: a text, or a list where a name is repeated; the caller's
key, e-mail address and program name are left out, and the order does not count. body: a text, byte for byte as UTF-8,
or any JSON value, which is then written compactly; `body_base64` for other bytes, `body_file` for a file beside the
recording. accept: the media type that was asked for, needed only where one address answers in several forms.

A question that several recordings of one folder answer gets them one after the other, by file name; the last one stays.
A later folder replaces what an earlier one says to the same question. `demo.json` is no recording.
"""

import base64
import hashlib
import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from vouched.faults import OfflineFault
from vouched.remote import Response, Source
from vouched.services.address import Question
from vouched.services.redact import Redactor

__all__ = ["Recorded", "Recorder", "Recording", "Replay", "load"]

NOT_RECORDINGS = {"demo.json"}
log = logging.getLogger("vouched.replay")


class Recording(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One exchange in a file; the fields stand at the top of this module."""

    source: str
    path: str
    params: dict[str, str | list[str]] = {}
    accept: str = ""
    status: int = 200
    content_type: str = "application/json"
    recorded_at: str = ""
    body: Any = ""
    body_base64: str = ""
    body_file: str = ""


class Recorded(msgspec.Struct, frozen=True):
    """What a question got: a response and when it came, or the code of the fault that came instead of one."""

    response: Response
    retrieved_at: str = ""
    fault: str = ""


class Replay:
    """Answers questions from what was recorded.

    Attributes:
        missing: questions that nothing answered, as texts; given: the answers handed out.
        unread: recordings that could not be read, with the reason.
    """

    def __init__(self) -> None:
        self._answers: dict[str, list[tuple[str, Recorded]]] = {}
        self._turns: dict[tuple[str, str], int] = {}
        self.missing: list[str] = []
        self.given: list[Recorded] = []
        self.unread: list[str] = []

    def add(self, question: Question, recorded: Recorded) -> None:
        """Let `question` be answered so, after what answers it already."""
        self._answers.setdefault(question.meaning, []).append((question.media, recorded))

    def take(self, other: "Replay") -> None:
        """Answer as `other` does where it answers, and as before elsewhere."""
        self._answers.update(other._answers)
        self.unread.extend(other.unread)

    def answer(self, question: Question) -> Recorded:
        """The next answer to a question.

        Raises:
            OfflineFault: naming source, path and parameter names.
        """
        recorded = self._answers.get(question.meaning, ())
        fitting = [one for media, one in recorded if media == question.media] or [one for _, one in recorded]
        if not fitting:
            raise self._not_recorded(question)
        turn = (question.meaning, question.media)
        count = self._turns[turn] = self._turns.get(turn, 0) + 1
        given = fitting[min(count, len(fitting)) - 1]
        self.given.append(given)
        return given

    def _not_recorded(self, question: Question) -> OfflineFault:
        names = ", ".join(question.names) or "no parameters"
        place = f"{question.source.name} {question.path} ({names})"
        self.missing.append(place)
        hint = "Record it once with `vouched record`, or name a folder that has it in VOUCHED_RECORDINGS."
        if self.unread:
            hint += f" Not readable: {'; '.join(self.unread[:3])}."
        return OfflineFault(f"This was never recorded: {place}.", hint=hint, source=question.source.name)


def load(folders: Iterable[Path], sources: Mapping[str, Source]) -> Replay:
    """Read the recordings of folders, in their order; those of sources that are not installed are passed over."""
    whole = Replay()
    for folder in folders:
        part = Replay()
        for path in sorted(folder.glob("*.json")):
            if path.name not in NOT_RECORDINGS:
                _load_file(path, sources, part)
        whole.take(part)
    return whole


def _load_file(path: Path, sources: Mapping[str, Source], replay: Replay) -> None:
    try:
        value = msgspec.json.decode(path.read_bytes())
        for recording in msgspec.convert(value if isinstance(value, list) else [value], list[Recording]):
            if (source := sources.get(recording.source)) is not None:
                replay.add(_question(source, recording), _recorded(recording, path.parent))
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError) as error:
        # The system's own words hold the whole path, which concerns nobody who only calls a tool.
        why = error.strerror if isinstance(error, OSError) else error
        replay.unread.append(f"{path.name}: {why}")
        log.warning("the recording %s cannot be read: %s", path.name, why)


def _question(source: Source, recording: Recording) -> Question:
    pairs: list[tuple[str, str]] = []
    for name, value in recording.params.items():
        pairs.extend((name, one) for one in ([value] if isinstance(value, str) else value))
    return Question(source, "GET", recording.path, tuple(pairs), recording.accept)


def _recorded(recording: Recording, folder: Path) -> Recorded:
    headers = {"content-type": recording.content_type}
    return Recorded(Response(recording.status, headers, _body(recording, folder)), recording.recorded_at)


def _body(recording: Recording, folder: Path) -> bytes:
    if recording.body_file:
        if Path(recording.body_file).name != recording.body_file:
            raise ValueError("body_file names a file of the same folder, without a path")
        return (folder / recording.body_file).read_bytes()
    if recording.body_base64:
        return base64.b64decode(recording.body_base64, validate=True)
    return recording.body.encode() if isinstance(recording.body, str) else msgspec.json.encode(recording.body)


class Recorder:
    """Writes answers that were read without a fault, one file each; the same question again replaces its file.

    Keys, e-mail addresses and all headers but the content type are struck.

    Attributes:
        paths: the files written; failed: whether one could not be.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.paths: set[Path] = set()
        self.failed = False

    @property
    def written(self) -> int:
        """How many files were written."""
        return len(self.paths)

    def keep(self, question: Question, response: Response, retrieved_at: str, redactor: Redactor) -> None:
        """Write one exchange. Blocks; the folder is made where it is missing."""
        own = set(question.source.contact) | {question.source.key_param}
        body = redactor.strike_bytes(response.body)
        fields: dict[str, Any] = {}
        try:
            fields["body"] = body.decode()
        except UnicodeDecodeError:
            fields["body_base64"] = base64.b64encode(body).decode()
        recording = Recording(
            source=question.source.name,
            path=redactor.strike(question.path),
            params=_by_name([(n, redactor.strike(v)) for n, v in question.params if n not in own]),
            accept=question.media,
            status=response.status,
            content_type=response.headers.get("content-type", ""),
            recorded_at=retrieved_at,
            **fields,
        )
        path = self._folder / _file_name(question)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(msgspec.json.format(msgspec.json.encode(recording), indent=1) + b"\n")
        except OSError:
            self.failed = True
            raise
        self.paths.add(path)


def _by_name(pairs: Sequence[tuple[str, str]]) -> dict[str, str | list[str]]:
    fields: dict[str, str | list[str]] = {}
    for name in dict.fromkeys(name for name, _ in pairs):
        values = [value for other, value in pairs if other == name]
        fields[name] = values[0] if len(values) == 1 else values
    return fields


def _file_name(question: Question) -> str:
    mark = hashlib.sha256(f"{question.media} {question.meaning}".encode()).hexdigest()[:12]
    leaf = re.sub(r"[^a-z0-9]+", "-", question.path.lower()).strip("-")[:40]
    return f"{question.source.name}-{leaf}-{mark}.json"
