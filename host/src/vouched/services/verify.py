"""Does a run still say what it said? Its call, replayed offline from the bodies that the archive kept, and compared."""

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from vouched.faults import NotFound, UpstreamTimeout, UpstreamUnreachable
from vouched.journal import Owner, Run
from vouched.remote import Exchange, Response, Source
from vouched.services.address import question_of_url
from vouched.services.archive import Archive
from vouched.services.lane import Lane
from vouched.services.provenance import digest
from vouched.services.redact import Redactor
from vouched.services.replay import Recorded, Replay
from vouched.services.sealed import Seal
from vouched.settings import Providers, Settings

__all__ = ["Verdict", "differences", "verify"]

SHOWN = 80
COMPARED = ("status", "data", "warnings", "error", "restriction", "outline")
# Times, ids of runs and files, and how an answer came are no part of what it says.
PASSED_BY = re.compile(r".*_at|run_id|artifact_(id|uri)|session_id|from_cache|attempts|retry_after|hint")
VARYING = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?|vouched://artifact/[^\s)\"'>]+|run:[0-9a-f]{16}"
    r"|artifact:[A-Za-z0-9_-]{1,64}"
)
NO_ANSWER = (UpstreamTimeout.code, UpstreamUnreachable.code)
# How a run ends when its time is over depends on the clock, not on what came.
BY_THE_CLOCK = ("deadline_exceeded", "queue_full")


class Verdict(msgspec.Struct, frozen=True):
    """What a comparison found; `detail` names the first difference, or why there is nothing to compare."""

    verdict: Literal["identical", "differs", "cannot verify"]
    detail: str = ""

    @property
    def exit_code(self) -> int:
        """0 identical, 1 differs, 2 cannot verify."""
        return ("identical", "differs", "cannot verify").index(self.verdict)


class CannotVerify(Exception):
    """Why a run cannot be compared."""


async def verify(run: Run, settings: Settings, host: Callable[[Settings], Any]) -> Verdict:
    """Replay an archived run from its kept bodies and compare status, data, warnings, error and body hashes.

    Every kept body is checked against its hash first. The replay has a data folder of its own, so nothing of the user's
    session is read or written.

    Args:
        settings: under which the run was made; its archive has the bodies.
        host: makes a host from settings (`vouched.host.Host`).
    """
    if run.answer is None:
        return Verdict("cannot verify", "The run was made without VOUCHED_ARCHIVE=1, so its answer was not kept.")
    with tempfile.TemporaryDirectory(prefix="vouched-verify-") as folder:
        alone = msgspec.structs.replace(
            settings, data=Path(folder), offline=True, archive=False, providers=Providers(session="vouched")
        )
        try:
            async with host(alone) as replaying:
                service = replaying.http_service
                replay = await _replay(run, {n: lane.source for n, lane in service.lanes.items()}, settings)
                service.replay_from(replay)
                owner = Owner(client="vouched", session_id="verify")
                result = await replaying.call(run.tool, run.arguments, owner=owner)
        except CannotVerify as reason:
            return Verdict("cannot verify", str(reason))
        except NotFound as fault:
            return Verdict("cannot verify", fault.message)
    return _compared(run, run.answer, result.structured, replay)


async def _replay(run: Run, sources: Mapping[str, Source], settings: Settings) -> Replay:
    redactor = Redactor(settings, declared={source.key_env for source in sources.values()})
    replay, archive = Replay(), Archive(settings.data / "archive", Seal(redactor.named))
    try:
        for number, exchange in enumerate(run.sources, 1):
            place = f"exchange {number} ({exchange.source})"
            if (source := sources.get(exchange.source)) is None:
                raise CannotVerify(f"No installed plugin declares the source of {place}.")
            base = Lane(source, settings).base
            if not exchange.resolved_url.startswith(base):
                raise CannotVerify(
                    f"The base URL of {place} was another one; set VOUCHED_{source.name.upper()}_URL as it was then."
                )
            question = question_of_url(source, base, exchange.resolved_url, exchange.form)
            replay.add(question, await _recorded(exchange, archive, place))
    finally:
        await archive.close()
    return replay


async def _recorded(exchange: Exchange, archive: Archive, place: str) -> Recorded:
    if exchange.fault in BY_THE_CLOCK:
        raise CannotVerify(f"The call's time ended {place}; that depends on the clock, not on what came.")
    if not exchange.content_sha256:
        if exchange.fault in NO_ANSWER:
            return Recorded(Response(0, {}, b""), exchange.retrieved_at, exchange.fault)
        raise CannotVerify(f"Nothing came in {place} that could be kept ({exchange.fault}).")
    body = await archive.body(exchange.content_sha256)
    if body is None:
        raise CannotVerify(f"The body of {place} {await archive.trouble(exchange.content_sha256)}.")
    return Recorded(Response(exchange.http_status, {}, body), exchange.retrieved_at)


def _compared(run: Run, kept: Mapping[str, Any], now: Mapping[str, Any], replay: Replay) -> Verdict:
    error = kept.get("error") or {}
    if error.get("code") in BY_THE_CLOCK:
        return Verdict("cannot verify", f"The run ended by the clock ({error['code']}), not by what came.")
    if replay.missing:
        return Verdict(
            "cannot verify",
            f"The replay asks for something that the run did not ask for: {replay.missing[0]}. "
            "The session had it then, or the plugin has changed.",
        )
    first = next(iter(differences({k: kept.get(k) for k in COMPARED}, {k: now.get(k) for k in COMPARED})), "")
    if first:
        return Verdict("differs", first)
    asked, given = Counter(_marks(run)), Counter(_mark(recorded) for recorded in replay.given)
    if asked != given:
        return Verdict("differs", f"The run had {asked.total()} exchanges, the replay used {given.total()} of them.")
    return Verdict("identical", f"{given.total()} bodies match their hashes; the answer is the same.")


def _marks(run: Run) -> list[str]:
    return [exchange.content_sha256 or exchange.fault for exchange in run.sources]


def _mark(recorded: Recorded) -> str:
    return recorded.fault or digest(recorded.response.body)


def differences(kept: Any, now: Any, path: str = "") -> list[str]:
    """Where two answers say different things, in order; absent and null are the same, times and ids are passed by."""
    if isinstance(kept, dict) and isinstance(now, dict):
        names = [name for name in dict.fromkeys([*kept, *now]) if not PASSED_BY.fullmatch(str(name))]
        return [
            found
            for name in names
            for found in differences(kept.get(name), now.get(name), f"{path}.{name}" if path else str(name))
        ]
    if isinstance(kept, list) and isinstance(now, list):
        found = [f"{path} had {len(kept)} elements, now {len(now)}"] if len(kept) != len(now) else []
        pairs = zip(kept, now, strict=False)
        return found + [one for n, (a, b) in enumerate(pairs) for one in differences(a, b, f"{path}[{n}]")]
    return [] if _same(kept, now) else [f"{path} was {_shown(kept)}, now {_shown(now)}"]


def _same(kept: Any, now: Any) -> bool:
    if isinstance(kept, str) and isinstance(now, str):
        return VARYING.sub("*", kept) == VARYING.sub("*", now)
    # In Python True equals 1; in an answer they are two things.
    equal = kept == now and isinstance(kept, bool) == isinstance(now, bool)
    return equal or (kept in (None, [], {}) and now in (None, [], {}))


def _shown(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
