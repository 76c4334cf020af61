"""A data folder that cannot be written: the server starts, answers, and says that nothing is kept."""

import contextlib
import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from vouched.testing.emulator import start
from vouched.testing.exchange import canned

PLUGIN = """
import msgspec
from vouched.api import Context, Source, Struct, hookimpl, tool
class Found(Struct):
    total: int
    names: list[str]
@tool
async def search(ctx: Context, query: str = "all") -> Found:
    \"\"\"Find things by name. For tests; there is no sibling. Returns names.\"\"\"
    found = await ctx.http("lib").get("search", params={"q": query}, read=msgspec.json.decode)
    ctx.note("total", found["total"])
    ctx.note("ids", ["pmid:99900001"])
    if query == "keep":
        await ctx.keep("names.txt", "one", "text/plain")
    return Found(found["total"], found["names"] * (5_000 if query == "large" else 1))
@hookimpl
def sources():
    return [Source("lib", "https://lib.example.org/", rate=1000)]
@hookimpl
def tools():
    return [search]
"""
# Root may write everywhere; without this capability the permissions hold for it as for everybody.
BOUND = """
import ctypes, os, sys
if os.geteuid() == 0 and ctypes.CDLL(None).prctl(24, 1, 0, 0, 0):
    sys.exit("the capability cannot be dropped")
os.execv(sys.argv[1], sys.argv[1:])
"""
COMMAND = [sys.executable, "-c", BOUND, sys.executable]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    """A plugin beside the installed ones, and the service that it asks."""
    site = tmp_path_factory.mktemp("site")
    (site / "vouched_shelf.py").write_text(textwrap.dedent(PLUGIN), "utf-8")
    info = site / "vouched_shelf-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: vouched-shelf\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text("[vouched]\nshelf = vouched_shelf\n", "utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("VOUCHED_", "NCBI_"))}
    path = os.pathsep.join(part for part in (str(site), kept.get("PYTHONPATH")) if part)
    with start([canned("lib", {"search": {"total": 2, "names": ["one", "two"]}})]) as emulator:
        own = {"PYTHONPATH": path, "VOUCHED_PLUGINS": "shelf", "VOUCHED_LIB_URL": emulator.url("lib"), "COLUMNS": "200"}
        yield kept | own


@pytest.fixture(params=["not there yet", "there already", "below a file"])
def data(request: pytest.FixtureRequest, tmp_path: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """A folder that nothing can be written to, each time for another reason."""
    if request.param == "below a file":
        (tmp_path / "file").write_text("in the way")
        yield tmp_path / "file" / "data"
        return
    data = tmp_path / "parent" / "data"
    data.parent.mkdir()
    if request.param == "there already":
        assert ended(environment, data, "call", "shelf_search").returncode == 0
    before = [path for path in (data, *data.rglob("*"), data.parent) if path.exists()]
    for path in before:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        if probe := subprocess.run(
            [*COMMAND, "-c", f"open({str(data.parent / 'x')!r}, 'w')"], capture_output=True
        ).stderr:
            if b"PermissionError" not in probe:
                pytest.skip(probe.decode())
        else:
            pytest.skip("permissions do not hold here")
        yield data
    finally:
        for path in before:
            path.chmod(0o755 if path.is_dir() else 0o644)


def ended(
    environment: Mapping[str, str], data: Path, *command: str, text: str = "", **env: str
) -> subprocess.CompletedProcess[str]:
    """A command in a process for which permissions hold."""
    return subprocess.run(
        [*COMMAND, "-m", "vouched", *command],
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
        env={**environment, "VOUCHED_DATA": str(data), **env},
    )


@pytest.mark.parametrize("data", ["not there yet", "below a file"], indirect=True)
def test_doctor_says_that_nothing_is_kept(environment: Mapping[str, str], data: Path) -> None:
    done = ended(environment, data, "doctor")
    assert done.returncode == 1
    said = " ".join(done.stdout.split())
    assert f"FAIL data folder {data} cannot be written" in said
    assert "Nothing is kept" in said
    assert "Traceback" not in done.stdout + done.stderr


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("shelf_search", {}),
    ("shelf_search", {"query": "large"}),
    ("shelf_search", {"query": "keep"}),
    ("vouched_read_session", {"action": "summary"}),
    ("vouched_read_session", {"action": "search_runs"}),
    ("vouched_read_session", {"action": "pmids"}),
]


def conversation() -> Iterator[dict[str, Any]]:
    yield {"id": 0, "method": "initialize", "params": INITIALIZE}
    yield {"method": "notifications/initialized"}
    for number, (name, arguments) in enumerate(CALLS, 1):
        yield {"id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}}


INITIALIZE = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


def test_the_server_starts_and_answers_and_says_that_nothing_is_kept(
    environment: Mapping[str, str], data: Path, request: pytest.FixtureRequest
) -> None:
    answers: dict[int, dict[str, Any]] = {}
    with served(environment, data) as talk:
        for asked in conversation():
            answer = talk(json.dumps({"jsonrpc": "2.0", **asked}), "id" in asked)
            if answer is not None:
                answers[asked["id"]] = answer["result"]
    found, large, keep, summary, runs, pmids = [answers[n]["structuredContent"] for n in range(1, len(CALLS) + 1)]
    assert (found["status"], found["data"]) == ("ok", {"total": 2, "names": ["one", "two"]})
    assert any("could not be written to the journal" in text for text in found["warnings"])
    assert any("could not be archived" in text for text in found["warnings"])
    assert large["status"] == "ok"
    assert any("The whole could not be kept" in text for text in large["warnings"])
    assert keep["error"]["code"] == "provider_failed"
    assert "VOUCHED_DATA" in keep["error"]["hint"]
    # What was kept before can still be read.
    before = 1 if request.node.callspec.params["data"] == "there already" else 0
    assert summary["status"] == "ok"
    assert any(text.startswith("Nothing is kept") and "acknowledge" not in text for text in summary["warnings"])
    assert summary["data"]["notices"][0]["text"].startswith("Nothing is kept")
    assert "Nothing is kept" in answers[4]["content"][0]["text"]
    assert len(summary["data"].get("sessions", [])) == before
    assert runs["status"] == "ok"
    assert pmids["error"]["code"] == "not_found"
    assert str(data) not in json.dumps(answers)


@contextlib.contextmanager
def served(environment: Mapping[str, str], data: Path) -> Iterator[Any]:
    """Says a line to `vouched serve`, and gives its answer; the process must end by itself, without a traceback."""
    process = subprocess.Popen(
        [*COMMAND, "-m", "vouched", "serve"],
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**environment, "VOUCHED_DATA": str(data), "VOUCHED_ARCHIVE": "1"},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    stdin, stdout = process.stdin, process.stdout

    def talk(line: str, answered: bool) -> dict[str, Any] | None:
        stdin.write(line + "\n")
        stdin.flush()
        return json.loads(stdout.readline()) if answered else None

    try:
        yield talk
        _, said = process.communicate(timeout=30)
        assert process.returncode == 0, said
        assert "Traceback" not in said
        assert "not closed cleanly" not in said
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("data", ["there already"], indirect=True)
def test_a_list_of_sessions_says_it_too(environment: Mapping[str, str], data: Path) -> None:
    done = ended(environment, data, "session", "list")
    assert done.returncode == 0
    assert done.stdout.startswith("Notice: Nothing is kept")
    assert "command-line" in done.stdout
    assert done.stderr == ""
