"""The HTTP face: loopback unless told, authentication beyond it, foreign origins refused, sessions begun anew."""

import concurrent.futures
import contextlib
import http.client
import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from mcp_types import Implementation
from vouched.auth import read_tokens
from vouched.faults import InvalidArgument

from tests.mcp_face.conftest import HttpServer
from tests.mcp_face.test_process import INITIALIZE, call

TOKEN = "a-token-of-some-length"
OTHER = "another-token-of-length"


def post(url: str, message: dict[str, Any], **headers: str) -> tuple[int, dict[str, str], dict[str, Any]]:
    """Status, headers and the last JSON-RPC message of the answer."""
    request = urllib.request.Request(
        url,
        json.dumps(message).encode(),
        {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **{key.replace("_", "-"): value for key, value in headers.items()},
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            body, status = answer.read().decode(), answer.status
            sent = {key.lower(): value for key, value in answer.headers.items()}
    except urllib.error.HTTPError as error:
        return error.code, {k.lower(): v for k, v in error.headers.items()}, {}
    data = [line[6:] for line in body.splitlines() if line.startswith("data: {")]
    return status, sent, json.loads(data[-1]) if data else {}


def opened(url: str, **headers: str) -> str:
    """Id of a new session."""
    status, sent, _ = post(url, INITIALIZE, **headers)
    assert status == 200
    return sent["mcp-session-id"]


def test_foreign_origin_and_host_are_refused(shared_server: HttpServer) -> None:
    url = shared_server.url
    assert post(url, INITIALIZE, Origin="https://evil.example.org")[0] == 403
    assert post(url, INITIALIZE, Host="evil.example.org")[0] == 421
    assert post(url, INITIALIZE, Origin="http://localhost:1234")[0] == 200


def test_p99_a_stale_session_gets_404_for_calls_and_may_initialize_anew(shared_server: HttpServer) -> None:
    url = shared_server.url
    assert post(url, call(2, "probe_echo", {"text": "x"}), Mcp_Session_Id="gone")[0] == 404
    status, sent, answer = post(url, INITIALIZE, Mcp_Session_Id="gone")
    assert (status, answer["result"]["serverInfo"]["name"]) == (200, "vouched")
    assert sent["mcp-session-id"] != "gone"


@pytest.mark.parametrize("headers", [{}, {"Mcp-Session-Id": "gone"}])
def test_json_nested_too_deeply_is_a_bad_request(headers: dict[str, str], shared_server: HttpServer) -> None:
    deep = b'{"a":' * 9_000 + b"1" + b"}" * 9_000
    accept = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers}
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(urllib.request.Request(shared_server.url, deep, accept), timeout=10)
    with caught.value as refused:
        assert refused.code == (404 if headers else 400)
    assert post(shared_server.url, INITIALIZE)[0] == 200


def test_a_tokens_file_is_named_and_one_that_all_can_read_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tokens = tmp_path / "tokens.txt"
    for content in (None, "alice\n", ""):
        if content is not None:
            tokens.write_text(content, "utf-8")
        with pytest.raises(InvalidArgument, match=str(tokens)):
            read_tokens(str(tokens))
    tokens.write_text(f"alice:{TOKEN}\n", "utf-8")
    for mode, warned in ((0o600, False), (0o644, True)):
        caplog.clear()
        tokens.chmod(mode)
        assert list(read_tokens(str(tokens)).values()) == ["alice"]
        assert (str(tokens) in caplog.text) is warned


def test_a_token_names_the_principal_and_sessions_are_not_shared(
    http_server: Callable[..., HttpServer], tmp_path: Path
) -> None:
    tokens = tmp_path / "tokens.txt"
    tokens.write_text(f"# team\nalice:{TOKEN}\nbob:{OTHER}\n", "utf-8")
    url = http_server("--tokens-file", str(tokens)).url
    status, headers, _ = post(url, INITIALIZE)
    assert status == 401
    assert headers["www-authenticate"].startswith("Bearer")
    assert post(url, INITIALIZE, Authorization="Bearer wrong")[0] == 401
    session = opened(url, Authorization=f"Bearer {TOKEN}")
    mine = {"Authorization": f"Bearer {TOKEN}", "Mcp_Session_Id": session}
    assert "result" in post(url, call(2, "probe_echo", {"text": "x"}), **mine)[2]
    assert (
        post(url, call(2, "probe_echo", {"text": "x"}), Authorization=f"Bearer {OTHER}", Mcp_Session_Id=session)[0]
        == 404
    )


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal there")
def test_p101_a_server_that_is_told_to_stop_ends_in_seconds_though_calls_run(
    http_server: Callable[..., HttpServer],
) -> None:
    server = http_server()
    session = opened(server.url)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        slow = call(2, "probe_wait", {"seconds": 30})
        running = pool.submit(post, server.url, slow, Mcp_Session_Id=session)
        time.sleep(0.5)
        server.process.terminate()
        began = time.monotonic()
        assert server.process.wait(8) == 0
        assert time.monotonic() - began < 5
        with contextlib.suppress(OSError, http.client.HTTPException):
            running.result(5)
    assert server.process.stderr
    assert "Traceback" not in server.process.stderr.read()


@pytest.mark.anyio
@pytest.mark.parametrize("name", ["Claude Desktop (β) / 1.0", "x" * 200, "../../etc", ""])
async def test_a_client_of_the_stateless_era_has_a_session_whatever_it_calls_itself(
    name: str, shared_server: HttpServer
) -> None:
    """P99: what it found outlives the connection, under its principal and its own name."""
    info = Implementation(name=name, version="1")
    url = shared_server.url
    async with Client(url, client_info=info) as client:
        for text in ("first", "second"):
            told = (await client.call_tool("probe_echo", {"text": text})).structured_content
            assert "warnings" not in told
    async with Client(url, client_info=info) as client:
        runs = (await client.call_tool("read_session", {"action": "search_runs"})).structured_content
    assert runs["data"]["total"] == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "0.0.0.0"], "authentication"),
        (["--host", "192.0.2.1"], "authentication"),
        (["--tokens-file", "nowhere.txt"], "tokens file"),
    ],
)
def test_it_refuses_to_start_where_it_would_be_open(options: list[str], said: str, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "vouched", "serve", "--http", "--port", "0", *options],
        env=environment,
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert done.returncode == 2
    assert said in done.stderr


def test_p100_more_than_one_worker_is_refused_with_a_clear_text(environment: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "vouched.toml"
    file.write_text("[http]\nworkers = 2\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "vouched", "serve", "--http", "--port", "0"],
        env={**environment, "VOUCHED_CONFIG": str(file)},
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert done.returncode == 2
    assert "one worker" in done.stderr


def test_bad_token_files_are_refused_by_line_and_never_shown(tmp_path: Path) -> None:
    from vouched.auth import read_tokens
    from vouched.faults import InvalidArgument

    for content in ("alice:short\n", "UPPER:" + TOKEN, f"a:{TOKEN}\na:{OTHER}\n", "", "no colon here at all"):
        file = tmp_path / "tokens"
        file.write_text(content, "utf-8")
        with pytest.raises(InvalidArgument) as caught:
            read_tokens(str(file))
        assert TOKEN not in str(caught.value)
        assert "short" not in str(caught.value)
