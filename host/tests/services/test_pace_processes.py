"""P48: several server processes on one data folder keep one limit together, whatever becomes of one of them."""

import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from vouched.testing.emulator import Emulator

ROOT = Path(__file__).resolve().parents[3]


@contextlib.contextmanager
def askers(
    number: int, data: Path, emulator: Emulator, *, rate: float, each: int
) -> Iterator[list[subprocess.Popen[str]]]:
    """So many processes, each ready to ask `each` questions once it is told to go."""
    command = [
        sys.executable,
        "-m",
        "host.tests.services.asker",
        str(data),
        emulator.url("lib"),
        str(rate),
        str(each),
        "60",
    ]
    processes = [
        subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(number)
    ]
    try:
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def go(processes: list[subprocess.Popen[str]]) -> None:
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()


def together(number: int, data: Path, emulator: Emulator, *, rate: float, each: int) -> None:
    emulator.settle("lib", limit=int(rate))
    with askers(number, data, emulator, rate=rate, each=each) as processes:
        go(processes)
        for process in processes:
            assert process.wait(timeout=60) == 0
    log = emulator.log("lib")
    assert [entry.status for entry in log] == [200] * (number * each)
    assert emulator.peak("lib") <= rate


def test_two_processes_keep_one_limit(tmp_path: Path, emulator: Emulator) -> None:
    together(2, tmp_path, emulator, rate=10, each=7)


@pytest.mark.slow
@pytest.mark.parametrize("number", [2, 4])
@pytest.mark.parametrize("rate", [3, 10])
def test_many_processes_keep_one_limit(tmp_path: Path, emulator: Emulator, number: int, rate: int) -> None:
    together(number, tmp_path, emulator, rate=rate, each=rate * 2)


def test_after_a_kill_the_other_goes_on(tmp_path: Path, emulator: Emulator) -> None:
    with askers(2, tmp_path, emulator, rate=10, each=40) as processes:
        go(processes)
        while len(emulator.log("lib")) < 6:
            time.sleep(0.02)
        processes[0].kill()
        processes[0].wait()
        killed = time.monotonic()
        while (last := emulator.log("lib")[-1].started) < killed and time.monotonic() < killed + 5:
            time.sleep(0.02)
        assert killed <= last < killed + 1.0
        time.sleep(1.0)
    later = [entry.started for entry in emulator.log("lib") if entry.started > killed]
    # The survivor has the whole budget for itself.
    assert len([start for start in later if start < killed + 1.0]) >= 6
    assert emulator.peak("lib") <= 10
