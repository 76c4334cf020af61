"""A server process with the probe plugin, installed as a distribution is: an entry point on the path."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Environment of a process that finds the probe beside the installed plugins, with a data folder of its own."""
    site = tmp_path / "site"
    info = site / "vouched_probe-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: vouched-probe\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text("[vouched]\nprobe = tests.mcp_face.probe\n", "utf-8")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("VOUCHED_", "NCBI_"))}
    return {
        **kept,
        "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)]),
        "VOUCHED_DATA": str(tmp_path / "data"),
        "VOUCHED_PLUGINS": "probe",
    }


class HttpServer:
    """A running `vouched serve --http`."""

    def __init__(self, url: str, process: "subprocess.Popen[str]") -> None:
        self.url = url
        self.process = process


@pytest.fixture
def http_server(environment: dict[str, str]) -> Iterator[Callable[..., HttpServer]]:
    """`http_server("--tokens-file", path)` starts one on a free port of loopback."""
    running: list[subprocess.Popen[str]] = []

    def start(*options: str) -> HttpServer:
        command = [sys.executable, "-m", "vouched", "serve", "--http", "--port", "0", *options]
        process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True, encoding="utf-8")
        running.append(process)
        assert process.stderr is not None
        for line in process.stderr:
            if "serves MCP at" in line:
                return HttpServer(line.split()[-1], process)
        raise AssertionError("the server did not start")

    yield start
    for process in running:
        process.terminate()
        process.wait(10)
        if process.stderr:
            process.stderr.close()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def wait_until(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Whether `condition` became true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()
