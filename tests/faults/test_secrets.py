"""P52: the caller's key and e-mail address appear in nothing that leaves the process or is kept, on any path."""

import asyncio
import contextlib
import gzip
import json
import logging
import os
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from vouched import faces
from vouched.host import Host
from vouched.journal import Owner

from tests.emulator import Emulator
from tests.every_tool import CALLS
from tests.faults.conftest import EMAIL, KEY, SOURCES

ROOT = Path(__file__).parents[2]
SECRETS = (KEY, EMAIL, "reader%40example.org")
ME = Owner(client="test", session_id="mine")
PATHS: dict[str, dict[str, Any] | None] = {
    "success": None,
    "bad request that echoes": {"kind": "status", "status": 400, "body": f"no: {KEY} {EMAIL}", "media": "text/plain"},
    "key refused": {"kind": "body", "status": 400, "body": {"error": "API key invalid", "api-key": KEY}},
    "error in a 200 that echoes": {"kind": "body", "body": {"error": f"API rate limit exceeded for {KEY}"}},
    "limit": {"kind": "rate_limited", "retry_after": None, "api_key": KEY},
    "server error": {"kind": "status", "status": 500, "body": f"<p>{KEY} {EMAIL}</p>"},
    "page": {"kind": "html", "body": f"<html><body>Blocked: {KEY}</body></html>"},
    "timeout": {"kind": "stall", "seconds": 2},
    "cut": {"kind": "reset"},
    "redirect elsewhere": {"kind": "redirect", "to": "other_host"},
    "redirect in circles": {"kind": "redirect", "to": "same_host"},
}


def leaks(*seen: str, folder: Path | None = None) -> list[str]:
    """The secrets found in texts, or in any file of a folder, also where it is compressed."""
    files = [path for path in folder.rglob("*") if path.is_file()] if folder else []
    places = {"text": "\n".join(seen), **{path.name: b"\n".join(contents(path)).decode("latin-1") for path in files}}
    return [f"{secret} in {name}" for name, text in places.items() for secret in SECRETS if secret in text]


def contents(path: Path) -> Iterator[bytes]:
    """The bytes of a file, of a compressed one also what is inside, of a database every value of every table."""
    body = path.read_bytes()
    yield body
    if path.suffix == ".gz":
        yield gzip.decompress(body)
    if not body.startswith(b"SQLite format 3"):
        return
    with contextlib.closing(sqlite3.connect(path)) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for value in (v for table in tables for row in database.execute(f"SELECT * FROM {table}") for v in row):
            blob = value if isinstance(value, bytes) else str(value).encode()
            yield blob
            with contextlib.suppress(zlib.error):
                yield zlib.decompress(blob)


def test_every_tool_that_asks_somebody_is_tried(host_over: Callable[..., Host]) -> None:
    assert set(CALLS) == set(host_over().registry.tools) - {"vouched_read_session", "citeformat_parse_bibliography"}


@pytest.mark.anyio
async def test_p52_an_answer_that_echoes_the_key_says_it_to_nobody(
    server: Emulator, host_over: Callable[..., Host], data: Path
) -> None:
    """A good answer with the key in a field that the tool shows: struck there, and kept nowhere."""
    spelt = f"<Query>glimer</Query><CorrectedQuery>glimmer {KEY}</CorrectedQuery><SpelledQuery/><ERROR/>"
    server.misbehave("espell.fcgi", "body", body=f"<eSpellResult>{spelt}</eSpellResult>", media="text/xml", times=None)
    async with host_over(secret=True, archive=True) as host:
        result = await host.call("pubmed_check_spelling", {"query": "glimer"}, owner=ME)
    assert not result.is_error
    assert "glimmer REDACTED" in result.text
    assert leaks(json.dumps(result.structured), result.text, folder=data) == []


@pytest.mark.anyio
@pytest.mark.parametrize("path", PATHS)
async def test_p52_no_secret_leaves_on_any_path(
    path: str, server: Emulator, host_over: Callable[..., Host], data: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    fault = PATHS[path]
    if fault:
        server.misbehave("*", times=None, **fault)
    limits = {"attempts": 2, "request_timeout": 0.5, "deadline": 3.0}
    seen: list[str] = []
    async with host_over(secret=True, archive=True, limits=limits) as host:
        for result in await asyncio.gather(*(host.call(tool, given, owner=ME) for tool, given in CALLS.items())):
            seen += [json.dumps(result.structured, ensure_ascii=False), result.text, repr(result.attachments)]
            assert fault or not result.is_error, result.text
        for action in ("log", "search_runs", "summary", "list_artifacts"):
            told = await host.call("vouched_read_session", {"action": action}, owner=ME)
            assert not told.is_error, told.text
            seen.append(told.text)
        seen.append((await faces.read_resource(host, "vouched://status", ME)).text)
    sent = " ".join(entry.target + repr(entry.params) for entry in server.log())
    assert KEY in sent
    assert EMAIL in sent
    assert any(path.is_file() for path in data.rglob("*"))
    assert leaks(*seen, caplog.text, folder=data) == []


def environment(server: Emulator, data: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("VOUCHED_", "NCBI_"))}
    ours = {"VOUCHED_DATA": str(data), "VOUCHED_ARCHIVE": "1", "NCBI_API_KEY": KEY, "NCBI_EMAIL": EMAIL}
    urls = {f"VOUCHED_{name.upper()}_URL": server.url(name) for name in SOURCES}
    return {**kept, **urls, **ours, **more}


# A transport whose own library quotes the whole address when it fails, and one tool that does.
TALKATIVE = f"""
import logging, warnings
from vouched.api import Context, Struct, hookimpl, tool
class Out(Struct):
    said: str
class Wire:
    async def send(self, request):
        logging.getLogger("somelib").error("GET %s", request.url)
        raise ConnectionError(f"cannot reach {{request.url}}")
    async def aclose(self):
        pass
@tool
async def defect(ctx: Context) -> Out:
    "Fail."
    raise ValueError("https://x.example/y?api_key={KEY}&email={EMAIL}")
@hookimpl
def tools():
    return [defect]
@hookimpl
def provide_transport(source, settings):
    return Wire() if source.name == "icite" else None
"""


@pytest.fixture
def talkative(tmp_path: Path) -> str:
    """A folder for PYTHONPATH with that plugin installed."""
    site = tmp_path / "site"
    info = site / "vouched_talkative-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "vouched_talkative.py").write_text(TALKATIVE, "utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: vouched-talkative\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text("[vouched]\ntalkative = vouched_talkative\n", "utf-8")
    return str(site)


def test_p52_no_secret_leaves_a_real_process(server: Emulator, data: Path, talkative: str) -> None:
    """stdout and stderr of `vouched serve`, whatever other libraries log."""
    server.misbehave("esearch.fcgi", "status", status=500, times=None)
    server.misbehave("efetch.fcgi", "rate_limited", retry_after=600, api_key=KEY, times=None)
    server.misbehave("europepmc", "redirect", times=None)
    messages: list[dict[str, Any]] = [
        {
            "method": "initialize", "id": 0,
            "params": {
                "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"},
            },
        },
        {"method": "notifications/initialized"},
    ]  # fmt: skip
    tools = {
        "talkative_defect": {}, "icite_get_citation_metrics": {"ids": ["99900001"]},
        "pubmed_search_articles": {"query": "glimmer"}, "pubmed_fetch_articles": {"ids": ["99900001"]},
        "europepmc_search_literature": {"query": "glimmer"},
    }  # fmt: skip
    for number, (tool, arguments) in enumerate(tools.items(), 1):
        params = {"name": tool, "arguments": arguments}
        messages.append({"method": "tools/call", "id": number, "params": params})
    process = subprocess.Popen(
        [sys.executable, "-X", "dev", "-m", "vouched", "serve"],
        env=environment(server, data, PYTHONPATH=talkative, PYTHONWARNINGS="ignore"),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip
    assert process.stdin
    assert process.stdout
    for message in messages:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    process.stdin.flush()
    answers = [json.loads(process.stdout.readline()) for _ in range(len(tools) + 1)]
    out, err = process.communicate(timeout=15)
    assert all(answer["result"].get("isError") for answer in answers if answer["id"])
    assert "somelib" in err
    assert "ValueError" in err
    assert leaks(json.dumps(answers), out, err, folder=data) == []


@pytest.mark.parametrize("command", ["call", "record"])
def test_p52_no_secret_in_what_commands_print_or_record(command: str, server: Emulator, data: Path) -> None:
    recordings = data.parent / "recordings"
    into = ["--into", str(recordings)] if command == "record" else []
    done = subprocess.run(
        [sys.executable, "-m", "vouched", command, "pubmed_search_articles", '{"query": "glimmer"}', *into],
        env=environment(server, data), capture_output=True, text=True, encoding="utf-8", timeout=30, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert any(KEY in entry.target for entry in server.log("eutils"))
    assert leaks(done.stdout, done.stderr, folder=data) == []
    if into:
        assert list(recordings.glob("*.json"))
        assert leaks(folder=recordings) == []
