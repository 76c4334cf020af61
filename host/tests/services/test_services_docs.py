"""The page about services says what the code does."""

import re
from pathlib import Path

import msgspec
from vouched.services import pace, trip
from vouched.services.replay import Recording
from vouched.services.verify import Verdict
from vouched.settings import Limits
from vouched.testing import contracts_transport

PAGE = (Path(__file__).parents[2] / "docs" / "services.md").read_text("utf-8")


def test_the_recording_shown_is_one() -> None:
    [shown] = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    recording = msgspec.json.decode(shown, type=Recording)
    assert recording.params["id"] == ["1", "2"]
    assert [name for name in Recording.__struct_fields__ if name not in PAGE] == []


def test_limits_are_named_as_they_are() -> None:
    named = {"pace_factor", "queue_depth", "attempts", "retry_wait", "retry_wait_max", "retry_after_max", "body_bytes"}
    assert named <= set(Limits.__struct_fields__)
    assert all(f"`{name}`" in PAGE or f"`{name} /" in PAGE for name in named)
    assert f"{Limits().pace_factor}" in PAGE


def test_figures_are_those_of_the_code() -> None:
    assert (pace.PRIVATE_FACTOR, "three times slower" in PAGE) == (3.0, True)
    assert (trip.BLOCK_SECONDS, "five minutes" in PAGE) == (300.0, True)


def test_exit_codes_of_verify() -> None:
    assert [Verdict(v).exit_code for v in ("identical", "differs", "cannot verify")] == [0, 1, 2]


def test_the_contract_is_where_the_page_says() -> None:
    for name in ("TransportContract", "CASES", "over_http"):
        assert name in PAGE
        assert hasattr(contracts_transport, name)
