"""`vouched serve` as a process: a clean stream, UTF-8, and an end when its client goes."""

import json
import os
import signal
import subprocess
import sys
import time
from typing import IO, Any

import pytest

from tests.mcp_face.conftest import wait_until

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}},
}


def start(environment: dict[str, str], **more: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "vouched", "serve"],
        env={**environment, **more},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def send(pipe: IO[bytes] | None, message: dict[str, Any]) -> None:
    assert pipe is not None
    pipe.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
    pipe.flush()


def call(number: int, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def handshake(process: "subprocess.Popen[bytes]") -> dict[str, Any]:
    send(process.stdin, INITIALIZE)
    assert process.stdout is not None
    answer = json.loads(process.stdout.readline())
    send(process.stdin, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    return dict(answer)


def finish(process: "subprocess.Popen[bytes]") -> None:
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe and not pipe.closed:
            pipe.close()
    process.kill()
    process.wait()


@pytest.mark.smoke
def test_p86_every_line_of_stdout_is_a_message_though_a_plugin_prints(environment: dict[str, str]) -> None:
    process = start(environment)
    try:
        send(process.stdin, INITIALIZE)
        send(process.stdin, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        send(process.stdin, call(2, "probe_echo", {"text": "x"}))
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(2)]
        assert process.stdin is not None
        process.stdin.close()
        lines += process.stdout.readlines()
        assert all(json.loads(line)["jsonrpc"] == "2.0" for line in lines)
        assert process.stderr is not None
        said = process.stderr.read()
        assert b"ready" in said
        assert b"ready at the descriptor" in said
    finally:
        finish(process)


def test_p102_utf8_both_ways_whatever_the_locale(environment: dict[str, str]) -> None:
    process = start(environment, PYTHONIOENCODING="cp1252", LC_ALL="C")
    try:
        handshake(process)
        send(process.stdin, call(2, "probe_echo", {"text": "β-catenin ≥ Đ ✓ →"}))
        assert process.stdout is not None
        answer = json.loads(process.stdout.readline().decode("utf-8"))
        assert answer["result"]["structuredContent"]["data"]["name"] == "β-catenin ≥ Đ ✓ →"
    finally:
        finish(process)


def test_p101_the_process_ends_when_stdin_closes(environment: dict[str, str]) -> None:
    process = start(environment)
    try:
        handshake(process)
        assert process.stdin is not None
        process.stdin.close()
        began = time.monotonic()
        assert process.wait(5) == 0
        assert time.monotonic() - began < 3
    finally:
        finish(process)


def test_p101_the_process_ends_when_stdin_closes_during_a_call(environment: dict[str, str]) -> None:
    process = start(environment)
    try:
        handshake(process)
        send(process.stdin, call(2, "probe_wait", {"seconds": 30}))
        time.sleep(0.3)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(5) == 0
    finally:
        finish(process)


def test_p101_the_process_ends_when_its_reader_is_gone(environment: dict[str, str]) -> None:
    process = start(environment)
    try:
        handshake(process)
        assert process.stdout is not None
        process.stdout.close()
        send(process.stdin, call(2, "probe_echo", {"text": "nobody reads this"}))
        assert process.wait(5) == 0
    finally:
        finish(process)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal there")
@pytest.mark.parametrize("busy", [False, True])
def test_p101_the_process_ends_when_it_is_told_to(busy: bool, environment: dict[str, str]) -> None:
    process = start(environment)
    try:
        handshake(process)
        if busy:
            send(process.stdin, call(2, "probe_wait", {"seconds": 30}))
            time.sleep(0.3)
        process.terminate()
        began = time.monotonic()
        assert process.wait(5) == 0
        assert time.monotonic() - began < 3
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()
    finally:
        finish(process)


@pytest.mark.skipif(sys.platform == "win32", reason="parents die otherwise there")
def test_p101_the_process_ends_when_its_parent_dies(environment: dict[str, str]) -> None:
    """The pipe stays open in this test's process, so only the parent's death tells."""
    reading, writing = os.pipe()
    code = (
        "import subprocess, sys; p = subprocess.Popen([sys.executable, '-m', 'vouched', 'serve'], stdin=0);"
        "print(p.pid, flush=True); import time; time.sleep(60)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdin=reading, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        time.sleep(1.5)
        parent.kill()
        parent.wait()
        assert wait_until(lambda: not _alive(child), 4)
    finally:
        os.close(reading)
        os.close(writing)
        if parent.stdout:
            parent.stdout.close()
        if _alive(child):
            os.kill(child, signal.SIGKILL)


def _alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:  # noqa: PTH123
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_an_undecodable_line_still_gets_an_answer_or_is_passed_over(environment: dict[str, str]) -> None:
    process = start(environment)
    try:
        handshake(process)
        assert process.stdin is not None
        process.stdin.write(b"\xff\xfe not json\n")
        send(process.stdin, call(3, "probe_echo", {"text": "after"}))
        assert process.stdout is not None
        answers = [json.loads(process.stdout.readline())]
        if answers[0].get("id") != 3:
            answers.append(json.loads(process.stdout.readline()))
        assert answers[-1]["id"] == 3
    finally:
        finish(process)
