"""The command line without its standard streams, and at a terminal: exit codes and texts, never a traceback."""

import contextlib
import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a POSIX shell closes the descriptors")
CALL = "call vouched_read_session"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("VOUCHED_", "NCBI_"))}
    return {**kept, "VOUCHED_DATA": str(tmp_path / "data"), "VOUCHED_PLUGINS": "none"}


def ended(command: str, environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    line = f'"{sys.executable}" -m vouched {command}'
    return subprocess.run(
        ["sh", "-c", line], env=environment, capture_output=True, text=True, timeout=60, check=False, input=""
    )


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("serve <&-", 2, "vouched: Standard input is closed"),
        (f"{CALL} - <&-", 2, "vouched: Standard input is closed"),
        ("tools >&-", 1, "vouched: Standard output is closed"),
        ("serve >&-", 1, "vouched: Standard output is closed"),
        ("--version >&-", 1, "vouched: Standard output is closed"),
        (f"{CALL} - <&- >&- 2>&-", 1, ""),
        ("bogus 2>&-", 2, ""),
        ("--help >&-", 0, ""),
    ],
)
def test_a_closed_stream_that_is_needed_is_said(
    command: str, code: int, said: str, environment: dict[str, str]
) -> None:
    done = ended(command, environment)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    assert said in done.stderr


@pytest.mark.parametrize(
    "command", ["tools 2>&-", "tools <&-", f'{CALL} \'{{"action": "summary"}}\' <&- 2>&-', "serve 2>&-"]
)
def test_a_closed_stream_that_is_not_needed_changes_nothing(command: str, environment: dict[str, str]) -> None:
    done = ended(command, {**environment, "VOUCHED_PLUGINS": "missing"})
    assert done.returncode == 0, done.stderr
    assert bool(done.stdout) == (command != "serve 2>&-")
    # The warning that a plugin is missing must not land in a file that got the number of the closed stream.
    assert "missing" not in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_output_that_cannot_be_written_ends_with_1(environment: dict[str, str]) -> None:
    done = ended("tools >/dev/full", environment)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("vouched: [Errno 28]")


def at_terminal(command: list[str], environment: dict[str, str], until: bytes) -> bytes:
    """What the command writes to a terminal until it says `until`, or five seconds have passed."""
    import pty

    leader, follower = pty.openpty()
    process = subprocess.Popen(command, env=environment, stdin=follower, stdout=follower, stderr=follower)
    os.close(follower)
    said, end = b"", time.monotonic() + 5
    try:
        while until not in said and time.monotonic() < end:
            if select.select([leader], [], [], 0.1)[0]:
                with contextlib.suppress(OSError):
                    said += os.read(leader, 4096)
    finally:
        process.kill()
        process.wait()
        os.close(leader)
    return said


def test_a_server_started_at_a_terminal_says_whom_it_waits_for(environment: dict[str, str]) -> None:
    said = at_terminal([sys.executable, "-m", "vouched", "serve"], environment, b"\n")
    assert b"waits for an MCP client on standard input" in said
    assert b"vouched config CLIENT" in said
    assert said.count(b"\n") == 1


def test_a_server_started_by_a_client_says_nothing(environment: dict[str, str]) -> None:
    done = ended("serve", {**environment, "VOUCHED_PLUGINS": "vouched"})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
