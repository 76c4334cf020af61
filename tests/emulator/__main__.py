"""Run the emulator by hand until it is interrupted."""

import argparse
import threading
from pathlib import Path

from tests import emulator


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.emulator", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="loopback port, a free one by default")
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="folders of fixtures or recordings")
    parser.add_argument("--synthetic", metavar="WORD:COUNT", action="append", default=[], help="made-up PubMed records")
    options = parser.parse_args()
    pairs = [words.partition(":") for words in options.synthetic]
    extra = [emulator.synthetic(word, int(count)) for word, _, count in pairs]
    with emulator.start(*options.folders, port=options.port, extra=extra) as server:
        for name, url in server.environment().items():
            print(f"{name}={url}", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
