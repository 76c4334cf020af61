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


def environment_in(folder: Path) -> dict[str, str]:
    """Environment of a process that finds the probe beside the installed plugins, with a data folder of its own."""
    site = folder / "site"
    info = site / "vouched_probe-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: vouched-probe\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text("[vouched]\nprobe = tests.mcp_face.probe\n", "utf-8")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("VOUCHED_", "NCBI_"))}
    return {
        **kept,
        "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)]),
        "VOUCHED_DATA": str(folder / "data"),
        "VOUCHED_PLUGINS": "probe",
    }


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """See `environment_in`."""
    return environment_in(tmp_path)


class HttpServer:
    """A running `vouched serve --http`."""

    def __init__(self, url: str, process: "subprocess.Popen[str]") -> None:
        self.url = url
        self.process = process


def started(environment: dict[str, str], *options: str) -> HttpServer:
    """A server on a free port of loopback."""
    command = [sys.executable, "-m", "vouched", "serve", "--http", "--port", "0", *options]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True, encoding="utf-8")
    assert process.stderr is not None
    for line in process.stderr:
        if "serves MCP at" in line:
            return HttpServer(line.split()[-1], process)
    raise AssertionError("the server did not start")


def stopped(server: HttpServer) -> None:
    server.process.terminate()
    server.process.wait(10)
    if server.process.stderr:
        server.process.stderr.close()


@pytest.fixture
def http_server(environment: dict[str, str]) -> Iterator[Callable[..., HttpServer]]:
    """`http_server("--tokens-file", path)` starts one of the test's own."""
    running: list[HttpServer] = []

    def start(*options: str) -> HttpServer:
        running.append(started(environment, *options))
        return running[-1]

    yield start
    for server in running:
        stopped(server)


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    """One server for all tests of a module that leave it as it was."""
    server = started(environment_in(tmp_path_factory.mktemp("shared")))
    yield server
    stopped(server)


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
