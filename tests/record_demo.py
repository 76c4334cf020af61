"""Make the demo's recordings anew: `python -m tests.record_demo`.

Starts the emulator over the invented records, makes the calls of every plugin's `recordings/demo.json`, and keeps each
plugin's exchanges beside it.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from tests import emulator

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Record; the exit code of the first call that fails."""
    with emulator.start(corpus=False) as server, tempfile.TemporaryDirectory() as data:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("VOUCHED_", "NCBI_"))}
        environment = {**kept, **server.environment(), "VOUCHED_DATA": data}
        steps = []
        for demo in sorted(ROOT.glob("plugins/*/src/*/recordings/demo.json")):
            for old in demo.parent.glob("*.json"):
                if old != demo:
                    old.unlink()
            steps += [(step, demo.parent) for step in msgspec.json.decode(demo.read_bytes())]
        for step, folder in sorted(steps, key=lambda pair: pair[0]["order"]):
            arguments = msgspec.json.encode(step["arguments"]).decode()
            command = [sys.executable, "-m", "vouched", "record", step["tool"], arguments, "--into", str(folder)]
            done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
            sys.stdout.write(f"{step['tool']}: {done.stdout.splitlines()[-1] if done.stdout else done.stderr}\n")
            if done.returncode:
                sys.stdout.write(done.stdout + done.stderr)
                return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
