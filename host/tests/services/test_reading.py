"""Readers are code of plugins: whatever they raise ends one call, and is told for what it is."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from vouched.faults import Fault, NotFound, UpstreamInvalid, UpstreamRejected
from vouched.settings import Settings
from vouched.testing.emulator import Emulator

from host.tests.services.support import context_for, exchanges, serving

pytestmark = pytest.mark.anyio


class Panic(BaseException):
    """As parsers written in Rust raise."""


def raising(error: BaseException) -> Callable[[bytes], Any]:
    def read(body: bytes) -> Any:
        raise error

    return read


@pytest.mark.parametrize(
    "error",
    [StopIteration(), StopAsyncIteration(), KeyError("x"), RecursionError(), OverflowError(), EOFError()],
    ids=lambda error: type(error).__name__,
)
async def test_what_parsers_raise_over_a_bad_body_is_an_invalid_answer(
    settings: Settings, emulator: Emulator, error: Exception
) -> None:
    """`next()` over a part that is not there included: no future takes a StopIteration, so that nobody would hear."""
    began = time.monotonic()
    async with serving(settings) as service:
        context = context_for(service)
        with pytest.raises(UpstreamInvalid, match="not of the form"):
            await context.http("lib").get("x", read=raising(error))
    assert time.monotonic() - began < 2
    assert len(emulator.log("lib")) == settings.limits.attempts
    assert exchanges(context)[0].fault == "upstream_invalid"


@pytest.mark.parametrize(
    "error",
    [SystemExit(3), asyncio.CancelledError(), KeyboardInterrupt(), GeneratorExit(), Panic(), MemoryError()],
    ids=lambda error: type(error).__name__,
)
async def test_a_defect_of_a_reader_ends_its_call_only(
    settings: Settings, emulator: Emulator, error: BaseException
) -> None:
    """A `SystemExit` in a task would end the event loop, a cancellation would pass for the caller's own."""
    async with serving(settings) as service:
        context, other = context_for(service), context_for(service)
        ended: tuple[Any, Any] = await asyncio.gather(
            context.http("lib").get("x", read=raising(error)),
            other.http("lib").get("y", read=msgspec.json.decode),
            return_exceptions=True,
        )
    broken, whole = ended
    assert isinstance(broken, RuntimeError | MemoryError)
    assert type(error).__name__ in f"{type(broken).__name__} {broken}"
    assert whole["path"] == "y"
    assert [noted.fault for noted in exchanges(context)] == ["internal"]
    assert len(emulator.log("lib")) == 2


async def test_json_that_is_nested_without_end_is_an_invalid_answer(settings: Settings, emulator: Emulator) -> None:
    emulator.misbehave("lib", "body", body=b"[" * 100_000, media="application/json", times=None)
    async with serving(settings) as service:
        with pytest.raises(UpstreamInvalid):
            await context_for(service).http("lib").get("x", read=msgspec.json.decode)


class HistoryExpired(NotFound):
    """A plugin's own fault, which takes what it likes."""

    def __init__(self, handle: str, offset: int) -> None:
        super().__init__(f"{handle} is gone at {offset}")


async def test_every_waiter_gets_a_plugins_own_fault(settings: Settings, emulator: Emulator) -> None:
    read = raising(HistoryExpired("MCID_1", 20))
    async with serving(settings) as service:
        asked = (context_for(service).http("lib").get("x", read=read) for _ in range(3))
        faults = await asyncio.gather(*asked, return_exceptions=True)
    assert [str(fault) for fault in faults] == ["MCID_1 is gone at 20"] * 3
    assert len({id(fault) for fault in faults}) == 3
    assert len(emulator.log("lib")) == 1


@pytest.mark.parametrize("said", [None, ["no such order"], {"code": 7}, b"bytes", 7])
async def test_a_fault_may_pass_on_what_is_no_text(settings: Settings, said: Any) -> None:
    async with serving(settings) as service:
        with pytest.raises(UpstreamRejected) as caught:
            await context_for(service).http("lib").get("x", read=raising(UpstreamRejected(said)))
    assert isinstance(caught.value, Fault)
    assert caught.value.message == str(said)
