"""Run the emulator by hand until it is interrupted."""

import argparse
import threading
from pathlib import Path

from tests import emulator


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.emulator", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="loopback port, a free one by default")
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="folders of fixtures or recordings")
    options = parser.parse_args()
    with emulator.start(*options.folders, port=options.port) as server:
        for name, url in server.environment().items():
            print(f"{name}={url}", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
